"""The plain-text drawing of any scene: what `print(state)` shows, good enough to play by."""

from __future__ import annotations

from rookery.core.scene import Cell, Scene


def sketch(scene: Scene) -> str:
    """The board with its figures below it and the message last."""
    lines = [scene.title, "", *board(scene), ""]
    if scene.legend:
        lines.append("   ".join(f"{sign} {meaning}" for sign, meaning in scene.legend))
    for owner in sorted({panel.owner for panel in scene.panels}, key=lambda player: (player == 0, player)):
        lines.append("   ".join(f"{panel.label} {panel.value}" for panel in scene.panels if panel.owner == owner))
    lines.append(scene.message)
    return "\n".join(lines)


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
    """A cell in a few characters: what stands in it, else its odds, else how many rings it has, else a dot."""
    odds = "".join(mark.text for mark in cell.marks if mark.role == "odds")
    rings = sum(mark.role == "ring" for mark in cell.marks)
    text = _short(cell.text) or odds or (str(rings) if rings else ".")
    return text + "".join(mark.text for mark in cell.marks if mark.role != "odds")


def _short(text: str) -> str:
    """Long numbers by their first digits and their size: 1.23e20."""
    digits = text.removeprefix("−")
    if len(text) <= 9 or not digits.isdigit():
        return text if len(text) <= 9 else text[:8] + "…"
    return f"{text[: len(text) - len(digits)]}{digits[0]}.{digits[1:3]}e{len(digits) - 1}"
