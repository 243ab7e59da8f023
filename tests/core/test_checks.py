"""Whatever is asked of a game, a review, a puzzle or a lesson with wrong arguments gets a sentence."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy
import pytest
from tests.games.spread import THIN_ICE

import rookery
from rookery.core.ending import tell
from rookery.core.errors import IllegalAction, MalformedAction, OptionError, PositionError, RecordError
from rookery.core.lesson import chance_stream
from rookery.core.names import NOBODY, Names
from rookery.core.puzzle import Puzzle
from rookery.core.record import Record
from rookery.core.review import ReviewedPly, Reviewer, accuracy_of, grade_of
from rookery.core.stream import Stream
from rookery.games import find, from_file
from rookery.search.review import Review

if TYPE_CHECKING:
    from collections.abc import Callable

    from rookery.core.game import Game
    from rookery.core.state import State

GAMES = [
    rookery.game("gotham", size=5),
    rookery.game("gamma", width=3, height=3),
    rookery.game("sixseven", rows=3, cols=3),
    rookery.game("gaterun", size=3, walls=1),
    from_file(THIN_ICE).make(rows=2, cols=2),
]
OTHERS = {game: GAMES[k - 1].start() for k, game in enumerate(GAMES)}
"""A state of another game for each."""
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


def any_of(*values: Any) -> tuple[Any, ...]:
    """Values of wrong types, which a type checker would not let pass."""
    return values


def finished(game: Game) -> State:
    """A random game to its end."""
    state, stream = game.start(), Stream(1)
    while not state.over:
        state.play(state.pick(stream) if state.turn > 0 else state.draw(stream))
    return state


@each_game
@pytest.mark.parametrize("action", [-1, 10**9, 1.5, "x", None, [1], numpy.array([1, 2])])
def test_only_actions_have_words(game: Game, action: Any) -> None:
    with pytest.raises(MalformedAction, match=rf"^{game.title} has no action .*\.$"):
        game.phrase(action)


@each_game
def test_every_action_has_words_whatever_kind_of_integer_it_is(game: Game) -> None:
    for action, int8 in enumerate(any_of(*numpy.arange(min(game.code_count, 100), dtype=numpy.int8))):
        assert game.phrase(action) == game.phrase(int8)
    assert game.phrase(action=0) == game.phrase(0)


@each_game
def test_a_name_in_words_is_text(game: Game) -> None:
    assert game.phrase_of("no such action") == "no such action"
    with pytest.raises(MalformedAction, match="The name of an action is text, not 7"):
        game.phrase_of(*any_of(7))


@each_game
def test_an_ending_takes_a_name_for_each_player_of_a_finished_game(game: Game) -> None:
    state, names = finished(game), tuple(f"N{player}" for player in range(1, game.players + 1))
    assert game.ending_text(state, names) == tell(state, names)
    for wrong in ((), names[1:], (*names, "Ida")):
        for told in (game.ending_text, tell):
            with pytest.raises(OptionError, match=f"takes {game.players} names of players, not {len(wrong)}"):
                told(state, wrong)
    for other in any_of(None, 7, "x", [7] * game.players):
        with pytest.raises(OptionError, match="The names of the players are a list of texts, not"):
            game.ending_text(state, other)
    with pytest.raises(PositionError, match="not over"):
        game.ending_text(game.start(), names)


def test_an_ending_by_a_player_names_one() -> None:
    state = rookery.game("gaterun").start()
    for ending in any_of({"how": "time", "player": 3}, {"how": "died", "player": 1}, {"how": "time"}, 7):
        with pytest.raises(RecordError, match="ending"):
            tell(state, ["Ida", "Bo"], ending)
    with pytest.raises(RecordError, match="A record's ending has 'how' and 'player', not 7"):
        Record.of(state, ending=any_of(7)[0])
    with pytest.raises(PositionError, match="This is not a State: 7"):
        tell(*any_of(7, ["Ida"]))


ON_STATE: dict[str, Callable[[Game, Any], object]] = {
    "emoji": lambda game, state: game.emoji(state),
    "ending_text": lambda game, state: game.ending_text(state, [""] * game.players),
    "achievement": lambda game, state: game.achievement(state, 1),
    "winners": lambda game, state: game.winners(state),
    "pointed": lambda game, state: game.pointed(state, ((0, 0),)),
    "why_not": lambda game, state: game.why_not(state, 0),
    "key": lambda game, state: game.key(state),
    "describe": lambda game, state: game.describe(state),
    "log_fields": lambda game, state: game.log_fields(state),
    "compiled_words": lambda game, state: game.compiled_words(state),
    "scene": lambda game, state: game.scene(state, 0, odds=False, names=NOBODY),
}


@each_game
@pytest.mark.parametrize("method", ON_STATE)
def test_a_game_answers_for_its_own_states_only(game: Game, method: str) -> None:
    call = ON_STATE[method]
    call(game, finished(game))
    with pytest.raises(PositionError, match=f"not a state of {game.title} with these options, but of"):
        call(game, OTHERS[game])
    with pytest.raises(PositionError, match="This is not a State: 'start'"):
        call(game, "start")


@each_game
@pytest.mark.parametrize("player", [-1, 99, 1.5, "x", None, True])
def test_goals_scenes_and_achievements_are_of_players(game: Game, player: Any) -> None:
    state = finished(game)
    with pytest.raises(OptionError, match="player takes a whole number from 0"):
        game.goal(player)
    with pytest.raises(OptionError, match="player takes a whole number from 1"):
        game.achievement(state, player)
    with pytest.raises(OptionError, match="viewer takes a whole number from 0"):
        state.scene(player)


@each_game
def test_a_place_is_cells_and_a_scene_has_names(game: Game) -> None:
    state = game.start()
    for at in any_of(7, (1,), ((1, 2, 3),), ((1.5, 0),), "ab", (("a", "b"),)):
        with pytest.raises(OptionError, match="A place is a tuple of cells"):
            game.pointed(state, at)
    with pytest.raises(OptionError, match="The names of a scene are Names, not 7"):
        state.scene(names=any_of(7)[0])
    with pytest.raises(PositionError, match="This is not a State: 7"):
        game.in_notation(*any_of(7))


def test_a_game_need_not_check_what_it_overrides() -> None:
    @dataclass(frozen=True)
    class Louder(type(GAMES[-1])):  # type: ignore[misc]
        name: ClassVar[str] = "louder"

        def phrase(self, action: int) -> str:
            return str(super().phrase(action)).upper()

        def emoji(self, state: State) -> str:
            return "!"

    game = Louder.make(rows=2, cols=2)
    assert game.phrase(0) == "STEP UP" and game.emoji(game.start()) == "!"
    with pytest.raises(MalformedAction):
        game.phrase(-1)
    with pytest.raises(PositionError):
        game.emoji(GAMES[-1].start())


def test_names_are_texts_of_players() -> None:
    for given in any_of("Ada", ["Ada"], (7,), 7):
        with pytest.raises(OptionError, match="Names takes the names by seat as a tuple of texts"):
            Names(given)
    with pytest.raises(OptionError, match="you takes a whole number"):
        Names(*any_of(("Ada",), "Ada"))
    for call in any_of(NOBODY.of, NOBODY.whose, NOBODY.owned, NOBODY.turn, lambda who: NOBODY.does(who, "win", "wins")):
        for player in any_of(0, -1, 1.5, "x", None, 10**5000):
            with pytest.raises(OptionError, match="player takes a whole number from 1"):
                call(player)
    with pytest.raises(OptionError, match="players takes a whole number"):
        NOBODY.all(-1)


def test_the_value_of_a_position_in_words_has_a_unit() -> None:
    state = rookery.game("gaterun", size=3).start()
    with pytest.raises(OptionError, match="The unit of a bot's values is text, not 7"):
        rookery.bot("gaterun", "greedy").analyse(state).verdict(*any_of(7))


def test_what_bots_reach_is_compared_with_points() -> None:
    results = find("gotham")().level_results()
    assert results is not None
    for points in any_of("x", None, math.nan, math.inf):
        with pytest.raises(OptionError, match="points takes a number, not"):
            results.around(points)


# ---- reviews ----


def test_a_reviewer_takes_a_game_and_a_budget() -> None:
    game = rookery.game("gaterun", size=3)
    kind = type(game).reviewer()
    for nodes in any_of(0, -1, 1.5, "x"):
        with pytest.raises(OptionError, match="nodes takes a whole number from 1"):
            kind.of(game, nodes=nodes)
    for wrong in any_of(7, None, type(game)):
        with pytest.raises(OptionError, match="A reviewer takes a game, not"):
            kind.of(wrong)
    with pytest.raises(OptionError, match="GateRunReviewer does not review games of Gamma"):
        kind.of(rookery.game("gamma"), "mcts")
    with pytest.raises(OptionError, match="The bot settler plays Gamma, not GateRun"):
        kind(game, rookery.bot("gamma", "settler"), 10)
    assert kind.of(game, nodes=7).nodes == 7
    assert type(Reviewer.of(rookery.game("gamma"), "mcts", 7)) is Reviewer


def test_a_reviewer_judges_its_own_game() -> None:
    game = rookery.game("gaterun", size=3, walls=0)
    state, judge = game.start(), type(game).reviewer().of(game, "greedy")
    analysis = judge.bot.analyse(state)
    step = analysis.candidates[0].action
    for call in any_of(judge.value, judge.candidates, lambda given: judge.outcome_value(state, step, given)):
        with pytest.raises(OptionError, match="This is not an Analysis with candidates"):
            call(7)
    for amount in any_of(judge.scale, judge.opposite, grade_of, accuracy_of, judge.scale(1).told):
        with pytest.raises(OptionError, match="takes a number, not"):
            amount(math.nan)
    with pytest.raises(PositionError, match="not over, so it has no result"):
        judge.result(state, 1)
    with pytest.raises(OptionError, match="player takes a whole number from 1 to 2"):
        judge.result(finished(game), 0)
    for lines in any_of(([], [step]), ([step], 7)):
        with pytest.raises(OptionError, match="A line is a list of actions"):
            judge.why(state, *lines)
    with pytest.raises(IllegalAction):
        judge.why(state, [step], [game.action("2,2")])
    with pytest.raises(PositionError, match="not a state of GateRun with these options"):
        judge.why(rookery.game("gaterun").start(), [step], [step])


def test_a_review_is_of_a_record_of_the_reviewers_game() -> None:
    record = Record.of(rookery.game("gaterun", size=3).start())
    judge = type(record.game).reviewer().of(record.game)
    with pytest.raises(RecordError, match="but a reviewer of GateRun"):
        Review(Record.of(rookery.game("gaterun").start()), judge)
    with pytest.raises(RecordError, match="A review is of a Record, not of"):
        Review(*any_of(7, judge))
    for plies in any_of(7, (7,)):
        with pytest.raises(RecordError, match="The plies of a record are names of actions"):
            Review(replace(record, plies=plies), judge)
    with pytest.raises(OptionError, match="A review is made by a Reviewer"):
        Review(*any_of(record, 7))
    for known in any_of(7, [7], "ab"):
        with pytest.raises(OptionError, match="What is known of a review"):
            Review(record, judge, known)


def test_a_ply_of_a_review_is_read_from_its_own_json_only() -> None:
    content = ReviewedPly(1, "up", 1, 0.5, 0.4, best="left", line=("left",)).content()
    assert ReviewedPly.of_content(content).best == "left"
    for wrong in any_of(
        7,
        {},
        content | {"more": 1},
        content | {"value": "x"},
        content | {"line": [7]},
        content | {"accepted": [7]},
        content | {"accepted": [["up", "x"]]},
    ):
        with pytest.raises(RecordError, match="ply of a review"):
            ReviewedPly.of_content(wrong)


# ---- puzzles and lessons ----


def test_a_puzzle_is_started_and_answered_in_its_own_game() -> None:
    puzzle = find("gaterun").puzzles()[0]
    assert puzzle.refutation(puzzle.solution) is None
    with pytest.raises(MalformedAction, match="The name of a move is text, not 7"):
        puzzle.refutation(*any_of(7))
    with pytest.raises(MalformedAction, match="The puzzle says nothing of the move 'up'"):
        replace(puzzle, wrong=()).refutation("up")
    for kind in any_of(find("gamma"), 7, None):
        with pytest.raises(OptionError, match="This is a puzzle of the game 'gaterun', not of"):
            puzzle.start(kind)


def test_a_puzzle_is_read_from_its_own_json_only() -> None:
    puzzle = find("gaterun").puzzles()[0]
    content = puzzle.json()
    assert Puzzle.of_json("gaterun", content) == puzzle
    for wrong in any_of(
        7,
        {},
        content | {"more": 1},
        content | {"rating": "x"},
        content | {"line": []},
        content | {"line": [7]},
        content | {"wrong": [7]},
        content | {"wrong": [["loss", "up", [7]]]},
    ):
        with pytest.raises(RecordError, match="uzzle"):
            Puzzle.of_json("gaterun", wrong)


def test_a_lesson_is_played_in_its_own_game() -> None:
    cls = find("gaterun")
    lesson = cls.lesson()
    assert lesson is not None
    game = cls.make(**lesson.options)
    assert len(list(lesson.play(game))) == len(lesson.steps)
    for wrong, message in any_of(
        (7, "A lesson is played in a game, not in 7"),
        (rookery.game("gamma"), "This is not the lesson of Gamma"),
        (rookery.game("gaterun", size=7), "The lesson of GateRun takes a game with its own options"),
    ):
        with pytest.raises(OptionError, match=message):
            lesson.first(wrong)
    for movers in any_of(7, "ab", [1, -1], [None]):
        for call in (lesson.step, lesson.reply):
            with pytest.raises(OptionError, match="The players who have moved are a list"):
                call(movers)
    with pytest.raises(OptionError, match="choose takes a whole number from 0"):
        next(lesson.play(game, -1))
    for ply in any_of(-1, 1.5, "x"):
        with pytest.raises(OptionError, match="ply takes a whole number from 0"):
            chance_stream(1, ply)
