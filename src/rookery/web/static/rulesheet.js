// The rules of a game on a sheet over its page, with these options: in words, and as moving pictures.

import { games, get } from "./api.js";
import { demoBoard, exampleBoard } from "./demo.js";
import { h } from "./dom.js";
import { beginLesson } from "./lesson.js";
import { rulesAddress } from "./listing.js";
import { rulesList } from "./rules.js";

/** @param {Api.GameInfo} info */
export function showRules({ id, game, title, options, goal, kind }) {
  if (document.querySelector("dialog[open]")) return;
  const leaving = new AbortController();
  const content = h("div.stack", { "aria-busy": "true" }, h("p.muted", {}, "…"));
  const address = rulesAddress(game, options);
  const guided = h("span", { hidden: true });
  const sheet = h(
    "dialog.sheet.rules-sheet",
    {
      "aria-labelledby": "rules-title",
      "data-game": game,
      onclose: () => {
        leaving.abort();
        sheet.remove();
      },
    },
    h(
      "form.stack",
      { method: "dialog" },
      h(
        "header.rules-head",
        {},
        h("h2", { id: "rules-title" }, title),
        h(
          "button.button.quiet",
          { value: "done", autofocus: true },
          "Close",
          h("kbd", { "aria-hidden": "true" }, "Esc"),
        ),
      ),
      h("p.goal", {}, h("b", {}, "Goal: "), goal),
      content,
      h("div.row.end", {}, guided, h("a.button.quiet", { href: address, target: "_blank" }, "Open as a page")),
    ),
  );
  sheet.addEventListener("click", event => event.target === sheet && sheet.close());
  document.body.append(sheet);
  sheet.showModal();
  fill(content, { game, query: new URL(address, location.href).search }, leaving.signal);
  games().then(
    all => {
      if (!all.find(each => each.name === game)?.lesson) return;
      const begin = h(
        "button.button",
        {
          type: "button",
          onclick: () => {
            sheet.close();
            beginLesson(game, { from: kind === "lesson" ? null : id });
          },
        },
        kind === "lesson" ? "Start the guide again" : "Guided first game",
      );
      guided.replaceWith(begin);
    },
    () => {}, // then there is no button
  );
}

async function fill(content, { game, query }, signal) {
  try {
    const { text, rules, examples } = await get(`/api/catalogue/${game}/rules${query}`, signal);
    content.replaceChildren(
      h(
        "div.rules-pictures",
        {},
        h("figure.example", {}, demoBoard(game, { signal, query, steps: true }), h("figcaption.muted", {}, text)),
        examples.map(each => exampleBoard(each, { signal, steps: true })),
      ),
      rulesList(rules),
    );
  } catch (problem) {
    if (!signal.aborted) content.replaceChildren(h("p", { role: "alert" }, problem.message));
  }
  content.removeAttribute("aria-busy");
}
