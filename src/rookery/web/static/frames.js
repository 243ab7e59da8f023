// The scenes of a replay, fetched from the server as they are needed.

import { applyChanges, get } from "./api.js";

const CHUNK = 60; // frames per request

/** @typedef {{ply: number, name: string, by: number, chance: string[]}} Step an action and the chance outcomes after it */

/**
 * The first frames, with all plies of the game.
 * @param {string} id
 * @param {AbortSignal} signal
 */
export function firstFrames(id, signal) {
  return get(framesAddress(id, 0), signal);
}

/**
 * @param {string} id
 * @param {number} chunk
 * @returns {`/api/games/${string}/frames?${string}`}
 */
function framesAddress(id, chunk) {
  return `/api/games/${id}/frames?first=${chunk * CHUNK}&last=${chunk * CHUNK + CHUNK - 1}`;
}

// The scenes of a game, fetched in chunks. A step is an action and the chance outcomes after it; step 0 is the start.
export class FrameLoader {
  /**
   * @param {string} id
   * @param {Api.Frames} begun
   * @param {AbortSignal} signal
   */
  constructor(id, begun, signal) {
    this.id = id;
    this.signal = signal;
    this.plies = begun.plies;
    this.scenes = new Map();
    this.chunks = new Map();
    /** @type {Step[]} */
    this.steps = [{ ply: 0, name: "Start", by: 0, chance: [] }];
    begun.plies.forEach(([, by], index) => {
      const name = begun.phrases[index];
      if (by) this.steps.push({ ply: index + 1, name, by, chance: [] });
      else Object.assign(this.steps.at(-1), { ply: index + 1, chance: [...this.steps.at(-1).chance, name] });
    });
    this.take(begun.frames);
    this.chunks.set(0, Promise.resolve());
  }

  /**
   * The step of a ply.
   * @param {number} ply
   */
  stepAt(ply) {
    let step = 0;
    for (const [, by] of this.plies.slice(0, Math.max(0, ply))) if (by) step += 1;
    return step;
  }

  /** @param {Api.Frame[]} frames */
  take(frames) {
    let before = null;
    for (const { ply, scene } of frames) {
      before = applyChanges(scene, before);
      this.scenes.set(this.stepAt(ply), before);
    }
  }

  /** @param {number} chunk */
  load(chunk) {
    if (!this.chunks.has(chunk)) {
      const asked = get(framesAddress(this.id, chunk), this.signal).then(({ frames }) => this.take(frames));
      asked.catch(() => this.chunks.delete(chunk));
      this.chunks.set(chunk, asked);
    }
    return this.chunks.get(chunk);
  }

  /** @param {number} step */
  async scene(step) {
    if (!this.scenes.has(step)) await this.load(Math.floor(step / CHUNK));
    for (let near = step; near >= 0; near -= 1) if (this.scenes.has(near)) return this.scenes.get(near);
    throw new Error("This position could not be loaded. Try again.");
  }

  /**
   * Fetches the next chunk before it is needed.
   * @param {number} step
   */
  prefetch(step) {
    const chunk = Math.floor((step + CHUNK / 2) / CHUNK);
    if (chunk * CHUNK < this.steps.length) this.load(chunk).catch(() => {});
  }
}
