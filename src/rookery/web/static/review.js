// The review page: a finished game move by move, with grades, a graph, better moves, and mistakes to learn from.

import { get } from "./api.js";
import { Board } from "./board.js";
import { h, setTitle, toast } from "./dom.js";
import { FrameLoader, firstFrames } from "./frames.js";
import { emblem, playerName } from "./listing.js";
import { PlayOn } from "./playon.js";
import { bySteps, follow, lines, mistakes } from "./reviewed.js";
import { Graph } from "./reviewgraph.js";
import { Lesson } from "./reviewlearn.js";
import { fillDetail, fillSummary, gradeSign, Progress } from "./reviewpanel.js";
import { listenToKeys, markMove, moveItem, StepControls } from "./stepping.js";
import { isTurned, wasFlipped } from "./turning.js";

/**
 * @param {HTMLElement} root
 * @param {{id: string}} params
 * @param {{signal: AbortSignal}} page
 */
export async function show(root, { id }, { signal }) {
  setTitle("Review");
  const [info, begun] = await Promise.all([get(`/api/games/${id}`, signal), firstFrames(id, signal)]);
  setTitle(`${info.title}, review`);
  document.body.dataset.game = info.game;
  const page = new ReviewPage(root, info, new FrameLoader(id, begun, signal), signal);
  const asked = new URLSearchParams(location.search).get("ply");
  await page.turnTo(asked === null ? 0 : page.frames.stepAt(Number(asked) || 0), true);
  page.follow();
}

class ReviewPage {
  #at = -1;
  /** @type {import("./reviewed.js").ReviewedStep[]} */
  #steps = [];
  /** @type {Api.ReviewInfo | null} */
  #review = null;
  #message = h("p.replay-message");
  #detail = h("section.card.review-detail", { "aria-label": "This move", "aria-live": "polite" });
  #summary = h("ul.replay-players.review-summary");
  #progress = new Progress();
  #learn = h("button.button.primary", { type: "button", hidden: true, onclick: () => this.#begin() }, "");
  #back = h("button.button", { type: "button", hidden: true, onclick: () => this.#leaveLine() }, "Back to the move");

  /**
   * @param {HTMLElement} root
   * @param {Api.GameInfo} info
   * @param {FrameLoader} frames
   * @param {AbortSignal} signal
   */
  constructor(root, info, frames, signal) {
    this.info = info;
    this.frames = frames;
    this.signal = signal;
    this.final = frames.steps.length - 1;
    this.playOn = new PlayOn(info);
    this.board = new Board({
      onAction: action => this.lesson.play(action),
      onWhy: () => this.board.say("That is not possible here."),
    });
    this.lesson = new Lesson(
      info.id,
      {
        show: (scene, mine) => this.#show(scene, { mine }),
        outline: choice => this.board.outline([choice]),
        leave: () => this.turnTo(this.#at, true),
      },
      signal,
    );
    this.graph = new Graph(step => this.turnTo(step));
    this.controls = new StepControls(frames.steps, step => this.turnTo(step));
    this.moves = h(
      "ol.replay-list",
      { tabindex: "-1" },
      frames.steps.map((step, index) => this.#moveItem(step, index)),
    );
    root.append(this.#layout());
    signal.addEventListener("abort", () => this.board.destroy());
    document.addEventListener("keydown", event => this.#playKey(event), { signal });
    listenToKeys(
      this.board,
      {
        ArrowLeft: () => this.#step(this.#at - 1),
        ArrowRight: () => this.#step(this.#at + 1),
        Home: () => this.#step(0),
        End: () => this.#step(this.final),
      },
      { signal },
    );
  }

  #layout() {
    const { info } = this;
    return h(
      "div.replay.review",
      {},
      h(
        "header.replay-lead",
        {},
        emblem(info.game),
        h("div", {}, h("h1", {}, info.title), h("p.muted", {}, info.result ?? "Unfinished")),
      ),
      h("section.replay-board", { "aria-label": "Board" }, this.board.element),
      h(
        "section.replay-controls",
        { "aria-label": "Course of the game" },
        this.graph.element,
        this.controls.range,
        this.controls.row(),
        this.graph.table,
      ),
      h(
        "aside.replay-side",
        { "aria-label": "The review" },
        this.#progress.element,
        this.#summary,
        this.lesson.element,
        this.#message,
        this.#detail,
        this.#back,
        this.#learn,
        h(
          "section.replay-moves",
          { "aria-labelledby": "moves-title" },
          h("h2", { id: "moves-title" }, "Moves"),
          this.moves,
        ),
        h("div.row.replay-links", {}, this.playOn.element, h("a.button", { href: `/replay/${info.id}` }, "Replay")),
      ),
    );
  }

  /**
   * @param {import("./frames.js").Step} step
   * @param {number} index
   */
  #moveItem(step, index) {
    const grade = this.#steps[index]?.decision?.grade;
    const item = moveItem(
      step,
      index,
      this.info.seats.length > 1 && step.by ? playerName(this.info.seats[step.by - 1]) : "",
      () => this.turnTo(index),
      grade && gradeSign(grade, false),
    );
    const button = item.firstElementChild;
    if (grade) button.setAttribute("aria-label", `${button.getAttribute("aria-label")}, ${grade.word}`);
    return item;
  }

  // In a lesson the arrow keys play, or move the cursor, from anywhere.
  /** @param {KeyboardEvent} event */
  #playKey(event) {
    const { key, target } = event;
    const elsewhere =
      target instanceof Element && target.closest("input, .replay-list, .review-scroll, .board, dialog");
    if (!this.lesson.open || event.defaultPrevented || elsewhere || !key.startsWith("Arrow")) return;
    if (this.board.key(event)) event.preventDefault();
  }

  /** @param {number} step */
  #step(step) {
    if (!this.lesson.open) this.turnTo(step);
  }

  // Asks for the review, and shows what there is of it.
  async follow() {
    try {
      await follow(this.info.id, this.signal, (review, plies) => this.#take(review, bySteps(plies)));
    } catch (problem) {
      if (this.signal.aborted) return;
      this.#progress.refuse(problem.message, () => {
        const progress = new Progress();
        this.#progress.element.replaceWith(progress.element);
        this.#progress = progress;
        this.follow();
      });
      if (!this.#review) this.#detail.hidden = true;
    }
  }

  /**
   * @param {Api.ReviewInfo} review
   * @param {import("./reviewed.js").ReviewedStep[]} steps
   */
  #take(review, steps) {
    const known = this.#steps;
    this.#review = review;
    this.#steps = steps;
    this.#detail.hidden = this.lesson.open;
    this.#progress.show(review);
    fillSummary(this.#summary, this.info, review);
    for (let index = Math.max(1, known.length - 1); index < steps.length; index += 1)
      this.moves.children[index]?.replaceWith(this.#moveItem(this.frames.steps[index], index));
    markMove(this.moves, this.#at);
    const { scale } = review;
    if (scale) {
      const players = this.info.seats.length;
      const names = this.info.seats.map(playerName);
      const moves = this.frames.steps.map(({ name }) => name);
      const drawn = lines(steps, players);
      this.graph.show({ lines: drawn, steps, total: this.final, scale, names, moves });
    }
    const count = this.#own().length;
    this.#learn.textContent = `Learn from ${this.info.you.length ? "your" : "the"} mistakes (${count})`;
    this.#learn.hidden = !count || this.lesson.open;
    this.#fillDetail();
  }

  // The visitor's mistakes; those of all players if the visitor did not play.
  #own() {
    const { you, seats } = this.info;
    return mistakes(this.#steps, you.length ? you : seats.map(seat => seat.number));
  }

  #begin() {
    this.playOn.element.disabled = true;
    const found = this.#own().map(number => ({
      number,
      name: this.frames.steps[number].name,
      ply: this.frames.steps[number - 1].ply,
      decision: this.#steps[number].decision,
    }));
    for (const part of [this.#learn, this.#detail, this.#message, this.#back]) part.hidden = true;
    this.lesson.begin(found, this.info.you.length ? "your" : "the");
  }

  #fillDetail() {
    fillDetail(this.#detail, this.#steps[this.#at] ?? null, {
      index: this.#at,
      name: this.frames.steps[this.#at].name,
      done: this.#review?.status === "done",
      follow: count => this.#showLine(count),
    });
  }

  /**
   * Shows the position before the move, with the best line up to one of its moves in outlines.
   * @param {number} count
   */
  async #showLine(count) {
    const at = this.#at;
    const { line, phrases } = this.#steps[at].decision;
    const moves = encodeURIComponent(line.slice(0, count).join(";"));
    /** @type {`/api/games/${string}/position?${string}`} */
    const path = `/api/games/${this.info.id}/position?ply=${this.frames.steps[at - 1].ply}&moves=${moves}`;
    try {
      const found = await get(path, this.signal);
      if (this.#at !== at || this.lesson.open) return;
      this.#show({ ...found.scene, choices: [] });
      this.board.outline(found.line);
      this.#back.hidden = false;
      this.playOn.at(this.frames.steps[at - 1].ply, found.scene);
      this.#markChip(found.line.length);
      const known = found.line.length;
      const unknown = known < count ? " Chance decides what comes then." : "";
      const place = known > 1 ? `Move ${known} of the best line` : "Instead";
      this.#message.textContent = `${place}: ${found.line.at(-1)?.label ?? phrases[0]}.${unknown}`;
    } catch (problem) {
      if (!this.signal.aborted) toast(problem.message);
    }
  }

  #leaveLine() {
    const chip = /** @type {HTMLElement | null} */ (this.#detail.querySelector(".chip"));
    chip?.focus({ preventScroll: true });
    this.turnTo(this.#at, true);
  }

  /** @param {number} count how many moves of the best line are shown */
  #markChip(count) {
    this.#detail.querySelectorAll(".chip").forEach((chip, index) => {
      chip.classList.toggle("on", index < count);
      chip.setAttribute("aria-pressed", String(index < count));
    });
  }

  /**
   * @param {Api.Scene} scene
   * @param {{mine?: boolean, animate?: boolean}} [how]
   */
  #show(scene, how = {}) {
    this.board.turn(isTurned(scene, this.info.you) !== wasFlipped(this.info.game));
    this.board.show(scene, how);
    this.board.hint(null);
  }

  /**
   * Shows the position after a step; `keep` leaves the address as it is.
   * @param {number} step
   */
  async turnTo(step, keep = false) {
    const target = Math.min(this.final, Math.max(0, step));
    const before = this.#at;
    if (target === before && this.#back.hidden && !this.lesson.open) return;
    this.#at = target;
    this.lesson.end();
    this.#back.hidden = true;
    this.#message.hidden = this.#detail.hidden = false;
    this.#learn.hidden = !this.#own().length;
    this.#markChip(0);
    this.controls.mark(target);
    markMove(this.moves, target);
    this.graph.mark(target);
    this.#fillDetail();
    const { ply } = this.frames.steps[target];
    if (!keep) history.replaceState(null, "", `${location.pathname}?ply=${ply}`);
    try {
      const scene = await this.frames.scene(target);
      if (this.signal.aborted || this.#at !== target || this.lesson.open) return;
      this.#show(scene, { animate: target === before + 1 });
      this.#message.textContent = scene.message;
      this.playOn.at(ply, scene);
      this.frames.prefetch(target);
    } catch (problem) {
      if (!this.signal.aborted) toast(problem.message);
    }
  }
}
