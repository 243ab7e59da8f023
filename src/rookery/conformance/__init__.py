"""The conformance suite: checks of what every game promises, to run on any game, including your own.

    from rookery.conformance import check

    check(MyGame())

Each check plays random games from a seed and raises an `AssertionError` that describes the first fault. The checks in
`NEED_NUMBA` compare compiled code with interpreted code; without Numba they raise `RookeryError`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rookery.conformance.bots import bots_play_by_the_rules, bots_stop_when_cancelled
from rookery.conformance.compiled import compiled_plays_the_same, learners_see_the_position, need_numba
from rookery.conformance.presentation import (
    achievements_come_at_the_end,
    lessons_play_as_written,
    pointing_finds_the_choice,
    scenes_show_everything,
    surfaces_find_what_they_need,
)
from rookery.conformance.rules import (
    chance_adds_up,
    copies_are_apart,
    ends_are_counted,
    equal_keys_play_the_same,
    picks_are_fair,
    refusals_change_nothing,
    turns_and_masks,
    undo_goes_back,
)
from rookery.conformance.sampling import LONG_GAME, PLIES, SAMPLE, random_game
from rookery.conformance.text import names_are_unique, positions_read_back, records_replay

if TYPE_CHECKING:
    from collections.abc import Callable

    from rookery.core.game import Game

CHECKS: tuple[Callable[[Game, int], None], ...] = (
    turns_and_masks,
    chance_adds_up,
    undo_goes_back,
    refusals_change_nothing,
    names_are_unique,
    positions_read_back,
    equal_keys_play_the_same,
    records_replay,
    copies_are_apart,
    scenes_show_everything,
    pointing_finds_the_choice,
    achievements_come_at_the_end,
    surfaces_find_what_they_need,
    lessons_play_as_written,
    picks_are_fair,
    ends_are_counted,
    compiled_plays_the_same,
    learners_see_the_position,
    bots_play_by_the_rules,
    bots_stop_when_cancelled,
)
NEED_NUMBA: tuple[Callable[[Game, int], None], ...] = (compiled_plays_the_same, learners_see_the_position)
"""The checks that compare compiled code with interpreted code."""

__all__ = [
    "CHECKS",
    "LONG_GAME",
    "NEED_NUMBA",
    "PLIES",
    "SAMPLE",
    "achievements_come_at_the_end",
    "bots_play_by_the_rules",
    "bots_stop_when_cancelled",
    "chance_adds_up",
    "check",
    "compiled_plays_the_same",
    "copies_are_apart",
    "ends_are_counted",
    "equal_keys_play_the_same",
    "learners_see_the_position",
    "lessons_play_as_written",
    "names_are_unique",
    "picks_are_fair",
    "pointing_finds_the_choice",
    "positions_read_back",
    "random_game",
    "records_replay",
    "refusals_change_nothing",
    "scenes_show_everything",
    "surfaces_find_what_they_need",
    "turns_and_masks",
    "undo_goes_back",
]


def check(game: Game, seed: int = 0, *, compiled: bool = True) -> None:
    """Run every check on a game; with `compiled=False`, all but those that need Numba.

    With `compiled=True` and without Numba it raises `RookeryError`, so that no check passes without being run.
    """
    if compiled:
        need_numba("check(game, compiled=False) leaves out what needs it")
    for each in CHECKS:
        if compiled or each not in NEED_NUMBA:
            each(game, seed)
