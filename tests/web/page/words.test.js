// What games, players and results are called.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { counted, playerName, rulesAddress, status } from "../../../src/rookery/web/static/listing.js";
import { footText } from "../../../src/rookery/web/static/standing.js";

describe("a player", () => {
  it("is named within a sentence", () => {
    assert.equal(playerName({ name: "You" }), "you");
    assert.equal(playerName({ name: "Youssef" }), "Youssef");
  });
});

describe("a result", () => {
  it("comes when the game is over", () => {
    assert.equal(status({ status: "playing", plies: 0, result: null }), "Just started");
    assert.equal(status({ status: "abandoned", result: null }), "Unfinished");
    assert.equal(status({ status: "over", result: "Won on time" }), "Won on time");
  });
});

describe("numbers and addresses", () => {
  it("are for people", () => {
    assert.equal(counted(1, "ply", "plies"), "1 ply");
    assert.equal(counted(12345, "point"), "12,345 points");
  });

  it("leave out options that are not set", () => {
    assert.equal(rulesAddress("g", { size: 5, limit: null, ops: "" }), "/rules/g?size=5");
  });

  it("are left out below the board where there is nothing to say", () => {
    assert.equal(footText({ watchers: 0, takebacks: 0, kind: "game", day: null }), "");
    const daily = footText({ watchers: 2, takebacks: 1, kind: "daily", day: "2026-01-02" });
    assert.equal(daily, "2 watching · 1 move undone · Daily of 2026-01-02");
  });
});
