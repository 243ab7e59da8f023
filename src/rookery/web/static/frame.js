// The frame around a board, and the names of its rows and columns in it.

import { svg } from "./dom.js";
import { SIZE } from "./draw.js";

/**
 * The frame and its box, with room for names if they are shown. A turned board has its names turned too.
 * @param {Api.Scene} scene
 * @param {import("./geometry.js").Geometry} geometry
 * @param {boolean} names
 */
export function drawFrame({ row_names, col_names }, geometry, names) {
  const longest = Math.max(geometry.width, geometry.height);
  const pad = longest * (names ? 0.034 : 0.014);
  const [width, height] = [geometry.width + 2 * pad, geometry.height + 2 * pad];
  const ground = svg("rect.frame", { x: -pad, y: -pad, width, height, rx: Math.min(pad + 14, 0.03 * longest) });
  const middle = at => at * geometry.pitch + SIZE / 2;
  const name = (text, x, y) =>
    svg("text.name", { x, y, dy: "0.36em", "text-anchor": "middle", "font-size": pad * 0.52 }, text);
  const seen = texts => (geometry.turned ? texts.toReversed() : texts);
  const shown = names
    ? [
        ...seen(col_names).map((text, col) => name(text, middle(col), geometry.height + pad / 2)),
        ...seen(row_names).map((text, row) => name(text, -pad / 2, middle(row))),
      ]
    : [];
  return { parts: [ground, ...shown], x: -pad, y: -pad, width, height };
}
