// A printout of a game: the board and a score sheet on the front, the rules on the back.

import { games, get } from "./api.js";
import { go } from "./app.js";
import { h, setTitle, svg } from "./dom.js";
import { capitalize } from "./listing.js";

const PAPERS = { a4: "A4", letter: "Letter" };
const CELL = 10;

/**
 * @param {HTMLElement} root
 * @param {Record<string, string>} params
 * @param {{signal: AbortSignal}} page
 */
export async function show(root, params, { signal }) {
  const game = (await games()).find(each => each.name === params.game);
  if (!game) throw new Error(`There is no game called ${params.game}.`);
  const query = new URLSearchParams(location.search);
  const paper = Object.hasOwn(PAPERS, query.get("paper")) ? query.get("paper") : defaultPaper();
  query.delete("paper");
  /** @type {any} */
  const sheet = await get(`/api/catalogue/${game.name}/sheet?${query}`, signal);
  if (signal.aborted) return;
  setTitle(`${sheet.title}, printout`);
  document.body.dataset.game = game.name;

  const front = h("section.sheet", { "aria-label": "Front" }, frontSide(sheet));
  const back = h("section.sheet.back", { "aria-label": "Back" }, backSide(sheet));
  const usePaper = name => {
    for (const side of [front, back]) {
      side.classList.remove(...Object.keys(PAPERS));
      side.classList.add(name);
    }
  };
  usePaper(paper);

  root.append(
    h(
      "div.print-page",
      {},
      h(
        "header.print-lead",
        {},
        h("h1", {}, `${game.title} on paper`),
        h("p.muted", {}, "One sheet, printed on both sides: board and score sheet on the front, rules on the back."),
        h(
          "form.print-choices",
          {
            onsubmit: event => {
              event.preventDefault();
              window.print();
            },
          },
          choice(game, query, "level"),
          choice(game, query, "rules"),
          radios("paper", "Paper", Object.entries(PAPERS), paper, name => {
            usePaper(name);
            history.replaceState(null, "", address(game, query, name));
          }),
          h("button.button.primary.big", {}, "Print"),
        ),
      ),
      front,
      back,
    ),
  );
  const fitting = new ResizeObserver(() => fit(root, front, back));
  fitting.observe(root);
  signal.addEventListener("abort", () => fitting.disconnect());
}

/**
 * Scales the sheets down on screens narrower than the paper; print styles ignore this.
 * @param {HTMLElement} root
 */
function fit(root, ...sides) {
  const { paddingLeft, paddingRight } = getComputedStyle(root);
  const room = root.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  for (const side of sides) side.style.setProperty("--fit", Math.min(1, room / (216 * (96 / 25.4) + 2)));
}

// The paper size that is common in the browser's region.
function defaultPaper() {
  return /-(US|CA|MX|PH|CO|CL|VE)$/.test(navigator.language) ? "letter" : "a4";
}

/**
 * @param {any} game
 * @param {URLSearchParams} query
 */
function address(game, query, paper) {
  const all = new URLSearchParams(query);
  all.set("paper", paper);
  return `/print/${game.name}?${all}`;
}

/**
 * A choice between the values of an option, if the game has it.
 * @param {any} game
 * @param {URLSearchParams} query
 * @param {string} option
 */
function choice(game, query, option) {
  const field = game.options.properties[option];
  if (!field?.enum) return null;
  return radios(
    option,
    capitalize(option),
    field.enum.map(each => [each, capitalize(each)]),
    query.get(option) ?? field.default,
    value => {
      const next = new URLSearchParams(location.search);
      next.set(option, value);
      go(`/print/${game.name}?${next}`, { replace: true }).then(() =>
        document.getElementById(`${option}-${value}`)?.focus({ preventScroll: true }),
      );
    },
  );
}

/**
 * @param {string} name
 * @param {string} label
 */
function radios(name, label, values, chosen, put) {
  return h(
    "fieldset",
    {},
    h("legend", {}, label),
    h(
      "div.segmented",
      {},
      values.map(([value, words]) =>
        h(
          "label",
          {},
          h("input", {
            type: "radio",
            name,
            value,
            id: `${name}-${value}`,
            checked: value === chosen,
            onchange: () => put(value),
          }),
          h("span", {}, words),
        ),
      ),
    ),
  );
}

function frontSide({ title, scene, columns, rows }) {
  return [
    h("div.sheet-head", {}, h("h2", {}, title), h("p.sheet-name", {}, "Name")),
    grid(scene),
    h(
      "table.score-sheet",
      {},
      h("caption.visually-hidden", {}, "Score sheet"),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          columns.map(column => h("th", { scope: "col" }, column)),
        ),
      ),
      h(
        "tbody",
        {},
        rows.map(row =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, row),
            columns.slice(1).map(() => h("td")),
          ),
        ),
      ),
    ),
  ];
}

// The board in black lines: cells with their text, home as a house.
function grid({ rows, cols, cells, title }) {
  const parts = [];
  cells.forEach((cell, index) => {
    const x = (index % cols) * CELL;
    const y = Math.floor(index / cols) * CELL;
    parts.push(svg("rect", { x, y, width: CELL, height: CELL }));
    if (cell.role === "home") {
      parts.push(
        svg("rect.home", { x: x + 0.6, y: y + 0.6, width: CELL - 1.2, height: CELL - 1.2 }),
        svg("path.house", { d: `M${x + 2.4} ${y + 5.2}l2.6-2.5 2.6 2.5M${x + 3.2} ${y + 4.8}v2.6h3.6v-2.6` }),
      );
    } else if (cell.text) {
      parts.push(svg("text", { x: x + 0.9, y: y + 3.3 }, cell.text));
    }
  });
  return svg(
    "svg.sheet-grid",
    {
      viewBox: `-0.3 -0.3 ${cols * CELL + 0.6} ${rows * CELL + 0.6}`,
      role: "img",
      "aria-label": `The board of ${title}`,
    },
    parts,
  );
}

function backSide({ title, rules }) {
  return [
    h("div.sheet-head", {}, h("h2", {}, `${title}: rules`)),
    h(
      "div.sheet-rules",
      {},
      rules.map(({ heading, lines, table }) =>
        h(
          "section",
          {},
          h("h3", {}, heading),
          h(
            "ul",
            {},
            lines.map(line => h("li", {}, line)),
          ),
          table.length > 0 && oddsTable(table),
        ),
      ),
    ),
  ];
}

function oddsTable([head, ...rows]) {
  return h(
    "table.sheet-table",
    {},
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        head.map(text => h("th", { scope: "col" }, text)),
      ),
    ),
    h(
      "tbody",
      {},
      rows.map(([name, ...cells]) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, name),
          cells.map(cell => h("td", {}, cell)),
        ),
      ),
    ),
  );
}
