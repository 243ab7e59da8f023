// HTTP requests to the server. An error answer becomes an Error with the server's message, with `missing` if there is
// nothing at the address, and with the name of the option that is wrong, if one is.

import { unreachable } from "./network.js";

/** @typedef {Error & {option?: string | null, missing?: boolean}} RequestError */

/**
 * @template {string} M
 * @template {string} P
 * @param {M} method
 * @param {P} path
 * @param {Api.BodyOf<M, P> | string} [body]
 * @param {AbortSignal} [signal]
 * @returns {Promise<Api.AnswerTo<M, P>>}
 */
export async function request(method, path, body, signal) {
  let answer;
  try {
    const headers = body === undefined ? {} : { "Content-Type": "application/json" };
    const sent = typeof body === "string" ? body : body === undefined ? undefined : JSON.stringify(body);
    answer = await fetch(path, { method, headers, body: sent, signal });
  } catch (problem) {
    if (problem.name === "AbortError") throw problem;
    throw new Error(unreachable());
  }
  if (answer.status === 204) return null;
  const content = await answer.json().catch(() => null);
  if (!answer.ok) {
    const why = content?.detail ?? `The server answered ${answer.status}. Try again.`;
    throw Object.assign(new Error(why), { option: content?.option ?? null, missing: answer.status === 404 });
  }
  return content;
}

/**
 * @template {string} P
 * @param {P} path
 * @param {AbortSignal} [signal]
 */
export const get = (path, signal) => request("GET", path, undefined, signal);

/**
 * @template {string} P
 * @param {P} path
 * @param {Api.BodyOf<"POST", P> | string} [body]
 * @param {AbortSignal} [signal]
 */
export const post = (path, body, signal) => request("POST", path, body ?? "{}", signal);

/** @type {Promise<Api.Catalogue> | null} */
let fetched = null;

// The catalogue, fetched once per visit: the games, and words for what players do.
export function catalogue() {
  fetched ??= get("/api/catalogue").catch(problem => {
    fetched = null;
    throw problem;
  });
  return fetched;
}

export async function games() {
  return (await catalogue()).games;
}

/**
 * A full scene from one that has only the cells that changed since the scene before.
 * @param {Api.AnyScene} scene
 * @param {Api.Scene | null} [before]
 * @returns {Api.Scene}
 */
export function applyChanges(scene, before) {
  if (!("changed" in scene)) return scene;
  const cells = before.cells.slice();
  for (const [index, cell] of scene.changed) cells[index] = cell;
  const { changed, ...rest } = scene;
  return { ...rest, cells };
}
