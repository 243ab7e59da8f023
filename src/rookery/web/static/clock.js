// The clock of a game that is being set up.

import { h } from "./dom.js";

export const CLOCKS = { none: null, "1+0": [1, 0], "3+2": [3, 2], "5+3": [5, 3], "10+5": [10, 5], own: null };

export function clockOf({ clock, minutes, increment }) {
  if (clock === "none") return null;
  if (clock === "own") return { minutes, increment };
  const [each, more] = CLOCKS[clock];
  return { minutes: each, increment: more };
}

/** @param {import("./choice.js").SetupChoice} choice */
export function clockPart(choice) {
  const own = h(
    "div.row.clock-own",
    { hidden: choice.clock !== "own" },
    small("clock-minutes", "Minutes each", choice.minutes, 1, 180, value => {
      choice.minutes = value;
    }),
    small("clock-increment", "Seconds per move", choice.increment, 0, 180, value => {
      choice.increment = value;
    }),
  );
  return h(
    "fieldset.seat-choice",
    {},
    h("legend", {}, "Clock"),
    h("p.help.muted", { id: "clock-hint" }, "Minutes per player, plus seconds per move."),
    h(
      "div.segmented.clock-times",
      {},
      Object.keys(CLOCKS).map(name =>
        h(
          "label",
          {},
          h("input", {
            type: "radio",
            name: "clock",
            value: name,
            id: `clock-${name}`,
            checked: choice.clock === name,
            "aria-describedby": "clock-hint",
            onchange: () => {
              choice.clock = name;
              own.hidden = name !== "own";
            },
          }),
          h("span", {}, name === "none" ? "None" : name === "own" ? "Custom" : name),
        ),
      ),
    ),
    own,
  );
}

/**
 * @param {string} id
 * @param {string} label
 * @param {number} value
 * @param {number} low
 * @param {number} high
 * @param {(value: number) => void} put
 */
function small(id, label, value, low, high, put) {
  return h(
    "div.field",
    {},
    h("label", { for: id }, label),
    h("input", {
      type: "number",
      id,
      value,
      min: low,
      max: high,
      inputmode: "numeric",
      onchange: ({ target }) => {
        const typed = Math.min(high, Math.max(low, Math.round(Number(target.value)) || low));
        target.value = typed;
        put(typed);
      },
    }),
  );
}
