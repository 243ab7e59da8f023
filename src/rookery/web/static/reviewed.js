// What a review says, sorted by the steps of the game: grades, values for the graph, mistakes to learn from. No drawing.

import { get, request } from "./api.js";

const EVERY = 1000; // milliseconds between two questions how far the review is

/** @typedef {Omit<Api.ReviewPlyInfo, "grade"> & {grade: Api.ReviewGrade | null}} Reviewed what the server says of a ply */
/** @typedef {{decision: Reviewed | null, luck: Reviewed | null}} ReviewedStep */

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
    const grades = new Map(info.grades.map(grade => [grade.name, grade]));
    plies.push(...info.plies.map(ply => ({ ...ply, grade: grades.get(ply.grade) ?? null })));
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
 * A review by steps: an action, and the outcome of chance after it that says what chance brought. What chance gives
 * first belongs to step 0.
 * @param {Reviewed[]} plies
 * @returns {ReviewedStep[]}
 */
export function bySteps(plies) {
  /** @type {ReviewedStep[]} */
  const steps = [{ decision: null, luck: null }];
  for (const ply of plies) {
    if (ply.player > 0) steps.push({ decision: ply, luck: null });
    else if (ply.luck !== null) steps.at(-1).luck = ply;
  }
  return steps;
}

/**
 * The lines of the graph, by step; null where a value is not known. In a game of two, one line is enough: the first
 * player's.
 * @param {ReviewedStep[]} steps
 * @param {number} players
 * @returns {{player: number, points: (Api.ReviewPoint | null)[]}[]}
 */
export function lines(steps, players) {
  const found = Array.from({ length: players > 2 ? players : 1 }, (_, index) => ({
    player: index + 1,
    points: /** @type {(Api.ReviewPoint | null)[]} */ (steps.map(() => null)),
  }));
  steps.forEach(({ decision }, index) => {
    if (!decision?.course) return;
    const { points } = players > 2 ? found[decision.player - 1] : found[0];
    [points[index - 1], points[index]] = decision.course;
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
