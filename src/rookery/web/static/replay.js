// The replay page: a game ply by ply.

import { get } from "./api.js";
import { Board } from "./board.js";
import { copy } from "./clipboard.js";
import { h, setTitle } from "./dom.js";
import { FrameLoader, firstFrames } from "./frames.js";
import { emblem, playerName, reviewLink } from "./listing.js";
import { Notes } from "./notes.js";
import { token } from "./panels.js";
import { PlayOn } from "./playon.js";
import { fillFigures, iconButton, listenToKeys, markMove, moveItem, StepControls, solid } from "./stepping.js";
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
  const page = new ReplayPage(info, new FrameLoader(id, begun, signal), signal);
  root.append(page.element);
  page.listen();
  const asked = new URLSearchParams(location.search).get("ply");
  await page.turnTo(asked === null ? 0 : page.frames.stepAt(Number(asked) || 0), { keep: true });
}

class ReplayPage {
  #at = -1;
  #timer = 0;
  #speed = 1;
  #message = h("p.replay-message", { role: "status" });
  #common = h("dl.replay-figures");
  #board = new Board({});
  #notes = new Notes();

  /**
   * @param {Api.GameInfo} info
   * @param {FrameLoader} frames
   * @param {AbortSignal} signal
   */
  constructor(info, frames, signal) {
    this.info = info;
    this.frames = frames;
    this.signal = signal;
    this.final = frames.steps.length - 1;
    this.flipped = wasFlipped(info.game);
    this.playOn = new PlayOn(info);
    this.own = info.seats.map(() => h("span.replay-figure.muted"));
    this.controls = new StepControls(frames.steps, step => this.#jump(step));
    this.play = iconButton("play", "Play (Space)", () => this.#toggle());
    this.play.classList.add("primary");
    this.moves = h(
      "ol.replay-list",
      { tabindex: "-1" },
      frames.steps.map((step, index) => {
        const who = info.seats.length > 1 && step.by ? playerName(info.seats[step.by - 1]) : "";
        return moveItem(step, index, who, () => this.#jump(index));
      }),
    );
    this.element = this.#layout();
  }

  listen() {
    const { signal } = this;
    signal.addEventListener("abort", () => {
      this.#pause();
      this.#notes.destroy();
      this.#board.destroy();
    });
    listenToKeys(
      this.#board,
      {
        ArrowLeft: () => this.turnTo(this.#at - 1),
        ArrowRight: () => this.turnTo(this.#at + 1),
        Home: () => this.turnTo(0),
        End: () => this.turnTo(this.final),
        " ": () => this.#toggle(),
      },
      { signal, before: () => this.#pause() },
    );
  }

  // -- What is on the page --------------------------------------------------------------------------------------------

  #layout() {
    const { info } = this;
    return h(
      "div.replay",
      {},
      h(
        "header.replay-lead",
        {},
        emblem(info.game),
        h("div", {}, h("h1", {}, info.title), h("p.muted", {}, ending(info))),
      ),
      h("section.replay-board", { "aria-label": "Board" }, this.#board.element),
      h(
        "section.replay-controls",
        { "aria-label": "Controls" },
        this.controls.range,
        this.controls.row({ play: this.play, pace: this.#paceChoice() }),
      ),
      h(
        "aside.replay-side",
        { "aria-label": "The game" },
        this.#message,
        this.#common,
        h(
          "ul.replay-players",
          {},
          info.seats.map((seat, index) => playerItem(seat, info, this.own[index])),
        ),
        h(
          "section.replay-moves",
          { "aria-labelledby": "moves-title" },
          h("h2", { id: "moves-title" }, "Moves"),
          this.moves,
        ),
        this.#links(),
        this.#notes.element,
      ),
    );
  }

  #links() {
    const { info } = this;
    const { id, game, status } = info;
    return h(
      "div.row.replay-links",
      {},
      h(
        "button.button",
        { type: "button", onclick: () => copy(location.href, "Link to this position copied.") },
        "Copy link",
      ),
      h("a.button", { href: `/api/games/${id}/record`, download: `${game}-${id}.json` }, "Download record"),
      status !== "playing" && status !== "waiting" && reviewed(info),
      this.playOn.element,
      status === "playing" && h("a.button", { href: `/game/${id}` }, "Open game"),
    );
  }

  #paceChoice() {
    const choice = h(
      "select",
      { id: "speed", "aria-label": "Speed", onchange: () => this.#setSpeed(Number(choice.value)) },
      SPEEDS.map(each => h("option", { value: each, selected: each === 1 }, `${each}×`)),
    );
    return choice;
  }

  // -- Going through the game -----------------------------------------------------------------------------------------

  /** @param {number} index */
  #jump(index) {
    this.#pause();
    this.turnTo(index);
  }

  /**
   * Shows the position after a step; `keep` leaves the address as it is.
   * @param {number} index
   * @param {{keep?: boolean}} [how]
   */
  async turnTo(index, { keep = false } = {}) {
    const target = Math.min(this.final, Math.max(0, index));
    const shown = this.#at;
    if (target === shown) return;
    this.#at = target;
    this.controls.mark(target);
    markMove(this.moves, target);
    const { ply } = this.frames.steps[target];
    if (!keep) history.replaceState(null, "", `${location.pathname}?ply=${ply}`);
    let scene;
    try {
      scene = await this.frames.scene(target);
    } catch (problem) {
      if (this.signal.aborted) return;
      this.#pause();
      this.#message.textContent = problem.message;
      return;
    }
    if (this.signal.aborted || this.#at !== target) return;
    this.#board.turn(isTurned(scene, this.info.you) !== this.flipped);
    this.#board.show(scene, { mine: false, animate: target === shown + 1 });
    this.#message.textContent = scene.message;
    this.playOn.at(ply, scene);
    fillFigures(scene, this.#common, this.own);
    this.frames.prefetch(target);
  }

  // -- Playing by itself ----------------------------------------------------------------------------------------------

  #toggle() {
    if (this.#timer) this.#pause();
    else this.#start();
  }

  /** @param {number} speed */
  #setSpeed(speed) {
    this.#speed = speed;
    if (!this.#timer) return;
    this.#pause();
    this.#start();
  }

  #start() {
    if (this.#at === this.final) this.turnTo(0);
    this.#timer = setInterval(() => {
      if (this.#at >= this.final) this.#pause();
      else if (!document.hidden) this.turnTo(this.#at + 1);
    }, PACE / this.#speed);
    this.#setPlayButton("pause", "Pause (Space)");
  }

  #pause() {
    if (!this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = 0;
    this.#setPlayButton("play", "Play (Space)");
  }

  /**
   * @param {string} name
   * @param {string} label
   */
  #setPlayButton(name, label) {
    this.play.replaceChildren(solid(name));
    this.play.title = label;
    this.play.setAttribute("aria-label", label);
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
    h("span.replay-player", {}, seat.name),
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
  if (info.status === "over") return info.result;
  return info.status === "abandoned" ? "Unfinished" : "In progress";
}
