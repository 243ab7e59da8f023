// When the next scene is shown.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Pacing } from "../../../src/rookery/web/static/pacing.js";

const seats = /** @type {Api.SeatInfo[]} */ (
  /** @type {unknown} */ ([
    { number: 1, kind: "person", yours: true },
    { number: 2, kind: "bot", yours: false },
    { number: 3, kind: "person", yours: false },
  ])
);

/** @type {(by: number) => [string, number][]} */
const move = by => [
  ["a", by],
  ["safe", 0],
];

function afterMine({ moves = true } = {}) {
  const pacing = new Pacing();
  pacing.shown(1000, move(1), [1], moves);
  return pacing;
}

describe("a bot's reply", () => {
  it("waits 350 ms after the visitor's move", () => {
    assert.equal(afterMine().wait(1100, move(2), seats, false), 250);
    assert.equal(afterMine().wait(1400, move(2), seats, false), -50);
  });

  it("waits without animation too", () => {
    assert.equal(afterMine({ moves: false }).wait(1100, move(2), seats, false), 250);
  });

  it("does not wait so long if the visitor is ahead with further moves", () => {
    assert.equal(afterMine().wait(1100, move(2), seats, true), 70);
    assert.ok(afterMine({ moves: false }).wait(1100, move(2), seats, true) <= 0);
  });
});

it("a person's move only waits until the last one has moved", () => {
  assert.equal(afterMine().wait(1100, move(3), seats, false), 70);
  assert.ok(afterMine({ moves: false }).wait(1100, move(3), seats, false) <= 0);
});

it("bots among themselves follow each other as fast as things move", () => {
  const pacing = new Pacing();
  pacing.shown(1000, move(2), [], true);
  assert.equal(pacing.wait(1100, move(2), seats, false), 70);
});
