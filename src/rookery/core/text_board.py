"""The plain-text drawing of any scene: what `print(state)` shows, good enough to play by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rookery.core.scene import Cell, Scene

if TYPE_CHECKING:
    from collections.abc import Mapping

SIGNS = {
    "here": "*",
    "home": "H",
    "safe": "H",
    "trail": "o",
    "ring": "1-7",
    "failed": "x",
    "blocked": "~",
    "barred": "-",
    "golden": "!",
}
"""How roles are drawn; rings by their number."""

MEANINGS = {
    "here": "you",
    "home": "home",
    "trail": "this round",
    "ring": "visits in earlier rounds",
    "failed": "failed",
    "blocked": "out of play",
    "barred": "free, but not for you",
    "golden": "golden move",
    "odds": "Numbers are chances in per cent.",
}
"""What roles mean, in the order of the legend; a game may say it in its own words with `Game.legend`. The text for odds
is a sentence on a line of its own."""


def text_board(scene: Scene, legend: Mapping[str, str] = MEANINGS) -> str:
    """The board, its legend, the players' figures, and the message last."""
    meanings = MEANINGS | dict(legend)
    lines = [scene.title, "", *board(scene), ""]
    if used := signs_used(scene):
        lines.append("   ".join(f"{SIGNS[role]} {meanings[role]}" for role in used))
    if scene.shows_odds:
        lines.append(meanings["odds"])
    for owner in range(1, len(scene.players) + 1):
        lines.append(f"{scene.players[owner - 1]}: {figures(scene, owner)}")
    if any(panel.owner == 0 for panel in scene.panels):
        lines.append(figures(scene, 0))
    lines.append(scene.message)
    return "\n".join(lines)


def figures(scene: Scene, owner: int) -> str:
    """The figures of a player; with owner 0, those that belong to no player."""
    return "   ".join(f"{panel.label} {panel.value}" for panel in scene.panels if panel.owner == owner)


def signs_used(scene: Scene) -> list[str]:
    """The roles on the board that the legend explains, in its order."""
    drawn = {sign(cell) for cell in scene.cells}
    drawn |= {SIGNS["golden"]} if any(text.endswith(SIGNS["golden"]) for text in drawn) else set()
    drawn |= {SIGNS["ring"]} if any(mark.role == "ring" for cell in scene.cells for mark in cell.marks) else set()
    return [role for role in MEANINGS if SIGNS.get(role) in drawn]


def board(scene: Scene) -> list[str]:
    """The cells, with the names of columns and rows, and the walls between them."""
    signs = [sign(cell) for cell in scene.cells]
    width = max(len(text) for text in [*signs, *scene.col_names])
    if scene.edges:
        width = max(width, 3)
    margin = max(len(name) for name in scene.row_names)
    walled = {wall.between for wall in scene.walls}

    def aligned(text: str) -> str:
        return text.center(width) if scene.edges else text.rjust(width)

    lines = [" " * (margin + 1) + " ".join(["", *map(aligned, scene.col_names)]).rstrip()]
    for row in range(scene.rows):
        line = scene.row_names[row].rjust(margin) + " "
        below = " " * len(line)
        for col in range(scene.cols):
            line += "│" if ((row, col - 1), (row, col)) in walled else " "
            line += aligned(signs[row * scene.cols + col])
            below += " " + ("─" if ((row, col), (row + 1, col)) in walled else " ") * width
        lines.append(line.rstrip())
        if scene.edges and row < scene.rows - 1:
            lines.append(below.rstrip())
    return lines


def sign(cell: Cell) -> str:
    """A cell in a few characters: its pawn, content or role, else its odds, else its number of rings, else a dot."""
    marks = {mark.role: mark for mark in cell.marks}
    rings = sum(mark.role == "ring" for mark in cell.marks)
    if "here" in marks:
        return SIGNS["here"]
    if "pawn" in marks:
        return str(marks["pawn"].number)
    text = shortened(cell.text) or SIGNS.get(cell.role) or (marks["odds"].text if "odds" in marks else "")
    return (text or (str(rings) if rings else ".")) + (SIGNS["golden"] if "golden" in marks else "")


def shortened(text: str, most: int = 9) -> str:
    """A text in at most `most` characters; a long number keeps its first digits and its size, such as 1.23e20."""
    if len(text) <= most:
        return text
    digits = text.removeprefix("−")
    if not digits.isdigit():
        return text[: most - 1] + "…"
    minus, size = text[: len(text) - len(digits)], f"e{len(digits) - 1}"
    room = min(4, most - len(minus) - len(size))
    first = f"{digits[0]}.{digits[1:3]}"[:room].rstrip(".") if room > 0 else ""
    return (minus + first + size)[:most]
