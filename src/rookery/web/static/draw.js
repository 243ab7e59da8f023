// Draws cells and pieces as SVG by their roles and marks; colours are in style.css. A cell is SIZE by SIZE with its corner
// at the origin; a piece, which can move, is drawn around its centre.

import { svg } from "./dom.js";

export const SIZE = 100;
const MIDDLE = SIZE / 2;
const PLAYERS = 8;
const ROUNDS = 7;
const CONDENSED = [
  ["textLength", "88"],
  ["lengthAdjust", "spacingAndGlyphs"],
];
const NOTCH = 7; // how long a notch on a wall is
const CORNERS = [
  [78, 22],
  [22, 22],
  [78, 78],
  [22, 78],
  [50, 18],
  [50, 82],
  [18, 50],
];
const TILES = new Set(["number", "operator"]);

/**
 * The class of a player's colour; colours repeat from the ninth player on, numbers do not.
 * @param {number} owner
 */
export function ownerClass(owner) {
  return owner > 0 ? `o${((owner - 1) % PLAYERS) + 1}` : "";
}

/**
 * The class of a round's colour.
 * @param {number} number
 */
export function roundClass(number) {
  return `r${((number - 1) % ROUNDS) + 1}`;
}

/**
 * Everything on a cell but its piece; `hatch` names the pattern of an owner.
 * @param {Api.Cell} cell
 * @param {(owner: number) => string} hatch
 */
export function drawCell(cell, hatch) {
  const parts = [svg("rect.face", { width: SIZE, height: SIZE, rx: 14 })];
  if (cell.role === "goal" && cell.owner)
    parts.push(svg("rect.hatch", { width: SIZE, height: SIZE, rx: 14, fill: `url(#${hatch(cell.owner)})` }));
  if (cell.role === "blocked") parts.push(svg("path.bar", { d: "M28 28 72 72M72 28 28 72" }));
  const odds = cell.marks.find(mark => mark.role === "odds");
  if (odds) parts.push(svg("rect.heat", { width: SIZE, height: SIZE, rx: 14, "fill-opacity": heat(odds.number) }));
  parts.push(...drawSign(cell), ...drawRings(cell.marks.filter(mark => mark.role === "ring")));
  parts.push(...drawCaught(cell));
  if (cell.role === "owned") parts.push(label("owner-number", cell.text, 40, MIDDLE, MIDDLE));
  else if (cell.text && !TILES.has(cell.role)) parts.push(label("plain", cell.text, 36, MIDDLE, MIDDLE));
  if (odds)
    parts.push(
      ...drawOdds(
        odds,
        cell.marks.find(mark => mark.role === "points"),
      ),
    );
  if (cell.marks.some(mark => mark.role === "golden"))
    parts.push(svg("path.golden", { d: "M79 5 95 21 79 37 63 21Z" }));
  if (cell.last && !TILES.has(cell.role))
    parts.push(svg("rect.last", { x: 4, y: 4, width: SIZE - 8, height: SIZE - 8, rx: 11 }));
  return parts;
}

/** @param {Api.Cell} cell */
function drawSign({ role }) {
  if (role === "home") return [svg("path.sign", { d: "M26 52 50 29 74 52M33 48V72H67V48" })];
  if (role === "safe") return [svg("path.sign", { d: "M26 52 50 29 74 52M33 48V72H67V48M42 58 48 64 59 52" })];
  if (role === "failed") return [svg("path.sign", { d: "M30 30 70 70M70 30 30 70" })];
  return [];
}

/**
 * One ring per round, the earliest outside; the ring of round k has k gaps, so that colour is not the only sign.
 * @param {Api.Mark[]} marks
 */
function drawRings(marks) {
  const step = Math.min(9, 36 / marks.length);
  return marks.map(({ number }, place) => {
    const broken = number > 1 ? { pathLength: 10 * number, "stroke-dasharray": "7 3" } : {};
    return svg(`circle.ring.${roundClass(number)}`, {
      cx: MIDDLE,
      cy: MIDDLE,
      r: 44 - step * (place + 0.5),
      "stroke-width": step * 0.62,
      ...broken,
    });
  });
}

/**
 * Where rounds were caught: a cross for each, in the colour of the round, with its number; in the middle if nothing else
 * is there, else in the corners.
 * @param {Api.Cell} cell
 */
function drawCaught({ role, marks }) {
  const caught = marks.filter(mark => mark.role === "caught");
  const alone = caught.length === 1 && role !== "failed" && !marks.some(mark => mark.role === "ring");
  return caught.slice(0, CORNERS.length).map(({ number }, place) => {
    const [x, y] = alone ? [MIDDLE, MIDDLE] : CORNERS[place];
    return svg(
      `g.caught.${roundClass(number)}`,
      { transform: `translate(${x} ${y}) scale(${alone ? 2 : 1.1})` },
      svg("path.cross", { d: "M-15-15 15 15M15-15-15 15" }),
      svg("circle.disc", { r: 12 }),
      label("caught-number", number, 20),
    );
  });
}

/**
 * The chance of getting in, and below it what that is worth.
 * @param {Api.Mark} odds
 * @param {Api.Mark | undefined} points
 */
function drawOdds(odds, points) {
  if (!points) return [label("odds", odds.text, null, MIDDLE, MIDDLE)];
  return [label("odds.over", odds.text, null, MIDDLE, 32), label("odds.points", points.text, null, MIDDLE, 74)];
}

/** @param {number} percent */
function heat(percent) {
  return ((100 - percent) / 160).toFixed(2);
}

/**
 * The piece on a cell: how to draw it, and a key that is equal for pieces that look the same; null if there is none.
 * @param {Api.Cell} cell
 */
export function pieceOf(cell) {
  if (TILES.has(cell.role)) return { key: `${cell.role} ${cell.text}`, draw: () => drawTile(cell) };
  for (const mark of cell.marks) {
    if (mark.role === "pawn") return { key: `pawn ${mark.number}`, draw: () => drawPawn(mark.number) };
    if (mark.role === "here") return { key: "here", draw: () => drawHere() };
  }
  return null;
}

/**
 * Whether two cells are drawn alike.
 * @param {Api.Cell} one
 * @param {Api.Cell} other
 */
export function looksSame(one, other) {
  return (
    one !== null &&
    one.role === other.role &&
    one.text === other.text &&
    one.owner === other.owner &&
    one.last === other.last &&
    one.marks.length === other.marks.length &&
    one.marks.every(
      (mark, place) =>
        mark.role === other.marks[place].role &&
        mark.number === other.marks[place].number &&
        mark.text === other.marks[place].text,
    )
  );
}

/** @param {number} number */
export function drawPawn(number) {
  return svg(
    `g.piece.pawn.${ownerClass(number)}`,
    {},
    svg("circle.shade", { cy: 4, r: 34 }),
    svg("circle.body", { r: 34 }),
    label("pawn-number", number, 40),
  );
}

export function drawHere() {
  return svg(
    "g.piece.here",
    {},
    svg("circle.shade", { cy: 4, r: 30 }),
    svg("circle.body", { r: 30 }),
    svg("path.star", { d: "M0-17V17M-14.7-8.5 14.7 8.5M-14.7 8.5 14.7-8.5" }),
  );
}

/**
 * The pattern of cells that are a player's without being taken.
 * @param {string} id
 * @param {number} owner
 */
export function drawHatch(id, owner) {
  return svg(
    `pattern.${ownerClass(owner)}`,
    {
      id,
      width: 16,
      height: 16,
      patternUnits: "userSpaceOnUse",
      patternTransform: `rotate(${owner % 2 ? 45 : -45})`,
    },
    svg("rect.hatch-line", { width: 4, height: 16 }),
  );
}

/**
 * As many notches across a wall as the number of its owner.
 * @param {{x: number, y: number, width: number, height: number}} box
 * @param {number} owner
 */
export function drawNotches({ x, y, width, height }, owner) {
  const upright = height > width;
  const [middle, side] = upright ? [y + height / 2, x] : [x + width / 2, y];
  return Array.from({ length: owner }, (_, place) => {
    const along = middle + NOTCH * (2 * place - owner + 1) - NOTCH / 2;
    return upright
      ? svg(`rect.notch.${ownerClass(owner)}`, { x: side, y: along, width, height: NOTCH })
      : svg(`rect.notch.${ownerClass(owner)}`, { x: along, y: side, width: NOTCH, height });
  });
}

/** @type {Record<string, [string, Record<string, string | number>]>} Each operator has a shape of its own. */
const OPERATORS = {
  "+": ["plus", { x: -43, y: -43, width: 86, height: 86, rx: 43 }],
  "−": ["minus", { x: -47, y: -28, width: 94, height: 56, rx: 14 }],
  "×": ["times", { x: -34, y: -34, width: 68, height: 68, rx: 12, transform: "rotate(45)" }],
};

/** @param {Api.Cell} cell */
function drawTile({ role, text, marks }) {
  if (role === "operator") {
    const [kind, shape] = OPERATORS[text] ?? OPERATORS["+"];
    return svg(`g.piece.tile.operator.${kind}`, {}, svg("rect.body", shape), label("tile-text", text, 56));
  }
  const value = Number(text.replace("−", "-"));
  const depth = Math.min(1, Math.log10(1 + Math.abs(value)) / 3);
  const tile = svg(
    `g.piece.tile.number${value < 0 ? ".negative" : ""}${marks.some(mark => mark.role === "won") ? ".won" : ""}`,
    {},
    svg("rect.body", { x: -MIDDLE, y: -MIDDLE, width: SIZE, height: SIZE, rx: 14 }),
    ...lines(text),
  );
  tile.style.setProperty("--depth", `${Math.round(depth * 100)}%`);
  return tile;
}

/**
 * A number on as many lines as it needs to be legible; up to 24 digits are shown in full.
 * @param {string} text
 */
function lines(text) {
  if (text.length <= 7) {
    const line = label("tile-text", text, Math.min(50, Math.floor(166 / text.length)));
    // Condensed rather than small, whatever the font's digits are as wide as.
    if (text.length > 3) for (const [name, value] of CONDENSED) line.setAttribute(name, value);
    return [line];
  }
  const shown = text.length <= 24 ? text : `${text.slice(0, 15)}…${text.slice(-8)}`;
  const count = Math.ceil(shown.length / 8);
  const long = Math.ceil(shown.length / count);
  return Array.from({ length: count }, (_, line) =>
    label(
      "tile-text",
      shown.slice(line * long, (line + 1) * long),
      Math.min(24, 150 / long),
      0,
      (line - (count - 1) / 2) * 25,
    ),
  );
}

/**
 * @param {string} kind
 * @param {string | number} text
 * @param {number | null} size
 * @param {number} [x]
 * @param {number} [y]
 */
function label(kind, text, size, x = 0, y = 0) {
  return svg(`text.${kind}`, { x, y, dy: "0.36em", "text-anchor": "middle", "font-size": size }, text);
}
