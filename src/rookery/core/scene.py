"""A scene: what a position looks like, in words and roles. Colours, pixels and characters are the surfaces' business.

A game describes a position once; the browser, the terminal and the plain text each draw any scene. Roles come from the
fixed sets below, so a surface that knows these can show a game it has never heard of.
"""

from __future__ import annotations

from dataclasses import dataclass

Spot = tuple[int, int]
"""A cell by row from the top and column from the left, both from 0."""

CELL_ROLES = frozenset(
    {"free", "barred", "blocked", "home", "safe", "failed", "trail", "owned", "number", "operator", "goal"}
)
"""free: empty, or nothing to say of it; barred: free, but not for the player to move; blocked: out of play; home, and
safe when a round came back to it; failed: where a check went wrong; trail: entered this round; owned: a player's;
number, operator: a tile; goal: where a pawn wants to go."""

MARK_ROLES = frozenset({"here", "pawn", "ring", "odds", "takeable", "golden", "new"})
"""here: the position of the only player; pawn: of player `number`; ring: visited in round `number`; odds: a probability
in per cent; takeable, golden: the player to move may take this cell, by an ordinary or a golden move; new: it came by
chance just now."""

CHOICE_ROLES = frozenset({"step", "slide", "take", "golden", "wall", "jump", "rotate", "pass"})

KEYS = frozenset({"up", "right", "down", "left", "space", *"abcdefghijklmnopqrstuvwxyz"})


@dataclass(frozen=True)
class Mark:
    """A sign on a cell beside what stands in it."""

    role: str
    number: int = 0
    text: str = ""


@dataclass(frozen=True)
class Cell:
    """One cell: its role, what stands in it, whose it is, and how a screen reader names it."""

    role: str
    name: str
    text: str = ""
    """What stands in it, to be shown as it is: the number or operator on a tile, the number of its owner."""
    owner: int = 0
    marks: tuple[Mark, ...] = ()
    last: bool = False
    """Touched by the last action."""


@dataclass(frozen=True)
class Wall:
    """Something that stands between two adjacent cells."""

    between: tuple[Spot, Spot]
    name: str
    last: bool = False


@dataclass(frozen=True)
class Item:
    """One entry of a figure that lists several, such as the result of a round."""

    text: str
    name: str
    """What a screen reader says: "round 2: caught"."""
    failed: bool = False
    """Whether it is marked as a failure."""


@dataclass(frozen=True)
class Panel:
    """One figure beside the board: a label, a value, and the player it belongs to, if any."""

    label: str
    value: str
    owner: int = 0
    items: tuple[Item, ...] = ()
    """The entries of a value that lists several; `value` has the same in one line."""


@dataclass(frozen=True)
class Choice:
    """Something the player to move may do, and the ways to do it."""

    action: str
    """The action's text, as records keep it."""
    label: str
    role: str
    at: tuple[Spot, ...] = ()
    """Where it is clicked: one spot is a cell, two are the edge between them, four are two edges one after the other,
    from and to; none is a button."""
    key: str = ""
    """The key that plays it at once."""
    here: str = ""
    """The key that plays it while the cursor stands on `at`. The arrow keys move the cursor, unless they are keys of
    choices themselves; then Tab moves it from one place with such a choice to the next."""


@dataclass(frozen=True)
class Motion:
    """What stood on one cell before the last action now stands on, or went into, another."""

    start: Spot
    end: Spot


@dataclass(frozen=True)
class Scene:
    """Everything a surface needs to show a position and to let a person act in it."""

    title: str
    turn: int
    """The player to move, `CHANCE` or `OVER`."""
    message: str
    """One sentence: whose turn it is and what may be done, or how it ended."""
    rows: int
    cols: int
    cells: tuple[Cell, ...]
    """Row by row from the top."""
    row_names: tuple[str, ...]
    col_names: tuple[str, ...]
    players: tuple[str, ...] = ()
    """What the players are called; nothing in a game for one."""
    edges: bool = False
    """Whether things happen between cells, so that the gaps must be drawn."""
    walls: tuple[Wall, ...] = ()
    panels: tuple[Panel, ...] = ()
    choices: tuple[Choice, ...] = ()
    motions: tuple[Motion, ...] = ()
    pause: str = ""
    """Where the position rests for the eye, the label of a button by which the player goes on; nothing happens in the
    game when it is pressed."""

    def cell(self, row: int, col: int) -> Cell:
        """The cell at a row from the top and a column from the left."""
        return self.cells[row * self.cols + col]
