// A game in a list: its emblem, who plays it, how it stands, and where to go from there.

import { h, s } from "./dom.js";

const EMBLEMS = {
  gotham: () => [
    s("path", { d: "M12 12V5h7v14H5v-7h7", fill: "none", stroke: "currentColor", "stroke-width": 2.4, "stroke-linejoin": "round" }),
    s("circle", { cx: 12, cy: 12, r: 3, fill: "currentColor" }),
  ],
  gamma: () => [
    s("path", { d: "M4 4h7v7h5v4h4v5h-9v-5H4z", fill: "currentColor" }),
    s("path", { d: "M15 4h5v7h-4V8h-1z", fill: "currentColor", opacity: 0.55 }),
    s("path", { d: "M4 17h4v3H4z", fill: "currentColor", opacity: 0.55 }),
  ],
  sixseven: () => [
    s("path", {
      d: "M10 5.5C6.5 6 4 9.5 4 13.5a4 4 0 1 0 4-4c-1.5 0-2.800.8-3.5 2M13.5 6H20l-4 12",
      fill: "none", stroke: "currentColor", "stroke-width": 2.4, "stroke-linecap": "round", "stroke-linejoin": "round",
    }),
  ],
  gaterun: () => [
    s("path", { d: "M3.5 12h5.5M15 12h5.5", stroke: "currentColor", "stroke-width": 3, "stroke-linecap": "round" }),
    s("circle", { cx: 12, cy: 17.5, r: 3, fill: "currentColor" }),
    s("path", { d: "M12 12V4m-3 3 3-3 3 3", fill: "none", stroke: "currentColor", "stroke-width": 2, "stroke-linecap": "round", "stroke-linejoin": "round" }),
  ],
};

// The emblem of a game; a game without one of its own gets the rook.
export function emblem(game) {
  const drawn = EMBLEMS[game]?.() ?? [s("path", { d: "M5 3h3v3h2.5V3h3v3H16V3h3v6l-2 2v6l2 2v2H5v-2l2-2v-6L5 9z", fill: "currentColor" })];
  return h("span.emblem", { "data-game": game, "aria-hidden": "true" }, s("svg", { viewBox: "0 0 24 24", width: 24, height: 24 }, drawn));
}

export function counted(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

export function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function seatName(seat) {
  if (seat.kind === "open") return "an open seat";
  if (seat.kind === "bot") return seat.level ? `a level ${seat.level} bot` : seat.name;
  return seat.yours ? "you" : seat.name || "somebody";
}

// What a level is made of, in words: "minimax, 1 move in 10 at random".
export function botWords(spec) {
  const [name, parameters = ""] = (spec ?? "").split(":");
  const given = Object.fromEntries(parameters.split(",").map((part) => part.split("=")));
  const words = [name];
  if (given.nodes) words.push(given.nodes === "1" ? "one look" : `${Number(given.nodes).toLocaleString("en")} looks ahead`);
  if (given.ms) words.push(`${given.ms} ms a move`);
  if (given.slip) words.push(`${Math.round(100 * given.slip)} % at random`);
  return words.join(", ");
}

// Who plays: "You and Ida", "Ida, a level 3 bot and 2 open seats".
export function people(info) {
  if (info.you.length > 1 && info.you.length === info.seats.length) return `${info.seats.length} on one screen`;
  const names = info.seats.filter((seat) => seat.kind !== "open").map(seatName);
  const open = info.seats.length - names.length;
  if (open) names.push(open === 1 ? "an open seat" : `${open} open seats`);
  const told = names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  return sentence(told);
}

// How a game stands, seen by the one who looks at the list.
export function standing(info) {
  if (info.status === "waiting") return "Waits for a player";
  if (info.status === "playing") return info.plies ? "In play" : "Just begun";
  if (info.status === "abandoned") return "Left unfinished";
  return result(info);
}

// How a game ended, in a few words.
export function result(info) {
  const winners = info.winners ?? [];
  const mine = winners.some((number) => info.you.includes(number));
  const alone = info.seats.length === 1;
  const how = info.ending ? (info.ending.how === "time" ? " on time" : " by resignation") : "";
  if (winners.length > 1) return "A draw";
  if (info.feat && (alone || mine)) return sentence(info.feat);
  if (winners.length === 1) {
    if (mine && info.you.length === 1) return `Won${how}`;
    if (info.you.length === 1) return `Lost${how}`;
    const winner = info.seats.find((seat) => seat.number === winners[0]);
    return `${winner?.kind === "person" && winner.name ? winner.name : `Player ${winners[0]}`} won${how}`;
  }
  if (!alone) return "A draw";
  return info.scores?.[0] > 0 ? counted(info.scores[0], "point") : "Lost";
}

// How long ago something happened, as an element that also holds the exact time.
export function ago(iso) {
  const then = new Date(iso);
  const minutes = Math.max(0, (Date.now() - then) / 60000);
  const told =
    minutes < 1.5 ? "just now"
    : minutes < 60 ? `${Math.round(minutes)} min ago`
    : minutes < 24 * 60 ? `${Math.round(minutes / 60)} h ago`
    : minutes < 48 * 60 ? "yesterday"
    : then.toLocaleDateString(undefined, { day: "numeric", month: "short" });
  return h("time", { datetime: iso, title: then.toLocaleString() }, told);
}

// One line of a list of games; `actions` are the links or buttons at its end.
export function gameRow(info, ...actions) {
  const alone = info.seats.length === 1 && info.seats[0].yours;
  return h("li.game-row", { "data-id": info.id, "data-game": info.game },
    emblem(info.game),
    h("div.game-row-words", {},
      h("p.game-row-title", {}, h("b", {}, info.title), info.kind === "daily" && h("span.badge", {}, "daily"), info.kind === "upload" && h("span.badge", {}, "record")),
      !alone && h("p.game-row-people", { title: people(info) }, people(info)),
      h("p.game-row-state.muted", {}, standing(info), " · ", ago(info.changed))),
    h("div.game-row-actions", {}, ...actions));
}

// Lines that stand in for a list until it is there.
export function skeletons(count, kind = "li") {
  return Array.from({ length: count }, () => h(`${kind}.skeleton`, { "aria-hidden": "true" }));
}
