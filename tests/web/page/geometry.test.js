// Where cells and edges are, which of them a point hits, and which one is beside another.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Geometry } from "../../../src/rookery/web/static/geometry.js";

const anywhere = () => true;
const nowhere = () => false;

describe("a board without edges", () => {
  const board = new Geometry(3, 4, false);

  it("keeps its cells apart by a small gap", () => {
    assert.deepEqual([board.width, board.height], [4 * 108 - 8, 3 * 108 - 8]);
    assert.deepEqual(board.box("1,2"), { x: 216, y: 108, width: 100, height: 100 });
    assert.deepEqual(board.centre("0,0"), [50, 50]);
  });

  it("finds the cell under a point, and the nearest legal one a finger's width away", () => {
    assert.equal(board.near(50, 50, 1, anywhere), "0,0");
    assert.equal(board.near(430, 300, 1, nowhere), "2,3");
    assert.equal(
      board.near(100, 50, 3, cell => cell === "0,1"),
      "0,1",
    );
    assert.equal(board.near(-40, 50, 1, anywhere), null);
  });

  it("ends at its sides", () => {
    assert.equal(board.beside("1,1", [-1, 0]), "0,1");
    assert.equal(board.beside("0,1", [-1, 0]), "0,1");
    assert.equal(board.beside("2,3", [0, 1]), "2,3");
  });
});

describe("a board with edges", () => {
  const board = new Geometry(3, 3, true);

  it("names an edge by its smaller cell first", () => {
    assert.equal(
      board.key([
        [1, 1],
        [0, 1],
      ]),
      "0,1|1,1",
    );
    assert.equal(board.key([[2, 0]]), "2,0");
    assert.deepEqual(board.spots("0,1|1,1"), [
      [0, 1],
      [1, 1],
    ]);
  });

  it("hits an edge in the gap, and a cell in its middle", () => {
    assert.equal(board.near(113, 50, 1, anywhere), "0,0|0,1");
    assert.equal(board.near(50, 113, 1, anywhere), "0,0|1,0");
    assert.equal(board.near(50, 50, 1, anywhere), "0,0");
  });

  it("leaves most of a cell to its edges, where no step onto it is legal", () => {
    assert.equal(board.near(85, 50, 1, nowhere), "0,0|0,1");
  });

  it("leaves all of a cell to a step onto it, whose edges are hit from the gap and from beyond", () => {
    const middle = cell => cell === "1,1";
    for (let x = 126; x <= 226; x += 2)
      for (let y = 126; y <= 226; y += 2)
        for (const units of [1, 2.3, 4]) assert.equal(board.near(x, y, units, middle), "1,1", `${x}, ${y}`);
    assert.equal(board.near(229, 176, 1, middle), "1,1|1,2");
    assert.equal(board.near(270, 176, 1, middle), "1,1|1,2");
    assert.equal(board.near(176, 90, 1, middle), "0,1|1,1");
  });

  it("is walked by half steps, which never end on a crossing", () => {
    assert.equal(board.beside("0,0", [0, 1]), "0,0|0,1");
    assert.equal(board.beside("0,0|0,1", [0, 1]), "0,1");
    assert.equal(board.beside("0,0|0,1", [1, 0]), "1,0|1,1");
    assert.equal(board.beside("0,0", [-1, 0]), "0,0");
  });
});

describe("a board turned by half a turn", () => {
  const board = new Geometry(3, 4, true, true);

  it("shows the last row at the top, and the last column at the left", () => {
    assert.deepEqual(board.box("2,3"), { x: 0, y: 0, width: 100, height: 100 });
    assert.deepEqual(board.box("0,0"), { x: 3 * 126, y: 2 * 126, width: 100, height: 100 });
  });

  it("shows an edge where it lay, seen from the other side", () => {
    const upright = new Geometry(3, 4, true);
    assert.deepEqual(board.box("1,2|2,2"), upright.box("0,1|1,1"));
    assert.deepEqual(board.box("2,2|2,3"), upright.box("0,0|0,1"));
  });

  it("finds under a point what is seen there", () => {
    assert.equal(board.near(50, 50, 1, anywhere), "2,3");
    assert.equal(board.near(113, 50, 1, anywhere), "2,2|2,3");
    assert.equal(board.near(50, 113, 1, nowhere), "1,3|2,3");
    for (const place of ["0,0", "1,2", "0,0|1,0", "1,2|1,3"]) {
      const [x, y] = board.centre(place);
      assert.equal(
        board.near(x, y, 1, cell => cell === place),
        place,
      );
    }
  });

  it("is walked in the directions of the screen", () => {
    assert.equal(board.beside("2,3", [0, 1]), "2,2|2,3");
    assert.equal(board.beside("2,3", [-1, 0]), "2,3");
    assert.equal(board.beside("1,0", [1, 0]), "0,0|1,0");
  });
});
