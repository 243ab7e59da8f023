"""Scenes: what a position looks like, in words and roles; surfaces choose colours, pixels and characters.

A game describes a position once; the browser, the terminal and the plain-text board each draw any scene. Roles come
from the fixed sets below, so a surface that knows them can show any game.
"""

from __future__ import annotations

from dataclasses import dataclass

Spot = tuple[int, int]
"""A cell: its row from the top and its column from the left, both from 0."""

CELL_ROLES = frozenset(
    {"free", "barred", "blocked", "home", "safe", "failed", "trail", "owned", "number", "operator", "goal"}
)
"""free: empty, or nothing special; barred: free, but not for the player to move; blocked: out of play; home: where a
round starts; safe: home, when a round has come back to it; failed: where a check failed; trail: entered this round;
owned: a player's; number, operator: a tile; goal: where a pawn wants to go."""

MARK_ROLES = frozenset({"here", "pawn", "ring", "caught", "odds", "points", "takeable", "golden", "new", "won"})
"""here: where the only player is; pawn: where player `number` is; ring: visited in round `number`, from 1 to 7; caught:
where round `number` failed; odds: a probability of `number` per cent; points: what getting there would bring;
takeable, golden: the player to move may take this cell, by an ordinary or a golden move; new: chance has just put it
there; won: it won the game."""

CHOICE_WORDS = {
    "step": "step",
    "slide": "slide",
    "take": "take a cell",
    "golden": "make a golden move",
    "wall": "put up a wall",
    "jump": "jump",
    "rotate": "turn a wall",
    "pass": "pass",
}
"""The roles of choices, and what each is called in a sentence such as "a place where you can put up a wall"."""
CHOICE_ROLES = frozenset(CHOICE_WORDS)

KEYS = frozenset({"up", "right", "down", "left", "space", *"abcdefghijklmnopqrstuvwxyz"})


@dataclass(frozen=True)
class Mark:
    """A mark on a cell, in addition to its content."""

    role: str
    number: int = 0
    text: str = ""


REMEMBERED = 20_000
"""How many cells and choices a game keeps for later scenes: from one ply to the next, most of them stay the same."""


@dataclass(frozen=True)
class Cell:
    """One cell: its role, content, owner and marks, and its name for screen readers."""

    role: str
    name: str
    """Where it is and, after a comma, what is there."""
    text: str = ""
    """Its content, shown as it is: the number or operator on a tile, or the number of its owner."""
    owner: int = 0
    marks: tuple[Mark, ...] = ()
    last: bool = False
    """Whether the last action changed it."""


@dataclass(frozen=True)
class Wall:
    """A wall between two adjacent cells."""

    between: tuple[Spot, Spot]
    name: str
    last: bool = False
    owner: int = 0
    """The player who put it up; 0 if that is not known."""


@dataclass(frozen=True)
class Item:
    """One entry of a figure that lists several, such as the result of a round."""

    text: str
    name: str
    """What a screen reader says: "round 2: caught"."""
    failed: bool = False
    """Whether it is marked as a failure."""


@dataclass(frozen=True)
class Section:
    """A part of the moves so far, such as a round."""

    title: str
    start: int
    """How many plies had been played before it."""
    result: str = ""
    """How it ended; empty while it goes on."""
    failed: bool = False


@dataclass(frozen=True)
class Panel:
    """A figure beside the board: a label, a value, and the player it belongs to, if any."""

    label: str
    value: str
    owner: int = 0
    items: tuple[Item, ...] = ()
    """The entries of a value that lists several; `value` has the same in one line."""


@dataclass(frozen=True)
class Choice:
    """A legal action of the player to move, and how to choose it."""

    action: str
    """The action's name, as in records."""
    label: str
    """The action in words: `Game.phrase`."""
    role: str
    at: tuple[Spot, ...] = ()
    """Where to click: one spot is a cell, two are the edge between them, four are two edges, from and to; none is a
    button."""
    key: str = ""
    """The key that plays it from anywhere."""
    here: str = ""
    """The key that plays it while the cursor is on `at`. The arrow keys move the cursor, unless they are keys of
    choices; then Tab moves it to the next place that has such a choice."""


@dataclass(frozen=True)
class Motion:
    """A movement in the last action: what was on one cell is now on, or has merged into, another."""

    start: Spot
    end: Spot


@dataclass(frozen=True)
class Scene:
    """All that a surface needs to show a position and to let a person play."""

    title: str
    turn: int
    """The player to move, `CHANCE` or `OVER`."""
    message: str
    """One sentence: whose turn it is and what they may do, or how the game ended."""
    rows: int
    cols: int
    cells: tuple[Cell, ...]
    """Row by row from the top."""
    row_names: tuple[str, ...]
    col_names: tuple[str, ...]
    players: tuple[str, ...] = ()
    """What the players are called, "You" among them; empty in a game for one."""
    edges: bool = False
    """Whether walls or actions are on edges, so that gaps between cells must be drawn."""
    walls: tuple[Wall, ...] = ()
    panels: tuple[Panel, ...] = ()
    choices: tuple[Choice, ...] = ()
    motions: tuple[Motion, ...] = ()
    sections: tuple[Section, ...] = ()
    """The parts of the moves since the start, in order, if the game has such parts."""
    may: str = ""
    """What the player to move may do, as a sentence that does not name them, such as "Take a free cell."; it is shown
    where something else says whose turn it is. A game for one may leave it out: there `message` says no more."""
    cheer: tuple[str, ...] = ()
    """Once the game is won in a way that is celebrated on the board: a word or two in large letters, and what stands
    below them, such as "67!" and "Won in 40 moves."."""
    pause: str = ""
    """If surfaces should pause here, the label of the button that continues; pressing it plays no action."""

    def cell(self, row: int, col: int) -> Cell:
        """The cell at a row from the top and a column from the left."""
        return self.cells[row * self.cols + col]

    @property
    def shows_odds(self) -> bool:
        """Whether there are odds on the board."""
        return any(mark.role == "odds" for cell in self.cells for mark in cell.marks)
