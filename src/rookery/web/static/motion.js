// How pieces and cells of a picture move. An animation is its keyframes and its timing.

export const MOVE = 150; // milliseconds of a move

export const WALL = animation(MOVE, [
  { transform: "scale(1.5, 1.5)", opacity: 0 },
  { transform: "none", opacity: 1 },
]);
export const STAY = animation(MOVE, [{ opacity: 1 }, { opacity: 1 }]);
export const TAKEN = animation(1.6 * MOVE, [
  { fill: "#fff", opacity: 1, transform: "scale(0.4)" },
  { fill: "#fff", opacity: 0.8, transform: "none", offset: 0.5 },
  { fill: "#fff", opacity: 0, transform: "none" },
]);
export const BLINK = animation(
  420,
  [1, 0.35, 1, 0.35, 1].map(opacity => ({ opacity })),
  MOVE,
);
export const SWELL = animation(
  240,
  ["none", "scale(1.12)", "none"].map(transform => ({ transform })),
  MOVE,
);

/**
 * From one place to another. A piece that failed a check first shows up `over` the place where it failed, then goes where
 * it ends; one that whirls becomes thin on its way.
 * @param {string} from
 * @param {string} to
 * @param {{over?: string | null, whirls?: boolean}} [how]
 */
export function travelling(from, to, { over = null, whirls = false } = {}) {
  if (over)
    return animation(3.4 * MOVE, [
      { transform: from },
      { transform: over, offset: 0.3 },
      { transform: `${over} rotate(-12deg)`, offset: 0.4 },
      { transform: `${over} rotate(12deg)`, offset: 0.5 },
      { transform: over, offset: 0.6 },
      { transform: to },
    ]);
  if (whirls)
    return animation(MOVE + 20, [
      { transform: `${from} scale(1, 1)` },
      { transform: `${from} scale(0.15, 1.12)`, offset: 0.3 },
      { transform: `${to} scale(0.15, 1.12)`, offset: 0.7 },
      { transform: `${to} scale(1, 1)` },
    ]);
  return animation(MOVE, [{ transform: from }, { transform: to }]);
}

/**
 * @param {string} place
 * @param {number} delay
 */
export function appearing(place, delay) {
  return animation(
    MOVE,
    [
      { transform: `${place} scale(0.4)`, opacity: 0 },
      { transform: `${place} scale(1.1)`, opacity: 1, offset: 0.7 },
      { transform: place, opacity: 1 },
    ],
    delay,
  );
}

/**
 * A short push in a direction, and back.
 * @param {number} right
 * @param {number} down
 */
export function nudged(right, down) {
  const pushed = `translate(${8 * right}px, ${8 * down}px)`;
  return animation(
    140,
    ["none", pushed, "none"].map(transform => ({ transform })),
  );
}

/**
 * @param {number} duration
 * @param {Keyframe[]} frames
 */
function animation(duration, frames, delay = 0) {
  /** @type {KeyframeAnimationOptions} */
  const timing = { duration, delay, easing: "ease-out", fill: "backwards" };
  return { frames, timing };
}

// The animations that run in a picture.
export class Animations {
  #running = new Set();

  /**
   * @param {Element} node
   * @param {ReturnType<typeof animation>} how
   * @param {() => void} [done]
   */
  run(node, { frames, timing }, done) {
    const running = node.animate(frames, timing);
    const entry = { running, done };
    this.#running.add(entry);
    running.onfinish = () => {
      this.#running.delete(entry);
      done?.();
    };
  }

  // Finish all animations at once.
  settle() {
    for (const { running, done } of this.#running) {
      running.cancel();
      done?.();
    }
    this.#running.clear();
  }
}
