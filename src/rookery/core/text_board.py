"""The plain-text drawing of any scene: what `print(state)` shows, good enough to play by."""

from __future__ import annotations

from rookery.core.scene import Cell, Scene

ROLE_SIGNS = {"home": "H", "safe": "H", "failed": "x", "trail": "o", "blocked": "~", "barred": "-"}
MEANINGS = {
    "*": "you",
    "H": "home",
    "o": "this round",
    "1-7": "visits in earlier rounds",
    "x": "caught",
    "~": "gone",
    "-": "free, but not for you",
    "!": "yours by a golden move",
}


def text_board(scene: Scene) -> str:
    """The board with its signs explained and its figures below it, and the message last."""
    lines = [scene.title, "", *board(scene), ""]
    if used := legend(scene):
        lines.append("   ".join(f"{each} {MEANINGS[each]}" for each in used))
    if any(mark.role == "odds" for cell in scene.cells for mark in cell.marks):
        lines.append("Numbers are chances of getting in, in per cent.")
    for owner in range(1, len(scene.players) + 1):
        lines.append(f"{scene.players[owner - 1]}: {figures(scene, owner)}")
    if any(panel.owner == 0 for panel in scene.panels):
        lines.append(figures(scene, 0))
    lines.append(scene.message)
    return "\n".join(lines)


def figures(scene: Scene, owner: int) -> str:
    """The figures of a player, or those of nobody in particular."""
    return "   ".join(f"{panel.label} {panel.value}" for panel in scene.panels if panel.owner == owner)


def legend(scene: Scene) -> list[str]:
    """The signs on the board that need explaining."""
    drawn = {sign(cell) for cell in scene.cells}
    drawn |= {"!"} if any(text.endswith("!") for text in drawn) else set()
    drawn |= {"1-7"} if any(mark.role == "ring" for cell in scene.cells for mark in cell.marks) else set()
    return [each for each in MEANINGS if each in drawn]


def board(scene: Scene) -> list[str]:
    """The cells with their names along the top and the left; walls between them where there are any."""
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
    """A cell in a few characters: who or what is there, else its odds, else how many rings it has, else a dot."""
    marks = {mark.role: mark for mark in cell.marks}
    rings = sum(mark.role == "ring" for mark in cell.marks)
    if "here" in marks:
        return "*"
    if "pawn" in marks:
        return str(marks["pawn"].number)
    text = shortened(cell.text) or ROLE_SIGNS.get(cell.role) or (marks["odds"].text if "odds" in marks else "")
    return (text or (str(rings) if rings else ".")) + ("!" if "golden" in marks else "")


def shortened(text: str, most: int = 9) -> str:
    """A text in at most so many characters: long numbers by their first digits and their size, such as 1.23e20."""
    if len(text) <= most:
        return text
    digits = text.removeprefix("−")
    if not digits.isdigit():
        return text[: most - 1] + "…"
    minus, size = text[: len(text) - len(digits)], f"e{len(digits) - 1}"
    room = min(4, most - len(minus) - len(size))
    first = f"{digits[0]}.{digits[1:3]}"[:room].rstrip(".") if room > 0 else ""
    return (minus + first + size)[:most]
