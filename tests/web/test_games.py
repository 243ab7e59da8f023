"""Games over HTTP and WebSockets: set up, played, taken back, left, finished, fetched and replayed."""

from __future__ import annotations

import json
import random
from typing import Any

import msgspec
import pytest
from tests.web.arcade import Arcade, Page, Person, Refusal

import rookery
from rookery.games import BUILT_IN

GAMES = [
    ("gotham", {}, 1),
    ("gotham", {"level": "trey", "rules": "online"}, 1),
    ("gamma", {"width": 4, "height": 4, "areas": 2}, 2),
    ("gamma", {"width": 4, "height": 4, "areas": 2, "players": 3}, 3),
    ("sixseven", {"rows": 4, "cols": 4, "variant": "original"}, 1),
    ("gaterun", {"size": 5, "walls": 3, "jump": True, "rotate": True}, 2),
]


def play_out(page: Page, seed: int = 1) -> None:
    """Any legal actions, to the end."""
    chooser = random.Random(seed)
    while not page.over:
        if page.shown["mine"] and page.choices:
            assert page.play(chooser.choice(page.choices))["is"] == "ack"
        else:
            page.hear()


@pytest.mark.parametrize(("name", "options", "players"), GAMES)
def test_every_game_can_be_played_to_its_end_and_its_record_holds(
    ada: Person, name: str, options: dict[str, Any], players: int
) -> None:
    info = ada.set_up(name, *["here"] * players, options=options)
    with ada.at(info["id"]) as page:
        play_out(page)
        assert page.scene["turn"] == -1
    record = ada.get(f"/api/games/{info['id']}/record")
    state = rookery.record(json.dumps(record)).verify()
    assert state.over and [tuple(each) for each in page.plies] == list(
        zip(record["plies"], [by for _, by in page.plies], strict=True)
    )
    fetched = ada.get(f"/api/games/{info['id']}")
    assert fetched["winners"] == list(state.winners()) and fetched["scores"] == list(state.scores())


@pytest.mark.parametrize(("name", "options", "players"), GAMES)
def test_the_scene_on_the_wire_is_the_scene_of_the_record(
    ada: Person, name: str, options: dict[str, Any], players: int
) -> None:
    info = ada.set_up(name, *["here"] * players, options=options)
    chooser = random.Random(2)
    with ada.at(info["id"]) as page:
        for _ in range(12):
            if page.over or not page.choices:
                break
            page.play(chooser.choice(page.choices))
        shown, ply = page.scene, page.shown["ply"]
    record = rookery.record(json.dumps(ada.get(f"/api/games/{info['id']}/record")))
    state = record.replay(ply)
    assert shown == msgspec.json.decode(msgspec.json.encode(state.scene(max(state.turn, 0))))


def test_without_seats_the_first_is_mine_and_bots_have_the_others(ada: Person) -> None:
    info = ada.set_up("gaterun")
    assert [(seat["kind"], seat["yours"], seat["level"]) for seat in info["seats"]] == [
        ("person", True, None),
        ("bot", False, 3),
    ]
    with ada.at(info["id"]) as page:
        page.play("1,3")
        page.until(lambda page: page.shown["ply"] == 2 and page.shown["mine"])
        assert [by for _, by in page.plies] == [1, 2]


def test_an_action_may_be_played_over_http(ada: Person) -> None:
    info = ada.set_up("gaterun", "here", "here")
    assert ada.post(f"/api/games/{info['id']}/actions", {"action": "1,3"}) == {"ply": 1}
    assert ada.post(f"/api/games/{info['id']}/actions", {"action": "5,3", "ply": 1}) == {"ply": 2}
    with pytest.raises(Refusal, match="moved on") as refusal:
        ada.post(f"/api/games/{info['id']}/actions", {"action": "2,3", "ply": 1})
    assert refusal.value.status == 409
    with pytest.raises(Refusal, match="not an action of GateRun") as refusal:
        ada.post(f"/api/games/{info['id']}/actions", {"action": "over the hills"})
    assert refusal.value.status == 409
    assert len(ada.get(f"/api/games/{info['id']}/record")["plies"]) == 2


def test_an_illegal_action_is_explained_and_changes_nothing(ada: Person) -> None:
    info = ada.set_up("gaterun", "here", "here")
    with ada.at(info["id"]) as page:
        answer = page.ask("play", action="3,3", ply=0)
        assert answer["is"] == "refused" and answer["why"].endswith(".")
        assert page.shown["ply"] == 0 and page.play("1,3")["is"] == "ack"


def test_an_action_sent_twice_is_played_once(ada: Person) -> None:
    info = ada.set_up("gamma", "here", "here", options={"width": 4, "height": 4})
    with ada.at(info["id"]) as page:
        action = page.choices[0]
        for ref in (101, 102):
            page.socket.send(json.dumps({"do": "play", "action": action, "ply": 0, "ref": ref}))
        answers: dict[int, str] = {}
        while len(answers) < 2:
            heard = page.hear()
            if heard.get("ref") in (101, 102):
                answers[heard["ref"]] = heard["is"]
        assert answers == {101: "ack", 102: "refused"}
        assert page.ask("look", ply=1)["is"] == "look" and page.ask("look", ply=2)["is"] == "refused"


def test_pointing_at_a_wall_that_would_shut_a_pawn_in_is_explained(ada: Person) -> None:
    info = ada.set_up("gaterun", "here", "here", options={"size": 3})
    with ada.at(info["id"]) as page:
        for action in ("0,0|1,0", "2,1|2,2", "0,1|1,1"):
            assert page.play(action)["is"] == "ack"
        why = page.ask("why", at=[[0, 2], [1, 2]])
        assert why["is"] == "refused" and "leave both of you without a way" in why["why"]
        assert page.ask("why", at=[[7, 7]])["why"] == "No action is possible there."


def test_alone_undo_goes_back_to_my_last_decision_and_redo_forward_again(ada: Person) -> None:
    info = ada.set_up("gaterun", "here", "1")
    with ada.at(info["id"]) as page:
        for _ in range(2):
            page.until(lambda page: page.shown["mine"])
            step = next(action for action in page.choices if "|" not in action)
            assert page.play(step)["is"] == "ack"
        page.until(lambda page: page.shown["ply"] == 4)
        whole = list(page.plies)
        page.ask("undo")
        page.until(lambda page: page.shown["ply"] == 2)
        assert page.plies == whole[:2] and page.info["may"]["redo"]
        page.ask("undo")
        page.until(lambda page: page.shown["ply"] == 0)
        assert page.ask("undo")["is"] == "refused"
        page.ask("redo")
        page.until(lambda page: page.shown["ply"] == 2)
        page.ask("redo")
        page.until(lambda page: page.shown["ply"] == 4)
        assert page.plies == whole
        page.ask("undo")
        page.until(lambda page: page.shown["ply"] == 2)
        other = next(action for action in page.choices if "|" in action)
        assert page.play(other)["is"] == "ack"
        assert page.ask("redo")["is"] == "refused"
        assert page.info["takebacks"] == 3


def test_what_was_taken_back_cannot_be_drawn_anew(ada: Person) -> None:
    info = ada.set_up("sixseven")
    with ada.at(info["id"]) as page:
        action = page.choices[0]
        page.play(action)
        first = list(page.plies)
        page.ask("undo")
        page.until(lambda page: len(page.plies) < len(first))
        page.play(action)
        assert page.plies == first


def test_a_finished_game_can_be_taken_back_alone(ada: Person) -> None:
    info = ada.set_up("gamma", "here", options={"width": 2, "height": 1, "players": 1})
    with ada.at(info["id"]) as page:
        play_out(page)
        assert page.info["feat"] and page.info["may"]["undo"]
        page.ask("undo")
        page.until(lambda page: page.info["status"] == "playing")
        assert page.info["feat"] is None
        page.ask("redo")
        page.until(lambda page: page.over)
        assert page.info["feat"]


def test_a_seat_can_be_given_to_a_bot_and_taken_back(ada: Person) -> None:
    info = ada.set_up("gaterun", "here", "here")
    with ada.at(info["id"]) as page:
        assert page.ask("seat", seat=2, bot="5")["is"] == "ack"
        page.play("1,3")
        page.until(lambda page: page.shown["ply"] == 2)
        assert page.ask("seat", seat=2)["is"] == "ack"
        page.until(lambda page: page.info["seats"][1]["yours"])
        page.play("2,3")
        assert page.shown["ply"] == 3 and page.shown["mine"]
        assert page.ask("seat", seat=2, bot="nobody")["is"] == "refused"


def test_bots_among_themselves_play_while_somebody_looks_and_the_owner_can_sit_down_again(ada: Person) -> None:
    info = ada.set_up("gaterun", "2", "2", options={"size": 3})
    with ada.at(info["id"]) as page:
        page.until(lambda page: page.shown["ply"] >= 2)
        assert page.info["may"]["switch"] == [1, 2]
        assert page.ask("seat", seat=1)["is"] == "ack"
        page.until(lambda page: page.shown["mine"] or page.over)


def test_a_hint_is_a_legal_action(ada: Person) -> None:
    for name in BUILT_IN:
        info = ada.set_up(name)
        with ada.at(info["id"]) as page:
            page.until(lambda page: page.shown["mine"])
            found = page.ask("analyse")
            assert found["is"] == "analysis" and found["line"][0] in page.choices, name
            assert {each["action"] for each in found["candidates"]} <= set(page.choices)


def test_looking_back_shows_an_earlier_board(ada: Person) -> None:
    info = ada.set_up("gaterun", "here", "here")
    with ada.at(info["id"]) as page:
        start = page.scene["cells"]
        page.play("1,3")
        assert page.ask("look", ply=0)["scene"]["cells"] == start
        assert page.scene["cells"] != start


def test_restarting_sets_up_the_same_game_and_abandons_the_old_one(ada: Person) -> None:
    info = ada.set_up("gaterun", "here", "4", options={"size": 5})
    with ada.at(info["id"]) as page:
        page.play("1,2")
        fresh = page.ask("restart")["id"]
    again = ada.get(f"/api/games/{fresh}")
    assert again["options"] == info["options"] and again["seats"][1]["bot"] == "4" and again["plies"] == 0
    assert ada.get(f"/api/games/{info['id']}")["status"] == "abandoned"


def test_resigning_gives_the_game_to_the_other_and_the_record_says_so(ada: Person) -> None:
    info = ada.set_up("gaterun", "here", "3")
    with ada.at(info["id"]) as page:
        assert page.ask("resign")["is"] == "ack"
        page.until(lambda page: page.over)
        assert page.info["winners"] == [2] and page.info["ending"] == {"how": "resigned", "player": 1}
        assert not page.info["may"]["undo"] and page.ask("play", action="1,3")["is"] == "refused"
    record = ada.get(f"/api/games/{info['id']}/record")
    assert rookery.record(json.dumps(record)).ending == {"how": "resigned", "player": 1}


def test_of_three_the_seat_of_one_who_resigns_goes_to_a_bot(ada: Person, bob: Person) -> None:
    info = ada.set_up("gamma", "here", "invite", "3", options={"players": 3, "width": 4, "height": 4})
    bob.post(f"/api/games/{info['id']}/join", {"token": info["invite"].partition("#")[2]})
    with bob.at(info["id"]) as page:
        assert page.ask("resign")["is"] == "ack"
        page.until(lambda page: page.info["seats"][1]["kind"] == "bot")
        assert page.info["status"] == "playing"


def test_a_clock_that_runs_out_ends_the_game(ada: Person) -> None:
    info = ada.set_up("gaterun", "here", "here", clock={"minutes": 0.005, "increment": 0})
    with ada.at(info["id"]) as page:
        assert page.shown["clock"] == {"left": [300, 300], "running": 0}
        page.play("1,3")
        page.until(lambda page: page.shown["clock"]["running"] == 2)
        page.until(lambda page: page.over)
        assert page.info["ending"] == {"how": "time", "player": 2} and page.info["winners"] == [1]


def test_the_increment_is_added_with_every_move(ada: Person) -> None:
    info = ada.set_up("gaterun", "here", "here", clock={"minutes": 1, "increment": 10})
    with ada.at(info["id"]) as page:
        page.play("1,3")
        page.play("5,3")
        assert page.shown["clock"]["left"][1] > 65_000 and page.shown["clock"]["left"][0] <= 60_000


def test_odds_are_shown_only_on_request_and_never_where_they_must_stay_hidden(ada: Person) -> None:
    def marks(page: Page) -> set[str]:
        return {mark["role"] for cell in page.scene["cells"] for mark in cell["marks"]}

    info = ada.set_up("gotham")
    with ada.at(info["id"]) as page:
        assert "odds" not in marks(page) and "per cent" not in json.dumps(page.scene)
        assert page.ask("odds", on=True)["is"] == "ack"
        page.until(lambda page: "odds" in marks(page))
    hidden = ada.set_up("gotham", odds="never")
    with ada.at(hidden["id"]) as page:
        assert page.ask("odds", on=True)["is"] == "refused"
        assert page.ask("analyse")["is"] == "refused"
        page.play("up")
        assert "odds" not in marks(page)
    frames = ada.get(f"/api/games/{info['id']}/frames")
    assert "per cent" not in json.dumps(frames)


def test_no_answer_holds_the_seed(arcade: Arcade, ada: Person) -> None:
    info = ada.set_up("sixseven")
    ((seed,),) = arcade.sql("select seed from games where id = :id", id=info["id"])
    with ada.at(info["id"]) as page:
        page.play(page.choices[0])
        told = json.dumps([page.info, page.shown])
    for path in ("", "/record", "/frames"):
        told += json.dumps(ada.get(f"/api/games/{info['id']}{path}"))
    told += json.dumps(ada.get("/api/me/export"))
    assert str(seed) not in told and "seed" not in told


def test_frames_replay_the_whole_game_with_chance_folded_in(ada: Person) -> None:
    info = ada.set_up("gotham")
    with ada.at(info["id"]) as page:
        play_out(page)
    whole = ada.get(f"/api/games/{info['id']}/frames?first=0&last=99")
    later = ada.get(f"/api/games/{info['id']}/frames?first=3&last=5")
    assert whole["count"] >= len(whole["frames"]) and whole["frames"][0]["ply"] == 0
    assert [frame["ply"] for frame in later["frames"]] == [frame["ply"] for frame in whole["frames"][3:6]]
    assert "cells" in later["frames"][0]["scene"]
    assert len(whole["plies"]) == len(page.plies)


def test_a_record_can_be_brought_and_looked_at(ada: Person, bob: Person) -> None:
    info = ada.set_up("gaterun", "here", "here", options={"size": 3})
    with ada.at(info["id"]) as page:
        play_out(page)
    record = ada.get(f"/api/games/{info['id']}/record")
    brought = bob.post("/api/records", record)
    assert brought["kind"] == "upload" and brought["winners"] == record["result"]["winners"]
    assert bob.get(f"/api/games/{brought['id']}/record")["plies"] == record["plies"]
    with pytest.raises(Refusal, match="cannot be played"):
        bob.post("/api/records", record | {"plies": ["0,0", *record["plies"]]})
    with pytest.raises(Refusal, match="not a Rookery record"):
        bob.post("/api/records", {"hello": "there"})
    with bob.at(brought["id"]) as page:
        assert page.ask("play", action="1,1")["is"] == "refused"
        assert not any(page.info["may"][what] for what in ("undo", "resign", "restart", "hint"))


def test_games_too_large_for_a_page_are_refused(ada: Person) -> None:
    for game, options in (
        ("gamma", {"width": 500, "height": 500}),
        ("gamma", {"players": 100}),
        ("sixseven", {"rows": 60, "cols": 60}),
    ):
        for path in ("/api/games", "/api/preview"):
            with pytest.raises(Refusal) as refusal:
                ada.post(path, {"game": game, "options": options})
            assert refusal.value.status == 409, (game, options, path)


@pytest.mark.parametrize(
    ("wish", "why"),
    [
        ({"game": "chess"}, "no game 'chess'"),
        ({"game": "gaterun", "options": {"size": 99}}, "size takes a whole number from 3 to 7"),
        ({"game": "gaterun", "options": {"bogus": 1}}, "no option 'bogus'"),
        ({"game": "gaterun", "seats": [{"kind": "here"}]}, "has 2 seats"),
        ({"game": "gaterun", "seats": [{"kind": "here"}, {"kind": "bot", "bot": "11"}]}, "Levels go from 1 to 10"),
        ({"game": "gaterun", "seats": [{"kind": "here"}, {"kind": "alien"}]}, "alien"),
        ({"game": "gaterun", "clock": {"minutes": -1}}, "minutes"),
        ({}, "game"),
    ],
)
def test_a_game_that_cannot_be_set_up_is_refused_with_a_sentence(ada: Person, wish: Any, why: str) -> None:
    with pytest.raises(Refusal) as refusal:
        ada.post("/api/games", wish)
    assert refusal.value.status in (400, 409) and why in refusal.value.why and refusal.value.why.endswith(".")


def test_what_is_not_there_is_not_found(ada: Person) -> None:
    for path in (
        "/api/games/nowhere",
        "/api/games/nowhere/record",
        "/api/catalogue/chess/demo",
        "/api/nothing",
        "/nothing",
    ):
        with pytest.raises(Refusal) as refusal:
            ada.get(path)
        assert refusal.value.status == 404 and refusal.value.why.endswith(".")
    from websockets.exceptions import ConnectionClosed

    with pytest.raises(ConnectionClosed) as closed, ada.at("nowhere"):
        pass
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 4404


def test_the_catalogue_lists_every_game_with_rules_options_and_levels(ada: Person) -> None:
    games = ada.get("/api/catalogue")["games"]
    assert [game["name"] for game in games] == list(BUILT_IN)
    for game in games:
        assert game["rules"] and len(game["levels"]) == 10 and game["options"]["properties"]
        demo = ada.get(f"/api/catalogue/{game['name']}/demo")["frames"]
        assert len(demo) > 10 and "cells" in demo[0] and all("changed" in frame for frame in demo[1:])


def test_a_sheet_can_be_had_for_the_kitchen_table(ada: Person) -> None:
    printout = ada.get("/api/catalogue/gotham/sheet?level=trey")
    assert len(printout["scene"]["cells"]) == 17 * 17 and printout["rules"]
    with pytest.raises(Refusal):
        ada.get("/api/catalogue/gotham/sheet?level=penta")
    with pytest.raises(Refusal) as refusal:
        ada.get("/api/catalogue/gaterun/sheet")
    assert refusal.value.status == 404


STUCK = {"rows": 2, "cols": 2, "rate": 0, "tiles": 4}
"""67! on a board that four digits fill: no slide is ever possible."""


def test_a_game_that_is_over_at_birth_is_stored_as_over(ada: Person) -> None:
    info = ada.set_up("sixseven", "here", options=STUCK)
    assert info["status"] == "over" and info["winners"] == [] and info["feat"] == "lost after 0 moves"
    again = ada.get(f"/api/games/{info['id']}")
    assert again["status"] == "over"
    assert ada.get("/api/games?which=mine")["games"][0]["status"] == "over"
    record = ada.get(f"/api/games/{info['id']}/record")
    assert record["result"] and rookery.record(json.dumps(record)).verify().over
    stats = ada.get("/api/me")["games"]["sixseven"]
    assert stats["played"] == 1 and stats["lost"] == 1 and stats["abandoned"] == 0
    with ada.at(info["id"]) as page:
        assert page.over and page.scene["message"] == "No slide is left: lost."
        assert page.choices == []


def test_a_new_game_goes_on_from_a_position_of_one_that_is_over(ada: Person, bob: Person) -> None:
    options = {"size": 3, "walls": 0}
    old = ada.set_up("gaterun", "here", "here", options=options)["id"]
    ada.post(f"/api/games/{old}/actions", {"action": "1,1"})
    start = {"game": old, "ply": 2}
    with pytest.raises(Refusal, match="still being played"):
        bob.set_up("gaterun", "here", "here", options=options, start=start)
    for action in ("2,0", "2,1"):
        ada.post(f"/api/games/{old}/actions", {"action": action})
    with pytest.raises(Refusal, match="same options"):
        bob.set_up("gaterun", "here", "here", start=start)
    for ply, why in ((3, "over in this position"), (4, "has no ply 4")):
        with pytest.raises(Refusal, match=why):
            bob.set_up("gaterun", "here", "here", options=options, start={"game": old, "ply": ply})
    new = bob.set_up("gaterun", "here", "1", options=options, start=start)
    with bob.at(new["id"]) as page:
        assert page.scene["turn"] == 1 and "2,1" in page.choices
        page.play("2,1")
        page.until(lambda page: page.over)
    assert bob.get(f"/api/games/{new['id']}/record")["start"]
    assert bob.get("/api/me")["games"]["gaterun"]["won"] == 0


def test_a_position_has_choices_and_places_of_a_line_until_chance_decides(ada: Person) -> None:
    old = ada.set_up("gaterun", "here", "here", options={"size": 3, "walls": 0})["id"]
    found = ada.get(f"/api/games/{old}/position?ply=0&moves=1,1;2,0;nonsense;2,1")
    assert {choice["action"] for choice in found["scene"]["choices"]} == {"0,0", "0,2", "1,1"}
    assert [choice["at"] for choice in found["line"]] == [[[1, 1]], [[2, 0]]]
    tiles = ada.set_up("sixseven")["id"]
    way = ada.get(f"/api/games/{tiles}/position?ply=99")["scene"]["choices"][0]["action"]
    assert len(ada.get(f"/api/games/{tiles}/position?ply=99&moves={way};{way}")["line"]) == 1
