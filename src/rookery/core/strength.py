"""What bots are called by their strength, and how they work, in words."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from rookery.core.bot import make_bot
from rookery.core.errors import RookeryError
from rookery.core.options import options_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.bot import Bot
    from rookery.core.game import Game

LEVEL_NAMES = ("Gentle", "Easy", "Casual", "Steady", "Keen", "Skilled", "Sharp", "Strong", "Fierce", "Relentless")
"""The names of levels 1 to 10, in every game."""


def level_names(game: type[Game]) -> tuple[str, ...]:
    """The names of a game's levels; of a game with another number of levels, their numbers."""
    count = len(game.levels())
    return LEVEL_NAMES if count == len(LEVEL_NAMES) else tuple(f"Level {level}" for level in range(1, count + 1))


@cache
def bot_name(game: type[Game], bot: Bot) -> str:
    """A bot by its strength, such as "Casual bot"; one that is no level by how it is tuned, or its own name. It is
    written as a name, so a sentence may begin with it.
    """
    levels = {make_bot(game, str(level)): name for level, name in enumerate(level_names(game), start=1)}
    if bot in levels:
        return f"{levels[bot]} bot"
    labels = (tunable.label(game, bot) for tunable in game.tunable_bots())
    return next(filter(None, labels), f"{bot.name[:1].upper()}{bot.name[1:]} bot")


def name_of_spec(game: type[Game], spec: str) -> str:
    """The name of the bot with this spec; the spec if there is no such bot, as in a record of another version."""
    try:
        return bot_name(game, make_bot(game, spec))
    except RookeryError:
        return spec


def told_apart(names: Sequence[str]) -> tuple[str, ...]:
    """Names by seat, with the number of the seat after those that several have: "Casual bot 2"."""
    return tuple(
        f"{name} {seat}" if name and names.count(name) > 1 else name for seat, name in enumerate(names, start=1)
    )


def mechanics(bot: Bot) -> str:
    """How a bot works: "alphabeta, 1,000 nodes, 10% random"."""
    words = [bot.name]
    for each in options_of(type(bot)):
        value = getattr(bot, each.name)
        if value == each.default:
            continue
        if each.name == "nodes":
            words.append(f"{value:,} {'node' if value == 1 else 'nodes'}")
        elif each.name == "ms":
            words.append(f"{value} ms per move")
        elif each.name == "slip":
            words.append(f"{100 * value:.0f}% random")
        else:
            words.append(f"{each.name} {value}")
    return ", ".join(words)
