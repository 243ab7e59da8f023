// The page of one puzzle: its position on a board to play on, and what the server says to a try.

import { catalogue, get, post } from "./api.js";
import { Board } from "./board.js";
import { h, setTitle } from "./dom.js";
import { pressing, showKeys, typing } from "./keys.js";
import { capitalize, rulesAddress } from "./listing.js";
import { Moves, renderIfChanged, token } from "./panels.js";
import { openNext } from "./puzzles.js";
import { motionAllowed, sound } from "./settings.js";
import { hasSides, isTurned, rememberFlipped, wasFlipped } from "./turning.js";

const PACE = 800; // milliseconds between the moves of a line

/** @typedef {"open" | "asking" | "wrong" | "done"} Stage */

/**
 * @param {HTMLElement} root
 * @param {{game: string, id: string}} params
 * @param {{signal: AbortSignal}} page
 */
export async function show(root, { game, id }, { signal }) {
  const [task, { games, words }] = await Promise.all([get(`/api/puzzles/${game}/${id}`, signal), catalogue()]);
  if (signal.aborted) return;
  const { title } = games.find(each => each.name === game);
  setTitle(`${task.title} · ${title}`);
  document.body.dataset.page = "puzzle";
  document.body.dataset.game = game;
  const page = new PuzzlePage(task, { title, words, signal });
  root.append(page.element);
  page.begin();
}

class PuzzlePage {
  /** @type {Stage} */
  #stage = "open";
  /** @type {Api.PuzzleVerdict | null} */
  #verdict = null;
  #timer = 0;

  /**
   * @param {Api.PuzzleTask} task
   * @param {{title: string, words: Record<string, string>, signal: AbortSignal}} beside
   */
  constructor(task, { title, words, signal }) {
    this.task = task;
    this.signal = signal;
    this.theme = new URLSearchParams(location.search).get("theme");
    this.board = new Board({
      onAction: action => this.#answer(action),
      onWhy: spots => this.#askWhy(spots),
    });
    this.board.words = words;
    this.moves = new Moves(ply => this.#look(ply));
    this.said = h("div.puzzle-said");
    this.actions = h("div.row.puzzle-actions");
    this.acts = h("div.acts.row");
    this.rating = h("span");
    this.element = h(
      "div.play",
      {},
      this.#head(title),
      h("div.stage", {}, this.board.element),
      h(
        "aside.side",
        { "aria-label": "The puzzle" },
        this.said,
        this.acts,
        this.actions,
        this.moves.element,
        this.#foot(title),
      ),
    );
    document.addEventListener("keydown", event => this.#key(event), { signal });
    signal.addEventListener("abort", () => {
      clearTimeout(this.#timer);
      this.board.destroy();
    });
  }

  begin() {
    const { scene, player, game } = this.task;
    this.board.turn(hasSides(scene) && isTurned(scene, [player]) !== wasFlipped(game));
    this.#open();
  }

  /** @param {string} title */
  #head(title) {
    const { task } = this;
    return h(
      "header.status",
      {},
      h("h1.game-title", {}, `${title} · ${task.title}`),
      h("div.standing", {}, h("p.whose.mine.puzzle-prompt", {}, token(task.player), h("span", {}, task.prompt))),
    );
  }

  /** @param {string} title */
  #foot(title) {
    const { task } = this;
    const button = (words, key, onclick) =>
      h("button.button.quiet", { type: "button", onclick }, words, h("kbd", {}, key));
    return [
      h("p.puzzle-figures.muted", {}, h("span", {}, `Puzzle’s rating ${task.rating}`), this.rating),
      h(
        "p.foot.muted",
        {},
        hasSides(task.scene) && button("Flip", "F", () => this.#flip()),
        h("a.button.quiet", { href: rulesAddress(task.game, task.options), target: "_blank" }, "Rules"),
        button("Keys", "?", () => this.#keys()),
        h("a.button.quiet", { href: `/puzzles/${task.game}`, "aria-label": `All puzzles of ${title}` }, "All"),
      ),
    ];
  }

  // -- Trying ---------------------------------------------------------------------------------------------------------

  /** @param {string} action */
  async #answer(action) {
    if (this.#stage !== "open") return;
    await this.#ask(() => post(`${this.#address}/answer`, { action }, this.signal));
  }

  #reveal() {
    if (this.#stage !== "asking") this.#ask(() => post(`${this.#address}/solution`, undefined, this.signal));
  }

  /** @param {[number, number][]} at */
  async #askWhy(at) {
    try {
      const { text } = await post(`${this.#address}/why`, { at }, this.signal);
      sound("refused");
      this.board.say(text);
    } catch (problem) {
      if (!this.signal.aborted) this.board.say(problem.message);
    }
  }

  get #address() {
    return /** @type {`/api/puzzles/${string}/${string}`} */ (`/api/puzzles/${this.task.game}/${this.task.id}`);
  }

  /**
   * Asks the server for a verdict, and shows it with its moves.
   * @param {() => Promise<Api.PuzzleVerdict>} request
   */
  async #ask(request) {
    const before = this.#stage;
    this.#stage = "asking";
    try {
      this.#verdict = await request();
    } catch (problem) {
      if (this.signal.aborted) return;
      this.#stage = before;
      sound("refused");
      this.board.say(problem.message);
      return;
    }
    if (this.signal.aborted) return;
    const { right, solution, steps, solved, revealed } = this.#verdict;
    Object.assign(this.task, { solved, revealed });
    const given = !right && solution === steps[0].action;
    this.#stage = right || given ? "done" : "wrong";
    sound(right ? "end" : given ? "step" : "refused");
    this.#draw();
    this.board.announce(this.#verdict.text);
    const first = this.actions.querySelector(".primary");
    first?.focus({ preventScroll: true });
    first?.scrollIntoView({ block: "nearest" });
    this.#play();
  }

  // The position to try in, for the first time or again.
  #open() {
    clearTimeout(this.#timer);
    const again = this.#stage === "wrong" || this.#stage === "done";
    this.#stage = "open";
    this.#verdict = null;
    this.board.show(this.task.scene, { mine: true });
    this.board.announce(this.task.prompt);
    this.#draw();
    if (again) this.board.stand(this.board.cursor);
  }

  // -- The moves of a verdict -----------------------------------------------------------------------------------------

  // Plays the moves one after the other, or shows the last position if nothing may move.
  #play() {
    const { steps } = this.#verdict;
    clearTimeout(this.#timer);
    if (!motionAllowed()) this.#showStep(steps.length);
    else this.#walk(1);
  }

  /** @param {number} count */
  #walk(count) {
    this.#showStep(count, true);
    if (count < this.#verdict.steps.length) this.#timer = setTimeout(() => this.#walk(count + 1), PACE);
  }

  /** @param {number} count */
  #look(count) {
    clearTimeout(this.#timer);
    this.#showStep(count);
  }

  /**
   * Shows the position after this many moves of the verdict.
   * @param {number} count
   */
  #showStep(count, animate = false) {
    this.board.show(this.#verdict.steps[count - 1]?.scene ?? this.task.scene, { mine: false, animate });
    this.moves.mark(count);
  }

  // -- Around the board -----------------------------------------------------------------------------------------------

  #draw() {
    const verdict = this.#verdict;
    const steps = verdict?.steps ?? [];
    renderIfChanged(this.said, verdict, () => verdict && verdictCard(verdict, this.#stage === "wrong"));
    this.moves.element.hidden = !verdict;
    this.moves.update(
      { plies: steps.map(({ action, player }) => [action, player]), phrases: steps.map(({ phrase }) => phrase) },
      0,
      this.task.scene.players,
    );
    this.rating.textContent = verdict ? `Your rating ${verdict.rating}` : this.#known();
    renderIfChanged(this.actions, this.#stage, () => this.#buttons());
    this.#drawActs();
  }

  // What is known about the visitor and this puzzle.
  #known() {
    if (this.task.solved) return "✓ Solved";
    return this.task.revealed ? "You have seen the solution" : "";
  }

  #buttons() {
    const button = (words, onclick, { primary = false, key = "" } = {}) =>
      h(
        `button.button${primary ? ".primary" : ""}`,
        { type: "button", onclick, "aria-keyshortcuts": key || null },
        words,
        key ? h("kbd", { "aria-hidden": "true" }, key) : null,
      );
    const next = () => this.#next();
    const again = primary => button("Try again", () => this.#open(), { primary, key: "T" });
    if (this.#stage === "done") return [button("Next puzzle", next, { primary: true, key: "N" }), again(false)];
    return [
      this.#stage === "wrong" && again(true),
      button("Show the solution", () => this.#reveal()),
      button("Another puzzle", next, { key: "N" }),
    ];
  }

  // Buttons for the actions that have no place on the board.
  #drawActs() {
    const free = this.task.scene.choices.filter(choice => !choice.at.length && choice.role !== "slide");
    this.acts.hidden = !free.length || this.#stage !== "open";
    renderIfChanged(this.acts, free, () =>
      free.map(({ action, label, key }) =>
        h(
          "button.button.act",
          { type: "button", onclick: () => this.#answer(action) },
          capitalize(label),
          key ? h("kbd", {}, key.toUpperCase()) : null,
        ),
      ),
    );
  }

  #next() {
    openNext(this.task.game, { theme: this.theme, after: this.task.id });
  }

  #flip() {
    const { scene, player, game } = this.task;
    if (!hasSides(scene)) return;
    this.board.turn(!this.board.turned);
    rememberFlipped(game, this.board.turned !== isTurned(scene, [player]));
  }

  // -- Keys -----------------------------------------------------------------------------------------------------------

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.defaultPrevented || typing(event) || document.querySelector("dialog[open]")) return;
    if (pressing(event) && !this.board.svg.contains(/** @type {Node} */ (event.target))) return;
    if (this.board.key(event)) {
      event.preventDefault();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = {
      n: () => this.#next(),
      t: () => this.#verdict && this.#open(),
      f: () => this.#flip(),
      "?": () => this.#keys(),
    }[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act();
  }

  #keys() {
    const flip = hasSides(this.task.scene) ? [["F", "flip the board"]] : [];
    const page = [["T", "try again"], ["N", "next puzzle"], ...flip, ["?", "show keys"]];
    showKeys(this.task.scene, this.board, page, this.board.words);
  }
}

/**
 * What the server says to a try, with a sign beside the colour.
 * @param {Api.PuzzleVerdict} verdict
 * @param {boolean} wrong
 */
function verdictCard({ right, text }, wrong) {
  const [kind, sign] = right ? ["right", "✓"] : wrong ? ["wrong", "✕"] : ["shown", "→"];
  return h(
    `p.card.puzzle-verdict.${kind}`,
    {},
    h("b.puzzle-sign", { "aria-hidden": "true" }, sign),
    h("span", {}, text),
  );
}
