"""Records: one JSON line that replays; an error names the ply in a sentence."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rookery
from rookery.core.errors import RecordError
from rookery.core.record import Record
from rookery.core.rules import CHANCE
from rookery.core.stream import Stream
from rookery.games import BUILT_IN

if TYPE_CHECKING:
    from pathlib import Path


def finished(name: str, **options: Any) -> Record:
    """The record of a random game played to its end."""
    state, stream = rookery.game(name, **options).start(), Stream(3)
    while not state.over:
        state.play(state.draw(stream) if state.turn == CHANCE else stream.pick(state.actions()))
    return Record.of(state)


GATERUN = finished("gaterun", size=5, walls=2)


def changed(**fields: Any) -> str:
    return json.dumps({**json.loads(GATERUN.line()), **fields})


def refusal(line: str) -> str:
    with pytest.raises(RecordError) as caught:
        rookery.record(line)
    return str(caught.value)


def test_a_record_is_one_readable_line() -> None:
    state = rookery.game("gaterun", size=3).start()
    for text in ("1,1", "0,0|0,1"):
        state.play(state.game.action(text))
    assert Record.of(state, ("you", "minimax:depth=2")).line() == (
        '{"rookery": 1, "game": "gaterun", "options": {"size": 3, "walls": 8, "walls2": null, "jump": false, '
        '"rotate": false}, "players": ["you", "minimax:depth=2"], "plies": ["1,1", "0,0|0,1"]}'
    )


def test_chance_outcomes_are_in_the_record_and_need_no_generator() -> None:
    game = rookery.game("gotham")
    state = game.start()
    for name in ("up", "safe", "up", "caught", "left", "safe", "right"):
        state.play(game.action(name))
    record = rookery.record(Record.of(state).line())
    assert record.plies == ("up", "safe", "up", "caught", "left", "safe", "right")
    assert record.replay().scores() == (1.0,)
    assert record.replay(4).json()["round"] == 2


def test_a_finished_game_carries_its_result_and_a_false_one_is_refused() -> None:
    assert GATERUN.result is not None
    assert rookery.record(GATERUN.line()) == GATERUN
    lie = changed(result={"scores": [7, 0], "winners": [1]})
    assert refusal(lie).startswith('The record says the result is {"scores": [7, 0], "winners": [1]} after ply')
    assert "the game goes on" in refusal(changed(plies=list(GATERUN.plies[:-1])))


@pytest.mark.parametrize("name", BUILT_IN)
def test_wherever_a_record_is_cut_off_it_is_refused(name: str) -> None:
    line = finished(name, **({"size": 5} if name == "gotham" else {})).line()
    for end in [*range(min(len(line), 400)), *range(400, len(line), 37)]:
        message = refusal(line[:end])
        assert message.endswith("."), message
        if end > line.index('"plies": [') + 10:
            assert "breaks off at character" in message, message
            assert "ply" in message, message


def test_the_ply_in_which_a_record_breaks_off_is_named() -> None:
    line = GATERUN.line()
    third = line.index('"' + GATERUN.plies[2] + '"', line.index("plies"))
    assert refusal(line[: third + 2]).endswith("in ply 3.")
    assert refusal(line[: line.index("plies") - 3]).endswith("before ply 1.")
    assert refusal(line[:-3]).endswith(f"after ply {len(GATERUN.plies)}.")


@given(st.data())
def test_a_record_with_a_wrong_byte_is_refused_or_tells_the_same(data: st.DataObject) -> None:
    line = GATERUN.line()
    at = data.draw(st.integers(0, len(line) - 1))
    letter = data.draw(st.characters(codec="utf-8"))
    damaged = line[:at] + letter + line[at + 1 :]
    try:
        record = rookery.record(damaged)
    except RecordError as error:
        assert str(error).endswith((".", ".'")), error
    else:
        assert record.verify().over


@given(st.text(max_size=80))
def test_no_text_gets_anything_but_a_refusal(text: str) -> None:
    assert refusal(text)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "This is not a Rookery record: a record is one line of JSON."),
        ("[1, 2]", "This is not a Rookery record: a record is a JSON object with 'rookery', its version, in it."),
        ('{"game": "gaterun"}', "This is not a Rookery record: a record is a JSON object with 'rookery', its version, in it."),
        (changed(rookery=3), "This record has version 3; this Rookery reads up to version 2. Update Rookery."),
        (changed(rookery="1"), "This record names its version as '1'; versions are whole numbers from 1."),
        (changed(rookery=True), "This record names its version as True; versions are whole numbers from 1."),
        (changed(moves=[]), "A record has no field 'moves'; it has rookery, game, options, start, players, plies, ending, result, tags."),
        (changed(options={"size": 9}), "The record's game cannot be set up: size takes a whole number from 3 to 7, not 9."),
        (changed(options={"name": 9}), "The record's game cannot be set up: GateRun has no option 'name'; it has size, walls, walls2, jump, rotate."),
        (changed(options=[]), "The record's 'options' must be an object of the game's options, not []."),
        (changed(players=["a"]), "The record names 1 player, but the game has 2."),
        (changed(players=["a", 5]), "Player 2 of the record must be a name, not 5."),
        (changed(plies=["1,2", 7]), "Ply 2 must be an action's name, not 7."),
        (changed(plies=["1,2", "9,9"]), "Ply 2, '9,9', cannot be played: '9,9' is not an action of GateRun; steps look like 1,2, walls like 1,1|1,2."),
        (changed(plies=["1,2", "0,2"]), "Ply 2, '0,2', cannot be played: A step goes to a cell next to your pawn."),
        (changed(plies=[]), f"The record says the result is {json.dumps(GATERUN.result)} after ply 0, but the rules say the game goes on."),
        (changed(start="nonsense"), "The record's start (ply 0) cannot be set up: This is not a position of GateRun; one looks like: 0,2/4,2 - P1 2/2 -/- 0"),
        (changed(tags={"event": 5}), "The record's tags must be texts."),
        (GATERUN.line() + " {}", f"The record has something after its end, from character {len(GATERUN.line()) + 2} on."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_a_sentence(line: str, message: str) -> None:
    assert refusal(line) == message


def test_a_foreign_game_is_refused_and_its_name_is_never_taken_for_a_file(tmp_path: Path) -> None:
    assert refusal(changed(game="chess")).startswith(
        "The record's game cannot be set up: There is no game 'chess'; there are"
    )
    trap, sprung = tmp_path / "trap.py", tmp_path / "sprung"
    trap.write_text(f"open({str(sprung)!r}, 'w')")
    assert "There is no game" in refusal(changed(game=str(trap)))
    assert not sprung.exists()


def test_deep_nesting_and_endless_numbers_are_refused() -> None:
    assert refusal('{"rookery":' + "[" * 100_000)
    assert refusal('{"rookery":' + "9" * 5000 + "}")
    assert "rate takes a number from 0 to 1" in refusal(changed(game="sixseven", options={"rate": 10**400}))
    nested = (
        '{"rookery": 1, "game": "gaterun", "options": {"size": '
        + "[" * 990
        + "]" * 990
        + '}, "players": [], "plies": []}'
    )
    # How deep is too deep differs between versions of Python.
    assert refusal(nested).startswith(
        ("This is not a Rookery record", "The record's game cannot be set up: size takes")
    )


def test_a_record_names_as_many_players_as_there_are() -> None:
    with pytest.raises(RecordError, match="A record of GateRun names 2 players, not 1"):
        Record.of(rookery.game("gaterun").start(), ("ann",))


def test_a_record_from_a_set_position_replays_from_there() -> None:
    game = rookery.game("gaterun", size=3, walls=1)
    state = game.position("1,1/2,1 1,0|1,1 P1 1/0 -/- 2")
    state.play(game.action("1,1|1,2"))
    record = rookery.record(Record.of(state).line())
    assert record.start == "1,1/2,1 1,0|1,1 P1 1/0 -/- 2"
    assert record.replay(0).position() == record.start
    assert record.replay().position() == state.position()
    with pytest.raises(RecordError, match="The record ends with ply 1; there is no ply 2"):
        record.replay(2)


def test_tags_are_kept() -> None:
    state = rookery.game("sixseven").start()
    record = rookery.record(Record.of(state, tags={"event": "kitchen table — №1"}).line())
    assert record.tags == {"event": "kitchen table — №1"}


def given_up(how: str = "resigned", player: int = 2) -> Record:
    """A game of GateRun that a player ended after two plies."""
    state = rookery.game("gaterun", size=5).start()
    for text in ("1,2", "3,2"):
        state.play(state.game.action(text))
    return Record.of(state, ("ann", "ben"), ending={"how": how, "player": player})


def altered(**fields: Any) -> str:
    return json.dumps({**json.loads(given_up().line()), **fields})


@pytest.mark.parametrize(
    ("how", "player", "words"),
    [
        ("resigned", 2, "Player 2 resigned: the win goes to player 1."),
        ("time", 1, "Player 1 ran out of time: the win goes to player 2."),
    ],
)
def test_a_player_who_gives_up_or_runs_out_of_time_leaves_the_win_to_the_other(
    how: str, player: int, words: str
) -> None:
    record = given_up(how, player)
    content = json.loads(record.line())
    assert content["ending"] == {"how": how, "player": player}
    assert content["result"] == {"scores": [0, 0], "winners": [3 - player]}
    again = rookery.record(record.line())
    assert again == record
    assert again.ended == words
    assert not again.verify().over, "by the rules the game could go on"


def test_only_a_record_with_an_ending_has_version_2_so_that_older_readers_read_the_others() -> None:
    assert json.loads(given_up().line())["rookery"] == 2
    assert json.loads(GATERUN.line())["rookery"] == 1
    assert GATERUN.ended == ""
    assert rookery.record(changed(rookery=2)).line() == GATERUN.line()


def test_among_several_the_best_of_the_others_win() -> None:
    game = rookery.game("gamma", width=4, height=2, players=4)
    state = game.position("1123/14.. 2 - -")
    for player, winners in ((1, [2, 3, 4]), (2, [1]), (4, [1])):
        record = Record.of(state, ending={"how": "time", "player": player})
        assert record.result == {"scores": [3, 1, 1, 1], "winners": winners}
        assert rookery.record(record.line()) == record
    assert Record.of(state, ending={"how": "resigned", "player": 1}).ended == (
        "Player 1 resigned: the win goes to players 2, 3 and 4."
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (altered(rookery=1), "This record has version 1, in which there is no 'ending'; that came with version 2."),
        (altered(ending="resigned"), "The record's 'ending' must be an object, not 'resigned'."),
        (altered(ending=None), "The record's 'ending' must be an object, not None."),
        (altered(ending={}), "A record's ending has 'how' and 'player', not {}."),
        (altered(ending={"how": "time"}), "A record's ending has 'how' and 'player', not {'how': 'time'}."),
        (altered(ending={"how": "bored", "player": 2}), "The 'how' of a record's ending is one of resigned, time, not 'bored'."),
        (altered(ending={"how": ["time"], "player": 2}), "The 'how' of a record's ending is one of resigned, time, not ['time']."),
        (altered(ending={"how": "time", "player": 3}), "The 'player' of a record's ending is one from 1 to 2, not 3."),
        (altered(ending={"how": "time", "player": 0}), "The 'player' of a record's ending is one from 1 to 2, not 0."),
        (altered(ending={"how": "time", "player": True}), "The 'player' of a record's ending is one from 1 to 2, not True."),
        (altered(ending={"how": "time", "player": 1}), 'The record says the result is {"scores": [0, 0], "winners": [1]} after ply 2, but as player 1 ran out of time, the result is {"scores": [0, 0], "winners": [2]}.'),
        (altered(result={"scores": [1, 0], "winners": [1]}), 'The record says the result is {"scores": [1, 0], "winners": [1]} after ply 2, but as player 2 resigned, the result is {"scores": [0, 0], "winners": [1]}.'),
        (changed(rookery=2, ending={"how": "time", "player": 1}), f"The record says that player 1 ran out of time, but the rules had ended the game with ply {len(GATERUN.plies)}."),
    ],
)  # fmt: skip
def test_an_ending_that_cannot_be_is_refused(line: str, message: str) -> None:
    assert refusal(line) == message


def test_a_result_goes_with_every_ending() -> None:
    content = json.loads(given_up().line())
    del content["result"]
    assert refusal(json.dumps(content)) == (
        "The record says the game goes on after ply 2, "
        'but as player 2 resigned, the result is {"scores": [0, 0], "winners": [1]}.'
    )


@pytest.mark.parametrize("name", ["gotham", "sixseven"])
def test_a_game_for_one_player_ends_by_the_rules_alone(name: str) -> None:
    with pytest.raises(RecordError, match="A game for one player ends by the rules alone; its record has no ending"):
        Record.of(rookery.game(name).start(), ending={"how": "resigned", "player": 1})


def test_a_game_that_is_over_cannot_be_given_up() -> None:
    with pytest.raises(RecordError, match="The record says that player 2 resigned, but the rules had ended the game"):
        Record.of(GATERUN.replay(), ending={"how": "resigned", "player": 2})


def test_the_log_of_a_game_has_the_odds_of_every_outcome() -> None:
    game = rookery.game("gotham", rules="app")
    state = game.start()
    for name in ("up", "safe", "up", "caught", "left", "safe", "right"):
        state.play(game.action(name))
    steps = list(Record.of(state).steps())
    assert [step["name"] for step in steps] == ["up", "safe", "up", "caught", "left", "safe", "right"]
    assert steps[0] == {"ply": 1, "player": 1, "name": "up", "round": 1, "cell": "6,6", "points": 0, "scores": [0]}
    assert steps[3] | {"probability": 0} == {
        "ply": 4, "player": 0, "name": "caught", "probability": 0, "round": 1, "cell": "4,6", "points": 1, "scores": [0],
    }  # fmt: skip
    assert steps[1]["probability"] == pytest.approx(0.968323647976)
    assert steps[3]["probability"] == pytest.approx(1 - 0.957764863968)
    assert steps[-1]["scores"] == [1] and "probability" not in steps[-1]


def test_the_log_of_a_wrong_record_gets_the_same_sentence_as_the_record() -> None:
    record = Record(rookery.game("gotham"), ("",), ("up", "left"))
    with pytest.raises(RecordError, match="Ply 2, 'left', cannot be played"):
        list(record.steps())
