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

  const choice = loadChoice(game);
  const asked = new URLSearchParams(location.search).get("with");
  if (asked) choice.seats = null;

  const board = new Picture();
  const picture = h("div.setup-picture");
  const caption = h("p.setup-caption.muted", {}, "\u00a0");
  const rules = h("div.setup-rules.stack");
  const trouble = h("p.setup-trouble", { role: "alert" });
  const seats = h("div.setup-seats.stack");
  const extras = h("div.setup-extras.stack");
  const rulesLink = h("a", { href: `/rules/${game.name}` }, "Quick rules");
  const play = h("button.button.primary.big", { type: "submit" }, "Play");
  const form = h(
    "form.setup-form.stack",
    { novalidate: true, onsubmit: submit },
    seats,
    optionsPart(game, choice, changed),
    extras,
  );
  root.append(
    h(
      "div.setup",
      {},
      h("header.setup-lead", {}, h("h1", {}, game.title), h("p.muted", {}, game.summary, " ", rulesLink)),
      form,
      h(
        "aside.setup-side",
        { "aria-label": "The board" },
        h("div.card.stack", {}, picture, caption),
        h("details.card.setup-details", {}, h("summary", {}, "Rules with these options"), rules),
      ),
      h(
        "div.setup-foot",
        {},
        trouble,
        play,
        h("p.muted.setup-record", {}, "Or ", h("a", { href: "/replay" }, "upload a record"), " to replay it."),
      ),
    ),
  );
  play.setAttribute("form", "setup-form");
  form.id = "setup-form";
  signal.addEventListener("abort", () => board.destroy());

  let timer = 0;
  let turn = 0;
  drawSeats(game.players);
  preview();

  function changed() {
    clearTimeout(timer);
    timer = setTimeout(preview, PREVIEW_DELAY);
  }

  async function preview() {
    turn += 1;
    const asking = turn;
    try {
      const options = given(game, choice.options);
      const {
        players,
        scene,
        text,
        rules: told,
        examples,
      } = await post("/api/preview", { game: game.name, options }, signal);
      if (asking !== turn || signal.aborted) return;
      board.show(scene, { mine: false, animate: false });
      if (!picture.firstChild) picture.append(board.element);
      picture.classList.remove("stale");
      caption.textContent = `${game.title}: ${text}`;
      rules.replaceChildren(...examples.map(each => exampleBoard(each, { signal })), rulesList(told));
      rulesLink.href = rulesAddress(game.name, options);
      showError(null);
      if (players !== choice.seats?.length) drawSeats(players);
    } catch (problem) {
      if (asking !== turn || signal.aborted) return;
      picture.classList.add("stale");
      showError(problem);
    }
  }

  // Shows the server's message, and marks the option that is wrong.
  function showError(problem) {
    trouble.textContent = problem?.message ?? "";
    for (const field of form.querySelectorAll("[data-option]")) {
      const wrong = Boolean(problem?.option) && field.dataset.option === problem.option;
      field.classList.toggle("wrong", wrong);
      for (const control of field.querySelectorAll("input, select")) {
        if (wrong) control.setAttribute("aria-invalid", "true");
        else control.removeAttribute("aria-invalid");
      }
    }
  }

  /** @param {number} count */
  function drawSeats(count) {
    choice.seats = resized(choice.seats, count, choice.seats ? null : asked);
    seats.replaceChildren(...seatsPart(game, choice, seatsChanged));
    drawExtras();
  }

  function seatsChanged({ redraw = false } = {}) {
    if (redraw) {
      const focused = document.activeElement?.id;
      seats.replaceChildren(...seatsPart(game, choice, seatsChanged));
      if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    }
    drawExtras();
  }

  function drawExtras() {
    const people = choice.seats.filter(seat => seat.kind !== "bot").length;
    const invited = choice.seats.some(seat => seat.kind === "invite");
    extras.replaceChildren(
      ...[
        people > 1 && clockPart(choice),
        invited &&
          toggle(
            "listed",
            "List it on the home page",
            "Anybody can join, not only people with the link.",
            choice.listed,
            on => {
              choice.listed = on;
            },
          ),
        game.odds &&
          toggle("odds", "Hide the odds", "Nobody can show them in this game.", choice.odds === "never", on => {
            choice.odds = on ? "never" : "ask";
          }),
      ].filter(Boolean),
    );
    play.textContent = invited ? "Get the link" : choice.seats.every(seat => seat.kind === "bot") ? "Watch" : "Play";
  }

  /** @param {Event} event */
  async function submit(event) {
    event.preventDefault();
    play.disabled = true;
    saveChoice(game, choice);
    const people = choice.seats.filter(seat => seat.kind !== "bot").length;
    const invited = choice.seats.some(seat => seat.kind === "invite");
    try {
      const info = await post(
        "/api/games",
        {
          game: game.name,
          options: given(game, choice.options),
          seats: choice.seats.map(seat =>
            seat.kind === "bot" ? { kind: "bot", bot: botOf(game, seat) } : { kind: seat.kind },
          ),
          clock: people > 1 ? clockOf(choice) : null,
          listed: invited && choice.listed,
          odds: game.odds ? choice.odds : "ask",
        },
        signal,
      );
      await go(`/game/${info.id}`);
    } catch (problem) {
      if (signal.aborted) return;
      showError(problem);
      toast(problem.message);
      play.disabled = false;
    }
  }
}
