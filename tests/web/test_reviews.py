"""Reviews over HTTP: made once and kept, cancelled when nobody asks, refused where they would help in a game."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import pytest
from tests.web.arcade import Arcade, Person, Refusal

import rookery
from rookery.core.record import Record
from rookery.core.stream import Stream

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def arcade(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arcade]:
    """An arcade that soon stops what nobody asks for."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ROOKERY_REVIEW_PATIENCE", "1.5")
        server = Arcade(tmp_path_factory.mktemp("arcade") / "arcade.db")
        yield server
        server.end()
    assert server.log.read_text() == ""


def uploaded(person: Person, name: str, *plies: str, **options: Any) -> str:
    """The id of an uploaded record."""
    game = rookery.game(name, **options)
    state = game.start()
    for ply in plies:
        state.play(game.action(ply))
    line = Record.of(state).line()
    id: str = person.post("/api/records", json.loads(line))["id"]
    return id


def when_done(person: Person, id: str) -> dict[str, Any]:
    """The review, once it is done."""
    found: dict[str, Any] = person.post(f"/api/games/{id}/review")
    end = time.monotonic() + 60
    while found["status"] != "done":
        assert found["status"] == "running" and time.monotonic() < end
        time.sleep(0.1)
        found = person.get(f"/api/games/{id}/review")
    return found


def test_a_review_is_made_once_and_kept(arcade: Arcade, ada: Person, bob: Person) -> None:
    id = uploaded(ada, "gaterun", "1,1", "2,0", "0,1", size=3, walls=0)
    assert ada.get(f"/api/games/{id}/review")["status"] == "stopped"
    found = when_done(ada, id)
    assert (found["done"], found["total"], found["scale"]["kind"]) == (3, 3, "win")
    third = found["plies"][2]
    assert (third["grade"], third["best"], third["why"]) == ("blunder", "2,1", "The step to b1 wins in 1 move.")
    assert third["text"] == "100% → 50% to win" and [each["text"] for each in third["course"]] == ["100%", "50%"]
    second = found["plies"][1]
    assert second["value"] == 1 - second["course"][0]["value"], "the graph is the first player's"
    assert [grade["name"] for grade in found["grades"] if grade["fault"]] == ["inaccuracy", "mistake", "blunder"]
    assert found["players"][0]["grades"]["blunder"] == 1
    arcade.end()
    arcade.start()
    assert bob.get(f"/api/games/{id}/review") == found
    assert bob.get(f"/api/games/{id}/review?first=2")["plies"] == [third]


def test_reasons_call_each_reader_you_and_the_others_by_name(arcade: Arcade, ada: Person, bob: Person) -> None:
    cem = arcade.person()
    ada.ask("PATCH", "/api/me", {"name": "Ada"})
    info = ada.set_up("gaterun", "here", "invite", options={"size": 3, "walls": 0})
    bob.post(f"/api/games/{info['id']}/join", {"token": info["invite"].partition("#")[2]})
    for number, step in enumerate(("0,2", "1,1", "0,1", "1,2", "1,1", "0,2")):
        (ada, bob)[number % 2].post(f"/api/games/{info['id']}/actions", {"action": step})
    read = {person: when_done(person, info["id"])["plies"][4]["why"] for person in (ada, bob, cem)}
    assert read == {
        ada: "After “step to b2” your opponent wins in 1 move.",
        bob: "After “step to b2” you win in 1 move.",
        cem: "After “step to b2” player 2 wins in 1 move.",
    }


def test_a_review_that_was_made_in_another_way_is_made_anew(arcade: Arcade, ada: Person) -> None:
    id = uploaded(ada, "gaterun", "1,1", "2,0", "0,1", size=3, walls=0)
    found = when_done(ada, id)
    arcade.sql("UPDATE reviews SET made = '0 ' || made, worked = 0 WHERE game_id = :id", id=id)
    arcade.sql("UPDATE reviewed SET content = replace(content, 'wins in', 'may win in') WHERE game_id = :id", id=id)
    assert ada.get(f"/api/games/{id}/review")["status"] == "stopped"
    assert when_done(ada, id) == found


def test_a_game_that_goes_on_against_people_and_the_challenge_of_today_are_refused(ada: Person, bob: Person) -> None:
    info = ada.set_up("gaterun", "here", "invite")
    bob.post(f"/api/games/{info['id']}/join", {"token": info["invite"].partition("#")[2]})
    for person in (ada, bob):
        with pytest.raises(Refusal, match="still being played; it can be reviewed when it is over") as refusal:
            person.post(f"/api/games/{info['id']}/review")
        assert refusal.value.status == 409
    daily = ada.post("/api/daily/gaterun", {})
    with pytest.raises(Refusal, match="reviewed tomorrow"):
        ada.post(f"/api/games/{daily['id']}/review")
    with pytest.raises(Refusal, match="no game at this address"):
        ada.post("/api/games/nothing/review")


def long_game(person: Person) -> str:
    """The id of a game of GateRun with about eighty plies at random."""
    game, stream = rookery.game("gaterun"), Stream(1)
    state = game.start()
    while not state.over:
        state.play(state.pick(stream))
    id: str = person.post("/api/records", json.loads(Record.of(state).line()))["id"]
    return id


def test_a_review_leaves_moves_quick_stops_when_nobody_asks_and_goes_on_later(ada: Person, bob: Person) -> None:
    id, info = long_game(ada), bob.set_up("gaterun")
    slowest = 0.0
    with bob.at(info["id"]) as page:
        for step in ("1,3", "2,3"):
            assert ada.post(f"/api/games/{id}/review")["status"] == "running"
            began = time.monotonic()
            page.play(step)
            page.until(lambda page: page.shown["mine"])
            slowest = max(slowest, time.monotonic() - began)
    assert slowest < 2.0
    end = time.monotonic() + 30
    while not (left := ada.post(f"/api/games/{id}/review"))["done"]:
        assert time.monotonic() < end
        time.sleep(0.1)
    assert left["status"] == "running" and left["done"] < left["total"]
    time.sleep(4)  # nobody asks
    stopped = ada.get(f"/api/games/{id}/review")
    assert stopped["status"] == "stopped" and left["done"] <= stopped["done"] < stopped["total"]
    time.sleep(1)
    assert ada.get(f"/api/games/{id}/review")["done"] == stopped["done"]
    again = ada.post(f"/api/games/{id}/review")
    assert again["status"] == "running" and again["done"] >= stopped["done"]
