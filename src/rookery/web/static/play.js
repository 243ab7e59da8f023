// The page of a game in progress. The server has the rules; this page shows its scenes and sends the visitor's actions.

import { get, games, post, applyChanges } from "./api.js";
import { go } from "./app.js";
import { Board } from "./board.js";
import { copy } from "./clipboard.js";
import { h, setTitle, toast } from "./dom.js";
import { pressing, showKeys, typing } from "./keys.js";
import { capitalize, rulesAddress } from "./listing.js";
import { Evaluation, figures, Moves, renderIfChanged, seatName, Seats, SeatSwitches, token } from "./panels.js";
import { icon, motionAllowed, sound } from "./settings.js";
import { ConnectionLost, Socket } from "./socket.js";

const SCENE_MS = 170; // shortest time between two scenes
const MAX_QUEUED = 3; // actions the visitor may be ahead of the server
const ICONS = {
  undo: "M7 4 3 8l4 4M3 8h8a5 5 0 0 1 0 10H8",
  redo: "M13 4l4 4-4 4M17 8H9a5 5 0 0 0 0 10h3",
  hint: "M7.5 14.5h5M8.5 17.5h3M7 12.5a5 5 0 1 1 6 0c-.5.4-.5 1-.5 2h-5c0-1 0-1.600-.5-2Z",
  evaluate: "M4 17V9M10 17V3M16 17v-6",
  odds: "M5 15 15 5M6 8.500a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM14 15.500a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z",
  restart: "M4 10a6 6 0 1 1 2 4.500M4 17v-4h4",
  resign: "M5 18V3M5 4h10l-2.500 3.500L15 11H5",
};

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
  #actionButtons = new Map();

  constructor(root, id, signal) {
    this.root = root;
    this.id = id;
    this.signal = signal;
    this.opened = new Promise((resolve, reject) => { this.resolveOpened = resolve; this.rejectOpened = reject; });
    this.#layout();
    this.socket = new Socket(`/ws/games/${id}`, { onMessage: (message) => this.#onMessage(message), onState: (state, code) => this.#connection(state, code), signal });
    document.addEventListener("keydown", (event) => this.#key(event), { signal });
    for (const kind of ["keydown", "pointerdown"]) document.addEventListener(kind, (event) => this.#beforeInput(event), { signal, capture: true });
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
    this.board = new Board({ onAction: (action) => this.#playAction(action), onWhy: (spots) => this.#askWhy(spots) });
    this.title = h("h1.game-title", {}, "…");
    this.turn = h("p.whose");
    this.message = h("p.message");
    this.notices = h("div.notices");
    this.strip = h("div.strip", { hidden: true, role: "status" });
    this.offline = h("div.offline", { role: "status", hidden: true }, "Connection lost. Reconnecting…");
    this.seats = new Seats();
    this.figures = h("dl.counts");
    this.moves = new Moves((ply) => this.#look(ply));
    this.evaluation = new Evaluation({ onHover: (action) => this.#looking === null && this.board.hint(action), onPlay: (action) => this.#mine && this.#playAction(action) });
    this.switches = new SeatSwitches((seat, bot) => this.#ask({ do: "seat", seat, bot }));
    this.foot = h("span");
    this.rules = h("a.button.quiet", { target: "_blank", hidden: true }, "Rules");
    this.acts = h("div.acts.row");
    this.tools = h("div.tools", { role: "group", "aria-label": "Actions" });
    this.buttons = {
      undo: this.#tool("undo", "Undo", () => this.#undo()),
      redo: this.#tool("redo", "Redo", () => this.#ask({ do: "redo" })),
      hint: this.#tool("hint", "Hint", () => this.#hint()),
      evaluate: this.#tool("evaluate", "Evaluate", () => this.#evaluate(!this.#evaluating), true),
      odds: this.#tool("odds", "Odds", () => this.#showOdds(!this.#odds), true),
      restart: this.#tool("restart", "Restart", () => this.#restart()),
      resign: this.#tool("resign", "Resign", () => this.#resign()),
    };
    this.tools.append(...Object.values(this.buttons));
    this.root.replaceChildren(h("div.play", {},
      h("header.status", {}, this.title, h("div.standing", {}, this.turn, this.message)),
      this.notices,
      h("div.stage", {}, this.board.element, this.strip),
      h("aside.side", { "aria-label": "The game" }, this.acts, this.tools, this.seats.element, this.figures, this.evaluation.element, this.switches.element, this.moves.element, h("p.foot.muted", {}, this.foot, this.rules, h("button.button.quiet", { type: "button", onclick: () => this.#keys() }, "Keys", h("kbd", {}, "?"))))));
    document.body.append(this.offline);
  }

  #tool(name, label, onclick, toggles = false) {
    return h("button.tool", { type: "button", "data-tool": name, "aria-pressed": toggles ? "false" : null, onclick }, icon(ICONS[name]), h("span", {}, label));
  }

  #connection(state, code) {
    if (state === "gone") {
      this.offline.hidden = true;
      const problem = new Error(code === 4404 ? "There is no game at this address. It may have been deleted, or the link is incomplete." : "The server refused the connection.");
      if (this.#scene) toast(problem.message);
      this.rejectOpened(problem);
    }
    this.offline.hidden = state !== "lost" || !this.#scene;
    if (state === "lost" && !this.#scene) this.title.textContent = "Connecting…";
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
      games().then((all) => { this.#levels = all.find((each) => each.name === info.game)?.level_labels ?? []; this.#draw(); }).catch(() => {});
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
      this.#daily = found.find((each) => each.game === this.#info.game && each.mine?.id === this.id)?.share ?? null;
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
    if (forward) sound(scene.walls.some((wall) => wall.last) ? "wall" : "step");
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
    const done = this.#plies.slice(from).filter(([, by]) => by > 0).map(([name, by]) => (this.#scene.players.length ? `${this.#scene.players[by - 1]}: ${name}` : name));
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
    if (this.#canAct() && !this.#pausing() && this.#scene.choices.some((choice) => choice.action === action)) this.#playAction(action);
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
    const { hint } = this.buttons;
    hint.classList.add("busy");
    const found = await this.#ask({ do: "analyse" });
    hint.classList.remove("busy");
    if (!found || found.ply !== this.#ply || !found.line.length) return;
    const [best] = found.line;
    const choice = this.#scene.choices.find((each) => each.action === best);
    this.board.hint(best);
    this.#actionButtons.get(choice?.role)?.classList.add("hinted");
    this.board.announce(`Hint: ${choice?.label ?? best}.`);
    toast(`Hint: ${choice?.label ?? best}.`);
  }

  #evaluate(on) {
    this.#evaluating = on;
    this.buttons.evaluate.setAttribute("aria-pressed", String(on));
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
    this.buttons.odds.setAttribute("aria-pressed", String(on));
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
    this.notices.querySelector(".question .primary")?.focus();
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
    if (event.key !== "Enter" || !this.#pausing() || typing(event) || (pressing(event) && !this.board.svg.contains(event.target))) return;
    event.preventDefault();
    this.#dismissPause();
  }

  #pausing() {
    return Boolean(this.#scene?.pause) && this.#dismissedPly !== this.#ply && this.#info?.status === "playing" && this.#looking === null;
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
      u: () => this.#undo(), y: () => this.#info.may.redo && this.#ask({ do: "redo" }), h: () => this.#hint(), e: () => this.#info.may.hint && this.#evaluate(!this.#evaluating),
      o: () => this.#info.odds === "ask" && this.#showOdds(!this.#odds), n: () => this.#playAgain(), "?": () => this.#keys(),
      ",": () => this.#look(this.moves.beside(this.#looking, -1)), ".": () => this.#looking !== null && this.#look(this.moves.beside(this.#looking, 1)),
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
    showKeys(this.#scene, [["U", "undo"], ["Y", "redo"], ["H", "hint"], ["E", "evaluate"], ...odds, [",", "previous move"], [".", "next move"], ["N", "play again"], ["?", "show keys"]]);
  }

  // -- Drawing --------------------------------------------------------------------------------------------------------

  #draw() {
    if (!this.#info || !this.#scene) return;
    const info = this.#info;
    const scene = this.#scene;
    const over = info.status === "over" || info.status === "abandoned";
    this.title.textContent = scene.title.replace("  ", " ");
    this.root.firstElementChild.toggleAttribute("data-over", over);
    this.#drawTurn(info, scene, over);
    this.#drawNotices(info, scene, over);
    this.#drawStrip(scene);
    this.#drawTools(info, scene, over);
    this.seats.update({ info, scene, thinking: this.#thinking, preparing: this.#preparing });
    const general = scene.panels.filter((panel) => !panel.owner);
    this.figures.hidden = !general.length || (over && !scene.players.length);
    renderIfChanged(this.figures, general, () => figures(general));
    this.switches.update({ info, scene, levels: this.#levels });
    const foot = [info.watchers ? `${info.watchers} watching` : "", info.takebacks ? `${info.takebacks} ${info.takebacks === 1 ? "move" : "moves"} undone` : "", info.kind === "daily" ? `Daily of ${info.day}` : ""].filter(Boolean).join(" · ");
    this.foot.textContent = foot;
    this.rules.href = rulesAddress(info.game, info.options);
    this.rules.hidden = false;
    this.board.mine !== this.#canAct() && this.#looking === null && this.board.show(scene, { mine: this.#canAct() });
  }

  #drawTurn(info, scene, over) {
    const many = scene.players.length > 1;
    const seat = info.seats.find((each) => each.number === scene.turn);
    let words = scene.message;
    let below = "";
    let number = 0;
    if (over) [words, below] = ["Game over", scene.players.length && !info.ending ? scene.message : ""];
    else if (info.status === "waiting") words = "Waiting for players";
    else if (many && seat) {
      number = scene.turn;
      below = scene.message === `${scene.players[scene.turn - 1]} to move.` ? "" : scene.message; // shown above already
      if (this.#preparing) [words, below] = [`${seatName(seat, scene)} is preparing…`, "This happens once and takes about half a minute."];
      else if (this.#thinking) words = `${seatName(seat, scene)} is thinking…`;
      else if (this.#mine) words = info.you.length > 1 ? `${scene.players[scene.turn - 1]}, your turn` : "Your turn";
      else words = `${seatName(seat, scene)} to move`;
    }
    renderIfChanged(this.turn, [words, number], () => [number ? token(number) : null, h("span", {}, words)]);
    this.message.textContent = below;
    this.turn.classList.toggle("mine", this.#canAct());
    setTitle(`${many && this.#canAct() && !info.local ? "● " : ""}${info.title}`);
  }

  #result() {
    const { winners, ending, you, seats, status } = this.#info;
    const scene = this.#scene;
    if (status === "abandoned") return "This game was abandoned.";
    const name = (number) => {
      const other = seats.find((seat) => seat.number === number && seat.kind === "person" && !seat.yours);
      return other?.label || (scene.players[number - 1] ?? "You");
    };
    const whose = (number) => (you.includes(number) && you.length === 1 ? "You" : seats.length > 1 ? name(number) : "You");
    const how = ending ? `${whose(ending.player)} ${ending.how === "time" ? "ran out of time" : "resigned"}. ` : "";
    if (!scene.players.length) return ending ? `${how}` : scene.message;
    if (!winners?.length) return how || scene.message;
    if (winners.length > 1) return ending ? `${how}Draw.` : scene.message;
    const won = whose(winners[0]);
    return `${how}${won} ${won === "You" ? "win!" : "wins."}`;
  }

  #drawNotices(info, scene, over) {
    const hash = location.hash.slice(1);
    const open = info.seats.filter((seat) => seat.kind === "open");
    const joins = open.length && !info.you.length && (hash || info.listed);
    renderIfChanged(this.notices, [info.status, info.invite, open.length, joins, info.asked, info.you, info.rematch, info.may, this.#question?.text, over && [info.winners, info.ending, info.feat, scene.message], this.#daily], () => [
      this.#question ? this.#questionCard() : null,
      info.asked && !over ? this.#askedCard(info, scene) : null,
      joins ? h("section.card.invite", {}, h("h2", {}, "You are invited"), h("p", {}, `${people(info, scene)} waiting for you in ${info.title}.`), h("button.button.primary.big", { type: "button", onclick: () => this.#join(hash) }, "Join")) : null,
      info.status === "waiting" && info.invite && info.you.length ? this.#inviteCard(info, scene, open) : null,
      over ? this.#resultCard(info, scene) : null,
    ]);
  }

  #questionCard() {
    const { text, label, then } = this.#question;
    const close = () => { this.#question = null; this.#draw(); };
    return h("section.card.question", { role: "alertdialog", "aria-label": text }, h("p", {}, text),
      h("div.row", {}, h("button.button.primary", { type: "button", onclick: () => { close(); then(); } }, label), h("button.button", { type: "button", onclick: close }, "Keep playing")));
  }

  #askedCard({ asked, you, seats }, scene) {
    const seat = seats.find((each) => each.number === asked.by);
    if (you.includes(asked.by)) return h("section.card.question", { role: "status" }, h("p", {}, "You asked to undo a move. Waiting for an answer…"));
    return h("section.card.question", { role: "status" }, h("p", {}, `${seat ? seatName(seat, scene) : "Your opponent"} asks to undo a move.`),
      h("div.row", {}, h("button.button.primary", { type: "button", onclick: () => this.#ask({ do: "answer", yes: true }) }, "Allow"), h("button.button", { type: "button", onclick: () => this.#ask({ do: "answer", yes: false }) }, "No")));
  }

  #inviteCard(info, scene, open) {
    const link = new URL(info.invite, location.href).href;
    const field = h("input", { type: "text", readonly: true, value: link, "aria-label": "Link to this game", onfocus: () => field.select() });
    return h("section.card.invite", {}, h("h2", {}, "Invite a friend with this link"),
      h("div.row.copy", {}, field, h("button.button.primary", { type: "button", onclick: () => copy(link, "Link copied.") }, "Copy")),
      navigator.share ? h("button.button", { type: "button", onclick: () => navigator.share({ title: info.title, url: link }).catch(() => {}) }, "Share…") : null,
      h("p.muted", {}, `The game starts when ${open.length === 1 ? `${scene.players[open[0].number - 1] ?? "the other player"} has` : `${open.length} players have`} joined. You can leave this page; the game is in your list on the home page.`));
  }

  #resultCard(info, scene) {
    const won = info.winners?.some((number) => info.you.includes(number)) && scene.players.length > 0;
    const general = scene.panels.filter((panel) => !panel.owner);
    const lists = general.filter((panel) => panel.items.length);
    return h(`section.card.result${won ? ".won" : ""}`, { "aria-label": "Result" },
      h("h2", {}, this.#result()),
      info.feat && !this.#result().includes(info.feat) ? h("p.feat", {}, capitalize(info.feat)) : null,
      general.length && !scene.players.length ? h("dl.counts", {}, figures(lists.length ? lists : general)) : null,
      h("div.row", {},
        info.rematch ? h("a.button.primary", { href: `/game/${info.rematch}` }, "Go to the rematch") : h("button.button.primary", { type: "button", onclick: () => this.#playAgain() }, "Play again"),
        this.#daily ? h("button.button", { type: "button", onclick: () => copy(this.#daily, "Result copied.") }, "Copy result") : null,
        h("a.button", { href: `/replay/${this.id}` }, "Replay"),
        h("a.button.quiet", { href: `/api/games/${this.id}/record`, download: "", title: "Download the record" }, "Record")));
  }

  #drawStrip(scene) {
    const pausing = this.#pausing();
    this.strip.hidden = this.#looking === null && !pausing;
    renderIfChanged(this.strip, [this.#looking, pausing, scene.pause, scene.message], () => {
      if (this.#looking !== null) {
        const number = this.moves.number(this.#looking);
        return [h("span", {}, number ? `Showing move ${number}` : "Showing the start"), h("button.button.primary", { type: "button", onclick: () => this.#backToNow() }, "Back to the game")];
      }
      return pausing ? [h("span", {}, scene.message), h("button.button.primary", { type: "button", onclick: () => this.#dismissPause() }, scene.pause)] : [];
    });
  }

  #drawTools(info, scene, over) {
    const { may } = info;
    const { undo, redo, hint, evaluate, odds, restart, resign } = this.buttons;
    undo.disabled = !may.undo;
    redo.disabled = !may.redo || !this.#redo;
    hint.disabled = !may.hint || !this.#mine || over;
    evaluate.disabled = !may.hint || over || scene.turn <= 0;
    const bare = !info.you.length || info.status === "waiting";
    const strict = info.kind === "daily";
    undo.hidden = bare || ((over || strict) && !may.undo);
    redo.hidden = bare || !info.local || ((over || strict) && redo.disabled);
    for (const button of [hint, evaluate]) button.hidden = bare || over || (!may.hint && (strict || !info.local));
    odds.hidden = info.odds !== "ask" || over;
    restart.hidden = !may.restart || over;
    resign.hidden = !may.resign || over;
    const free = over ? [] : scene.choices.filter((choice) => !choice.at.length && choice.role !== "slide");
    for (const choice of free) {
      if (!this.#actionButtons.has(choice.role)) {
        const button = h("button.button.act", { type: "button", "data-role": choice.role, onclick: () => this.#playAction(button.dataset.action) });
        this.#actionButtons.set(choice.role, button);
        this.acts.append(button);
      }
    }
    for (const [role, button] of this.#actionButtons) {
      const choice = free.find((each) => each.role === role);
      button.disabled = !choice || !this.#canAct();
      button.hidden = over || !info.you.length;
      button.classList.remove("hinted");
      if (!choice) continue;
      button.dataset.action = choice.action;
      renderIfChanged(button, [choice.label, choice.key], () => [`${choice.label[0].toUpperCase()}${choice.label.slice(1)}`, choice.key ? h("kbd", {}, choice.key.toUpperCase()) : null]);
    }
    this.tools.hidden = Object.values(this.buttons).every((button) => button.hidden);
    this.acts.hidden = ![...this.#actionButtons.values()].some((button) => !button.hidden);
  }
}

// Whether the visitor's undo request was declined: it is gone, and neither a move nor an undo ended it.
function undoDeclined(before, now) {
  return Boolean(before?.asked) && before.you.includes(before.asked.by) && !now.asked && now.status === "playing" && now.plies === before.plies && now.takebacks === before.takebacks;
}

function people(info, scene) {
  const names = info.seats.filter((seat) => seat.kind !== "open").map((seat) => seatName(seat, scene));
  return names.length ? `${names.join(" and ")} ${names.length > 1 ? "are" : "is"}` : "A seat is";
}
