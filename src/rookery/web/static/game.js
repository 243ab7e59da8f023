// What is known of a game in progress: what the server said last, and which of the visitor's actions are on their way.
// It draws nothing and sends nothing.

import { applyChanges } from "./api.js";

const MAX_QUEUED = 3; // actions the visitor may be ahead of the server

/** @typedef {{do: "play", action: string, ply: number}} PlayRequest */

export class GameState {
  /** @type {Omit<Api.GameUpdate, "is"> | null} */
  info = null;
  /** @type {Api.Scene | null} */
  scene = null;
  ply = 0;
  /** @type {[string, number][]} */
  plies = [];
  /** @type {string[]} The plies in words. */
  phrases = [];
  mine = false;
  thinking = 0;
  preparing = false;
  redo = 0;
  /** @type {Api.Instruction | null} */
  guide = null;
  /** @type {number | null} The ply of the earlier position that is on show. */
  looking = null;
  /** @type {Api.Scene | null} The scene that the next message changes. */
  #newest = null;
  #newestPly = 0;
  /** @type {(Api.SceneUpdate & {scene: Api.Scene})[]} */
  #waiting = [];
  #eager = false;
  /** @type {PlayRequest | null} The request whose scene has not arrived. */
  #sent = null;
  /** @type {number | null} The ply of that scene, once the server has acknowledged the request. */
  #until = null;
  /** @type {string[]} */
  #queued = [];
  /** @type {PlayRequest | null} */
  #retry = null;
  #dismissedPly = -1;

  get over() {
    return this.info?.status === "over" || this.info?.status === "abandoned";
  }

  get canAct() {
    return this.mine && this.info?.status === "playing";
  }

  get pausing() {
    return (
      Boolean(this.scene?.pause) &&
      this.#dismissedPly !== this.ply &&
      this.info?.status === "playing" &&
      this.looking === null
    );
  }

  dismissPause() {
    this.#dismissedPly = this.ply;
  }

  // -- Messages from the server ---------------------------------------------------------------------------------------

  /**
   * Takes a message about the game; returns whether the game has just ended, and whether an undo was declined.
   * @param {Api.GameUpdate | (Api.GameInfo & {is?: undefined})} message
   */
  updateInfo({ is: _, ...info }) {
    const before = this.info;
    this.info = info;
    return {
      ended: before !== null && before.status !== "over" && info.status === "over",
      declined: undoDeclined(before, info),
    };
  }

  /**
   * Takes a message with a scene, which waits to be shown.
   * @param {Api.SceneUpdate} message
   */
  receive(message) {
    this.#newest = applyChanges(message.scene, this.#newest);
    this.#newestPly = message.ply;
    this.#waiting.push({ ...message, scene: this.#newest });
    if (this.#until !== null) this.#land();
  }

  // Whether the visitor has chosen moves beyond the one on its way.
  get ahead() {
    return this.#queued.length > 0;
  }

  // Whether the visitor waits for the outcome of an action: its scene is shown without delay.
  get eager() {
    return this.#eager;
  }

  // The messages that wait to be shown, oldest first.
  takeWaiting() {
    const waiting = this.#waiting;
    this.#waiting = [];
    if (waiting.length) this.#eager = false;
    return waiting;
  }

  /**
   * Makes a message the position on show; returns whether it is another position, and one that follows the last.
   * @param {Api.SceneUpdate & {scene: Api.Scene}} message
   */
  apply({ scene, ply, from, plies, phrases, mine, thinking, preparing, redo, guide }) {
    const before = this.scene ? this.ply : null;
    Object.assign(this, { scene, ply, mine, thinking, preparing, redo, guide });
    this.plies = [...this.plies.slice(0, from), ...plies];
    this.phrases = [...this.phrases.slice(0, from), ...phrases];
    return { moved: before !== ply, forward: before !== null && ply > before && from >= before };
  }

  /**
   * What players did since a ply, in words.
   * @param {number} from
   */
  saidSince(from) {
    const { players, message } = this.scene;
    const done = [];
    for (let index = from; index < this.plies.length; index += 1) {
      const [, by] = this.plies[index];
      if (by > 0) done.push(players.length ? `${players[by - 1]}: ${this.phrases[index]}` : this.phrases[index]);
    }
    return `${done.join(", ")}. ${message}`;
  }

  // -- Actions of the visitor -----------------------------------------------------------------------------------------

  /**
   * The request to send for an action; null if the action has to wait. One is on its way at a time, until its scene
   * arrives.
   * @param {string} action
   */
  play(action) {
    if (this.#sent) {
      if (this.#queued.length < MAX_QUEUED) this.#queued.push(action);
      return null;
    }
    this.#sent = { do: "play", action, ply: this.ply };
    this.#eager = true;
    return this.#sent;
  }

  /**
   * The server has saved the action of a request, as the ply before `ply`; returns whether the request was awaited.
   * @param {PlayRequest} request
   * @param {number} ply
   */
  acknowledged(request, ply) {
    if (this.#sent !== request) return false;
    if (this.#newestPly >= ply) this.#land();
    else this.#until = ply;
    return true;
  }

  // The server refused the action on its way; those that waited for it are dropped.
  refused() {
    this.#land();
    this.#queued = [];
  }

  // The connection was lost before the server acknowledged the action: it is sent again, if still possible.
  lost() {
    this.#retry = this.#sent;
    this.refused();
  }

  /**
   * The next action to play, after a scene or an acknowledgement; null if there is none.
   * @param {boolean} live whether there is a connection
   */
  nextAction(live) {
    if (this.#retry && live) {
      const { action, ply } = this.#retry;
      this.#retry = null;
      return ply === this.ply && this.mine ? action : null;
    }
    if (!this.#queued.length || this.#sent) return null;
    const action = this.#queued.shift();
    if (this.canAct && !this.pausing && this.scene.choices.some(choice => choice.action === action)) return action;
    this.#queued = [];
    return null;
  }

  #land() {
    this.#sent = null;
    this.#until = null;
  }
}

/**
 * Whether the visitor's undo request was declined: it is gone, and neither a move nor an undo ended it.
 * @param {Omit<Api.GameUpdate, "is"> | null} before
 * @param {Omit<Api.GameUpdate, "is">} now
 */
export function undoDeclined(before, now) {
  return (
    Boolean(before?.asked) &&
    before.you.includes(before.asked.by) &&
    !now.asked &&
    now.status === "playing" &&
    now.plies === before.plies &&
    now.takebacks === before.takebacks
  );
}
