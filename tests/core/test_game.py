"""What surfaces ask of any game: the default answers, and how achievements are ranked and worded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.games.spread import GAMES, THIN_ICE, label

import rookery
from rookery.core.game import Achievement, Challenge
from rookery.core.notation import counted, plain
from rookery.games import BUILT_IN, find, from_file

if TYPE_CHECKING:
    from rookery.core.game import Game
    from rookery.core.state import State


def on_four_floes(*texts: str) -> State:
    """A game of Thin Ice on 2×2 floes."""
    state = from_file(THIN_ICE).make(rows=2, cols=2).start()
    for text in texts:
        state.play(state.game.action(text))
    return state


def test_unless_a_game_says_otherwise_its_achievement_is_the_score() -> None:
    state = on_four_floes("down", "up")
    assert state.over
    assert state.game.achievement(state, 1) == Achievement(0, "0 points")
    assert state.game.achievement(state, 2) == Achievement(1, "1 point")
    early = on_four_floes("down")
    assert early.game.achievement(early, 1) is None


def test_unless_a_game_says_otherwise_a_challenge_is_the_game_as_it_comes_against_level_5() -> None:
    assert from_file(THIN_ICE).challenges() == (Challenge({}, ("5",)),)


def test_unless_a_game_says_otherwise_it_shows_itself_off_as_it_comes_and_has_no_sheet() -> None:
    cls = from_file(THIN_ICE)
    assert cls.demo() == cls()
    assert cls().printout() is None


def test_where_length_counts_sooner_wins_and_later_losses_are_better_with_draws_between() -> None:
    ranked = [
        Achievement.by_length(1, 9, "ply"),
        Achievement.by_length(1, 300, "ply"),
        Achievement.by_length(0.5, 300, "ply"),
        Achievement.by_length(0, 300, "ply"),
        Achievement.by_length(0, 9, "ply"),
    ]
    assert ranked == sorted(ranked, key=lambda each: -each.points)
    assert len({each.points for each in ranked}) == len(ranked)
    assert [each.text for each in ranked] == [
        "won in 9 plies",
        "won in 300 plies",
        "draw after 300 plies",
        "lost after 300 plies",
        "lost after 9 plies",
    ]
    assert Achievement.by_length(0.5, 20, "ply").points == Achievement.by_length(0.5, 300, "ply").points


def test_things_are_counted_in_words_and_scores_have_no_needless_point() -> None:
    assert [counted(1, "ply"), counted(2, "ply"), counted(0, "cell"), counted(0.5, "point")] == [
        "1 ply",
        "2 plies",
        "0 cells",
        "0.5 points",
    ]
    assert [repr(plain(3.0)), repr(plain(0.5)), repr(plain(-2))] == ["3", "0.5", "-2"]


@pytest.mark.parametrize("game", GAMES, ids=label)
def test_the_rules_in_a_minute_are_a_few_short_paragraphs(game: Game) -> None:
    quick_rules = game.quick_rules()
    assert 3 <= len(quick_rules) <= 6
    assert all(len(paragraph) <= 260 for paragraph in quick_rules)
    assert sum(len(paragraph.split()) for paragraph in quick_rules) <= 200, "a minute is about 200 words"


@pytest.mark.parametrize("name", BUILT_IN)
def test_there_are_challenges_for_one_to_two_weeks_each_another(name: str) -> None:
    challenges = find(name).challenges()
    assert 7 <= len(challenges) <= 14
    games = [(rookery.game(name, **challenge.options), challenge.opponents) for challenge in challenges]
    assert len(set(games)) == len(games)


@pytest.mark.parametrize(
    ("name", "rows", "cols", "players"),
    [("gotham", 7, 7, 1), ("gamma", 6, 6, 2), ("sixseven", 4, 5, 1), ("gaterun", 5, 5, 2)],
)
def test_games_show_off_on_small_boards(name: str, rows: int, cols: int, players: int) -> None:
    demo = find(name).demo()
    scene = demo.start().scene()
    assert (scene.rows, scene.cols, demo.players) == (rows, cols, players)


def test_only_gotham_loops_is_printed_and_only_it_pauses() -> None:
    for name in ("gamma", "sixseven", "gaterun"):
        assert rookery.game(name).printout() is None
        assert rookery.game(name).start().scene().pause == ""
