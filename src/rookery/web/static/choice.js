// What the visitor chose on the set-up page: it is stored in this browser, and turned into what the server is sent.

import { CLOCKS } from "./clock.js";

/** @typedef {{title: string, values: Record<string, number>}} TunedBot a bot and its sliders */
/** @typedef {{kind: "here" | "invite" | "bot", level: number, tuned?: TunedBot | null}} SeatChoice */
/**
 * @typedef {{
 *   options: Record<string, any>,
 *   seats: SeatChoice[] | null,
 *   clock: string,
 *   minutes: number,
 *   increment: number,
 *   listed: boolean,
 *   odds: "ask" | "never",
 * }} SetupChoice
 */

/** @param {Api.GameKind} game */
export function loadChoice(game) {
  const options = Object.fromEntries(
    Object.entries(game.options.properties).map(([name, option]) => [name, option.default ?? null]),
  );
  const fresh = { options, seats: null, clock: "none", minutes: 15, increment: 10, listed: false, odds: "ask" };
  try {
    const kept = JSON.parse(localStorage.getItem(`rookery.setup.${game.name}`)) ?? {};
    for (const name of Object.keys(options))
      if (kept.options && name in kept.options) options[name] = kept.options[name];
    const seats =
      Array.isArray(kept.seats) &&
      kept.seats.every(seat => ["here", "invite", "bot"].includes(seat?.kind) && seat.level >= 1 && seat.level <= 10)
        ? kept.seats
        : null;
    return {
      ...fresh,
      ...kept,
      options,
      seats: seats?.length ? seats : null,
      clock: Object.hasOwn(CLOCKS, kept.clock) ? kept.clock : "none",
    };
  } catch {
    return fresh;
  }
}

/**
 * @param {Api.GameKind} game
 * @param {SetupChoice} choice
 */
export function saveChoice(game, choice) {
  try {
    localStorage.setItem(`rookery.setup.${game.name}`, JSON.stringify(choice));
  } catch {
    // Without storage the page works all the same.
  }
}

/**
 * The options to send: empty ones are omitted.
 * @param {Api.GameKind} game
 * @param {Record<string, any>} options
 */
export function given(game, options) {
  return Object.fromEntries(
    Object.entries(options).filter(
      ([name, value]) => name in game.options.properties && value !== null && value !== "",
    ),
  );
}

/**
 * The bot of a seat: a level, or one tuned by hand.
 * @param {Api.GameKind} game
 * @param {SeatChoice} seat
 */
export function botOf(game, { level, tuned }) {
  const bot = tuned && game.tunable.find(({ title }) => title === tuned.title);
  return bot
    ? bot.sliders.reduce(
        (spec, slider) => spec.replace(`{${slider.option}}`, String(sliderValue(slider, tuned))),
        bot.template,
      )
    : String(level);
}

/**
 * @param {Api.SliderInfo} slider
 * @param {TunedBot} tuned
 */
export function sliderValue(slider, tuned) {
  const chosen = tuned.values?.[slider.option];
  return slider.values.includes(chosen) ? chosen : slider.default;
}

/**
 * Seats that are taken alike.
 * @param {number} count
 * @param {SeatChoice["kind"]} kind
 * @returns {SeatChoice[]}
 */
const several = (count, kind) => Array.from({ length: count }, () => ({ kind, level: 3 }));

/** @type {Record<string, {title: string, one: string, says: string, seats: (count: number) => SeatChoice[]}>} */
export const PRESETS = {
  bot: {
    title: "Against bots",
    one: "Against a bot",
    says: "You start",
    seats: count => [{ kind: "here", level: 3 }, ...several(count - 1, "bot")],
  },
  friend: {
    title: "With friends",
    one: "With a friend",
    says: "Send them a link",
    seats: count => [{ kind: "here", level: 3 }, ...several(count - 1, "invite")],
  },
  here: {
    title: "All on this screen",
    one: "Two on this screen",
    says: "Take turns",
    seats: count => several(count, "here"),
  },
};

/**
 * The seats for `count` players: existing ones stay, new ones copy the last.
 * @param {SeatChoice[] | null} seats
 * @param {number} count
 * @param {string | null} asked
 */
export function resized(seats, count, asked) {
  if (!seats) return (Object.hasOwn(PRESETS, asked) ? PRESETS[asked] : PRESETS.bot).seats(count);
  if (seats.length >= count) return seats.slice(0, count);
  const [like] = seats.length > 1 ? seats.slice(-1) : several(1, "bot");
  return [...seats, ...Array.from({ length: count - seats.length }, () => ({ ...like }))];
}
