// The page of a game in progress. The server has the rules; this page shows its scenes and sends the visitor's actions.

import { get, games, post, applyChanges } from "./api.js";
import { go } from "./app.js";
import { Board } from "./board.js";
import { h, setTitle, toast } from "./dom.js";
import { pressing, showKeys, typing } from "./keys.js";
import { rulesAddress } from "./listing.js";
import { Notices, undoDeclined } from "./notices.js";
import { Evaluation, figures, Moves, renderIfChanged, Seats, SeatSwitches } from "./panels.js";
import { motionAllowed, sound } from "./settings.js";
import { ConnectionLost, Socket } from "./socket.js";
import { footText, Standing, Strip } from "./standing.js";
import { Tools } from "./tools.js";

const SCENE_MS = 170; // shortest time between two scenes
const MAX_QUEUED = 3; // actions the visitor may be ahead of the server
export async function show(root, { id }, { signal }) {
  const play = new Play(root, id, signal);
  await play.opened;
}

class Play {
  #info = null;
  #scene = null;
  #ply = 0;
  #lastPly = 0;
  #plies = [];
  #mine = false;
  #thinking = 0;
  #preparing = false;
  #redo = 0;
  #waiting = [];
  #timer = 0;
  #nextSceneAt = 0;
  #inFlight = null;
  #eager = false;
  #queued = [];
  #retry = null;
  #looking = null;
  #evaluating = false;
  #odds = false;
  #dismissedPly = -1;
  #question = null;
  #levels = [];
  #daily = null;

  constructor(root, id, signal) {
    this.root = root;
    this.id = id;
    this.signal = signal;
    this.opened = new Promise((resolve, reject) => {
      this.resolveOpened = resolve;
      this.rejectOpened = reject;
    });
    this.#layout();
    this.socket = new Socket(`/ws/games/${id}`, {
      onMessage: message => this.#onMessage(message),
      onState: (state, code) => this.#connection(state, code),
      signal,
    });
    document.addEventListener("keydown", event => this.#key(event), { signal });
    for (const kind of ["keydown", "pointerdown"])
      document.addEventListener(kind, event => this.#beforeInput(event), { signal, capture: true });
    const ticking = setInterval(() => this.seats.tick(), 100);
    signal.addEventListener("abort", () => {
      clearInterval(ticking);
      clearTimeout(this.#timer);
      this.board.destroy();
      this.offline.remove();
      this.resolveOpened();
    });
  }

  // -- The page -------------------------------------------------------------------------------------------------------

  #layout() {
    this.board = new Board({ onAction: action => this.#playAction(action), onWhy: spots => this.#askWhy(spots) });
    this.standing = new Standing();
    this.notices = new Notices(this.id, {
      answer: yes => this.#ask({ do: "answer", yes }),
      join: token => this.#join(token),
      playAgain: () => this.#playAgain(),
      close: () => {
        this.#question = null;
        this.#draw();
      },
    });
    this.strip = new Strip({ back: () => this.#backToNow(), dismiss: () => this.#dismissPause() });
    this.offline = h("div.offline", { role: "status", hidden: true }, "Connection lost. Reconnecting…");
    this.seats = new Seats();
    this.figures = h("dl.counts");
    this.moves = new Moves(ply => this.#look(ply));
    this.evaluation = new Evaluation({
      onHover: action => this.#looking === null && this.board.hint(action),
      onPlay: action => this.#mine && this.#playAction(action),
    });
    this.switches = new SeatSwitches((seat, bot) => this.#ask({ do: "seat", seat, bot }));
    this.foot = h("span");
    this.rules = h("a.button.quiet", { target: "_blank", hidden: true }, "Rules");
    this.tools = new Tools(
      {
        undo: () => this.#undo(),
        redo: () => this.#ask({ do: "redo" }),
        hint: () => this.#hint(),
        evaluate: () => this.#evaluate(!this.#evaluating),
        odds: () => this.#showOdds(!this.#odds),
        restart: () => this.#restart(),
        resign: () => this.#resign(),
      },
      action => this.#playAction(action),
    );
    this.root.replaceChildren(
      h(
        "div.play",
        {},
        this.standing.element,
        this.notices.element,
        h("div.stage", {}, this.board.element, this.strip.element),
        h(
          "aside.side",
          { "aria-label": "The game" },
          this.tools.acts,
          this.tools.element,
          this.seats.element,
          this.figures,
          this.evaluation.element,
          this.switches.element,
          this.moves.element,
          h(
            "p.foot.muted",
            {},
            this.foot,
            this.rules,
            h("button.button.quiet", { type: "button", onclick: () => this.#keys() }, "Keys", h("kbd", {}, "?")),
          ),
        ),
      ),
    );
    document.body.append(this.offline);
  }

  #connection(state, code) {
    if (state === "gone") {
      this.offline.hidden = true;
      const problem = new Error(
        code === 4404
          ? "There is no game at this address. It may have been deleted, or the link is incomplete."
          : "The server refused the connection.",
      );
      if (this.#scene) toast(problem.message);
      this.rejectOpened(problem);
    }
    this.offline.hidden = state !== "lost" || !this.#scene;
    if (state === "lost" && !this.#scene) this.standing.title.textContent = "Connecting…";
  }

  // -- Messages from the server----------------------------------------------------------------------------------------

  #onMessage(message) {
    if (message.is === "game") this.#updateInfo(message);
    else if (message.is === "scene") this.#queueScene(message);
    else if (message.is === "moved") go(`/game/${message.id}`);
  }

  #updateInfo(info) {
    const { is, ...rest } = info;
    if (!this.#info) {
      document.body.dataset.game = info.game;
      games()
        .then(all => {
          this.#levels = all.find(each => each.name === info.game)?.level_labels ?? [];
          this.#draw();
        })
        .catch(() => {});
    }
    const ended = this.#info && this.#info.status !== "over" && info.status === "over";
    if (undoDeclined(this.#info, info)) toast("Your undo request was declined.");
    this.#info = rest;
    setTitle(info.title);
    if (ended) this.#end();
    if (info.kind === "daily" && info.status === "over" && this.#daily === null) this.#share();
    this.#draw();
  }

  #end() {
    sound("end");
    this.#question = null;
    this.#evaluate(false);
  }

  // Fetches the text to share of a finished daily game.
  async #share() {
    try {
      const { games: found } = await get("/api/daily", this.signal);
      this.#daily = found.find(each => each.game === this.#info.game && each.mine?.id === this.id)?.share ?? null;
      this.#draw();
    } catch {
      // Without it there is no button to copy the result.
    }
  }

  // Scenes are shown at most every SCENE_MS, but the visitor's own action at once; a touch or a key ends the wait.
  #queueScene(message) {
    const scene = applyChanges(message.scene, this.lastScene);
    this.lastScene = scene;
    this.#lastPly = message.ply;
    this.#waiting.push({ ...message, scene });
    if (this.#inFlight?.until !== undefined) this.#inFlight = null;
    const wait = this.#nextSceneAt - performance.now();
    if (wait <= 0 || document.hidden || this.#eager) this.#flush();
    else {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#flush(), wait);
    }
  }

  #flush() {
    clearTimeout(this.#timer);
    const waiting = this.#waiting;
    this.#waiting = [];
    if (waiting.length) this.#eager = false;
    for (const [place, message] of waiting.entries()) this.#applyScene(message, place === waiting.length - 1);
  }

  #applyScene({ scene, ply, from, plies, mine, clock, thinking, preparing, redo }, last) {
    const before = this.#scene ? this.#ply : null;
    const forward = before !== null && ply > before && from >= before;
    this.#scene = scene;
    this.#plies = [...this.#plies.slice(0, from), ...plies];
    this.#ply = ply;
    this.#mine = mine;
    this.#thinking = thinking;
    this.#preparing = preparing;
    this.#redo = redo;
    this.seats.setClock(clock);
    this.moves.update(this.#plies, Math.min(from, this.#plies.length), scene.players);
    if (before !== ply) this.#question = null;
    if (forward) sound(scene.walls.some(wall => wall.last) ? "wall" : "step");
    if (this.#looking !== null) this.moves.mark(this.#looking);
    else this.board.show(scene, { mine: this.#canAct(), animate: forward && last });
    if (forward && motionAllowed()) this.#nextSceneAt = performance.now() + SCENE_MS;
    if (forward) this.#announce(from);
    if (last) this.#draw();
    if (this.#evaluating && before !== ply) this.#analyse();
    this.resolveOpened();
    this.#playQueued();
  }

  #canAct() {
    return this.#mine && this.#info?.status === "playing";
  }

  // Announces what happened to screen readers.
  #announce(from) {
    const done = this.#plies
      .slice(from)
      .filter(([, by]) => by > 0)
      .map(([name, by]) => (this.#scene.players.length ? `${this.#scene.players[by - 1]}: ${name}` : name));
    this.board.announce(`${done.join(", ")}. ${this.#scene.message}`);
  }

  // -- Actions of the visitor ----------------------------------------------------------------------------------------

  // One action is in flight at a time, until its scene arrives; further ones wait in a queue.
  async #playAction(action) {
    if (this.#inFlight) {
      if (this.#queued.length < MAX_QUEUED) this.#queued.push(action);
      return;
    }
    const flight = { action, ply: this.#ply };
    this.#inFlight = flight;
    this.#eager = true;
    try {
      const { ply } = await this.socket.ask({ do: "play", action, ply: this.#ply });
      if (this.#inFlight !== flight) return;
      if (this.#lastPly >= ply) this.#inFlight = null;
      else flight.until = ply;
      this.#playQueued();
    } catch (problem) {
      if (problem instanceof ConnectionLost) this.#retry = this.#inFlight;
      else {
        sound("refused");
        this.board.say(problem.message);
      }
      this.#inFlight = null;
      this.#queued = [];
    }
  }

  #playQueued() {
    if (this.#retry && this.socket.live) {
      const { action, ply } = this.#retry;
      this.#retry = null;
      if (ply === this.#ply && this.#mine) this.#playAction(action);
      return;
    }
    if (!this.#queued.length || this.#inFlight) return;
    const action = this.#queued.shift();
    if (this.#canAct() && !this.#pausing() && this.#scene.choices.some(choice => choice.action === action))
      this.#playAction(action);
    else this.#queued = [];
  }

  async #ask(message) {
    try {
      const answer = await this.socket.ask(message);
      if (answer.is === "moved") go(`/game/${answer.id}`);
      return answer;
    } catch (problem) {
      if (!(problem instanceof ConnectionLost)) toast(problem.message);
      return null;
    }
  }

  async #askWhy(at) {
    try {
      await this.socket.ask({ do: "why", at });
    } catch (problem) {
      if (problem instanceof ConnectionLost) return;
      sound("refused");
      this.board.say(problem.message);
    }
  }

  #undo() {
    if (this.#info.may.undo) this.#ask({ do: "undo" });
  }

  async #hint() {
    if (!this.#info?.may.hint || this.#looking !== null) return;
    if (this.#pausing()) this.#dismissPause(); // it would cover the hint
    this.tools.busy("hint", true);
    const found = await this.#ask({ do: "analyse" });
    this.tools.busy("hint", false);
    if (!found || found.ply !== this.#ply || !found.line.length) return;
    const [best] = found.line;
    const choice = this.#scene.choices.find(each => each.action === best);
    this.board.hint(best);
    this.tools.hint(choice?.role);
    this.board.announce(`Hint: ${choice?.label ?? best}.`);
    toast(`Hint: ${choice?.label ?? best}.`);
  }

  #evaluate(on) {
    this.#evaluating = on;
    this.tools.press("evaluate", on);
    if (on) this.#analyse();
    else this.evaluation.hide();
  }

  async #analyse() {
    if (this.#scene.turn <= 0 || !this.#info.may.hint) {
      this.#evaluate(false);
      return;
    }
    this.evaluation.wait();
    const found = await this.#ask({ do: "analyse" });
    if (found && this.#evaluating && found.ply === this.#ply) this.evaluation.show(found, this.#scene);
  }

  #showOdds(on) {
    this.#odds = on;
    this.tools.press("odds", on);
    this.#ask({ do: "odds", on });
  }

  #restart() {
    if (!this.#info.may.restart) return;
    if (!this.#plies.some(([, by]) => by > 0) || this.#info.status === "over") this.#ask({ do: "restart" });
    else this.#confirm("Start over? This game stays in your list.", "Start over", () => this.#ask({ do: "restart" }));
  }

  #resign() {
    this.#confirm("Resign this game?", "Resign", () => this.#ask({ do: "resign" }));
  }

  #playAgain() {
    const { may, status } = this.#info;
    if (may.rematch) this.#ask({ do: "rematch" });
    else if (may.restart) this.#restart();
    else if (status === "over") go(`/play/${this.#info.game}`);
    else this.#confirm("Leave this game and start another?", "Start another", () => go(`/play/${this.#info.game}`));
  }

  #confirm(text, label, then) {
    this.#question = { text, label, then };
    this.#draw();
    this.notices.focusQuestion();
  }

  async #look(ply) {
    if (ply >= this.#ply) {
      this.#backToNow();
      return;
    }
    const before = this.#looking;
    this.#looking = ply;
    const found = await this.#ask({ do: "look", ply });
    if (this.#looking !== ply) return;
    if (!found) {
      this.#looking = before;
      return;
    }
    this.moves.mark(ply);
    this.board.show(found.scene, { mine: false });
    this.#draw();
  }

  #backToNow() {
    if (this.#looking === null) return;
    this.#looking = null;
    this.moves.mark(null);
    this.board.show(this.#scene, { mine: this.#canAct() });
    this.#draw();
  }

  async #join(hash) {
    try {
      const info = await post(`/api/games/${this.id}/join`, { token: hash });
      history.replaceState(null, "", location.pathname);
      this.#updateInfo(info);
      this.socket.reopen();
    } catch (problem) {
      toast(problem.message);
    }
  }

  // Runs before other handlers of a key or touch: shows the newest scene, and Enter dismisses a pause.
  #beforeInput(event) {
    this.#flush();
    if (
      event.key !== "Enter" ||
      !this.#pausing() ||
      typing(event) ||
      (pressing(event) && !this.board.svg.contains(event.target))
    )
      return;
    event.preventDefault();
    this.#dismissPause();
  }

  #pausing() {
    return (
      Boolean(this.#scene?.pause) &&
      this.#dismissedPly !== this.#ply &&
      this.#info?.status === "playing" &&
      this.#looking === null
    );
  }

  // -- Keys -----------------------------------------------------------------------------------------------------------

  #key(event) {
    if (event.defaultPrevented || typing(event) || !this.#scene || document.querySelector("dialog[open]")) return;
    if (pressing(event) && !this.board.svg.contains(event.target)) return;
    if (this.board.key(event)) {
      event.preventDefault();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key.startsWith("Arrow") && this.board.arrows && this.#info?.status === "playing") event.preventDefault();
    const act = {
      u: () => this.#undo(),
      y: () => this.#info.may.redo && this.#ask({ do: "redo" }),
      h: () => this.#hint(),
      e: () => this.#info.may.hint && this.#evaluate(!this.#evaluating),
      o: () => this.#info.odds === "ask" && this.#showOdds(!this.#odds),
      n: () => this.#playAgain(),
      "?": () => this.#keys(),
      ",": () => this.#look(this.moves.beside(this.#looking, -1)),
      ".": () => this.#looking !== null && this.#look(this.moves.beside(this.#looking, 1)),
      Escape: () => this.#escape(),
    }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act || !this.#info) return;
    event.preventDefault();
    act();
  }

  #escape() {
    if (this.#question) {
      this.#question = null;
      this.#draw();
    } else if (this.#looking !== null) this.#backToNow();
    else this.#dismissPause();
  }

  #dismissPause() {
    this.#dismissedPly = this.#ply;
    this.#draw();
  }

  #keys() {
    const odds = this.#info.odds === "ask" ? [["O", "show the odds"]] : [];
    showKeys(this.#scene, [
      ["U", "undo"],
      ["Y", "redo"],
      ["H", "hint"],
      ["E", "evaluate"],
      ...odds,
      [",", "previous move"],
      [".", "next move"],
      ["N", "play again"],
      ["?", "show keys"],
    ]);
  }

  // -- Drawing --------------------------------------------------------------------------------------------------------

  #draw() {
    if (!this.#info || !this.#scene) return;
    const [info, scene] = [this.#info, this.#scene];
    const over = info.status === "over" || info.status === "abandoned";
    this.root.firstElementChild.toggleAttribute("data-over", over);
    this.standing.update({
      info,
      scene,
      over,
      mine: this.#mine,
      canAct: this.#canAct(),
      thinking: this.#thinking,
      preparing: this.#preparing,
    });
    this.notices.update({ info, scene, over, question: this.#question, daily: this.#daily });
    this.strip.update({
      scene,
      looking: this.#looking,
      pausing: this.#pausing(),
      number: this.#looking === null ? 0 : this.moves.number(this.#looking),
    });
    this.tools.update({ info, scene, over, mine: this.#mine, canAct: this.#canAct(), redoable: this.#redo });
    this.seats.update({ info, scene, thinking: this.#thinking, preparing: this.#preparing });
    const general = scene.panels.filter(panel => !panel.owner);
    this.figures.hidden = !general.length || (over && !scene.players.length);
    renderIfChanged(this.figures, general, () => figures(general));
    this.switches.update({ info, scene, levels: this.#levels });
    this.foot.textContent = footText(info);
    this.rules.href = rulesAddress(info.game, info.options);
    this.rules.hidden = false;
    this.board.mine !== this.#canAct() && this.#looking === null && this.board.show(scene, { mine: this.#canAct() });
  }
}
