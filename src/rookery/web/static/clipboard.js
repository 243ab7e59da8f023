// Copying text for the person, with a word on how it went; also where the browser has no clipboard for pages.

import { h, toast } from "./dom.js";

export async function copy(text, done = "Copied.") {
  try {
    await navigator.clipboard.writeText(text);
    toast(done);
  } catch {
    if (copiedByHand(text)) toast(done);
    else offer(text);
  }
}

// The way of browsers, and of pages without https, that know no clipboard.
function copiedByHand(text) {
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
  before?.focus?.({ preventScroll: true });
  return copied;
}

// When nothing else works: the text itself, to be copied by the person.
function offer(text) {
  const field = h("textarea", { readonly: true, rows: Math.min(8, text.split("\n").length + 1), id: "text-to-copy" });
  field.value = text;
  const dialog = h("dialog.sheet", { "aria-labelledby": "copy-title" },
    h("form.stack", { method: "dialog" },
      h("h2", { id: "copy-title" }, "Copy this text"),
      h("div.field", {}, h("label", { for: "text-to-copy" }, "Your browser does not let this page copy; press Ctrl+C or hold to copy."), field),
      h("button.button.primary", {}, "Done")));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  field.select();
}
