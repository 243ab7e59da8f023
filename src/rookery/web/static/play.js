// The page of a game in progress. The server has the rules; this page shows its scenes and sends the visitor's actions.
// game.js holds what is known, gameview.js draws it, visitor.js has what the visitor can do.

import { catalogue, get } from "./api.js";
import { go } from "./app.js";
import { setTitle, toast } from "./dom.js";
import { GameState } from "./game.js";
import { GameView } from "./gameview.js";
import { Pacing } from "./pacing.js";
import { motionAllowed, sound } from "./settings.js";
import { Socket } from "./socket.js";
import { Visitor } from "./visitor.js";

/**
 * @param {HTMLElement} root
 * @param {{id: string}} params
 * @param {{signal: AbortSignal}} page
 */
export async function show(root, { id }, { signal }) {
  const page = new GamePage(root, id, signal);
  await page.opened;
}

class GamePage {
  game = new GameState();
  #timer = 0;
  #pacing = new Pacing();
  /** @type {string | null} */
  #best = null;
  /** @type {string[]} */
  #levels = [];

  /**
   * @param {HTMLElement} root
   * @param {string} id
   * @param {AbortSignal} signal
   */
  constructor(root, id, signal) {
    this.id = id;
    this.signal = signal;
    /** @type {Promise<void>} */
    this.opened = new Promise((resolve, reject) => {
      this.resolveOpened = resolve;
      this.rejectOpened = reject;
    });
    this.visitor = new Visitor(this);
    this.view = new GameView(root, id, this.visitor, signal);
    this.socket = new Socket(`/ws/games/${id}`, {
      onMessage: message => this.#onMessage(message),
      onState: (state, code) => this.#connection(state, code),
      signal,
    });
    document.addEventListener("keydown", event => this.visitor.key(event), { signal });
    for (const kind of ["keydown", "pointerdown"])
      document.addEventListener(kind, event => this.visitor.beforeInput(event), { signal, capture: true });
    const ticking = setInterval(() => this.view.seats.tick(), 100);
    signal.addEventListener("abort", () => {
      clearInterval(ticking);
      clearTimeout(this.#timer);
      this.view.destroy();
      this.resolveOpened();
    });
  }

  draw() {
    if (!this.game.info || !this.game.scene) return;
    const { question } = this.visitor;
    this.view.draw(this.game, { question, levels: this.#levels, best: this.#best });
  }

  /**
   * @param {"open" | "lost" | "gone"} state
   * @param {number} code
   */
  #connection(state, code) {
    const begun = this.game.scene !== null;
    this.view.showConnection(state === "lost", begun);
    if (state !== "gone") return;
    const problem = new Error(
      code === 4404
        ? "There is no game at this address. It may have been deleted, or the link is incomplete."
        : "The server refused the connection.",
    );
    if (begun) toast(problem.message);
    this.rejectOpened(problem);
  }

  /** @param {any} message */
  #onMessage(message) {
    if (message.is === "game") this.#updateInfo(message);
    else if (message.is === "scene") this.#receive(message);
    else if (message.is === "moved") go(`/game/${message.id}`);
  }

  /**
   * The visitor has joined the game: the connection is made again, so that the server knows.
   * @param {Api.GameInfo} info
   */
  joined(info) {
    history.replaceState(null, "", location.pathname);
    this.#updateInfo(info);
    this.socket.reopen();
  }

  /** @param {any} message */
  #updateInfo(message) {
    if (!this.game.info) this.#begin(message);
    const { ended, declined } = this.game.updateInfo(message);
    if (declined) toast("Your undo request was declined.");
    setTitle(this.game.info.title);
    if (ended) {
      sound("end");
      this.visitor.question = null;
      this.visitor.evaluate(false);
    }
    this.draw();
  }

  /** @param {Api.GameUpdate} info */
  #begin({ game: name, seats }) {
    document.body.dataset.game = name;
    if (seats.length === 1 && seats[0].yours) this.#fetchBest();
    catalogue().then(
      ({ games, words }) => {
        this.#levels = games.find(each => each.name === name)?.level_labels ?? [];
        this.view.board.words = words;
        this.draw();
      },
      () => {}, // levels go by their numbers then, roles by their names
    );
  }

  // Fetches the visitor's best result in games like this one, which is alone.
  async #fetchBest() {
    try {
      this.#best = (await get(`/api/games/${this.id}/best`, this.signal)).text;
      this.draw();
    } catch {
      // Without it no figure is shown.
    }
  }

  /**
   * Scenes are shown one after the other, but the visitor's own action at once; a touch or a key ends the wait.
   * @param {any} message
   */
  #receive(message) {
    this.game.receive(message);
    const { ahead, info } = this.game;
    const wait = this.#pacing.wait(performance.now(), message.plies, info?.seats ?? [], ahead);
    if (wait <= 0 || document.hidden || this.game.eager) this.flush();
    else {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.flush(), wait);
    }
  }

  // Shows all scenes that wait.
  flush() {
    clearTimeout(this.#timer);
    const waiting = this.game.takeWaiting();
    for (const message of waiting) this.#apply(message, message === waiting.at(-1));
  }

  /** @param {any} message */
  #apply(message, last) {
    const { game, view, visitor } = this;
    const { from, clock, plies } = message;
    const { moved, forward } = game.apply(message);
    if (moved) visitor.question = null;
    if (forward) sound(game.scene.walls.some(wall => wall.last) ? "wall" : "step");
    view.showPosition(game, { from, clock, animate: forward && last });
    if (forward) this.#pacing.shown(performance.now(), plies, game.info?.you ?? [], motionAllowed());
    if (forward && last) view.celebrate(game);
    if (forward) view.board.announce(game.saidSince(from));
    if (last) this.draw();
    if (visitor.evaluating && moved) visitor.analyse();
    this.resolveOpened();
    visitor.playNext();
  }
}
