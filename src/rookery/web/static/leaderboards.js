// The leaderboards of the daily challenges: one for each game, of any day.

import { get } from "./api.js";
import { h } from "./dom.js";
import { emblem } from "./listing.js";

const DAY = 86_400_000;

export class Leaderboards {
  #table = h("div.leader-table", { id: "leader-table", role: "tabpanel", tabindex: "0" });
  #earlier = this.#dayButton("The day before", "‹", -1);
  #later = this.#dayButton("The day after", "›", 1);
  #turn = 0;

  /**
   * @param {Api.Daily} today
   * @param {AbortSignal} signal
   */
  constructor(today, signal) {
    this.signal = signal;
    this.today = today.day;
    this.day = today.day;
    this.tabs = today.games.map(challenge => this.#tab(challenge));
    this.date = h("input", {
      type: "date",
      id: "leader-day",
      max: this.today,
      value: this.day,
      onchange: () => this.#turnTo(this.date.value || this.today),
    });
    this.parts = [
      h(
        "div.section-head",
        {},
        h("h2", { id: "boards-title" }, "Leaderboards"),
        h(
          "div.leader-days",
          {},
          this.#earlier,
          h("label.visually-hidden", { for: "leader-day" }, "Day"),
          this.date,
          this.#later,
        ),
      ),
      h("div.tabs", { role: "tablist", "aria-label": "Games", onkeydown: event => this.#arrow(event) }, this.tabs),
      this.#table,
    ];
    this.chosen = today.games[0]?.game;
    this.#choose(this.chosen);
  }

  /** @param {Api.DailyGame} challenge */
  #tab({ game, title }) {
    return h(
      "button.tab",
      {
        type: "button",
        role: "tab",
        id: `tab-${game}`,
        "data-game": game,
        "aria-controls": "leader-table",
        onclick: () => this.#choose(game),
      },
      emblem(game),
      h("span", {}, title),
    );
  }

  /**
   * @param {string} label
   * @param {string} face
   * @param {number} by
   */
  #dayButton(label, face, by) {
    const onclick = () => this.#turnTo(shifted(this.day, by));
    return h("button.button", { type: "button", "aria-label": label, onclick }, face);
  }

  /** @param {KeyboardEvent} event */
  #arrow(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const at = this.tabs.findIndex(tab => tab.dataset.game === this.chosen);
    const next = this.tabs[(at + by + this.tabs.length) % this.tabs.length];
    this.#choose(next.dataset.game);
    next.focus();
  }

  /** @param {string} day */
  #turnTo(day) {
    // biome-ignore lint/complexity/useMathMinMax: days are texts
    this.day = day > this.today ? this.today : day;
    this.date.value = this.day;
    this.#choose(this.chosen);
  }

  /** @param {string} game */
  async #choose(game) {
    this.chosen = game;
    for (const tab of this.tabs) {
      const on = tab.dataset.game === game;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
    }
    const { day } = this;
    const table = this.#table;
    this.#later.disabled = day >= this.today;
    table.setAttribute("aria-labelledby", `tab-${game}`);
    table.setAttribute("aria-busy", "true");
    this.#turn += 1;
    const request = this.#turn;
    try {
      const { rows } = await get(`/api/daily/${game}/board?day=${encodeURIComponent(day)}`, this.signal);
      if (request === this.#turn) table.replaceChildren(rows.length ? ranking(rows) : noResults(day === this.today));
    } catch (problem) {
      if (request === this.#turn && !this.signal.aborted) table.replaceChildren(h("p.quiet-note", {}, problem.message));
    } finally {
      if (request === this.#turn) table.removeAttribute("aria-busy");
    }
  }
}

/**
 * @param {string} day
 * @param {number} by days
 */
function shifted(day, by) {
  return new Date(Date.parse(`${day}T00:00Z`) + by * DAY).toISOString().slice(0, 10);
}

/** @param {boolean} now whether the day is today */
function noResults(now) {
  return h("p.quiet-note", {}, now ? "No results yet. Be the first." : "No results on that day.");
}

/** @param {Api.LeaderboardRow[]} rows */
function ranking(rows) {
  return h(
    "table",
    {},
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, "Rank"),
        h("th", { scope: "col" }, "Player"),
        h("th", { scope: "col" }, "Result"),
        h("th", { scope: "col" }, h("span.visually-hidden", {}, "Replay")),
      ),
    ),
    h(
      "tbody",
      {},
      rows.map(({ rank, name, feat, you, id, same }) =>
        h(
          `tr${you ? ".you" : ""}`,
          {},
          h("td.rank", {}, String(rank)),
          h("th.leader-name", { scope: "row" }, name || "Somebody", you && h("span.badge", {}, "you")),
          h(
            "td.feat",
            {},
            feat,
            same && h("span.badge", { title: "Another game on this board has the same moves" }, "same moves"),
          ),
          h(
            "td",
            {},
            id &&
              h(
                "a",
                { href: `/replay/${id}`, "aria-label": `Replay the game of ${name || "somebody"}, rank ${rank}` },
                "Replay",
              ),
          ),
        ),
      ),
    ),
  );
}
