"""The end of a game as the server tells it: sentences for everybody, bests, places among all, what is shared."""

from __future__ import annotations

from typing import Any

import pytest
from tests.web.arcade import Arcade, Person, Refusal

ROW = {"width": 4, "height": 1, "areas": 1, "players": 1, "pass_out": True}
GATES = {"size": 3, "walls": 0}


def play_alone(person: Person, *actions: str) -> str:
    """A game of Gamma for one; its id."""
    info = person.set_up("gamma", options=ROW)
    for action in actions:
        person.post(f"/api/games/{info['id']}/actions", {"action": action})
    id: str = info["id"]
    return id


def ending(person: Person, id: str) -> dict[str, Any]:
    found: dict[str, Any] = person.get(f"/api/games/{id}/ending")
    return found


def test_each_is_told_the_end_from_their_own_seat(ada: Person, bob: Person, arcade: Arcade) -> None:
    ada.get("/api/me")
    info = ada.set_up("gaterun", "here", "invite", options=GATES)
    bob.post(f"/api/games/{info['id']}/join", {"token": info["invite"].partition("#")[2]})
    bob.ask("PATCH", "/api/me", {"name": "Bob"})
    with pytest.raises(Refusal, match="409: The game is not over yet"):
        ending(ada, info["id"])
    for person, action in ((ada, "1,1"), (bob, "2,0"), (ada, "2,1")):
        person.post(f"/api/games/{info['id']}/actions", {"action": action})
    mine, his, other = (ending(each, info["id"]) for each in (ada, bob, arcade.person()))
    assert (mine["text"], mine["won"]) == ("You reached the other side. Bob had 2 steps to go.", True)
    assert (his["text"], his["won"]) == ("Player 1 reached the other side. You had 2 steps to go.", False)
    assert (other["text"], other["won"]) == ("Player 1 reached the other side. Bob had 2 steps to go.", False)
    assert mine["share"].splitlines() == [
        "♜ Rookery · GateRun · 3×3, 0 walls",
        "I reached the other side. Bob had 2 steps to go.",
        *("⬜🟦⬜", "⬜🟦⬜", "🟠🔵⬜"),
    ]
    assert mine["link"] == f"/replay/{info['id']}"
    assert mine["best"] is mine["place"] is mine["bots"] is None


FEW, MANY = ("m 0 0", "pass"), ("m 0 0", "m 1 0", "m 2 0", "m 3 0")


def test_a_best_is_told_and_a_new_one_too(ada: Person) -> None:
    first = ending(ada, play_alone(ada, *FEW))
    assert (first["text"], first["best"], first["new_best"]) == ("You took 1 cell.", None, False)
    best = ending(ada, play_alone(ada, *MANY))
    assert (best["text"], best["best"], best["new_best"]) == (
        "You took 4 cells.",
        "Your new best; before, it was: 1 cell.",
        True,
    )
    again = ending(ada, play_alone(ada, *MANY))
    assert (again["best"], again["new_best"]) == ("As good as your best.", False)
    worse = ending(ada, play_alone(ada, *FEW))
    assert (worse["best"], worse["new_best"]) == ("Your best: 4 cells.", False)
    assert worse["share"].splitlines() == ["♜ Rookery · Gamma · 4×1, 1 player, 1 area", "I took 1 cell.", "🟦⬜⬜⬜"]


def test_a_place_among_all_is_told_once_there_are_enough_results(ada: Person, bob: Person, arcade: Arcade) -> None:
    few = play_alone(bob, *FEW)
    for points in [1] * 12 + [9] * 12:
        arcade.sql(
            "insert into feats (game_id, seat, person, game, points, text, takebacks, setup) select game_id, "
            "(select max(seat) + 1 from feats where game_id = :id), 'x', game, :points, '', 0, setup from feats "
            "where game_id = :id and seat = 1",
            id=few,
            points=points,
        )
    (known,) = arcade.sql(
        "select count(*) from feats where setup = (select setup from feats where game_id = :id and seat = 1)", id=few
    )[0]
    id = play_alone(ada, *MANY)
    (below,) = arcade.sql(
        "select count(*) from feats where points < 4 and setup = (select setup from feats where game_id = :id)", id=id
    )[0]
    assert ending(ada, id)["place"] == f"Better than {100 * below // known}% of {known} games with these options."


def test_who_took_moves_back_is_not_compared(ada: Person) -> None:
    info = ada.set_up("gamma", options=ROW)
    with ada.at(info["id"]) as page:
        page.play("m 0 0")
        page.ask("undo")
        page.until(lambda page: page.shown["ply"] == 0)
        for action in MANY:
            page.play(action)
    found = ending(ada, info["id"])
    assert found["note"] == "Moves were taken back, so this result does not count as a best."
    assert found["best"] is found["place"] is None


def test_what_bots_reach_is_told_for_the_usual_options(ada: Person) -> None:
    info = ada.set_up("gotham")
    with ada.at(info["id"]) as page:
        while not page.over:
            page.play(
                "up" if "up" in page.choices and (not page.plies or page.plies[-1][0] in ("down", "caught")) else "down"
            )
    found = ending(ada, info["id"])
    assert found["bots"] == "On average, a level 1 bot brings home 68 points."
    assert found["levels"][-1] == "310 points" and len(found["levels"]) == 10


def test_two_seats_of_one_person_are_named_by_the_board(ada: Person) -> None:
    info = ada.set_up("gaterun", "here", "here", options=GATES)
    with ada.at(info["id"]) as page:
        page.ask("resign")
        page.until(lambda page: page.over)
    assert ending(ada, info["id"])["text"] == "Player 1 resigned, so Player 2 won."
    info = ada.set_up("gaterun", "here", "3", options=GATES)
    with ada.at(info["id"]) as page:
        page.ask("resign")
        page.until(lambda page: page.over)
    assert ending(ada, info["id"])["text"] == "You resigned, so Casual bot won."


def test_players_of_one_name_are_told_apart_as_beside_the_board(ada: Person) -> None:
    info = ada.set_up("gaterun", "here", "here", options=GATES)
    for action in ("1,1", "2,0", "2,1"):
        ada.post(f"/api/games/{info['id']}/actions", {"action": action})
    record = ada.get(f"/api/games/{info['id']}/record")
    for players, said in (
        (["Bo", "Bo"], "Bo 1 reached the other side. Bo 2 had 2 steps to go."),
        (["bot 1", "bot 1"], "Gentle bot 1 reached the other side. Gentle bot 2 had 2 steps to go."),
        (["You", "I"], "Player 1 reached the other side. Player 2 had 2 steps to go."),
    ):
        brought = ada.post("/api/records", record | {"players": players})
        assert ending(ada, brought["id"])["text"] == said
