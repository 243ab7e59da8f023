"""Brute-force referees of the four games, written from the rules alone and sharing nothing with the fast ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction


class Oracle(Protocol):
    """What every one of them can be asked."""

    @property
    def turn(self) -> int: ...
    def actions(self) -> set[str]: ...
    def chances(self) -> Mapping[str, Fraction]: ...
    def play(self, text: str) -> None: ...
    def scores(self) -> tuple[Fraction | int, ...]: ...
