// Helpers that create elements. Text is always set as text, so user input cannot become markup.

const SVG = "http://www.w3.org/2000/svg";

/**
 * @template {Element} E
 * @param {E} element
 * @param {Record<string, any> | undefined} attributes
 * @param {any[]} children
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false));
  return element;
}

/**
 * Hyperscript: h("button.primary", { type: "button", onclick }, "Play") is an HTML element with classes, attributes,
 * listeners and children.
 * @param {string} kind
 * @param {Record<string, any>} [attributes]
 * @param {any[]} children
 * @returns {any}
 */
export function h(kind, attributes, ...children) {
  const [tag, ...classes] = kind.split(".");
  const element = document.createElement(tag || "div");
  if (classes.length) element.classList.add(...classes);
  return fill(element, attributes, children);
}

/**
 * The same for SVG elements.
 * @param {string} kind
 * @param {Record<string, any>} [attributes]
 * @param {any[]} children
 * @returns {any}
 */
export function svg(kind, attributes, ...children) {
  const [tag, ...classes] = kind.split(".");
  const element = document.createElementNS(SVG, tag);
  if (classes.length) element.classList.add(...classes);
  return fill(element, attributes, children);
}

/** @param {string} title */
export function setTitle(title) {
  document.title = title ? `${title} · Rookery` : "Rookery";
}

/** @type {((text: string) => void) | null} */
let toastsTo = null;

/**
 * Short messages go to this function instead of the foot of the page; null ends that.
 * @param {((text: string) => void) | null} say
 */
export function sendToasts(say) {
  toastsTo = say;
}

/**
 * A short message, announced by screen readers, gone after five seconds: where the page has a place for it, else at the
 * foot of the page. It takes the place of the one before.
 * @param {string} text
 */
export function toast(text) {
  if (toastsTo) {
    toastsTo(text);
    return;
  }
  const note = h("div.toast", {}, text);
  document.getElementById("toasts").replaceChildren(note);
  setTimeout(() => note.remove(), 5000);
}
