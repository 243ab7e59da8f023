"""What the players of a game are called in sentences, as one person reads them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Names:
    """The names of the players by seat, and the seat of the person who reads. A player without a name is "Player 2"."""

    given: tuple[str, ...] = ()
    you: int = 0
    """The reader's seat; 0 if the reader watches, or plays several seats."""

    def of(self, player: int) -> str:
        """The player as the subject of a sentence or in a list: "You", "Ada", "Player 2"."""
        if player == self.you:
            return "You"
        given = self.given[player - 1] if player <= len(self.given) else ""
        return given or f"Player {player}"

    def whose(self, player: int) -> str:
        """What belongs to the player: "your", "Ada's"."""
        return "your" if player == self.you else f"{self.of(player)}'s"

    def owned(self, player: int) -> str:
        """The same without a noun: "yours", "Ada's"."""
        return "yours" if player == self.you else f"{self.of(player)}'s"

    def does(self, player: int, yours: str, theirs: str) -> str:
        """The player with the verb that fits: "You win", "Ada wins"."""
        return f"{self.of(player)} {yours if player == self.you else theirs}"

    def turn(self, player: int) -> str:
        """Whose turn it is: "Your turn", "Ada to move"."""
        return "Your turn" if player == self.you else f"{self.of(player)} to move"

    def all(self, players: int) -> tuple[str, ...]:
        """All players of a game."""
        return tuple(map(self.of, range(1, players + 1)))


NOBODY = Names()
"""Players without names, read by somebody who watches."""
