// The puzzles on offer: the games that have some, and for one game its themes. Both say how far the visitor is.

import { games, get } from "./api.js";
import { go } from "./app.js";
import { h, setTitle, toast } from "./dom.js";
import { emblem } from "./listing.js";

/**
 * @param {HTMLElement} root
 * @param {Record<string, string>} params
 * @param {{signal: AbortSignal}} page
 */
export async function show(root, { game }, { signal }) {
  const offered = (await games()).filter(each => each.puzzles && (!game || each.name === game));
  const wanted = game ? [game] : offered.map(each => each.name);
  const found = await Promise.all(wanted.map(name => get(`/api/puzzles/${name}`, signal)));
  if (signal.aborted) return;
  if (game) showGame(root, offered[0].title, found[0]);
  else showGames(root, offered, found);
}

/**
 * Opens the puzzle that comes next for the visitor: of a theme, and another than `after`, if they are given.
 * @param {string} game
 * @param {{theme?: string | null, after?: string}} [wish]
 */
export async function openNext(game, { theme = null, after = "" } = {}) {
  const query = new URLSearchParams({ ...(theme && { theme }), ...(after && { after }) });
  try {
    const { next } = await get(`/api/puzzles/${game}?${query}`);
    if (!next) toast("No other puzzle is left here.");
    await go(next ? `/puzzles/${game}/${next}${theme ? `?theme=${theme}` : ""}` : `/puzzles/${game}`);
    document.getElementById("main").focus({ preventScroll: true });
  } catch (problem) {
    toast(problem.message);
  }
}

/**
 * @param {HTMLElement} root
 * @param {Api.GameKind[]} offered
 * @param {Api.PuzzleOverview[]} found
 */
function showGames(root, offered, found) {
  setTitle("Puzzles");
  root.append(
    h("header.page-lead", {}, h("div", {}, h("h1", {}, "Puzzles"), h("p.muted", {}, "One move is best. Find it."))),
    h(
      "div.puzzle-games",
      {},
      offered.map(({ name, title }, index) =>
        h(
          "article.card.puzzle-card",
          { "data-game": name },
          h("h2", {}, emblem(name), title),
          standing(found[index]),
          h(
            "div.row",
            {},
            solveLink(found[index], title),
            h("a.button.quiet", { href: `/puzzles/${name}`, "aria-label": `Themes of ${title}` }, "Themes"),
          ),
        ),
      ),
    ),
  );
}

/**
 * @param {HTMLElement} root
 * @param {string} title
 * @param {Api.PuzzleOverview} overview
 */
function showGame(root, title, overview) {
  const { game, themes } = overview;
  setTitle(`${title} puzzles`);
  document.body.dataset.game = game;
  root.append(
    h(
      "header.page-lead",
      {},
      h("div", {}, h("h1", {}, `${title} puzzles`), h("p.muted", {}, "One move is best. Find it.")),
    ),
    h(
      "div.puzzle-games",
      {},
      h(
        "section.card.puzzle-card",
        { "aria-labelledby": "standing-title" },
        h("h2", { id: "standing-title" }, emblem(game), "All themes"),
        standing(overview),
        h("div.row", {}, solveLink(overview, title), h("a.button.quiet", { href: "/puzzles" }, "Other games")),
      ),
      h(
        "section.card.puzzle-card",
        { "aria-labelledby": "themes-title" },
        h("h2", { id: "themes-title" }, "By theme"),
        h(
          "ul.puzzle-themes",
          {},
          themes.map(theme => h("li", {}, themeButton(game, theme))),
        ),
      ),
    ),
  );
}

/**
 * @param {string} game
 * @param {Api.PuzzleTheme} theme
 */
function themeButton(game, { theme, title, count, solved }) {
  return h(
    "button.puzzle-theme",
    { type: "button", onclick: () => openNext(game, { theme }) },
    h("span", {}, title),
    h("span.muted", {}, `${solved} of ${count} solved`),
  );
}

/** @param {Api.PuzzleOverview} overview */
function standing({ count, solved, rating }) {
  const done = h("span");
  done.style.setProperty("width", `${(100 * solved) / count}%`);
  return [
    h("p.puzzle-solved", {}, h("b", {}, String(solved)), h("span.muted", {}, ` of ${count} solved`)),
    h("div.puzzle-bar", { "aria-hidden": "true" }, done),
    h("p", {}, h("span.muted", {}, "Your rating "), h("b", {}, String(rating))),
  ];
}

/**
 * @param {Api.PuzzleOverview} overview
 * @param {string} title
 */
function solveLink({ game, next, solved }, title) {
  if (!next) return h("p.muted", {}, "No puzzle is left.");
  const label = solved ? "Next puzzle" : "First puzzle";
  return h("a.button.primary", { href: `/puzzles/${game}/${next}`, "aria-label": `${label} of ${title}` }, label);
}
