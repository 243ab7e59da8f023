// The page of the daily challenges: today's, with the visitor's results, and the leaderboards.

import { applyChanges, get, post } from "./api.js";
import { copy } from "./clipboard.js";
import { h, setTitle } from "./dom.js";
import { startDaily } from "./home.js";
import { Leaderboards } from "./leaderboards.js";
import { capitalize, counted, skeletons } from "./listing.js";
import { Picture } from "./picture.js";

const DAY = 86_400_000;

/**
 * @param {HTMLElement} root
 * @param {Record<string, string>} _params
 * @param {{signal: AbortSignal}} page
 */
export async function show(root, _params, { signal }) {
  setTitle("Daily challenges");
  const date = h("span.daily-date", {}, `${dateText(new Date().toISOString().slice(0, 10))}.`);
  const clock = h("b.countdown", { role: "timer", "aria-label": "Time until the next challenges" });
  const cards = h("div.daily-cards", {}, skeletons(4, "div"));
  const boards = h("section.card.leaderboards", { "aria-labelledby": "boards-title" });
  root.append(
    h(
      "header.page-lead",
      {},
      h(
        "div",
        {},
        h("h1", {}, "Daily challenges"),
        h("p.muted", {}, date, " The same boards and the same luck for everybody, one attempt a day."),
        h(
          "p.muted",
          {},
          "Nobody has to sign in, so the boards cannot tell whether somebody plays twice. Games with the same moves are marked; the games of others can be seen when the day is over.",
        ),
      ),
      h("p.muted.daily-next", {}, "Next challenges in ", clock),
    ),
    h("section", { "aria-label": "Today’s challenges" }, cards),
    boards,
  );
  let day = null;
  countDown(clock, signal, () => load());
  load();

  async function load() {
    let today;
    try {
      today = await get("/api/daily", signal);
    } catch (problem) {
      if (signal.aborted) return;
      boards.hidden = true;
      cards.replaceChildren(
        h(
          "div.card.trouble",
          { role: "alert" },
          h("p", {}, problem.message),
          h("button.button", { type: "button", onclick: load }, "Try again"),
        ),
      );
      return;
    }
    boards.hidden = false;
    date.textContent = `${dateText(today.day)}.`;
    cards.replaceChildren(...today.games.map(each => card(each, signal)));
    if (day !== today.day) boards.replaceChildren(...new Leaderboards(today, signal).parts);
    day = today.day;
  }
}

/** @param {string} day */
function dateText(day) {
  return new Date(`${day}T00:00Z`).toLocaleDateString("en-GB", {
    weekday: "long",
    day: "numeric",
    month: "long",
    timeZone: "UTC",
  });
}

/**
 * Shows the time to midnight UTC; `onNewDay` is called when the day changes.
 * @param {HTMLElement} place
 * @param {AbortSignal} signal
 */
function countDown(place, signal, onNewDay) {
  let before = Infinity;
  const tick = () => {
    const left = DAY - (Date.now() % DAY);
    if (left > before) onNewDay();
    before = left;
    const seconds = Math.floor(left / 1000);
    place.textContent = [seconds / 3600, (seconds / 60) % 60, seconds % 60]
      .map(part => String(Math.floor(part)).padStart(2, "0"))
      .join(":");
  };
  tick();
  const timer = setInterval(tick, 1000);
  signal.addEventListener("abort", () => clearInterval(timer));
}

/** @param {AbortSignal} signal */
function card(challenge, signal) {
  const { game, title, mine, feat, rank, players, streak, share, opponents, text } = challenge;
  const over = mine && mine.status !== "playing" && mine.status !== "waiting";
  const against = opponents?.length ? `Against ${opponents.join(" and ")}` : "Solo";
  const play = h(
    "button.button.primary",
    { type: "button", onclick: () => startDaily(game, play), "aria-label": `${mine ? "Continue" : "Play"} ${title}` },
    mine ? "Continue" : "Play",
  );
  return h(
    "article.card.daily-card",
    { "data-game": game },
    picture(challenge, signal),
    h(
      "div.daily-card-words",
      {},
      h("h2", {}, title),
      h("p.daily-options", {}, text),
      h("p.muted", {}, against),
      over
        ? h(
            "p.daily-feat",
            {},
            h("b", {}, feat ? capitalize(feat) : mine.result),
            rank && h("span.muted", {}, `#${rank} of ${players}`),
          )
        : h(
            "p.daily-feat.muted",
            {},
            mine ? "In progress" : players ? `${counted(players, "player")} so far` : "Be the first today",
          ),
      h("p.daily-streak", {}, streak > 1 ? h("span.badge.streak", {}, `${counted(streak, "day")} in a row`) : "\u00a0"),
    ),
    h(
      "div.daily-card-actions.row",
      {},
      over
        ? [
            share &&
              h(
                "button.button.primary",
                {
                  type: "button",
                  "aria-label": `Share your result in ${title}`,
                  onclick: () => copy(share, "Result copied."),
                },
                "Share",
              ),
            h("a.button", { href: `/replay/${mine.id}`, "aria-label": `Replay your game of ${title}` }, "Replay"),
          ]
        : play,
    ),
  );
}

/**
 * The board as the visitor left it, or at the start.
 * @param {Api.DailyGame} challenge
 * @param {AbortSignal} signal
 */
function picture({ game, options, mine }, signal) {
  const frame = h("div.daily-picture", { "aria-hidden": "true" });
  const board = new Picture();
  signal.addEventListener("abort", () => board.destroy());
  const last = async () => {
    const { count } = await get(`/api/games/${mine.id}/frames?first=0&last=0`, signal);
    const { frames } = await get(`/api/games/${mine.id}/frames?first=${count - 1}&last=${count - 1}`, signal);
    return applyChanges(frames[0].scene);
  };
  // Chance decides part of the start of some games. The preview's outcomes are not the challenge's, so they are removed.
  const start = async () => withoutChance((await post("/api/preview", { game, options }, signal)).scene);
  (mine ? last().catch(start) : start())
    .then(scene => {
      if (signal.aborted) return;
      board.show(scene, { mine: false, animate: false });
      frame.replaceChildren(board.element);
      frame.classList.add("ready");
    })
    .catch(() => frame.classList.add("blank"));
  return frame;
}

/**
 * @param {Api.Scene} scene
 * @returns {Api.Scene}
 */
function withoutChance(scene) {
  return {
    ...scene,
    cells: scene.cells.map(cell =>
      cell.marks.some(({ role }) => role === "new")
        ? { ...cell, role: "free", text: "", marks: [], last: false }
        : cell,
    ),
  };
}
