"""Checks of text forms: the names of actions, positions as text and JSON, and records."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from rookery.conformance.sampling import random_game, sampled_codes
from rookery.core.errors import MalformedAction, PositionError, RookeryError
from rookery.core.record import Record, load

if TYPE_CHECKING:
    from collections.abc import Callable

    from rookery.core.game import Game


def names_are_unique(game: Game, seed: int) -> None:
    """Every action and outcome has a unique name that reads back, in upper and lower case; other texts are refused."""
    codes = range(game.code_count) if game.code_count <= 6000 else [*range(1000), *sampled_codes(game, seed)]
    names = {game.name_of(code) for code in codes}
    assert len(names) == len(set(codes)), "two actions share a name"
    for code in codes:
        name = game.name_of(code)
        for text in (name, name.upper(), f"  {name} "):
            assert game.action(text) == code, f"'{text}' reads as {game.action(text)}, not {code}"
    for text in ("", " ", "nonsense", "0", "-1", "1,", ",1", "9999,9999", "a b c", "١,٢", "m 1", "\0", "pass pass"):
        try:
            game.action(text)
        except MalformedAction as error:
            assert str(error).endswith("."), f"not a sentence: {error}"
        else:
            raise AssertionError(f"'{text}' was read as an action")


def positions_read_back(game: Game, seed: int) -> None:
    """The text and the JSON of every position read back as the same position; other values are refused."""
    for state in random_game(game, seed):
        text, fields = state.position(), json.loads(json.dumps(state.json()))
        assert "\n" not in text, "a position has several lines of text"
        for given in (text, fields):
            again = game.position(given)
            assert again.key() == state.key(), f"{given} reads back as another position"
            assert again.position() == text, f"{text} became {again.position()}"
            assert again.scores() == state.scores(), f"{text} lost its scores"
    broken: list[Any] = [
        "",
        "nonsense",
        {},
        {"rows": 5},
        text[: len(text) // 2],
        text + " x y z",
        {**fields, "turn": []},
    ]
    for given in broken:
        try:
            again = game.position(given)
        except PositionError as error:
            assert len(str(error)) > 20, f"not a sentence: {error}"
        else:
            assert given == {**fields, "turn": []} and "turn" not in fields, f"{given} was read as a position"


def records_replay(game: Game, seed: int) -> None:
    """A record reads back and replays to every ply, from the start of the game or from another position."""
    state = game.start()
    keys = []
    for state in random_game(game, seed):
        keys.append(state.key())
    line = Record.of(state).line()
    assert "\n" not in line, "a record has several lines"
    record = load(line, _maker_of(game))
    assert record.line() == line, "a record changed when read"
    assert [each.key() for each in record.states()] == keys, "a record replays differently"
    assert record.replay(len(keys) // 2).key() == keys[len(keys) // 2]
    later = game.position(record.replay(len(keys) // 2).position())
    for action in state.history[len(keys) // 2 :]:
        later.play(action)
    again = load(Record.of(later).line(), _maker_of(game)).verify()
    assert again.key() == state.key(), "a record that starts from another position ends differently"


def _maker_of(game: Game) -> Callable[..., Game]:
    """What `load` calls to create the game of a record, which need not be in the registry."""

    def make(name: str, **options: Any) -> Game:
        if name != game.name:
            raise RookeryError(f"There is no game '{name}'.")
        return type(game).make(**options)

    return make
