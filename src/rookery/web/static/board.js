// A board that shows any scene and lets the visitor act in it: pointer.js handles mouse and touch, cursor.js the keyboard.

import { DIRECTIONS, press as pressKey } from "./cursor.js";
import { h, svg } from "./dom.js";
import { drawHere, drawPawn, ownerClass, SIZE } from "./draw.js";
import { capitalize } from "./listing.js";
import { nudged } from "./motion.js";
import { lineOf, outline, outlinesOf } from "./outlines.js";
import { Picture, quiet, STEPPING } from "./picture.js";
import { listen } from "./pointer.js";
import { motionAllowed, SETTINGS_CHANGED, settings } from "./settings.js";

const TIGHT = 5; // drawing units per pixel from which a cell has no room for two numbers

export class Board extends Picture {
  keyed = false;
  cursor = "0,0";
  /** @type {string | null} */
  aimed = null;
  /** @type {{place: string, targets: Map<string, Api.Choice>} | null} The wall being turned. */
  picked = null;
  /** @type {string | null} */
  armed = null;
  /** @type {Record<string, string>} What the roles of choices are called in sentences. */
  words = {};
  /** @type {string | null} */
  #bubbleAnchor = null;
  #bubbleTimer = 0;

  /**
   * `onAction` gets the action to play, `onWhy` the cells of a place where none is possible.
   * @param {{onAction?: (action: string) => void, onWhy?: (spots: [number, number][]) => void}} [handlers]
   */
  constructor({ onAction = _action => {}, onWhy = _spots => {} } = {}) {
    super({ small: false });
    this.onAction = onAction;
    this.onWhy = onWhy;
    this.bubble = h("p.bubble", { hidden: true, "aria-hidden": "true" });
    this.live = h("p.visually-hidden", { role: "status", "aria-live": "polite" });
    this.element.append(this.bubble, this.live);
    this.element.addEventListener("keydown", event => {
      if (!event.defaultPrevented && this.key(event)) event.preventDefault();
    });
    this.svg.addEventListener("focusin", event => {
      const place = event.target.closest("[data-at]")?.dataset.at;
      if (place) this.#settleCursor(place);
    });
    listen(this);
    this.watch = new ResizeObserver(([{ contentRect }]) => this.fit(contentRect.width));
    this.watch.observe(this.svg);
    document.addEventListener(SETTINGS_CHANGED, this.#refit);
  }

  /** @param {number} width */
  fit(width, anew = false) {
    super.fit(width, anew);
    if (this.geometry && width) this.element.toggleAttribute("data-tight", this.geometry.width / width > TIGHT);
  }

  #refit = () => this.fit(this.svg.getBoundingClientRect().width, true);

  // Turn the board by half a turn, or back.
  turn(turned) {
    if (this.turned === turned) return;
    this.turned = turned;
    if (this.scene) this.show(this.scene, { mine: this.mine });
  }

  destroy() {
    clearTimeout(this.#bubbleTimer);
    this.watch.disconnect();
    document.removeEventListener(SETTINGS_CHANGED, this.#refit);
    super.destroy();
  }

  /**
   * @param {Api.Scene} scene
   * @param {{mine?: boolean, animate?: boolean}} [how]
   */
  show(scene, { mine = false, animate = false } = {}) {
    this.#hideBubble();
    this.release();
    const same = super.show(scene, { mine, animate });
    if (!same) {
      this.cursor = "0,0";
      this.aimed = null;
      this.#settleCursor(this.#start());
    }
    this.hint(null);
    this.aim(this.aimed, true);
    return same;
  }

  layersUnder() {
    this.ghosts = { targets: quiet("ghosts"), pending: quiet("ghosts"), aim: quiet("ghosts") };
    this.ghosts.pending.classList.add("pending");
    return [this.ghosts.targets];
  }

  layersOver() {
    this.hints = quiet("hints");
    this.cursorMark = svg("rect.cursor", { "aria-hidden": "true" });
    return [this.ghosts.pending, this.ghosts.aim, this.hints, this.cursorMark];
  }

  /**
   * Show an action as a hint; null removes it.
   * @param {string} action
   */
  hint(action) {
    this.#outlineActions(action ? [action] : [], "advice");
  }

  /**
   * Outline the actions that a guided game asks for, one of which is to be played.
   * @param {string[]} actions
   */
  prompt(actions) {
    this.#outlineActions(actions, "prompt");
  }

  /**
   * @param {string[]} actions
   * @param {string} kind
   */
  #outlineActions(actions, kind) {
    const choices = this.scene?.choices.filter(each => actions.includes(each.action)) ?? [];
    this.hints?.replaceChildren(
      ...choices.flatMap(choice => outlinesOf(this.geometry, choice, this.keyOf(choice), kind)),
    );
  }

  /**
   * Outline the moves of a line on the board, numbered in order; the last at each place counts, and the last of all stands out.
   * @param {Api.Choice[]} line
   */
  outline(line) {
    this.hints.replaceChildren(...lineOf(this.geometry, line, choice => this.keyOf(choice)));
  }

  /**
   * Show a message in a bubble, near what was last touched.
   * @param {string} text
   */
  say(text) {
    this.ghosts.pending.replaceChildren();
    this.announce(text);
    const { bubble } = this;
    bubble.textContent = text;
    bubble.hidden = false;
    const place = this.#bubbleAnchor
      ? this.geometry.box(this.#bubbleAnchor)
      : { x: 0, y: this.geometry.height / 3, width: this.geometry.width, height: 0 };
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

  /**
   * Announce text to screen readers.
   * @param {string} text
   */
  announce(text) {
    this.live.textContent = text;
  }

  /**
   * Handle a key; true if the board used it.
   * @param {KeyboardEvent} event
   */
  key(event) {
    return this.scene !== null && pressKey(this, event);
  }

  // -- Input -----------------------------------------------------------------------------------------------------------

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} units
   */
  placeAt(x, y, units) {
    return (
      this.geometry?.near(
        x,
        y,
        units,
        cell => this.mine && this.at.get(cell)?.some(choice => STEPPING.has(choice.role)),
      ) ?? null
    );
  }

  // Whether a swipe means a direction, like the arrow keys; on boards with edges it means the edge at its end.
  get swipes() {
    return this.slides || (this.arrows && !this.scene.edges);
  }

  /** @param {boolean} keyed */
  byKeys(keyed) {
    this.keyed = keyed;
    this.element.toggleAttribute("data-keyed", keyed);
    if (keyed) this.aim(null);
  }

  /**
   * Point at a place: a ghost shows what a click would do.
   * @param {string} [place]
   */
  aim(place, again = false) {
    if (place === this.aimed && !again) return;
    this.aimed = place;
    const choice = this.mine && place ? this.#choiceAt(place) : null;
    this.ghosts.aim.replaceChildren(...(choice ? [this.#ghost(choice, place)] : []));
    const turnable = this.mine && place && this.turns.has(place) && !this.picked;
    if (turnable) this.ghosts.aim.replaceChildren(this.#outline(place, "turnable"));
    this.svg.classList.toggle("can", Boolean(choice || turnable));
  }

  /**
   * Play the action of a place, or ask why there is none.
   * @param {string} [place]
   * @param {{touch?: boolean}} [how] whether a finger did it
   */
  press(place, { touch = false } = {}) {
    this.#bubbleAnchor = place;
    if (!this.mine) return;
    if (this.picked) {
      const choice = this.picked.targets.get(place);
      if (choice) this.play(choice);
      else this.release();
      return;
    }
    const choice = this.#choiceAt(place);
    const careful = choice?.role === "golden" || (touch && settings.get("touch") === "twice");
    if (choice && careful && this.armed !== place) {
      this.#arm(place, choice, touch);
    } else if (choice) {
      this.play(choice, place);
    } else if (this.turns.has(place)) {
      this.pick(place);
    } else if (!this.slides) {
      this.release();
      this.onWhy(this.geometry.spots(place));
    }
  }

  /**
   * @param {Api.Choice} choice
   * @param {string} [place]
   */
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

  /** @param {import("./geometry.js").Way} way */
  slide(way) {
    if (!this.mine) return;
    const choice = this.keys.get(way);
    if (choice) this.play(choice);
    else this.refuse(way);
  }

  /**
   * A direction that is not legal: nudge the pieces, and ask the server for the reason if there is a cell.
   * @param {import("./geometry.js").Way} way
   */
  refuse(way) {
    const [down, right] = DIRECTIONS[way];
    if (motionAllowed()) this.animations.run(this.layers.pieces, nudged(right, down));
    if (this.slides) {
      this.#bubbleAnchor = null;
      this.say(`Sliding ${way} would change nothing.`);
      return;
    }
    const from = this.#mover();
    const [row, col] = this.geometry.spots(from ?? this.cursor)[0];
    const [toRow, toCol] = this.geometry.towards([down, right]);
    const to = [row + toRow, col + toCol];
    this.#bubbleAnchor = from;
    if (to[0] < 0 || to[1] < 0 || to[0] >= this.scene.rows || to[1] >= this.scene.cols)
      this.say("That is the edge of the board.");
    else this.onWhy([[to[0], to[1]]]);
  }

  /**
   * @param {string} place
   * @param {Api.Choice} choice
   */
  explain(place, choice) {
    this.#bubbleAnchor = place;
    this.say(
      `Not here. Move the cursor or pointer to a place where you can ${this.words[choice.role] ?? choice.role}.`,
    );
  }

  /**
   * Pick a wall to turn; its targets are shown.
   * @param {string} [place]
   */
  pick(place) {
    this.release();
    this.#hideBubble();
    const targets = new Map(this.turns.get(place).map(choice => [this.geometry.key(choice.at.slice(2)), choice]));
    this.picked = { place, targets };
    this.ghosts.targets.replaceChildren(
      this.#outline(place, "picked"),
      ...[...targets.keys()].map(key => this.#outline(key, "target")),
    );
    this.announce(
      `${targets.size} ${targets.size === 1 ? "place" : "places"} to turn this wall to. Choose one, or press Escape.`,
    );
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

  /**
   * Move the cursor to a place.
   * @param {string} [place]
   */
  stand(place) {
    this.#settleCursor(place);
    this.elementAt(place)?.focus({ preventScroll: true });
    this.cursorMark.scrollIntoView?.({ block: "nearest" });
  }

  // -- Overlays -------------------------------------------------------------------------------------------------------

  /** @param {string} [place] */
  #choiceAt(place) {
    if (this.picked) return this.picked.targets.get(place) ?? null;
    const found = this.at.get(place);
    return found ? (found.find(choice => choice.role !== "golden") ?? found[0]) : null;
  }

  /**
   * A faint preview of a choice.
   * @param {Api.Choice} choice
   * @param {string} [place]
   */
  #ghost(choice, place) {
    if (place.includes("|")) return this.#outline(place, `ghost-wall.${ownerClass(this.scene.turn) || "o1"}`);
    const { x, y } = this.geometry.box(place);
    if (STEPPING.has(choice.role)) {
      const mover = this.scene.players.length ? drawPawn(this.scene.turn) : drawHere();
      mover.classList.add("ghost-piece");
      mover.style.transform = this.translate(this.geometry.index(place));
      return mover;
    }
    const owner = this.scene.turn;
    const kind = choice.role === "golden" ? "ghost-golden" : "ghost-take";
    return svg(
      `g.${kind}.${ownerClass(owner) || "o1"}`,
      { transform: `translate(${x} ${y})` },
      svg("rect.face", { width: SIZE, height: SIZE, rx: 14 }),
      svg("path.golden", { d: "M50 12 88 50 50 88 12 50Z" }),
    );
  }

  /**
   * @param {string} place
   * @param {string} kind
   */
  #outline(place, kind) {
    return outline(this.geometry, place, kind);
  }

  /**
   * A golden move is possible once per game, so it needs confirmation; other moves by touch do if the visitor says so.
   * @param {string} place
   * @param {Api.Choice} choice
   * @param {boolean} touch
   */
  #arm(place, choice, touch) {
    this.release();
    this.armed = place;
    this.ghosts.targets.replaceChildren(this.#ghost(choice, place));
    this.say(`${capitalize(choice.label)}? ${touch ? "Tap" : "Click"} again to confirm.`);
  }

  #hideBubble() {
    clearTimeout(this.#bubbleTimer);
    this.bubble.hidden = true;
    this.ghosts?.pending.replaceChildren();
  }

  // -- The cursor -----------------------------------------------------------------------------------------------------

  /** @param {string} [place] */
  #settleCursor(place) {
    this.elementAt(this.cursor)?.setAttribute("tabindex", "-1");
    this.cursor = place;
    this.elementAt(place)?.setAttribute("tabindex", "0");
    const { x, y, width, height } = this.geometry.box(place);
    for (const [name, value] of Object.entries({
      x: x - 5,
      y: y - 5,
      width: width + 10,
      height: height + 10,
      rx: Math.min(18, Math.min(width, height) / 2 + 5),
    }))
      this.cursorMark.setAttribute(name, value);
  }

  // Where the piece of the player to move is, if it has one.
  #mover() {
    const { cells, cols, turn } = this.scene;
    const index = cells.findIndex(cell =>
      cell.marks.some(mark => mark.role === "here" || (mark.role === "pawn" && mark.number === turn)),
    );
    return index < 0 ? null : `${Math.floor(index / cols)},${index % cols}`;
  }

  #start() {
    return this.#mover() ?? "0,0";
  }
}
