// Playing on from a position of a finished game: sets up a new game there, against bots, and opens it.

import { post } from "./api.js";
import { go } from "./app.js";
import { h, toast } from "./dom.js";

const LEVEL = "3"; // of a bot in a seat that had none

/** A button that plays on from the position on show, for anybody who looks at the game. */
export class PlayOn {
  #ply = 0;
  #turn = 0;
  element = h(
    "button.button",
    { type: "button", title: "A new game from this position, against bots", onclick: () => this.#begin() },
    "Play on from here",
  );

  /** @param {Api.GameInfo} info */
  constructor(info) {
    this.info = info;
    this.element.hidden = info.status === "playing" || info.status === "waiting";
  }

  /**
   * @param {number} ply
   * @param {Api.Scene} scene
   */
  at(ply, { turn }) {
    this.#ply = ply;
    this.#turn = turn;
    this.element.disabled = turn <= 0;
  }

  // The visitor keeps the seat they had; who had none, or several, has the one to move.
  async #begin() {
    const { id, game, options, you, seats } = this.info;
    /** @param {Api.SeatInfo} seat @returns {Api.SeatSetup} */
    const taken = ({ number, level }) =>
      number === mine ? { kind: "here" } : { kind: "bot", bot: level ? String(level) : LEVEL };
    const mine = you.length === 1 ? you[0] : this.#turn;
    this.element.disabled = true;
    try {
      const made = await post("/api/games", {
        game,
        options,
        seats: seats.map(taken),
        start: { game: id, ply: this.#ply },
      });
      await go(`/game/${made.id}`);
    } catch (problem) {
      toast(problem.message);
      this.element.disabled = false;
    }
  }
}
