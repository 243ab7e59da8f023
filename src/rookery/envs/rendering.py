"""Renders scenes as pixels, as text, and in a window."""

from __future__ import annotations

from functools import cache
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy
from PIL import Image, ImageDraw, ImageFont

from rookery.core import text_board
from rookery.core.errors import RookeryError
from rookery.core.palette import DARK, NUMBER_TILE, ROLE_COLOURS, ROUND_COLOURS, blend

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rookery.core.scene import Cell, Scene, Wall
    from rookery.core.state import State

SIDE = 48
"""The side of a cell, in pixels."""
MARGIN = 26
LINE = 22
"""The height of a line of text, in pixels."""
GAP = 6
"""The space between the message and the board, in pixels."""
LINES = 2
"""Lines for the message, and for the panels that belong to no player."""
SMALLEST = 7
"""The smallest font size, in pixels."""
SUPERSAMPLING = 2
"""Images are drawn larger by this factor and scaled down, which smooths edges."""

BACKGROUND, SOFT, INK, GOLD = DARK.ground, DARK.soft, DARK.ink, DARK.gold
PLAIN = str.maketrans("−×·", "-x,")
"""Replacements of characters that the font lacks."""
FILLS = {
    "free": DARK.cell,
    "barred": DARK.barred,
    "blocked": DARK.sunk,
    **ROLE_COLOURS,
    "failed": blend(DARK.cell, ROLE_COLOURS["failed"], 0.4),
    "number": NUMBER_TILE,
    "operator": DARK.cell_edge,
    "goal": DARK.cell,
}


def render(scene: Scene) -> NDArray[numpy.uint8]:
    """A scene as an array of height × width × 3 bytes: the message, the board, and the panels below it.

    All images of a game have the same size: texts have a fixed number of lines, and long ones a smaller font.
    """
    width = max(2 * MARGIN + SIDE * scene.cols, 320)
    top = MARGIN // 2 + LINES * LINE + GAP
    bottom = top + SIDE * scene.rows + MARGIN
    height = bottom + (len(scene.players) + LINES) * LINE + MARGIN // 2
    image = Image.new("RGB", (width * SUPERSAMPLING, height * SUPERSAMPLING), BACKGROUND)
    pen = ImageDraw.Draw(image)
    left = (width - SIDE * scene.cols) // 2
    write_lines(pen, width, MARGIN // 2, LINES, scene.message, INK)
    panels = [f"{name}: {panel_text(scene, owner)}" for owner, name in enumerate(scene.players, start=1)]
    size = min((size_for(line, 14, width - MARGIN) for line in panels), default=0)
    for number, line in enumerate(panels):
        write(pen, width / 2, bottom + (number + 0.5) * LINE, line, size, SOFT)
    write_lines(pen, width, bottom + len(panels) * LINE, LINES, panel_text(scene, 0), SOFT)
    for row in range(scene.rows):
        write(pen, left - MARGIN / 2, top + (row + 0.5) * SIDE, scene.row_names[row], 12, SOFT)
        for col in range(scene.cols):
            draw_cell(pen, scene.cell(row, col), left + col * SIDE, top + row * SIDE)
    for col, name in enumerate(scene.col_names):
        write(pen, left + (col + 0.5) * SIDE, top + SIDE * scene.rows + MARGIN / 2 - 2, name, 12, SOFT)
    for wall in scene.walls:
        draw_wall(pen, wall, left, top)
    return numpy.asarray(image.resize((width, height), Image.Resampling.LANCZOS))


def panel_text(scene: Scene, owner: int) -> str:
    """The panels of a player, or for owner 0 those of no player."""
    return "; ".join(text_board.figures(scene, owner).split("   "))


def draw_cell(pen: ImageDraw.ImageDraw, cell: Cell, left: float, top: float) -> None:
    """A tile in the colour of its role or owner, with its text and marks."""
    fill = FILLS.get(cell.role, FILLS["free"])
    if cell.owner:
        fill = colour_of(cell.owner) if cell.role == "owned" else blend(fill, colour_of(cell.owner), 0.25)
    middle = left + SIDE / 2, top + SIDE / 2
    draw_tile(pen, Square(left, top).inset(2), 7, fill, GOLD if cell.last else None)
    dark = cell.role in ("owned", "number")
    if cell.text:
        write(pen, *middle, cell.text, size_for(cell.text, 22, SIDE - 8), BACKGROUND if dark else INK)
    rings = [mark for mark in cell.marks if mark.role == "ring"]
    for place, ring in enumerate(rings):
        draw_ring(pen, Square(left, top).inset(5 + 2.6 * place), ROUND_COLOURS[(ring.number - 1) % len(ROUND_COLOURS)])
    for mark in cell.marks:
        if mark.role == "pawn":
            draw_tile(pen, Square(left, top).inset(9), 15, colour_of(mark.number))
            write(pen, *middle, str(mark.number), 16, BACKGROUND)
        elif mark.role == "here":
            draw_tile(pen, Square(left, top).inset(15), 9, INK, DARK.bad)
        elif mark.role == "golden":
            draw_ring(pen, Square(left, top).inset(4), GOLD)
        elif mark.role == "odds":
            write(pen, *middle, mark.text, 13, INK)


def draw_wall(pen: ImageDraw.ImageDraw, wall: Wall, left: float, top: float) -> None:
    """A bar on the edge between two cells."""
    (row, col), (_, other) = wall.between
    x, y = left + col * SIDE, top + row * SIDE
    colour = GOLD if wall.last else DARK.wall
    if other > col:
        bar(pen, x + SIDE - 3, y + 1, 6, SIDE - 2, colour)
    else:
        bar(pen, x + 1, y + SIDE - 3, SIDE - 2, 6, colour)


class Square(NamedTuple):
    """A square on the image, by its top left corner and its side."""

    left: float
    top: float
    side: float = SIDE

    def inset(self, by: float) -> Square:
        """The square without a margin of this width."""
        return Square(self.left + by, self.top + by, self.side - 2 * by)

    @property
    def box(self) -> Any:
        """Its corners, as Pillow takes them."""
        return scaled(self.left, self.top, self.left + self.side, self.top + self.side)


def draw_tile(pen: ImageDraw.ImageDraw, square: Square, corner: float, fill: str, outline: str | None = None) -> None:
    width = 2 * SUPERSAMPLING if outline else 0
    pen.rounded_rectangle(square.box, corner * SUPERSAMPLING, fill, outline, width)


def draw_ring(pen: ImageDraw.ImageDraw, square: Square, colour: str) -> None:
    pen.rounded_rectangle(square.box, 6 * SUPERSAMPLING, None, colour, SUPERSAMPLING)


def bar(pen: ImageDraw.ImageDraw, left: float, top: float, width: float, height: float, colour: str) -> None:
    pen.rounded_rectangle(scaled(left, top, left + width, top + height), 3 * SUPERSAMPLING, colour)


def write(pen: ImageDraw.ImageDraw, x: float, y: float, text: str, size: int, colour: str) -> None:
    """A text centred on a point."""
    pen.text(
        (x * SUPERSAMPLING, y * SUPERSAMPLING), text.translate(PLAIN), colour, font(size * SUPERSAMPLING), anchor="mm"
    )


def colour_of(player: int) -> str:
    return DARK.players[(player - 1) % len(DARK.players)]


def scaled(*lengths: float) -> Any:
    return tuple(length * SUPERSAMPLING for length in lengths)


@cache
def font(size: int) -> Any:
    return ImageFont.load_default(size)


def size_for(text: str, largest: int, width: float) -> int:
    """The largest font size, down to `SMALLEST`, at which a text is no wider than `width`."""
    sizes = range(largest, SMALLEST, -1)
    return next((size for size in sizes if font(size).getlength(text.translate(PLAIN)) <= width), SMALLEST)


def write_lines(pen: ImageDraw.ImageDraw, width: int, top: float, most: int, text: str, colour: str) -> None:
    """A centred text in at most `most` lines."""
    size = next((each for each in range(14, SMALLEST, -1) if len(wrapped(text, width, each)) <= most), SMALLEST)
    for number, line in enumerate(wrapped(text, width, size)[:most]):
        write(pen, width / 2, top + (number + 0.5) * LINE, line, size, colour)


def wrapped(text: str, width: int, size: int) -> list[str]:
    """A text wrapped at words; an empty text has no lines."""
    lines: list[str] = []
    for word in text.translate(PLAIN).split():
        if lines and font(size).getlength(f"{lines[-1]} {word}") <= width - MARGIN:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


class Renderer:
    """Renders positions as text, as pixels, or in a window at no more than `fps` per second (0: no limit)."""

    def __init__(self, title: str, mode: str | None, fps: float) -> None:
        self.title, self.mode, self.fps = title, mode, fps
        self.due = 0.0
        """The earliest time of the next frame."""
        self.open = False

    def show(self, state: State) -> Any:
        """The text or the pixels; None in the mode `human`."""
        if self.mode == "ansi":
            return str(state)
        if self.mode == "rgb_array":
            return render(state.scene())
        if self.mode == "human":
            self._display(render(state.scene()))
        return None

    def close(self) -> None:
        """Close the window, if one is open."""
        if self.open:
            import pygame

            pygame.display.quit()
            self.open = False

    def _display(self, image: NDArray[numpy.uint8]) -> None:
        """Show an image in pygame's only window, which all environments share."""
        import pygame

        size = image.shape[1], image.shape[0]
        pygame.display.init()
        window = pygame.display.get_surface()
        if window is None or window.get_size() != size:
            try:
                window = pygame.display.set_mode(size)
            except pygame.error as problem:
                raise RookeryError(f"No window can be opened: {problem}.") from None
        self.open = True
        pygame.display.set_caption(self.title)
        window.blit(pygame.image.frombuffer(image.tobytes(), size, "RGB"), (0, 0))
        pygame.event.pump()
        pygame.display.update()
        if self.fps > 0:
            sleep(max(0.0, self.due - monotonic()))
            self.due = monotonic() + 1 / self.fps
