// What the page and the server send each other. Written by tools/page/declarations.py from the server's definitions;
// after a change there, run `make page-types`.

declare namespace Api {
  /** A mark on a cell, in addition to its content. */
  interface Mark {
    role: "caught" | "golden" | "here" | "new" | "odds" | "pawn" | "points" | "ring" | "takeable" | "won";
    number: number;
    text: string;
  }

  /** One cell: its role, content, owner and marks, and its name for screen readers. */
  interface Cell {
    role: "barred" | "blocked" | "failed" | "free" | "goal" | "home" | "number" | "operator" | "owned" | "safe" | "trail";
    name: string;
    text: string;
    owner: number;
    marks: Mark[];
    last: boolean;
  }

  /** A wall between two adjacent cells. */
  interface Wall {
    between: [[number, number], [number, number]];
    name: string;
    last: boolean;
    owner: number;
  }

  /** One entry of a figure that lists several, such as the result of a round. */
  interface Item {
    text: string;
    name: string;
    failed: boolean;
  }

  /** A part of the moves so far, such as a round. */
  interface Section {
    title: string;
    start: number;
    result: string;
    failed: boolean;
  }

  /** A figure beside the board: a label, a value, and the player it belongs to, if any. */
  interface Panel {
    label: string;
    value: string;
    owner: number;
    items: Item[];
  }

  /** A legal action of the player to move, and how to choose it. */
  interface Choice {
    action: string;
    label: string;
    role: "golden" | "jump" | "pass" | "rotate" | "slide" | "step" | "take" | "wall";
    at: [number, number][];
    key: string;
    here: string;
  }

  /** A movement in the last action: what was on one cell is now on, or has merged into, another. */
  interface Motion {
    start: [number, number];
    end: [number, number];
  }

  /** All that a surface needs to show a position and to let a person play. */
  interface Scene {
    title: string;
    turn: number;
    message: string;
    rows: number;
    cols: number;
    cells: Cell[];
    row_names: string[];
    col_names: string[];
    players: string[];
    edges: boolean;
    walls: Wall[];
    panels: Panel[];
    choices: Choice[];
    motions: Motion[];
    sections: Section[];
    may: string;
    cheer: string[];
    pause: string;
  }

  /** An error, in one sentence. */
  interface Problem {
    detail: string;
  }

  /** The arcade works and its database answers. */
  interface Health {
    status: "ok";
    version: string;
  }

  /** Who takes a seat: a person at this browser, a person by invitation, or a bot by level or name. */
  interface SeatSetup {
    kind: "bot" | "here" | "invite";
    bot?: string;
  }

  /** A clock: minutes per player, and seconds added after every move. */
  interface ClockSetup {
    minutes: number;
    increment?: number;
  }

  /** A position to play on from: that of a finished game after `ply` plies. */
  interface StartPosition {
    game: string;
    ply: number;
  }

  /** A game to set up. Without seats, the first is yours and level 3 bots take the others. */
  interface NewGame {
    game: string;
    options?: Record<string, any>;
    seats?: SeatSetup[] | null;
    clock?: ClockSetup | null;
    listed?: boolean;
    odds?: "ask" | "never";
    start?: StartPosition | null;
  }

  /** A game with options, to preview before it is set up. */
  interface PreviewRequest {
    game: string;
    options?: Record<string, any>;
  }

  /** The token of an invitation; a listed game needs none. */
  interface JoinRequest {
    token?: string;
  }

  /** An action by its text, and the number of plies played when it was chosen. */
  interface PlayRequest {
    action: string;
    ply?: number | null;
  }

  /** A person's new name. */
  interface NameChange {
    name: string;
  }

  /** A seat as one person sees it. */
  interface SeatInfo {
    number: number;
    kind: "bot" | "open" | "person";
    name: string;
    label: string;
    bot: string | null;
    details: string;
    level: number | null;
    yours: boolean;
    online: boolean;
  }

  /** What one person may do with a game now. */
  interface Permissions {
    undo: boolean;
    redo: boolean;
    hint: boolean;
    resign: boolean;
    restart: boolean;
    rematch: boolean;
    review: boolean;
    switch: number[];
  }

  /** A request that the other players must agree to. */
  interface PendingRequest {
    what: "undo";
    by: number;
  }

  /** How a game ended, if not by its rules. */
  interface Ending {
    how: "resigned" | "time";
    player: number;
  }

  /** A game as one person sees it, without its board. */
  interface GameInfo {
    id: string;
    game: string;
    title: string;
    goal: string;
    options: Record<string, any>;
    kind: "daily" | "game" | "lesson" | "upload";
    day: string | null;
    status: "abandoned" | "over" | "playing" | "waiting";
    seats: SeatInfo[];
    people: string;
    you: number[];
    local: boolean;
    odds: "ask" | "never" | null;
    listed: boolean;
    clock: ClockSetup | null;
    invite: string | null;
    may: Permissions;
    asked: PendingRequest | null;
    ending: Ending | null;
    winners: number[] | null;
    result: string | null;
    scores: number[];
    plies: number;
    watchers: number;
    rematch: string | null;
    takebacks: number;
    feat: string | null;
    created: string;
    changed: string;
  }

  /** One person's best result in other games with the same options, in words; none without undos is null. */
  interface Best {
    text: string | null;
  }

  /** Some games. */
  interface GameList {
    games: GameInfo[];
  }

  /** A parameter of a bot with the values to choose from, and each value in words. */
  interface SliderInfo {
    option: string;
    label: string;
    values: number[];
    texts: string[];
    default: number;
  }

  /** A bot with sliders; its spec is the template with each option in braces replaced by the chosen value. */
  interface TunableBotInfo {
    title: string;
    summary: string;
    template: string;
    sliders: SliderInfo[];
  }

  /** A game on offer: its title, rules, options and bots. */
  interface GameKind {
    name: string;
    title: string;
    summary: string;
    rules: string[];
    players: number;
    options: OptionsSchema;
    bots: string[];
    levels: string[];
    level_labels: string[];
    level_details: string[];
    tunable: TunableBotInfo[];
    odds: boolean;
    printable: boolean;
    lesson: boolean;
    puzzles: number;
  }

  /** All games, and what the roles of choices are called in sentences. */
  interface Catalogue {
    games: GameKind[];
    words: Record<string, string>;
  }

  /** How much of the bots' machine code is compiled; until it is complete, strong bots may take longer. */
  interface Compiling {
    ready: number;
    parts: number;
  }

  /** A moving example of a rule: a scene, then the changes. */
  interface ExampleDemo {
    caption: string;
    frames: AnyScene[];
  }

  /** The quick rules of a game with some options. */
  interface GameRules {
    options: Record<string, any>;
    text: string;
    rules: string[];
    examples: ExampleDemo[];
  }

  /** What a game with some options looks like. */
  interface Preview {
    players: number;
    scene: Scene;
    text: string;
    rules: string[];
    examples: ExampleDemo[];
  }

  /** A short demo game: a scene, then the changes. */
  interface Demo {
    frames: AnyScene[];
  }

  /** The scene after `ply` plies. */
  interface Frame {
    ply: number;
    scene: AnyScene;
  }

  /** All plies of a game, the same in words, and some of its scenes. */
  interface Frames {
    plies: [string, number][];
    phrases: string[];
    frames: Frame[];
    count: number;
  }

  /** A position of a game with what could be played in it, and the choices that a line of moves from it makes. */
  interface Position {
    ply: number;
    scene: Scene;
    line: Choice[];
  }

  /** The action was played and saved; the number of plies now. */
  interface ActionResult {
    ply: number;
  }

  /** A game's challenge of the day, and one person's result in it. */
  interface DailyGame {
    game: string;
    title: string;
    options: Record<string, any>;
    text: string;
    opponents: string[];
    mine: GameInfo | null;
    feat: string | null;
    rank: number | null;
    players: number;
    streak: number;
    share: string | null;
  }

  /** The challenges of a day. */
  interface Daily {
    day: string;
    games: DailyGame[];
  }

  /** A row of a leaderboard. */
  interface LeaderboardRow {
    rank: number;
    name: string;
    feat: string;
    you: boolean;
    id: string | null;
    same: boolean;
  }

  /** The leaderboard of a day. */
  interface Leaderboard {
    day: string;
    game: string;
    rows: LeaderboardRow[];
  }

  /** A message of a viewer; the answer repeats `ref`. */
  interface Request {
    ref?: number | null;
  }

  /** Play an action. */
  interface Play {
    do: "play";
    ref?: number | null;
    action: string;
    ply?: number | null;
  }

  /** Ask why no action is possible at a cell or an edge. */
  interface Why {
    do: "why";
    ref?: number | null;
    at: [number, number][];
  }

  /** Undo, or ask the other players to agree. */
  interface Undo {
    do: "undo";
    ref?: number | null;
  }

  /** Redo what was undone. */
  interface Redo {
    do: "redo";
    ref?: number | null;
  }

  /** Answer another player's request. */
  interface Answer {
    do: "answer";
    ref?: number | null;
    yes: boolean;
  }

  /** Give a seat to a bot, or take it. */
  interface TakeSeat {
    do: "seat";
    ref?: number | null;
    seat: number;
    bot?: string | null;
  }

  /** Ask for the best bot's analysis. */
  interface Analyse {
    do: "analyse";
    ref?: number | null;
  }

  /** Show or hide the odds that the game hides by default. */
  interface Odds {
    do: "odds";
    ref?: number | null;
    on: boolean;
  }

  /** Resign. */
  interface Resign {
    do: "resign";
    ref?: number | null;
  }

  /** Start the same game over. */
  interface Restart {
    do: "restart";
    ref?: number | null;
  }

  /** Ask for a rematch, with everybody one seat further. */
  interface Rematch {
    do: "rematch";
    ref?: number | null;
  }

  /** Show an earlier position. */
  interface Look {
    do: "look";
    ref?: number | null;
    ply: number;
  }

  /** Check the connection. */
  interface Ping {
    do: "ping";
    ref?: number | null;
  }

  /** One person's statistics in one game. */
  interface GameStats {
    played: number;
    won: number;
    lost: number;
    drawn: number;
    abandoned: number;
    best: string | null;
    streak: number;
    best_streak: number;
  }

  /** One person's puzzles of one game. */
  interface PuzzleStats {
    solved: number;
    answered: number;
    rating: number;
    days: string[];
  }

  /** A person's name and statistics. */
  interface Profile {
    name: string;
    games: Record<string, GameStats>;
    puzzles: Record<string, PuzzleStats>;
  }

  /** All data stored about a person. */
  interface Export {
    id: string;
    name: string;
    games: (Record<string, any>)[];
    feats: (Record<string, any>)[];
    puzzles: (Record<string, any>)[];
  }

  /** The move somebody tries, by its text. */
  interface PuzzleAnswer {
    action: string;
  }

  /** A cell, or the two cells of an edge, where no move is possible. */
  interface PuzzlePlace {
    at: [number, number][];
  }

  /** Why a move is not possible. */
  interface PuzzleRefusal {
    text: string;
  }

  /** What some puzzles of a game are about. */
  interface PuzzleTheme {
    theme: string;
    title: string;
    count: number;
    solved: number;
  }

  /** The puzzles of a game, and how far I am. */
  interface PuzzleOverview {
    game: string;
    count: number;
    solved: number;
    rating: number;
    themes: PuzzleTheme[];
    next: string | null;
  }

  /** A puzzle to solve, without its solution. */
  interface PuzzleTask {
    id: string;
    game: string;
    options: Record<string, any>;
    text: string;
    theme: string;
    title: string;
    rating: number;
    prompt: string;
    player: number;
    position: string;
    scene: Scene;
    solved: boolean;
    revealed: boolean;
  }

  /** A move of a line, and the position after it. */
  interface PuzzleStep {
    action: string;
    phrase: string;
    player: number;
    scene: Scene;
  }

  /** Whether a move is right, and what happens after it. */
  interface PuzzleVerdict {
    right: boolean;
    text: string;
    steps: PuzzleStep[];
    solution: string | null;
    solved: boolean;
    revealed: boolean;
    rating: number;
  }

  /** How to read the values of a review: `kind` is "win" or "points", `one` is worth as much as a win. */
  interface ReviewScale {
    kind: string;
    unit: string;
    one: number;
  }

  /** A grade of moves: its name, the word and the sign for it, and whether it is a fault, which a review explains. */
  interface ReviewGrade {
    name: string;
    word: string;
    sign: string;
    fault: boolean;
  }

  /** A value on the graph of a review, and the same in a few characters. */
  interface ReviewPoint {
    value: number;
    text: string;
  }

  /** What a review says of a ply. An outcome of chance has `luck`, a decision all other fields. */
  interface ReviewPlyInfo {
    ply: number;
    name: string;
    player: number;
    value: number | null;
    after: number | null;
    loss: number;
    grade: string | null;
    only: boolean;
    accuracy: number | null;
    best: string | null;
    line: string[];
    phrases: string[];
    why: string;
    accepted: [string, number][];
    luck: number | null;
    text: string;
    course: [ReviewPoint, ReviewPoint] | null;
  }

  /** How a player played; `text` tells luck and skill apart, in games of chance. */
  interface ReviewPlayer {
    player: number;
    accuracy: number | null;
    grades: Record<string, number>;
    lost: number;
    luck: number | null;
    text: string;
  }

  /** The review of a game, as far as it has come. If it has stopped, a POST makes it go on. */
  interface ReviewInfo {
    status: "done" | "running" | "stopped";
    done: number;
    total: number;
    bot: string;
    nodes: number | null;
    scale: ReviewScale | null;
    grades: ReviewGrade[];
    plies: ReviewPlyInfo[];
    players: ReviewPlayer[];
  }

  /** The game as the viewer sees it, when something of it has changed. */
  interface GameUpdate {
    is: "game";
    id: string;
    game: string;
    title: string;
    goal: string;
    options: Record<string, any>;
    kind: "daily" | "game" | "lesson" | "upload";
    day: string | null;
    status: "abandoned" | "over" | "playing" | "waiting";
    seats: SeatInfo[];
    people: string;
    you: number[];
    local: boolean;
    odds: "ask" | "never" | null;
    listed: boolean;
    clock: ClockSetup | null;
    invite: string | null;
    may: Permissions;
    asked: PendingRequest | null;
    ending: Ending | null;
    winners: number[] | null;
    result: string | null;
    scores: number[];
    plies: number;
    watchers: number;
    rematch: string | null;
    takebacks: number;
    feat: string | null;
    created: string;
    changed: string;
  }

  /** The milliseconds left for each player, and the player whose clock runs, or 0. */
  interface ClockTimes {
    left: number[];
    running: number;
  }

  /** What a guided first game says now. */
  interface Instruction {
    step: number;
    steps: number;
    said: string;
    prompt: string;
    actions: string[];
    done: boolean;
    level: number;
  }

  /** The position after `ply` plies. `plies` are those from `start` on, and `phrases` the same in words; the viewer has been sent those before. */
  interface SceneUpdate {
    is: "scene";
    from: number;
    plies: [string, number][];
    phrases: string[];
    scene: AnyScene;
    clock: ClockTimes | null;
    ply: number;
    mine: boolean;
    thinking: number;
    preparing: boolean;
    redo: number;
    guide: Instruction | null;
  }

  /** The answer to the request with this `ref`. */
  interface Reply {
    ref: number | null;
  }

  /** It was done and saved; the number of plies now. */
  interface Acknowledged {
    is: "ack";
    ply: number;
    ref: number | null;
  }

  /** It was not done, and why not. */
  interface Refusal {
    is: "refused";
    why: string;
    ref: number | null;
  }

  /** The connection works. */
  interface Pong {
    is: "pong";
    ref: number | null;
  }

  /** The position after `ply` plies. */
  interface EarlierPosition {
    is: "look";
    ply: number;
    scene: Scene;
    ref: number | null;
  }

  /** The game goes on as another, with this id. */
  interface Moved {
    is: "moved";
    id: string;
    ref: number | null;
  }

  /** A move that a bot considers, and what it promises, in words. */
  interface CandidateInfo {
    action: string;
    phrase: string;
    value: number;
    win: number | null;
    text: string;
  }

  /** A bot's analysis of the position after `ply` plies, for the player to move; `phrases` are the actions of the line in words. */
  interface AnalysisReply {
    is: "analysis";
    ply: number;
    player: number;
    bot: string;
    details: string;
    value: number;
    unit: string;
    verdict: string;
    remark: string;
    facts: [string, string][];
    win: number | null;
    forced: number | null;
    line: string[];
    phrases: string[];
    candidates: CandidateInfo[];
    ref: number | null;
  }

  /** How a game ended, as one person is told it. */
  interface GameEnding {
    text: string;
    won: boolean;
    share: string;
    link: string;
    best: string | null;
    new_best: boolean;
    place: string | null;
    bots: string | null;
    levels: string[];
    note: string | null;
  }

  type ClientMessage = Play | Why | Undo | Redo | Answer | TakeSeat | Analyse | Odds | Resign | Restart | Rematch | Look | Ping;

  type ServerMessage = GameUpdate | SceneUpdate | Acknowledged | Refusal | Pong | EarlierPosition | Moved | AnalysisReply;

  type AnswerTo<M extends string, P extends string> =
    M extends "DELETE" ?
      P extends `/api/me${string}` ? null :
      unknown :
    M extends "GET" ?
      P extends `/api/puzzles/${string}/${string}${string}` ? PuzzleTask :
      P extends `/api/puzzles/${string}${string}` ? PuzzleOverview :
      P extends `/api/me/export${string}` ? Export :
      P extends `/api/me${string}` ? Profile :
      P extends `/api/health${string}` ? Health :
      P extends `/api/games/${string}/review${string}` ? ReviewInfo :
      P extends `/api/games/${string}/record${string}` ? Record<string, any> :
      P extends `/api/games/${string}/position${string}` ? Position :
      P extends `/api/games/${string}/frames${string}` ? Frames :
      P extends `/api/games/${string}/ending${string}` ? GameEnding :
      P extends `/api/games/${string}/best${string}` ? Best :
      P extends `/api/games/${string}${string}` ? GameInfo :
      P extends `/api/games${string}` ? GameList :
      P extends `/api/daily/${string}/board${string}` ? Leaderboard :
      P extends `/api/daily${string}` ? Daily :
      P extends `/api/compiling${string}` ? Compiling :
      P extends `/api/catalogue/${string}/sheet${string}` ? Record<string, any> :
      P extends `/api/catalogue/${string}/rules${string}` ? GameRules :
      P extends `/api/catalogue/${string}/demo${string}` ? Demo :
      P extends `/api/catalogue${string}` ? Catalogue :
      unknown :
    M extends "PATCH" ?
      P extends `/api/me${string}` ? Profile :
      unknown :
    M extends "POST" ?
      P extends `/api/records${string}` ? GameInfo :
      P extends `/api/puzzles/${string}/${string}/why${string}` ? PuzzleRefusal :
      P extends `/api/puzzles/${string}/${string}/solution${string}` ? PuzzleVerdict :
      P extends `/api/puzzles/${string}/${string}/answer${string}` ? PuzzleVerdict :
      P extends `/api/preview${string}` ? Preview :
      P extends `/api/games/${string}/review${string}` ? ReviewInfo :
      P extends `/api/games/${string}/join${string}` ? GameInfo :
      P extends `/api/games/${string}/actions${string}` ? ActionResult :
      P extends `/api/games${string}` ? GameInfo :
      P extends `/api/daily/${string}${string}` ? GameInfo :
      P extends `/api/catalogue/${string}/lesson${string}` ? GameInfo :
      unknown :
    unknown;

  type BodyOf<M extends string, P extends string> =
    M extends "DELETE" ?
      P extends `/api/me${string}` ? undefined :
      unknown :
    M extends "GET" ?
      P extends `/api/puzzles/${string}/${string}${string}` ? undefined :
      P extends `/api/puzzles/${string}${string}` ? undefined :
      P extends `/api/me/export${string}` ? undefined :
      P extends `/api/me${string}` ? undefined :
      P extends `/api/health${string}` ? undefined :
      P extends `/api/games/${string}/review${string}` ? undefined :
      P extends `/api/games/${string}/record${string}` ? undefined :
      P extends `/api/games/${string}/position${string}` ? undefined :
      P extends `/api/games/${string}/frames${string}` ? undefined :
      P extends `/api/games/${string}/ending${string}` ? undefined :
      P extends `/api/games/${string}/best${string}` ? undefined :
      P extends `/api/games/${string}${string}` ? undefined :
      P extends `/api/games${string}` ? undefined :
      P extends `/api/daily/${string}/board${string}` ? undefined :
      P extends `/api/daily${string}` ? undefined :
      P extends `/api/compiling${string}` ? undefined :
      P extends `/api/catalogue/${string}/sheet${string}` ? undefined :
      P extends `/api/catalogue/${string}/rules${string}` ? undefined :
      P extends `/api/catalogue/${string}/demo${string}` ? undefined :
      P extends `/api/catalogue${string}` ? undefined :
      unknown :
    M extends "PATCH" ?
      P extends `/api/me${string}` ? NameChange :
      unknown :
    M extends "POST" ?
      P extends `/api/records${string}` ? Record<string, any> :
      P extends `/api/puzzles/${string}/${string}/why${string}` ? PuzzlePlace :
      P extends `/api/puzzles/${string}/${string}/solution${string}` ? undefined :
      P extends `/api/puzzles/${string}/${string}/answer${string}` ? PuzzleAnswer :
      P extends `/api/preview${string}` ? PreviewRequest :
      P extends `/api/games/${string}/review${string}` ? undefined :
      P extends `/api/games/${string}/join${string}` ? JoinRequest :
      P extends `/api/games/${string}/actions${string}` ? PlayRequest :
      P extends `/api/games${string}` ? NewGame :
      P extends `/api/daily/${string}${string}` ? undefined :
      P extends `/api/catalogue/${string}/lesson${string}` ? undefined :
      unknown :
    unknown;

  /** A scene that has only the cells that changed since the scene before, each with its index. */
  interface SceneChange extends Omit<Scene, "cells"> {
    changed: [number, Cell][];
  }
  type AnyScene = Scene | SceneChange;

  /** What answers each message, unless it is refused. */
  interface OtherReplies {
    why: never;
    look: EarlierPosition;
    analyse: AnalysisReply;
    restart: Moved;
    rematch: Moved;
    ping: Pong;
  }
  type Replies = OtherReplies & Omit<Record<ClientMessage["do"], Acknowledged>, keyof OtherReplies>;

  /** The options of a game, as JSON Schema describes them. */
  interface OptionsSchema {
    properties: Record<string, OptionSchema>;
  }
  interface OptionSchema {
    type: string | string[];
    title: string;
    description: string;
    letters?: Record<string, string>;
    default?: any;
    minimum?: number;
    maximum?: number;
    usualMaximum?: number;
    enum?: string[];
    enumDescriptions?: string[];
    pattern?: string;
  }
}
