// The panels beside the board: seats, figures, moves. Each is created once and then updated, so that the
// layout does not jump and the focus stays.

import { h } from "./dom.js";
import { ownerClass, roundClass } from "./draw.js";
import { capitalize } from "./listing.js";

const rendered = new WeakMap();

/**
 * Replace the children of an element, but only if the data they show has changed.
 * @param {Element} element
 * @param {any} data
 * @param {() => any} make
 */
export function renderIfChanged(element, data, make) {
  const key = JSON.stringify(data);
  if (rendered.get(element) === key) return;
  rendered.set(element, key);
  element.replaceChildren(...[make()].flat(Infinity).filter(Boolean));
}

/**
 * A player's colour and number.
 * @param {number} number
 */
export function token(number) {
  return h(`span.token.${ownerClass(number)}`, { "aria-hidden": "true" }, String(number));
}

// -- Seats and figures --------------------------------------------------------------------------------------------------

export class Seats {
  element = h("ul.sides", { "aria-label": "Players" });
  #clocks = new Map();

  /** @param {{info: Api.GameInfo, scene: Api.Scene, thinking: number, preparing: boolean}} position */
  update({ info, scene, thinking, preparing }) {
    const own = number => scene.panels.filter(panel => panel.owner === number);
    const turn = info.status === "playing" ? scene.turn : 0;
    const single = info.seats.length === 1 && !scene.players.length;
    this.element.hidden = single && info.seats[0].kind !== "bot";
    renderIfChanged(
      this.element,
      [
        info.seats,
        turn,
        thinking,
        preparing,
        info.winners,
        scene.panels.filter(panel => panel.owner),
        Boolean(this.clock),
      ],
      () => info.seats.map(seat => this.#seat(seat, own(seat.number), { info, thinking, preparing, single, turn })),
    );
    if (this.clock) this.tick();
  }

  /**
   * @param {Api.SeatInfo} seat
   * @param {Api.Panel[]} panels
   * @param {any} position
   */
  #seat(seat, panels, { info, thinking, preparing, single, turn }) {
    const clock = h("time.clock", {
      role: "timer",
      "aria-label": `Time of ${ownName(seat)}`,
      hidden: !this.clock,
    });
    this.#clocks.set(seat.number, clock);
    const won = info.winners?.includes(seat.number);
    const state =
      thinking === seat.number
        ? preparing
          ? "preparing…"
          : "thinking…"
        : won
          ? info.winners.length > 1
            ? "draw"
            : "won"
          : "";
    return h(
      `li.player${turn === seat.number ? ".turn" : ""}`,
      { "data-seat": seat.number, "aria-current": turn === seat.number ? "true" : null },
      single ? null : token(seat.number),
      h(
        "span.who",
        {},
        h("span.name", { title: seat.details || null }, ownName(seat)),
        seat.kind === "person" && !seat.yours
          ? h(
              `span.online${seat.online ? ".on" : ""}`,
              {},
              h("span.visually-hidden", {}, seat.online ? "online" : "away"),
            )
          : null,
        state ? h(`span.state${won ? ".won" : ""}`, {}, state) : null,
      ),
      clock,
      panels.length
        ? h(
            "span.counts.small",
            {},
            panels.map(panel => h("span", {}, `${panel.label} `, h("b", {}, panel.value))),
          )
        : null,
    );
  }

  /**
   * The clock as the server sent it, and when it arrived.
   * @param {Api.ClockTimes | null} clock
   */
  setClock(clock) {
    this.clock = clock ? { ...clock, since: performance.now() } : null;
  }

  tick() {
    if (!this.clock) return;
    for (const [number, element] of this.#clocks) {
      const spent = this.clock.running === number ? performance.now() - this.clock.since : 0;
      const left = Math.max(0, this.clock.left[number - 1] - spent);
      const text = clockText(left);
      if (element.textContent !== text) element.textContent = text;
      element.classList.toggle("low", left < 20_000);
      element.classList.toggle("running", this.clock.running === number);
    }
  }
}

/**
 * The visitor has their own name beside "you".
 * @param {Api.SeatInfo} seat
 */
function ownName({ name, label }) {
  return name === "You" && label ? `${label} (you)` : name;
}

/** @param {number} ms */
function clockText(ms) {
  if (ms < 10_000) return (ms / 1000).toFixed(1);
  const seconds = Math.ceil(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const tail = String(seconds % 60).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${tail}` : `${minutes}:${tail}`;
}

/**
 * Figures that belong to no player: round, total, moves.
 * @param {Api.Panel[]} panels
 */
export function figures(panels) {
  return panels.map(panel =>
    h("div", {}, h("dt", {}, panel.label), h("dd", {}, panel.items.length ? itemList(panel.items) : panel.value)),
  );
}

// The entries of one figure, such as the results of rounds: each has a colour by its position, failures have a cross.
/** @param {Api.Item[]} items */
function itemList(items) {
  return h(
    "span.rounds",
    {},
    items.map(({ text, name, failed }, index) =>
      h(
        `span.pip.${roundClass(index + 1)}`,
        { title: capitalize(name) },
        failed ? [h("span", { "aria-hidden": "true" }, "✕"), h("span.visually-hidden", {}, text)] : text,
      ),
    ),
  );
}

// -- Moves --------------------------------------------------------------------------------------------------------------

export class Moves {
  #entries = [];
  /** @type {[string, number][]} */
  #plies = [];
  #list = h("ol.ply-list");
  #empty = h("p.muted", {}, "No moves yet.");

  /** @param {(ply: number) => void} onLook */
  constructor(onLook) {
    this.element = h(
      "section.plies",
      { "aria-label": "Moves" },
      this.#empty,
      h("div.ply-scroll", { tabindex: 0, role: "group", "aria-label": "List of moves" }, this.#list),
    );
    this.#list.addEventListener("click", event => {
      const button = event.target.closest("button");
      if (button) onLook(Number(button.dataset.ply));
    });
  }

  /**
   * Plies as [name, player], and the same in words; chance outcomes belong to the action before them. Sections divide
   * them.
   * @param {{plies: [string, number][], phrases: string[]}} game
   * @param {number} from
   * @param {string[]} titles
   * @param {Api.Section[]} sections
   */
  update({ plies, phrases }, from, titles, sections = []) {
    while (this.#entries.length && this.#entries.at(-1).index >= from) {
      const { button, group } = this.#entries.pop();
      button.remove();
      if (!group.querySelector("button")) group.remove();
    }
    this.#plies = plies;
    this.#list.classList.toggle("flow", titles.length < 2);
    for (let index = from; index < plies.length; index += 1) this.#add(index, phrases[index], titles);
    this.#empty.hidden = this.#entries.length > 0;
    for (const entry of this.#entries.slice(-3)) entry.button.dataset.ply = this.#after(entry.index);
    this.#divide(sections);
    this.mark(null);
  }

  /**
   * Heads each section with its name and result, and marks the move at which it failed.
   * @param {Api.Section[]} sections
   */
  #divide(sections) {
    for (const head of this.#list.querySelectorAll(".part")) head.remove();
    for (const { button } of this.#entries) button.classList.remove("failed");
    sections.forEach(({ title, start, result, failed }, place) => {
      const end = sections[place + 1]?.start ?? Infinity;
      const inside = this.#entries.filter(({ index }) => index >= start && index < end);
      if (!inside.length) return;
      const text = failed ? `✕ ${result}` : result;
      inside[0].group.before(h(`li.part${failed ? ".failed" : ""}`, {}, `${title} `, result ? h("b", {}, text) : null));
      if (failed) inside.at(-1).button.classList.add("failed");
    });
  }

  /** @param {number} index */
  #after(index) {
    let ply = index + 1;
    while (ply < this.#plies.length && this.#plies[ply][1] === 0) ply += 1;
    return ply;
  }

  /**
   * @param {number} index
   * @param {string} phrase
   * @param {string[]} titles
   */
  #add(index, phrase, titles) {
    const [, by] = this.#plies[index];
    if (by === 0) return;
    const last = this.#entries.at(-1);
    const fresh = titles.length < 2 || !last || by <= last.by;
    const group = fresh ? h("li") : last.group;
    if (fresh) this.#list.append(group);
    const who = titles.length > 1 ? `${titles[by - 1] ?? by}: ` : "";
    const button = h(
      `button.ply${titles.length > 1 ? `.${ownerClass(by)}` : ""}`,
      {
        type: "button",
        "data-ply": this.#after(index),
        "aria-label": `Look at move ${this.#entries.length + 1}, ${who}${phrase}`,
      },
      phrase,
    );
    group.append(button);
    this.#entries.push({ index, by, group, button });
  }

  /**
   * Marks the move that is shown: an earlier one, or (null) the last.
   * @param {number} ply
   */
  mark(ply) {
    this.#list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const entry =
      ply === null ? this.#entries.at(-1) : this.#entries.find(({ button }) => Number(button.dataset.ply) === ply);
    entry?.button.setAttribute("aria-current", "true");
    const scroll = this.#list.parentElement;
    if (entry && scroll.scrollHeight > scroll.clientHeight)
      scroll.scrollTop = entry.group.offsetTop - scroll.clientHeight / 2;
  }

  /**
   * The number of the move that led to a ply.
   * @param {number} ply
   */
  number(ply) {
    return this.#entries.findIndex(({ button }) => Number(button.dataset.ply) === ply) + 1;
  }

  /**
   * The ply of the move before (-1) or after (1).
   * @param {number} ply
   * @param {number} step
   */
  beside(ply, step) {
    const stops = [0, ...this.#entries.map(({ button }) => Number(button.dataset.ply))];
    const now = ply === null ? stops.length - 1 : stops.indexOf(ply);
    return stops[Math.max(0, Math.min(stops.length - 1, now + step))];
  }
}

// -- Who plays ----------------------------------------------------------------------------------------------------------

// Controls that give seats to a bot of some level, or take them back.
export class SeatSwitches {
  element = h("details.switches", { hidden: true });
  #rows = h("div.stack");
  #chosenLevels = new Map();

  /** @param {(seat: number, bot: string | null) => void} onSeat */
  constructor(onSeat) {
    this.onSeat = onSeat;
    this.element.append(h("summary", {}, "Who plays"), this.#rows);
  }

  /** @param {{info: Api.GameInfo, scene: Api.Scene, levels: string[]}} position */
  update({ info, scene, levels }) {
    this.element.hidden = !info.may.switch.length || info.status === "over";
    const seats = info.seats.filter(seat => info.may.switch.includes(seat.number));
    renderIfChanged(
      this.#rows,
      [seats.map(({ number, bot, level, kind }) => [number, bot, level, kind]), scene.players, levels.length],
      () => seats.map(seat => this.#row(seat, { info, scene, levels })),
    );
  }

  /**
   * @param {Api.SeatInfo} seat
   * @param {{info: Api.GameInfo, scene: Api.Scene, levels: string[]}} game
   */
  #row(seat, { info, scene, levels }) {
    const id = `level-${seat.number}`;
    const bot = seat.kind === "bot";
    const level = seat.level ?? this.#chosenLevels.get(seat.number) ?? 3;
    const what = value => levels[value - 1] ?? `Level ${value}`;
    const output = h("output", { for: id }, bot && !seat.level ? seat.label : what(level));
    const slider = h("input", {
      id,
      type: "range",
      min: 1,
      max: 10,
      step: 1,
      value: level,
      disabled: !bot,
      "aria-label": "Strength of the bot",
      "aria-valuetext": what(level),
      oninput: () => {
        output.textContent = what(slider.value);
        slider.setAttribute("aria-valuetext", what(slider.value));
      },
      onchange: () => {
        this.#chosenLevels.set(seat.number, Number(slider.value));
        this.onSeat(seat.number, slider.value);
      },
    });
    const whom = seat.yours && info.you.length === 1 ? "for you" : `player ${seat.number}`;
    return h(
      "div.switch",
      {},
      h(
        "label.check",
        {},
        h("input", {
          type: "checkbox",
          checked: bot,
          onchange: event => this.onSeat(seat.number, event.target.checked ? String(slider.value) : null),
        }),
        `A bot plays ${scene.players.length ? whom : "this game"}`,
      ),
      h("div.row", {}, slider, output),
    );
  }
}
