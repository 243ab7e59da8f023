// The keyboard on a board: which key plays, moves the cursor, or is left to the page.

import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { press } from "../../../src/rookery/web/static/cursor.js";
import { Geometry } from "../../../src/rookery/web/static/geometry.js";

const key = (name, more = {}) => ({ key: name, target: "board", ...more });

describe("keys", () => {
  let board;
  let said;

  beforeEach(() => {
    said = [];
    board = {
      svg: { contains: target => target === "board" },
      geometry: new Geometry(3, 3, true),
      scene: { choices: [] },
      keys: new Map(),
      at: new Map(),
      turns: new Map(),
      mine: true,
      arrows: false,
      keyed: true,
      cursor: "1,1",
      aimed: null,
      picked: null,
      byKeys: keyed => said.push(`keyed ${keyed}`),
      stand: place => said.push(`stand ${place}`),
      press: place => said.push(`press ${place}`),
      play: choice => said.push(`play ${choice.action}`),
      refuse: way => said.push(`refuse ${way}`),
      pick: place => said.push(`pick ${place}`),
      explain: place => said.push(`explain ${place}`),
      release: () => false,
    };
  });

  it("move the cursor over cells and edges", () => {
    assert.equal(press(board, key("ArrowRight")), true);
    assert.deepEqual(said, ["keyed true", "stand 1,1|1,2"]);
  });

  it("play a direction where arrows are actions, by letters too", () => {
    board.arrows = true;
    board.keys.set("up", { action: "up" });
    press(board, key("ArrowUp"));
    press(board, key("w"));
    assert.deepEqual(said, ["play up", "play up"]);
  });

  it("say why a direction is not possible; with Shift they move the cursor", () => {
    board.arrows = true;
    press(board, key("ArrowLeft"));
    press(board, key("ArrowLeft", { shiftKey: true }));
    assert.deepEqual(said, ["refuse left", "keyed true", "stand 1,0|1,1"]);
  });

  it("play at the cursor with Enter, on the board only", () => {
    assert.equal(press(board, key("Enter")), true);
    assert.equal(press(board, key("Enter", { target: "page" })), false);
    assert.deepEqual(said, ["keyed true", "press 1,1"]);
  });

  it("play at the cursor by a letter, or say that it is not possible there", () => {
    const choice = { action: "wall", here: "x" };
    board.scene.choices.push(choice);
    press(board, key("x"));
    board.at.set("1,1", [choice]);
    press(board, key("x"));
    assert.deepEqual(said, ["explain 1,1", "play wall"]);
  });

  it("go round the targets of a picked wall", () => {
    board.picked = {
      targets: new Map([
        ["0,0|0,1", { action: "one" }],
        ["1,0|1,1", { action: "two" }],
      ]),
    };
    board.cursor = "0,0|0,1";
    press(board, key("Tab"));
    press(board, key("Tab", { shiftKey: true }));
    press(board, key("Enter"));
    assert.deepEqual(said, ["keyed true", "stand 1,0|1,1", "keyed true", "stand 1,0|1,1", "play one"]);
  });

  it("belong to the browser together with Ctrl or Alt, and to nobody if they mean nothing", () => {
    assert.equal(press(board, key("ArrowUp", { ctrlKey: true })), false);
    assert.equal(press(board, key("F5")), false);
    assert.deepEqual(said, []);
  });
});
