// Which cells make an area, and the outline that they share.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { areasOf, outline } from "../../../src/rookery/web/static/territory.js";

const MEASURES = { pitch: 10, gap: 2, round: 1 };

/** A board drawn as text: a digit is an owner. */
function board(/** @type {string[]} */ ...rows) {
  const cells = [...rows.join("")].map(
    sign =>
      /** @type {Api.Cell} */ (
        /** @type {unknown} */ ({ role: sign === "." ? "free" : "owned", owner: Number(sign) || 0 })
      ),
  );
  return areasOf(cells, rows[0].length);
}

/** The corners of an outline, each rounded. */
const corners = (/** @type {string} */ path) => path.split("A").length - 1;

describe("areas", () => {
  it("are cells of one owner that touch by a side", () => {
    const areas = board("11.2", "1.22", "..1.");
    assert.deepEqual(
      areas.map(({ owner, spots }) => [owner, spots.length]),
      [
        [1, 3],
        [2, 3],
        [1, 1],
      ],
    );
  });

  it("do not go on from the end of a row to the start of the next", () => {
    assert.equal(board("..1", "1..").length, 2);
  });
});

describe("the outline of an area", () => {
  it("is one rounded rectangle for a cell, and for cells in a row without a tooth between them", () => {
    assert.equal(
      outline([[0, 0]], MEASURES),
      "M7 0A1 1 0 0 1 8 1L8 7A1 1 0 0 1 7 8L1 8A1 1 0 0 1 0 7L0 1A1 1 0 0 1 1 0Z",
    );
    assert.equal(
      outline(
        [
          [0, 0],
          [0, 1],
        ],
        MEASURES,
      ),
      "M17 0A1 1 0 0 1 18 1L18 7A1 1 0 0 1 17 8L1 8A1 1 0 0 1 0 7L0 1A1 1 0 0 1 1 0Z",
    );
  });

  it("turns inwards at the corner of an L", () => {
    const path = outline(board("1.", "11")[0].spots, MEASURES);
    assert.equal(corners(path), 6);
    assert.ok(path.includes("0 0 0"), "one corner is concave");
  });

  it("has a hole where the area goes around a cell", () => {
    const path = outline(board("111", "1.1", "111")[0].spots, MEASURES);
    assert.equal(path.split("Z").length - 1, 2);
    assert.equal(corners(path), 8);
  });

  it("stays apart where two cells of the area touch only by a corner", () => {
    const path = outline(board("111", "1.1", "11.")[0].spots, MEASURES);
    assert.equal(path.split("Z").length - 1, 1, "the hole opens to the outside at the corner");
    assert.equal(corners(path), 10);
    assert.ok(
      path.includes("A1 1 0 0 1 27 18L21 18A1 1 0 0 1 20 17"),
      "the upper cell ends with round corners of its own",
    );
  });
});
