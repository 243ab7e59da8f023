"""What players are called: themselves "You", others by name, bots by their strength."""

from __future__ import annotations

import pytest

import rookery
from rookery.core.bot import make_bot
from rookery.core.names import NOBODY, Names
from rookery.core.strength import bot_name, level_names, mechanics, told_apart


def test_a_reader_is_you_and_the_others_have_names() -> None:
    names = Names(("Ada", "Bo", ""), you=2)
    assert names.all(3) == ("Ada", "You", "Player 3")
    assert [names.whose(player) for player in (1, 2, 3)] == ["Ada's", "your", "Player 3's"]
    assert [names.owned(player) for player in (1, 2)] == ["Ada's", "yours"]
    assert names.does(1, "win", "wins") == "Ada wins" and names.does(2, "win", "wins") == "You win"
    assert names.turn(1) == "Ada to move" and names.turn(2) == "Your turn"


def test_bots_are_named_by_their_strength() -> None:
    game = rookery.game("gaterun")
    assert bot_name(type(game), make_bot(game, "1")) == "Gentle bot"
    assert bot_name(type(game), make_bot(game, "10")) == "Relentless bot"
    assert bot_name(type(game), make_bot(game, "alphabeta:nodes=5000")) == "Strong bot"
    assert bot_name(type(game), make_bot(game, "alphabeta:nodes=77")) == "Alphabeta bot"
    assert len(set(level_names(type(game)))) == 10


def test_bots_of_the_same_name_are_told_apart_by_their_seats() -> None:
    assert told_apart(("", "Easy bot", "Keen bot", "Easy bot")) == ("", "Easy bot 2", "Keen bot", "Easy bot 4")


def test_how_a_bot_works_is_told_in_words() -> None:
    game = rookery.game("gamma")
    assert mechanics(make_bot(game, "3")) == "settler, 1 node, 50% random"
    assert mechanics(make_bot(game, "10")) == "settler, 100 ms per move"


def test_messages_call_players_by_their_names() -> None:
    state = rookery.game("gamma", width=2, height=1, areas=1).start()
    for you, said in ((0, "Ada to move."), (1, "Your turn."), (2, "Ada to move.")):
        assert state.scene(you, names=Names(("Ada", "Bo"), you)).message == said
    state.play(state.game.action("m 0 0"))
    scene = state.scene(1, names=Names(("Ada", "Bo"), 1))
    assert scene.message == "Bo to move." and scene.cells[0].name == "a1, yours, can be taken by a golden move"
    race = rookery.game("gaterun", size=3).start()
    assert race.scene(2, names=Names(("Ada", "Bo"), 2)).cells[1].name == "b3, your goal, Ada's pawn"


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (NOBODY, "Player 2 wins: player 2's way is shorter than player 1's, so player 1 loses. Player 1's turn."),
        (Names(("", "Ada"), 1), "Ada wins: Ada's way is shorter than yours, so you lose. Your turn."),
        (Names(("Ada", ""), 2), "You win: your way is shorter than Ada's, so Ada loses. Ada's turn."),
        (
            Names(("", ""), 1),
            "Your opponent wins: your opponent's way is shorter than yours, so you lose. Your turn.",
        ),
        (Names(("Al", "Bo", "{1}"), 3), "Bo wins: Bo's way is shorter than Al's, so Al loses. Al's turn."),
    ],
)
def test_a_text_kept_once_calls_the_players_what_each_reader_calls_them(names: Names, told: str) -> None:
    kept = "{2 win|wins}: {2 whose} way is shorter than {1 owned}, so {1 lose|loses}. {1 whose} turn."
    assert names.fill(kept) == told
