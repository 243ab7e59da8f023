"""The daily challenge: the same for everybody, once for each, checked by replaying, with a board and streaks."""

from __future__ import annotations

import random
from time import time
from typing import Any

import pytest
from tests.web.arcade import Arcade, Page, Person, Refusal

from rookery.games import BUILT_IN
from rookery.web.domain import today
from rookery.web.streaks import streaks


def play_out(page: Page, seed: int = 0) -> None:
    chooser = random.Random(seed)
    while not page.over:
        if page.shown["mine"] and page.choices:
            page.play(chooser.choice(page.choices))
        else:
            page.hear()


def mine(person: Person, game: str) -> dict[str, Any]:
    (found,) = (each for each in person.get("/api/daily")["games"] if each["game"] == game)
    assert isinstance(found, dict)
    return found


def test_everybody_gets_the_same_game_and_the_same_luck(ada: Person, bob: Person) -> None:
    for game in BUILT_IN:
        hers, his = ada.post(f"/api/daily/{game}"), bob.post(f"/api/daily/{game}")
        assert hers["id"] != his["id"] and hers["options"] == his["options"] and hers["kind"] == "daily"
        with ada.at(hers["id"]) as left, bob.at(his["id"]) as right:
            assert left.scene == right.scene
            for _ in range(4):
                for page in (left, right):
                    page.until(lambda page: page.over or page.shown["mine"])
                if left.over:
                    break
                assert left.choices == right.choices
                action = left.choices[0]
                left.play(action)
                right.play(action)
            for page in (left, right):
                page.until(lambda page: page.over or page.shown["mine"])
            assert left.plies == right.plies


def test_there_is_one_try_a_day_and_no_help(ada: Person) -> None:
    info = ada.post("/api/daily/gaterun")
    assert ada.post("/api/daily/gaterun")["id"] == info["id"]
    with ada.at(info["id"]) as page:
        page.until(lambda page: page.shown["mine"])
        page.play(page.choices[0])
        for request in ("undo", "redo", "restart", "analyse"):
            assert page.ask(request)["is"] == "refused", request
        assert page.ask("seat", seat=1, bot="10")["is"] == "refused"


@pytest.mark.parametrize("game", BUILT_IN)
def test_a_finished_challenge_is_on_the_board_with_its_words(arcade: Arcade, game: str) -> None:
    ada, bob = arcade.person(), arcade.person()
    ada.ask("PATCH", "/api/me", {"name": f"Ada of {game}"})
    for number, person in enumerate((ada, bob)):
        info = person.post(f"/api/daily/{game}")
        with person.at(info["id"]) as page:
            play_out(page, number)
    found = mine(ada, game)
    assert found["feat"] and 1 <= found["rank"] <= found["players"] >= 2 and found["streak"] == 1
    assert found["feat"] in found["share"] and today(time()) in found["share"]
    rows = ada.get(f"/api/daily/{game}/board")["rows"]
    (own,) = (row for row in rows if row["you"])
    assert own["name"] == f"Ada of {game}" and own["feat"] == found["feat"] and own["rank"] == found["rank"]
    ranks = [row["rank"] for row in rows]
    assert ranks == sorted(ranks) and ranks[0] == 1
    record = ada.get(f"/api/games/{own['id']}/record")
    assert record["result"] is not None


def test_a_result_stays_on_the_board_without_a_name_when_its_person_is_deleted(arcade: Arcade) -> None:
    def play(person: Person) -> None:
        with person.at(person.post("/api/daily/gotham")["id"]) as page:
            play_out(page)

    ada, bob = arcade.person(), arcade.person()
    ada.ask("PATCH", "/api/me", {"name": "Ada who tries twice"})
    play(ada)
    before = bob.get("/api/daily/gotham/board")["rows"]
    ada.ask("DELETE", "/api/me")
    after = bob.get("/api/daily/gotham/board")["rows"]
    assert after == [row | {"name": row["name"].replace("Ada who tries twice", "Somebody")} for row in before] != before
    again = arcade.person()
    play(again)
    rows = again.get("/api/daily/gotham/board")["rows"]
    assert [row["same"] for row in rows if row["you"]] == [True], "the same moves, with a new cookie"
    assert ada.get("/api/games")["games"] == [] and mine(ada, "gotham")["feat"] is None


def test_an_empty_board_and_a_wrong_day(ada: Person) -> None:
    assert ada.get("/api/daily/gotham/board?day=2001-01-01")["rows"] == []
    with pytest.raises(Refusal) as refusal:
        ada.get("/api/daily/gotham/board?day=yesterday")
    assert refusal.value.status == 400
    with pytest.raises(Refusal) as refusal:
        ada.post("/api/daily/chess")
    assert refusal.value.status == 404


def test_a_game_with_other_luck_than_the_days_does_not_count(arcade: Arcade, ada: Person) -> None:
    info = ada.post("/api/daily/gotham")
    with ada.at(info["id"]) as page:
        page.play("up")
        (drawn,) = (name for name, by in page.plies if by == 0)
    arcade.end(kill=True)
    other = {"safe": "caught", "caught": "safe"}[drawn]
    arcade.sql("update plies set name = :other where game_id = :id and number = 1", other=other, id=info["id"])
    arcade.start()
    chooser = random.Random(5)
    with ada.at(info["id"]) as page:
        answer = {"is": "ack"}
        while answer["is"] == "ack" and not page.over:
            answer = page.play(chooser.choice(page.choices))
    counted = mine(ada, "gotham")["feat"]
    assert answer["is"] == "refused" and counted is None


def test_streaks_count_days_in_a_row_up_to_now() -> None:
    assert streaks([], "2026-11-16") == (0, 0)
    assert streaks(["2026-11-16"], "2026-11-16") == (1, 1)
    assert streaks(["2026-11-15", "2026-11-14"], "2026-11-16") == (2, 2)
    assert streaks(["2026-11-14", "2026-11-13", "2026-11-12"], "2026-11-16") == (0, 3)
    assert streaks(["2026-03-01", "2026-02-28", "2026-02-27", "2025-12-31"], "2026-03-01") == (3, 3)
