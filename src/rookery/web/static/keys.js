// Which key events belong to form fields, and the dialog that lists all keys.

import { h } from "./dom.js";

const NAMES = { up: "↑", right: "→", down: "↓", left: "←", space: "Space", enter: "Enter", escape: "Esc" };
const ALSO = { up: "W", right: "D", down: "S", left: "A" };

/**
 * Whether a key event belongs to a form field.
 * @param {KeyboardEvent} event
 */
export function typing(event) {
  const target = event.target;
  if (!(target instanceof Element)) return false;
  if (target.closest("dialog, select, textarea, [contenteditable]")) return true;
  const input = target.closest("input");
  if (!input) return false;
  return input.type === "checkbox" || input.type === "radio"
    ? event.key === " " || event.key.startsWith("Arrow")
    : true;
}

/**
 * Whether a key event activates the focused button or link.
 * @param {KeyboardEvent} event
 */
export function pressing(event) {
  return (
    (event.key === "Enter" || event.key === " ") &&
    event.target instanceof Element &&
    event.target.closest("a, button, summary, input")
  );
}

/**
 * The keys of a scene's choices, each once: [key, what it does].
 * @param {Api.Scene} scene
 * @param {Record<string, string>} words
 * @param {(choice: Api.Choice) => string} keyOf
 */
function sceneKeys(scene, words, keyOf) {
  const found = new Map();
  for (const choice of scene?.choices ?? []) {
    const key = keyOf(choice);
    if (key && !found.has(key))
      found.set(key, choice.at.length === 1 && choice.role !== "step" ? choice.role : choice.label);
    if (choice.here && !found.has(`${choice.here} here`))
      found.set(`${choice.here} here`, `${words[choice.role] ?? choice.role} at the cursor`);
  }
  return [...found];
}

/**
 * The dialog of all keys: of the scene as `board` shows it, of the cursor, of the page. `words` are what the roles of
 * choices are called.
 * @param {Api.Scene} scene
 * @param {import("./picture.js").Picture} board
 * @param {Record<string, string>} words
 */
export function showKeys(scene, board, pageKeys, words) {
  if (document.querySelector("dialog.keys")) return;
  const own = sceneKeys(scene, words, choice => board.keyOf(choice));
  const arrows = own.some(([key]) => key === "up" || key === "down" || key === "left" || key === "right");
  const groups = [
    ["In this position", own.map(([key, what]) => [keyCaps(key.replace(" here", "")), what])],
    [
      "Cursor",
      [
        [
          arrows ? [cap("Shift"), cap("↑ → ↓ ←")] : [cap("↑ → ↓ ←")],
          scene?.edges ? "move over cells and the edges between them" : "move over the board",
        ],
        [[cap("Enter")], "play at the cursor"],
        [[cap("Esc")], "cancel"],
      ],
    ],
    ["Page", pageKeys.map(([key, what]) => [[cap(key)], what])],
  ];
  const sheet = h(
    "dialog.sheet.keys",
    { "aria-labelledby": "keys-title", onclose: () => sheet.remove() },
    h(
      "form.stack",
      { method: "dialog" },
      h("h2", { id: "keys-title" }, "Keys"),
      h(
        "div.key-groups",
        {},
        groups
          .filter(([, rows]) => rows.length)
          .map(([title, rows]) =>
            h(
              "section",
              {},
              h("h3", {}, title),
              h(
                "dl",
                {},
                rows.map(([caps, what]) => h("div", {}, h("dt", {}, caps), h("dd", {}, what))),
              ),
            ),
          ),
      ),
      h("div.row.end", {}, h("button.button.primary", { value: "done", autofocus: true }, "Done")),
    ),
  );
  sheet.addEventListener("click", event => event.target === sheet && sheet.close());
  document.body.append(sheet);
  sheet.showModal();
}

/** @param {string} key */
function keyCaps(key) {
  return ALSO[key] ? [cap(NAMES[key]), cap(ALSO[key])] : [cap(NAMES[key] ?? key.toUpperCase())];
}

/** @param {string} text */
function cap(text) {
  return h("kbd", {}, text);
}
