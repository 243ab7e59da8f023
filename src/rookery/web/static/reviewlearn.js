// Learning from one's mistakes: the position before each, to find a better move, played on the board or by a button.

import { get } from "./api.js";
import { h } from "./dom.js";
import { capitalize } from "./listing.js";

/**
 * @typedef {{
 *   ply: number, number: number, name: string, decision: import("./reviewed.js").Reviewed,
 * }} Mistake `ply` is how many plies were played before it, `number` the step it is
 */

export class Lesson {
  /** @type {Mistake[]} */
  #mistakes = [];
  #place = 0;
  #solved = 0;
  #whose = "your";
  /** @type {Api.Scene | null} */
  #scene = null;
  #done = false;
  #words = h("p.mistakes-words", { role: "status" });
  #task = h("p.mistakes-task");
  #choices = h("div.row");
  #ways = h("div.row");
  element = h("section.card.mistakes", { "aria-labelledby": "mistakes-title", hidden: true });

  /**
   * `show` shows a scene on the board, in which the visitor can play or not; `outline` a choice; `leave` ends the lesson.
   * @param {string} id
   * @param {{
   *   show: (scene: Api.Scene, mine: boolean) => void, outline: (choice: Api.Choice) => void, leave: () => void,
   * }} page
   * @param {AbortSignal} signal
   */
  constructor(id, page, signal) {
    this.id = id;
    this.page = page;
    this.signal = signal;
    this.element.append(
      h("h2", { id: "mistakes-title", tabindex: "-1" }, "Learn from your mistakes"),
      this.#task,
      this.#words,
      this.#choices,
      this.#ways,
    );
  }

  get open() {
    return !this.element.hidden;
  }

  /**
   * @param {Mistake[]} mistakes
   * @param {string} whose
   */
  async begin(mistakes, whose) {
    this.#whose = whose;
    this.element.firstElementChild.textContent = `Learn from ${whose} mistakes`;
    this.#mistakes = mistakes;
    this.#solved = 0;
    this.element.hidden = false;
    await this.#ask(0);
    /** @type {HTMLElement} */ (this.element.firstElementChild).focus({ preventScroll: true });
    this.element.scrollIntoView({ block: "nearest" });
  }

  end() {
    this.element.hidden = true;
    this.#scene = null;
  }

  /** @param {number} place */
  async #ask(place) {
    this.#place = place;
    this.#done = false;
    const mistake = this.#mistakes[place];
    const { number, name, decision } = mistake;
    this.#task.replaceChildren(
      h("span.muted", {}, `${place + 1} of ${this.#mistakes.length} · `),
      `Move ${number}: “${name}” was a ${decision.grade.word.toLowerCase()}. Find a better move.`,
    );
    this.#say("", "");
    this.#choices.replaceChildren();
    this.#offer([["Show the answer", () => this.#tell()]]);
    /** @type {`/api/games/${string}/position?${string}`} */
    const path = `/api/games/${this.id}/position?ply=${mistake.ply}`;
    try {
      const { scene } = await get(path, this.signal);
      if (!this.open || this.#mistakes[this.#place] !== mistake) return;
      this.#scene = scene;
      this.page.show(scene, true);
      const free = scene.choices.filter(choice => !choice.at.length);
      this.#choices.replaceChildren(
        ...free.map(({ action, label }) =>
          h("button.button", { type: "button", onclick: () => this.play(action) }, capitalize(label)),
        ),
      );
    } catch (problem) {
      if (!this.signal.aborted) this.#say("", problem.message);
    }
  }

  /**
   * The visitor tries a move.
   * @param {string} action
   */
  play(action) {
    if (!this.#scene || this.#done) return;
    const { decision } = this.#mistakes[this.#place];
    const tried = this.#scene.choices.find(each => each.action === action)?.label ?? action;
    const place = decision.accepted.findIndex(([name]) => name === action);
    if (place >= 0) {
      this.#solved += 1;
      const also = place ? ` The best is “${decision.phrases[0]}”.` : "";
      this.#finish(action, "right", `✓ Right! ${place ? "" : decision.why}${also}`);
    } else if (action === decision.name) {
      this.#retry(`✗ Not yet: “${tried}” is what was played. Try another move.`);
    } else {
      this.#retry(`✗ Not yet: “${tried}” is not among the best. Try another move.`);
    }
  }

  /** @param {string} words */
  #retry(words) {
    this.#say("wrong", words);
    this.page.show(this.#scene, true);
  }

  #tell() {
    const { decision } = this.#mistakes[this.#place];
    this.#finish(decision.best, "", `The best move is “${decision.phrases[0]}”. ${decision.why}`);
  }

  /**
   * @param {string} action
   * @param {string} kind
   * @param {string} words
   */
  #finish(action, kind, words) {
    this.#done = true;
    this.#say(kind, words);
    this.#choices.replaceChildren();
    if (this.#scene) {
      const choice = this.#scene.choices.find(each => each.action === action);
      this.page.show({ ...this.#scene, choices: [] }, false);
      if (choice) this.page.outline(choice);
    }
    const next = this.#place + 1;
    if (next < this.#mistakes.length) this.#offer([["Next mistake", () => this.#ask(next)]]);
    else {
      this.#words.append(h("span.muted", {}, ` That was the last one: you solved ${this.#solved} of ${next}.`));
      this.#offer([["Start over", () => this.begin(this.#mistakes, this.#whose)]]);
    }
  }

  /**
   * @param {string} kind
   * @param {string} words
   */
  #say(kind, words) {
    this.#words.className = `mistakes-words ${kind}`.trim();
    this.#words.textContent = words;
  }

  /** @param {[string, () => void][]} ways */
  #offer(ways) {
    const focused = this.#ways.contains(document.activeElement);
    this.#ways.replaceChildren(
      ...[...ways, /** @type {[string, () => void]} */ (["Back to the review", () => this.page.leave()])].map(
        ([words, act], index) => h(`button.button${index ? "" : ".primary"}`, { type: "button", onclick: act }, words),
      ),
    );
    if (focused) /** @type {HTMLElement} */ (this.#ways.firstElementChild).focus();
  }
}
