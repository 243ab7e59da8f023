// The home page: the games, today's challenges, the visitor's games, and games to join or watch.

import { games, get, post } from "./api.js";
import { go } from "./app.js";
import { demoBoard } from "./demo.js";
import { h, setTitle, toast } from "./dom.js";
import { beginLesson } from "./lesson.js";
import { capitalize, counted, emblem, gameRow, reviewLink, skeletons } from "./listing.js";

const REFRESH = 10_000;
const SHOWN = 5;

/**
 * @param {HTMLElement} root
 * @param {Record<string, string>} _params
 * @param {{signal: AbortSignal}} page
 */
export async function show(root, _params, { signal }) {
  setTitle("");
  const cards = h("div.games", {}, skeletons(4, "div"));
  const daily = h("ul.daily-strip", {}, skeletons(4));
  const mine = h("ul.game-list", {}, skeletons(3));
  const open = h("div.open-games", {}, h("ul.game-list", {}, skeletons(3)));
  root.append(
    h("header.home-lead", {}, h("h1", {}, "One step at a time"), h("p.muted", {}, "No account needed. Pick a game.")),
    h("section", { "aria-label": "The games" }, cards),
    h(
      "section.home-daily",
      { "aria-labelledby": "daily-title" },
      h(
        "div.section-head",
        {},
        h("h2", { id: "daily-title" }, "Today’s challenge"),
        h("a", { href: "/daily" }, "Results and leaderboards"),
      ),
      daily,
    ),
    h(
      "div.home-lists",
      {},
      h(
        "section.card",
        { "aria-labelledby": "mine-title" },
        h("div.section-head", {}, h("h2", { id: "mine-title" }, "Your games"), h("a", { href: "/profile" }, "All")),
        mine,
      ),
      h(
        "section.card",
        { "aria-labelledby": "open-title" },
        h("div.section-head", {}, h("h2", { id: "open-title" }, "Join or watch")),
        open,
      ),
    ),
    h("p.home-foot.muted", {}, "Have a record of a game? ", h("a", { href: "/replay" }, "Upload a record"), "."),
  );
  fillCards(cards, signal);
  fillDaily(daily, signal);
  refreshLists(mine, open, signal);
}

/**
 * Starts a game against the default opponent and opens it.
 * @param {string} game
 * @param {HTMLButtonElement} button
 */
export async function playNow(game, button, options = {}) {
  button.disabled = true;
  button.setAttribute("aria-busy", "true");
  try {
    const info = await post("/api/games", { game, options });
    await go(`/game/${info.id}`);
  } catch (problem) {
    toast(problem.message);
  } finally {
    button.disabled = false;
    button.removeAttribute("aria-busy");
  }
}

/**
 * @param {HTMLElement} place
 * @param {AbortSignal} signal
 */
async function fillCards(place, signal) {
  try {
    const found = await games();
    if (!signal.aborted) place.replaceChildren(...found.map(game => card(game, signal)));
  } catch (problem) {
    if (signal.aborted) return;
    place.replaceChildren(
      h(
        "div.card.trouble",
        { role: "alert" },
        h("p", {}, problem.message),
        h("button.button", { type: "button", onclick: () => go("/", { replace: true }) }, "Try again"),
      ),
    );
  }
}

/**
 * @param {Api.GameKind} game
 * @param {AbortSignal} signal
 */
function card(game, signal) {
  const play = h(
    "button.button.primary",
    { type: "button", onclick: () => playNow(game.name, play), "aria-label": `Play ${game.title} now` },
    "Play now",
  );
  return h(
    "article.card.game-card",
    { "data-game": game.name },
    demoBoard(game.name, { signal }),
    h("div.game-card-words", {}, h("h2", {}, game.title), h("p.game-card-summary", {}, game.summary)),
    h(
      "div.game-card-actions",
      {},
      play,
      h(
        "div.game-card-links",
        {},
        h("a", { href: `/play/${game.name}`, "aria-label": `Options of ${game.title}` }, "Options"),
        h("a", { href: `/rules/${game.name}`, "aria-label": `Quick rules of ${game.title}` }, "Rules"),
        game.lesson ? learn(game) : null,
        game.puzzles > 0 &&
          h("a.puzzle-link", { href: `/puzzles/${game.name}`, "aria-label": `Puzzles of ${game.title}` }, "Puzzles"),
      ),
    ),
  );
}

/**
 * A button that starts the guided first game.
 * @param {Api.GameKind} game
 */
function learn(game) {
  const button = h(
    "button.link",
    {
      type: "button",
      "aria-label": `Learn ${game.title} in a guided game`,
      onclick: () => beginLesson(game.name, { button }),
    },
    "Learn",
  );
  return button;
}

/**
 * @param {HTMLElement} place
 * @param {AbortSignal} signal
 */
async function fillDaily(place, signal) {
  try {
    const { games: challenges } = await get("/api/daily", signal);
    place.replaceChildren(...challenges.map(challenge));
  } catch {
    if (!signal.aborted)
      place.replaceChildren(h("li.quiet-note.muted", {}, "Today’s challenges are not available right now."));
  }
}

/** @param {Api.DailyGame} challenge */
function challenge({ game, title, text, mine, feat, rank, players, streak }) {
  const over = mine && mine.status !== "playing" && mine.status !== "waiting";
  const state = over
    ? [capitalize(feat ?? "played"), rank && ` · #${rank} of ${players}`]
    : mine
      ? "Continue"
      : players
        ? `${counted(players, "player")} so far`
        : "Be the first today";
  const words = [
    emblem(game),
    h(
      "span.daily-words",
      {},
      h(
        "span.daily-title",
        {},
        h("b", {}, title),
        streak > 1 && h("span.badge.streak", {}, counted(streak, "day"), h("span.visually-hidden", {}, " in a row")),
      ),
      h("span.muted.daily-options", {}, text),
      h("span.muted", {}, state),
    ),
    h("span.daily-go", { "aria-hidden": "true" }, over ? "✓" : "→"),
  ];
  if (over) return h("li", { "data-game": game }, h("a.daily-item.done", { href: "/daily" }, words));
  const button = h("button.daily-item", { type: "button", onclick: () => startDaily(game, button) }, words);
  return h("li", { "data-game": game }, button);
}

/**
 * Starts or continues today's challenge of a game.
 * @param {string} game
 * @param {HTMLButtonElement} button
 */
export async function startDaily(game, button) {
  button.disabled = true;
  try {
    const info = await post(`/api/daily/${game}`);
    await go(`/game/${info.id}`);
  } catch (problem) {
    toast(problem.message);
  } finally {
    button.disabled = false;
  }
}

/**
 * Fetches the lists now, every ten seconds while the page is visible, and when it becomes visible again.
 * @param {HTMLElement} mine
 * @param {HTMLElement} open
 * @param {AbortSignal} signal
 */
function refreshLists(mine, open, signal) {
  const shown = new Map();
  let loading = false;

  async function refresh() {
    if (loading || document.hidden) return;
    loading = true;
    try {
      const [own, join, watch] = await Promise.all(
        ["mine", "join", "watch"].map(which => get(`/api/games?which=${which}&limit=12`, signal)),
      );
      if (signal.aborted) return;
      redraw("mine", mine, own.games, () => ownGames(own.games));
      const others = {
        join: join.games.filter(info => !info.you.length),
        watch: watch.games.filter(info => !info.you.length),
      };
      redraw("open", open, others, () => openGames(others));
    } catch {
      if (signal.aborted || shown.size) return;
      mine.replaceChildren(h("li.quiet-note.muted", {}, "Your games will appear when the server answers."));
      open.replaceChildren(h("p.quiet-note.muted", {}, "Waiting for the server."));
    } finally {
      loading = false;
    }
  }

  /**
   * A list that did not change is left alone, so that focus and scroll position stay.
   * @param {string} name
   * @param {HTMLElement} place
   * @param {any} content
   * @param {() => any} make
   */
  function redraw(name, place, content, make) {
    const key = JSON.stringify(content);
    if (shown.get(name) === key) return;
    shown.set(name, key);
    const focused = place.contains(document.activeElement)
      ? /** @type {HTMLElement | null} */ (document.activeElement.closest("[data-id]"))?.dataset.id
      : null;
    place.replaceChildren(...[make()].flat());
    if (focused)
      /** @type {HTMLElement | null} */ (
        place.querySelector(`[data-id="${CSS.escape(focused)}"] :is(a, button)`)
      )?.focus({ preventScroll: true });
  }

  refresh();
  const timer = setInterval(refresh, REFRESH);
  document.addEventListener("visibilitychange", refresh, { signal });
  signal.addEventListener("abort", () => clearInterval(timer));
}

/** @param {Api.GameInfo[]} list */
function ownGames(list) {
  if (!list.length) return h("li.quiet-note", {}, "No games yet. Your games appear here, to continue or replay.");
  const live = list.filter(info => info.status === "playing" || info.status === "waiting");
  const past = list.filter(info => info.status !== "playing" && info.status !== "waiting");
  return [...live, ...past]
    .slice(0, SHOWN)
    .map(info =>
      gameRow(
        info,
        live.includes(info)
          ? h("a.button.primary", { href: `/game/${info.id}` }, "Continue")
          : h("a.button", { href: reviewLink(info).href }, reviewLink(info).words),
      ),
    );
}

/** @param {{join: Api.GameInfo[], watch: Api.GameInfo[]}} games */
function openGames({ join, watch }) {
  if (!join.length && !watch.length) {
    return h(
      "div.quiet-note",
      {},
      h("p", {}, "No open games right now. Friends can join by a link, without an account."),
      inviteLinks(),
    );
  }
  const rows = [
    ...join.slice(0, SHOWN).map(info => {
      const button = h("button.button.primary", { type: "button", onclick: () => joinGame(info.id, button) }, "Join");
      return gameRow(info, button);
    }),
    ...watch
      .slice(0, SHOWN - Math.min(SHOWN - 2, join.length))
      .map(info => gameRow(info, h("a.button", { href: `/game/${info.id}` }, "Watch"))),
  ];
  return [h("ul.game-list", {}, rows), join.length ? null : h("div.quiet-note", {}, inviteLinks())].filter(Boolean);
}

function inviteLinks() {
  const row = h("p.row.invite-links", {}, h("span", {}, "Invite a friend to"));
  games().then(
    found => {
      for (const game of found.filter(each => each.players > 1)) {
        row.append(h("a.button", { href: `/play/${game.name}?with=friend`, "data-game": game.name }, game.title));
      }
    },
    () => row.remove(),
  );
  return row;
}

/**
 * @param {string} id
 * @param {HTMLButtonElement} button
 */
async function joinGame(id, button) {
  button.disabled = true;
  try {
    await post(`/api/games/${id}/join`, { token: "" });
    await go(`/game/${id}`);
  } catch (problem) {
    toast(problem.message);
    button.disabled = false;
  }
}
