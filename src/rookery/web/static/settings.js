// The visitor's settings, stored in this browser: theme, animation, sound, hints on the board. They are set as data
// attributes of the root element, where style.css reads them.

import { h, svg } from "./dom.js";

const STORAGE_KEY = "rookery.settings";
export const SETTINGS_CHANGED = "rookery:settings";
const CHOICES = {
  theme: { label: "Theme", values: { system: "System", light: "Light", dark: "Dark" } },
  motion: { label: "Animation", values: { system: "System", off: "Off" } },
  show: { label: "Legal moves", values: { always: "Always shown", near: "Only under the pointer" } },
  names: {
    label: "Names of rows and columns",
    values: { useful: "Where useful", always: "Always", never: "Never" },
  },
  touch: { label: "Moves by touch", values: { once: "At once", twice: "After a second tap" } },
  labels: { label: "Board labels", values: { normal: "Normal", big: "Large" } },
  sound: { label: "Sound", values: { off: "Off", on: "On" } },
};

function load() {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY)) ?? {};
  } catch {
    return {};
  }
}

export const settings = {
  /** @param {string} name */
  get(name) {
    const value = load()[name];
    return value in CHOICES[name].values ? value : Object.keys(CHOICES[name].values)[0];
  },
  /** @param {string} name */
  set(name, value) {
    try {
      localStorage.setItem(STORAGE_KEY, JSON.stringify({ ...load(), [name]: value }));
    } catch {
      // Without storage the setting lasts until the page is closed.
    }
    document.documentElement.dataset[name] = value;
    document.dispatchEvent(new Event(SETTINGS_CHANGED));
  },
};

export function applySettings() {
  for (const name of Object.keys(CHOICES)) document.documentElement.dataset[name] = settings.get(name);
}

// Whether animation is on.
export function motionAllowed() {
  return document.documentElement.dataset.motion !== "off" && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

// Whether rows and columns are named beside a board. Names are useful where the moves of several players are listed by
// them; a player alone has only directions.
export function namesShown(scene) {
  const chosen = document.documentElement.dataset.names;
  return chosen === "always" || (chosen !== "never" && scene.players.length > 0);
}

const ICON =
  "M10 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM10 1.8v2.4M10 15.8v2.4M1.8 10h2.4M15.8 10h2.4M4.2 4.2l1.7 1.7M14.1 14.1l1.7 1.7M4.2 15.8l1.7-1.7M14.1 5.9l1.7-1.7";

export function settingsButton() {
  const button = h("button.button.quiet.icon-only", {
    type: "button",
    "aria-label": "Settings",
    title: "Settings",
    "aria-haspopup": "dialog",
    onclick: open,
  });
  button.append(icon(ICON));
  return button;
}

/**
 * An icon from an SVG path of 20 by 20.
 * @param {string} path
 */
export function icon(path) {
  return svg(
    "svg.icon",
    { viewBox: "0 0 20 20", width: 20, height: 20, "aria-hidden": "true" },
    svg("path", { d: path }),
  );
}

function open() {
  const sheet = h(
    "dialog.sheet",
    { "aria-labelledby": "settings-title", onclose: () => sheet.remove() },
    h(
      "form.stack",
      { method: "dialog" },
      h("h2", { id: "settings-title" }, "Settings"),
      Object.entries(CHOICES).map(([name, { label, values }]) => field(name, label, values)),
      h("p.muted", {}, "Stored in this browser only."),
      h("div.row.end", {}, h("button.button.primary", { value: "done" }, "Done")),
    ),
  );
  sheet.addEventListener("click", event => event.target === sheet && sheet.close());
  document.body.append(sheet);
  sheet.showModal();
}

/**
 * @param {string} name
 * @param {string} label
 * @param {Record<string, string>} values
 */
function field(name, label, values) {
  return h(
    "fieldset.field.segments",
    {},
    h("legend", {}, label),
    h(
      "div.segmented",
      {},
      Object.entries(values).map(([value, text]) =>
        h(
          "label",
          {},
          h("input", {
            type: "radio",
            name,
            value,
            checked: settings.get(name) === value,
            onchange: () => {
              settings.set(name, value);
              if (name === "sound") sound("step");
            },
          }),
          h("span", {}, text),
        ),
      ),
    ),
  );
}

const TONES = { step: [520, 0.05], wall: [210, 0.09], refused: [150, 0.12], yours: [660, 0.07], end: [440, 0.25] };
let audio = null;

/**
 * A short tone, if sound is on.
 * @param {string} kind
 */
export function sound(kind) {
  if (settings.get("sound") !== "on") return;
  try {
    audio ??= new AudioContext();
    const [pitch, length] = TONES[kind] ?? TONES.step;
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.type = "sine";
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.12, audio.currentTime);
    volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + length);
    tone.connect(volume).connect(audio.destination);
    tone.start();
    tone.stop(audio.currentTime + length);
  } catch {
    // No sound device.
  }
}
