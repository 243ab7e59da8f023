// The line for short messages on a page with a board: it has a place of its own, so that it covers and moves nothing.

import { h, sendToasts } from "./dom.js";

const SHOWN_MS = 5000;

export class Notes {
  element = h("div.note", { role: "status", "aria-live": "polite" });
  #timer = 0;
  #text = "";
  #stays = false;
  #state = "";

  // From now on this line shows the page's short messages.
  constructor() {
    sendToasts(text => this.say(text));
  }

  destroy() {
    clearTimeout(this.#timer);
    sendToasts(null);
  }

  /**
   * Shows a message in place of the one before: for a while, or until the next move.
   * @param {string} text
   * @param {{untilMove?: boolean}} [how]
   */
  say(text, { untilMove = false } = {}) {
    clearTimeout(this.#timer);
    this.#text = text;
    this.#stays = untilMove;
    if (!untilMove) this.#timer = setTimeout(() => this.#clear(), SHOWN_MS);
    this.#draw();
  }

  // A move was made: a message about the position before it is gone.
  moved() {
    if (this.#stays) this.#clear();
  }

  /**
   * Shows a state for as long as it lasts, when there is nothing else to say; "" ends it.
   * @param {string} text
   */
  setState(text) {
    this.#state = text;
    this.#draw();
  }

  #clear() {
    this.#text = "";
    this.#stays = false;
    this.#draw();
  }

  #draw() {
    const text = this.#text || this.#state;
    if (this.element.textContent === text) return;
    this.element.replaceChildren(...(text ? [h(this.#text ? "p" : "p.offline", {}, text)] : []));
  }
}
