// Small boards that move by themselves: demo games on the home page and beside the rules, and examples of rules.

import { applyChanges, get } from "./api.js";
import { h } from "./dom.js";
import { Picture } from "./picture.js";
import { motionAllowed } from "./settings.js";

const FRAME_MS = 700;
const EXAMPLE_MS = 1800;
const END_FRAMES = 4; // frames for which the end is shown

const demos = new Map();

/**
 * The scenes of a game's demo, fetched once per visit; `query` holds its options.
 * @param {string} name
 * @param {string} query
 */
function fetchScenes(name, query) {
  /** @type {`/api/catalogue/${string}/demo${string}`} */
  const address = `/api/catalogue/${name}/demo${query}`;
  if (!demos.has(address)) {
    const asked = get(address).then(({ frames }) => {
      /** @type {Api.Scene[]} */
      const scenes = [];
      for (const frame of frames) scenes.push(applyChanges(frame, scenes.at(-1)));
      return scenes;
    });
    asked.catch(() => demos.delete(address));
    demos.set(address, asked);
  }
  return demos.get(address);
}

/**
 * An element with the demo of a game. It loads when it scrolls into view and runs only while visible; with animation
 * off it is a still of the middle of the game, or with `steps` one of stills to step through.
 * @param {string} name
 * @param {{signal: AbortSignal, query?: string, steps?: boolean}} how
 */
export function demoBoard(name, { signal, query = "", steps = false }) {
  return pictured(() => fetchScenes(name, query), { signal, steps });
}

/**
 * An example of a rule: a board that shows it again and again, and what happens in words.
 * @param {Api.ExampleDemo} example
 * @param {{signal: AbortSignal, steps?: boolean}} how
 */
export function exampleBoard({ caption, frames }, { signal, steps = false }) {
  /** @type {Api.Scene[]} */
  const scenes = [];
  for (const frame of frames) scenes.push(applyChanges(frame, scenes.at(-1)));
  const board = pictured(async () => scenes, { signal, steps, frameMs: EXAMPLE_MS, endFrames: 0, from: 0 });
  const picture = board.querySelector(".demo") ?? board;
  picture.style.aspectRatio = `${scenes[0].cols} / ${scenes[0].rows}`;
  return h("figure.example", {}, board, h("figcaption.muted", {}, caption));
}

function pictured(fetchScenes, how) {
  return how.steps && !motionAllowed() ? steppedBoard(fetchScenes, how) : movingBoard(fetchScenes, how);
}

// Stills one after the other, which the visitor steps through.
function steppedBoard(fetchScenes, { signal }) {
  const frame = h("div.demo", { "aria-hidden": "true" });
  const place = h("output");
  const board = new Picture();
  let scenes = [];
  let at = 0;
  const step = (by, words, name) =>
    h(
      "button.button.quiet",
      {
        type: "button",
        "aria-label": name,
        onclick: () => {
          at = (at + by + scenes.length) % (scenes.length || 1);
          draw();
        },
      },
      words,
    );
  function draw() {
    if (!scenes.length) return;
    board.show(scenes[at], { mine: false, animate: false });
    place.textContent = `Step ${at + 1} of ${scenes.length}`;
  }
  fetchScenes().then(
    found => {
      if (signal.aborted) return;
      scenes = found;
      frame.replaceChildren(board.element);
      frame.classList.add("ready");
      draw();
    },
    () => frame.classList.add("blank"),
  );
  signal.addEventListener("abort", () => board.destroy());
  return h(
    "div",
    {},
    frame,
    h(
      "div.stepper",
      { role: "group", "aria-label": "Steps" },
      step(-1, "‹", "Step back"),
      place,
      step(1, "›", "Step on"),
    ),
  );
}

function movingBoard(fetchScenes, { signal, frameMs = FRAME_MS, endFrames = END_FRAMES, from = 0.3 }) {
  const frame = h("div.demo", { "aria-hidden": "true" });
  let scenes = null;
  let board = null;
  let at = 0;
  let rested = 0;
  let timer = 0;
  let visible = false;

  /** @param {boolean} animate */
  function draw(animate) {
    if (!board) {
      board = new Picture();
      frame.replaceChildren(board.element);
      frame.classList.add("ready");
    }
    board.show(scenes[at], { mine: false, animate });
  }

  function tick() {
    if (document.hidden || !motionAllowed()) return;
    if (at < scenes.length - 1) {
      at += 1;
    } else if (rested < endFrames) {
      rested += 1;
      return;
    } else {
      at = rested = 0;
    }
    draw(at > 0);
  }

  async function start() {
    if (!scenes) {
      scenes = await fetchScenes();
      at = Math.floor(scenes.length * (motionAllowed() ? from : 0.7));
      if (!signal.aborted) draw(false);
    }
    if (visible && !timer && !signal.aborted && scenes.length > 1) timer = setInterval(tick, frameMs);
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
  }

  const watcher = new IntersectionObserver(([entry]) => {
    visible = entry.isIntersecting;
    if (!visible) stop();
    else start().catch(() => frame.classList.add("blank"));
  });
  watcher.observe(frame);
  signal.addEventListener("abort", () => {
    watcher.disconnect();
    stop();
    board?.destroy();
  });
  return frame;
}
