// The quick rules of a game with the options in the address, beside a demo game.

import { games, get } from "./api.js";
import { demoBoard, exampleBoard } from "./demo.js";
import { h, setTitle } from "./dom.js";
import { playNow } from "./home.js";

/**
 * @param {HTMLElement} root
 * @param {Record<string, string>} params
 * @param {{signal: AbortSignal}} page
 */
export async function show(root, params, { signal }) {
  const game = (await games()).find(each => each.name === params.game);
  if (signal.aborted) return;
  if (!game) throw new Error(`There is no game called ${params.game}.`);
  setTitle(`${game.title}: quick rules`);
  document.body.dataset.game = game.name;
  const { options, text, rules, examples } = await get(`/api/catalogue/${game.name}/rules${location.search}`, signal);
  if (signal.aborted) return;
  const play = h(
    "button.button.primary.big",
    { type: "button", onclick: () => playNow(game.name, play, options) },
    "Play now",
  );
  root.append(
    h(
      "article.rules",
      {},
      h(
        "header.rules-lead",
        {},
        h("p.eyebrow", {}, "Quick rules"),
        h("h1", {}, game.title),
        h("p.muted", {}, game.summary),
        h("p.rules-options", {}, text),
      ),
      h("div.rules-picture.card", {}, demoBoard(game.name, { signal, query: location.search })),
      h(
        "div.rules-text.stack",
        {},
        rulesList(rules),
        examples.map(each => exampleBoard(each, { signal })),
        h(
          "div.row",
          {},
          play,
          h("a.button", { href: `/play/${game.name}` }, "Options"),
          game.printable && h("a.button.quiet", { href: `/print/${game.name}${location.search}` }, "Print"),
        ),
      ),
    ),
  );
}

/** @param {string[]} paragraphs */
export function rulesList(paragraphs) {
  return h(
    "ol.rules-list",
    {},
    paragraphs.map(paragraph => h("li", {}, paragraph)),
  );
}
