"""A server that is killed, or ends, and comes back: whatever was acknowledged is there, and the game goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from benchmarks.arcade_crash import crash
from tests.tiers import mostly_slow
from tests.web.arcade import Arcade

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("cycles", mostly_slow([2, 8]))
def test_no_acknowledged_action_is_lost_when_the_server_is_killed_under_play(tmp_path: Path, cycles: int) -> None:
    told = crash(cycles, games=8, database=tmp_path / "crash.db")
    assert told["acknowledged"] > 12 * cycles and told["lost"] == 0, told


def test_a_game_resumes_where_it_was(tmp_path: Path) -> None:
    arcade = Arcade(tmp_path / "arcade.db")
    ada, bob = arcade.person(), arcade.person()
    info = ada.set_up("gaterun", "here", "invite", clock={"minutes": 5, "increment": 0})
    bob.post(f"/api/games/{info['id']}/join", {"token": info["invite"].partition("#")[2]})
    alone = ada.set_up("sixseven")
    with ada.at(info["id"]) as page:
        page.play("1,3")
    with ada.at(alone["id"]) as page:
        for _ in range(3):
            page.play(page.choices[0])
        page.ask("undo")
        page.until(lambda page: page.shown["redo"] > 0)
        before = (page.plies, page.scene, page.shown["redo"])
    arcade.end(kill=True)
    arcade.start()
    with bob.at(info["id"]) as page:
        assert page.plies == [("1,3", 1)] and page.shown["mine"]
        assert page.shown["clock"]["left"][0] == 300_000 and page.shown["clock"]["left"][1] > 290_000
        page.play("5,3")
    with ada.at(alone["id"]) as page:
        assert (page.plies, page.scene, page.shown["redo"]) == before
        assert page.ask("redo")["is"] == "ack"
        page.until(lambda page: page.shown["redo"] == 0)
    arcade.end()
    assert arcade.log.read_text() == ""


def test_a_bot_whose_turn_it_was_moves_after_the_restart(tmp_path: Path) -> None:
    arcade = Arcade(tmp_path / "arcade.db")
    ada = arcade.person()
    info = ada.set_up("gaterun", "here", "here")
    with ada.at(info["id"]) as page:
        page.play("1,3")
    arcade.end(kill=True)
    arcade.sql("update seats set kind='bot', holder=null, bot='3' where number=2")
    arcade.start()
    with ada.at(info["id"]) as page:
        page.until(lambda page: page.shown["ply"] == 2)
    arcade.end()


def test_ending_the_server_politely_lets_everything_be_written(tmp_path: Path) -> None:
    arcade = Arcade(tmp_path / "arcade.db")
    ada = arcade.person()
    info = ada.set_up("gaterun", "here", "here")
    with ada.at(info["id"]) as page:
        page.play("1,3")
        arcade.end()
    assert arcade.process.returncode == 0
    arcade.start()
    assert ada.get(f"/api/games/{info['id']}")["plies"] == 1
    arcade.end()
