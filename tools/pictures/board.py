"""Draws positions as SVG: the board of any scene, annotated with moves, lines of play, paths and values.

It draws scenes and knows no game's rules. `overview.py` draws the README's picture with it, `tools/diagrams` the
diagrams of the strategy pages. A drawing has its own dark background, so it looks the same on light and on dark pages.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from html import escape
from math import hypot
from typing import TYPE_CHECKING

from rookery.core import text_board
from rookery.core.palette import DARK, NUMBER_TILE, ROUND_COLOURS
from rookery.core.scene import Scene, Spot, Wall

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rookery.core.state import State

FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
PLAYERS = ("", *DARK.players)
RINGS = ("", DARK.soft, DARK.gold)
"""The colour of a cell with this many rings."""
BEST, OTHER = DARK.good, DARK.soft
"""The best move, and another move."""


@dataclass(frozen=True)
class Theme:
    """The colours of a game: accent and background."""

    accent: str
    background: str


BACKGROUNDS = {"gotham": "#101c38", "gamma": "#10201b", "sixseven": "#241616", "gaterun": "#1a1530"}
THEMES = {game: Theme(DARK.accents[game], background) for game, background in BACKGROUNDS.items()}


@dataclass(frozen=True)
class Grid:
    """Where a board is on a drawing: its top left corner and the side of a cell."""

    left: float
    top: float
    size: float

    def middle(self, at: Sequence[Spot]) -> tuple[float, float]:
        """The middle of a cell, or of the edge between two."""
        row, col = (sum(spot[axis] for spot in at) / len(at) for axis in (0, 1))
        return self.left + (col + 0.5) * self.size, self.top + (row + 0.5) * self.size


def board(scene: Scene, theme: Theme, grid: Grid) -> str:
    """The cells and walls of a scene."""
    cells = [cell_shape(scene, (row, col), theme, grid) for row in range(scene.rows) for col in range(scene.cols)]
    return "".join(cells) + "".join(bar(wall, grid, theme.accent) for wall in scene.walls)


def cell_shape(scene: Scene, spot: Spot, theme: Theme, grid: Grid) -> str:
    """A cell: a tile if something is there, and its text in the colour of its role."""
    cell, size = scene.cell(*spot), grid.size
    x, y = grid.left + spot[1] * size, grid.top + spot[0] * size
    roles = {mark.role for mark in cell.marks}
    pawn = next((mark.number for mark in cell.marks if mark.role == "pawn"), 0)
    rings = sum(mark.role == "ring" for mark in cell.marks)
    shown, colour, fill, opacity = text_board.sign(cell).rstrip("!"), DARK.ink, theme.accent, 0.0
    inset, corner = 0.06, 0.2
    if "here" in roles or cell.text == "67":
        colour, opacity = theme.background, 1.0
    elif pawn:
        colour, fill, opacity, inset, corner = theme.background, PLAYERS[pawn], 1.0, 0.16, 0.5
    elif cell.role in ("home", "safe"):
        colour, opacity = theme.accent, 0.3
    elif cell.role == "trail":
        colour, fill, opacity = ROUND_COLOURS[1], ROUND_COLOURS[1], 0.22
    elif cell.role == "owned":
        colour, fill, opacity = PLAYERS[cell.owner], PLAYERS[cell.owner], 0.45 if cell.last else 0.2
    elif cell.role in ("number", "operator"):
        colour, opacity = (NUMBER_TILE, 0.26) if cell.role == "number" else (theme.accent, 0.12)
    elif rings:
        shown, colour, fill, opacity = str(rings), RINGS[rings], RINGS[rings], 0.16
    elif scene.edges:
        shown, opacity = "", 0.14 if cell.role == "goal" else 0.07
    else:
        shown, colour = "·", DARK.edge if "takeable" not in roles else DARK.ink
    side = size * (1 - 2 * inset)
    tile = (
        f'<rect x="{x + size * inset:.1f}" y="{y + size * inset:.1f}" width="{side:.1f}" height="{side:.1f}"'
        f' rx="{size * corner:.1f}" fill="{fill}" fill-opacity="{opacity}"'
        + (f' stroke="{DARK.gold}" stroke-width="1.5"' if "golden" in roles else "")
        + "/>"
    )
    font = size * (0.56 if len(shown) < 3 else 0.42)
    words = text(x + size / 2, y + size / 2 + font * 0.35, shown, colour, font, anchor="middle", bold=opacity > 0.1)
    return (tile if opacity else "") + (words if shown else "")


def bar(wall: Wall, grid: Grid, colour: str) -> str:
    """A wall, on the edge between its two cells."""
    (row, col), (_, next_col) = wall.between
    x, y, long, thick = grid.left + col * grid.size, grid.top + row * grid.size, grid.size * 0.92, 5.0
    if next_col > col:
        x, y, width, height = x + grid.size - thick / 2, y + (grid.size - long) / 2, thick, long
    else:
        x, y, width, height = x + (grid.size - long) / 2, y + grid.size - thick / 2, long, thick
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="2.5" fill="{colour}"/>'


def text(x: float, y: float, content: str, fill: str, size: float, *, anchor: str = "start", bold: bool = False) -> str:
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" fill="{fill}" font-size="{size:.1f}" text-anchor="{anchor}"{weight}'
        f' xml:space="preserve">{escape(content)}</text>'
    )


@dataclass(frozen=True)
class Note:
    """A label at a cell or an edge, with an arrow if a piece steps there."""

    at: tuple[Spot, ...]
    """One spot is a cell; two spots are the edge between them."""
    label: str
    colour: str
    start: Spot | None = None
    """Where the arrow to the cell starts."""


@dataclass(frozen=True)
class Path:
    """A path over the board, from cell to cell."""

    spots: tuple[Spot, ...]
    colour: str


@dataclass(frozen=True)
class Shade:
    """A set of cells, marked as belonging together."""

    spots: tuple[Spot, ...]
    colour: str


Mark = Note | Path | Shade
"""What can be drawn on a board."""


def move(state: State, name: str, label: str, colour: str) -> Note:
    """An action of the player to move, at its cell or edge, with an arrow if a piece moves there."""
    choice = next(each for each in state.scene().choices if each.action == name)
    after = state.copy()
    after.play(state.game.action(name))
    motions = after.scene().motions
    at = choice.at[-2:] if len(choice.at) == 4 else choice.at
    return Note(at or tuple(motion.end for motion in motions[:1]), label, colour, motions[0].start if motions else None)


def line(state: State, names: Iterable[str]) -> list[Note]:
    """A line of play: actions numbered from 1 in the colours of their players, without passes."""
    now, notes = state.copy(), []
    for number, name in enumerate(names, start=1):
        note = move(now, name, str(number), PLAYERS[now.turn])
        if note.at:
            notes.append(note)
        now.play(now.game.action(name))
    return notes


def shortest_path(scene: Scene, start: Spot, row: int) -> tuple[Spot, ...]:
    """A shortest path around the walls from a cell to a row, by breadth-first search."""
    walled = {frozenset(wall.between) for wall in scene.walls}
    previous: dict[Spot, Spot | None] = {start: None}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        if here[0] == row:
            path = [here]
            while (before := previous[path[-1]]) is not None:
                path.append(before)
            return tuple(reversed(path))
        for down, right in ((1, 0), (0, -1), (0, 1), (-1, 0)):
            to = here[0] + down, here[1] + right
            inside = 0 <= to[0] < scene.rows and 0 <= to[1] < scene.cols
            if inside and to not in previous and frozenset((here, to)) not in walled:
                previous[to] = here
                queue.append(to)
    raise ValueError(f"There is no path from {start} to row {row}.")


WIDTH, MARGIN, BOARD = 392, 22, 308
"""The width of a diagram, its margins, and the height of its board, in pixels."""
NAMES = 16
"""The space for the names of rows and columns, in pixels."""
LEADING = 17


def drawing(state: State, marks: Sequence[Mark], panels: Sequence[str], title: str) -> str:
    """A complete drawing of a position: the names of rows and columns, the board, the marks, whose turn it is, and the
    scene's panels with these labels. The title is the text alternative.
    """
    scene, theme = state.scene(), THEMES[state.game.name]
    size = BOARD / max(scene.rows, scene.cols)
    grid = Grid((WIDTH - scene.cols * size + NAMES) / 2, MARGIN + NAMES, size)
    footer = [(scene.message, theme.accent)]
    for player, name in enumerate(scene.players, start=1):
        shown = [panel for panel in scene.panels if panel.owner == player and panel.label in panels]
        kept = [f"{panel.label} {panel.value}" for panel in shown]
        footer += [(f"{name}: {', '.join(kept)}", DARK.soft)] if kept else []
    height = grid.top + scene.rows * size + 12 + LEADING * len(footer) + 10
    parts = [
        f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1:.1f}" rx="14" fill="{theme.background}"'
        f' stroke="{theme.accent}" stroke-opacity="0.35"/>',
        _names(scene, grid),
        *(_shade(mark, grid) for mark in marks if isinstance(mark, Shade)),
        *(_path(mark, grid) for mark in marks if isinstance(mark, Path)),
        board(scene, theme, grid),
        *(_move(mark, grid) for mark in marks if isinstance(mark, Note)),
        *_labels([mark for mark in marks if isinstance(mark, Note)], grid, theme),
    ]
    for number, (words, colour) in enumerate(footer, start=1):
        parts.append(text(MARGIN, grid.top + scene.rows * size + 12 + LEADING * number - 4, words, colour, 11))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.1f}" width="{WIDTH}"'
        f' height="{height:.1f}" font-family="{FONT}" role="img"><title>{escape(title)}</title>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _names(scene: Scene, grid: Grid) -> str:
    rows = [
        text(grid.left - 12, grid.middle([(row, 0)])[1] + 4, name, DARK.soft, 11, anchor="middle")
        for row, name in enumerate(scene.row_names)
    ]
    cols = [
        text(grid.middle([(0, col)])[0], grid.top - 7, name, DARK.soft, 11, anchor="middle")
        for col, name in enumerate(scene.col_names)
    ]
    return "".join(rows + cols)


def _shade(shade: Shade, grid: Grid) -> str:
    """Dashed frames, to tell these cells from owned ones."""
    inset, side = 0.14 * grid.size, 0.72 * grid.size
    return "".join(
        f'<rect x="{grid.left + col * grid.size + inset:.1f}" y="{grid.top + row * grid.size + inset:.1f}"'
        f' width="{side:.1f}" height="{side:.1f}" rx="4" fill="none" stroke="{shade.colour}" stroke-dasharray="3 3"/>'
        for row, col in shade.spots
    )


def _path(path: Path, grid: Grid) -> str:
    points = " ".join("{:.1f},{:.1f}".format(*grid.middle([spot])) for spot in path.spots)
    return (
        f'<polyline points="{points}" fill="none" stroke="{path.colour}" stroke-width="2.5" stroke-dasharray="1 7"'
        ' stroke-linecap="round" stroke-linejoin="round"/>'
    )


def _move(note: Note, grid: Grid) -> str:
    """What the action does: a wall on an edge, or an arrow where a pawn steps."""
    if len(note.at) == 2:
        return bar(Wall((note.at[0], note.at[1]), ""), grid, note.colour)
    if note.start is None:
        return ""
    (x1, y1), (x2, y2) = grid.middle([note.start]), grid.middle(note.at)
    long = hypot(x2 - x1, y2 - y1)
    along, across = (x2 - x1) / long, (y2 - y1) / long
    near, far, head = grid.size * 0.3, long - RADIUS - 1, 6.0
    x1, y1, tip_x, tip_y = x1 + along * near, y1 + across * near, x1 + along * far, y1 + across * far
    base_x, base_y = tip_x - along * head, tip_y - across * head
    corners = [
        (tip_x, tip_y),
        (base_x - across * head * 0.7, base_y + along * head * 0.7),
        (base_x + across * head * 0.7, base_y - along * head * 0.7),
    ]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
    return (
        f'<path d="M{x1:.1f} {y1:.1f}L{base_x:.1f} {base_y:.1f}" stroke="{note.colour}" stroke-width="3"/>'
        f'<polygon points="{points}" fill="{note.colour}"/>'
    )


RADIUS, LETTER = 9.5, 6.7
"""Half the height of a label, and the width of one of its letters, in pixels."""


def _labels(notes: Sequence[Note], grid: Grid, theme: Theme) -> list[str]:
    """One label for each place, listing everything noted there."""
    places: dict[tuple[Spot, ...], list[Note]] = {}
    for note in notes:
        if note.label:
            places.setdefault(note.at, []).append(note)
    return [_label(grid.middle(at), there, theme) for at, there in places.items()]


def _label(at: tuple[float, float], notes: Sequence[Note], theme: Theme) -> str:
    (x, y), label = at, ", ".join(note.label for note in notes)
    half = max(RADIUS, len(label) * LETTER / 2 + 4)
    return (
        f'<rect x="{x - half:.1f}" y="{y - RADIUS:.1f}" width="{2 * half:.1f}" height="{2 * RADIUS:.1f}"'
        f' rx="{RADIUS}" fill="{notes[0].colour}" stroke="{theme.background}" stroke-width="1.5"/>'
        + text(x, y + 3.9, label, theme.background, 11, anchor="middle", bold=True)
    )
