// A small board that plays a game to itself: the moving pictures on the home page and beside the rules.

import { get, whole } from "./api.js";
import { Board } from "./board.js";
import { h } from "./dom.js";
import { moving } from "./settings.js";

const TICK = 700;
const REST = 4;

const films = new Map();

// The frames of a game's demonstration, each a whole scene, asked for once a visit.
function film(name) {
  if (!films.has(name)) {
    const asked = get(`/api/catalogue/${name}/demo`).then(({ frames }) => {
      const scenes = [];
      for (const frame of frames) scenes.push(whole(frame, scenes.at(-1)));
      return scenes;
    });
    asked.catch(() => films.delete(name));
    films.set(name, asked);
  }
  return films.get(name);
}

// An element with the demonstration of a game in it. It loads when it comes into view, moves only while it can be seen,
// and is a picture of the middle of the game for those who want nothing to move.
export function reel(name, { signal }) {
  const frame = h("div.reel", { "aria-hidden": "true" });
  let scenes = null;
  let board = null;
  let at = 0;
  let rested = 0;
  let timer = 0;
  let seen = false;

  function draw(animate) {
    if (!board) {
      board = new Board({ small: true });
      frame.replaceChildren(board.element);
      frame.classList.add("ready");
    }
    board.show(scenes[at], { mine: false, animate });
  }

  function tick() {
    if (document.hidden || !moving()) return;
    if (at < scenes.length - 1) {
      at += 1;
    } else if (rested < REST) {
      rested += 1;
      return;
    } else {
      at = rested = 0;
    }
    draw(at > 0);
  }

  async function appear() {
    if (!scenes) {
      scenes = await film(name);
      at = Math.floor(scenes.length * (moving() ? 0.3 : 0.7));
      if (!signal.aborted) draw(false);
    }
    if (seen && !timer && !signal.aborted && scenes.length > 1) timer = setInterval(tick, TICK);
  }

  function vanish() {
    clearInterval(timer);
    timer = 0;
  }

  const watcher = new IntersectionObserver(([entry]) => {
    seen = entry.isIntersecting;
    if (!seen) vanish();
    // Without its picture a card still says everything it has to.
    else appear().catch(() => frame.classList.add("blank"));
  });
  watcher.observe(frame);
  signal.addEventListener("abort", () => {
    watcher.disconnect();
    vanish();
    board?.destroy();
  });
  return frame;
}
