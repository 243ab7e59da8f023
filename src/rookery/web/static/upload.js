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
  const note = h("p.bad", { role: "alert" });
  const text = h("textarea", {
    id: "record-text",
    rows: 5,
    spellcheck: "false",
    autocomplete: "off",
    placeholder: '{"rookery": 1, "game": …',
  });
  const file = h("input", {
    type: "file",
    id: "record-file",
    accept: ".json,.jsonl,.txt,application/json,text/plain",
    onchange: () => read(file.files[0]),
  });
  const send = h("button.button.primary", { type: "submit" }, "Upload");
  const drop = h(
    "label.drop",
    { for: "record-file" },
    h("b", {}, "Choose a file"),
    h("span.muted", {}, "or drop it here: a record downloaded from this site or written by a rookery command"),
  );
  root.append(
    h(
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
        {
          onsubmit: event => {
            event.preventDefault();
            upload(text.value);
          },
        },
        h("div.drop-place", {}, file, drop),
        h("div.field", {}, h("label", { for: "record-text" }, "Or paste it"), text),
        note,
        h("div.row", {}, send),
      ),
    ),
  );
  for (const kind of ["dragenter", "dragover"])
    drop.addEventListener(kind, event => {
      event.preventDefault();
      drop.classList.add("over");
    });
  for (const kind of ["dragleave", "drop"]) drop.addEventListener(kind, () => drop.classList.remove("over"));
  drop.addEventListener("drop", event => {
    event.preventDefault();
    read(event.dataTransfer.files[0]);
  });

  async function read(chosen) {
    if (!chosen) return;
    if (chosen.size > LARGEST) {
      note.textContent = "This file is too large for a record.";
      return;
    }
    await upload(await chosen.text());
  }

  async function upload(content) {
    const lines = content
      .split("\n")
      .map(line => line.trim())
      .filter(Boolean);
    // One record may span several lines; in a file of several records every line is a JSON object.
    const line =
      lines.length > 1 && lines.every(each => each.startsWith("{") && each.endsWith("}")) ? lines[0] : lines.join(" ");
    if (!line) {
      note.textContent = "Choose a file or paste a record.";
      text.focus();
      return;
    }
    try {
      JSON.parse(line);
    } catch {
      note.textContent = "This is not a Rookery record. A record is one line of JSON, as downloaded from a game.";
      return;
    }
    send.disabled = true;
    note.textContent = "";
    try {
      const info = await post("/api/records", line, signal);
      if (lines.length > 1 && line === lines[0]) toast("The file holds several games; showing the first.");
      await go(`/replay/${info.id}`);
    } catch (problem) {
      if (signal.aborted) return;
      note.textContent = problem.message;
      send.disabled = false;
      file.value = "";
    }
  }
}
