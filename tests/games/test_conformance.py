"""Every game, including the example Thin Ice, passes the conformance suite; and the suite finds broken games."""

from __future__ import annotations

import subprocess
import sys
import types
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from tests.games.spread import GAMES, THIN_ICE, label
from tests.tiers import mostly_slow

import rookery
from rookery import conformance
from rookery.core.game import Achievement, Challenge, Example
from rookery.core.lesson import Lesson, LessonStep
from rookery.core.observation import ObservationSpec, Plane
from rookery.games import from_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from rookery.core.game import Game
    from rookery.core.state import State


@pytest.mark.parametrize("check", conformance.CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("game", GAMES, ids=label)
@pytest.mark.parametrize("seed", mostly_slow(range(3)))
def test_conformance(game: Game, check: Callable[[Game, int], None], seed: int) -> None:
    check(game, seed)


def test_the_whole_suite_in_one_call() -> None:
    conformance.check(from_file(THIN_ICE)())


def broken(**changes: Any) -> Game:
    """Thin Ice with some functions or methods replaced by wrong ones."""
    cls = from_file(THIN_ICE)
    kernel: Any = cls.kernel
    rules = types.ModuleType(kernel.__name__)
    rules.__dict__.update(vars(kernel))
    methods = {}
    for name, change in changes.items():
        if hasattr(cls, name):
            methods[name] = change
        else:
            setattr(rules, name, change)
    wrong: type[Game] = type("Wrong", (cls,), {**methods, "kernel": rules, "__module__": cls.__module__})
    return wrong()


CLOCK = count()


def backwards(state: State) -> dict[str, Any]:
    fields = from_file(THIN_ICE)().describe(state)
    return {**fields, "walkers": fields["walkers"][::-1]}


def lesson(*steps: LessonStep) -> Any:
    return classmethod(lambda cls: Lesson(steps, "Now you know it."))


@pytest.mark.parametrize(
    ("check", "changes"),
    [
        ("turns_and_masks", {"legal": lambda s, action: True}),
        ("turns_and_masks", {"actions": lambda s, out: 0}),
        ("undo_goes_back", {"describe": lambda self, state: {"asked": next(CLOCK)}}),
        ("refusals_change_nothing", {"why_not": lambda self, state, action: "no"}),
        ("names_are_unique", {"spell": lambda self, action: "up"}),
        ("names_are_unique", {"parse": lambda self, text: 0}),
        ("positions_read_back", {"describe": lambda self, state: backwards(state)}),
        ("equal_keys_play_the_same", {"key": lambda self, state: 0}),
        ("records_replay", {"parse": lambda self, text: (["up", "right", "down", "left"].index(text) + 1) % 4}),
        (
            "scenes_show_everything",
            {"scene": lambda self, state, viewer, odds, names: from_file(THIN_ICE)().start().scene()},
        ),
        ("scenes_show_everything", {"phrase": lambda self, action: "step"}),
        ("pointing_finds_the_choice", {"pointed": lambda self, state, at: None}),
        ("pointing_finds_the_choice", {"pointed": lambda self, state, at: 0}),
        ("achievements_come_at_the_end", {"achievement": lambda self, state, player: Achievement(1, "1 point")}),
        ("achievements_come_at_the_end", {"achievement": lambda self, state, player: None}),
        (
            "achievements_come_at_the_end",
            {"achievement": lambda self, state, player: Achievement(player, "by seat") if state.over else None},
        ),
        ("surfaces_find_what_they_need", {"demo": classmethod(lambda cls: rookery.game("gamma"))}),
        ("surfaces_find_what_they_need", {"quick_rules": lambda self: ("Walk on the ice",)}),
        ("surfaces_find_what_they_need", {"examples": lambda self: (Example("Ice.", (self.start().scene(),)),)}),
        ("surfaces_find_what_they_need", {"legend": {"melted": "gone"}}),
        ("surfaces_find_what_they_need", {"challenges": classmethod(lambda cls: ())}),
        ("surfaces_find_what_they_need", {"challenges": classmethod(lambda cls: (Challenge({"rows": 3}),))}),
        ("surfaces_find_what_they_need", {"challenges": classmethod(lambda cls: (Challenge({"floes": 3}, ("1",)),))}),
        ("surfaces_find_what_they_need", {"challenges": classmethod(lambda cls: (Challenge({}, ("greedy:ms=9",)),))}),
        ("lessons_play_as_written", {"goal": lambda self, player=0: "not to be the first who cannot step"}),
        ("lessons_play_as_written", {"lesson": lesson(LessonStep("Step off the board.", ("up",)))}),
        ("lessons_play_as_written", {"lesson": lesson(LessonStep("Step down.", ("south",)))}),
        ("lessons_play_as_written", {"lesson": lesson(*[LessonStep("Step down.", ("down",))] * 2)}),
        (
            "learners_see_the_position",
            {
                "observation_spec": lambda self: ObservationSpec(
                    6, 7, (Plane("ice", high=0), Plane("you"), Plane("other"))
                )
            },
        ),
        ("learners_see_the_position", {"pick": lambda s, r: 0, "legal": lambda s, action: True}),
        ("bots_play_by_the_rules", {"levels": classmethod(lambda cls: ("random",))}),
    ],
)
def test_a_broken_game_is_found_out(check: str, changes: dict[str, Any]) -> None:
    with pytest.raises((AssertionError, ValueError)):
        getattr(conformance, check)(broken(**changes), 0)


WITHOUT_NUMBA = """
import sys
sys.modules["numba"] = None
from rookery import conformance
from rookery.core.errors import RookeryError
from rookery.games import from_file
game = from_file({path!r})(rows=3, cols=3)
for run in (conformance.compiled_plays_the_same, conformance.learners_see_the_position, conformance.check):
    try:
        run(game, 0)
    except RookeryError as error:
        print(run.__name__, "says:", error)
    else:
        print(run.__name__, "passed")
print(conformance.check(game, compiled=False))
"""


def test_without_numba_nothing_passes_that_compares_compiled_code() -> None:
    code = WITHOUT_NUMBA.format(path=THIN_ICE)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    said = "says: Numba is not installed, so nothing was compared:"
    assert done.stdout.splitlines() == [
        f"compiled_plays_the_same {said} install it with pip install 'rookery[bots]'.",
        f"learners_see_the_position {said} install it with pip install 'rookery[bots]'.",
        f"check {said} check(game, compiled=False) leaves out what needs it.",
        "None",
    ]


def test_a_game_without_a_lesson_has_none_and_its_summary_is_its_goal() -> None:
    game = from_file(THIN_ICE)()
    assert game.lesson() is None
    assert game.goal(1) == game.summary


def test_a_game_that_lists_a_bot_of_another_is_found_out() -> None:
    greedy = rookery.game("gotham").bots()["greedy"]
    with pytest.raises(AssertionError, match=r"greedy is among the bots, but refuses .* plays Gotham Loops"):
        conformance.bots_play_by_the_rules(broken(bots=classmethod(lambda cls: {"greedy": greedy})), 0)
