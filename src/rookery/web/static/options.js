// The options of a game on the set-up page: a control for each, made from the game's JSON Schema.

import { h } from "./dom.js";
import { capitalize } from "./listing.js";

/**
 * @param {Api.GameKind} game
 * @param {import("./choice.js").SetupChoice} choice
 * @param {() => void} changed
 */
export function optionsPart(game, choice, changed) {
  const fields = h("div.option-fields");
  const reset = h(
    "button.button.quiet",
    {
      type: "button",
      onclick: () => {
        for (const [name, option] of Object.entries(game.options.properties))
          choice.options[name] = option.default ?? null;
        fill();
        changed();
      },
    },
    "Reset to defaults",
  );
  const fill = () =>
    fields.replaceChildren(
      ...Object.entries(game.options.properties).map(([name, option]) =>
        control(name, option, choice.options[name], value => {
          choice.options[name] = value;
          changed();
        }),
      ),
    );
  fill();
  return h(
    "section.options",
    { "aria-labelledby": "options-title" },
    h("div.section-head", {}, h("h2", { id: "options-title" }, "Options"), reset),
    fields,
  );
}

/**
 * @param {string} name
 * @param {Api.OptionSchema} option
 * @param {any} value
 * @param {(value: any) => void} put
 */
function control(name, option, value, put) {
  const kinds = [option.type].flat();
  if (kinds.includes("boolean")) return toggle(name, option.title, capitalize(option.description), value, put, name);
  if (option.enum) return choices(name, option, value, put);
  if (kinds.includes("integer") || kinds.includes("number")) return number(name, option, value, put, kinds);
  return (option.letters ? chips : text)(name, option, value ?? "", put);
}

/**
 * @param {string} name
 * @param {string} label
 * @param {string} help
 * @param {boolean} on
 * @param {(value: any) => void} put
 * @param {string | null} [option]
 */
export function toggle(name, label, help, on, put, option = null) {
  const id = `option-${name}`;
  return h(
    "div.toggle",
    { "data-option": option },
    h("input.flick", {
      type: "checkbox",
      role: "switch",
      id,
      checked: Boolean(on),
      "aria-describedby": `${id}-help`,
      onchange: ({ target }) => put(target.checked),
    }),
    h("div", {}, h("label", { for: id }, label), h("p.help.muted", { id: `${id}-help` }, help)),
  );
}

/**
 * @param {string} name
 * @param {Api.OptionSchema} option
 * @param {any} value
 * @param {(value: any) => void} put
 */
function choices(name, option, value, put) {
  const id = `option-${name}`;
  const meaning = chosen => capitalize(option.enumDescriptions?.[option.enum.indexOf(chosen)] ?? option.description);
  const help = h("p.help.muted", { id: `${id}-help`, "aria-live": "polite" }, meaning(value), ".");
  const choose = chosen => {
    help.textContent = `${meaning(chosen)}.`;
    put(chosen);
  };
  return h(
    "fieldset.option",
    { "data-option": name, "aria-describedby": `${id}-help` },
    h("legend", {}, option.title),
    h(
      "div.segmented",
      {},
      option.enum.map(each =>
        h(
          "label",
          {},
          h("input", {
            type: "radio",
            name: id,
            value: each,
            id: `${id}-${each}`,
            checked: value === each,
            onchange: () => choose(each),
          }),
          h("span", {}, each),
        ),
      ),
    ),
    help,
  );
}

/**
 * @param {string} name
 * @param {Api.OptionSchema} option
 * @param {any} value
 * @param {(value: any) => void} put
 * @param {string[]} kinds
 */
function number(name, option, value, put, kinds) {
  const id = `option-${name}`;
  const empty = kinds.includes("null");
  const integer = kinds.includes("integer");
  const step = integer ? 1 : 0.05;
  const most = option.usualMaximum ?? option.maximum; // a larger value may be typed; the server decides
  const input = h("input", {
    type: "number",
    id,
    value: value ?? "",
    min: option.minimum,
    max: most,
    step: integer ? 1 : "any",
    inputmode: integer ? "numeric" : "decimal",
    placeholder: empty ? "automatic" : option.default,
    "aria-describedby": `${id}-help`,
    oninput: () => put(input.value === "" ? null : Number(input.value)),
  });
  const turn = by => {
    const from =
      input.value === ""
        ? (option.default ?? option.minimum ?? 0) - (empty && option.default === null ? by : 0)
        : Number(input.value);
    const to = Math.min(most ?? Infinity, Math.max(option.minimum ?? -Infinity, Number((from + by).toFixed(9))));
    input.value = to;
    put(to);
  };
  // The buttons are for touch and mouse; the field itself takes the arrow keys.
  const button = (by, face) =>
    h(
      "button.stepper-button",
      { type: "button", tabindex: "-1", "aria-hidden": "true", onclick: () => turn(by) },
      face,
    );
  const range = most < 1000 ? ` (${option.minimum} to ${most})` : "";
  return h(
    "div.option",
    { "data-option": name },
    h("label", { for: id }, option.title),
    h("div.stepper", {}, button(-step, "−"), input, button(step, "+")),
    h("p.help.muted", { id: `${id}-help` }, capitalize(option.description), range, ".", empty && " Empty: automatic."),
  );
}

/**
 * @param {string} name
 * @param {Api.OptionSchema} option
 * @param {any} value
 * @param {(value: any) => void} put
 */
function chips(name, option, value, put) {
  const id = `option-${name}`;
  const chosen = new Set(value);
  return h(
    "fieldset.option",
    { "data-option": name, "aria-describedby": `${id}-help` },
    h("legend", {}, option.title),
    h(
      "div.segmented",
      {},
      Object.entries(option.letters).map(([letter, sign], index) =>
        h(
          "label",
          {},
          h("input", {
            type: "checkbox",
            id: `${id}-${index}`,
            checked: chosen.has(letter),
            onchange: ({ target }) => {
              if (target.checked) chosen.add(letter);
              else if (chosen.size > 1) chosen.delete(letter);
              else target.checked = true;
              put(
                Object.keys(option.letters)
                  .filter(each => chosen.has(each))
                  .join(""),
              );
            },
          }),
          h("span", {}, sign),
        ),
      ),
    ),
    h("p.help.muted", { id: `${id}-help` }, capitalize(option.description), "; at least one."),
  );
}

/**
 * @param {string} name
 * @param {Api.OptionSchema} option
 * @param {any} value
 * @param {(value: any) => void} put
 */
function text(name, option, value, put) {
  const id = `option-${name}`;
  return h(
    "div.option.field",
    { "data-option": name },
    h("label", { for: id }, option.title),
    h("input", {
      type: "text",
      id,
      value,
      pattern: option.pattern,
      autocomplete: "off",
      spellcheck: "false",
      "aria-describedby": `${id}-help`,
      oninput: ({ target }) => put(target.value),
    }),
    h("p.help.muted", { id: `${id}-help` }, capitalize(option.description), "."),
  );
}
