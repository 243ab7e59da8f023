// Guided first games: which are no longer offered, and how they begin and end.

import { games, post } from "./api.js";
import { go } from "./app.js";
import { toast } from "./dom.js";

const STORAGE_KEY = "rookery.lessons";

/** @type {{game: string, id: string} | null} The game that has not begun, from which the guided one was opened. */
let cameFrom = null;

function load() {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY)) ?? {};
  } catch {
    return {};
  }
}

// Whether a guided game is no longer offered: it was finished or skipped, or the visitor has played without it.
export function settled(game) {
  return game in load();
}

export function settle(game, how) {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify({ ...load(), [game]: how }));
  } catch {
    // Without storage it is offered again.
  }
}

// Sets up the guided first game and opens it.
export async function beginLesson(game, { button = null, from = null } = {}) {
  cameFrom = from ? { game, id: from } : null;
  await opened(button, () => post(`/api/catalogue/${game}/lesson`));
}

// Goes back to the game from which the guide was opened, or starts one.
export async function leaveLesson(game, button) {
  const back = cameFrom?.game === game ? cameFrom.id : null;
  cameFrom = null;
  if (back) await go(`/game/${back}`);
  else await opened(button, () => post("/api/games", { game }));
}

// Starts a whole game, against bots of a level if others play.
export async function playWhole(game, level, button) {
  const players = (await games()).find(each => each.name === game)?.players ?? 1;
  /** @type {Api.SeatSetup[]} */
  const bots = Array.from({ length: players - 1 }, () => ({ kind: "bot", bot: String(level) }));
  await opened(button, () => post("/api/games", { game, seats: [{ kind: "here" }, ...bots] }));
}

async function opened(button, ask) {
  if (button) button.disabled = true;
  try {
    const info = await ask();
    await go(`/game/${info.id}`);
  } catch (problem) {
    toast(problem.message);
  } finally {
    if (button) button.disabled = false;
  }
}
