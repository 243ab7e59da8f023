// The quick rules of a game, beside a demo game.

import { games } from "./api.js";
import { h, setTitle } from "./dom.js";
import { playNow } from "./home.js";
import { demoBoard } from "./demo.js";

export async function show(root, params, { signal }) {
  const game = (await games()).find((each) => each.name === params.game);
  if (signal.aborted) return;
  if (!game) throw new Error(`There is no game called ${params.game}.`);
  setTitle(`${game.title}: quick rules`);
  document.body.dataset.game = game.name;
  const play = h("button.button.primary.big", { type: "button", onclick: () => playNow(game.name, play) }, "Play now");
  root.append(
    h("article.rules", {},
      h("header.rules-lead", {},
        h("p.eyebrow", {}, "Quick rules"),
        h("h1", {}, game.title),
        h("p.muted", {}, game.summary)),
      h("div.rules-picture.card", {}, demoBoard(game.name, { signal })),
      h("div.rules-text.stack", {},
        h("ol.rules-list", {}, game.rules.map((paragraph) => h("li", {}, paragraph))),
        h("div.row", {},
          play,
          h("a.button", { href: `/play/${game.name}` }, "Options"),
          game.printable && h("a.button.quiet", { href: `/print/${game.name}` }, "Print")))),
  );
}
