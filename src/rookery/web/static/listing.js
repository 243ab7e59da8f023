// Games in lists: emblem, players, status and links. Also the words that several pages share.

import { h, svg } from "./dom.js";

const EMBLEMS = {
  gotham: () => [
    svg("path", {
      d: "M12 12V5h7v14H5v-7h7",
      fill: "none",
      stroke: "currentColor",
      "stroke-width": 2.4,
      "stroke-linejoin": "round",
    }),
    svg("circle", { cx: 12, cy: 12, r: 3, fill: "currentColor" }),
  ],
  gamma: () => [
    svg("path", { d: "M4 4h7v7h5v4h4v5h-9v-5H4z", fill: "currentColor" }),
    svg("path", { d: "M15 4h5v7h-4V8h-1z", fill: "currentColor", opacity: 0.55 }),
    svg("path", { d: "M4 17h4v3H4z", fill: "currentColor", opacity: 0.55 }),
  ],
  sixseven: () => [
    svg("path", {
      d: "M10 5.5C6.5 6 4 9.5 4 13.5a4 4 0 1 0 4-4c-1.5 0-2.800.8-3.5 2M13.5 6H20l-4 12",
      fill: "none",
      stroke: "currentColor",
      "stroke-width": 2.4,
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
    }),
  ],
  gaterun: () => [
    svg("path", { d: "M3.5 12h5.5M15 12h5.5", stroke: "currentColor", "stroke-width": 3, "stroke-linecap": "round" }),
    svg("circle", { cx: 12, cy: 17.5, r: 3, fill: "currentColor" }),
    svg("path", {
      d: "M12 12V4m-3 3 3-3 3 3",
      fill: "none",
      stroke: "currentColor",
      "stroke-width": 2,
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
    }),
  ],
};

/**
 * The emblem of a game; the rook for a game without its own.
 * @param {string} game
 */
export function emblem(game) {
  const drawn = EMBLEMS[game]?.() ?? [
    svg("path", { d: "M5 3h3v3h2.5V3h3v3H16V3h3v6l-2 2v6l2 2v2H5v-2l2-2v-6L5 9z", fill: "currentColor" }),
  ];
  return h(
    "span.emblem",
    { "data-game": game, "aria-hidden": "true" },
    svg("svg", { viewBox: "0 0 24 24", width: 24, height: 24 }, drawn),
  );
}

/**
 * @param {number} number
 * @param {string} one
 */
export function counted(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

/** @param {string} text */
export function capitalize(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * The address of a game's quick rules with its options.
 * @param {string} game
 * @param {Record<string, any>} options
 */
export function rulesAddress(game, options) {
  const set = Object.entries(options).filter(([, value]) => value !== null && value !== "");
  return `/rules/${game}?${new URLSearchParams(set)}`;
}

/**
 * A player within a sentence.
 * @param {Api.SeatInfo} seat
 */
export function playerName({ name }) {
  return name === "You" ? "you" : name;
}

/**
 * The status of a game.
 * @param {Api.GameInfo} info
 */
export function status(info) {
  if (info.status === "waiting") return "Waiting for a player";
  if (info.status === "playing") return info.plies ? "In progress" : "Just started";
  if (info.status === "abandoned") return "Unfinished";
  return info.result;
}

/**
 * How long ago something happened, as a time element.
 * @param {string} iso
 */
export function timeAgo(iso) {
  const then = new Date(iso);
  const minutes = Math.max(0, (Date.now() - then.getTime()) / 60000);
  const text =
    minutes < 1.5
      ? "just now"
      : minutes < 60
        ? `${Math.round(minutes)} min ago`
        : minutes < 24 * 60
          ? `${Math.round(minutes / 60)} h ago`
          : minutes < 48 * 60
            ? "yesterday"
            : then.toLocaleDateString(undefined, { day: "numeric", month: "short" });
  return h("time", { datetime: iso, title: then.toLocaleString() }, text);
}

/**
 * A row of a list of games; `actions` are the links or buttons at its end.
 * @param {Api.GameInfo} info
 */
export function gameRow(info, ...actions) {
  const alone = info.seats.length === 1 && info.seats[0].yours;
  return h(
    "li.game-row",
    { "data-id": info.id, "data-game": info.game },
    emblem(info.game),
    h(
      "div.game-row-words",
      {},
      h(
        "p.game-row-title",
        {},
        h("b", {}, info.title),
        info.kind === "daily" && h("span.badge", {}, "daily"),
        info.kind === "upload" && h("span.badge", {}, "record"),
      ),
      !alone && h("p.game-row-people", { title: info.people }, info.people),
      h("p.game-row-state.muted", {}, status(info), " · ", timeAgo(info.changed)),
    ),
    h("div.game-row-actions", {}, ...actions),
  );
}

/**
 * Placeholder rows for a list that is loading.
 * @param {number} count
 */
export function skeletons(count, kind = "li") {
  return Array.from({ length: count }, () => h(`${kind}.skeleton`, { "aria-hidden": "true" }));
}

/**
 * The page to look at a finished game, and what the link to it is called.
 * @param {Api.GameInfo} info
 */
export function reviewLink({ id, may }) {
  return may.review ? { href: `/review/${id}`, words: "Review" } : { href: `/replay/${id}`, words: "Replay" };
}
