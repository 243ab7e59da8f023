// Outlines over a board: of places, and an arrow for an action that has no place.

import { DIRECTIONS } from "./cursor.js";
import { svg } from "./dom.js";

/**
 * @param {import("./geometry.js").Geometry} geometry
 * @param {string} place
 * @param {string} kind
 */
export function outline(geometry, place, kind) {
  const { x, y, width, height } = geometry.box(place);
  const grow = place.includes("|") ? 0 : 2;
  return svg(`rect.${kind}`, {
    x: x - grow,
    y: y - grow,
    width: width + 2 * grow,
    height: height + 2 * grow,
    rx: grow ? 15 : Math.min(width, height) / 2,
  });
}

/**
 * @param {import("./geometry.js").Geometry} geometry
 * @param {import("./geometry.js").Way} way
 * @param {string} kind
 */
function arrow({ width, height }, way, kind) {
  const turn = { up: 0, right: 90, down: 180, left: 270 }[way];
  return svg(`path.${kind}`, {
    d: "M0-110 90-10H40V110H-40V-10H-90Z",
    transform: `translate(${width / 2} ${height / 2}) rotate(${turn})`,
  });
}

/**
 * The outlines of an action's places, or an arrow for its key, each with where it is as `data-NAME`.
 * @param {import("./geometry.js").Geometry} geometry
 * @param {Api.Choice} choice
 * @param {string} key the key that plays it
 * @param {string} kind
 */
export function outlinesOf(geometry, choice, key, kind) {
  if (!choice.at.length)
    return key in DIRECTIONS
      ? [marked(arrow(geometry, /** @type {import("./geometry.js").Way} */ (key), `${kind}-arrow`), kind, key)]
      : [];
  const places = choice.at.filter((_, index) => index % 2 === 0);
  return places.map((_, index) => {
    const place = geometry.key(choice.at.slice(2 * index, 2 * index + 2));
    return marked(outline(geometry, place, kind), kind, place);
  });
}

/**
 * @param {SVGElement} element
 * @param {string} kind
 * @param {string} where
 */
function marked(element, kind, where) {
  element.setAttribute(`data-${kind}`, where);
  return element;
}

/**
 * The outlines of a line of moves, numbered in order. Where moves share a place, the last of them counts.
 * @param {import("./geometry.js").Geometry} geometry
 * @param {Api.Choice[]} line
 * @param {(choice: Api.Choice) => string} keyOf
 */
export function lineOf(geometry, line, keyOf) {
  const last = new Map(line.map((choice, index) => [String(choice.at), index]));
  return [...last.values()].flatMap(index => {
    const choice = line[index];
    const ends = index === line.length - 1;
    if (!ends && !choice.at.length) return [];
    const drawn = outlinesOf(geometry, choice, keyOf(choice), "advice");
    if (!ends) for (const each of drawn) each.classList.add("earlier");
    if (line.length < 2 || !choice.at.length) return drawn;
    const [x, y] = geometry.centre(geometry.key(choice.at.slice(-2)));
    return [...drawn, svg("text.advice-number", { x, y, dy: "0.36em", "text-anchor": "middle" }, index + 1)];
  });
}
