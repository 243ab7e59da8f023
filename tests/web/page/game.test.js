// What is known of a game: scenes arrive as changes, actions wait for each other, lost ones are sent again.

import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { GameState, undoDeclined } from "../../../src/rookery/web/static/game.js";

const cell = text => ({ role: "free", name: text, text, owner: 0, marks: [], last: false });
const choices = ["left", "right"].map(action => ({
  action,
  label: action,
  role: "slide",
  at: [],
  key: action,
  here: "",
}));
const base = {
  title: "A game",
  turn: 1,
  message: "Your turn.",
  players: ["You", "Ida"],
  walls: [],
  choices,
  pause: "",
};
const facts = { is: "scene", clock: null, mine: true, thinking: 0, preparing: false, redo: 0 };

function inWords(plies) {
  return plies.map(([name]) => `go ${name}`);
}

function scene(ply, { from = 0, plies = [], more = {}, cells = [cell("a"), cell("b")] } = {}) {
  return { ...facts, ply, from, plies, phrases: inWords(plies), scene: { ...base, cells, ...more } };
}

function change(ply, changed, { from = ply - 1, plies = [["left", 1]] } = {}) {
  return { ...facts, ply, from, plies, phrases: inWords(plies), scene: { ...base, changed } };
}

const info = { is: "game", status: "playing", plies: 0, takebacks: 0, you: [1], asked: null, may: {} };

describe("a game", () => {
  let game;

  beforeEach(() => {
    game = new GameState();
    game.updateInfo(info);
    show(scene(0));
  });

  // Takes messages and makes each the position on show; returns what apply said of the last.
  function show(...messages) {
    for (const message of messages) game.receive(message);
    return game
      .takeWaiting()
      .map(message => game.apply(message))
      .at(-1);
  }

  it("puts changed cells into the scene before, also while scenes wait to be shown", () => {
    const before = game.scene;
    show(change(1, [[0, cell("c")]]), change(2, [[1, cell("d")]]));
    assert.deepEqual(
      game.scene.cells.map(each => each.text),
      ["c", "d"],
    );
    assert.equal("changed" in game.scene, false);
    assert.deepEqual(
      before.cells.map(each => each.text),
      ["a", "b"],
    );
  });

  it("knows a step forward from a step back and from a repeated scene", () => {
    assert.deepEqual(show(change(1, [])), { moved: true, forward: true });
    assert.deepEqual(show(scene(1, { from: 1 })), { moved: false, forward: false });
    assert.deepEqual(show(scene(0)), { moved: true, forward: false });
    assert.deepEqual(game.plies, []);
  });

  it("tells what was done, without chance", () => {
    show({
      ...change(3, []),
      from: 0,
      plies: [
        ["left", 1],
        ["safe", 0],
        ["right", 2],
      ],
      phrases: ["go left", "safe", "go right"],
    });
    assert.equal(game.saidSince(0), "You: go left, Ida: go right. Your turn.");
  });

  it("sends one action at a time and keeps three", () => {
    let request = game.play("left");
    assert.deepEqual(request, { do: "play", action: "left", ply: 0 });
    assert.equal(game.eager, true);
    for (const action of ["right", "left", "right", "left"]) assert.equal(game.play(action), null);
    assert.equal(game.nextAction(true), null);
    const played = [];
    for (let ply = 1; request; ply += 1) {
      game.acknowledged(request, ply);
      show(change(ply, []));
      const action = game.nextAction(true);
      request = action && game.play(action);
      if (action) played.push(action);
    }
    assert.deepEqual(played, ["right", "left", "right"]);
  });

  it("plays what waits once the scene of the action before is there, acknowledged before or after it", () => {
    const first = game.play("left");
    game.play("right");
    assert.equal(game.acknowledged(first, 1), true);
    assert.equal(game.nextAction(true), null);
    show(change(1, []));
    assert.equal(game.nextAction(true), "right");
    const second = game.play("right");
    game.play("left");
    show(change(2, []));
    assert.equal(game.nextAction(true), null);
    assert.equal(game.acknowledged(second, 2), true);
    assert.equal(game.nextAction(true), "left");
    assert.equal(game.acknowledged(second, 2), false);
  });

  it("drops what waits when an action is refused or became impossible", () => {
    game.play("left");
    game.play("right");
    game.refused();
    assert.equal(game.nextAction(true), null);
    const request = game.play("left");
    game.play("right");
    game.acknowledged(request, 1);
    show(scene(1, { from: 0, plies: [["left", 1]], more: { choices: [] } }));
    assert.equal(game.nextAction(true), null);
  });

  it("sends an action again after a lost connection, if nothing has happened", () => {
    game.play("left");
    game.lost();
    assert.equal(game.nextAction(false), null);
    show(scene(0));
    assert.equal(game.nextAction(true), "left");
    assert.equal(game.nextAction(true), null);
  });

  it("does not send it again if the server had it", () => {
    game.play("left");
    game.lost();
    show(scene(1, { plies: [["left", 1]] }));
    assert.equal(game.nextAction(true), null);
  });

  it("pauses until the pause is dismissed, and not while an earlier position is on show", () => {
    show(scene(1, { plies: [["left", 1]], more: { pause: "Go on" } }));
    assert.equal(game.pausing, true);
    game.looking = 0;
    assert.equal(game.pausing, false);
    game.looking = null;
    game.dismissPause();
    assert.equal(game.pausing, false);
  });

  it("says once that it has ended", () => {
    const over = { ...info, status: "over" };
    assert.equal(game.updateInfo(over).ended, true);
    assert.equal(game.updateInfo(over).ended, false);
    assert.deepEqual([game.over, game.canAct], [true, false]);
  });
});

describe("an undo request", () => {
  const asked = { ...info, asked: { what: "undo", by: 1 } };

  it("is declined if it is gone and nothing else has changed", () => {
    assert.equal(undoDeclined(asked, info), true);
  });

  it("is not declined by an undo, a move, or while it waits", () => {
    assert.equal(undoDeclined(asked, { ...info, takebacks: 1 }), false);
    assert.equal(undoDeclined(asked, { ...info, plies: 1 }), false);
    assert.equal(undoDeclined(asked, asked), false);
    assert.equal(undoDeclined(null, info), false);
  });
});
