// What a review says, sorted by the steps of the game: grades, values for the graph, mistakes to learn from. No drawing.

import { get, request } from "./api.js";

const EVERY = 1000; // milliseconds between two questions how far the review is

/**
 * @typedef {{
 *   ply: number, name: string, player: number, value: number | null, after: number | null, loss: number,
 *   grade: keyof typeof GRADES | null, only: boolean, accuracy: number | null, best: string | null, line: string[], phrases: string[],
 *   why: string, accepted: [string, number][], luck: number | null,
 * }} Reviewed what the server says of a ply
 * @typedef {{decision: Reviewed | null, luck: number | null}} ReviewedStep
 */

/** @type {Record<string, {sign: string, word: string}>} The grades, best first. */
export const GRADES = {
  best: { sign: "★", word: "Best" },
  fine: { sign: "✓", word: "Fine" },
  inaccuracy: { sign: "?!", word: "Inaccuracy" },
  mistake: { sign: "?", word: "Mistake" },
  blunder: { sign: "??", word: "Blunder" },
};

/** @param {string | null} [grade] */
export const isFault = grade => grade === "inaccuracy" || grade === "mistake" || grade === "blunder";

/**
 * Asks for a review until it is done or the page is left; `tell` gets each answer with all plies so far.
 * @param {string} id
 * @param {AbortSignal} signal
 * @param {(info: Api.ReviewInfo, plies: Reviewed[]) => void} tell
 */
export async function follow(id, signal, tell) {
  /** @type {Reviewed[]} */
  const plies = [];
  let begin = true;
  for (;;) {
    /** @type {`/api/games/${string}/review?${string}`} */
    const path = `/api/games/${id}/review?first=${plies.length}`;
    /** @type {Api.ReviewInfo} */
    const info = begin ? await request("POST", path, "{}", signal) : await get(path, signal);
    if (signal.aborted) return;
    plies.push(.../** @type {Reviewed[]} */ (info.plies));
    tell(info, plies);
    if (info.status === "done") return;
    begin = info.status === "stopped";
    if (!begin) await pause(EVERY, signal);
    if (signal.aborted) return;
  }
}

/**
 * @param {number} ms
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
function pause(ms, signal) {
  return new Promise(done => {
    const timer = setTimeout(done, ms);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        done();
      },
      { once: true },
    );
  });
}

/**
 * A review by steps: an action, with the chance outcomes after it. What chance gives first belongs to step 0.
 * @param {Reviewed[]} plies
 * @returns {ReviewedStep[]}
 */
export function bySteps(plies) {
  /** @type {ReviewedStep[]} */
  const steps = [{ decision: null, luck: null }];
  for (const ply of plies) {
    if (ply.player > 0) steps.push({ decision: ply, luck: null });
    else if (ply.luck !== null) steps.at(-1).luck = (steps.at(-1).luck ?? 0) + ply.luck;
  }
  return steps;
}

/**
 * The lines of the graph, by step; null where a value is not known. In a game of two, one line is enough: the first
 * player's.
 * @param {ReviewedStep[]} steps
 * @param {{players: number, kind: string}} game
 * @returns {{player: number, points: (number | null)[]}[]}
 */
export function lines(steps, { players, kind }) {
  const found = Array.from({ length: players > 2 ? players : 1 }, (_, index) => ({
    player: index + 1,
    points: /** @type {(number | null)[]} */ (steps.map(() => null)),
  }));
  steps.forEach(({ decision }, index) => {
    if (!decision || decision.value === null) return;
    const line = players > 2 ? found[decision.player - 1] : found[0];
    const turn = players === 2 && decision.player === 2;
    const seen = value => (!turn ? value : kind === "points" ? -value : 1 - value);
    line.points[index - 1] = seen(decision.value);
    if (decision.after !== null) line.points[index] = seen(decision.after);
  });
  return found;
}

/**
 * The steps of players at which something else would have been right.
 * @param {ReviewedStep[]} steps
 * @param {number[]} players
 */
export function mistakes(steps, players) {
  return steps.flatMap(({ decision }, index) =>
    decision?.accepted.length && players.includes(decision.player) ? [index] : [],
  );
}

/**
 * A value in a few characters.
 * @param {number} value
 * @param {Api.ReviewScale} scale
 */
export function valueText(value, { kind }) {
  if (kind === "win") return `${Math.round(100 * value)}%`;
  return (Math.abs(value) < 100 ? value.toFixed(1) : String(Math.round(value))).replace("-", "−");
}
