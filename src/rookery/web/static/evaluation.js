// The panel with a bot's analysis of the position: what it is worth, the best line and the candidates.

import { h } from "./dom.js";
import { capitalize } from "./listing.js";

const LINE = 12; // moves of the best line that are shown

export class Evaluation {
  element = h("section.evaluation", { "aria-label": "Evaluation", hidden: true });
  #state = h("p.evaluation-state.muted", { role: "status" });
  #found = h("div.evaluation-found");
  #waiting = false;
  #past = false;

  constructor({ onHover, onPlay }) {
    this.onHover = onHover;
    this.onPlay = onPlay;
    this.element.append(this.#state, this.#found);
    for (const [kind, on] of [
      ["pointerover", true],
      ["focusin", true],
      ["pointerout", false],
      ["focusout", false],
    ]) {
      this.element.addEventListener(kind, event => {
        const action = event.target.closest("button")?.dataset.action;
        if (action) this.onHover(on ? action : null);
      });
    }
    this.element.addEventListener("click", event => {
      const action = event.target.closest("button")?.dataset.action;
      if (action) this.onPlay(action);
    });
  }

  // What is shown is of an earlier position until the next is shown.
  wait() {
    this.element.hidden = false;
    this.#waiting = true;
    this.#mark();
  }

  /**
   * Whether the board shows an earlier position than the evaluated one.
   * @param {boolean} past
   */
  setPast(past) {
    this.#past = past;
    this.#mark();
  }

  /**
   * Why there is no evaluation of the position.
   * @param {string} why
   */
  explain(why) {
    this.#found.replaceChildren();
    this.#waiting = false;
    this.#mark(why);
  }

  // A stale evaluation is greyed out, and its moves cannot be played.
  #mark(why = "") {
    const stale = this.#waiting || this.#past;
    this.element.toggleAttribute("data-stale", stale);
    this.#found.inert = stale;
    this.#state.textContent = this.#waiting ? "Analysing…" : this.#past ? "Of the newest position" : why;
  }

  /**
   * @param {Api.AnalysisReply} found
   * @param {Api.Scene} [scene]
   */
  show(found, scene) {
    this.element.hidden = false;
    this.#waiting = false;
    this.#mark();
    const many = scene.players.length > 1;
    const parts = [];
    if (scene.players.length === 2 && found.win !== null) parts.push(winBar(found, scene));
    const verdict = many ? `${scene.players[found.player - 1]}: ${found.verdict}` : capitalize(found.verdict);
    parts.push(h("p.verdict", { title: found.details }, h("b", {}, verdict)));
    const [best] = found.line;
    const rest = found.phrases.slice(1, LINE);
    if (found.line.length > LINE) rest.push("…");
    if (best)
      parts.push(
        h(
          "p.line",
          {},
          h("span.muted", {}, "Best "),
          choice(best, found.phrases[0]),
          rest.length ? h("span.then", {}, ` then ${rest.join(", ")}`) : null,
        ),
      );
    const others = found.candidates.filter(each => each.action !== best).slice(0, 4);
    if (others.length)
      parts.push(
        h(
          "p.line",
          {},
          h("span.muted", {}, "Or "),
          others.map(each => choice(each.action, each.phrase, each.text)),
        ),
      );
    if (found.facts.length)
      parts.push(
        h(
          "dl.facts",
          {},
          found.facts.map(([label, text]) => h("div", {}, h("dt", {}, label), h("dd", {}, text))),
        ),
      );
    if (found.remark) parts.push(h("p.muted", {}, found.remark));
    this.#found.replaceChildren(...parts);
  }

  hide() {
    this.element.hidden = true;
    this.#found.replaceChildren();
  }
}

/**
 * How likely each of two players is to win.
 * @param {Api.AnalysisReply} found
 * @param {Api.Scene} scene
 */
function winBar({ win, player }, { players }) {
  const first = player === 1 ? win : 1 - win;
  const percent = Math.round(100 * first);
  const label = `${players[0]} ${percent}%, ${players[1]} ${100 - percent}%`;
  const bar = h("div.eval-bar", { role: "img", "aria-label": label }, h("span"));
  bar.firstElementChild.style.width = `${(100 * first).toFixed(1)}%`;
  return bar;
}

/**
 * @param {string} action
 * @param {string} phrase
 * @param {string} [value]
 */
function choice(action, phrase, value) {
  return h(
    "button.chip",
    { type: "button", "data-action": action, title: "Hover to preview, click to play" },
    phrase,
    value === undefined ? null : h("small", {}, value),
  );
}
