// The set-up page: players, options and clock, with a preview of the board.

import { games, post } from "./api.js";
import { go } from "./app.js";
import { Picture } from "./picture.js";
import { h, setTitle, toast } from "./dom.js";
import { clockOf, clockPart, CLOCKS } from "./clock.js";
import { exampleBoard } from "./demo.js";
import { capitalize, rulesAddress } from "./listing.js";
import { rulesList } from "./rules.js";

const PREVIEW_DELAY = 250; // milliseconds after the last change before the preview is fetched
const SHOWN = { "-": "−", "*": "×", cols: "columns" };

export async function show(root, params, { signal }) {
  const game = (await games()).find(each => each.name === params.game);
  if (signal.aborted) return;
  if (!game) throw new Error(`There is no game called ${params.game}.`);
  setTitle(`Set up ${game.title}`);
  document.body.dataset.game = game.name;

  const choice = loadChoice(game);
  const asked = new URLSearchParams(location.search).get("with");
  if (asked) choice.seats = null;

  const board = new Picture();
  const picture = h("div.setup-picture");
  const caption = h("p.setup-caption.muted", {}, "\u00a0");
  const rules = h("div.setup-rules.stack");
  const trouble = h("p.setup-trouble", { role: "alert" });
  const seats = h("div.setup-seats.stack");
  const extras = h("div.setup-extras.stack");
  const rulesLink = h("a", { href: `/rules/${game.name}` }, "Quick rules");
  const play = h("button.button.primary.big", { type: "submit" }, "Play");
  const form = h(
    "form.setup-form.stack",
    { novalidate: true, onsubmit: submit },
    seats,
    optionsPart(game, choice, changed),
    extras,
  );
  root.append(
    h(
      "div.setup",
      {},
      h("header.setup-lead", {}, h("h1", {}, game.title), h("p.muted", {}, game.summary, " ", rulesLink)),
      form,
      h(
        "aside.setup-side",
        { "aria-label": "The board" },
        h("div.card.stack", {}, picture, caption),
        h("details.card.setup-details", {}, h("summary", {}, "Rules with these options"), rules),
      ),
      h(
        "div.setup-foot",
        {},
        trouble,
        play,
        h("p.muted.setup-record", {}, "Or ", h("a", { href: "/replay" }, "upload a record"), " to replay it."),
      ),
    ),
  );
  play.setAttribute("form", "setup-form");
  form.id = "setup-form";
  signal.addEventListener("abort", () => board.destroy());

  let timer = 0;
  let turn = 0;
  drawSeats(game.players);
  preview();

  function changed() {
    clearTimeout(timer);
    timer = setTimeout(preview, PREVIEW_DELAY);
  }

  async function preview() {
    turn += 1;
    const asking = turn;
    try {
      const options = given(game, choice.options);
      const {
        players,
        scene,
        text,
        rules: told,
        examples,
      } = await post("/api/preview", { game: game.name, options }, signal);
      if (asking !== turn || signal.aborted) return;
      board.show(scene, { mine: false, animate: false });
      if (!picture.firstChild) picture.append(board.element);
      picture.classList.remove("stale");
      caption.textContent = `${game.title}: ${text}`;
      rules.replaceChildren(...examples.map(each => exampleBoard(each, { signal })), rulesList(told));
      rulesLink.href = rulesAddress(game.name, options);
      showError(null);
      if (players !== choice.seats?.length) drawSeats(players);
    } catch (problem) {
      if (asking !== turn || signal.aborted) return;
      picture.classList.add("stale");
      showError(problem);
    }
  }

  // Shows the server's message, and marks the option that is wrong.
  function showError(problem) {
    trouble.textContent = problem?.message ?? "";
    for (const field of form.querySelectorAll("[data-option]")) {
      const wrong = Boolean(problem?.option) && field.dataset.option === problem.option;
      field.classList.toggle("wrong", wrong);
      for (const control of field.querySelectorAll("input, select")) {
        if (wrong) control.setAttribute("aria-invalid", "true");
        else control.removeAttribute("aria-invalid");
      }
    }
  }

  function drawSeats(count) {
    choice.seats = resized(choice.seats, count, choice.seats ? null : asked);
    seats.replaceChildren(...seatsPart(game, choice, seatsChanged));
    drawExtras();
  }

  function seatsChanged({ redraw = false } = {}) {
    if (redraw) {
      const focused = document.activeElement?.id;
      seats.replaceChildren(...seatsPart(game, choice, seatsChanged));
      if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    }
    drawExtras();
  }

  function drawExtras() {
    const people = choice.seats.filter(seat => seat.kind !== "bot").length;
    const invited = choice.seats.some(seat => seat.kind === "invite");
    extras.replaceChildren(
      ...[
        people > 1 && clockPart(choice),
        invited &&
          toggle(
            "listed",
            "List it on the home page",
            "Anybody can join, not only people with the link.",
            choice.listed,
            on => {
              choice.listed = on;
            },
          ),
        game.odds &&
          toggle("odds", "Hide the odds", "Nobody can show them in this game.", choice.odds === "never", on => {
            choice.odds = on ? "never" : "ask";
          }),
      ].filter(Boolean),
    );
    play.textContent = invited ? "Get the link" : choice.seats.every(seat => seat.kind === "bot") ? "Watch" : "Play";
  }

  async function submit(event) {
    event.preventDefault();
    play.disabled = true;
    saveChoice(game, choice);
    const people = choice.seats.filter(seat => seat.kind !== "bot").length;
    const invited = choice.seats.some(seat => seat.kind === "invite");
    try {
      const info = await post(
        "/api/games",
        {
          game: game.name,
          options: given(game, choice.options),
          seats: choice.seats.map(seat =>
            seat.kind === "bot" ? { kind: "bot", bot: botOf(game, seat) } : { kind: seat.kind },
          ),
          clock: people > 1 ? clockOf(choice) : null,
          listed: invited && choice.listed,
          odds: game.odds ? choice.odds : "ask",
        },
        signal,
      );
      await go(`/game/${info.id}`);
    } catch (problem) {
      if (signal.aborted) return;
      showError(problem);
      toast(problem.message);
      play.disabled = false;
    }
  }
}

// --- the last choice, stored in this browser ---

function loadChoice(game) {
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

function saveChoice(game, choice) {
  try {
    localStorage.setItem(`rookery.setup.${game.name}`, JSON.stringify(choice));
  } catch {
    // Without storage the page works all the same.
  }
}

// The options to send: empty ones are omitted.
function given(game, options) {
  return Object.fromEntries(
    Object.entries(options).filter(
      ([name, value]) => name in game.options.properties && value !== null && value !== "",
    ),
  );
}

// The bot of a seat: a level, or one tuned by hand.
function botOf(game, { level, tuned }) {
  const bot = tuned && game.tunable.find(({ title }) => title === tuned.title);
  return bot
    ? bot.sliders.reduce((spec, slider) => spec.replace(`{${slider.option}}`, valueOf(slider, tuned)), bot.template)
    : String(level);
}

function valueOf(slider, tuned) {
  const chosen = tuned.values?.[slider.option];
  return slider.values.includes(chosen) ? chosen : slider.default;
}

// --- seats ---

const bot = (level = 3) => ({ kind: "bot", level });
const PRESETS = {
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
function resized(seats, count, asked) {
  if (!seats) return (Object.hasOwn(PRESETS, asked) ? PRESETS[asked] : PRESETS.bot).seats(count);
  if (seats.length >= count) return seats.slice(0, count);
  const like = seats.length > 1 ? seats.at(-1) : bot();
  return [...seats, ...Array.from({ length: count - seats.length }, () => ({ ...like }))];
}

function seatsPart(game, choice, changed) {
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
      seats.map((seat, index) => seatRow(game, choice, index, changed)),
    ),
  );
  return parts;
}

// One seat: a person here, a friend, or a bot. The first person here is the visitor.
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

// The strength of a bot: a level, or, if the game has bots to tune, their sliders.
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

function levelPart(game, seat, id, put, changed) {
  return slider({
    id: `${id}-level`,
    values: game.levels.map((_, index) => index + 1),
    value: seat.level,
    ends: ["weak", "strong"],
    label: level => `Level ${level}`,
    note: level => game.level_labels[level - 1],
    put: level => {
      put({ level });
      changed();
    },
  });
}

function tunedPart(bot, tuned, id, put, changed) {
  const values = Object.fromEntries(bot.sliders.map(each => [each.option, valueOf(each, tuned)]));
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
function slider({ id, values, value, label, note, put, ends = null }) {
  const name = h("output.level-number", { for: id }, label(value));
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

// --- the options of the game, from their JSON Schema ---

function optionsPart(game, choice, changed) {
  const fields = h("div.option-fields");
  const reset = h(
    "button.button.quiet",
    {
      type: "button",
      onclick: () => {
        for (const [name, option] of Object.entries(game.options.properties))
          choice.options[name] = option.default ?? null;
        fill();
        changed();
      },
    },
    "Reset to defaults",
  );
  const fill = () =>
    fields.replaceChildren(
      ...Object.entries(game.options.properties).map(([name, option]) =>
        control(name, option, choice.options[name], value => {
          choice.options[name] = value;
          changed();
        }),
      ),
    );
  fill();
  return h(
    "section.options",
    { "aria-labelledby": "options-title" },
    h("div.section-head", {}, h("h2", { id: "options-title" }, "Options"), reset),
    fields,
  );
}

const lettersOf = pattern => /\[((?:\\?.)+?)\]\+\$$/.exec(pattern ?? "")?.[1].replace(/\\(.)/g, "$1");
const worded = name =>
  capitalize(SHOWN[name] ?? name)
    .replace(/_/g, " ")
    .replace(/(\D)(\d+)$/, "$1 $2");

function control(name, option, value, put) {
  const kinds = [option.type].flat();
  if (kinds.includes("boolean")) return toggle(name, worded(name), capitalize(option.description), value, put, name);
  if (option.enum) return choices(name, option, value, put);
  if (kinds.includes("integer") || kinds.includes("number")) return number(name, option, value, put, kinds);
  const letters = lettersOf(option.pattern);
  return letters ? chips(name, option, letters, value ?? "", put) : text(name, option, value ?? "", put);
}

function toggle(name, label, help, on, put, option = null) {
  const id = `option-${name}`;
  return h(
    "div.toggle",
    { "data-option": option },
    h("input.flick", {
      type: "checkbox",
      role: "switch",
      id,
      checked: Boolean(on),
      "aria-describedby": `${id}-help`,
      onchange: ({ target }) => put(target.checked),
    }),
    h("div", {}, h("label", { for: id }, label), h("p.help.muted", { id: `${id}-help` }, help)),
  );
}

function choices(name, option, value, put) {
  const id = `option-${name}`;
  const meaning = chosen => capitalize(option.enumDescriptions?.[option.enum.indexOf(chosen)] ?? option.description);
  const help = h("p.help.muted", { id: `${id}-help`, "aria-live": "polite" }, meaning(value), ".");
  const choose = chosen => {
    help.textContent = `${meaning(chosen)}.`;
    put(chosen);
  };
  return h(
    "fieldset.option",
    { "data-option": name, "aria-describedby": `${id}-help` },
    h("legend", {}, worded(name)),
    h(
      "div.segmented",
      {},
      option.enum.map(each =>
        h(
          "label",
          {},
          h("input", {
            type: "radio",
            name: id,
            value: each,
            id: `${id}-${each}`,
            checked: value === each,
            onchange: () => choose(each),
          }),
          h("span", {}, each),
        ),
      ),
    ),
    help,
  );
}

function number(name, option, value, put, kinds) {
  const id = `option-${name}`;
  const empty = kinds.includes("null");
  const integer = kinds.includes("integer");
  const step = integer ? 1 : 0.05;
  const input = h("input", {
    type: "number",
    id,
    value: value ?? "",
    min: option.minimum,
    max: option.maximum,
    step: integer ? 1 : "any",
    inputmode: integer ? "numeric" : "decimal",
    placeholder: empty ? "automatic" : option.default,
    "aria-describedby": `${id}-help`,
    oninput: () => put(input.value === "" ? null : Number(input.value)),
  });
  const turn = by => {
    const from =
      input.value === ""
        ? (option.default ?? option.minimum ?? 0) - (empty && option.default === null ? by : 0)
        : Number(input.value);
    const to = Math.min(
      option.maximum ?? Infinity,
      Math.max(option.minimum ?? -Infinity, Number((from + by).toFixed(9))),
    );
    input.value = to;
    put(to);
  };
  // The buttons are for touch and mouse; the field itself takes the arrow keys.
  const button = (by, face) =>
    h(
      "button.stepper-button",
      { type: "button", tabindex: "-1", "aria-hidden": "true", onclick: () => turn(by) },
      face,
    );
  const range = option.maximum < 1000 ? ` (${option.minimum} to ${option.maximum})` : "";
  return h(
    "div.option",
    { "data-option": name },
    h("label", { for: id }, worded(name)),
    h("div.stepper", {}, button(-step, "−"), input, button(step, "+")),
    h("p.help.muted", { id: `${id}-help` }, capitalize(option.description), range, ".", empty && " Empty: automatic."),
  );
}

function chips(name, option, letters, value, put) {
  const id = `option-${name}`;
  const chosen = new Set(value);
  return h(
    "fieldset.option",
    { "data-option": name, "aria-describedby": `${id}-help` },
    h("legend", {}, worded(name)),
    h(
      "div.segmented",
      {},
      [...letters].map((letter, index) =>
        h(
          "label",
          {},
          h("input", {
            type: "checkbox",
            id: `${id}-${index}`,
            checked: chosen.has(letter),
            onchange: ({ target }) => {
              if (target.checked) chosen.add(letter);
              else if (chosen.size > 1) chosen.delete(letter);
              else target.checked = true;
              put([...letters].filter(each => chosen.has(each)).join(""));
            },
          }),
          h("span", {}, SHOWN[letter] ?? letter),
        ),
      ),
    ),
    h("p.help.muted", { id: `${id}-help` }, capitalize(option.description), "; at least one."),
  );
}

function text(name, option, value, put) {
  const id = `option-${name}`;
  return h(
    "div.option.field",
    { "data-option": name },
    h("label", { for: id }, worded(name)),
    h("input", {
      type: "text",
      id,
      value,
      pattern: option.pattern,
      autocomplete: "off",
      spellcheck: "false",
      "aria-describedby": `${id}-help`,
      oninput: ({ target }) => put(target.value),
    }),
    h("p.help.muted", { id: `${id}-help` }, capitalize(option.description), "."),
  );
}
