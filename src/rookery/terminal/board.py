"""The board on the screen: it shows any scene, follows mouse and keys on it, and says what was chosen there."""

from __future__ import annotations

from functools import lru_cache
from time import perf_counter
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from rookery.terminal import cursor
from rookery.terminal.drawing import Canvas, Pointing, drawn
from rookery.terminal.grid import Grid, laid_out, tiled
from rookery.terminal.palette import PLAIN, Ink, Palette

if TYPE_CHECKING:
    from textual.events import Leave, MouseDown, MouseMove, MouseScrollDown, MouseScrollUp, MouseUp, Resize
    from textual.geometry import Size
    from textual.timer import Timer

    from rookery.core.scene import Choice, Scene, Spot
    from rookery.terminal.grid import Place

MOVE = 0.15
"""Seconds that a motion takes."""
FRAMES = 30
"""Pictures of a motion in a second."""
SWIPE = 3
"""Columns, or half as many lines, that the mouse is drawn for a slide."""


@lru_cache(maxsize=4096)
def style_of(ink: Ink) -> Style:
    """An ink as Rich writes it."""
    return Style(
        color=ink.fore,
        bgcolor=ink.back,
        bold=ink.bold or None,
        dim=ink.dim or None,
        underline=ink.under or None,
        reverse=ink.reverse or None,
    )


class Board(Widget, can_focus=True):
    """A scene, with a cursor for keys and a ghost for the mouse."""

    DEFAULT_CSS: ClassVar[str] = "Board { width: 1fr; height: 1fr; }"

    class Chosen(Message):
        """Something that may be done was chosen."""

        def __init__(self, choice: Choice) -> None:
            super().__init__()
            self.choice = choice

    class Refused(Message):
        """Something was tried that may not be done: at a place, or in a direction."""

        def __init__(self, place: Place | None = None, way: str = "", key: str = "") -> None:
            super().__init__()
            self.place, self.way, self.key = place, way, key

    class Looked(Message):
        """Something else is pointed at, taken up or let go of, or another part of the board is seen."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.scene: Scene | None = None
        self.palette: Palette = PLAIN
        self.grid: Grid | None = None
        self.mine = False
        """Whether a person may act now."""
        self.watched = False
        """Whether nobody ever may: there is no cursor."""
        self.cursor: Place | None = None
        self.ghost: Place | None = None
        self.picked: Place | None = None
        """What has been taken up to be put elsewhere."""
        self.advised: frozenset[Place] = frozenset()
        self.arrows = False
        """Whether arrow keys play by themselves, so that they do not move the cursor."""
        self.swipes = False
        self._before: Scene | None = None
        self._began = 0.0
        self._motion: Timer | None = None
        self._canvas: Canvas | None = None
        self._style: Style | None = None
        """The widget's own style, which takes long to work out."""
        self._laid: tuple[Size, Grid | None] | None = None
        """The room and the grid for which it was drawn last."""
        self._pressed: tuple[int, int] | None = None

    # -- showing --

    def show(self, scene: Scene, *, mine: bool, moving: bool = False) -> None:
        """Show another scene, with what moved on its way there if that is wanted."""
        before, self.scene, self.mine = self.scene, scene, mine
        self.picked, self.advised, self.ghost = None, frozenset(), None
        if scene.choices:
            self.arrows = any(choice.key in cursor.WAYS for choice in scene.choices)
            self.swipes = any(choice.role == "slide" for choice in scene.choices)
        if self.cursor is None and scene.choices and not self.arrows and not self.watched:
            self.cursor = cursor.middle(scene)
        if self.cursor is not None and not all(row < scene.rows and col < scene.cols for row, col in self.cursor):
            self.cursor = cursor.middle(scene)
        self.post_message(self.Looked())
        self._stop_motion()
        if moving and scene.motions and before is not None:
            self._before, self._began = before, perf_counter()
            self._motion = self.set_interval(1 / FRAMES, self._go_on)
        self._lay_out()

    def advise(self, places: frozenset[Place]) -> None:
        """Mark where somebody would act."""
        self.advised = places
        self._redraw()

    def _go_on(self) -> None:
        if perf_counter() - self._began >= MOVE:
            self._stop_motion()
        self._redraw()

    def _stop_motion(self) -> None:
        if self._motion is not None:
            self._motion.stop()
        self._motion, self._before = None, None

    def on_resize(self, event: Resize) -> None:
        self._lay_out()
        self.post_message(self.Looked())

    def _lay_out(self) -> None:
        if self.scene is None or not self.size:
            return
        before, self.grid = self.grid, laid_out(self.scene, self.size.width, self.size.height)
        if before is not None:
            self.grid = self.grid.moved(before.first_row, before.first_col)
        else:
            self.grid = self.grid.moved(
                (self.grid.rows - self.grid.seen_rows) // 2, (self.grid.cols - self.grid.seen_cols) // 2
            )
        self._look()
        self._redraw()

    def _look(self) -> None:
        """Have a board that is larger than the screen show where one is."""
        assert self.scene is not None and self.grid is not None
        if (self.grid.seen_rows, self.grid.seen_cols) == (self.grid.rows, self.grid.cols):
            return
        at = self.cursor[0] if self.cursor is not None else self._touched()
        if at is not None:
            self.grid = self.grid.looking_at(at)

    def _touched(self) -> Spot | None:
        """Where something happened last, or where the only player is."""
        assert self.scene is not None
        for at, cell in enumerate(self.scene.cells):
            if cell.last or any(mark.role == "here" for mark in cell.marks):
                return divmod(at, self.scene.cols)
        return None

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        self._scroll(2, 0) if not event.shift else self._scroll(0, 2)

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        self._scroll(-2, 0) if not event.shift else self._scroll(0, -2)

    def _scroll(self, rows: int, cols: int) -> None:
        """Move a board that is larger than the screen."""
        if self.grid is not None:
            self.grid = self.grid.moved(rows, cols)
            self._redraw()

    def _redraw(self) -> None:
        """Draw the board, and show the lines of it that are not as they were."""
        before, self._canvas = self._canvas, self._drawing()
        if before is None or self._canvas is None or self._laid != (self.size, self.grid):
            self._laid = self.size, self.grid
            self.refresh()
            return
        _, top = self.margins
        changed = [y for y in range(before.height) if before.line(y) != self._canvas.line(y)]
        if changed:
            self.refresh(*(Region(0, top + y, self.size.width, 1) for y in changed))

    def _drawing(self) -> Canvas | None:
        if self.scene is None or self.grid is None:
            return None
        share = (perf_counter() - self._began) / MOVE if self._before is not None else 1.0
        targets = frozenset(cursor.turns_from(self.scene, self.picked)) if self.picked else frozenset()
        pointing = Pointing(self.cursor if self.has_focus else None, self.ghost, self.advised, targets)
        return drawn(self.scene, self.grid, self.palette, pointing, self._before, min(1.0, share))

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._style = None

    @property
    def part(self) -> str:
        """Where not all of the board can be seen, how much of it; else nothing."""
        grid = self.grid
        if grid is None or (grid.seen_rows, grid.seen_cols) == (grid.rows, grid.cols):
            return ""
        return (
            f"{grid.seen_rows}×{grid.seen_cols} of {grid.rows}×{grid.cols} cells; Shift and arrows or the wheel go on"
        )

    @property
    def margins(self) -> tuple[int, int]:
        """Columns left of the board and lines above it: it stands in the middle."""
        if self.grid is None:
            return 0, 0
        return max(0, (self.size.width - self.grid.width) // 2), max(0, (self.size.height - self.grid.height) // 2)

    def render_line(self, y: int) -> Strip:
        canvas, style = self._canvas, self._style or self.rich_style
        self._style = style
        left, top = self.margins
        if canvas is None or not 0 <= y - top < canvas.height:
            return Strip.blank(self.size.width, style)
        segments = [Segment(" " * left)]
        segments += [Segment(text, style_of(ink)) for text, ink in canvas.runs(y - top)]
        return Strip(segments).apply_style(style).adjust_cell_length(self.size.width, style)

    @property
    def pointed(self) -> Place | None:
        """Where the mouse is, if something can be done there; else where the cursor stands."""
        return self.ghost or self.cursor

    @property
    def turnable(self) -> bool:
        """Whether `r` takes up what stands where one points."""
        return self.mine and self.picked is None and any(self._turns(place, "r") for place in (self.cursor, self.ghost))

    def _turns(self, place: Place | None, key: str) -> bool:
        """Whether a key takes up what stands at a place."""
        if place is None or self.scene is None:
            return False
        return any(choice.here == key for choice in cursor.turns_from(self.scene, place).values())

    # -- the mouse --

    def _under(self, x: int, y: int) -> Place | None:
        left, top = self.margins
        return self.grid.place_at(x - left, y - top) if self.grid is not None else None

    def _able(self, place: Place | None) -> bool:
        """Whether something can be done at a place now."""
        if place is None or self.scene is None or not self.mine:
            return False
        if self.picked is not None:
            return place in cursor.turns_from(self.scene, self.picked)
        return bool(cursor.choices_at(self.scene, place) or cursor.turns_from(self.scene, place))

    def on_mouse_move(self, event: MouseMove) -> None:
        place = self._under(event.x, event.y)
        self._haunt(place if self._able(place) else None)

    def on_leave(self, event: Leave) -> None:
        self._haunt(None)

    def _haunt(self, ghost: Place | None) -> None:
        """Move the ghost."""
        if ghost != self.ghost:
            self.ghost = ghost
            self.post_message(self.Looked())
            self._redraw()

    def on_mouse_down(self, event: MouseDown) -> None:
        if event.button != 1:
            return
        self._pressed = event.x, event.y
        self.capture_mouse()

    def on_mouse_up(self, event: MouseUp) -> None:
        self.release_mouse()
        pressed, self._pressed = self._pressed, None
        if pressed is None:
            return
        across, down = event.x - pressed[0], 2 * (event.y - pressed[1])
        if self.swipes and max(abs(across), abs(down)) >= SWIPE:
            way = ("right" if across > 0 else "left") if abs(across) >= abs(down) else "down" if down > 0 else "up"
            self.press(way)
            return
        place = self._under(event.x, event.y)
        if place is not None and place == self._under(*pressed):
            self.act_at(place)

    # -- keys --

    def press(self, key: str, *, shift: bool = False) -> bool:
        """Carry out a key; whether it means something here."""
        if self.scene is None:
            return False
        if self.picked is not None and self._choosing(key, shift=shift):
            return True
        chosen = next((choice for choice in self.scene.choices if choice.key == key), None)
        if self.mine and chosen is not None and not shift:
            self.post_message(self.Chosen(chosen))
            return True
        if key in cursor.WAYS:
            if self.arrows and not shift:
                if self.mine:
                    self.post_message(self.Refused(way=key))
                return self.mine
            self.stand(cursor.beside(self.scene, self.cursor or cursor.middle(self.scene), key))
            return True
        if key == "tab":
            return self._to_next(back=shift)
        if key in ("enter", "space") and self.cursor is not None:
            self.act_at(self.cursor)
            return True
        return self._here(key)

    def _to_next(self, *, back: bool) -> bool:
        assert self.scene is not None
        place = cursor.next_place(self.scene, self.cursor, back=back)
        if place is not None:
            self.stand(place)
        return place is not None

    def _here(self, key: str) -> bool:
        """A letter that acts where the cursor stands, or where the mouse is."""
        assert self.scene is not None
        if not self.mine or not any(choice.here == key for choice in self.scene.choices):
            return False
        for place in (self.cursor, self.ghost):
            if place is None:
                continue
            for choice in cursor.choices_at(self.scene, place):
                if choice.here == key:
                    self.post_message(self.Chosen(choice))
                    return True
            if self._turns(place, key):
                self._pick(place)
                return True
        if key.isalpha() and key != "r":  # which means something else where no wall can be turned
            self.post_message(self.Refused(key=key))
            return True
        return False

    def _choosing(self, key: str, *, shift: bool) -> bool:
        """While something is taken up: its targets one after the other, then one of them, or let go."""
        assert self.scene is not None and self.picked is not None
        targets = sorted(cursor.turns_from(self.scene, self.picked))
        if key == "escape":
            self._pick(None)
        elif key in cursor.WAYS or key == "tab":
            step = -1 if shift or key in ("up", "left") else 1
            at = targets.index(self.cursor) + step if self.cursor in targets else 0
            self.stand(targets[at % len(targets)])
        elif key in ("enter", "space") and self.cursor in targets:
            self.act_at(self.cursor)
        else:
            return False
        return True

    def stand(self, place: Place) -> None:
        """Put the cursor somewhere."""
        self.cursor = place
        if self.scene is not None and self.grid is not None:
            self._look()
        self.post_message(self.Looked())
        self._redraw()

    def _pick(self, place: Place | None) -> None:
        """Take something up, with the cursor on the first place it can go to, or let go of it."""
        if place is None:
            self.cursor = self.picked
        elif self.scene is not None:
            self.cursor = min(cursor.turns_from(self.scene, place))
        self.picked = place
        self.post_message(self.Looked())
        self._redraw()

    def act_at(self, place: Place) -> None:
        """Do what can be done at a place, by a click or a key."""
        if self.scene is None or not self.mine:
            return
        if self.picked is not None:
            turned = cursor.turns_from(self.scene, self.picked).get(place)
            if turned is None:
                self._pick(None)
            else:
                self.post_message(self.Chosen(turned))
            return
        choices = cursor.choices_at(self.scene, place)
        if choices:
            self.post_message(self.Chosen(choices[0]))
        elif cursor.turns_from(self.scene, place):
            self._pick(place)
        elif not tiled(self.scene):
            self.post_message(self.Refused(place))

    def on_focus(self) -> None:
        self._redraw()

    def on_blur(self) -> None:
        self._redraw()
