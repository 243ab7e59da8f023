// The graph of a review: how the game stood after each move. A click goes to a move; a table says the same in words.

import { h, svg } from "./dom.js";
import { ownerClass } from "./draw.js";

/** @type {Record<string, string>} Faults differ in shape and not only in colour. */
const SHAPES = {
  inaccuracy: "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
  mistake: "M-5-5H5V5H-5z",
  blunder: "M0-8 8 0 0 8-8 0z",
};

/**
 * @typedef {{
 *   lines: {player: number, points: (Api.ReviewPoint | null)[]}[],
 *   steps: import("./reviewed.js").ReviewedStep[],
 *   total: number, scale: Api.ReviewScale, names: string[], moves: string[],
 * }} Course what is drawn; `total` is the number of the last step, `moves` are the steps in words
 */

export class Graph {
  #svg = svg("svg.review-graph", { role: "img", "aria-label": "No values yet." });
  #cursor = svg("line.review-cursor", { y1: "0%", y2: "100%" });
  #summary = h("summary", {}, "Table of values");
  #table = h("table.review-table");
  #total = 1;
  #at = 0;
  #drawn = "";

  /** @param {(step: number) => void} onStep */
  constructor(onStep) {
    this.#svg.addEventListener("click", event => {
      const { left, width } = this.#svg.getBoundingClientRect();
      onStep(Math.round(((event.clientX - left) / width) * this.#total));
    });
    this.element = h("div.review-course", {}, this.#svg);
    this.table = h(
      "details.review-values",
      {},
      this.#summary,
      h("div.review-scroll", { tabindex: 0, role: "group", "aria-label": "Table of values" }, this.#table),
    );
  }

  /** @param {number} step */
  mark(step) {
    this.#at = step;
    const x = `${(100 * step) / this.#total}%`;
    this.#cursor.setAttribute("x1", x);
    this.#cursor.setAttribute("x2", x);
  }

  /** @param {Course} course */
  show(course) {
    const { lines, steps, total, scale } = course;
    const key = JSON.stringify([lines, total]);
    if (key === this.#drawn) return;
    this.#drawn = key;
    this.#total = Math.max(1, total);
    const values = lines.flatMap(({ points }) => points.flatMap(point => (point ? [point.value] : [])));
    const [low, high] = scale.kind === "win" ? [0, 1] : [Math.min(...values), Math.max(...values)];
    const room = scale.kind === "win" ? 0 : Math.max(0.08 * (high - low), 0.5);
    const down = value => (100 * (high + room - value)) / (high - low + 2 * room || 1);
    const across = step => (100 * step) / this.#total;
    const plain = { viewBox: "0 0 100 100", preserveAspectRatio: "none", width: "100%", height: "100%" };
    this.#svg.replaceChildren(
      svg(
        "svg",
        plain,
        ...lines.map(({ player, points }) => curve(points, { player, across, down, bare: lines.length > 1 })),
      ),
      scale.kind === "win" ? svg("line.review-half", { x1: "0%", x2: "100%", y1: "50%", y2: "50%" }) : "",
      this.#cursor,
      ...steps.flatMap(({ decision }, step) => {
        const line = lines.find(each => each.player === decision?.player) ?? lines[0];
        if (!decision?.grade?.fault || !line.points[step]) return [];
        const { name } = decision.grade;
        const sign = svg("path", { d: SHAPES[name] });
        const place = { x: `${across(step)}%`, y: `${down(line.points[step].value)}%`, overflow: "visible" };
        return [svg(`svg.review-fault.${name}`, place, sign)];
      }),
    );
    this.#svg.setAttribute("aria-label", spoken(course, values));
    this.#fillTable(course);
    this.mark(this.#at);
  }

  /** @param {Course} course */
  #fillTable({ lines, steps, scale, names, moves }) {
    const heads = lines.map(({ player }) => `${names[player - 1]}, ${scale.unit}`);
    const rows = steps.map(({ decision }, step) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, step ? `${step}. ${moves[step]}` : "Start"),
        h("td", {}, decision?.grade ? `${decision.grade.word} ${decision.grade.sign}` : "–"),
        lines.map(({ points }) => h("td", {}, points[step]?.text ?? "–")),
      ),
    );
    this.#table.replaceChildren(
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ["Move", "Grade", ...heads].map(text => h("th", { scope: "col" }, text)),
        ),
      ),
      h("tbody", {}, rows),
    );
  }
}

/** @param {(Api.ReviewPoint | null)[]} points */
function curve(points, { player, across, down, bare }) {
  const known = points.flatMap((point, step) => (point ? [[across(step), down(point.value)]] : []));
  if (!known.length) return "";
  const path = `M${known.map(([x, y]) => `${x.toFixed(2)} ${y.toFixed(2)}`).join("L")}`;
  const line = svg("path.review-line", { d: path, "vector-effect": "non-scaling-stroke" });
  const area = svg("path.review-area", { d: `${path}V100H${known[0][0].toFixed(2)}Z` });
  return svg(`g.${ownerClass(player)}`, {}, bare ? line : [area, line]);
}

/**
 * The name of the graph for those who do not see it.
 * @param {Course} course
 * @param {number[]} values
 */
function spoken({ lines, steps, scale, names }, values) {
  if (!values.length) return "No values yet.";
  const whose = lines.length === 1 ? names[0] : "each player";
  const known = lines[0].points.filter(point => point !== null);
  const course = lines.length === 1 ? `, from ${known[0].text} to ${known.at(-1).text}` : "";
  const faults = steps.filter(({ decision }) => decision?.grade?.name === "blunder").length;
  const blunders = faults === 1 ? "1 blunder" : `${faults || "no"} blunders`;
  return `Graph: ${scale.unit}, for ${whose}${course}; ${blunders}. The table below has all values.`;
}
