"""One's own page: a name, figures, all data to take along, and being forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.web.arcade import Arcade, Person, Refusal
from tests.web.test_games import play_out

from rookery.games import find
from rookery.web.schema import metadata

if TYPE_CHECKING:
    from pathlib import Path


def test_figures_count_wins_losses_draws_and_what_was_abandoned(arcade: Arcade, ada: Person, bob: Person) -> None:
    info = ada.set_up("gaterun", "here", "invite")
    bob.post(f"/api/games/{info['id']}/join", {"token": info["invite"].partition("#")[2]})
    with bob.at(info["id"]) as page:
        page.ask("resign")
    alone = ada.set_up("sixseven", options={"rows": 3, "cols": 3})
    with ada.at(alone["id"]) as page:
        play_out(page)
        won = page.info["winners"] == [1]
    city = ada.set_up("gotham")
    with ada.at(city["id"]) as page:
        play_out(page)
        feat = page.info["feat"]
    left = ada.set_up("gamma")
    with ada.at(left["id"]) as page:
        page.ask("restart")
    hers, his = ada.get("/api/me")["games"], bob.get("/api/me")["games"]
    assert (hers["gaterun"]["won"], hers["gaterun"]["lost"]) == (1, 0)
    assert (his["gaterun"]["won"], his["gaterun"]["lost"]) == (0, 1)
    assert (hers["sixseven"]["won"], hers["sixseven"]["lost"]) == ((1, 0) if won else (0, 1))
    assert hers["gotham"]["best"] == (None if feat == "0 points" else feat)  # nothing to be proud of
    assert hers["gotham"]["lost"] == 0
    assert hers["gamma"] | {"best": None} == {
        "played": 2, "won": 0, "lost": 0, "drawn": 0, "abandoned": 1, "best": None, "streak": 0, "best_streak": 0,
    }  # fmt: skip


def test_a_best_result_is_one_without_takebacks(ada: Person) -> None:
    info = ada.set_up("gotham")
    with ada.at(info["id"]) as page:
        page.play("up")
        page.ask("undo")
        page.until(lambda page: page.shown["ply"] == 0)
        play_out(page)
    assert ada.get("/api/me")["games"]["gotham"]["best"] is None


def test_everything_kept_about_me_can_be_taken_along(ada: Person) -> None:
    ada.ask("PATCH", "/api/me", {"name": "Ada"})
    info = ada.set_up("gaterun", "here", "here", options={"size": 3})
    with ada.at(info["id"]) as page:
        play_out(page)
    kept = ada.get("/api/me/export")
    assert kept["name"] == "Ada" and [game["id"] for game in kept["games"]] == [info["id"]]
    assert kept["games"][0]["record"]["plies"] == [name for name, _ in page.plies]


def test_being_forgotten_leaves_nothing_but_other_peoples_games(tmp_path: Path) -> None:
    arcade = Arcade(tmp_path / "arcade.db")
    ada, bob = arcade.person(), arcade.person()
    ada.ask("PATCH", "/api/me", {"name": "Ada Lovelace"})
    alone = ada.set_up("gotham")
    for id in (alone["id"], ada.post("/api/daily/gotham")["id"]):
        with ada.at(id) as page:
            play_out(page)
    person = ada.client.cookies["rookery"].partition(".")[0]
    shared = ada.set_up("gaterun", "here", "invite")
    bob.post(f"/api/games/{shared['id']}/join", {"token": shared["invite"].partition("#")[2]})
    with ada.at(shared["id"]) as page:
        page.play("1,3")
    puzzle = find("gaterun").puzzles()[0]
    ada.post(f"/api/puzzles/gaterun/{puzzle.id}/answer", {"action": puzzle.solution})
    ada.ask("DELETE", "/api/me")
    with pytest.raises(Refusal) as refusal:
        ada.get(f"/api/games/{alone['id']}")
    assert refusal.value.status == 404
    assert ada.get("/api/me")["name"] == "" and ada.get("/api/games")["games"] == []
    seats = bob.get(f"/api/games/{shared['id']}")["seats"]
    assert seats[0]["name"] == "Player 1" and seats[1]["yours"]
    arcade.end()
    rows = {table: arcade.sql(f'select * from "{table}"') for table in metadata.tables}  # noqa: S608
    assert "Lovelace" not in str(rows)
    assert [table for table, found in rows.items() if person in str(found)] == ["revoked"], "it is no longer valid"


def test_who_plays_against_oneself_neither_wins_nor_achieves_anything(ada: Person) -> None:
    before = ada.get("/api/me")["games"]["gaterun"]
    info = ada.set_up("gaterun", "here", "here", options={"size": 3})
    with ada.at(info["id"]) as page:
        play_out(page)
        assert page.info["feat"] is None
    after = ada.get("/api/me")["games"]["gaterun"]
    assert after == before | {"played": before["played"] + 1}
