// A small board that plays a demo game: on the home page and beside the rules.

import { get, applyChanges } from "./api.js";
import { Board } from "./board.js";
import { h } from "./dom.js";
import { motionAllowed } from "./settings.js";

const FRAME_MS = 700;
const END_FRAMES = 4; // frames for which the end is shown

const demos = new Map();

// The scenes of a game's demo, fetched once per visit.
function fetchScenes(name) {
  if (!demos.has(name)) {
    const asked = get(`/api/catalogue/${name}/demo`).then(({ frames }) => {
      const scenes = [];
      for (const frame of frames) scenes.push(applyChanges(frame, scenes.at(-1)));
      return scenes;
    });
    asked.catch(() => demos.delete(name));
    demos.set(name, asked);
  }
  return demos.get(name);
}

// An element with the demo of a game. It loads when it scrolls into view and runs only while visible; with animation
// off it is a still of the middle of the game.
export function demoBoard(name, { signal }) {
  const frame = h("div.demo", { "aria-hidden": "true" });
  let scenes = null;
  let board = null;
  let at = 0;
  let rested = 0;
  let timer = 0;
  let visible = false;

  function draw(animate) {
    if (!board) {
      board = new Board({ small: true });
      frame.replaceChildren(board.element);
      frame.classList.add("ready");
    }
    board.show(scenes[at], { mine: false, animate });
  }

  function tick() {
    if (document.hidden || !motionAllowed()) return;
    if (at < scenes.length - 1) {
      at += 1;
    } else if (rested < END_FRAMES) {
      rested += 1;
      return;
    } else {
      at = rested = 0;
    }
    draw(at > 0);
  }

  async function start() {
    if (!scenes) {
      scenes = await fetchScenes(name);
      at = Math.floor(scenes.length * (motionAllowed() ? 0.3 : 0.7));
      if (!signal.aborted) draw(false);
    }
    if (visible && !timer && !signal.aborted && scenes.length > 1) timer = setInterval(tick, FRAME_MS);
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
