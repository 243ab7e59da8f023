// The keyboard on a board: keys that play at once, and a cursor that moves over cells and edges.

export const DIRECTIONS = { up: [-1, 0], right: [0, 1], down: [1, 0], left: [0, -1] };
const NAMED = {
  ArrowUp: "up",
  ArrowRight: "right",
  ArrowDown: "down",
  ArrowLeft: "left",
  " ": "space",
  Enter: "enter",
  Escape: "escape",
  Tab: "tab",
};
const LETTERS = { w: "up", d: "right", s: "down", a: "left" };

/**
 * Handle a key; false if the board does not use it.
 * @param {import("./board.js").Board} board
 * @param {KeyboardEvent} event
 */
export function press(board, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const name = NAMED[event.key] ?? (event.key.length === 1 ? event.key.toLowerCase() : "");
  const inside = board.svg.contains(event.target);
  if (board.picked) {
    const done = chooseTarget(board, name, event.shiftKey);
    if (done) return true;
  }
  if (name === "escape") return board.release();
  if (board.mine && !event.shiftKey && board.keys.has(name)) return played(board, board.keys.get(name));
  const way = name in DIRECTIONS ? name : LETTERS[name];
  if (way && board.mine && !event.shiftKey && board.keys.has(way)) return played(board, board.keys.get(way));
  if (way) return moveCursor(board, way, event.shiftKey, inside);
  if (name === "enter" || name === "space") {
    if (!inside) return false;
    board.byKeys(true);
    board.press(board.cursor);
    return true;
  }
  return playHere(board, name, inside);
}

/**
 * @param {import("./board.js").Board} board
 * @param {Api.Choice} choice
 */
function played(board, choice) {
  board.play(choice);
  return true;
}

/**
 * Arrow keys move the cursor; if they play actions, Shift with an arrow does. An illegal direction is explained.
 * @param {import("./board.js").Board} board
 * @param {import("./geometry.js").Way} way
 * @param {boolean} shift
 * @param {boolean} inside
 */
function moveCursor(board, way, shift, inside) {
  if (!shift && board.arrows) {
    if (!board.mine) return false;
    board.refuse(way);
    return true;
  }
  if (!inside && !shift && !board.mine) return false;
  board.byKeys(true);
  board.stand(board.geometry.beside(board.cursor, DIRECTIONS[way]));
  return true;
}

/**
 * A key that plays at the cursor or the pointer.
 * @param {import("./board.js").Board} board
 * @param {string} name
 * @param {boolean} inside
 */
function playHere(board, name, inside) {
  if (!board.mine || !name) return false;
  const place = inside && board.keyed ? board.cursor : board.aimed;
  const found = board.scene.choices.filter(choice => choice.here === name);
  if (!found.length) return false;
  const choice = place && (board.at.get(place) ?? []).find(each => each.here === name);
  if (choice) return played(board, choice);
  if (place && (board.turns.get(place) ?? []).some(each => each.here === name)) board.pick(place);
  else board.explain(place, found[0]);
  return true;
}

/**
 * While a wall is being turned: move between its targets, or choose one.
 * @param {import("./board.js").Board} board
 * @param {string} name
 * @param {boolean} back
 */
function chooseTarget(board, name, back) {
  const targets = [...board.picked.targets.keys()];
  if (name === "escape") return board.release();
  if (name in DIRECTIONS || name === "tab") {
    const step = back || name === "up" || name === "left" ? -1 : 1;
    const now = targets.indexOf(board.cursor);
    board.byKeys(true);
    board.stand(targets[now < 0 ? 0 : (now + step + targets.length) % targets.length]);
    return true;
  }
  if ((name === "enter" || name === "space") && board.picked.targets.has(board.cursor))
    return played(board, board.picked.targets.get(board.cursor));
  return false;
}
