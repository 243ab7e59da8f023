// The view of a game in progress: the board, and all that stands around it.

import { Board } from "./board.js";
import { celebrate } from "./celebration.js";
import { h } from "./dom.js";
import { EndCard } from "./ending.js";
import { Evaluation } from "./evaluation.js";
import { Learn } from "./learn.js";
import { offline } from "./network.js";
import { Notes } from "./notes.js";
import { Notices } from "./notices.js";
import { figures, Moves, renderIfChanged, SeatSwitches, Seats } from "./panels.js";
import { footText, Standing, Strip } from "./standing.js";
import { Tools } from "./tools.js";
import { hasSides, isTurned, rememberFlipped, wasFlipped } from "./turning.js";

export class GameView {
  #begun = false;
  /** @type {boolean | null} Whether the visitor wants such boards the other way round; null before it is known. */
  #flipped = null;
  lost = false;

  /**
   * `visitor` has a method for everything the visitor can do.
   * @param {HTMLElement} root
   * @param {string} id
   * @param {import("./visitor.js").Visitor} visitor
   * @param {AbortSignal} signal
   */
  constructor(root, id, visitor, signal) {
    this.root = root;
    this.board = new Board({ onAction: action => visitor.play(action), onWhy: spots => visitor.askWhy(spots) });
    this.standing = new Standing({ rules: () => visitor.rules() });
    this.notes = new Notes();
    this.learn = new Learn(id);
    this.notices = new Notices({
      answer: yes => visitor.ask({ do: "answer", yes }),
      join: token => visitor.join(token),
      close: () => visitor.dropQuestion(),
    });
    this.ending = new EndCard(id, { visitor, picture: () => this.board.element, signal });
    this.strip = new Strip({ back: () => visitor.backToNow(), dismiss: () => visitor.dismissPause() });
    this.seats = new Seats();
    this.figures = h("dl.counts");
    this.moves = new Moves(ply => visitor.look(ply));
    this.evaluation = new Evaluation({
      onHover: action => visitor.pointOut(action),
      onPlay: action => visitor.playIfMine(action),
    });
    this.switches = new SeatSwitches((seat, bot) => visitor.ask({ do: "seat", seat, bot }));
    this.foot = h("span");
    this.tools = new Tools(
      {
        undo: () => visitor.undo(),
        redo: () => visitor.redo(),
        hint: () => visitor.hint(),
        evaluate: () => visitor.evaluate(!visitor.evaluating),
        odds: () => visitor.showOdds(!visitor.odds),
        restart: () => visitor.restart(),
        resign: () => visitor.resign(),
      },
      action => visitor.play(action),
    );
    this.flipper = h(
      "button.button.quiet",
      { type: "button", onclick: () => visitor.flip(), hidden: true },
      "Flip",
      h("kbd", {}, "F"),
    );
    this.stage = h("div.stage", {}, this.board.element);
    this.standing.element.append(this.notes.element, this.strip.element);
    root.replaceChildren(this.#layout(() => visitor.keys()));
  }

  /** @param {() => void} showKeys */
  #layout(showKeys) {
    const keys = h("button.button.quiet", { type: "button", onclick: showKeys }, "Keys", h("kbd", {}, "?"));
    return h(
      "div.play",
      {},
      this.standing.element,
      this.notices.element,
      this.stage,
      this.learn.element,
      h(
        "aside.side",
        { "aria-label": "The game" },
        this.ending.reopen,
        this.notices.questions,
        this.tools.acts,
        this.tools.element,
        this.seats.element,
        this.figures,
        this.evaluation.element,
        this.switches.element,
        this.moves.element,
        h("p.foot.muted", {}, this.foot, this.flipper, keys),
      ),
      this.ending.element,
    );
  }

  destroy() {
    this.board.destroy();
    this.notes.destroy();
  }

  /**
   * Marks whether the game is over. At its end, what stands above the board keeps its height: the board may not move.
   * Returns whether the visitor has seen the game go on.
   * @param {boolean} over
   */
  #hold(over) {
    const play = /** @type {HTMLElement} */ (this.root.firstElementChild);
    if (!over) this.#begun = true;
    if (over && this.#begun && !play.hasAttribute("data-over"))
      play.style.setProperty("--held", `${this.standing.element.offsetHeight}px`);
    if (!over) play.style.removeProperty("--held");
    play.toggleAttribute("data-over", over);
    return this.#begun;
  }

  /**
   * Says that the connection is lost; before the first scene, that there is none yet.
   * @param {boolean} lost
   * @param {boolean} begun
   */
  showConnection(lost, begun) {
    this.lost = lost;
    const words = offline()
      ? "Connection lost: there is no network. The game goes on when it is back."
      : "Connection lost. Reconnecting…";
    this.notes.setState(lost && begun ? words : "");
    if (lost && !begun) this.standing.title.textContent = "Connecting…";
  }

  /**
   * Shows the position that the game has come to; `animate` if it follows the one on show.
   * @param {import("./game.js").GameState} game
   * @param {{from: number, clock: Api.ClockTimes | null, animate: boolean}} how
   */
  showPosition(game, { from, clock, animate }) {
    this.seats.setClock(clock);
    const { players, sections } = game.scene;
    this.moves.update(game, Math.min(from, game.plies.length), players, sections);
    this.turn(game);
    if (game.looking !== null) this.moves.mark(game.looking);
    else this.board.show(game.scene, { mine: game.canAct, animate });
  }

  /**
   * Celebrates a win that has just come about, over the board.
   * @param {import("./game.js").GameState} game
   */
  celebrate({ scene, looking }) {
    if (looking === null) celebrate(this.stage, scene);
  }

  /**
   * Turns the board as the visitor wants it.
   * @param {import("./game.js").GameState} game
   */
  turn({ info, scene }) {
    this.flipper.hidden = !hasSides(scene);
    if (info && hasSides(scene)) this.board.turn(isTurned(scene, info.you) !== this.flipped(info.game));
  }

  /** @param {string} game */
  flipped(game) {
    this.#flipped ??= wasFlipped(game);
    return this.#flipped;
  }

  /** @param {import("./game.js").GameState} game */
  flip(game) {
    this.#flipped = !this.flipped(game.info.game);
    rememberFlipped(game.info.game, this.#flipped);
    this.turn(game);
  }

  /**
   * Draws everything but the board; `levels` are what the bots' levels are called, `best` is the visitor's best result,
   * `lesson` is whether the game has a guided first game.
   * @param {import("./game.js").GameState} game
   * @param {{
   *   question: import("./visitor.js").Question | null,
   *   levels: string[],
   *   best: string | null,
   *   lesson: boolean,
   * }} beside
   */
  draw(game, { question, levels, best, lesson }) {
    const { info, scene, mine, canAct, over, thinking, preparing, looking, pausing, plies, guide } = game;
    const { lost } = this;
    const begun = this.#hold(over);
    this.turn(game);
    this.standing.update({ info, scene, over, mine, canAct, thinking, preparing, lost });
    this.learn.update({ info, plies, over, mine, guide, lesson });
    this.notices.update({ info, over, question });
    this.ending.update({ info, scene, over: over && info.kind !== "lesson", begun }); // the guide has its own end
    this.strip.update({ scene, looking, pausing, number: looking === null ? 0 : this.moves.number(looking) });
    this.tools.update({ info, scene, over, mine, canAct, redoable: game.redo });
    this.seats.update({ info, scene, thinking, preparing });
    const general = scene.panels.filter(panel => !panel.owner);
    if (best) general.push({ label: "Your best", value: best, owner: 0, items: [] });
    this.figures.hidden = !general.length || (over && !scene.players.length);
    renderIfChanged(this.figures, general, () => figures(general));
    this.switches.update({ info, scene, levels });
    this.foot.textContent = footText(info);
    if (this.board.mine !== canAct && looking === null) this.board.show(scene, { mine: canAct });
    if (guide && looking === null) this.board.prompt(canAct ? guide.actions : []);
  }
}
