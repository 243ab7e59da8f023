// What a game's page says above the board: whose turn it is, and a strip in place of that while the game rests.

import { h, setTitle } from "./dom.js";
import { whatNow } from "./now.js";
import { renderIfChanged, token } from "./panels.js";

export class Standing {
  constructor({ rules }) {
    this.title = h("h1.game-title", {}, "…");
    this.turn = h("p.whose");
    this.message = h("p.message");
    this.rules = h(
      "button.button.quiet.rules-button",
      { type: "button", "aria-haspopup": "dialog", "aria-keyshortcuts": "I", hidden: true, onclick: rules },
      "Rules",
      h("kbd", { "aria-hidden": "true" }, "I"),
    );
    this.element = h("header.status", {}, this.title, this.rules, h("div.standing", {}, this.turn, this.message));
  }

  /** @param {import("./now.js").Now & {canAct: boolean}} game */
  update(game) {
    const { info, scene, canAct } = game;
    const many = scene.players.length > 1;
    const { words, below, number } = whatNow(game);
    this.rules.hidden = false;
    this.title.textContent = scene.title.replace("  ", " ");
    renderIfChanged(this.turn, [words, number], () => [number ? token(number) : null, h("span", {}, words)]);
    this.message.textContent = below;
    this.turn.classList.toggle("mine", canAct);
    setTitle(`${many && canAct && !info.local ? "● " : ""}${info.title}`);
  }
}

// Shown while the visitor looks at an earlier move, or while the game pauses.
export class Strip {
  /** @param {{back: () => void, dismiss: () => void}} handlers */
  constructor({ back, dismiss }) {
    this.back = back;
    this.dismiss = dismiss;
    this.element = h("div.strip", { hidden: true, role: "status" });
  }

  /** @param {{scene: Api.Scene, looking: number | null, pausing: boolean, number: number}} position */
  update({ scene, looking, pausing, number }) {
    this.element.hidden = looking === null && !pausing;
    const button = (onclick, words) => h("button.button.primary", { type: "button", onclick }, words);
    renderIfChanged(this.element, [looking, pausing, scene.pause, scene.message], () => {
      if (looking !== null)
        return [
          h("span", {}, number ? `Showing move ${number}` : "Showing the start"),
          button(this.back, "Back to the game"),
        ];
      return pausing ? [h("span", {}, scene.message), button(this.dismiss, scene.pause)] : [];
    });
  }
}

/**
 * The small print under the panels: who watches, what was undone, which day's challenge it is.
 * @param {Pick<Api.GameInfo, "watchers" | "takebacks" | "kind" | "day">} info
 */
export function footText({ watchers, takebacks, kind, day }) {
  const undone = takebacks && `${takebacks} ${takebacks === 1 ? "move" : "moves"} undone`;
  return [watchers && `${watchers} watching`, undone, kind === "daily" && `Daily of ${day}`]
    .filter(Boolean)
    .join(" · ");
}
