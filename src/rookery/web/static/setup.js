// The set-up page: players, options and clock, with a preview of the board.

import { games, post } from "./api.js";
import { go } from "./app.js";
import { botOf, given, loadChoice, resized, saveChoice } from "./choice.js";
import { clockOf, clockPart } from "./clock.js";
import { exampleBoard } from "./demo.js";
import { h, setTitle, toast } from "./dom.js";
import { rulesAddress } from "./listing.js";
import { optionsPart, toggle } from "./options.js";
import { Picture } from "./picture.js";
import { rulesList } from "./rules.js";
import { seatsPart } from "./seats.js";

const PREVIEW_DELAY = 250; // milliseconds after the last change before the preview is fetched

/**
 * @param {HTMLElement} root
 * @param {Record<string, string>} params
 * @param {{signal: AbortSignal}} page
 */
export async function show(root, params, { signal }) {
  const game = (await games()).find(each => each.name === params.game);
  if (signal.aborted) return;
  if (!game) throw new Error(`There is no game called ${params.game}.`);
  setTitle(`Set up ${game.title}`);
  document.body.dataset.game = game.name;

  const page = new SetupPage(game, signal);
  root.append(page.element);
  page.begin();
}

class SetupPage {
  #timer = 0;
  #turn = 0;
  #board = new Picture();
  #picture = h("div.setup-picture");
  #caption = h("p.setup-caption.muted", {}, "\u00a0");
  #rules = h("div.setup-rules.stack");
  #trouble = h("p.setup-trouble", { role: "alert" });
  #seats = h("div.setup-seats.stack");
  #extras = h("div.setup-extras.stack");
  #play = h("button.button.primary.big", { type: "submit", form: "setup-form" }, "Play");

  /**
   * @param {Api.GameKind} game
   * @param {AbortSignal} signal
   */
  constructor(game, signal) {
    this.game = game;
    this.signal = signal;
    this.choice = loadChoice(game);
    this.asked = new URLSearchParams(location.search).get("with");
    if (this.asked) this.choice.seats = null;
    this.rulesLink = h("a", { href: `/rules/${game.name}` }, "Quick rules");
    this.form = h(
      "form.setup-form.stack",
      { id: "setup-form", novalidate: true, onsubmit: event => this.#submit(event) },
      this.#seats,
      optionsPart(game, this.choice, () => this.#optionsChanged()),
      this.#extras,
    );
    this.element = this.#layout();
    signal.addEventListener("abort", () => this.#board.destroy());
  }

  #layout() {
    const { title, summary } = this.game;
    return h(
      "div.setup",
      {},
      h("header.setup-lead", {}, h("h1", {}, title), h("p.muted", {}, summary, " ", this.rulesLink)),
      this.form,
      h(
        "aside.setup-side",
        { "aria-label": "The board" },
        h("div.card.stack", {}, this.#picture, this.#caption),
        h("details.card.setup-details", {}, h("summary", {}, "Rules with these options"), this.#rules),
      ),
      h(
        "div.setup-foot",
        {},
        this.#trouble,
        this.#play,
        h("p.muted.setup-record", {}, "Or ", h("a", { href: "/replay" }, "upload a record"), " to replay it."),
      ),
    );
  }

  begin() {
    this.#drawSeats(this.game.players);
    this.#preview();
  }

  // -- The board with the options -------------------------------------------------------------------------------------

  #optionsChanged() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#preview(), PREVIEW_DELAY);
  }

  async #preview() {
    this.#turn += 1;
    const asking = this.#turn;
    try {
      const options = given(this.game, this.choice.options);
      const found = await post("/api/preview", { game: this.game.name, options }, this.signal);
      if (asking !== this.#turn || this.signal.aborted) return;
      this.#showPreview(found, options);
    } catch (problem) {
      if (asking !== this.#turn || this.signal.aborted) return;
      this.#picture.classList.add("stale");
      this.#showError(problem);
    }
  }

  /**
   * @param {Api.Preview} preview
   * @param {Record<string, any>} options
   */
  #showPreview({ players, scene, text, rules, examples }, options) {
    const { name, title } = this.game;
    this.#board.show(scene, { mine: false, animate: false });
    if (!this.#picture.firstChild) this.#picture.append(this.#board.element);
    this.#picture.classList.remove("stale");
    this.#caption.textContent = `${title}: ${text}`;
    const shown = examples.map(each => exampleBoard(each, { signal: this.signal }));
    this.#rules.replaceChildren(...shown, rulesList(rules));
    this.rulesLink.href = rulesAddress(name, options);
    this.#showError(null);
    if (players !== this.choice.seats?.length) this.#drawSeats(players);
  }

  /**
   * Shows the server's message, and marks the option that is wrong.
   * @param {import("./api.js").RequestError | null} problem
   */
  #showError(problem) {
    this.#trouble.textContent = problem?.message ?? "";
    for (const field of this.form.querySelectorAll("[data-option]")) {
      const wrong = Boolean(problem?.option) && field.dataset.option === problem.option;
      field.classList.toggle("wrong", wrong);
      for (const control of field.querySelectorAll("input, select")) {
        if (wrong) control.setAttribute("aria-invalid", "true");
        else control.removeAttribute("aria-invalid");
      }
    }
  }

  // -- Who plays ------------------------------------------------------------------------------------------------------

  /** @param {number} count */
  #drawSeats(count) {
    const { choice } = this;
    choice.seats = resized(choice.seats, count, choice.seats ? null : this.asked);
    this.#showSeats();
    this.#drawExtras();
  }

  #showSeats() {
    this.#seats.replaceChildren(...seatsPart(this.game, this.choice, how => this.#seatsChanged(how)));
  }

  #seatsChanged({ redraw = false } = {}) {
    if (redraw) {
      const focused = document.activeElement?.id;
      this.#showSeats();
      if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    }
    this.#drawExtras();
  }

  // Whether several people play, and whether some of them are invited.
  #company() {
    const { seats } = this.choice;
    return {
      several: seats.filter(seat => seat.kind !== "bot").length > 1,
      invited: seats.some(seat => seat.kind === "invite"),
    };
  }

  #drawExtras() {
    const { game, choice } = this;
    const { several, invited } = this.#company();
    const list = on => {
      choice.listed = on;
    };
    const hide = on => {
      choice.odds = on ? "never" : "ask";
    };
    const who = "Anybody can join, not only people with the link.";
    const parts = [
      several && clockPart(choice),
      invited && toggle("listed", "List it on the home page", who, choice.listed, list),
      game.odds && toggle("odds", "Hide the odds", "Nobody can show them in this game.", choice.odds === "never", hide),
    ];
    this.#extras.replaceChildren(...parts.filter(Boolean));
    const watched = choice.seats.every(seat => seat.kind === "bot");
    this.#play.textContent = invited ? "Get the link" : watched ? "Watch" : "Play";
  }

  // -- Beginning the game ---------------------------------------------------------------------------------------------

  /** @param {Event} event */
  async #submit(event) {
    event.preventDefault();
    this.#play.disabled = true;
    saveChoice(this.game, this.choice);
    try {
      const info = await post("/api/games", this.#setUp(), this.signal);
      await go(`/game/${info.id}`);
    } catch (problem) {
      if (this.signal.aborted) return;
      this.#showError(problem);
      toast(problem.message);
      this.#play.disabled = false;
    }
  }

  // What the server is sent.
  #setUp() {
    const { game, choice } = this;
    const { several, invited } = this.#company();
    return {
      game: game.name,
      options: given(game, choice.options),
      seats: choice.seats.map(seat =>
        seat.kind === "bot" ? { kind: "bot", bot: botOf(game, seat) } : { kind: seat.kind },
      ),
      clock: several ? clockOf(choice) : null,
      listed: invited && choice.listed,
      odds: game.odds ? choice.odds : "ask",
    };
  }
}
