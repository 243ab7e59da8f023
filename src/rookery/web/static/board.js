// A board that shows any scene and lets the visitor act in it. It knows roles, not games: draw.js draws cells, geometry.js
// places them, pointer.js handles mouse and touch, cursor.js the keyboard.

import { press as pressKey, DIRECTIONS } from "./cursor.js";
import { h, svg } from "./dom.js";
import { drawCell, drawHere, drawPawn, ownerClass, pieceOf, SIZE } from "./draw.js";
import { Geometry } from "./geometry.js";
import { listen } from "./pointer.js";
import { ROLE_WORDS } from "./roles.js";
import { motionAllowed } from "./settings.js";

const MOVE = 150; // milliseconds of a move's animation
const ROUND = 14; // corner radius of cells
const WITH_NAMES = 520; // pixels of width from which rows and columns are named
const STEPPING = new Set(["step", "jump"]);

let made = 0;

export class Board {
  scene = null;
  geometry = null;
  mine = false;
  keyed = false;
  slides = false;
  arrows = false;
  cursor = "0,0";
  aimed = null;
  picked = null;
  armed = null;
  at = new Map();
  turns = new Map();
  keys = new Map();
  #cells = [];
  #edges = new Map();
  #joins = new Map();
  #pieces = new Map();
  #animations = new Set();
  #names = false;
  #bubbleAnchor = null;
  #bubbleTimer = 0;

  constructor({ onAction = () => {}, onWhy = () => {}, small = false, label = "" } = {}) {
    this.onAction = onAction;
    this.onWhy = onWhy;
    this.small = small;
    this.label = label;
    this.id = `board${++made}`;
    this.svg = svg("svg", { focusable: "false" });
    this.element = h("div.board", {}, this.svg);
    if (small) {
      this.element.classList.add("small");
      this.svg.setAttribute("role", "img");
      return;
    }
    this.bubble = h("p.bubble", { hidden: true, "aria-hidden": "true" });
    this.live = h("p.visually-hidden", { role: "status", "aria-live": "polite" });
    this.element.append(this.bubble, this.live);
    this.element.addEventListener("keydown", (event) => {
      if (!event.defaultPrevented && this.key(event)) event.preventDefault();
    });
    this.svg.addEventListener("focusin", (event) => {
      const place = event.target.closest("[data-at]")?.dataset.at;
      if (place) this.#settleCursor(place);
    });
    listen(this);
    this.watch = new ResizeObserver(([{ contentRect }]) => this.#fit(contentRect.width));
    this.watch.observe(this.svg);
  }

  destroy() {
    this.settle();
    clearTimeout(this.#bubbleTimer);
    this.watch?.disconnect();
    this.element.remove();
  }

  // Draw a scene; `mine` if the visitor can act in it, `animate` if it follows the one shown before.
  show(scene, { mine = false, animate = false } = {}) {
    this.settle();
    this.#hideBubble();
    this.release();
    const before = this.scene;
    const same = before && before.rows === scene.rows && before.cols === scene.cols && before.edges === scene.edges;
    this.scene = scene;
    this.mine = mine && !this.small;
    if (!same) this.#build();
    this.#sort();
    const live = animate && same && motionAllowed() && !document.hidden;
    const changed = this.#drawCells();
    this.#drawWalls(live);
    this.#drawPieces(live);
    if (live) this.#animateChanges(changed);
    if (this.small) this.svg.setAttribute("aria-label", this.label || scene.title);
    else this.svg.setAttribute("aria-label", `${scene.title}, board`);
    this.element.toggleAttribute("data-mine", this.mine);
    this.element.toggleAttribute("data-over", scene.turn < 0);
    if (!same) this.#settleCursor(this.#start());
    this.hint(null);
    this.aim(this.aimed, true);
  }

  // Show an action as a hint; null removes it.
  hint(action) {
    this.hints?.replaceChildren();
    const choice = action && this.scene?.choices.find((each) => each.action === action);
    if (!choice) return;
    if (!choice.at.length) {
      if (choice.key in DIRECTIONS) this.hints.append(this.#arrow(choice.key));
      return;
    }
    for (let place = 0; place < choice.at.length; place += 2) this.hints.append(this.#outline(this.geometry.key(choice.at.slice(place, place + 2)), "advice"));
  }

  // Show a message in a bubble, near what was last touched.
  say(text) {
    this.ghosts.pending.replaceChildren();
    this.announce(text);
    const { bubble } = this;
    bubble.textContent = text;
    bubble.hidden = false;
    const place = this.#bubbleAnchor ? this.geometry.box(this.#bubbleAnchor) : { x: 0, y: this.geometry.height / 3, width: this.geometry.width, height: 0 };
    const frame = this.element.getBoundingClientRect();
    const matrix = this.svg.getScreenCTM();
    const above = new DOMPoint(place.x + place.width / 2, place.y).matrixTransform(matrix);
    const below = above.y + place.height * matrix.d;
    const half = bubble.offsetWidth / 2 + 4;
    const under = above.y - frame.top < bubble.offsetHeight + 8;
    bubble.style.left = `${Math.max(half, Math.min(frame.width - half, above.x - frame.left))}px`;
    bubble.style.top = `${(under ? below : above.y) - frame.top}px`;
    bubble.classList.toggle("under", under);
    clearTimeout(this.#bubbleTimer);
    this.#bubbleTimer = setTimeout(() => this.#hideBubble(), 2500 + 50 * text.length);
  }

  // Announce text to screen readers.
  announce(text) {
    if (this.live) this.live.textContent = text;
  }

  // Handle a key; true if the board used it.
  key(event) {
    return this.scene !== null && !this.small && pressKey(this, event);
  }

  // Finish all animations at once.
  settle() {
    for (const { animation, done } of this.#animations) {
      animation.cancel();
      done?.();
    }
    this.#animations.clear();
  }

  // -- Input -----------------------------------------------------------------------------------------------------------

  placeAt(x, y, units) {
    return this.geometry?.near(x, y, units, (cell) => this.mine && this.at.get(cell)?.some((choice) => STEPPING.has(choice.role))) ?? null;
  }

  // Whether a swipe means a direction, like the arrow keys; on boards with edges it means the edge at its end.
  get swipes() {
    return this.slides || (this.arrows && !this.scene.edges);
  }

  byKeys(keyed) {
    this.keyed = keyed;
    this.element.toggleAttribute("data-keyed", keyed);
    if (keyed) this.aim(null);
  }

  // Point at a place: a ghost shows what a click would do.
  aim(place, again = false) {
    if (this.small || (place === this.aimed && !again)) return;
    this.aimed = place;
    const choice = this.mine && place ? this.#choiceAt(place) : null;
    this.ghosts.aim.replaceChildren(...(choice ? [this.#ghost(choice, place)] : []));
    const turnable = this.mine && place && this.turns.has(place) && !this.picked;
    if (turnable) this.ghosts.aim.replaceChildren(this.#outline(place, "turnable"));
    this.svg.classList.toggle("can", Boolean(choice || turnable));
  }

  // Play the action of a place, or ask why there is none.
  press(place) {
    this.#bubbleAnchor = place;
    if (!this.mine) return;
    if (this.picked) {
      const choice = this.picked.targets.get(place);
      if (choice) this.play(choice);
      else this.release();
      return;
    }
    const choice = this.#choiceAt(place);
    if (choice?.role === "golden" && this.armed !== place) {
      this.#arm(place, choice);
    } else if (choice) {
      this.play(choice, place);
    } else if (this.turns.has(place)) {
      this.pick(place);
    } else if (!this.slides) {
      this.release();
      this.onWhy(this.geometry.spots(place));
    }
  }

  play(choice, place) {
    const spots = choice.at.length === 4 ? choice.at.slice(2) : choice.at;
    const target = place ?? (spots.length ? this.geometry.key(spots) : null);
    this.release();
    this.#hideBubble();
    this.#bubbleAnchor = target;
    if (target) this.ghosts.pending.replaceChildren(this.#ghost(choice, target));
    this.ghosts.aim.replaceChildren();
    this.onAction(choice.action);
  }

  slide(way) {
    if (!this.mine) return;
    const choice = this.keys.get(way);
    if (choice) this.play(choice);
    else this.refuse(way);
  }

  // A direction that is not legal: nudge the pieces, and ask the server for the reason if there is a cell.
  refuse(way) {
    const [down, right] = DIRECTIONS[way];
    if (motionAllowed()) this.#animate(this.layers.pieces, [{ transform: "none" }, { transform: `translate(${8 * right}px, ${8 * down}px)` }, { transform: "none" }], { duration: 140 });
    if (this.slides) {
      this.#bubbleAnchor = null;
      this.say(`Sliding ${way} would change nothing.`);
      return;
    }
    const from = this.#mover();
    const [row, col] = this.geometry.spots(from ?? this.cursor)[0];
    const to = [row + down, col + right];
    this.#bubbleAnchor = from;
    if (to[0] < 0 || to[1] < 0 || to[0] >= this.scene.rows || to[1] >= this.scene.cols) this.say("That is the edge of the board.");
    else this.onWhy([to]);
  }

  explain(place, choice) {
    this.#bubbleAnchor = place;
    this.say(`Not here. Move the cursor or pointer to a place where you can ${ROLE_WORDS[choice.role] ?? choice.role}.`);
  }

  // Pick a wall to turn; its targets are shown.
  pick(place) {
    this.release();
    this.#hideBubble();
    const targets = new Map(this.turns.get(place).map((choice) => [this.geometry.key(choice.at.slice(2)), choice]));
    this.picked = { place, targets };
    this.ghosts.targets.replaceChildren(this.#outline(place, "picked"), ...[...targets.keys()].map((key) => this.#outline(key, "target")));
    this.announce(`${targets.size} ${targets.size === 1 ? "place" : "places"} to turn this wall to. Choose one, or press Escape.`);
    if (this.keyed) this.stand(targets.keys().next().value);
  }

  // Cancel a half-made action; true if there was one.
  release() {
    const held = Boolean(this.picked || this.armed);
    this.picked = null;
    this.armed = null;
    this.ghosts?.targets.replaceChildren();
    if (held) this.#hideBubble();
    return held;
  }

  // Move the cursor to a place.
  stand(place) {
    this.#settleCursor(place);
    this.#element(place)?.focus({ preventScroll: true });
    this.cursorMark.scrollIntoView?.({ block: "nearest" });
  }

  // -- Drawing --------------------------------------------------------------------------------------------------------

  #build() {
    const { rows, cols, edges } = this.scene;
    this.geometry = new Geometry(rows, cols, edges);
    this.#cells = [];
    this.#edges.clear();
    this.#joins.clear();
    this.#pieces.clear();
    this.cursor = "0,0";
    this.aimed = null;
    this.defs = svg("defs");
    const quiet = (kind) => svg(`g.${kind}`, { "aria-hidden": "true" });
    this.layers = { ground: quiet("ground"), grid: svg("g.grid"), joins: quiet("joins"), pieces: quiet("pieces") };
    this.ghosts = { targets: quiet("ghosts"), pending: quiet("ghosts"), aim: quiet("ghosts") };
    this.ghosts.pending.classList.add("pending");
    this.hints = quiet("hints");
    this.cursorMark = svg("rect.cursor", { "aria-hidden": "true" });
    for (let row = 0; row < rows; row += 1) {
      this.layers.grid.append(this.#row(row, 0));
      if (edges && row + 1 < rows) this.layers.grid.append(this.#row(row, 1));
    }
    if (!this.small) {
      this.svg.setAttribute("role", "grid");
      this.svg.setAttribute("aria-rowcount", edges ? 2 * rows - 1 : rows);
      this.svg.setAttribute("aria-colcount", edges ? 2 * cols - 1 : cols);
    }
    this.svg.replaceChildren(this.defs, this.layers.ground, this.layers.grid, this.layers.joins, this.ghosts.targets, this.layers.pieces, this.ghosts.pending, this.ghosts.aim, this.hints, this.cursorMark);
    this.#fit(this.small ? 0 : this.svg.getBoundingClientRect().width, true);
  }

  // A row of cells with the edges between them, or (half) the row of edges below it.
  #row(row, half) {
    const { cols, edges } = this.scene;
    const line = this.#node("row", "g", { "aria-rowindex": (edges ? 2 * row + half : row) + 1 });
    for (let col = 0; col < cols; col += 1) {
      const column = edges ? 2 * col + 1 : col + 1;
      if (half) line.append(this.#edge(`${row},${col}|${row + 1},${col}`, column));
      else line.append(this.#cell(row, col, column));
      if (edges && !half && col + 1 < cols) line.append(this.#edge(`${row},${col}|${row},${col + 1}`, column + 1));
    }
    return line;
  }

  #node(role, kind, attributes) {
    return svg(kind, this.small ? {} : { role, ...attributes });
  }

  #cell(row, col, column) {
    const group = this.#node("gridcell", "g.cell", { "aria-colindex": column, tabindex: -1, "data-at": `${row},${col}` });
    group.setAttribute("transform", `translate(${col * this.geometry.pitch} ${row * this.geometry.pitch})`);
    this.#cells.push({ group, cell: null, may: "", name: "", dot: null });
    return group;
  }

  #edge(key, column) {
    const { x, y, width, height } = this.geometry.box(key);
    const group = this.#node("gridcell", "g.edge", { "aria-colindex": column, tabindex: -1, "data-at": key });
    const bar = svg("rect.bar", { x, y, width, height, rx: Math.min(width, height) / 2 });
    group.append(bar);
    this.#edges.set(key, { group, bar, wall: false, name: "" });
    return group;
  }

  // Name rows and columns if the board is wide enough; the view box follows.
  #fit(width, anew = false) {
    if (!this.geometry) return;
    const names = !this.small && width >= (this.#names ? WITH_NAMES - 24 : WITH_NAMES);
    if (names !== this.#names || anew) {
      this.#names = names;
      const { rows, cols, width: wide, height: high, pitch } = this.geometry;
      const longest = Math.max(wide, high);
      const pad = longest * (names ? 0.034 : 0.014);
      this.svg.setAttribute("viewBox", `${-pad} ${-pad} ${wide + 2 * pad} ${high + 2 * pad}`);
      this.element.style.setProperty("--ratio", ((wide + 2 * pad) / (high + 2 * pad)).toFixed(4));
      const ground = svg("rect.frame", { x: -pad, y: -pad, width: wide + 2 * pad, height: high + 2 * pad, rx: Math.min(pad + 14, 0.03 * longest) });
      const size = pad * 0.52;
      const name = (text, x, y) => svg("text.name", { x, y, dy: "0.36em", "text-anchor": "middle", "font-size": size }, text);
      const across = names ? Array.from({ length: cols }, (_, col) => name(this.scene.col_names[col], col * pitch + SIZE / 2, high + pad / 2)) : [];
      const along = names ? Array.from({ length: rows }, (_, row) => name(this.scene.row_names[row], -pad / 2, row * pitch + SIZE / 2)) : [];
      this.layers.ground.replaceChildren(ground, ...across, ...along);
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
      if (choice.key && !this.keys.has(choice.key)) this.keys.set(choice.key, choice);
    }
    if (!this.scene.choices.length) return;
    this.slides = this.scene.choices.some((choice) => choice.role === "slide");
    this.arrows = this.scene.choices.some((choice) => choice.key in DIRECTIONS) || (this.arrows && this.at.size === 0);
  }

  // Redraw the cells that changed, and return them.
  #drawCells() {
    const changed = [];
    this.scene.cells.forEach((cell, index) => {
      const known = this.#cells[index];
      const before = known.cell;
      if (before !== cell && !looksSame(before, cell)) {
        known.group.replaceChildren(...drawCell(cell, (owner) => this.#hatch(owner)));
        known.dot = null;
        known.may = "";
        known.group.setAttribute("class", `cell ${ownerClass(cell.owner)}`);
        known.group.dataset.role = cell.role;
        changed.push({ index, before, cell });
      }
      known.cell = cell;
      known.failing = cell.role === "failed" && before !== null && before.role !== "failed";
      this.#drawMay(known, index, cell);
      if (before?.owner !== cell.owner || before?.role !== cell.role) this.#join(index);
    });
    return changed;
  }

  #drawMay(known, index, cell) {
    const choices = this.at.get(`${Math.floor(index / this.scene.cols)},${index % this.scene.cols}`) ?? [];
    const step = choices.find((choice) => STEPPING.has(choice.role));
    const may = step || choices.some((choice) => choice.role === "take") || cell.marks.some((mark) => mark.role === "takeable") ? step?.role ?? "take" : "";
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

  // Adjacent cells of one owner are drawn as one area: fill the gap between two and the hole between four.
  #join(index) {
    const { cols } = this.geometry;
    const [row, col] = [Math.floor(index / cols), index % cols];
    for (const top of [row - 1, row]) this.#bridge("down", [[top, col], [top + 1, col]]);
    for (const left of [col - 1, col]) this.#bridge("across", [[row, left], [row, left + 1]]);
    for (const top of [row - 1, row]) for (const left of [col - 1, col]) this.#bridge("hole", [[top, left], [top, left + 1], [top + 1, left], [top + 1, left + 1]]);
  }

  #bridge(kind, spots) {
    const { rows, cols, pitch, gap } = this.geometry;
    const key = `${kind} ${spots[0]}`;
    this.#joins.get(key)?.remove();
    this.#joins.delete(key);
    if (spots.some(([row, col]) => row < 0 || col < 0 || row >= rows || col >= cols)) return;
    const cells = spots.map(([row, col]) => this.scene.cells[row * cols + col]);
    if (cells.some((cell) => cell.role !== "owned" || cell.owner !== cells[0].owner)) return;
    const [x, y] = [spots[0][1] * pitch, spots[0][0] * pitch];
    const [near, long, wide] = [SIZE - 3, SIZE - 2 * ROUND, gap + 6];
    const [corner, across] = [SIZE - ROUND - 3, gap + 2 * ROUND + 6];
    const hole = { x: x + corner, y: y + corner, width: across, height: across };
    const box = kind === "hole" ? hole : kind === "across" ? { x: x + near, y: y + ROUND, width: wide, height: long } : { x: x + ROUND, y: y + near, width: long, height: wide };
    const join = svg(`rect.join.${ownerClass(cells[0].owner)}`, box);
    this.#joins.set(key, join);
    this.layers.joins.append(join);
  }

  #hatch(owner) {
    const id = `${this.id}-hatch${owner}`;
    if (!this.defs.querySelector(`#${id}`)) {
      this.defs.append(svg(`pattern.${ownerClass(owner)}`, { id, width: 16, height: 16, patternUnits: "userSpaceOnUse", patternTransform: `rotate(${owner % 2 ? 45 : -45})` }, svg("rect.hatch-line", { width: 4, height: 16 })));
    }
    return id;
  }

  #drawWalls(live) {
    if (!this.scene.edges) return;
    const walls = new Map(this.scene.walls.map((wall) => [this.geometry.key(wall.between), wall]));
    for (const [key, edge] of this.#edges) {
      const wall = walls.get(key);
      edge.group.classList.toggle("wall", Boolean(wall));
      edge.group.classList.toggle("last", Boolean(wall?.last));
      if (live && wall && !edge.wall) this.#animate(edge.bar, [{ transform: "scale(1.5, 1.5)", opacity: 0 }, { transform: "none", opacity: 1 }], { duration: MOVE });
      edge.wall = Boolean(wall);
      this.#nameEdge(key, edge, wall);
    }
  }

  #nameEdge(key, edge, wall) {
    if (this.small) return;
    let name = wall?.name;
    if (wall && this.mine && this.turns.has(key)) name += ", can be turned";
    if (!wall) {
      const [one, other] = this.geometry.spots(key).map(([row, col]) => `${this.scene.row_names[row]},${this.scene.col_names[col]}`);
      const choice = this.mine && this.at.get(key)?.[0];
      name = `edge between ${one} and ${other}${choice ? `, ${choice.role} possible` : ""}`;
    }
    if (name === edge.name) return;
    edge.name = name;
    edge.group.setAttribute("aria-label", name);
  }

  // A piece keeps its element when it moves, so that it can be animated.
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
        if (live) this.#pop(node, index, from.size ? 0.7 * MOVE : 0);
      }
      node.classList.toggle("last", cell.last);
      this.#pieces.set(index, { key: piece.key, node });
    });
    for (const [index, { node }] of old) {
      if (kept.has(index)) continue;
      if (from.has(index)) this.#travel(node, index, from.get(index), () => node.remove());
      else if (into.has(index)) this.#animate(node, [{ opacity: 1 }, { opacity: 1 }], { duration: MOVE }, () => node.remove());
      else node.remove();
    }
  }

  #put(node, index) {
    node.style.transform = this.#translate(index);
  }

  #translate(index) {
    const { cols, pitch } = this.geometry;
    return `translate(${(index % cols) * pitch + SIZE / 2}px, ${Math.floor(index / cols) * pitch + SIZE / 2}px)`;
  }

  // After a failed check the piece first shows up where it failed, then goes where it ends.
  #travel(node, start, end, done) {
    const failed = this.#cells.findIndex((known) => known.failing);
    const [a, b] = [this.#translate(start), this.#translate(end)];
    if (failed >= 0) {
      const c = this.#translate(failed);
      this.#animate(node, [{ transform: a }, { transform: c, offset: 0.3 }, { transform: `${c} rotate(-12deg)`, offset: 0.4 }, { transform: `${c} rotate(12deg)`, offset: 0.5 }, { transform: c, offset: 0.6 }, { transform: b }], { duration: 3.4 * MOVE }, done);
    } else if (node.classList.contains("here")) {
      this.#animate(node, [{ transform: `${a} scale(1, 1)` }, { transform: `${a} scale(0.15, 1.12)`, offset: 0.3 }, { transform: `${b} scale(0.15, 1.12)`, offset: 0.7 }, { transform: `${b} scale(1, 1)` }], { duration: MOVE + 20 }, done);
    } else {
      this.#animate(node, [{ transform: a }, { transform: b }], { duration: MOVE }, done);
    }
  }

  #pop(node, index, delay) {
    const place = this.#translate(index);
    this.#animate(node, [{ transform: `${place} scale(0.4)`, opacity: 0 }, { transform: `${place} scale(1.1)`, opacity: 1, offset: 0.7 }, { transform: place, opacity: 1 }], { duration: MOVE, delay });
  }

  // Animate cells that changed: taken cells grow, a failed one blinks.
  #animateChanges(changed) {
    for (const { index, before, cell } of changed) {
      const face = this.#cells[index].group.firstElementChild;
      if (cell.role === "owned" && before?.owner !== cell.owner) {
        this.#animate(face, [{ transform: "scale(0.5)" }, { transform: "scale(1.06)", offset: 0.7 }, { transform: "none" }], { duration: MOVE });
      }
      if (cell.role === "failed" && before?.role !== "failed") {
        this.#animate(this.#cells[index].group, [{ opacity: 1 }, { opacity: 0.35 }, { opacity: 1 }, { opacity: 0.35 }, { opacity: 1 }], { duration: 420, delay: MOVE });
      }
      if (cell.role === "safe" && before?.role !== "safe") {
        this.#animate(face, [{ transform: "none" }, { transform: "scale(1.12)" }, { transform: "none" }], { duration: 240, delay: MOVE });
      }
    }
  }

  #animate(node, frames, options, done) {
    const animation = node.animate(frames, { easing: "ease-out", fill: "backwards", ...options });
    const entry = { animation, done };
    this.#animations.add(entry);
    animation.onfinish = () => {
      this.#animations.delete(entry);
      done?.();
    };
  }

  // -- Overlays -------------------------------------------------------------------------------------------------------

  #choiceAt(place) {
    if (this.picked) return this.picked.targets.get(place) ?? null;
    const found = this.at.get(place);
    return found ? found.find((choice) => choice.role !== "golden") ?? found[0] : null;
  }

  // A faint preview of a choice.
  #ghost(choice, place) {
    if (place.includes("|")) return this.#outline(place, `ghost-wall.${ownerClass(this.scene.turn) || "o1"}`);
    const { x, y } = this.geometry.box(place);
    if (STEPPING.has(choice.role)) {
      const mover = this.scene.players.length ? drawPawn(this.scene.turn) : drawHere();
      mover.classList.add("ghost-piece");
      mover.style.transform = this.#translate(this.geometry.index(place));
      return mover;
    }
    const owner = this.scene.turn;
    const kind = choice.role === "golden" ? "ghost-golden" : "ghost-take";
    return svg(`g.${kind}.${ownerClass(owner) || "o1"}`, { transform: `translate(${x} ${y})` }, svg("rect.face", { width: SIZE, height: SIZE, rx: 14 }), svg("path.golden", { d: "M50 12 88 50 50 88 12 50Z" }));
  }

  #outline(place, kind) {
    const { x, y, width, height } = this.geometry.box(place);
    const grow = place.includes("|") ? 0 : 2;
    return svg(`rect.${kind}`, { x: x - grow, y: y - grow, width: width + 2 * grow, height: height + 2 * grow, rx: grow ? 15 : Math.min(width, height) / 2 });
  }

  #arrow(way) {
    const turn = { up: 0, right: 90, down: 180, left: 270 }[way];
    const { width, height } = this.geometry;
    return svg("path.advice-arrow", { d: "M0-110 90-10H40V110H-40V-10H-90Z", transform: `translate(${width / 2} ${height / 2}) rotate(${turn})` });
  }

  // A golden move is possible once per game, so it needs confirmation.
  #arm(place, choice) {
    this.release();
    this.armed = place;
    this.ghosts.targets.replaceChildren(this.#ghost(choice, place));
    this.say(`${choice.label[0].toUpperCase()}${choice.label.slice(1)}? Click again to confirm.`);
  }

  #hideBubble() {
    if (!this.bubble) return;
    clearTimeout(this.#bubbleTimer);
    this.bubble.hidden = true;
    this.ghosts?.pending.replaceChildren();
  }

  // -- The cursor -----------------------------------------------------------------------------------------------------

  #element(place) {
    return place.includes("|") ? this.#edges.get(place)?.group : this.#cells[this.geometry.index(place)]?.group;
  }

  #settleCursor(place) {
    if (this.small) return;
    this.#element(this.cursor)?.setAttribute("tabindex", "-1");
    this.cursor = place;
    this.#element(place)?.setAttribute("tabindex", "0");
    const { x, y, width, height } = this.geometry.box(place);
    for (const [name, value] of Object.entries({ x: x - 5, y: y - 5, width: width + 10, height: height + 10, rx: Math.min(18, Math.min(width, height) / 2 + 5) })) this.cursorMark.setAttribute(name, value);
  }

  // Where the piece of the player to move is, if it has one.
  #mover() {
    const { cells, cols, turn } = this.scene;
    const index = cells.findIndex((cell) => cell.marks.some((mark) => mark.role === "here" || (mark.role === "pawn" && mark.number === turn)));
    return index < 0 ? null : `${Math.floor(index / cols)},${index % cols}`;
  }

  #start() {
    return this.#mover() ?? "0,0";
  }
}

function append(map, key, value) {
  if (map.has(key)) map.get(key).push(value);
  else map.set(key, [value]);
}

function looksSame(one, other) {
  return one !== null && one.role === other.role && one.text === other.text && one.owner === other.owner && one.last === other.last &&
    one.marks.length === other.marks.length && one.marks.every((mark, place) => mark.role === other.marks[place].role && mark.number === other.marks[place].number && mark.text === other.marks[place].text);
}
