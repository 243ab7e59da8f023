// Copies text to the clipboard and says so, also in browsers without the Clipboard API.

import { h, toast } from "./dom.js";

/** @param {string} text */
export async function copy(text, done = "Copied.") {
  try {
    await navigator.clipboard.writeText(text);
    toast(done);
  } catch {
    if (copyByCommand(text)) toast(done);
    else showText(text);
  }
}

/**
 * For old browsers and pages without https, which have no Clipboard API.
 * @param {string} text
 */
function copyByCommand(text) {
  const before = document.activeElement;
  const field = h("textarea.visually-hidden", { readonly: true, "aria-hidden": "true", tabindex: "-1" });
  field.value = text;
  document.body.append(field);
  field.select();
  let copied = false;
  try {
    copied = document.execCommand("copy");
  } catch {
    copied = false;
  }
  field.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return copied;
}

/**
 * The last resort: shows the text for the visitor to copy.
 * @param {string} text
 */
function showText(text) {
  const field = h("textarea", { readonly: true, rows: Math.min(8, text.split("\n").length + 1), id: "text-to-copy" });
  field.value = text;
  const dialog = h(
    "dialog.sheet",
    { "aria-labelledby": "copy-title" },
    h(
      "form.stack",
      { method: "dialog" },
      h("h2", { id: "copy-title" }, "Copy this text"),
      h(
        "div.field",
        {},
        h("label", { for: "text-to-copy" }, "Your browser does not allow copying; press Ctrl+C, or touch and hold."),
        field,
      ),
      h("button.button.primary", {}, "Done"),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  field.select();
}
