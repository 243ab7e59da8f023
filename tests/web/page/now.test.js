// What the visitor can do now is said in every state of a game.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { whatNow } from "../../../src/rookery/web/static/now.js";

const you = { number: 1, kind: "person", yours: true, label: "You" };
const bot = { number: 2, kind: "bot", yours: false, label: "Casual" };
const scene = (more = {}) => ({
  turn: 1,
  players: ["You", "Casual"],
  message: "Your turn, heading for row 7: step.",
  may: "Take a free cell.",
  ...more,
});
const info = (more = {}) => ({ status: "playing", seats: [you, bot], you: [1], may: {}, kind: "game", ...more });

function said(state) {
  const { words, below, number } = whatNow({
    info: info(state.info),
    scene: scene(state.scene),
    over: false,
    mine: false,
    thinking: 0,
    preparing: false,
    ...state.more,
  });
  return [words, below, number];
}

describe("what one can do now", () => {
  it("is to move", () => {
    assert.deepEqual(said({ more: { mine: true } }), ["Your turn", "Take a free cell.", 1]);
    assert.deepEqual(said({ more: { mine: true }, scene: { may: "" } }), ["Your turn", "", 1]);
    const alone = { turn: 1, players: [], message: "Slide up, right, down or left.", may: "" };
    assert.deepEqual(said({ more: { mine: true }, scene: alone }), ["Your turn", "Slide up, right, down or left.", 0]);
    const two = { seats: [you, { ...you, number: 2 }], you: [1, 2] };
    assert.deepEqual(
      said({ info: two, more: { mine: true }, scene: { turn: 2, players: ["Ada", "Bob"] } })[0],
      "Bob, your turn",
    );
    assert.deepEqual(said({ info: { seats: [you] }, more: { mine: true }, scene: { players: [] } })[2], 0);
  });

  it("is to wait for others, or to watch them", () => {
    const its = { turn: 2 };
    const thinking = { thinking: 2 };
    assert.deepEqual(said({ scene: its, more: thinking }), ["Casual is thinking…", "Wait for their move.", 2]);
    assert.deepEqual(said({ scene: its, more: thinking, info: { you: [] } })[1], "You are watching.");
    assert.deepEqual(said({ scene: its, more: { preparing: true } })[0], "Casual is preparing…");
    assert.deepEqual(said({ scene: its }), ["Casual to move", "Wait for their move.", 2]);
  });

  it("is nothing while chance decides", () => {
    assert.deepEqual(said({ scene: { turn: 0, message: "The coins decide." } }), ["The coins decide.", "", 0]);
  });

  it("is to invite others, or to join them", () => {
    const waiting = { status: "waiting", invite: "/game/x#y" };
    assert.match(said({ info: waiting })[1], /^Send the link/);
    assert.equal(said({ info: { status: "waiting", you: [], listed: true } })[1], "Join, or watch.");
  });

  it("is to play again, or to look back", () => {
    const over = { over: true };
    assert.equal(said({ more: over, info: { may: { restart: true } } })[1], "Play again, or look at the replay.");
    assert.equal(said({ more: over, info: { you: [] } })[1], "You can look at the replay.");
  });

  it("is to wait for the connection", () => {
    assert.equal(said({ more: { lost: true, mine: true } })[0], "Connection lost");
  });
});
