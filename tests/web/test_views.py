"""What a person is told of games in lists: what the players are called, who plays, and how it ended."""

from __future__ import annotations

from typing import Any

from rookery.web.domain import DELETED_PERSON, Seat, StoredGame
from rookery.web.views import game_info

NOW = 1_800_000_000.0


def person(number: int, name: str = "", holder: str | None = None) -> Seat:
    return Seat(number, "person", name, holder or f"holder {number}")


def bot(number: int, level: str = "3") -> Seat:
    return Seat(number, "bot", bot=level)


def told(*seats: Seat, game: str = "gaterun", by: str = "holder 1", **more: Any) -> Any:
    """The game as the holder of the first seat sees it, or somebody else."""
    options = {"players": len(seats)} if game == "gamma" else {}
    return game_info(StoredGame("id", game, options, 1, "holder 1", list(seats), **more), by, NOW)


def test_each_calls_themselves_you_and_the_others_by_name() -> None:
    ada, ida = person(1, "Ada"), person(2, "Ida")
    assert [seat.name for seat in told(ada, ida).seats] == ["You", "Ida"]
    assert [seat.name for seat in told(ada, ida, by="holder 2").seats] == ["Ada", "You"]
    assert [seat.name for seat in told(ada, ida, by="").seats] == ["Ada", "Ida"]
    assert [seat.label for seat in told(ada, ida).seats] == ["Ada", "Ida"]


def test_players_of_one_name_are_told_apart_and_nobody_else_is_called_you() -> None:
    seats = told(person(1, "Ada"), bot(2), bot(3), Seat(4, "open"), game="gamma").seats
    assert [seat.name for seat in seats] == ["You", "Casual bot 2", "Casual bot 3", "Open seat"]
    both = person(1, "Ada"), person(2, "Ada", "holder 1")
    assert [seat.name for seat in told(*both).seats] == ["Player 1", "Player 2"]
    assert [seat.name for seat in told(person(1, "You"), person(2, DELETED_PERSON), by="").seats] == [
        "Player 1",
        "Player 2",
    ]
    assert told(person(1), game="gotham", by="").seats[0].name == "Somebody"


def test_who_plays_is_told_in_a_few_words() -> None:
    me, ida = person(1), person(2, "Ida")
    assert told(me, ida).people == "You and Ida"
    assert told(me, ida, by="holder 2").people == "Somebody and you"
    assert told(me, person(2), bot(3), game="gamma").people == "You, somebody and Casual bot"
    assert told(me, Seat(2, "open"), Seat(3, "open"), game="gamma").people == "You and 2 open seats"
    assert told(me, person(2, holder="holder 1")).people == "2 on one screen"


def result(*seats: Seat, winners: list[int], by: str = "holder 1", **more: Any) -> str | None:
    found: str | None = told(*seats, by=by, status="over", result={"winners": winners, "scores": [1.0]}, **more).result
    return found


def test_a_result_is_told_from_the_readers_side() -> None:
    seats = person(1), person(2, "Ida")
    assert told(*seats).result is None
    assert result(*seats, winners=[1]) == "Won"
    assert result(*seats, winners=[2]) == "Lost"
    assert result(*seats, winners=[2], by="") == "Ida won"
    assert result(*seats, winners=[1], by="") == "Player 1 won"
    assert result(*seats, winners=[1, 2]) == result(*seats, winners=[]) == "Draw"
    assert result(*seats, winners=[2], ending={"how": "time", "player": 1}) == "Lost on time"
    assert result(*seats, winners=[1], ending={"how": "resigned", "player": 2}) == "Won by resignation"


def test_the_result_of_who_plays_alone_is_what_they_achieved() -> None:
    alone = person(1)
    assert result(alone, winners=[], game="gotham", achievement="all rounds in 30 steps") == "All rounds in 30 steps"
    assert result(alone, winners=[], game="gotham") == "1 point"


def test_todays_challenge_is_reviewed_tomorrow() -> None:
    assert told(person(1), bot(2), status="over").may.review
    assert not told(person(1), person(2)).may.review
    assert not told(person(1), bot(2), status="over", kind="daily", day="2027-01-15").may.review
    assert told(person(1), bot(2), status="over", kind="daily", day="2027-01-14").may.review
