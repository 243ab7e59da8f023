// What the visitor chose on the set-up page: it is stored in this browser, and turned into what the server is sent.

import { CLOCKS } from "./clock.js";

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

export function saveChoice(game, choice) {
  try {
    localStorage.setItem(`rookery.setup.${game.name}`, JSON.stringify(choice));
  } catch {
    // Without storage the page works all the same.
  }
}

// The options to send: empty ones are omitted.
export function given(game, options) {
  return Object.fromEntries(
    Object.entries(options).filter(
      ([name, value]) => name in game.options.properties && value !== null && value !== "",
    ),
  );
}

// The bot of a seat: a level, or one tuned by hand.
export function botOf(game, { level, tuned }) {
  const bot = tuned && game.tunable.find(({ title }) => title === tuned.title);
  return bot
    ? bot.sliders.reduce((spec, slider) => spec.replace(`{${slider.option}}`, sliderValue(slider, tuned)), bot.template)
    : String(level);
}

export function sliderValue(slider, tuned) {
  const chosen = tuned.values?.[slider.option];
  return slider.values.includes(chosen) ? chosen : slider.default;
}

const bot = (level = 3) => ({ kind: "bot", level });
export const PRESETS = {
  bot: {
    title: "Against bots",
    one: "Against a bot",
    says: "You start",
    seats: count => [{ kind: "here", level: 3 }, ...Array.from({ length: count - 1 }, () => bot())],
  },
  friend: {
    title: "With friends",
    one: "With a friend",
    says: "Send them a link",
    seats: count => [
      { kind: "here", level: 3 },
      ...Array.from({ length: count - 1 }, () => ({ kind: "invite", level: 3 })),
    ],
  },
  here: {
    title: "All on this screen",
    one: "Two on this screen",
    says: "Take turns",
    seats: count => Array.from({ length: count }, () => ({ kind: "here", level: 3 })),
  },
};

// The seats for `count` players: existing ones stay, new ones copy the last.
export function resized(seats, count, asked) {
  if (!seats) return (Object.hasOwn(PRESETS, asked) ? PRESETS[asked] : PRESETS.bot).seats(count);
  if (seats.length >= count) return seats.slice(0, count);
  const like = seats.length > 1 ? seats.at(-1) : bot();
  return [...seats, ...Array.from({ length: count - seats.length }, () => ({ ...like }))];
}
