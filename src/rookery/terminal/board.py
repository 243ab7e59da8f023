"""The board widget: draws any scene, and turns mouse and keys into messages about what was chosen."""

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
from rookery.terminal.drawing import Canvas, Highlights, draw
from rookery.terminal.grid import Grid, fit_grid, has_tiles
from rookery.terminal.palette import MONOCHROME, Palette, TextStyle

if TYPE_CHECKING:
    from textual.events import Leave, MouseDown, MouseMove, MouseScrollDown, MouseScrollUp, MouseUp, Resize
    from textual.geometry import Size
    from textual.timer import Timer

    from rookery.core.scene import Choice, Scene, Spot
    from rookery.terminal.grid import Place

MOTION_SECONDS = 0.15
"""Duration of an animation."""
FRAMES_PER_SECOND = 30
"""Frame rate of an animation."""
SWIPE = 3
"""Columns, or half as many lines, that count as a swipe."""


@lru_cache(maxsize=4096)
def to_rich(style: TextStyle) -> Style:
    """Convert a style to Rich's."""
    return Style(
        color=style.fg,
        bgcolor=style.bg,
        bold=style.bold or None,
        dim=style.dim or None,
        underline=style.underline or None,
        reverse=style.reverse or None,
    )


class Board(Widget, can_focus=True):
    """A scene with a keyboard cursor and a mouse hover."""

    DEFAULT_CSS: ClassVar[str] = "Board { width: 1fr; height: 1fr; }"

    class Chosen(Message):
        """A legal action was chosen."""

        def __init__(self, choice: Choice) -> None:
            super().__init__()
            self.choice = choice

    class Refused(Message):
        """An illegal action was attempted: at a place, in a direction, or by a key."""

        def __init__(self, place: Place | None = None, direction: str = "", key: str = "") -> None:
            super().__init__()
            self.place, self.direction, self.key = place, direction, key

    class ViewChanged(Message):
        """The cursor, the hover, the picked-up wall or the visible part of the board changed."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.scene: Scene | None = None
        self.palette: Palette = MONOCHROME
        self.grid: Grid | None = None
        self.can_act = False
        """Whether a person may act now."""
        self.read_only = False
        """Whether the board only shows a game, so that there is no cursor."""
        self.cursor: Place | None = None
        self.hovered: Place | None = None
        self.picked: Place | None = None
        """The wall picked up to be moved."""
        self.hinted: frozenset[Place] = frozenset()
        self.arrows_play = False
        """Whether arrow keys are actions of the game rather than cursor keys."""
        self.swipes = False
        self._before: Scene | None = None
        self._motion_start = 0.0
        self._motion: Timer | None = None
        self._canvas: Canvas | None = None
        self._style: Style | None = None
        """The widget's style, cached because it is slow to compute."""
        self._drawn_for: tuple[Size, Grid | None] | None = None
        """The size and grid of the last drawing."""
        self._pressed: tuple[int, int] | None = None

    # -- drawing --

    def show(self, scene: Scene, *, can_act: bool, animate: bool = False) -> None:
        """Show another scene; animate what moved since the last one, if asked to."""
        before, self.scene, self.can_act = self.scene, scene, can_act
        self.picked, self.hinted, self.hovered = None, frozenset(), None
        if scene.choices:
            self.arrows_play = any(choice.key in cursor.ARROWS for choice in scene.choices)
            self.swipes = any(choice.role == "slide" for choice in scene.choices)
        if self.cursor is None and scene.choices and not self.arrows_play and not self.read_only:
            self.cursor = cursor.centre(scene)
        if self.cursor is not None and not all(row < scene.rows and col < scene.cols for row, col in self.cursor):
            self.cursor = cursor.centre(scene)
        self.post_message(self.ViewChanged())
        self._stop_motion()
        if animate and scene.motions and before is not None:
            self._before, self._motion_start = before, perf_counter()
            self._motion = self.set_interval(1 / FRAMES_PER_SECOND, self._animate_step)
        self._fit()

    def show_hint(self, places: frozenset[Place]) -> None:
        """Mark the places of a hint."""
        self.hinted = places
        self._redraw()

    def _animate_step(self) -> None:
        if perf_counter() - self._motion_start >= MOTION_SECONDS:
            self._stop_motion()
        self._redraw()

    def _stop_motion(self) -> None:
        if self._motion is not None:
            self._motion.stop()
        self._motion, self._before = None, None

    def on_resize(self, event: Resize) -> None:
        self._fit()
        self.post_message(self.ViewChanged())

    def _fit(self) -> None:
        if self.scene is None or not self.size:
            return
        before, self.grid = self.grid, fit_grid(self.scene, self.size.width, self.size.height)
        if before is not None:
            self.grid = self.grid.scrolled_by(before.first_row, before.first_col)
        else:
            self.grid = self.grid.scrolled_by(
                (self.grid.rows - self.grid.visible_rows) // 2, (self.grid.cols - self.grid.visible_cols) // 2
            )
        self._scroll_to_cursor()
        self._redraw()

    def _scroll_to_cursor(self) -> None:
        """Scroll a board that is larger than the window to the cursor or the last change."""
        assert self.scene is not None and self.grid is not None
        if (self.grid.visible_rows, self.grid.visible_cols) == (self.grid.rows, self.grid.cols):
            return
        at = self.cursor[0] if self.cursor is not None else self._last_changed()
        if at is not None:
            self.grid = self.grid.scrolled_to(at)

    def _last_changed(self) -> Spot | None:
        """The cell that changed last, or that of the only player."""
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
        """Scroll a board that is larger than the window."""
        if self.grid is not None:
            self.grid = self.grid.scrolled_by(rows, cols)
            self._redraw()

    def _redraw(self) -> None:
        """Draw the board, and refresh only the lines that changed."""
        before, self._canvas = self._canvas, self._draw()
        if before is None or self._canvas is None or self._drawn_for != (self.size, self.grid):
            self._drawn_for = self.size, self.grid
            self.refresh()
            return
        _, top = self.margins
        changed = [y for y in range(before.height) if before.line(y) != self._canvas.line(y)]
        if changed:
            self.refresh(*(Region(0, top + y, self.size.width, 1) for y in changed))

    def _draw(self) -> Canvas | None:
        if self.scene is None or self.grid is None:
            return None
        progress = (perf_counter() - self._motion_start) / MOTION_SECONDS if self._before is not None else 1.0
        targets = frozenset(cursor.wall_moves_from(self.scene, self.picked)) if self.picked else frozenset()
        highlights = Highlights(self.cursor if self.has_focus else None, self.hovered, self.hinted, targets)
        return draw(self.scene, self.grid, self.palette, highlights, self._before, min(1.0, progress))

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._style = None

    @property
    def visible_part(self) -> str:
        """How much of the board is visible; empty if all of it is."""
        grid = self.grid
        if grid is None or (grid.visible_rows, grid.visible_cols) == (grid.rows, grid.cols):
            return ""
        seen = f"{grid.visible_rows}×{grid.visible_cols} of {grid.rows}×{grid.cols} cells"
        return f"{seen}; scroll with Shift and arrows or the wheel"

    @property
    def margins(self) -> tuple[int, int]:
        """Columns left of the board and lines above it, which centre it."""
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
        segments += [Segment(text, to_rich(style)) for text, style in canvas.runs(y - top)]
        return Strip(segments).apply_style(style).adjust_cell_length(self.size.width, style)

    @property
    def pointed(self) -> Place | None:
        """The hovered place, or else the cursor's."""
        return self.hovered or self.cursor

    @property
    def can_pick_up(self) -> bool:
        """Whether `r` picks up the wall at the cursor or the mouse."""
        return (
            self.can_act
            and self.picked is None
            and any(self._picks_up(place, "r") for place in (self.cursor, self.hovered))
        )

    def _picks_up(self, place: Place | None, key: str) -> bool:
        """Whether a key picks up the wall at a place."""
        if place is None or self.scene is None:
            return False
        return any(choice.here == key for choice in cursor.wall_moves_from(self.scene, place).values())

    # -- mouse --

    def _place_at(self, x: int, y: int) -> Place | None:
        left, top = self.margins
        return self.grid.place_at(x - left, y - top) if self.grid is not None else None

    def _is_actionable(self, place: Place | None) -> bool:
        """Whether something can be done at a place now."""
        if place is None or self.scene is None or not self.can_act:
            return False
        if self.picked is not None:
            return place in cursor.wall_moves_from(self.scene, self.picked)
        return bool(cursor.choices_at(self.scene, place) or cursor.wall_moves_from(self.scene, place))

    def on_mouse_move(self, event: MouseMove) -> None:
        place = self._place_at(event.x, event.y)
        self._set_hovered(place if self._is_actionable(place) else None)

    def on_leave(self, event: Leave) -> None:
        self._set_hovered(None)

    def _set_hovered(self, hovered: Place | None) -> None:
        """Change the hovered place."""
        if hovered != self.hovered:
            self.hovered = hovered
            self.post_message(self.ViewChanged())
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
            direction = (
                ("right" if across > 0 else "left") if abs(across) >= abs(down) else "down" if down > 0 else "up"
            )
            self.press(direction)
            return
        place = self._place_at(event.x, event.y)
        if place is not None and place == self._place_at(*pressed):
            self.act_at(place)

    # -- keys --

    def press(self, key: str, *, shift: bool = False) -> bool:
        """Handle a key; return whether it has a meaning here."""
        if self.scene is None:
            return False
        if self.picked is not None and self._choose_target(key, shift=shift):
            return True
        chosen = next((choice for choice in self.scene.choices if choice.key == key), None)
        if self.can_act and chosen is not None and not shift:
            self.post_message(self.Chosen(chosen))
            return True
        if key in cursor.ARROWS:
            if self.arrows_play and not shift:
                if self.can_act:
                    self.post_message(self.Refused(direction=key))
                return self.can_act
            self.move_cursor(cursor.neighbour(self.scene, self.cursor or cursor.centre(self.scene), key))
            return True
        if key == "tab":
            return self._to_next(back=shift)
        if key in ("enter", "space") and self.cursor is not None:
            self.act_at(self.cursor)
            return True
        return self._act_by_letter(key)

    def _to_next(self, *, back: bool) -> bool:
        assert self.scene is not None
        place = cursor.next_place(self.scene, self.cursor, back=back)
        if place is not None:
            self.move_cursor(place)
        return place is not None

    def _act_by_letter(self, key: str) -> bool:
        """Handle a letter that acts at the cursor or the mouse."""
        assert self.scene is not None
        if not self.can_act or not any(choice.here == key for choice in self.scene.choices):
            return False
        for place in (self.cursor, self.hovered):
            if place is None:
                continue
            for choice in cursor.choices_at(self.scene, place):
                if choice.here == key:
                    self.post_message(self.Chosen(choice))
                    return True
            if self._picks_up(place, key):
                self._pick(place)
                return True
        if key.isalpha() and key != "r":  # `r` also means redo
            self.post_message(self.Refused(key=key))
            return True
        return False

    def _choose_target(self, key: str, *, shift: bool) -> bool:
        """While a wall is picked up: step through its targets, choose one, or cancel."""
        assert self.scene is not None and self.picked is not None
        targets = sorted(cursor.wall_moves_from(self.scene, self.picked))
        if key == "escape":
            self._pick(None)
        elif key in cursor.ARROWS or key == "tab":
            step = -1 if shift or key in ("up", "left") else 1
            at = targets.index(self.cursor) + step if self.cursor in targets else 0
            self.move_cursor(targets[at % len(targets)])
        elif key in ("enter", "space") and self.cursor in targets:
            self.act_at(self.cursor)
        else:
            return False
        return True

    def move_cursor(self, place: Place) -> None:
        """Move the cursor to a place."""
        self.cursor = place
        if self.scene is not None and self.grid is not None:
            self._scroll_to_cursor()
        self.post_message(self.ViewChanged())
        self._redraw()

    def _pick(self, place: Place | None) -> None:
        """Pick up the wall at a place and move the cursor to its first target; None puts it back."""
        if place is None:
            self.cursor = self.picked
        elif self.scene is not None:
            self.cursor = min(cursor.wall_moves_from(self.scene, place))
        self.picked = place
        self.post_message(self.ViewChanged())
        self._redraw()

    def act_at(self, place: Place) -> None:
        """Do what can be done at a place, on a click or a key."""
        if self.scene is None or not self.can_act:
            return
        if self.picked is not None:
            turned = cursor.wall_moves_from(self.scene, self.picked).get(place)
            if turned is None:
                self._pick(None)
            else:
                self.post_message(self.Chosen(turned))
            return
        choices = cursor.choices_at(self.scene, place)
        if choices:
            self.post_message(self.Chosen(choices[0]))
        elif cursor.wall_moves_from(self.scene, place):
            self._pick(place)
        elif not has_tiles(self.scene):
            self.post_message(self.Refused(place))

    def on_focus(self) -> None:
        self._redraw()

    def on_blur(self) -> None:
        self._redraw()
