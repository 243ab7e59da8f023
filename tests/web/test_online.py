"""Games between people: invitations, presence, consent, rematches, watching, coming back."""

from __future__ import annotations

import pytest
from tests.web.arcade import Arcade, Person, Refusal


def invited(ada: Person, bob: Person, game: str = "gaterun") -> str:
    """A game between Ada, who begins, and Bob, who came by a link."""
    info = ada.set_up(game, "here", "invite")
    bob.post(f"/api/games/{info['id']}/join", {"token": info["invite"].partition("#")[2]})
    id: str = info["id"]
    return id


def test_a_game_waits_for_the_invited_and_begins_when_they_come(ada: Person, bob: Person) -> None:
    info = ada.set_up("gaterun", "here", "invite")
    assert info["status"] == "waiting" and info["seats"][1]["kind"] == "open"
    with ada.at(info["id"]) as page:
        assert page.ask("play", action="1,3")["why"] == "The game begins when every seat is taken."
        bob.post(f"/api/games/{info['id']}/join", {"token": info["invite"].partition("#")[2]})
        page.until(lambda page: page.info["status"] == "playing")
        assert page.info["invite"] is None and not page.info["local"]
        assert page.play("1,3")["is"] == "ack"


def test_each_plays_only_their_own_seat(ada: Person, bob: Person) -> None:
    id = invited(ada, bob)
    with ada.at(id) as hers, bob.at(id) as his:
        assert his.ask("play", action="1,3")["is"] == "refused" and not his.shown["mine"] and his.choices == []
        hers.play("1,3")
        his.until(lambda page: page.shown["mine"])
        assert hers.ask("play", action="5,3")["is"] == "refused"
        his.play("5,3")
        hers.until(lambda page: page.shown["ply"] == 2)


def test_whoever_has_no_seat_watches(arcade: Arcade, ada: Person, bob: Person) -> None:
    id = invited(ada, bob)
    eve = arcade.person()
    with ada.at(id) as hers, eve.at(id) as page:
        assert page.info["you"] == [] and page.info["invite"] is None
        assert page.ask("play", action="1,3")["why"] == "You are watching."
        for request in ("undo", "redo", "resign", "restart", "rematch", "analyse"):
            assert page.ask(request)["is"] == "refused", request
        assert page.ask("seat", seat=1, bot="3")["is"] == "refused"
        assert page.ask("answer", yes=True)["is"] == "refused"
        hers.until(lambda page: page.info["watchers"] == 1)
        hers.play("1,3")
        page.until(lambda page: page.shown["ply"] == 1)


def test_presence_is_seen_as_people_come_and_go(ada: Person, bob: Person) -> None:
    id = invited(ada, bob)
    with ada.at(id) as page:
        assert [seat["online"] for seat in page.info["seats"]] == [True, False]
        with bob.at(id):
            page.until(lambda page: page.info["seats"][1]["online"])
        page.until(lambda page: not page.info["seats"][1]["online"])


def test_taking_back_needs_the_others_consent(ada: Person, bob: Person) -> None:
    id = invited(ada, bob)
    with ada.at(id) as hers, bob.at(id) as his:
        hers.play("1,3")
        his.until(lambda page: page.shown["mine"])
        his.play("5,3")
        hers.until(lambda page: page.shown["ply"] == 2)
        assert hers.ask("undo")["is"] == "ack"
        his.until(lambda page: page.info["asked"] == {"what": "undo", "by": 1})
        assert hers.ask("answer", yes=True)["is"] == "refused" and hers.shown["ply"] == 2
        his.ask("answer", yes=False)
        for page in (hers, his):
            page.until(lambda page: page.info["asked"] is None)
        assert hers.shown["ply"] == 2
        hers.ask("undo")
        his.until(lambda page: page.info["asked"] is not None)
        his.ask("answer", yes=True)
        hers.until(lambda page: page.shown["ply"] == 0)
        his.until(lambda page: page.shown["ply"] == 0)
        assert hers.shown["mine"] and not his.shown["mine"] and hers.plies == []


def test_there_are_no_hints_against_people(ada: Person, bob: Person) -> None:
    id = invited(ada, bob)
    with ada.at(id) as page:
        assert not page.info["may"]["hint"] and page.ask("analyse")["is"] == "refused"


def test_a_rematch_changes_sides_and_is_one_for_both(ada: Person, bob: Person) -> None:
    id = invited(ada, bob)
    with ada.at(id) as hers, bob.at(id) as his:
        assert hers.ask("rematch")["is"] == "refused"
        his.ask("resign")
        hers.until(lambda page: page.over)
        again = hers.ask("rematch")["id"]
        his.until(lambda page: page.info["rematch"] == again)
        assert his.ask("rematch")["id"] == again
    assert [seat["yours"] for seat in ada.get(f"/api/games/{again}")["seats"]] == [False, True]
    assert [seat["yours"] for seat in bob.get(f"/api/games/{again}")["seats"]] == [True, False]


def test_a_bot_may_take_the_open_seat(ada: Person) -> None:
    info = ada.set_up("gaterun", "here", "invite")
    with ada.at(info["id"]) as page:
        assert page.info["may"]["switch"] == [2]
        page.ask("seat", seat=2, bot="4")
        page.until(lambda page: page.info["status"] == "playing")
        page.play("1,3")
        page.until(lambda page: page.shown["ply"] == 2)


def test_a_bot_plays_along_between_people(ada: Person, bob: Person) -> None:
    info = ada.set_up("gamma", "here", "invite", "3", options={"players": 3, "width": 5, "height": 5})
    bob.post(f"/api/games/{info['id']}/join", {"token": info["invite"].partition("#")[2]})
    with ada.at(info["id"]) as hers, bob.at(info["id"]) as his:
        hers.play(hers.choices[0])
        his.until(lambda page: page.shown["mine"])
        his.play(his.choices[0])
        hers.until(lambda page: page.shown["mine"])
        assert [by for _, by in hers.plies] == [1, 2, 3]


def test_invitations_are_for_one_game_and_for_open_seats_only(arcade: Arcade, ada: Person, bob: Person) -> None:
    info, other = ada.set_up("gaterun", "here", "invite"), ada.set_up("gaterun", "here", "invite")
    token = info["invite"].partition("#")[2]
    assert len(token) >= 20
    for wrong in ("", "guess", other["invite"].partition("#")[2], token[:-1]):
        with pytest.raises(Refusal) as refusal:
            bob.post(f"/api/games/{info['id']}/join", {"token": wrong})
        assert refusal.value.status == 409
    assert token not in str(bob.get(f"/api/games/{info['id']}"))
    bob.post(f"/api/games/{info['id']}/join", {"token": token})
    bob.post(f"/api/games/{info['id']}/join", {"token": token})
    with pytest.raises(Refusal, match="All seats are taken"):
        arcade.person().post(f"/api/games/{info['id']}/join", {"token": token})


def test_a_listed_game_can_be_found_joined_and_watched(ada: Person, bob: Person) -> None:
    info = ada.set_up("gaterun", "here", "invite", listed=True)
    private = ada.set_up("gaterun", "here", "invite")
    found = {game["id"] for game in bob.get("/api/games?which=join&limit=100")["games"]}
    assert info["id"] in found and private["id"] not in found
    bob.post(f"/api/games/{info['id']}/join", {"token": ""})
    assert info["id"] in {game["id"] for game in bob.get("/api/games?which=watch&limit=100")["games"]}
    assert info["id"] in {game["id"] for game in bob.get("/api/games?which=mine")["games"]}


def test_after_a_lost_connection_the_whole_picture_comes_back(ada: Person, bob: Person) -> None:
    id = invited(ada, bob)
    with ada.at(id) as page:
        page.play("1,3")
    with bob.at(id) as page:
        page.play("5,3")
    with ada.at(id) as page:
        assert page.plies == [("1,3", 1), ("5,3", 2)] and page.shown["mine"]
        assert "cells" in page.scene
