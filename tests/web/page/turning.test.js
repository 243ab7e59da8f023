// Which way round a board is shown.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { hasSides, isTurned } from "../../../src/rookery/web/static/turning.js";

/** A board of rows, each with the owner of the goals in it. */
const board = (/** @type {number[]} */ ...owners) =>
  /** @type {Api.Scene} */ (
    /** @type {unknown} */ ({
      rows: owners.length,
      cols: 1,
      cells: owners.map(owner => ({ role: owner ? "goal" : "free", owner })),
    })
  );

describe("a board with goals", () => {
  const race = board(2, 0, 0, 1);

  it("is turned so that one's own side, opposite the goal, is at the bottom", () => {
    assert.equal(isTurned(race, [1]), true);
    assert.equal(isTurned(race, [2]), false);
  });

  it("has the first player's side at the bottom for watchers, and for two on one screen", () => {
    assert.equal(isTurned(race, []), true);
    assert.equal(isTurned(race, [1, 2]), true);
  });
});

it("a board without goals has no sides", () => {
  assert.equal(hasSides(board(0, 0)), false);
  assert.equal(isTurned(board(0, 0), [1]), false);
});
