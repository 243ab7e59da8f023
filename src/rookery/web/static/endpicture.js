// A finished game as a picture: its board, the result and the address, drawn in this browser. No style sheet applies in
// an image, so every drawn element takes its computed style along as attributes.

import { toast } from "./dom.js";

const WIDTH = 1080;
const MARGIN = 60;
const PROPERTIES = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-linecap",
  "stroke-linejoin",
  "stroke-dasharray",
  "paint-order",
  "vector-effect",
  "opacity",
  "visibility",
  "transform",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
  "dominant-baseline",
];

/**
 * A PNG of a board with words around it.
 * @param {HTMLElement} board
 * @param {{title: string, text: string, address: string}} words
 * @returns {Promise<Blob>}
 */
export async function drawResult(board, { title, text, address }) {
  const inner = WIDTH - 2 * MARGIN;
  const { image, ratio } = await imageOf(board.querySelector("svg"), inner);
  const height = Math.round(inner * ratio);
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d");
  const font = getComputedStyle(document.body).fontFamily;
  const large = `650 46px ${font}`;
  const lines = wrapped(pen, large, text, inner);
  const top = MARGIN + 60;
  const below = top + height + 84;
  canvas.width = WIDTH;
  canvas.height = below + (lines.length - 1) * 58 + 58 + MARGIN;
  const page = getComputedStyle(document.documentElement);
  const soft = getComputedStyle(board).getPropertyValue("--ink-soft");
  pen.fillStyle = page.backgroundColor;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(image, MARGIN, top, inner, height);
  pen.fillStyle = page.color;
  pen.font = `600 34px ${font}`;
  pen.fillText(title, MARGIN, MARGIN + 20, inner);
  pen.font = large;
  lines.forEach((line, index) => {
    pen.fillText(line, MARGIN, below + index * 58, inner);
  });
  pen.font = `400 32px ${font}`;
  pen.fillStyle = resolved(soft) ?? page.color;
  pen.fillText(`♜ ${address}`, MARGIN, below + lines.length * 58, inner);
  return new Promise((resolve, reject) => {
    canvas.toBlob(blob => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png");
  });
}

// Shares a picture where the browser can, else downloads it.
export async function offer(blob, name) {
  const file = new File([blob], name, { type: blob.type });
  if (navigator.canShare?.({ files: [file] })) {
    try {
      await navigator.share({ files: [file] });
      return;
    } catch (problem) {
      if (problem.name === "AbortError") return;
    }
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  toast("Picture saved.");
}

// An SVG as an image of a width.
async function imageOf(drawn, width) {
  const copied = drawn.cloneNode(true);
  styled(drawn, copied);
  const { width: was, height } = drawn.getBoundingClientRect();
  const ratio = height / was;
  copied.setAttribute("width", String(width));
  copied.setAttribute("height", String(width * ratio));
  copied.removeAttribute("class");
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copied))}`;
  await image.decode();
  return { image, ratio };
}

// Gives every element of a copy the look of its original, and drops those that do not show.
function styled(from, to) {
  const style = getComputedStyle(from);
  for (const name of PROPERTIES) {
    const value = style.getPropertyValue(name);
    if (value && value !== "normal" && !(name === "transform" && value === "none")) to.setAttribute(name, value);
  }
  to.removeAttribute("style");
  const children = [...to.children];
  [...from.children].forEach((child, index) => {
    if (getComputedStyle(child).display === "none" && child.tagName !== "defs") children[index].remove();
    else styled(child, children[index]);
  });
}

// A colour that a canvas understands, from the value of a custom property; null if there is none.
function resolved(colour) {
  const probe = document.createElement("span");
  probe.style.color = colour;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found || null;
}

function wrapped(pen, font, text, width) {
  pen.font = font;
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (pen.measureText(longer).width <= width || !lines.at(-1)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
