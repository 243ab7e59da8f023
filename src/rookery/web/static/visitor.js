// What a visitor can do on the page of a game, by buttons and by keys.

import { post } from "./api.js";
import { go } from "./app.js";
import { toast } from "./dom.js";
import { pressing, showKeys, typing } from "./keys.js";
import { capitalize } from "./listing.js";
import { sound } from "./settings.js";
import { ConnectionLost } from "./socket.js";
import { hasSides } from "./turning.js";

/** @typedef {{text: string, label: string, then: () => void}} Question */

export class Visitor {
  /** @type {Question | null} */
  question = null;
  evaluating = false;
  odds = false;

  /**
   * `page` is the page of the game, with its state, view and socket.
   * @param {any} page
   */
  constructor(page) {
    this.page = page;
  }

  get #game() {
    return this.page.game;
  }

  get #view() {
    return this.page.view;
  }

  // -- Requests -------------------------------------------------------------------------------------------------------

  /** @param {string} action */
  async play(action) {
    const choice = this.#game.scene.choices.find(each => each.action === action);
    if (this.#worthAsking(choice)) {
      const what = capitalize(choice.label);
      this.#confirm(`${what}? There is still something else you can do.`, what, () => this.#send(action));
    } else await this.#send(action);
  }

  /**
   * The first pass of a visitor who could do something else may be a slip.
   * @param {Api.Choice | undefined} choice
   */
  #worthAsking(choice) {
    const { scene, plies, info } = this.#game;
    if (choice?.role !== "pass" || scene.choices.length < 2) return false;
    return !plies.some(([name, by]) => name === choice.action && info.you.includes(by));
  }

  async #send(action) {
    const request = this.#game.play(action);
    if (!request) return;
    try {
      const { ply } = await this.page.socket.ask(request);
      if (this.#game.acknowledged(request, ply)) this.playNext();
    } catch (problem) {
      if (problem instanceof ConnectionLost) this.#game.lost();
      else {
        this.#game.refused();
        this.#refuse(problem);
      }
    }
  }

  // Plays the next action that waits.
  playNext() {
    const action = this.#game.nextAction(this.page.socket.live);
    if (action !== null) this.play(action);
  }

  /** @param {string} action */
  playIfMine(action) {
    if (this.#game.mine) this.play(action);
  }

  /** @param {Error} problem */
  #refuse(problem) {
    sound("refused");
    this.#view.board.say(problem.message);
  }

  /** @param {Api.ClientMessage} message */
  async ask(message) {
    try {
      const answer = await this.page.socket.ask(message);
      if (answer.is === "moved") go(`/game/${answer.id}`);
      return answer;
    } catch (problem) {
      if (!(problem instanceof ConnectionLost)) toast(problem.message);
      return null;
    }
  }

  /** @param {[number, number][]} at */
  async askWhy(at) {
    try {
      await this.page.socket.ask({ do: "why", at });
    } catch (problem) {
      if (!(problem instanceof ConnectionLost)) this.#refuse(problem);
    }
  }

  undo() {
    if (this.#game.info.may.undo) this.ask({ do: "undo" });
  }

  redo() {
    if (this.#game.info.may.redo) this.ask({ do: "redo" });
  }

  async hint() {
    const game = this.#game;
    if (!game.info?.may.hint || game.over || game.looking !== null) return;
    if (game.pausing) this.dismissPause(); // it would cover the hint
    const { board, notes, tools } = this.#view;
    tools.busy("hint", true);
    const found = await this.#analysis(problem => toast(problem.message));
    tools.busy("hint", false);
    if (!found || game.over || found.ply !== game.ply || !found.line.length) return;
    const [best] = found.line;
    const choice = game.scene.choices.find(each => each.action === best);
    board.hint(best);
    tools.hint(choice?.role);
    notes.say(`Hint: ${found.phrases[0]}.`, { untilMove: true });
  }

  /**
   * The best bot's view of the position; null if there is none. Reasons are only told if they are about this position.
   * @param {(problem: Error) => void} explain
   */
  async #analysis(explain) {
    const game = this.#game;
    const { ply } = game;
    try {
      return await this.page.socket.ask({ do: "analyse" });
    } catch (problem) {
      if (!(problem instanceof ConnectionLost) && !game.over && game.ply === ply) explain(problem);
      return null;
    }
  }

  /** @param {boolean} on */
  evaluate(on) {
    this.evaluating = on;
    this.#view.tools.press("evaluate", on);
    if (on) this.analyse();
    else this.#view.evaluation.hide();
  }

  async analyse() {
    const game = this.#game;
    const { turn } = game.scene;
    if (game.over || turn < 0 || (turn > 0 && !game.info.may.hint)) {
      this.evaluate(false);
      return;
    }
    const { evaluation } = this.#view;
    evaluation.wait();
    if (turn === 0) return; // once chance has decided, the position is another
    const found = await this.#analysis(problem => evaluation.explain(problem.message));
    if (found && this.evaluating && found.ply === game.ply) evaluation.show(found, game.scene);
  }

  // The evaluation is of the newest position.
  #markEvaluation() {
    this.#view.evaluation.setPast(this.#game.looking !== null);
  }

  /**
   * Shows an action of the analysis on the board.
   * @param {string} action
   */
  pointOut(action) {
    if (this.#game.looking === null) this.#view.board.hint(action);
  }

  /** @param {boolean} on */
  showOdds(on) {
    this.odds = on;
    this.#view.tools.press("odds", on);
    this.ask({ do: "odds", on });
  }

  /** @param {string} token */
  async join(token) {
    try {
      await this.page.joined(await post(`/api/games/${this.page.id}/join`, { token }));
    } catch (problem) {
      toast(problem.message);
    }
  }

  // Turns the board around, if it has sides.
  flip() {
    if (!hasSides(this.#game.scene)) return;
    this.#view.flip(this.#game);
    const { row_names } = this.#game.scene;
    this.#view.board.announce(`Row ${this.#view.board.turned ? row_names[0] : row_names.at(-1)} is at the bottom.`);
  }

  // -- Requests that are worth a question -----------------------------------------------------------------------------

  restart() {
    const { info, plies } = this.#game;
    if (!info.may.restart) return;
    if (!plies.some(([, by]) => by > 0) || info.status === "over") this.ask({ do: "restart" });
    else this.#confirm("Start over? This game is kept.", "Start over", () => this.ask({ do: "restart" }));
  }

  resign() {
    this.#confirm("Resign this game?", "Resign", () => this.ask({ do: "resign" }));
  }

  playAgain() {
    const { may, status, game } = this.#game.info;
    if (may.rematch) this.ask({ do: "rematch" });
    else if (may.restart) this.restart();
    else if (status === "over") go(`/play/${game}`);
    else this.#confirm("Leave this game and start another?", "Start another", () => go(`/play/${game}`));
  }

  /**
   * @param {string} text
   * @param {string} label
   * @param {() => void} then
   */
  #confirm(text, label, then) {
    this.question = { text, label, then };
    this.page.draw();
    this.#view.notices.focusQuestion();
  }

  dropQuestion() {
    this.question = null;
    this.page.draw();
  }

  // -- Earlier positions, and pauses ----------------------------------------------------------------------------------

  /** @param {number} ply */
  async look(ply) {
    const game = this.#game;
    if (ply >= game.ply) {
      this.backToNow();
      return;
    }
    const before = game.looking;
    game.looking = ply;
    const found = await this.ask({ do: "look", ply });
    if (game.looking !== ply) return;
    if (!found) {
      game.looking = before;
      return;
    }
    this.#view.moves.mark(ply);
    this.#view.board.show(found.scene, { mine: false });
    this.#markEvaluation();
    this.page.draw();
  }

  backToNow() {
    const game = this.#game;
    if (game.looking === null) return;
    game.looking = null;
    this.#view.moves.mark(null);
    this.#view.board.show(game.scene, { mine: game.canAct });
    this.#markEvaluation();
    this.page.draw();
  }

  dismissPause() {
    this.#game.dismissPause();
    this.page.draw();
  }

  // -- Keys -----------------------------------------------------------------------------------------------------------

  /**
   * Runs before other handlers of a key or touch: shows the newest scene, and Enter dismisses a pause.
   * @param {any} event
   */
  beforeInput(event) {
    this.page.flush();
    if (event.key !== "Enter" || !this.#game.pausing || typing(event) || this.#pressesElsewhere(event)) return;
    event.preventDefault();
    this.dismissPause();
  }

  /**
   * Whether a key activates a button or link that is not on the board.
   * @param {any} event
   */
  #pressesElsewhere(event) {
    return pressing(event) && !this.#view.board.svg.contains(event.target);
  }

  /** @param {any} event */
  key(event) {
    const { info, scene, looking } = this.#game;
    const { board, moves } = this.#view;
    if (event.defaultPrevented || typing(event) || !scene || document.querySelector("dialog[open]")) return;
    if (this.#pressesElsewhere(event)) return;
    if (board.key(event)) {
      event.preventDefault();
      return;
    }
    if ((event.ctrlKey || event.metaKey) && !event.altKey && info) this.#keyWithControl(event);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key.startsWith("Arrow") && board.arrows && info?.status === "playing") event.preventDefault();
    const act = {
      u: () => this.undo(),
      y: () => this.redo(),
      h: () => this.hint(),
      e: () => info.may.hint && this.evaluate(!this.evaluating),
      o: () => info.odds === "ask" && this.showOdds(!this.odds),
      f: () => this.flip(),
      n: () => this.playAgain(),
      i: () => this.rules(),
      "?": () => this.keys(),
      ",": () => this.look(moves.beside(looking, -1)),
      ".": () => looking !== null && this.look(moves.beside(looking, 1)),
      Escape: () => this.#escape(),
    }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act || !info) return;
    event.preventDefault();
    act();
  }

  /**
   * Undo and redo by the keys that other programs have for them.
   * @param {KeyboardEvent} event
   */
  #keyWithControl(event) {
    const name = `${event.shiftKey ? "shift " : ""}${event.key.toLowerCase()}`;
    const act = { z: () => this.undo(), "shift z": () => this.redo(), y: () => this.redo() }[name];
    if (!act) return;
    event.preventDefault();
    act();
  }

  #escape() {
    if (this.question) this.dropQuestion();
    else if (this.#view.ending.close()) return;
    else if (this.#game.looking !== null) this.backToNow();
    else this.dismissPause();
  }

  // Shows the rules. They are fetched when they are asked for.
  async rules() {
    const { info } = this.#game;
    if (!info) return;
    const { showRules } = await import("./rulesheet.js");
    showRules(info);
  }

  keys() {
    const odds = this.#game.info.odds === "ask" ? [["O", "show the odds"]] : [];
    const flip = hasSides(this.#game.scene) ? [["F", "flip the board"]] : [];
    const page = [
      ["U", "undo, as Ctrl+Z does"],
      ["Y", "redo, as Ctrl+Y does"],
      ["H", "hint"],
      ["E", "evaluate"],
      ...odds,
      ...flip,
      [",", "previous move"],
      [".", "next move"],
      ["N", "play again"],
      ["I", "rules"],
      ["?", "show keys"],
    ];
    showKeys(this.#game.scene, this.#view.board, page, this.#view.board.words);
  }
}
