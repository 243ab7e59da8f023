// Which way round a board with goals is shown: the visitor's own side is at the bottom, unless they turned it. That is
// remembered for each kind of game.

const STORAGE_KEY = "rookery.turned";

/**
 * Whether a board has sides: the goals of players.
 * @param {Api.Scene} scene
 */
export function hasSides(scene) {
  return scene.cells.some(({ role, owner }) => role === "goal" && owner > 0);
}

/**
 * Whether a board has to be turned so that a player's own side, opposite the goal, is at the bottom; the first player's
 * for those who have no side or several.
 * @param {Api.Scene} scene
 * @param {number[]} you the players that are the visitor's
 */
export function isTurned(scene, you) {
  const player = you.length === 1 ? you[0] : 1;
  const rows = scene.cells.flatMap(({ role, owner }, index) =>
    role === "goal" && owner === player ? [Math.floor(index / scene.cols)] : [],
  );
  return rows.length > 0 && rows.reduce((sum, row) => sum + row, 0) / rows.length > (scene.rows - 1) / 2;
}

/** @param {string} game */
export function wasFlipped(game) {
  try {
    return localStorage.getItem(`${STORAGE_KEY}.${game}`) === "yes";
  } catch {
    return false;
  }
}

/**
 * @param {string} game
 * @param {boolean} flipped
 */
export function rememberFlipped(game, flipped) {
  try {
    localStorage.setItem(`${STORAGE_KEY}.${game}`, flipped ? "yes" : "no");
  } catch {
    // Without storage the board stays turned until the page is left.
  }
}
