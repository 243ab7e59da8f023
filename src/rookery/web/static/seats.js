// The seats on the set-up page: who takes each one, and how strong a bot is.

import { PRESETS, sliderValue } from "./choice.js";
import { h } from "./dom.js";

/**
 * @param {Api.GameKind} game
 * @param {import("./choice.js").SetupChoice} choice
 * @param {(how?: {redraw?: boolean}) => void} changed
 */
export function seatsPart(game, choice, changed) {
  const { seats } = choice;
  const parts = [];
  if (seats.length > 1) {
    const kinds = list => list.map(seat => seat.kind).join();
    parts.push(
      h(
        "fieldset.presets",
        {},
        h("legend", {}, "How do you want to play?"),
        h(
          "div.preset-row",
          {},
          Object.entries(PRESETS).map(([name, preset]) =>
            h(
              "label.preset",
              {},
              h("input", {
                type: "radio",
                name: "preset",
                id: `preset-${name}`,
                value: name,
                checked: kinds(preset.seats(seats.length)) === kinds(seats),
                onchange: () => {
                  const levels = seats.map(seat => seat.level);
                  choice.seats = preset.seats(seats.length).map((seat, index) => ({ ...seat, level: levels[index] }));
                  changed({ redraw: true });
                },
              }),
              h(
                "span.preset-face",
                {},
                h("b", {}, seats.length === 2 ? preset.one : preset.title),
                h("span.muted", {}, preset.says),
              ),
            ),
          ),
        ),
      ),
    );
  }
  parts.push(
    h(
      "div.seat-rows",
      { role: "group", "aria-label": "Seats" },
      seats.map((_, index) => seatRow(game, choice, index, changed)),
    ),
  );
  return parts;
}

/**
 * One seat: a person here, a friend, or a bot. The first person here is the visitor.
 * @param {Api.GameKind} game
 * @param {import("./choice.js").SetupChoice} choice
 * @param {number} index
 * @param {(how?: {redraw?: boolean}) => void} changed
 */
function seatRow(game, choice, index, changed) {
  const seat = choice.seats[index];
  const id = `seat-${index + 1}`;
  const several = choice.seats.length > 1;
  const first = !choice.seats.slice(0, index).some(before => before.kind === "here");
  const kinds = [
    ["here", first ? "You" : "Person here"],
    several && ["invite", "Friend by link"],
    ["bot", "Bot"],
  ].filter(Boolean);
  const put = change => {
    choice.seats[index] = { ...choice.seats[index], ...change };
  };
  return h(
    "fieldset.seat-choice",
    { "data-seat": index + 1 },
    h("legend", {}, several ? `Player ${index + 1}` : "Who plays?"),
    h(
      "div.segmented",
      {},
      kinds.map(([kind, words]) =>
        h(
          "label",
          {},
          h("input", {
            type: "radio",
            name: id,
            id: `${id}-${kind}`,
            value: kind,
            checked: seat.kind === kind,
            onchange: () => {
              put({ kind });
              changed({ redraw: true });
            },
          }),
          h("span", {}, words),
        ),
      ),
    ),
    seat.kind === "bot" && botPart(game, seat, id, put, changed),
  );
}

/**
 * The strength of a bot: a level, or, if the game has bots to tune, their sliders.
 * @param {Api.GameKind} game
 * @param {import("./choice.js").SeatChoice} seat
 * @param {string} id
 * @param {(change: Partial<import("./choice.js").SeatChoice>) => void} put
 * @param {(how?: {redraw?: boolean}) => void} changed
 */
function botPart(game, seat, id, put, changed) {
  const bot = seat.tuned && game.tunable.find(({ title }) => title === seat.tuned.title);
  const tune = tuned => {
    put({ tuned });
    changed({ redraw: true });
  };
  const kinds = [["levels", "Levels", null], ...game.tunable.map(({ title }) => [title, title, { title, values: {} }])];
  return [
    kinds.length > 1 &&
      h(
        "div.segmented.bot-kinds",
        { role: "radiogroup", "aria-label": "Kind of bot" },
        kinds.map(([name, words, tuned]) =>
          h(
            "label",
            {},
            h("input", {
              type: "radio",
              name: `${id}-kind`,
              id: `${id}-kind-${name}`,
              value: name,
              checked: (bot?.title ?? "levels") === name,
              onchange: () => tune(tuned),
            }),
            h("span", {}, words),
          ),
        ),
      ),
    bot ? tunedPart(bot, seat.tuned, id, put, changed) : levelPart(game, seat, id, put, changed),
  ];
}

/**
 * @param {Api.GameKind} game
 * @param {import("./choice.js").SeatChoice} seat
 * @param {string} id
 * @param {(change: Partial<import("./choice.js").SeatChoice>) => void} put
 * @param {(how?: {redraw?: boolean}) => void} changed
 */
function levelPart(game, seat, id, put, changed) {
  return slider({
    id: `${id}-level`,
    values: game.levels.map((_, index) => index + 1),
    value: seat.level,
    ends: [game.level_labels[0], game.level_labels.at(-1)].map(label => label.toLowerCase()),
    label: level => game.level_labels[level - 1],
    note: level => `${level} of ${game.levels.length}`,
    title: level => game.level_details[level - 1],
    put: level => {
      put({ level });
      changed();
    },
  });
}

/**
 * @param {Api.TunableBotInfo} bot
 * @param {import("./choice.js").TunedBot} tuned
 * @param {string} id
 * @param {(change: Partial<import("./choice.js").SeatChoice>) => void} put
 * @param {(how?: {redraw?: boolean}) => void} changed
 */
function tunedPart(bot, tuned, id, put, changed) {
  const values = Object.fromEntries(bot.sliders.map(each => [each.option, sliderValue(each, tuned)]));
  return [
    h("p.help.muted", {}, bot.summary),
    bot.sliders.map(each =>
      slider({
        id: `${id}-${each.option}`,
        values: each.values,
        value: values[each.option],
        label: () => each.label,
        note: value => each.texts[each.values.indexOf(value)],
        put: value => {
          values[each.option] = value;
          put({ tuned: { title: bot.title, values: { ...values } } });
          changed();
        },
      }),
    ),
  ];
}

// A slider over some values, with a label and a note for each.
function slider({ id, values, value, label, note, put, title = _ => "", ends = null }) {
  const name = h("output.level-number", { for: id, title: title(value) }, label(value));
  const words = h("span.level-name.muted", {}, note(value));
  const spoken = chosen => `${label(chosen)}, ${note(chosen)}`;
  const from = values.every((each, index) => each === values[0] + index) ? values[0] : 0; // consecutive numbers stand for themselves
  return h(
    "div.level",
    {},
    h("label.level-label", { for: id }, name, words),
    h("input", {
      type: "range",
      id,
      min: from,
      max: from + values.length - 1,
      step: 1,
      value: from + values.indexOf(value),
      "aria-valuetext": spoken(value),
      oninput: ({ target }) => {
        const chosen = values[Number(target.value) - from];
        name.textContent = label(chosen);
        name.title = title(chosen);
        words.textContent = note(chosen);
        target.setAttribute("aria-valuetext", spoken(chosen));
        put(chosen);
      },
    }),
    ends &&
      h(
        "div.level-ends.muted",
        { "aria-hidden": "true" },
        ends.map(end => h("span", {}, end)),
      ),
  );
}
