// The page of a game under way: the board, whose turn it is, how it stands, and everything one may do. The server plays;
// this page shows what it says and sends what the visitor does.

import { get, games, post, whole } from "./api.js";
import { go } from "./app.js";
import { Board } from "./board.js";
import { copy } from "./clipboard.js";
import { h, titled, toast } from "./dom.js";
import { pressing, showKeys, typing } from "./keys.js";
import { sentence } from "./listing.js";
import { Evaluation, figures, givenName, keep, Moves, seatName, Seats, Switches, token } from "./panels.js";
import { icon, moving, sound } from "./settings.js";
import { Lost, Socket } from "./socket.js";

const CALM = 170;
const HASTE = 3; // actions a quick hand may be ahead of the server
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
  #seen = 0;
  #plies = [];
  #mine = false;
  #thinking = 0;
  #preparing = false;
  #redo = 0;
  #waiting = [];
  #timer = 0;
  #calm = 0;
  #flying = null;
  #eager = false;
  #next = [];
  #again = null;
  #looking = null;
  #evaluating = false;
  #odds = false;
  #rested = -1;
  #question = null;
  #levels = [];
  #daily = null;
  #acts = new Map();

  constructor(root, id, signal) {
    this.root = root;
    this.id = id;
    this.signal = signal;
    this.opened = new Promise((kept, broken) => { this.kept = kept; this.broken = broken; });
    this.#lay();
    this.socket = new Socket(`/ws/games/${id}`, { onMessage: (message) => this.#hear(message), onState: (state, code) => this.#connection(state, code), signal });
    document.addEventListener("keydown", (event) => this.#key(event), { signal });
    for (const kind of ["keydown", "pointerdown"]) document.addEventListener(kind, (event) => this.#first(event), { signal, capture: true });
    const ticking = setInterval(() => this.seats.tick(), 100);
    signal.addEventListener("abort", () => {
      clearInterval(ticking);
      clearTimeout(this.#timer);
      this.board.destroy();
      this.offline.remove();
      this.kept();
    });
  }

  // -- The page -------------------------------------------------------------------------------------------------------

  #lay() {
    this.board = new Board({ onAction: (action) => this.#act(action), onWhy: (spots) => this.#why(spots) });
    this.title = h("h1.game-title", {}, "…");
    this.turn = h("p.whose");
    this.message = h("p.message");
    this.notices = h("div.notices");
    this.strip = h("div.strip", { hidden: true, role: "status" });
    this.offline = h("div.offline", { role: "status", hidden: true }, "Connection lost, trying again…");
    this.seats = new Seats();
    this.figures = h("dl.counts");
    this.moves = new Moves((ply) => this.#look(ply));
    this.evaluation = new Evaluation({ onHover: (action) => this.#looking === null && this.board.hint(action), onPlay: (action) => this.#mine && this.#act(action) });
    this.switches = new Switches((seat, bot) => this.#ask({ do: "seat", seat, bot }));
    this.foot = h("span");
    this.acts = h("div.acts.row");
    this.tools = h("div.tools", { role: "group", "aria-label": "What you can do" });
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
      h("aside.side", { "aria-label": "The game" }, this.acts, this.tools, this.seats.element, this.figures, this.evaluation.element, this.switches.element, this.moves.element, h("p.foot.muted", {}, this.foot, h("button.button.quiet", { type: "button", onclick: () => this.#keys() }, "Keys", h("kbd", {}, "?"))))));
    document.body.append(this.offline);
  }

  #tool(name, label, onclick, toggles = false) {
    return h("button.tool", { type: "button", "data-tool": name, "aria-pressed": toggles ? "false" : null, onclick }, icon(ICONS[name]), h("span", {}, label));
  }

  #connection(state, code) {
    if (state === "gone") {
      this.offline.hidden = true;
      const problem = new Error(code === 4404 ? "There is no game at this address. It may have been deleted, or the link is not complete." : "The server does not take connections from this page.");
      if (this.#scene) toast(problem.message);
      this.broken(problem);
    }
    this.offline.hidden = state !== "lost" || !this.#scene;
    if (state === "lost" && !this.#scene) this.title.textContent = "Connecting…";
  }

  // -- What the server says -------------------------------------------------------------------------------------------

  #hear(message) {
    if (message.is === "game") this.#know(message);
    else if (message.is === "scene") this.#receive(message);
    else if (message.is === "moved") go(`/game/${message.id}`);
  }

  #know(info) {
    const { is, ...rest } = info;
    if (!this.#info) {
      document.body.dataset.game = info.game;
      games().then((all) => { this.#levels = all.find((each) => each.name === info.game)?.levels ?? []; this.#draw(); }).catch(() => {});
    }
    const ended = this.#info && this.#info.status !== "over" && info.status === "over";
    if (refused(this.#info, info)) toast("Not this time: your move stands.");
    this.#info = rest;
    titled(info.title);
    if (ended) this.#end();
    if (info.kind === "daily" && info.status === "over" && this.#daily === null) this.#share();
    this.#draw();
  }

  #end() {
    sound("end");
    this.#question = null;
    this.#evaluate(false);
  }

  // What there is to share of a daily game that is over.
  async #share() {
    try {
      const { games: found } = await get("/api/daily", this.signal);
      this.#daily = found.find((each) => each.game === this.#info.game && each.mine?.id === this.id)?.share ?? null;
      this.#draw();
    } catch {
      // Without it the button to copy the result is not there; the game itself is.
    }
  }

  // Scenes follow each other no faster than the eye can; but one's own action shows at once, and a touch or a key ends
  // the wait.
  #receive(message) {
    const scene = whole(message.scene, this.heard);
    this.heard = scene;
    this.#seen = message.ply;
    this.#waiting.push({ ...message, scene });
    if (this.#flying?.until !== undefined) this.#flying = null;
    const wait = this.#calm - performance.now();
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
    for (const [place, message] of waiting.entries()) this.#take(message, place === waiting.length - 1);
  }

  #take({ scene, ply, from, plies, mine, clock, thinking, preparing, redo }, last) {
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
    else this.board.show(scene, { mine: this.#may(), animate: forward && last });
    if (forward && moving()) this.#calm = performance.now() + CALM;
    if (forward) this.#tell(from);
    if (last) this.#draw();
    if (this.#evaluating && before !== ply) this.#analyse();
    this.kept();
    this.#pump();
  }

  #may() {
    return this.#mine && this.#info?.status === "playing";
  }

  // What happened, for those who listen.
  #tell(from) {
    const done = this.#plies.slice(from).filter(([, by]) => by > 0).map(([name, by]) => (this.#scene.players.length ? `${this.#scene.players[by - 1]}: ${name}` : name));
    this.board.announce(`${done.join(", ")}. ${this.#scene.message}`);
  }

  // -- What the visitor does ------------------------------------------------------------------------------------------

  // One action is under way at a time, until its scene is here; a quick hand's next ones follow then.
  async #act(action) {
    if (this.#flying) {
      if (this.#next.length < HASTE) this.#next.push(action);
      return;
    }
    const flight = { action, ply: this.#ply };
    this.#flying = flight;
    this.#eager = true;
    try {
      const { ply } = await this.socket.ask({ do: "play", action, ply: this.#ply });
      if (this.#flying !== flight) return;
      if (this.#seen >= ply) this.#flying = null;
      else flight.until = ply;
      this.#pump();
    } catch (problem) {
      if (problem instanceof Lost) this.#again = this.#flying;
      else {
        sound("refused");
        this.board.say(problem.message);
      }
      this.#flying = null;
      this.#next = [];
    }
  }

  #pump() {
    if (this.#again && this.socket.live) {
      const { action, ply } = this.#again;
      this.#again = null;
      if (ply === this.#ply && this.#mine) this.#act(action);
      return;
    }
    if (!this.#next.length || this.#flying) return;
    const action = this.#next.shift();
    if (this.#may() && !this.#pausing() && this.#scene.choices.some((choice) => choice.action === action)) this.#act(action);
    else this.#next = [];
  }

  async #ask(message) {
    try {
      const answer = await this.socket.ask(message);
      if (answer.is === "moved") go(`/game/${answer.id}`);
      return answer;
    } catch (problem) {
      if (!(problem instanceof Lost)) toast(problem.message);
      return null;
    }
  }

  async #why(at) {
    try {
      await this.socket.ask({ do: "why", at });
    } catch (problem) {
      if (problem instanceof Lost) return;
      sound("refused");
      this.board.say(problem.message);
    }
  }

  #undo() {
    if (this.#info.may.undo) this.#ask({ do: "undo" });
  }

  async #hint() {
    if (!this.#info?.may.hint || this.#looking !== null) return;
    if (this.#pausing()) this.#rest(); // who asks what to do next goes on, and the advice is not covered
    const { hint } = this.buttons;
    hint.classList.add("busy");
    const found = await this.#ask({ do: "analyse" });
    hint.classList.remove("busy");
    if (!found || found.ply !== this.#ply || !found.line.length) return;
    const [best] = found.line;
    const choice = this.#scene.choices.find((each) => each.action === best);
    this.board.hint(best);
    this.#acts.get(choice?.role)?.classList.add("hinted");
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
    else this.#confirm("Start this game over? This one stays in your list.", "Start over", () => this.#ask({ do: "restart" }));
  }

  #resign() {
    this.#confirm("Resign this game?", "Resign", () => this.#ask({ do: "resign" }));
  }

  #anew() {
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
      this.#now();
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

  #now() {
    if (this.#looking === null) return;
    this.#looking = null;
    this.moves.mark(null);
    this.board.show(this.#scene, { mine: this.#may() });
    this.#draw();
  }

  async #join(hash) {
    try {
      const info = await post(`/api/games/${this.id}/join`, { token: hash });
      history.replaceState(null, "", location.pathname);
      this.#know(info);
      this.socket.reopen();
    } catch (problem) {
      toast(problem.message);
    }
  }

  // Before anything else sees a key or a touch: the newest scene is shown, and Enter ends a rest.
  #first(event) {
    this.#flush();
    if (event.key !== "Enter" || !this.#pausing() || typing(event) || (pressing(event) && !this.board.svg.contains(event.target))) return;
    event.preventDefault();
    this.#rest();
  }

  #pausing() {
    return Boolean(this.#scene?.pause) && this.#rested !== this.#ply && this.#info?.status === "playing" && this.#looking === null;
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
      o: () => this.#info.odds === "ask" && this.#showOdds(!this.#odds), n: () => this.#anew(), "?": () => this.#keys(),
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
    } else if (this.#looking !== null) this.#now();
    else this.#rest();
  }

  #rest() {
    this.#rested = this.#ply;
    this.#draw();
  }

  #keys() {
    const odds = this.#info.odds === "ask" ? [["O", "show the odds"]] : [];
    showKeys(this.#scene, [["U", "undo"], ["Y", "redo"], ["H", "hint"], ["E", "evaluate"], ...odds, [",", "look a move back"], [".", "look a move on"], ["N", "play again"], ["?", "this list"]]);
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
    keep(this.figures, general, () => figures(general));
    this.switches.update({ info, scene, levels: this.#levels });
    const foot = [info.watchers ? `${info.watchers} watching` : "", info.takebacks ? `${info.takebacks} ${info.takebacks === 1 ? "move" : "moves"} taken back` : "", info.kind === "daily" ? `Daily of ${info.day}` : ""].filter(Boolean).join(" · ");
    this.foot.textContent = foot;
    this.board.mine !== this.#may() && this.#looking === null && this.board.show(scene, { mine: this.#may() });
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
      below = scene.message === `${scene.players[scene.turn - 1]} to move.` ? "" : scene.message; // said above already
      if (this.#preparing) [words, below] = [`${seatName(seat, scene)} is getting ready…`, "This happens once, and takes about half a minute."];
      else if (this.#thinking) words = `${seatName(seat, scene)} is thinking…`;
      else if (this.#mine) words = info.you.length > 1 ? `${scene.players[scene.turn - 1]}, your turn` : "Your turn";
      else words = `${seatName(seat, scene)} to move`;
    }
    keep(this.turn, [words, number], () => [number ? token(number) : null, h("span", {}, words)]);
    this.message.textContent = below;
    this.turn.classList.toggle("mine", this.#may());
    titled(`${many && this.#may() && !info.local ? "● " : ""}${info.title}`);
  }

  #result() {
    const { winners, ending, you, seats, status } = this.#info;
    const scene = this.#scene;
    if (status === "abandoned") return "This game was left.";
    const name = (number) => {
      const other = seats.find((seat) => seat.number === number && seat.kind === "person" && !seat.yours);
      return (other && givenName(other)) || (scene.players[number - 1] ?? "You");
    };
    const whose = (number) => (you.includes(number) && you.length === 1 ? "You" : seats.length > 1 ? name(number) : "You");
    const how = ending ? `${whose(ending.player)} ${ending.how === "time" ? "ran out of time" : "resigned"}. ` : "";
    if (!scene.players.length) return ending ? `${how}` : scene.message;
    if (!winners?.length) return how || scene.message;
    if (winners.length > 1) return ending ? `${how}A draw.` : scene.message;
    const won = whose(winners[0]);
    return `${how}${won} ${won === "You" ? "win!" : "wins."}`;
  }

  #drawNotices(info, scene, over) {
    const hash = location.hash.slice(1);
    const open = info.seats.filter((seat) => seat.kind === "open");
    const joins = open.length && !info.you.length && (hash || info.listed);
    keep(this.notices, [info.status, info.invite, open.length, joins, info.asked, info.you, info.rematch, info.may, this.#question?.text, over && [info.winners, info.ending, info.feat, scene.message], this.#daily], () => [
      this.#question ? this.#questionCard() : null,
      info.asked && !over ? this.#askedCard(info, scene) : null,
      joins ? h("section.card.invite", {}, h("h2", {}, "There is a seat for you"), h("p", {}, `${people(info, scene)} waiting for you in ${info.title}.`), h("button.button.primary.big", { type: "button", onclick: () => this.#join(hash) }, "Join the game")) : null,
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
    if (you.includes(asked.by)) return h("section.card.question", { role: "status" }, h("p", {}, "You asked to take a move back. Waiting for an answer…"));
    return h("section.card.question", { role: "status" }, h("p", {}, `${seat ? seatName(seat, scene) : "Your opponent"} asks to take back a move.`),
      h("div.row", {}, h("button.button.primary", { type: "button", onclick: () => this.#ask({ do: "answer", yes: true }) }, "Allow"), h("button.button", { type: "button", onclick: () => this.#ask({ do: "answer", yes: false }) }, "No")));
  }

  #inviteCard(info, scene, open) {
    const link = new URL(info.invite, location.href).href;
    const field = h("input", { type: "text", readonly: true, value: link, "aria-label": "Link to this game", onfocus: () => field.select() });
    return h("section.card.invite", {}, h("h2", {}, "Send this link to a friend"),
      h("div.row.copy", {}, field, h("button.button.primary", { type: "button", onclick: () => copy(link, "The link is copied.") }, "Copy")),
      navigator.share ? h("button.button", { type: "button", onclick: () => navigator.share({ title: info.title, url: link }).catch(() => {}) }, "Share…") : null,
      h("p.muted", {}, `The game starts when ${open.length === 1 ? `${scene.players[open[0].number - 1] ?? "the other player"} has` : `${open.length} players have`} joined. You may leave this page: the game waits among yours on the home page.`));
  }

  #resultCard(info, scene) {
    const won = info.winners?.some((number) => info.you.includes(number)) && scene.players.length > 0;
    const general = scene.panels.filter((panel) => !panel.owner);
    const lists = general.filter((panel) => panel.items.length);
    return h(`section.card.result${won ? ".won" : ""}`, { "aria-label": "Result" },
      h("h2", {}, this.#result()),
      info.feat && !this.#result().includes(info.feat) ? h("p.feat", {}, sentence(info.feat)) : null,
      general.length && !scene.players.length ? h("dl.counts", {}, figures(lists.length ? lists : general)) : null,
      h("div.row", {},
        info.rematch ? h("a.button.primary", { href: `/game/${info.rematch}` }, "To the next game") : h("button.button.primary", { type: "button", onclick: () => this.#anew() }, "Play again"),
        this.#daily ? h("button.button", { type: "button", onclick: () => copy(this.#daily, "The result is copied.") }, "Copy result") : null,
        h("a.button", { href: `/replay/${this.id}` }, "Replay"),
        h("a.button.quiet", { href: `/api/games/${this.id}/record`, download: "", title: "Download the record of this game" }, "Record")));
  }

  #drawStrip(scene) {
    const pausing = this.#pausing();
    this.strip.hidden = this.#looking === null && !pausing;
    keep(this.strip, [this.#looking, pausing, scene.pause, scene.message], () => {
      if (this.#looking !== null) {
        const number = this.moves.number(this.#looking);
        return [h("span", {}, number ? `Looking at move ${number}` : "Looking at the start"), h("button.button.primary", { type: "button", onclick: () => this.#now() }, "Back to now")];
      }
      return pausing ? [h("span", {}, scene.message), h("button.button.primary", { type: "button", onclick: () => this.#rest() }, scene.pause)] : [];
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
      if (!this.#acts.has(choice.role)) {
        const button = h("button.button.act", { type: "button", "data-role": choice.role, onclick: () => this.#act(button.dataset.action) });
        this.#acts.set(choice.role, button);
        this.acts.append(button);
      }
    }
    for (const [role, button] of this.#acts) {
      const choice = free.find((each) => each.role === role);
      button.disabled = !choice || !this.#may();
      button.hidden = over || !info.you.length;
      button.classList.remove("hinted");
      if (!choice) continue;
      button.dataset.action = choice.action;
      keep(button, [choice.label, choice.key], () => [`${choice.label[0].toUpperCase()}${choice.label.slice(1)}`, choice.key ? h("kbd", {}, choice.key.toUpperCase()) : null]);
    }
    this.tools.hidden = Object.values(this.buttons).every((button) => button.hidden);
    this.acts.hidden = ![...this.#acts.values()].some((button) => !button.hidden);
  }
}

// Whether the move one asked to take back was refused: the question is gone, and neither a move nor a taking back ended it.
function refused(before, now) {
  return Boolean(before?.asked) && before.you.includes(before.asked.by) && !now.asked && now.status === "playing" && now.plies === before.plies && now.takebacks === before.takebacks;
}

function people(info, scene) {
  const names = info.seats.filter((seat) => seat.kind !== "open").map((seat) => seatName(seat, scene));
  return names.length ? `${names.join(" and ")} ${names.length > 1 ? "are" : "is"}` : "A seat is";
}
