// The profile page: name, statistics, games, and stored data.

import { games, get, request } from "./api.js";
import { go } from "./app.js";
import { h, setTitle, toast } from "./dom.js";
import { counted, emblem, gameRow, reviewLink, skeletons } from "./listing.js";

const PAGE_SIZE = 20;

/**
 * @param {HTMLElement} root
 * @param {Record<string, string>} _params
 * @param {{signal: AbortSignal}} page
 */
export async function show(root, _params, { signal }) {
  setTitle("Profile");
  const name = h(
    "section.card.profile-name",
    { "aria-labelledby": "name-title" },
    h("div.skeleton", { "aria-hidden": "true" }),
  );
  const tallies = h("div.careers", {}, skeletons(4, "div"));
  const list = h("div", {}, h("ul.game-list", {}, skeletons(4)));
  root.append(
    h("header.page-lead", {}, h("h1", {}, "Profile")),
    name,
    h(
      "section",
      { "aria-labelledby": "figures-title" },
      h("div.section-head", {}, h("h2", { id: "figures-title" }, "Statistics")),
      tallies,
    ),
    h(
      "section.card",
      { "aria-labelledby": "list-title" },
      h(
        "div.section-head",
        {},
        h("h2", { id: "list-title" }, "Your games"),
        h("a", { href: "/replay" }, "Upload a record"),
      ),
      list,
    ),
    h(
      "section.card.profile-data",
      { "aria-labelledby": "data-title" },
      h("h2", { id: "data-title" }, "Your data"),
      h(
        "p.muted",
        {},
        "Rookery identifies you by a cookie in this browser and stores your name, your games and your answers to puzzles. Nothing else.",
      ),
      h(
        "div.row",
        {},
        h("a.button", { href: "/api/me/export", download: "rookery.json" }, "Download my data"),
        h("button.button.danger", { type: "button", onclick: () => confirmDelete(signal) }, "Delete my data…"),
      ),
    ),
  );
  fillMe(name, tallies, signal);
  fillGames(list, PAGE_SIZE, signal);
}

/**
 * @param {HTMLElement} place
 * @param {AbortSignal} signal
 */
async function fillMe(place, tallies, signal) {
  let me, known;
  try {
    [me, known] = await Promise.all([get("/api/me", signal), games()]);
  } catch (problem) {
    if (signal.aborted) return;
    place.replaceChildren(
      h("h2", { id: "name-title" }, "Your name"),
      h(
        "div.trouble",
        { role: "alert" },
        h("p", {}, problem.message),
        h("button.button", { type: "button", onclick: () => fillMe(place, tallies, signal) }, "Try again"),
      ),
    );
    tallies.replaceChildren(h("p.quiet-note", {}, "Waiting for the server."));
    return;
  }
  if (signal.aborted) return;
  drawName(place, me.name, signal);
  tallies.replaceChildren(...known.map(game => tally(game, me.games[game.name], me.puzzles[game.name])));
}

/**
 * @param {HTMLElement} place
 * @param {AbortSignal} signal
 */
function drawName(place, kept, signal) {
  const input = h("input", {
    type: "text",
    id: "my-name",
    value: kept,
    maxlength: 40,
    autocomplete: "nickname",
    spellcheck: "false",
    placeholder: "Your name",
    "aria-describedby": "name-note",
  });
  const note = h("p.help.muted", { id: "name-note", role: "status" }, "Other players and the leaderboards show it.");
  const save = h("button.button.primary", { type: "submit" }, "Save");
  place.replaceChildren(
    h("h2", { id: "name-title" }, "Your name"),
    h(
      "form.name-form",
      { onsubmit: change },
      h("div.field", {}, h("label.visually-hidden", { for: "my-name" }, "Your name"), input),
      save,
    ),
    note,
  );

  /** @param {Event} event */
  async function change(event) {
    event.preventDefault();
    save.disabled = true;
    try {
      const me = await request("PATCH", "/api/me", { name: input.value.trim() }, signal);
      input.value = me?.name ?? input.value.trim();
      input.removeAttribute("aria-invalid");
      note.classList.remove("bad");
      note.textContent = input.value ? `Saved. Your name is ${input.value}.` : "Saved. You play without a name.";
    } catch (problem) {
      if (signal.aborted) return;
      input.setAttribute("aria-invalid", "true");
      note.classList.add("bad");
      note.textContent = problem.message;
    } finally {
      save.disabled = false;
    }
  }
}

/**
 * @param {Api.GameKind} game
 * @param {Api.GameStats | undefined} figures
 * @param {Api.PuzzleStats | undefined} puzzles
 */
function tally(game, figures, puzzles) {
  const {
    played = 0,
    won = 0,
    lost = 0,
    drawn = 0,
    abandoned = 0,
    best = null,
    streak = 0,
    best_streak: longest = 0,
  } = figures ?? {};
  const decided = won + lost + drawn;
  return h(
    "article.card.career",
    { "data-game": game.name },
    h("h3", {}, emblem(game.name), game.title),
    played
      ? [
          h(
            "p.career-played",
            {},
            h("b", {}, played.toLocaleString("en")),
            h("span.muted", {}, played === 1 ? " game" : " games"),
          ),
          decided > 0 && balance(won, drawn, lost),
          h(
            "dl",
            {},
            decided > 0 && [
              pair("Won", won ? `${won} (${Math.round((100 * won) / decided)}%)` : 0),
              pair("Drawn", drawn),
              pair("Lost", lost),
            ],
            pair("Unfinished", abandoned),
            pair("Best", best ?? "—"),
            pair("Daily streak", streak ? counted(streak, "day") : "—"),
            pair("Longest streak", longest ? counted(longest, "day") : "—"),
          ),
        ]
      : h(
          "p.quiet-note",
          {},
          "Not played yet. ",
          h("a", { href: `/rules/${game.name}`, "aria-label": `Quick rules of ${game.title}` }, "Quick rules"),
          ".",
        ),
    puzzles &&
      h(
        "p.career-puzzles",
        {},
        h("a", { href: `/puzzles/${game.name}` }, `${counted(puzzles.solved, "puzzle")} solved`),
        h("span.muted", {}, `, rating ${puzzles.rating}`),
      ),
  );
}

/** @param {string} label */
function pair(label, value) {
  return h("div", {}, h("dt", {}, label), h("dd", {}, String(value)));
}

/**
 * A bar of games won, drawn and lost; the list below it says the same.
 * @param {number} won
 * @param {number} drawn
 * @param {number} lost
 */
function balance(won, drawn, lost) {
  const parts = [
    ["won", won],
    ["drawn", drawn],
    ["lost", lost],
  ].filter(([, count]) => count);
  return h(
    "div.balance",
    { "aria-hidden": "true" },
    parts.map(([kind, count]) => {
      const part = h(`span.${kind}`);
      part.style.setProperty("flex-grow", count);
      return part;
    }),
  );
}

/**
 * @param {HTMLElement} place
 * @param {AbortSignal} signal
 */
async function fillGames(place, limit, signal) {
  try {
    const { games: list } = await get(`/api/games?which=mine&limit=${limit}`, signal);
    if (!list.length) {
      place.replaceChildren(h("p.quiet-note", {}, "No games yet. ", h("a", { href: "/" }, "Pick one"), " to start."));
      return;
    }
    const more =
      list.length >= limit &&
      h(
        "p.list-more",
        {},
        h("button.button", { type: "button", onclick: () => fillGames(place, limit * 3, signal) }, "Show more"),
      );
    place.replaceChildren(...[h("ul.game-list", {}, list.map(row)), more].filter(Boolean));
  } catch (problem) {
    if (!signal.aborted) place.replaceChildren(h("p.quiet-note", {}, problem.message));
  }
}

/** @param {Api.GameInfo} info */
function row(info) {
  const live = info.status === "playing" || info.status === "waiting";
  const what = `${info.title}, ${new Date(info.changed).toLocaleDateString()}`;
  const look = reviewLink(info);
  return gameRow(
    info,
    live && h("a.button.primary", { href: `/game/${info.id}`, "aria-label": `Continue ${what}` }, "Continue"),
    !live && h("a.button", { href: look.href, "aria-label": `${look.words} ${what}` }, look.words),
    h(
      "a.button.quiet.download",
      {
        href: `/api/games/${info.id}/record`,
        download: `${info.game}-${info.id}.json`,
        title: "Download the record",
        "aria-label": `Download the record of ${what}`,
      },
      "↓",
    ),
  );
}

/**
 * Asks for confirmation, then deletes the visitor's data.
 * @param {AbortSignal} signal
 */
function confirmDelete(signal) {
  const sure = h("button.button.danger", { type: "button", onclick: erase }, "Delete everything");
  const cancel = h("button.button", { type: "button", onclick: () => dialog.close() }, "Cancel");
  const note = h("p.bad", { role: "alert" });
  const dialog = h(
    "dialog.sheet",
    { "aria-labelledby": "forget-title", "aria-describedby": "forget-text" },
    h(
      "div.stack",
      {},
      h("h2", { id: "forget-title" }, "Delete your data?"),
      h(
        "p",
        { id: "forget-text" },
        "This deletes your name, your results and the games that only you played. Games with other people and finished daily challenges stay, without your name. This cannot be undone.",
      ),
      note,
      h("div.row", {}, cancel, sure),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  signal.addEventListener("abort", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  cancel.focus();

  async function erase() {
    sure.disabled = true;
    try {
      await request("DELETE", "/api/me", undefined, signal);
    } catch (problem) {
      note.textContent = problem.message;
      sure.disabled = false;
      return;
    }
    for (const key of Object.keys(localStorage)) if (key.startsWith("rookery.setup.")) localStorage.removeItem(key);
    dialog.close();
    await go("/");
    toast("Your data was deleted.");
  }
}
