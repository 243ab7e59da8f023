// The celebration of a win that shows on the board: words over it and sparks around them, for a short time. Without
// animation there are only the words.

import { h } from "./dom.js";
import { motionAllowed } from "./settings.js";

const LASTS = 2600; // milliseconds
const SPARKS = 14;

/**
 * Shows the words of a scene over the stage, if it is celebrated; the board says them to screen readers.
 * @param {Element} stage
 * @param {Api.Scene} scene
 */
export function celebrate(stage, { cheer: [first, ...rest] }) {
  if (!first) return;
  stage.querySelector(".celebration")?.remove();
  const sparks = motionAllowed() ? Array.from({ length: SPARKS }, (_, number) => spark(number)) : [];
  const element = h(
    "div.celebration",
    { "aria-hidden": "true" },
    ...sparks,
    h("p", {}, h("strong", {}, first), ...rest.map(each => h("span", {}, each))),
  );
  stage.append(element);
  setTimeout(() => element.remove(), LASTS);
}

function spark(number) {
  const element = h("i");
  element.style.setProperty("--way", `${(360 * number) / SPARKS}deg`);
  element.style.setProperty("--far", `${number % 2 ? 150 : 210}px`);
  return element;
}
