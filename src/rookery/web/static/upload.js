// The upload page: a record of a game, from a file or pasted, is checked by the server and replayed.

import { post } from "./api.js";
import { go } from "./app.js";
import { h, setTitle, toast } from "./dom.js";

const LARGEST = 5_000_000; // bytes

/**
 * @param {HTMLElement} root
 * @param {Record<string, string>} _params
 * @param {{signal: AbortSignal}} page
 */
export async function show(root, _params, { signal }) {
  setTitle("Upload a record");
  root.append(new UploadPage(signal).element);
}

class UploadPage {
  #note = h("p.bad", { role: "alert" });
  #text = h("textarea", {
    id: "record-text",
    rows: 5,
    spellcheck: "false",
    autocomplete: "off",
    placeholder: '{"rookery": 1, "game": …',
  });
  #file = h("input", {
    type: "file",
    id: "record-file",
    accept: ".json,.jsonl,.txt,application/json,text/plain",
    onchange: () => this.#read(this.#file.files[0]),
  });
  #send = h("button.button.primary", { type: "submit" }, "Upload");

  /** @param {AbortSignal} signal */
  constructor(signal) {
    this.signal = signal;
    this.element = this.#layout();
  }

  #layout() {
    const submit = event => {
      event.preventDefault();
      this.#upload(this.#text.value);
    };
    return h(
      "div.upload",
      {},
      h(
        "header.page-lead",
        {},
        h(
          "div",
          {},
          h("h1", {}, "Upload a record"),
          h("p.muted", {}, "A record is a game in one line of JSON. The server checks every move and replays it."),
        ),
      ),
      h(
        "form.card.stack",
        { onsubmit: submit },
        h("div.drop-place", {}, this.#file, this.#dropPlace()),
        h("div.field", {}, h("label", { for: "record-text" }, "Or paste it"), this.#text),
        this.#note,
        h("div.row", {}, this.#send),
      ),
    );
  }

  #dropPlace() {
    const over = event => {
      event.preventDefault();
      place.classList.add("over");
    };
    const leave = () => place.classList.remove("over");
    const drop = event => {
      event.preventDefault();
      leave();
      this.#read(event.dataTransfer.files[0]);
    };
    const place = h(
      "label.drop",
      { for: "record-file", ondragenter: over, ondragover: over, ondragleave: leave, ondrop: drop },
      h("b", {}, "Choose a file"),
      h("span.muted", {}, "or drop it here: a record downloaded from this site or written by a rookery command"),
    );
    return place;
  }

  /** @param {File | undefined} chosen */
  async #read(chosen) {
    if (!chosen) return;
    if (chosen.size > LARGEST) {
      this.#note.textContent = "This file is too large for a record.";
      return;
    }
    await this.#upload(await chosen.text());
  }

  /** @param {string} content */
  async #upload(content) {
    const { line, more } = firstRecord(content);
    if (!line) {
      this.#note.textContent = "Choose a file or paste a record.";
      this.#text.focus();
      return;
    }
    if (!isJSON(line)) {
      this.#note.textContent = "This is not a Rookery record. A record is one line of JSON, as downloaded from a game.";
      return;
    }
    this.#send.disabled = true;
    this.#note.textContent = "";
    try {
      const info = await post("/api/records", line, this.signal);
      if (more) toast("The file holds several games; showing the first.");
      await go(`/replay/${info.id}`);
    } catch (problem) {
      if (this.signal.aborted) return;
      this.#note.textContent = problem.message;
      this.#send.disabled = false;
      this.#file.value = "";
    }
  }
}

/**
 * The first record of a text as one line, and whether there are more. One record may span several lines; in a file of
 * several records every line is a JSON object.
 * @param {string} content
 */
function firstRecord(content) {
  const lines = content
    .split("\n")
    .map(line => line.trim())
    .filter(Boolean);
  const more = lines.length > 1 && lines.every(each => each.startsWith("{") && each.endsWith("}"));
  return { line: more ? lines[0] : lines.join(" "), more };
}

/** @param {string} text */
function isJSON(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
