// A picture of any scene: its cells, walls and pieces, and how they move. It knows roles, not games: draw.js draws cells,
// geometry.js places them. A board is a picture in which the visitor can act.

import { DIRECTIONS } from "./cursor.js";
import { h, svg } from "./dom.js";
import { drawCell, drawHatch, drawNotches, looksSame, ownerClass, pieceOf, SIZE } from "./draw.js";
import { drawFrame } from "./frame.js";
import { Geometry } from "./geometry.js";
import { Animations, appearing, BLINK, MOVE, STAY, SWELL, TAKEN, travelling, WALL } from "./motion.js";
import { motionAllowed, namesShown } from "./settings.js";
import { drawAreas } from "./territory.js";
import { isTurned } from "./turning.js";

const WITH_NAMES = 520; // pixels of width from which rows and columns are named
const OPPOSITE = { up: "down", right: "left", down: "up", left: "right" };
export const STEPPING = new Set(["step", "jump"]);

let made = 0;

export class Picture {
  /** @type {Api.Scene | null} */
  scene = null;
  /** @type {Geometry | null} */
  geometry = null;
  mine = false;
  slides = false;
  turned = false; // by half a turn
  arrows = false;
  /** @type {Map<string, Api.Choice[]>} The choices of each place. */
  at = new Map();
  /** @type {Map<string, Api.Choice[]>} What each wall can be turned to. */
  turns = new Map();
  /** @type {Map<string, Api.Choice>} */
  keys = new Map();
  #cells = [];
  #edges = new Map();
  #pieces = new Map();
  animations = new Animations();
  #names = false;

  constructor({ small = true, label = "" } = {}) {
    this.small = small;
    this.label = label;
    this.id = `board${++made}`;
    this.svg = svg("svg", { focusable: "false" });
    this.element = h("div.board", {}, this.svg);
    if (!small) return;
    this.element.classList.add("small");
    this.svg.setAttribute("role", "img");
  }

  destroy() {
    this.animations.settle();
    this.element.remove();
  }

  /**
   * Draw a scene; `mine` if the visitor can act in it, `animate` if it follows the one shown before. Returns whether the
   * board is the same as before.
   * @param {Api.Scene} scene
   * @param {{mine?: boolean, animate?: boolean}} [how]
   */
  show(scene, { mine = false, animate = false } = {}) {
    this.animations.settle();
    if (this.small) this.turned = isTurned(scene, []);
    const before = this.scene;
    const same =
      Boolean(before) &&
      before.rows === scene.rows &&
      before.cols === scene.cols &&
      before.edges === scene.edges &&
      this.geometry.turned === this.turned;
    this.scene = scene;
    this.mine = mine && !this.small;
    if (!same) this.#build();
    this.#sort();
    const live = animate && same && motionAllowed() && !document.hidden;
    const changed = this.#drawCells();
    this.#drawWalls(live);
    this.#drawPieces(live);
    if (live) this.#animateChanges(changed);
    this.svg.setAttribute("aria-label", this.small ? this.label || scene.title : `${scene.title}, board`);
    this.element.toggleAttribute("data-mine", this.mine);
    this.element.toggleAttribute("data-turned", this.turned);
    this.element.toggleAttribute("data-over", scene.turn < 0);
    return same;
  }

  /**
   * The element of a cell or an edge.
   * @param {string} place
   */
  elementAt(place) {
    return place.includes("|") ? this.#edges.get(place)?.group : this.#cells[this.geometry.index(place)]?.group;
  }

  // Layers that a board adds under and over the pieces.
  /** @returns {Element[]} */
  layersUnder() {
    return [];
  }

  /** @returns {Element[]} */
  layersOver() {
    return [];
  }

  #build() {
    const { rows, cols, edges } = this.scene;
    this.geometry = new Geometry(rows, cols, edges, this.turned);
    this.#cells = [];
    this.#edges.clear();
    this.#pieces.clear();
    this.defs = svg("defs");
    this.layers = { ground: quiet("ground"), grid: svg("g.grid"), areas: quiet("areas"), pieces: quiet("pieces") };
    for (let row = 0; row < rows; row += 1) {
      this.layers.grid.append(this.#row(row, 0));
      if (edges && row + 1 < rows) this.layers.grid.append(this.#row(row, 1));
    }
    if (!this.small) {
      this.svg.setAttribute("role", "grid");
      this.svg.setAttribute("aria-rowcount", edges ? 2 * rows - 1 : rows);
      this.svg.setAttribute("aria-colcount", edges ? 2 * cols - 1 : cols);
    }
    this.svg.replaceChildren(
      this.defs,
      this.layers.ground,
      this.layers.areas,
      this.layers.grid,
      ...this.layersUnder(),
      this.layers.pieces,
      ...this.layersOver(),
    );
    this.fit(this.small ? 0 : this.svg.getBoundingClientRect().width, true);
  }

  /**
   * A row of cells with the edges between them, or (half) the row of edges below it, as they are seen.
   * @param {number} row
   * @param {number} half
   */
  #row(row, half) {
    const { cols, edges } = this.scene;
    const edge = (...spots) => this.geometry.key(spots.map(spot => this.geometry.seen(spot)));
    const line = this.#node("row", "g", { "aria-rowindex": (edges ? 2 * row + half : row) + 1 });
    for (let col = 0; col < cols; col += 1) {
      const column = edges ? 2 * col + 1 : col + 1;
      if (half) line.append(this.#edge(edge([row, col], [row + 1, col]), column));
      else line.append(this.#cell(this.geometry.seen([row, col]), column));
      if (edges && !half && col + 1 < cols) line.append(this.#edge(edge([row, col], [row, col + 1]), column + 1));
    }
    return line;
  }

  /**
   * @param {string} role
   * @param {string} kind
   * @param {Record<string, any>} [attributes]
   */
  #node(role, kind, attributes) {
    return svg(kind, this.small ? {} : { role, ...attributes });
  }

  /**
   * @param {[number, number]} spot
   * @param {number} column
   */
  #cell([row, col], column) {
    const { x, y } = this.geometry.box(`${row},${col}`);
    const group = this.#node("gridcell", "g.cell", {
      "aria-colindex": column,
      tabindex: -1,
      "data-at": `${row},${col}`,
    });
    group.setAttribute("transform", `translate(${x} ${y})`);
    this.#cells[row * this.scene.cols + col] = { group, cell: null, may: "", name: "", dot: null };
    return group;
  }

  /**
   * @param {string} key
   * @param {number} column
   */
  #edge(key, column) {
    const { x, y, width, height } = this.geometry.box(key);
    const group = this.#node("gridcell", "g.edge", { "aria-colindex": column, tabindex: -1, "data-at": key });
    const bar = svg("rect.bar", { x, y, width, height, rx: Math.min(width, height) / 2 });
    group.append(bar);
    this.#edges.set(key, { group, bar, wall: false, owner: 0, name: "" });
    return group;
  }

  /**
   * Name rows and columns if the board is wide enough; the view box follows.
   * @param {number} width
   */
  fit(width, anew = false) {
    if (!this.geometry) return;
    const names = !this.small && width >= (this.#names ? WITH_NAMES - 24 : WITH_NAMES) && namesShown(this.scene);
    if (names !== this.#names || anew) {
      this.#names = names;
      const { parts, x, y, width: wide, height: high } = drawFrame(this.scene, this.geometry, names);
      this.svg.setAttribute("viewBox", `${x} ${y} ${wide} ${high}`);
      this.element.style.setProperty("--ratio", (wide / high).toFixed(4));
      this.layers.ground.replaceChildren(...parts);
    }
    if (width) this.element.style.setProperty("--unit", `${(this.geometry.width / width).toFixed(3)}px`);
  }

  // Index the choices by place and key.
  #sort() {
    this.at.clear();
    this.turns.clear();
    this.keys.clear();
    for (const choice of this.scene.choices) {
      if (choice.at.length === 4) append(this.turns, this.geometry.key(choice.at.slice(0, 2)), choice);
      else if (choice.at.length) append(this.at, this.geometry.key(choice.at), choice);
      const key = this.keyOf(choice);
      if (key && !this.keys.has(key)) this.keys.set(key, choice);
    }
    if (!this.scene.choices.length) return;
    this.slides = this.scene.choices.some(choice => choice.role === "slide");
    this.arrows = this.scene.choices.some(choice => choice.key in DIRECTIONS) || (this.arrows && this.at.size === 0);
  }

  /**
   * The key that plays a choice: an arrow key means what is seen.
   * @param {Api.Choice} choice
   */
  keyOf({ key }) {
    return this.turned ? (OPPOSITE[key] ?? key) : key;
  }

  // Redraw the cells that changed, and return them.
  #drawCells() {
    const changed = [];
    let joined = false;
    this.scene.cells.forEach((cell, index) => {
      const known = this.#cells[index];
      const before = known.cell;
      if (before !== cell && !looksSame(before, cell)) {
        known.group.replaceChildren(...drawCell(cell, owner => this.#hatch(owner)));
        known.dot = null;
        known.may = "";
        known.group.setAttribute("class", `cell ${ownerClass(cell.owner)}`);
        known.group.dataset.role = cell.role;
        changed.push({ index, before, cell });
      }
      known.cell = cell;
      known.failing = cell.role === "failed" && before !== null && before.role !== "failed";
      this.#drawMay(known, index, cell);
      joined ||= before?.owner !== cell.owner || before?.role !== cell.role;
    });
    if (joined) drawAreas(this.layers.areas, this.scene, this.geometry);
    return changed;
  }

  /**
   * @param {number} index
   * @param {Api.Cell} cell
   */
  #drawMay(known, index, cell) {
    const choices = this.at.get(`${Math.floor(index / this.scene.cols)},${index % this.scene.cols}`) ?? [];
    const step = choices.find(choice => STEPPING.has(choice.role));
    const may =
      step || choices.some(choice => choice.role === "take") || cell.marks.some(mark => mark.role === "takeable")
        ? (step?.role ?? "take")
        : "";
    if (may !== known.may) {
      known.dot?.remove();
      known.dot = may ? svg("circle.dot", { cx: SIZE / 2, cy: SIZE / 2, r: may === "take" ? 7 : 11 }) : null;
      if (known.dot) known.group.append(known.dot);
      known.may = may;
    }
    const name = step && this.mine ? `${cell.name}, ${step.role} possible` : cell.name;
    if (this.small || name === known.name) return;
    known.name = name;
    known.group.setAttribute("aria-label", name);
  }

  /** @param {number} owner */
  #hatch(owner) {
    const id = `${this.id}-hatch${owner}`;
    if (!this.defs.querySelector(`#${id}`)) this.defs.append(drawHatch(id, owner));
    return id;
  }

  /** @param {boolean} live */
  #drawWalls(live) {
    if (!this.scene.edges) return;
    const walls = new Map(this.scene.walls.map(wall => [this.geometry.key(wall.between), wall]));
    for (const [key, edge] of this.#edges) {
      const wall = walls.get(key);
      edge.group.classList.toggle("wall", Boolean(wall));
      edge.group.classList.toggle("last", Boolean(wall?.last));
      if (live && wall && !edge.wall) this.animations.run(edge.bar, WALL);
      edge.wall = Boolean(wall);
      if (edge.owner !== (wall?.owner ?? 0)) this.#signEdge(key, edge, wall?.owner ?? 0);
      this.#nameEdge(key, edge, wall);
    }
  }

  /**
   * Whose a wall is shows in its colour and in its number of notches.
   * @param {string} key
   * @param {number} owner
   */
  #signEdge(key, edge, owner) {
    edge.bar.setAttribute("class", `bar ${ownerClass(owner)}`);
    edge.group.replaceChildren(edge.bar, ...drawNotches(this.geometry.box(key), owner));
    edge.owner = owner;
  }

  /**
   * @param {string} key
   * @param {Api.Wall} wall
   */
  #nameEdge(key, edge, wall) {
    if (this.small) return;
    let name = wall?.name;
    if (wall && this.mine && this.turns.has(key)) name += ", can be turned";
    if (!wall) {
      const { cells, cols } = this.scene;
      const [one, other] = this.geometry.spots(key).map(([row, col]) => cells[row * cols + col].name.split(",", 1)[0]);
      const choice = this.mine && this.at.get(key)?.[0];
      name = choice ? `${choice.label} possible` : `between ${one} and ${other}`;
    }
    if (name === edge.name) return;
    edge.name = name;
    edge.group.setAttribute("aria-label", name);
  }

  /**
   * A piece keeps its element when it moves, so that it can be animated.
   * @param {boolean} live
   */
  #drawPieces(live) {
    const { cells, cols } = this.scene;
    const number = ([row, col]) => row * cols + col;
    const into = new Map();
    const from = new Map();
    for (const { start, end } of live ? this.scene.motions : []) {
      append(into, number(end), number(start));
      from.set(number(start), number(end));
    }
    const old = this.#pieces;
    const kept = new Set();
    this.#pieces = new Map();
    cells.forEach((cell, index) => {
      const piece = pieceOf(cell);
      if (!piece) return;
      const sources = into.get(index) ?? [];
      const stayed = from.has(index) ? undefined : old.get(index);
      const source = sources.length === 1 && !stayed ? old.get(sources[0]) : undefined;
      let node;
      if (source?.key === piece.key) {
        node = source.node;
        kept.add(sources[0]);
        this.#put(node, index);
        this.#travel(node, sources[0], index);
      } else if (!sources.length && stayed?.key === piece.key) {
        node = stayed.node;
        kept.add(index);
      } else {
        node = piece.draw();
        this.layers.pieces.append(node);
        this.#put(node, index);
        if (live) this.animations.run(node, appearing(this.translate(index), from.size ? 0.7 * MOVE : 0));
      }
      node.classList.toggle("last", cell.last);
      this.#pieces.set(index, { key: piece.key, node });
    });
    for (const [index, { node }] of old) {
      if (kept.has(index)) continue;
      if (from.has(index)) this.#travel(node, index, from.get(index), () => node.remove());
      else if (into.has(index)) this.animations.run(node, STAY, () => node.remove());
      else node.remove();
    }
  }

  /**
   * @param {SVGElement} node
   * @param {number} index
   */
  #put(node, index) {
    node.style.transform = this.translate(index);
  }

  /** @param {number} index */
  translate(index) {
    const { cols } = this.geometry;
    const [x, y] = this.geometry.centre(`${Math.floor(index / cols)},${index % cols}`);
    return `translate(${x}px, ${y}px)`;
  }

  /**
   * @param {SVGElement} node
   * @param {number} start
   * @param {number} end
   * @param {() => void} [done]
   */
  #travel(node, start, end, done) {
    const failed = this.#cells.findIndex(known => known.failing);
    const over = failed >= 0 ? this.translate(failed) : null;
    const whirls = node.classList.contains("here");
    this.animations.run(node, travelling(this.translate(start), this.translate(end), { over, whirls }), done);
  }

  /**
   * Taken cells grow, a failed one blinks, a safe one swells.
   * @param {any[]} changed
   */
  #animateChanges(changed) {
    for (const { index, before, cell } of changed) {
      const { group } = this.#cells[index];
      const face = group.firstElementChild;
      if (cell.role === "owned" && before?.owner !== cell.owner) this.animations.run(face, TAKEN);
      if (cell.role === "failed" && before?.role !== "failed") this.animations.run(group, BLINK);
      if (cell.role === "safe" && before?.role !== "safe") this.animations.run(face, SWELL);
    }
  }
}

/** @param {string} kind */
export function quiet(kind) {
  return svg(`g.${kind}`, { "aria-hidden": "true" });
}

/** @param {string} key */
function append(map, key, value) {
  if (map.has(key)) map.get(key).push(value);
  else map.set(key, [value]);
}
