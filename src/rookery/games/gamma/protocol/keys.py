"""Gamma by keys: a cursor on the board and what each key does there. No input or output: the caller feeds keys.

Arrows move the cursor, space takes the cell under it, G makes the golden move on it, C skips the turn, Ctrl-D ends.
After an escape byte, a byte other than `[` is a key like any other; after `ESC [` one byte always belongs to it.
"""

from __future__ import annotations

from contextlib import suppress

from rookery.core.errors import IllegalAction
from rookery.games.gamma.protocol import commands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rookery.core.state import State
    from rookery.games.gamma.game import Gamma

END = 0x04
ESCAPE = 0x1B
ARROWS = {ord("A"): (-1, 0), ord("B"): (1, 0), ord("C"): (0, 1), ord("D"): (0, -1)}
PLAIN, ESCAPED, BRACKET = 0, 1, 2


class Keys:
    """A game being played by keys; the cursor starts in the top left corner."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.row = self.col = 0
        self.ended = state.over
        self._inside = PLAIN

    def feed(self, keys: bytes) -> None:
        """Press some keys; those after the end do nothing."""
        for key in keys:
            if not self.ended:
                self._press(key)

    def board(self) -> str:
        """The board as the line protocol prints it."""
        session, text = [0] * commands.SESSION, bytearray(commands.board_size(self.state.words))
        commands.write_board(self.state.words, session, text)
        return text[: session[commands.ANSWERED]].decode()

    def _press(self, key: int) -> None:
        inside, self._inside = self._inside, PLAIN
        if inside == BRACKET:
            self._move(*ARROWS.get(key, (0, 0)))
        elif inside == ESCAPED and key == ord("["):
            self._inside = BRACKET
        elif key == ESCAPE:
            self._inside = ESCAPED
        elif key == END:
            self.ended = True
        elif key == ord(" "):
            self._try(self._cell())
        elif key in b"gG":
            self._try(self._game.cells + self._cell())
        elif key in b"cC":
            self._try(2 * self._game.cells)

    @property
    def _game(self) -> Gamma:
        return self.state.game  # type: ignore[return-value]

    def _cell(self) -> int:
        return (self._game.height - 1 - self.row) * self._game.width + self.col

    def _move(self, down: int, right: int) -> None:
        self.row = min(max(self.row + down, 0), self._game.height - 1)
        self.col = min(max(self.col + right, 0), self._game.width - 1)

    def _try(self, action: int) -> None:
        """Play if it is legal; the game may be over then."""
        with suppress(IllegalAction):
            self.state.play(action)
            self.ended = self.state.over
