// What games, players and results are called.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { counted, players, result, rulesAddress, status } from "../../../src/rookery/web/static/listing.js";
import { footText } from "../../../src/rookery/web/static/standing.js";

const you = { number: 1, kind: "person", yours: true, label: "" };
const ida = { number: 2, kind: "person", yours: false, label: "Ida" };
const bot = { number: 2, kind: "bot", level: 3, label: "Casual bot" };
const open = { number: 3, kind: "open" };
const game = (more = {}) => ({
  status: "over",
  you: [1],
  seats: [you, ida],
  winners: [1],
  ending: null,
  feat: null,
  ...more,
});

describe("players", () => {
  it("are listed with a comma and an “and”", () => {
    assert.equal(players(game()), "You and Ida");
    assert.equal(players(game({ seats: [you, { ...ida, label: "" }, bot] })), "You, somebody and Casual bot");
    assert.equal(players(game({ seats: [you, open, open] })), "You and 2 open seats");
    assert.equal(players(game({ you: [1, 2] })), "2 on one screen");
  });
});

describe("a result", () => {
  it("is told from the visitor's side", () => {
    assert.equal(result(game()), "Won");
    assert.equal(result(game({ winners: [2] })), "Lost");
    assert.equal(result(game({ winners: [2], ending: { how: "time", player: 1 } })), "Lost on time");
    assert.equal(result(game({ winners: [1, 2] })), "Draw");
    assert.equal(result(game({ you: [], winners: [2] })), "Ida won");
  });

  it("is the feat or the points of who plays alone", () => {
    const alone = { seats: [you], winners: null };
    assert.equal(result(game({ ...alone, feat: "all rounds in 30 steps" })), "All rounds in 30 steps");
    assert.equal(result(game({ ...alone, scores: [1] })), "1 point");
    assert.equal(result(game({ ...alone, scores: [0] })), "Lost");
  });

  it("comes when the game is over", () => {
    assert.equal(status(game({ status: "playing", plies: 0 })), "Just started");
    assert.equal(status(game({ status: "abandoned" })), "Unfinished");
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
