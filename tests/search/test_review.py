"""Reviews: grades against solved positions, luck and skill, what is accepted instead, and reviews that are cancelled."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest

import rookery
from rookery.core.bot import make_bot
from rookery.core.errors import OptionError
from rookery.core.names import NOBODY, Names
from rookery.core.record import Record
from rookery.core.review import BEST, BLUNDER, MISTAKE, ReviewedPly, Reviewer, accuracy, accuracy_of, grade_of
from rookery.core.rules import CHANCE
from rookery.core.stream import Stream
from rookery.search.cancel import Cancelled
from rookery.search.review import Review


def played(name: str, bot: str = "random", seed: int = 1, most: int = 1000, **options: Any) -> Record:
    """A game of one bot with itself, or its first plies."""
    game, stream = rookery.game(name, **options), Stream(seed)
    state, player = game.start(), make_bot(game, bot)
    while not state.over and state.ply < most:
        chance = state.turn == CHANCE
        state.play(state.draw(stream) if chance else player.choose(state, nodes=200, stream=stream))
    return Record.of(state)


def review(record: Record, spec: str | None = None, nodes: int | None = None) -> Review:
    found = Review(record, type(record.game).reviewer().of(record.game, spec, nodes))
    for _ in found.steps():
        pass
    return found


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_on_a_solved_board_every_move_gets_the_grade_of_its_exact_value(seed: int) -> None:
    record = played("gaterun", seed=seed, size=3, walls=2)
    perfect, found = make_bot(record.game, "perfect"), review(record, nodes=20_000).plies
    assert len(found) == len(record.plies)
    for state, each in zip(record.states(), found, strict=False):
        if state.over:
            break
        wins = {one.name: one.win or 0.0 for one in perfect.analyse(state).candidates}
        lost = max(wins.values()) - wins[each.name]
        if not each.only:
            assert each.grade == (BEST if lost == 0 else BLUNDER), (each, wins)
        assert wins[str(each.best)] == max(wins.values())
        assert all(wins[right.action] == max(wins.values()) for right in each.accepted)


def test_a_missed_win_is_a_blunder_with_a_reason_and_its_right_answers() -> None:
    game = rookery.game("gaterun", size=3, walls=0)
    record = Record(game, ("", ""), ("1,1", "2,0", "0,1"))
    found = review(record, "perfect").plies[2]
    assert (found.grade, found.best, found.value, found.after) == (BLUNDER, "2,1", 1.0, 0.5)
    assert found.why == "The step to b1 wins in 1 move." and found.loss == 0.5
    assert found.accepted[0].action == "2,1" and "0,1" not in [e.action for e in found.accepted]


def test_a_reason_counts_the_moves_of_whoever_wins() -> None:
    game = rookery.game("gaterun", size=3, walls=0)
    record = Record(game, ("", ""), ("0,2", "1,1", "0,1", "1,2", "1,1", "0,2"))
    found = review(record, "perfect").plies
    assert found[0].why == "The step to b2 wins in 2 moves."
    assert found[4].told(NOBODY).why == "After “step to b2” player 2 wins in 1 move."
    assert found[4].told(Names(("Ada", ""), 2)).why == "After “step to b2” you win in 1 move."


def test_a_game_without_reasons_of_its_own_gives_the_values_in_words() -> None:
    record = Record(rookery.game("gaterun", size=3, walls=0), ("", ""), ("1,1", "2,0", "0,1"))
    found = Review(record, Reviewer.of(record.game, "perfect"))
    for _ in found.steps():
        pass
    assert found.plies[2].why == "“step to b1” promises 100% to win, “step to b3” 50%."


def test_a_wall_that_should_have_been_is_told_in_steps() -> None:
    game = rookery.game("gaterun", size=5, walls=1)
    record = Record(game, ("", ""), ("1,2", "3,2", "2,2", "3,1", "1,2"))
    found = review(record, "perfect").plies[-1]
    assert found.grade in (MISTAKE, BLUNDER) and found.why.endswith(".") and found.best in found.line


@pytest.mark.parametrize(("name", "bot"), [("sixseven", "greedy"), ("gotham", "ring")])
def test_the_result_is_the_first_value_and_all_luck_less_what_choices_cost(name: str, bot: str) -> None:
    options = {"rows": 3, "cols": 3} if name == "sixseven" else {}
    record = played(name, bot, **options)
    found = review(record, *("learned:plies=2,spawns=4",) if name == "sixseven" else (None, 1000)).game
    first = next(each.value for each in found.plies if each.value is not None)
    [summary] = found.summaries()
    state = record.replay()
    result = state.scores()[0] if name == "gotham" else float(bool(state.winners()))
    assert summary.luck is not None
    assert result == pytest.approx(first + summary.luck - summary.lost)
    assert found.done and found.chance and found.scale is not None
    assert found.scale.kind == ("points" if name == "gotham" else "win")


def test_being_caught_is_bad_luck_and_no_mistake() -> None:
    record = played("gotham", "ring", seed=3)
    caught = [each for each in review(record, nodes=1000).plies if each.name == "caught"]
    assert caught and all(each.luck is not None and each.luck < 0 and each.grade is None for each in caught)


def test_a_review_is_the_same_again_and_goes_on_where_it_stopped() -> None:
    record = played("gaterun", "5", seed=4)
    whole = review(record, nodes=2_000).game
    assert review(record, nodes=2_000).game == whole
    half = [ReviewedPly.of_content(json.loads(json.dumps(each.content()))) for each in whole.plies[:7]]
    going_on = Review(record, type(record.game).reviewer().of(record.game, nodes=2_000), half)
    assert going_on.game.plies == whole.plies[:7]
    for _ in going_on.steps():
        pass
    assert going_on.game == whole


def test_what_was_known_of_other_plies_is_made_anew() -> None:
    record = played("sixseven", "greedy", most=40, rows=3, cols=3)
    plies = list(review(record, "learned:plies=1").plies)
    other = Record(record.game, ("",), record.plies[:9])
    assert len(Review(other, type(record.game).reviewer().of(record.game), plies).plies) <= 9
    again = Review(record, type(record.game).reviewer().of(record.game, "learned:plies=1"), plies[:8])
    for _ in again.steps():
        pass
    assert again.plies == plies


def test_a_cancelled_review_stops_in_the_middle_of_a_search() -> None:
    record = played("gaterun", "5", seed=4)
    found = Review(record, type(record.game).reviewer().of(record.game, nodes=2_000_000_000))
    steps = found.steps()
    timer = threading.Timer(0.2, found.cancel)
    timer.start()
    with pytest.raises(Cancelled):
        for _ in steps:
            pass
    assert not found.game.done


@pytest.mark.parametrize(("name", "options"), [("gamma", {"players": 3}), ("gamma", {"players": 1}), ("gamma", {})])
def test_every_number_of_players_can_be_reviewed(name: str, options: dict[str, Any]) -> None:
    record = played(name, width=4, height=4, areas=2, **options)
    found = review(record, nodes=50).game
    assert found.done and len(found.summaries()) == record.game.players
    assert all(each.loss >= 0 for each in found.plies)


def test_a_bot_that_cannot_judge_is_refused() -> None:
    game = rookery.game("gaterun")
    for spec in ("random", "10"):
        with pytest.raises(OptionError, match="budget in nodes"):
            type(game).reviewer().of(game, spec)


def test_grades_and_accuracies_are_those_of_the_table() -> None:
    assert [grade_of(loss) for loss in (0, 0.0099, 0.04, 0.05, 0.1, 0.15)] == [
        "best",
        "best",
        "fine",
        "inaccuracy",
        "mistake",
        "blunder",
    ]
    assert accuracy_of(0) == pytest.approx(100, abs=0.01) and accuracy_of(0.1) == pytest.approx(63.6, abs=0.1)
    assert accuracy([]) is None and accuracy([100, 100]) == 100
    assert accuracy([100, 1]) == pytest.approx((50.5 + 2 / 1.01) / 2)
