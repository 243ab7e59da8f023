// The end of a game: a card with the result, what it is worth, and what comes next. It stands over the side panel, on
// phones at the foot of the screen, so the board stays where it is. It can be closed and brought back.

import { games, get } from "./api.js";
import { go } from "./app.js";
import { loadChoice, saveChoice } from "./choice.js";
import { copy } from "./clipboard.js";
import { h, svg, toast } from "./dom.js";
import { reviewLink } from "./listing.js";
import { figures } from "./panels.js";
import { motionAllowed } from "./settings.js";

const LOOK_MS = 450; // the last move is seen first
const SETTLE_MS = 500; // a touch that comes so soon was meant for the board

export class EndCard {
  /** @type {Api.GameEnding | null} */
  #told = null;
  #key = "";
  #drawn = "";
  /** @type {{info: Api.GameInfo, scene: Api.Scene} | null} */
  #game = null;
  #timer = 0;
  #openedAt = 0;
  /** @type {Element | null} What had the focus before the card was opened. */
  #before = null;

  // `visitor` has playAgain(); `picture()` is the element of the board.
  constructor(id, { visitor, picture, signal }) {
    this.id = id;
    this.visitor = visitor;
    this.picture = picture;
    this.element = h("section.card.result.ending", {
      role: "dialog",
      "aria-labelledby": "ending-title",
      tabindex: "-1",
      hidden: true,
    });
    this.reopen = h(
      "button.button.ending-reopen",
      { type: "button", hidden: true, onclick: () => this.#open(true) },
      "Show the result",
    );
    document.addEventListener("pointerdown", event => this.#pressed(event), { signal });
    signal.addEventListener("abort", () => clearTimeout(this.#timer));
  }

  get isOpen() {
    return !this.element.hidden;
  }

  // `begun` if the visitor has seen the game go on; then the card waits a moment, and takes the focus.
  update({ info, scene, over, begun }) {
    this.#game = { info, scene };
    const key = over ? JSON.stringify([info.status, info.plies, info.takebacks, info.feat, info.winners]) : "";
    if (key !== this.#key) {
      this.#key = key;
      this.#told = null;
      clearTimeout(this.#timer);
      this.element.hidden = this.reopen.hidden = true;
      if (over) this.#tell(key, begun);
    } else if (this.#told) this.#draw();
  }

  async #tell(key, begun) {
    /** @type {Api.GameEnding} */
    const told = await get(`/api/games/${this.id}/ending`).catch(() => untold(this.#game.scene));
    if (key !== this.#key) return;
    this.#told = told;
    this.#draw();
    const wait = begun && motionAllowed() ? LOOK_MS : 0;
    this.#timer = setTimeout(() => this.#open(begun), wait);
  }

  #open(focus) {
    if (this.isOpen) return;
    this.#before = document.activeElement;
    this.element.hidden = false;
    this.reopen.hidden = true;
    this.#openedAt = performance.now();
    if (focus) this.element.focus({ preventScroll: true });
  }

  // Closes the card; returns whether it was open.
  close() {
    if (!this.isOpen) return false;
    const inside = this.element.contains(document.activeElement);
    this.element.hidden = true;
    this.reopen.hidden = false;
    if (inside) {
      const before = this.#before;
      const back = before?.isConnected && before !== document.body && before !== this.reopen ? before : this.reopen;
      /** @type {HTMLElement} */ (back).focus({ preventScroll: true });
    }
    return true;
  }

  #pressed(event) {
    if (!this.isOpen || performance.now() - this.#openedAt < SETTLE_MS) return;
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest(".ending, dialog")) return;
    this.close();
  }

  #draw() {
    const told = this.#told;
    const { info, scene } = this.#game;
    // The scene of the last move may come after the news that the game is over.
    const key = JSON.stringify([told, info.rematch, info.may, scene.panels]);
    if (this.#drawn === key) return;
    this.#drawn = key;
    this.element.classList.toggle("won", told.won || Boolean(told.new_best));
    const general = scene.panels.filter(panel => !panel.owner);
    const lists = general.filter(panel => panel.items.length);
    this.element.replaceChildren(
      h(
        "header.ending-head",
        {},
        h("h2", { id: "ending-title" }, told.text),
        h(
          "button.button.quiet.icon-only",
          { type: "button", "aria-label": "Close the result", title: "Close", onclick: () => this.close() },
          svg(
            "svg.icon",
            { viewBox: "0 0 20 20", width: 20, height: 20, "aria-hidden": "true" },
            svg("path", { d: "M5 5l10 10M15 5L5 15" }),
          ),
        ),
      ),
      told.best ? h(`p.ending-best${told.new_best ? ".new" : ""}`, {}, told.new_best ? star() : null, told.best) : "",
      ...[told.place, told.note].filter(Boolean).map(words => h("p.ending-note", {}, words)),
      general.length && !scene.players.length ? h("dl.counts", {}, figures(lists.length ? lists : general)) : "",
      told.bots ? levels(told) : "",
      this.#ways(info),
      this.#sharing(info, scene),
    );
  }

  #ways(info) {
    const again =
      info.may.rematch && !info.local
        ? "Rematch"
        : info.you.length || info.may.restart
          ? "Play again"
          : "Play this game";
    const review = reviewLink(info);
    return h(
      "div.row",
      {},
      info.rematch
        ? h("a.button.primary", { href: `/game/${info.rematch}` }, "Go to the rematch")
        : h("button.button.primary", { type: "button", onclick: () => this.visitor.playAgain() }, again),
      h("a.button", { href: review.href }, review.words),
      h(
        "button.button",
        { type: "button", onclick: () => changeOptions(info), title: "Change the options" },
        "Options",
      ),
    );
  }

  #sharing(info, scene) {
    const told = this.#told;
    const record = `/api/games/${this.id}/record`;
    return h(
      "div.row.ending-share",
      {},
      told.share ? h("button.button", { type: "button", onclick: () => share(told) }, "Share") : null,
      h("button.button", { type: "button", onclick: event => this.#savePicture(event, info, scene) }, "Picture"),
      h("a.button.quiet", { href: record, download: "", title: "Download the record" }, "Record"),
    );
  }

  async #savePicture(event, info, scene) {
    const button = event.currentTarget;
    button.disabled = true;
    try {
      const { drawResult, offer } = await import("./endpicture.js");
      const { text, link } = this.#told;
      const address = new URL(link || `/replay/${this.id}`, location.origin);
      const words = { title: scene.title.replace("  ", " · "), text, address: address.host + address.pathname };
      await offer(await drawResult(this.picture(), words), `rookery-${info.game}-${this.id}.png`);
    } catch {
      toast("The picture could not be drawn.");
    } finally {
      button.disabled = false;
    }
  }
}

// What is known without the server.
function untold({ message }) {
  const nothing = { best: null, new_best: false, place: null, bots: null, levels: [], note: null };
  return { text: message, won: false, share: "", link: "", ...nothing };
}

function star() {
  return h("span.ending-star", { "aria-hidden": "true" }, "★ ");
}

// What bots reach: a sentence, and every level on request.
function levels({ bots, levels }) {
  return h(
    "details.ending-levels",
    {},
    h("summary", {}, bots),
    h(
      "ol",
      {},
      levels.map((words, index) => h("li", {}, h("span.muted", {}, `Level ${index + 1} `), words)),
    ),
  );
}

// Shares a result as text with its link; where the browser cannot, copies it.
async function share({ share: text, link }) {
  const whole = `${text}\n${new URL(link, location.origin).href}`;
  if (navigator.share) {
    try {
      await navigator.share({ text: whole });
      return;
    } catch (problem) {
      if (problem.name === "AbortError") return;
    }
  }
  await copy(whole, "Result copied.");
}

// Opens the set-up page with the options and seats of a game.
async function changeOptions(info) {
  const game = (await games().catch(() => [])).find(each => each.name === info.game);
  if (game) {
    const choice = loadChoice(game);
    const seats = info.seats.map(seat => ({
      kind: seat.kind === "bot" ? "bot" : seat.yours ? "here" : "invite",
      level: seat.level ?? 3,
    }));
    const mine = info.you.length && info.seats.every(seat => seat.kind !== "bot" || seat.level);
    saveChoice(game, {
      ...choice,
      options: { ...choice.options, ...info.options },
      seats: mine ? seats : choice.seats,
    });
  }
  go(`/play/${info.game}`);
}
