// The areas of owned cells as shapes: cells of one owner that touch by a side share one outline.

import { svg } from "./dom.js";
import { ownerClass } from "./draw.js";

const ROUND = 14; // corner radius, as of a cell

/** @typedef {{owner: number, spots: [number, number][]}} Area */

/**
 * Draws the areas of a scene again.
 * @param {SVGElement} layer
 * @param {Api.Scene} scene
 * @param {import("./geometry.js").Geometry} geometry
 */
export function drawAreas(layer, { cells, cols }, geometry) {
  const { pitch, gap } = geometry;
  const shapes = areasOf(cells, cols).map(({ owner, spots }) => {
    const seen = spots.map(spot => geometry.seen(spot));
    return svg(`path.area.${ownerClass(owner)}`, { d: outline(seen, { pitch, gap, round: ROUND }) });
  });
  layer.replaceChildren(...shapes);
}

/**
 * The areas on a board, each with its cells by row and column.
 * @param {Api.Cell[]} cells
 * @param {number} cols
 * @returns {Area[]}
 */
export function areasOf(cells, cols) {
  const done = new Set();
  const found = [];
  cells.forEach(({ role, owner }, first) => {
    if (role !== "owned" || done.has(first)) return;
    done.add(first);
    const reached = [first];
    for (const index of reached) {
      for (const beside of neighbours(index, cols, cells.length)) {
        if (done.has(beside) || cells[beside].role !== "owned" || cells[beside].owner !== owner) continue;
        done.add(beside);
        reached.push(beside);
      }
    }
    found.push({ owner, spots: reached.map(index => [Math.floor(index / cols), index % cols]) });
  });
  return found;
}

function neighbours(index, cols, count) {
  const col = index % cols;
  return [index - cols, index + cols, col > 0 ? index - 1 : -1, col + 1 < cols ? index + 1 : -1].filter(
    beside => beside >= 0 && beside < count,
  );
}

// Headings, clockwise around an area, which lies to the right of the way.
const WAYS = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
];

/**
 * The outline of an area as an SVG path, with holes; cells that touch only by a corner stay apart.
 * @param {[number, number][]} spots the cells, by row and column
 * @param {{pitch: number, gap: number, round: number}} measures from cell to cell, between cells, radius of a corner
 */
export function outline(spots, { pitch, gap, round }) {
  const sides = sidesOf(spots);
  const parts = [];
  for (const start of [...sides.values()].flat()) {
    if (start.done) continue;
    const corners = [];
    let side = start;
    do {
      side.done = true;
      /** @type {[number, number]} */
      const end = [side.x + WAYS[side.way][0], side.y + WAYS[side.way][1]];
      const next = nextSide(sides.get(String(end)), side.way);
      if (next.way !== side.way) corners.push(corner(end, side.way, next.way, pitch, gap));
      side = next;
    } while (side !== start);
    parts.push(drawn(corners, round));
  }
  return parts.join("");
}

// The sides of cells at which the area ends, by the point where they begin.
function sidesOf(spots) {
  const inside = new Set(spots.map(String));
  const sides = new Map();
  for (const [row, col] of spots) {
    const around = [
      { x: col, y: row, way: 0, beside: [row - 1, col] },
      { x: col + 1, y: row, way: 1, beside: [row, col + 1] },
      { x: col + 1, y: row + 1, way: 2, beside: [row + 1, col] },
      { x: col, y: row + 1, way: 3, beside: [row, col - 1] },
    ];
    for (const { x, y, way, beside } of around) {
      if (inside.has(String(beside))) continue;
      const key = `${x},${y}`;
      sides.set(key, [...(sides.get(key) ?? []), { x, y, way, done: false }]);
    }
  }
  return sides;
}

// The side that goes on; of two, the one to the right, which stays with the same cell.
function nextSide(sides, way) {
  return sides.find(side => side.way === (way + 1) % 4) ?? sides[0];
}

// A corner of the outline, moved into the area by half a gap on either side of it.
function corner([x, y], before, after, pitch, gap) {
  const inset = [before, after].map(way => [-WAYS[way][1], WAYS[way][0]]);
  return {
    x: x * pitch - gap / 2 + (gap / 2) * (inset[0][0] + inset[1][0]),
    y: y * pitch - gap / 2 + (gap / 2) * (inset[0][1] + inset[1][1]),
    before,
    after,
    sweep: after === (before + 1) % 4 ? 1 : 0,
  };
}

function drawn(corners, round) {
  const steps = corners.map(({ x, y, before, after, sweep }, index) => {
    const from = [x - round * WAYS[before][0], y - round * WAYS[before][1]];
    const to = [x + round * WAYS[after][0], y + round * WAYS[after][1]];
    return `${index ? "L" : "M"}${from.join(" ")}A${round} ${round} 0 0 ${sweep} ${to.join(" ")}`;
  });
  return `${steps.join("")}Z`;
}
