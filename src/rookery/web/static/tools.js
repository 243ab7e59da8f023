// The buttons beside a board: tools such as undo and hint, and a button for each action that has no place on the board.

import { h } from "./dom.js";
import { capitalize } from "./listing.js";
import { renderIfChanged } from "./panels.js";
import { icon } from "./settings.js";

const ICONS = {
  undo: "M7 4 3 8l4 4M3 8h8a5 5 0 0 1 0 10H8",
  redo: "M13 4l4 4-4 4M17 8H9a5 5 0 0 0 0 10h3",
  hint: "M7.5 14.5h5M8.5 17.5h3M7 12.5a5 5 0 1 1 6 0c-.5.4-.5 1-.5 2h-5c0-1 0-1.600-.5-2Z",
  evaluate: "M4 17V9M10 17V3M16 17v-6",
  odds: "M5 15 15 5M6 8.500a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM14 15.500a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z",
  restart: "M4 10a6 6 0 1 1 2 4.500M4 17v-4h4",
  resign: "M5 18V3M5 4h10l-2.500 3.500L15 11H5",
};
const LABELS = {
  undo: "Undo",
  redo: "Redo",
  hint: "Hint",
  evaluate: "Evaluate",
  odds: "Odds",
  restart: "Restart",
  resign: "Resign",
};
const TOGGLES = new Set(["evaluate", "odds"]);

export class Tools {
  #actions = new Map();

  // `handlers` has a function for each tool; `onAction` is called with the action of a button.
  constructor(handlers, onAction) {
    this.onAction = onAction;
    this.buttons = Object.fromEntries(
      Object.entries(handlers).map(([name, onclick]) => [
        name,
        h(
          "button.tool",
          { type: "button", "data-tool": name, "aria-pressed": TOGGLES.has(name) ? "false" : null, onclick },
          icon(ICONS[name]),
          h("span", {}, LABELS[name]),
        ),
      ]),
    );
    this.element = h("div.tools", { role: "group", "aria-label": "Actions" }, Object.values(this.buttons));
    this.acts = h("div.acts.row");
  }

  /**
   * @param {string} name
   * @param {boolean} on
   */
  press(name, on) {
    this.buttons[name].setAttribute("aria-pressed", String(on));
  }

  /**
   * @param {string} name
   * @param {boolean} on
   */
  busy(name, on) {
    this.buttons[name].classList.toggle("busy", on);
  }

  /**
   * Mark the button of a role as the hint.
   * @param {string} role
   */
  hint(role) {
    this.#actions.get(role)?.classList.add("hinted");
  }

  /**
   * @param {{
   *   info: Api.GameInfo,
   *   scene: Api.Scene,
   *   over: boolean,
   *   mine: boolean,
   *   canAct: boolean,
   *   redoable: number,
   * }} position
   */
  update({ info, scene, over, mine, canAct, redoable }) {
    const { may } = info;
    const { undo, redo, hint, evaluate, odds, restart, resign } = this.buttons;
    undo.disabled = !may.undo;
    redo.disabled = !may.redo || !redoable;
    hint.disabled = !may.hint || !mine || over;
    evaluate.disabled = !may.hint || over || scene.turn <= 0;
    const bare = !info.you.length || info.status === "waiting";
    const strict = info.kind === "daily";
    undo.hidden = bare || ((over || strict) && !may.undo);
    redo.hidden = bare || !info.local || ((over || strict) && redo.disabled);
    for (const button of [hint, evaluate]) button.hidden = bare || over || (!may.hint && (strict || !info.local));
    odds.hidden = info.odds !== "ask" || over;
    restart.hidden = !may.restart || over;
    resign.hidden = !may.resign || over;
    this.element.hidden = Object.values(this.buttons).every(button => button.hidden);
    this.#updateActions(info, scene, over, canAct);
  }

  /**
   * @param {Api.GameInfo} info
   * @param {Api.Scene} scene
   * @param {boolean} over
   */
  #updateActions(info, scene, over, canAct) {
    const free = over ? [] : scene.choices.filter(choice => !choice.at.length && choice.role !== "slide");
    for (const choice of free) {
      if (this.#actions.has(choice.role)) continue;
      const button = h("button.button.act", {
        type: "button",
        "data-role": choice.role,
        onclick: () => this.onAction(button.dataset.action),
      });
      this.#actions.set(choice.role, button);
      this.acts.append(button);
    }
    for (const [role, button] of this.#actions) {
      const choice = free.find(each => each.role === role);
      button.disabled = !choice || !canAct;
      button.hidden = over || !info.you.length;
      button.classList.remove("hinted");
      if (!choice) continue;
      button.dataset.action = choice.action;
      button.classList.toggle("quiet", choice.role === "pass" && scene.choices.length > 1);
      renderIfChanged(button, [choice.label, choice.key], () => [
        capitalize(choice.label),
        choice.key ? h("kbd", {}, choice.key.toUpperCase()) : null,
      ]);
    }
    this.acts.hidden = ![...this.#actions.values()].some(button => !button.hidden);
  }
}
