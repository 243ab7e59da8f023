// Cards on the page of a game: an invitation above the board; a question or a request to undo over the buttons below or
// beside it, where it moves nothing.

import { copy } from "./clipboard.js";
import { h } from "./dom.js";
import { renderIfChanged } from "./panels.js";

export class Notices {
  /**
   * `actions` are called with a click: answer(yes), join(token) and close(), which drops the question.
   * @param {any} actions
   */
  constructor(actions) {
    this.actions = actions;
    this.element = h("div.notices");
    this.questions = h("div.questions");
  }

  /**
   * @param {{
   *   info: Api.GameInfo,
   *   over: boolean,
   *   question: import("./visitor.js").Question | null,
   * }} position
   */
  update({ info, over, question }) {
    const token = location.hash.slice(1);
    const open = info.seats.filter(seat => seat.kind === "open");
    const joins = open.length && !info.you.length && (token || info.listed);
    renderIfChanged(this.element, [info.status, info.invite, open.length, joins, info.you], () => [
      joins ? this.#joinCard(info, token) : null,
      info.status === "waiting" && info.invite && info.you.length ? inviteCard(info, open) : null,
    ]);
    renderIfChanged(this.questions, [info.asked, info.you, over, question?.text], () => {
      if (question) return this.#questionCard(question);
      return info.asked && !over ? this.#askedCard(info) : null;
    });
  }

  focusQuestion() {
    this.questions.querySelector(".question .primary")?.focus({ preventScroll: true });
  }

  /** @param {import("./visitor.js").Question} question */
  #questionCard({ text, label, then }) {
    const { close } = this.actions;
    return h(
      "section.card.question",
      { role: "alertdialog", "aria-label": text },
      h("p", {}, text),
      h(
        "div.row",
        {},
        h(
          "button.button.primary",
          {
            type: "button",
            onclick: () => {
              close();
              then();
            },
          },
          label,
        ),
        h("button.button", { type: "button", onclick: close }, "Keep playing"),
      ),
    );
  }

  /** @param {Api.GameInfo} info */
  #askedCard({ asked, you, seats }) {
    const seat = seats.find(each => each.number === asked.by);
    if (you.includes(asked.by))
      return h(
        "section.card.question",
        { role: "status" },
        h("p", {}, "You asked to undo a move. Waiting for an answer…"),
      );
    const answer = (yes, words, kind) =>
      h(`button.button${kind}`, { type: "button", onclick: () => this.actions.answer(yes) }, words);
    return h(
      "section.card.question",
      { role: "status" },
      h("p", {}, `${seat.name} asks to undo a move.`),
      h("div.row", {}, answer(true, "Allow", ".primary"), answer(false, "No", "")),
    );
  }

  /**
   * @param {Api.GameInfo} info
   * @param {string} token
   */
  #joinCard(info, token) {
    return h(
      "section.card.invite",
      {},
      h("h2", {}, "You are invited"),
      h("p", {}, `${people(info)} waiting for you in ${info.title}.`),
      h("button.button.primary.big", { type: "button", onclick: () => this.actions.join(token) }, "Join"),
    );
  }
}

/**
 * @param {Api.GameInfo} info
 * @param {Api.SeatInfo[]} open
 */
function inviteCard(info, open) {
  const link = new URL(info.invite, location.href).href;
  const field = h("input", {
    type: "text",
    readonly: true,
    value: link,
    "aria-label": "Link to this game",
    onfocus: () => field.select(),
  });
  return h(
    "section.card.invite",
    {},
    h("h2", {}, "Invite a friend with this link"),
    h(
      "div.row.copy",
      {},
      field,
      h("button.button.primary", { type: "button", onclick: () => copy(link, "Link copied.") }, "Copy"),
    ),
    navigator.share
      ? h(
          "button.button",
          { type: "button", onclick: () => navigator.share({ title: info.title, url: link }).catch(() => {}) },
          "Share…",
        )
      : null,
    h(
      "p.muted",
      {},
      `The game starts when ${open.length === 1 ? "your friend has" : `${open.length} players have`} joined. You can leave this page; the game is in your list on the home page.`,
    ),
  );
}

/** @param {Api.GameInfo} info */
function people(info) {
  const names = info.seats.filter(seat => seat.kind !== "open").map(seat => seat.name);
  return names.length ? `${names.join(" and ")} ${names.length > 1 ? "are" : "is"}` : "A seat is";
}
