// What a review says beside the board: how far it is, how each player played, and what it says of the move on show.

import { h } from "./dom.js";
import { counted } from "./listing.js";
import { renderIfChanged, token } from "./panels.js";

/**
 * A grade as a sign, with its word for those who do not see it.
 * @param {Api.ReviewGrade} grade
 */
export function gradeSign({ name, sign, word }, said = true) {
  const hidden = said ? h("span.visually-hidden", {}, word) : null;
  return h(`span.grade.${name}`, { title: word }, h("span", { "aria-hidden": "true" }, sign), hidden);
}

/** How far the review is; hidden when it is done. */
export class Progress {
  #bar = h("progress", { max: 1, value: 0, "aria-label": "Review" });
  #text = h("span.muted", {}, "Reviewing…");
  element = h("p.review-progress", {}, this.#bar, this.#text);

  /** @param {Api.ReviewInfo} info */
  show({ status, done, total }) {
    this.element.hidden = status === "done";
    this.#bar.max = Math.max(1, total);
    this.#bar.value = done;
    this.#text.textContent = `Reviewing… ${Math.floor((100 * done) / Math.max(1, total))}%`;
  }

  /**
   * The review is refused, or stopped by an error.
   * @param {string} why
   * @param {() => void} again
   */
  refuse(why, again) {
    const button = h("button.button", { type: "button", onclick: again }, "Try again");
    const refused = h("div.review-refused", { role: "alert" }, h("p", {}, why), button);
    this.element.replaceWith(refused);
    this.element = refused;
  }
}

/**
 * How each player played.
 * @param {HTMLElement} list
 * @param {Api.GameInfo} info
 * @param {Api.ReviewInfo} review
 */
export function fillSummary(list, info, { players, scale, grades }) {
  if (!scale) return;
  renderIfChanged(list, players, () =>
    info.seats.map((seat, index) => {
      const { accuracy, grades: counts, text } = players[index];
      return h(
        "li",
        {},
        info.seats.length > 1 && token(seat.number),
        h("span.replay-player", {}, seat.name),
        h("span.review-accuracy", {}, accuracy === null ? "–" : [h("b", {}, `${Math.round(accuracy)}%`), " accuracy"]),
        h(
          "ul.review-grades",
          { "aria-label": "Moves by grade" },
          grades.map(grade => h("li", {}, gradeSign(grade), h("span", {}, ` ${counts[grade.name]}`))),
        ),
        text && h("p.review-luck.muted", {}, text),
      );
    }),
  );
}

/**
 * What the review says of a move. `follow` shows the best line up to a move of it.
 * @param {HTMLElement} place
 * @param {import("./reviewed.js").ReviewedStep | null} step null if it is not reviewed yet
 * @param {{index: number, name: string, done: boolean, follow: (count: number) => void}} how
 */
export function fillDetail(place, step, { index, name, done, follow }) {
  const key = [step, index, done];
  renderIfChanged(place, key, () => {
    if (!step) return h("p.muted", {}, done ? "There is nothing to say about this position." : "Not reviewed yet.");
    const luck = step.luck?.text ? h("p.review-luck", {}, step.luck.text) : null;
    const { decision } = step;
    if (!decision) return luck ?? h("p.muted", {}, "Step through the moves to see what the review says of each.");
    return [...judgement(name, decision), luck, bestLine(decision, follow)];
  });
}

/**
 * @param {string} name
 * @param {import("./reviewed.js").Reviewed} decision
 */
function judgement(name, { grade, only, text, why }) {
  const words = grade ? grade.word : only ? "The only move" : "Not graded";
  return [
    h(
      "p.review-verdict",
      {},
      grade && gradeSign(grade, false),
      h("b", {}, words),
      h("span", {}, ` ${name}`),
      h("span.muted", {}, ` ${text}`),
    ),
    why && h("p.review-why", {}, why),
  ];
}

/**
 * @param {import("./reviewed.js").Reviewed} decision
 * @param {(count: number) => void} follow
 */
function bestLine({ phrases, only }, follow) {
  if (only || !phrases.length) return null;
  const chips = phrases.map((name, index) =>
    h(
      "button.chip",
      {
        type: "button",
        "aria-label": `Show ${counted(index + 1, "move")} of the best line: ${name}`,
        onclick: () => follow(index + 1),
      },
      name,
    ),
  );
  return h("div.review-best", {}, h("span.muted", {}, "Best line "), chips);
}
