// What a game's page says around the board: whose turn it is above it, and a strip over it while the game rests.

import { h, setTitle } from "./dom.js";
import { capitalize } from "./listing.js";
import { renderIfChanged, token } from "./panels.js";

export class Standing {
  constructor() {
    this.title = h("h1.game-title", {}, "…");
    this.turn = h("p.whose");
    this.message = h("p.message");
    this.element = h("header.status", {}, this.title, h("div.standing", {}, this.turn, this.message));
  }

  /**
   * @param {{
   *   info: Api.GameInfo,
   *   scene: Api.Scene,
   *   over: boolean,
   *   mine: boolean,
   *   canAct: boolean,
   *   thinking: number,
   *   preparing: boolean,
   * }} position
   */
  update({ info, scene, over, mine, canAct, thinking, preparing }) {
    const many = scene.players.length > 1;
    const seat = info.seats.find(each => each.number === scene.turn);
    let words = scene.message;
    let below = "";
    let number = 0;
    if (over) [words, below] = ["Game over", scene.players.length && !info.ending ? scene.message : ""];
    else if (info.status === "waiting") words = "Waiting for players";
    else if (many && seat) {
      number = scene.turn;
      const name = scene.players[scene.turn - 1];
      below = withoutTurn(scene.message, name);
      if (preparing) [words, below] = [`${name} is preparing…`, "This happens once and takes about half a minute."];
      else if (thinking) words = `${name} is thinking…`;
      else if (mine) words = info.you.length > 1 ? `${name}, your turn` : "Your turn";
      else words = `${name} to move`;
    }
    this.title.textContent = scene.title.replace("  ", " ");
    renderIfChanged(this.turn, [words, number], () => [number ? token(number) : null, h("span", {}, words)]);
    this.message.textContent = below;
    this.turn.classList.toggle("mine", canAct);
    setTitle(`${many && canAct && !info.local ? "● " : ""}${info.title}`);
  }
}

// A message without whose turn it is, which is shown above it.
function withoutTurn(message, name) {
  const turn = ["Your turn", `${name} to move`].find(each => message.startsWith(each));
  return turn ? capitalize(message.slice(turn.length).replace(/^[,.] ?/, "")) : message;
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
