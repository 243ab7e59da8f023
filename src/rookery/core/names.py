"""What the players of a game are called in sentences, as one person reads them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rookery.core.arguments import shown, whole
from rookery.core.errors import OptionError

MARKER = re.compile(
    r"(?P<begins>^|[.!?] )?\{(?P<player>[1-9]\d*)(?: (?P<form>whose|owned)| (?P<yours>\w+)\|(?P<theirs>\w+))?\}"
)
"""A place for a player in a text, and whether a sentence begins there; see `Names.fill`."""
MOST = 2**32
"""More players than any game has."""


@dataclass(frozen=True)
class Names:
    """The names of the players by seat, and the seat of the person who reads. A player without a name is "Player 2"."""

    given: tuple[str, ...] = ()
    you: int = 0
    """The reader's seat; 0 if the reader watches, or plays several seats."""

    def __post_init__(self) -> None:
        if not isinstance(self.given, tuple) or not all(isinstance(name, str) for name in self.given):
            raise OptionError(f"Names takes the names by seat as a tuple of texts, not {shown(self.given)}.")
        whole(self.you, "you", 0, MOST)

    def of(self, player: int) -> str:
        """The player as the subject of a sentence or in a list: "You", "Ada", "Player 2"."""
        if self._is_reader(player):
            return "You"
        given = self.given[player - 1] if player <= len(self.given) else ""
        return given or f"Player {player}"

    def whose(self, player: int) -> str:
        """What belongs to the player: "your", "Ada's"."""
        return "your" if self._is_reader(player) else f"{self.of(player)}'s"

    def owned(self, player: int) -> str:
        """The same without a noun: "yours", "Ada's"."""
        return "yours" if self._is_reader(player) else f"{self.of(player)}'s"

    def does(self, player: int, yours: str, theirs: str) -> str:
        """The player with the verb that fits: "You win", "Ada wins"."""
        return f"{self.of(player)} {yours if self._is_reader(player) else theirs}"

    def turn(self, player: int) -> str:
        """Whose turn it is: "Your turn", "Ada to move"."""
        return "Your turn" if self._is_reader(player) else f"{self.of(player)} to move"

    def fill(self, text: str) -> str:
        """A text with its markers as the reader reads them: {2} is the player, {2 whose} and {2 owned} what belongs to
        them, {2 win|wins} the player with the verb that fits. So a text is kept once for all readers.
        """
        if not isinstance(text, str):
            raise OptionError(f"Only a text is filled with names, not {shown(text)}.")
        return MARKER.sub(self._fill, text)

    def _fill(self, marker: re.Match[str]) -> str:
        player, form = int(marker["player"]), marker["form"]
        name = self._inside(player)
        if form is not None:
            name = {"whose": "your", "owned": "yours"}[form] if player == self.you else f"{name}'s"
        elif marker["yours"] is not None:
            name += f" {marker['yours'] if player == self.you else marker['theirs']}"
        if marker["begins"] is not None:
            name = name[0].upper() + name[1:]
        return (marker["begins"] or "") + name

    def _inside(self, player: int) -> str:
        """The player within a sentence: "you", "Ada", "your opponent" if there is just one, without a name."""
        if player == self.you:
            return "you"
        given = self.given[player - 1] if player <= len(self.given) else ""
        return given or ("your opponent" if self.you and len(self.given) == 2 else f"player {player}")

    def all(self, players: int) -> tuple[str, ...]:
        """All players of a game."""
        return tuple(map(self.of, range(1, whole(players, "players", 0, MOST) + 1)))

    def _is_reader(self, player: int) -> bool:
        if type(player) is not int or not 1 <= player <= MOST:
            whole(player, "player", 1, MOST)
        return player == self.you


def marker(player: int, form: str = "") -> str:
    """The marker of a player for `Names.fill`; the form is "whose", "owned" or a verb such as "win|wins"."""
    return f"{{{player} {form}}}" if form else f"{{{player}}}"


NOBODY = Names()
"""Players without names, read by somebody who watches."""
