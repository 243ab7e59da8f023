"""Draws any scene in pixels, and shows them in a window."""

from __future__ import annotations

from functools import cache
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

import numpy
from PIL import Image, ImageDraw, ImageFont

from rookery.core import text_board
from rookery.core.errors import RookeryError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rookery.core.scene import Cell, Scene, Wall
    from rookery.core.state import State

SIDE = 48
"""Pixels along a cell."""
MARGIN = 26
LINE = 22
"""Pixels of a line of text."""
GAP = 6
"""Pixels between the message and the board."""
LINES = 2
"""Lines for the message, and for the figures that are nobody's."""
SMALLEST = 7
"""Pixels of the smallest text."""
FINE = 2
"""Everything is drawn so many times as large and then made smaller, for smooth edges."""

GROUND, SOFT, INK, ACCENT, GOLD, ALARM = "#12151f", "#8d96ab", "#f4f5fa", "#b9a0ff", "#ffd75e", "#ff6b6b"
PLAIN = str.maketrans("−×·", "-x,")
"""Characters that the font lacks, and what stands for them."""
PLAYERS = ("#4fd1a1", "#f0b23e", "#e08fc0", "#7cc4f5", "#c8b6ff", "#ff8e78")
RINGS = (*PLAYERS, "#d7dbe6")
"""Of the seven rounds."""
FILLS = {
    "free": "#232839",
    "barred": "#1b1f2c",
    "blocked": "#0b0d13",
    "home": "#8f3a2b",
    "safe": "#2c3f5e",
    "trail": "#4a5f8f",
    "failed": "#5b2338",
    "number": "#f3e3d0",
    "operator": "#4a5270",
    "goal": "#322c58",
}


def paint(scene: Scene) -> NDArray[numpy.uint8]:
    """A scene as an array of height × width × 3 bytes: the message, the board, and the figures beside it below.

    Pictures of one game are all of the same size: texts have a fixed number of lines, and are written smaller if they
    are long.
    """
    width = max(2 * MARGIN + SIDE * scene.cols, 320)
    top = MARGIN // 2 + LINES * LINE + GAP
    bottom = top + SIDE * scene.rows + MARGIN
    height = bottom + (len(scene.players) + LINES) * LINE + MARGIN // 2
    image = Image.new("RGB", (width * FINE, height * FINE), GROUND)
    pen = ImageDraw.Draw(image)
    left = (width - SIDE * scene.cols) // 2
    write_lines(pen, width, MARGIN // 2, LINES, scene.message, INK)
    figures = [f"{name}: {told(scene, owner)}" for owner, name in enumerate(scene.players, start=1)]
    size = min((size_for(line, 14, width - MARGIN) for line in figures), default=0)
    for number, line in enumerate(figures):
        write(pen, width / 2, bottom + (number + 0.5) * LINE, line, size, SOFT)
    write_lines(pen, width, bottom + len(figures) * LINE, LINES, told(scene, 0), SOFT)
    for row in range(scene.rows):
        write(pen, left - MARGIN / 2, top + (row + 0.5) * SIDE, scene.row_names[row], 12, SOFT)
        for col in range(scene.cols):
            draw_cell(pen, scene.cell(row, col), left + col * SIDE, top + row * SIDE)
    for col, name in enumerate(scene.col_names):
        write(pen, left + (col + 0.5) * SIDE, top + SIDE * scene.rows + MARGIN / 2 - 2, name, 12, SOFT)
    for wall in scene.walls:
        draw_wall(pen, wall, left, top)
    return numpy.asarray(image.resize((width, height), Image.Resampling.LANCZOS))


def told(scene: Scene, owner: int) -> str:
    """The figures of a player, or those that are nobody's."""
    return "; ".join(text_board.figures(scene, owner).split("   "))


def draw_cell(pen: ImageDraw.ImageDraw, cell: Cell, left: float, top: float) -> None:
    """A tile in the colour of its role or owner, what stands in it, and its marks."""
    fill = FILLS.get(cell.role, FILLS["free"])
    if cell.owner:
        fill = colour_of(cell.owner) if cell.role == "owned" else mixed(fill, colour_of(cell.owner))
    middle = left + SIDE / 2, top + SIDE / 2
    tile(pen, left + 2, top + 2, SIDE - 4, 7, fill, GOLD if cell.last else None)
    dark = cell.role in ("owned", "number")
    if cell.text:
        write(pen, *middle, cell.text, size_for(cell.text, 22, SIDE - 8), GROUND if dark else INK)
    rings = [mark for mark in cell.marks if mark.role == "ring"]
    for place, ring in enumerate(rings):
        inset = 5 + 2.6 * place
        round_line(pen, left + inset, top + inset, SIDE - 2 * inset, RINGS[(ring.number - 1) % len(RINGS)])
    for mark in cell.marks:
        if mark.role == "pawn":
            tile(pen, left + 9, top + 9, SIDE - 18, 15, colour_of(mark.number), None)
            write(pen, *middle, str(mark.number), 16, GROUND)
        elif mark.role == "here":
            tile(pen, left + 15, top + 15, SIDE - 30, 9, INK, ALARM)
        elif mark.role == "golden":
            round_line(pen, left + 4, top + 4, SIDE - 8, GOLD)
        elif mark.role == "odds":
            write(pen, *middle, mark.text, 13, INK)


def draw_wall(pen: ImageDraw.ImageDraw, wall: Wall, left: float, top: float) -> None:
    """A bar on the edge between two cells."""
    (row, col), (_, other) = wall.between
    x, y = left + col * SIDE, top + row * SIDE
    colour = GOLD if wall.last else ACCENT
    if other > col:
        bar(pen, x + SIDE - 3, y + 1, 6, SIDE - 2, colour)
    else:
        bar(pen, x + 1, y + SIDE - 3, SIDE - 2, 6, colour)


def tile(
    pen: ImageDraw.ImageDraw, left: float, top: float, side: float, corner: float, fill: str, rim: str | None
) -> None:
    pen.rounded_rectangle(scaled(left, top, left + side, top + side), corner * FINE, fill, rim, 2 * FINE if rim else 0)


def round_line(pen: ImageDraw.ImageDraw, left: float, top: float, side: float, colour: str) -> None:
    pen.rounded_rectangle(scaled(left, top, left + side, top + side), 6 * FINE, None, colour, FINE)


def bar(pen: ImageDraw.ImageDraw, left: float, top: float, width: float, height: float, colour: str) -> None:
    pen.rounded_rectangle(scaled(left, top, left + width, top + height), 3 * FINE, colour)


def write(pen: ImageDraw.ImageDraw, x: float, y: float, text: str, size: int, colour: str) -> None:
    """A text about a point."""
    pen.text((x * FINE, y * FINE), text.translate(PLAIN), colour, font(size * FINE), anchor="mm")


def colour_of(player: int) -> str:
    return PLAYERS[(player - 1) % len(PLAYERS)]


def mixed(ground: str, colour: str) -> str:
    """A ground with a touch of a colour."""
    pairs = ((int(each[k : k + 2], 16) for each in (ground, colour)) for k in (1, 3, 5))
    return "#" + "".join(f"{(3 * a + b) // 4:02x}" for a, b in pairs)


def scaled(*lengths: float) -> Any:
    return tuple(length * FINE for length in lengths)


@cache
def font(size: int) -> Any:
    return ImageFont.load_default(size)


def size_for(text: str, largest: int, width: float) -> int:
    """The size at which a text is no wider than that, if it can be read at all then."""
    sizes = range(largest, SMALLEST, -1)
    return next((size for size in sizes if font(size).getlength(text.translate(PLAIN)) <= width), SMALLEST)


def write_lines(pen: ImageDraw.ImageDraw, width: int, top: float, most: int, text: str, colour: str) -> None:
    """A text in so many lines at most, in the middle of the picture."""
    size = next((each for each in range(14, SMALLEST, -1) if len(wrapped(text, width, each)) <= most), SMALLEST)
    for number, line in enumerate(wrapped(text, width, size)[:most]):
        write(pen, width / 2, top + (number + 0.5) * LINE, line, size, colour)


def wrapped(text: str, width: int, size: int) -> list[str]:
    """A text in as many lines as it takes, words kept whole; none for no text."""
    lines: list[str] = []
    for word in text.translate(PLAIN).split():
        if lines and font(size).getlength(f"{lines[-1]} {word}") <= width - MARGIN:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


class Easel:
    """Shows positions as a render mode wants them: as text, as pixels, or in a window, so many a second at most (0: as
    fast as can be).
    """

    def __init__(self, title: str, mode: str | None, rate: float) -> None:
        self.title, self.mode, self.rate = title, mode, rate
        self.due = 0.0
        """When the next picture may be shown."""
        self.open = False

    def show(self, state: State) -> Any:
        """The text or the pixels; nothing if they are in the window."""
        if self.mode == "ansi":
            return str(state)
        if self.mode == "rgb_array":
            return paint(state.scene())
        if self.mode == "human":
            self._hang(paint(state.scene()))
        return None

    def close(self) -> None:
        """Close the window, if one is open."""
        if self.open:
            import pygame

            pygame.display.quit()
            self.open = False

    def _hang(self, picture: NDArray[numpy.uint8]) -> None:
        """Show a picture in the window. There is one for all games: whoever shows something has it."""
        import pygame

        size = picture.shape[1], picture.shape[0]
        pygame.display.init()
        window = pygame.display.get_surface()
        if window is None or window.get_size() != size:
            try:
                window = pygame.display.set_mode(size)
            except pygame.error as problem:
                raise RookeryError(f"There is no screen to open a window on ({problem}).") from None
        self.open = True
        pygame.display.set_caption(self.title)
        window.blit(pygame.image.frombuffer(picture.tobytes(), size, "RGB"), (0, 0))
        pygame.event.pump()
        pygame.display.update()
        if self.rate > 0:
            sleep(max(0.0, self.due - monotonic()))
            self.due = monotonic() + 1 / self.rate
