// What pages that go through a game share: the controls, the list of moves, the figures beside the board, the keys.

import { h } from "./dom.js";
import { figures, token } from "./panels.js";
import { icon } from "./settings.js";

const ICONS = {
  first: "M5 4v12M15 4l-7 6 7 6z",
  before: "M13 4l-7 6 7 6z",
  play: "M6 3.5l10 6.5-10 6.5z",
  pause: "M6 4h2.5v12H6zM11.5 4H14v12h-2.5z",
  after: "M7 4l7 6-7 6z",
  last: "M15 4v12M5 4l7 6-7 6z",
};

/** @param {string} name */
export function solid(name) {
  const drawn = icon(ICONS[name]);
  drawn.classList.add("solid");
  return drawn;
}

/**
 * @param {string} name
 * @param {string} label
 * @param {() => void} act
 */
export function iconButton(name, label, act) {
  const attributes = { type: "button", "aria-label": label, title: label, onclick: act };
  return h("button.button.icon-only", attributes, solid(name));
}

/** The controls to go through a game: a scrubber, buttons, and the place in the game. */
export class StepControls {
  #at = 0;
  #place = h("span.replay-place.muted");

  /**
   * @param {import("./frames.js").Step[]} steps
   * @param {(step: number) => void} turnTo
   */
  constructor(steps, turnTo) {
    this.steps = steps;
    this.final = steps.length - 1;
    this.range = h("input.scrubber", {
      type: "range",
      min: 0,
      max: this.final,
      step: 1,
      value: 0,
      "aria-label": "Position in the game",
      oninput: () => turnTo(Number(this.range.value)),
    });
    this.first = iconButton("first", "First (Home)", () => turnTo(0));
    this.before = iconButton("before", "Back (←)", () => turnTo(this.#at - 1));
    this.after = iconButton("after", "Forward (→)", () => turnTo(this.#at + 1));
    this.last = iconButton("last", "Last (End)", () => turnTo(this.final));
  }

  /**
   * The buttons in a row; `play` is one more in the middle, `pace` stands after them.
   * @param {{play?: HTMLElement, pace?: HTMLElement}} [more]
   */
  row({ play, pace } = {}) {
    return h("div.replay-buttons", {}, this.first, this.before, play, this.after, this.last, pace, this.#place);
  }

  /**
   * Shows the place in the game.
   * @param {number} at
   */
  mark(at) {
    this.#at = at;
    this.range.value = at;
    this.range.setAttribute(
      "aria-valuetext",
      at ? `after move ${at} of ${this.final}, ${this.steps[at].name}` : "the start",
    );
    this.#place.textContent = `${at} / ${this.final}`;
    this.first.disabled = this.before.disabled = at === 0;
    this.after.disabled = this.last.disabled = at === this.final;
  }
}

/**
 * @param {import("./frames.js").Step} step
 * @param {number} index
 * @param {string} who the player, if there are several
 * @param {() => void} act
 */
export function moveItem({ name, by, chance }, index, who, act, sign = null) {
  const outcome = chance.length === 1 && index ? chance[0] : "";
  const label = index ? `Move ${index}${who ? ` by ${who}` : ""}: ${name} ${outcome}`.trim() : "The start";
  return h(
    "li",
    {},
    h(
      "button.replay-move",
      { type: "button", "aria-label": label, onclick: act },
      h("span.move-number", {}, index ? String(index) : ""),
      who && token(by),
      h("span.move-name", {}, index ? name : "Start"),
      outcome && h("span.move-outcome.muted", {}, outcome),
      sign,
    ),
  );
}

/**
 * Marks a move in the list and scrolls the list to it.
 * @param {HTMLElement} moves
 * @param {number} at
 */
export function markMove(moves, at) {
  moves.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const current = moves.children[at].firstElementChild;
  current.setAttribute("aria-current", "step");
  const { top, bottom } = current.getBoundingClientRect();
  const box = moves.getBoundingClientRect();
  if (top < box.top) moves.scrollTop -= box.top - top + 8;
  else if (bottom > box.bottom) moves.scrollTop += bottom - box.bottom + 8;
}

/**
 * The figures of the position: general ones in a list, those of a player beside the player.
 * @param {Api.Scene} scene
 * @param {HTMLElement} common
 * @param {HTMLElement[]} own
 */
export function fillFigures(scene, common, own) {
  const of = owner => scene.panels.filter(panel => panel.owner === owner);
  common.replaceChildren(...figures(of(0)));
  own.forEach((figure, index) => {
    figure.textContent = of(index + 1)
      .map(panel => `${panel.label} ${panel.value}`)
      .join(" · ");
  });
}

/**
 * Keys that work anywhere on the page but where they have another meaning. `before` is called before an arrow key's act.
 * @param {import("./board.js").Board} board
 * @param {Record<string, () => void>} acts
 * @param {{signal: AbortSignal, before?: () => void}} how
 */
export function listenToKeys(board, acts, { signal, before = () => {} }) {
  /** @param {KeyboardEvent} event */
  function pressed(event) {
    const { metaKey, ctrlKey, altKey } = event;
    if (event.defaultPrevented || metaKey || ctrlKey || altKey || document.querySelector("dialog[open]")) return;
    const target = event.target instanceof Element ? event.target : document.body;
    if (target.closest("select, textarea, input:not([type=range])")) return;
    if (event.key === " " && target.closest("button, a, summary")) return;
    const act = acts[event.key];
    // On the board the arrow keys move the cursor.
    if (!act || (event.key !== " " && board.element.contains(target))) return;
    event.preventDefault();
    if (event.key !== " ") before();
    act();
  }
  document.addEventListener("keydown", pressed, { signal });
}
