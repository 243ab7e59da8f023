// The replay page: a game ply by ply.

import { get } from "./api.js";
import { Board } from "./board.js";
import { copy } from "./clipboard.js";
import { h, setTitle } from "./dom.js";
import { FrameLoader, firstFrames } from "./frames.js";
import { capitalize, emblem, result, reviewLink, seatName } from "./listing.js";
import { Notes } from "./notes.js";
import { token } from "./panels.js";
import { PlayOn } from "./playon.js";
import { fillFigures, listenToKeys, markMove, moveItem, solid } from "./stepping.js";
import { isTurned, wasFlipped } from "./turning.js";

const PACE = 900; // milliseconds per step at speed 1
const SPEEDS = [0.5, 1, 2, 4];

/**
 * @param {HTMLElement} root
 * @param {{id: string}} params
 * @param {{signal: AbortSignal}} page
 */
export async function show(root, { id }, { signal }) {
  setTitle("Replay");
  const [info, begun] = await Promise.all([get(`/api/games/${id}`, signal), firstFrames(id, signal)]);
  setTitle(`${info.title}, replay`);
  document.body.dataset.game = info.game;
  const frames = new FrameLoader(id, begun, signal);
  const { steps } = frames;
  const final = steps.length - 1;
  const flipped = wasFlipped(info.game);
  let at = -1;
  let timer = 0;
  let speed = 1;

  const board = new Board({});
  const notes = new Notes();
  const message = h("p.replay-message", { role: "status" });
  const playOn = new PlayOn(info);
  const common = h("dl.replay-figures");
  const own = info.seats.map(() => h("span.replay-figure.muted"));
  const range = h("input.scrubber", {
    type: "range",
    min: 0,
    max: final,
    step: 1,
    value: 0,
    "aria-label": "Position in the game",
    oninput: () => {
      pause();
      turnTo(Number(range.value));
    },
  });
  const place = h("span.replay-place.muted");
  const button = (name, label, act) =>
    h("button.button.icon-only", { type: "button", "aria-label": label, title: label, onclick: act }, solid(name));
  const first = button("first", "First (Home)", () => {
    pause();
    turnTo(0);
  });
  const before = button("before", "Back (←)", () => {
    pause();
    turnTo(at - 1);
  });
  const play = button("play", "Play (Space)", () => (timer ? pause() : start()));
  play.classList.add("primary");
  const after = button("after", "Forward (→)", () => {
    pause();
    turnTo(at + 1);
  });
  const last = button("last", "Last (End)", () => {
    pause();
    turnTo(final);
  });
  const pace = h(
    "select",
    {
      id: "speed",
      "aria-label": "Speed",
      onchange: () => {
        speed = Number(pace.value);
        if (timer) {
          pause();
          start();
        }
      },
    },
    SPEEDS.map(each => h("option", { value: each, selected: each === 1 }, `${each}×`)),
  );
  const moves = h(
    "ol.replay-list",
    { tabindex: "-1" },
    steps.map((step, index) =>
      moveItem(step, index, info.seats.length > 1 && step.by ? seatName(info.seats[step.by - 1]) : "", () => {
        pause();
        turnTo(index);
      }),
    ),
  );

  root.append(
    h(
      "div.replay",
      {},
      h(
        "header.replay-lead",
        {},
        emblem(info.game),
        h("div", {}, h("h1", {}, info.title), h("p.muted", {}, ending(info))),
      ),
      h("section.replay-board", { "aria-label": "Board" }, board.element),
      h(
        "section.replay-controls",
        { "aria-label": "Controls" },
        range,
        h("div.replay-buttons", {}, first, before, play, after, last, pace, place),
      ),
      h(
        "aside.replay-side",
        { "aria-label": "The game" },
        message,
        common,
        h(
          "ul.replay-players",
          {},
          info.seats.map((seat, index) => playerItem(seat, info, own[index])),
        ),
        h("section.replay-moves", { "aria-labelledby": "moves-title" }, h("h2", { id: "moves-title" }, "Moves"), moves),
        h(
          "div.row.replay-links",
          {},
          h(
            "button.button",
            { type: "button", onclick: () => copy(location.href, "Link to this position copied.") },
            "Copy link",
          ),
          h("a.button", { href: `/api/games/${id}/record`, download: `${info.game}-${id}.json` }, "Download record"),
          info.status !== "playing" && info.status !== "waiting" && reviewed(info),
          playOn.element,
          info.status === "playing" && h("a.button", { href: `/game/${id}` }, "Open game"),
        ),
        notes.element,
      ),
    ),
  );
  signal.addEventListener("abort", () => {
    pause();
    notes.destroy();
    board.destroy();
  });
  listenToKeys(
    board,
    {
      ArrowLeft: () => turnTo(at - 1),
      ArrowRight: () => turnTo(at + 1),
      Home: () => turnTo(0),
      End: () => turnTo(final),
      " ": () => (timer ? pause() : start()),
    },
    { signal, before: pause },
  );
  const asked = new URLSearchParams(location.search).get("ply");
  await turnTo(asked === null ? 0 : frames.stepAt(Number(asked) || 0), { keep: true });

  /**
   * @param {number} index
   * @param {{keep?: boolean}} [how]
   */
  async function turnTo(index, { keep = false } = {}) {
    const target = Math.min(final, Math.max(0, index));
    const shown = at;
    if (target === shown) return;
    at = target;
    range.value = at;
    range.setAttribute("aria-valuetext", at ? `after move ${at} of ${final}, ${steps[at].name}` : "the start");
    place.textContent = `${at} / ${final}`;
    first.disabled = before.disabled = at === 0;
    after.disabled = last.disabled = at === final;
    markMove(moves, at);
    if (!keep) history.replaceState(null, "", `${location.pathname}?ply=${steps[at].ply}`);
    let scene;
    try {
      scene = await frames.scene(target);
    } catch (problem) {
      if (signal.aborted) return;
      pause();
      message.textContent = problem.message;
      return;
    }
    if (signal.aborted || at !== target) return;
    board.turn(isTurned(scene, info.you) !== flipped);
    board.show(scene, { mine: false, animate: target === shown + 1 });
    message.textContent = scene.message;
    playOn.at(steps[target].ply, scene);
    fillFigures(scene, common, own);
    frames.prefetch(target);
  }

  function start() {
    if (at === final) turnTo(0);
    timer = setInterval(() => {
      if (at >= final) pause();
      else if (!document.hidden) turnTo(at + 1);
    }, PACE / speed);
    setPlayButton("pause", "Pause (Space)");
  }

  function pause() {
    if (!timer) return;
    clearInterval(timer);
    timer = 0;
    setPlayButton("play", "Play (Space)");
  }

  /**
   * @param {string} name
   * @param {string} label
   */
  function setPlayButton(name, label) {
    play.replaceChildren(solid(name));
    play.title = label;
    play.setAttribute("aria-label", label);
  }
}

/**
 * @param {Api.SeatInfo} seat
 * @param {Api.GameInfo} info
 * @param {HTMLElement} figure
 */
function playerItem(seat, info, figure) {
  const won = info.winners?.length === 1 && info.winners[0] === seat.number;
  return h(
    "li",
    {},
    info.seats.length > 1 && token(seat.number),
    h("span.replay-player", {}, capitalize(seatName(seat))),
    won && h("span.badge.won", {}, "won"),
    figure,
  );
}

/** @param {Api.GameInfo} info */
function reviewed(info) {
  const { href, words } = reviewLink(info);
  return words === "Review" && h("a.button.primary", { href }, words);
}

/** @param {Api.GameInfo} info */
function ending(info) {
  if (info.status === "over") return result(info);
  return info.status === "abandoned" ? "Unfinished" : "In progress";
}
