// How a game is learned on its page: the goal until the first move, the offer of a guided first game, and its guide.

import { h } from "./dom.js";
import { beginLesson, leaveLesson, playWhole, settle, settled } from "./lesson.js";
import { renderIfChanged } from "./panels.js";

export class Learn {
  element = h("section.learn", { "aria-label": "How to play", "aria-live": "polite", hidden: true });
  #closed = false;

  /** @param {string} id */
  constructor(id) {
    this.id = id;
  }

  /**
   * @param {{
   *   info: Api.GameInfo,
   *   plies: [string, number][],
   *   over: boolean,
   *   mine: boolean,
   *   guide: Api.Instruction | null,
   *   lesson: boolean,
   * }} position
   */
  update({ info, plies, over, mine, guide, lesson }) {
    if (guide) {
      if (guide.done) settle(info.game, "finished");
      else if (!mine && this.element.childElementCount) return; // what was said stands until the others have moved
      this.element.hidden = guide.done && this.#closed;
      renderIfChanged(this.element, [guide, over], () =>
        guide.done ? this.#end(info, guide, over) : this.#step(info, guide),
      );
      return;
    }
    const begun = plies.some(([, by]) => (info.you.length ? info.you.includes(by) : by > 0));
    const own = info.kind === "game" && info.you.length > 0;
    if (begun && own && lesson && !settled(info.game)) settle(info.game, "played");
    const offered = own && lesson && !begun && info.status === "playing" && !settled(info.game);
    this.element.hidden = begun || over;
    renderIfChanged(this.element, [info.goal, offered], () => [
      h("p.goal", {}, h("b", {}, "Goal: "), info.goal),
      offered ? this.#offer(info.game) : null,
    ]);
  }

  /** @param {string} game */
  #offer(game) {
    const yes = h(
      "button.button",
      { type: "button", onclick: () => beginLesson(game, { button: yes, from: this.id }) },
      "Learn it step by step",
    );
    const no = () => {
      settle(game, "skipped");
      offer.remove();
    };
    const offer = h("p.offer.row", {}, yes, h("button.button.quiet", { type: "button", onclick: no }, "No, thanks"));
    return offer;
  }

  /**
   * @param {Api.GameInfo} info
   * @param {Api.Instruction} guide
   */
  #step({ game }, { step, steps, said, prompt }) {
    const skip = h(
      "button.button.quiet",
      {
        type: "button",
        onclick: () => {
          settle(game, "skipped");
          leaveLesson(game, skip);
        },
      },
      "Skip the guide",
    );
    return [
      h("p.guide-head.row", {}, h("span.muted", {}, `Step ${step} of ${steps}`), skip),
      said ? h("p.guide-said", {}, said) : null,
      h("p.guide-prompt", {}, prompt),
    ];
  }

  /**
   * @param {Api.GameInfo} info
   * @param {Api.Instruction} guide
   * @param {boolean} over
   */
  #end({ game }, { said, prompt, level }, over) {
    const whole = h(
      "button.button.primary",
      { type: "button", onclick: () => playWhole(game, level, whole) },
      level ? `Play against level ${level}` : "Play a whole game",
    );
    const close = () => {
      this.#closed = true;
      this.element.hidden = true;
    };
    return [
      h("h2", {}, "You know the game now"),
      said ? h("p.guide-said", {}, said) : null,
      h("p.guide-prompt", {}, prompt),
      h("p.row", {}, whole, over ? null : h("button.button", { type: "button", onclick: close }, "Play on here")),
    ];
  }
}
