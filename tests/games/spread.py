"""A spread of games and options that the general tests run over."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import rookery
from rookery.games import from_file

if TYPE_CHECKING:
    from rookery.core.game import Game

THIN_ICE = str(Path(__file__).parent.parent.parent / "examples" / "thin_ice.py")

GAMES: list[Game] = [
    rookery.game("gotham"),
    rookery.game("gotham", rules="online"),
    rookery.game("gotham", level="trey"),
    rookery.game("gotham", level="quad", rules="online"),
    rookery.game("gotham", size=3, coins=1),
    rookery.game("gotham", size=5, coins=6, rules="online"),
    rookery.game("gotham", level="quad", rules="app"),
    rookery.game("gamma"),
    rookery.game("gamma", width=1, height=1, players=1, areas=1),
    rookery.game("gamma", width=7, height=1, players=3, areas=2),
    rookery.game("gamma", width=1, height=9, players=2, areas=1),
    rookery.game("gamma", width=5, height=4, players=4, areas=1),
    rookery.game("gamma", width=6, height=6, players=12, areas=3),
    rookery.game("sixseven"),
    rookery.game("sixseven", rows=2, cols=2, variant="original", tiles=1),
    rookery.game("sixseven", rows=4, cols=4, variant="original", rate=0.5),
    rookery.game("sixseven", rows=5, cols=3, variant="pairs", operators="+-", rate=0.67),
    rookery.game("sixseven", rows=6, cols=7, variant="final", rate=0.67, tiles=4),
    rookery.game("sixseven", rows=20, cols=2, variant="final", operators="*", rate=0.9, tiles=3),
    rookery.game("gaterun"),
    rookery.game("gaterun", size=3, walls=0),
    rookery.game("gaterun", size=4, walls=20, jump=True),
    rookery.game("gaterun", size=5, walls=3, walls2=6, rotate=True),
    rookery.game("gaterun", size=6, walls=5, jump=True, rotate=True),
    from_file(THIN_ICE).make(),
    from_file(THIN_ICE).make(rows=3, cols=2),
]


def label(game: Game) -> str:
    """A game with the options that are not at their defaults, to name a test."""
    defaults = type(game)().options
    changed = [f"{name}={value}" for name, value in game.options.items() if value != defaults[name]]
    return "-".join([game.name, *changed])
