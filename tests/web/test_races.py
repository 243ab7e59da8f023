"""Several servers, one event at a wrong moment: each of these once went wrong, or could have."""

from __future__ import annotations

import asyncio
from contextlib import closing
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from sqlalchemy import event, insert, select, update
from tests.web import cluster as simulation
from tests.web.cluster import PLENTY, Cluster

from rookery.core.state import State
from rookery.web import new_games, repository, schema
from rookery.web.domain import Seat, StoredGame, today
from rookery.web.events import MOST_BYTES, Changed, Events, Here, Used
from rookery.web.fair_queue import Client
from rookery.web.limits import Limits, Rate, Rates
from rookery.web.live_game import NotSaved
from rookery.web.messages import ClockSetup, NewGame, SeatSetup
from rookery.web.registry import NotFound, RoomRegistry
from rookery.web.repository import Step
from rookery.web.rooms import Refused, Room
from rookery.web.store import Store
from rookery.web.viewers import Viewer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.web.cluster import Server
    from tests.web.postgres import Postgres

ADA, BOB, CID = Client("1", "ada"), Client("2", "bob"), Client("3", "cid")
GAMMA = {"players": 3, "width": 3, "height": 3}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    yield from simulation.database(f"sqlite:///{tmp_path_factory.mktemp('races') / 'arcade.db'}")


@pytest.fixture
def cluster(store: Store, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cluster]:
    simulation.prepare(monkeypatch)
    with closing(Cluster(store, "AB", lambda state, _: state.actions()[0])) as made:
        yield made


def set_up(cluster: Cluster, *seats: str, name: str = "gaterun", clock: float = 0.0, **options: Any) -> str:
    """A game set up on the first server, with everybody invited there."""
    wishes = [SeatSetup(each) if each in ("here", "invite") else SeatSetup("bot", each) for each in seats]  # type: ignore[arg-type]
    setup = NewGame(name, options, wishes, ClockSetup(clock) if clock else None)
    room: Room = cluster.run(new_games.set_up(cluster.servers[0].registry, ADA, setup))
    for person in [BOB, CID][: seats.count("invite")]:
        cluster.run(room.join(person.person, room.stored.token))
    return room.stored.id


def watched(cluster: Cluster, id: str, client: Client = ADA) -> list[Room]:
    """The rooms of a game on all servers, with somebody who watches."""
    rooms = []
    for server in cluster.servers:
        room: Room = cluster.run(server.registry.visit(id, client))
        cluster.call(room.enter, Viewer(client))
        rooms.append(room)
    cluster.recover()
    return rooms


def row(cluster: Cluster, id: str) -> Any:
    return cluster.store._read(
        lambda connection: connection.execute(select(schema.games).where(schema.games.c.id == id)).one()
    )


def first(room: Room) -> str:
    """The name of an action that is possible."""
    return room.live.game.name_of(room.live.state.actions()[0])


# ── people at the same moment ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_move_counts_although_the_opponent_was_renamed_meanwhile(cluster: Cluster) -> None:
    room, _ = watched(cluster, set_up(cluster, "here", "invite"))
    cluster.commit(lambda connection: repository.rename(connection, "bob", "Bobby", 0.0))
    assert cluster.run(room.play(ADA, "1,3", 0)) == 1
    assert room.stored.seats[1].name == "Bobby"


def test_a_move_chosen_for_another_position_does_not_count_when_it_is_tried_again(cluster: Cluster) -> None:
    here, there = watched(cluster, set_up(cluster, "here", "here"))
    cluster.run(there.play(ADA, "1,3", 0))
    cluster.recover()
    cluster.run(there.undo("ada"))
    cluster.run(there.play(ADA, "5,3|6,3", 0))
    with pytest.raises(NotSaved, match="moved on"):
        cluster.run(here.play(ADA, "5,3", 1))
    assert here.stored.plies == ["5,3|6,3"]


def test_two_who_join_at_the_same_moment_both_get_a_seat(cluster: Cluster) -> None:
    wishes = [SeatSetup("here"), SeatSetup("invite"), SeatSetup("invite")]
    setup = NewGame("gamma", dict(GAMMA), wishes)
    room = cluster.run(new_games.set_up(cluster.servers[0].registry, ADA, setup))
    here, there = watched(cluster, room.stored.id)
    cluster.run(here.join("bob", room.stored.token))
    cluster.run(there.join("cid", room.stored.token))
    assert [seat.holder for seat in there.stored.seats] == ["ada", "bob", "cid"]


def test_two_who_want_a_rematch_at_the_same_moment_get_the_same_one(cluster: Cluster) -> None:
    here, there = watched(cluster, set_up(cluster, "here", "invite"))
    cluster.run(here.resign("ada"))
    cluster.recover()
    assert cluster.run(here.rematch("ada")) == cluster.run(there.rematch("bob"))


def test_a_rematch_has_no_seat_that_nobody_can_play(cluster: Cluster) -> None:
    id = set_up(cluster, "here", "invite", "invite", name="gamma", **GAMMA)
    here, _ = watched(cluster, id, BOB)
    cluster.commit(
        lambda connection: connection.execute(
            update(schema.games).where(schema.games.c.id == id).values(status="over", version=3)
        )
    )
    cluster.run(cluster.servers[1].registry.delete_person("ada"))
    cluster.recover()
    here, _ = watched(cluster, id, BOB)
    successor = cluster.stored(cluster.run(here.rematch("bob")))
    assert successor is not None and all(seat.holder or seat.kind == "bot" for seat in successor.seats)


def test_a_request_ends_when_somebody_who_was_asked_goes(cluster: Cluster) -> None:
    here, _ = watched(cluster, set_up(cluster, "here", "invite", "invite", name="gamma", **GAMMA))
    for person in (ADA, BOB, CID):
        cluster.run(here.play(person, first(here), None))
    cluster.run(here.undo("ada"))
    cluster.run(here.answer("bob", yes=True))
    cluster.run(here.resign("cid"))
    assert here.pending is None and here.may("ada").undo


def test_a_request_ends_when_somebody_who_was_asked_is_deleted(cluster: Cluster) -> None:
    id = set_up(cluster, "here", "invite", "invite", name="gamma", **GAMMA)
    here, _ = watched(cluster, id)
    cluster.run(here.play(ADA, first(here), None))
    cluster.run(here.undo("ada"))
    cluster.run(cluster.servers[0].registry.delete_person("ada"))
    assert row(cluster, id).asked is None


def test_nobody_may_ask_to_undo_twice(cluster: Cluster) -> None:
    here, _ = watched(cluster, set_up(cluster, "here", "invite"))
    cluster.run(here.play(ADA, "1,3", None))
    cluster.run(here.undo("ada"))
    assert not here.may("ada").undo
    with pytest.raises(Refused):
        cluster.run(here.undo("ada"))


# ── events ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_action_is_known_elsewhere_without_a_look_at_the_database(cluster: Cluster) -> None:
    here, there = watched(cluster, set_up(cluster, "here", "here"))
    for name in ("1,3", "5,3"):
        cluster.run(here.play(ADA, name, None))
    cluster.run_steps("event")
    assert there.live.ply == 2 and vars(there.stored) == vars(here.stored)


def test_an_action_that_was_told_of_too_early_or_twice_is_played_once(cluster: Cluster) -> None:
    here, there = watched(cluster, set_up(cluster, "here", "here"))
    for name in ("1,3", "5,3", "2,3"):
        cluster.run(here.play(ADA, name, None))
    first, second, third = (step for step in cluster.waiting if step.kind == "event")
    for step in (second, first, second, third, third):
        cluster.take(step)
    cluster.run_steps("event", *cluster.DATABASE)
    assert there.stored.plies == ["1,3", "5,3", "2,3"] and vars(there.stored) == vars(here.stored)


def test_an_action_in_place_of_an_undone_one_is_read(cluster: Cluster) -> None:
    here, there = watched(cluster, set_up(cluster, "here", "here"))
    cluster.run(here.play(ADA, "1,3", None))
    cluster.run(here.undo("ada"))
    cluster.run(here.play(ADA, "0,2", None))
    cluster.run_steps("event", *cluster.DATABASE)
    assert there.stored.plies == ["0,2"] and vars(there.stored) == vars(here.stored)


def test_actions_of_a_game_are_told_of_together() -> None:
    events = Events(lambda: None)  # type: ignore[arg-type,return-value]
    events.changed("x", 4, Step("x", 3, None, 7.0, 3, ["a"]))
    events.changed("x", 5, Step("x", 4, 5.0, 8.0, 4, ["b", "c"]))
    events.changed("y", 2, Step("y", 1, None, None, 0, ["a"]))
    both, other = events._waiting.values()
    assert both == Changed("x", 5, Step("x", 3, 5.0, 8.0, 3, ["a", "b", "c"])) and other.version == 2  # type: ignore[union-attr]


@pytest.mark.parametrize(("version", "step"), [(6, None), (7, Step("x", 6, None, None, 6, ["c"]))])
def test_actions_with_something_else_between_them_are_not_told_of(version: int, step: Step | None) -> None:
    events = Events(lambda: None)  # type: ignore[arg-type,return-value]
    events.changed("x", 5, Step("x", 4, None, None, 4, ["a"]))
    events.changed("x", version, step)
    assert [*events._waiting.values()] == [Changed("x", version)]


@pytest.mark.parametrize("names", [["a"], ["long" * 300]])
def test_no_more_is_told_than_fits_into_a_message(names: list[str]) -> None:
    events = Events(lambda: None)  # type: ignore[arg-type,return-value]
    for ply in range(2000):
        events.changed("x", ply + 1, Step("x", ply, None, None, ply, names))
        (event,) = events._waiting.values()
        assert isinstance(event, Changed) and event.version == ply + 1
        assert len(msgspec.json.encode(event)) < MOST_BYTES


# ── bots and clocks ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_bot_whose_seat_was_given_to_another_one_elsewhere_does_not_move(cluster: Cluster) -> None:
    here, there = watched(cluster, set_up(cluster, "here", "1"))
    cluster.run(here.play(ADA, "1,3", None))
    cluster.run_steps("event", *cluster.DATABASE)
    searching = [step for step in cluster.waiting if step.kind == "bot"]
    cluster.run(there.take_seat("ada", 2, "2"))
    cluster.run_steps("event", *cluster.DATABASE)
    for step in searching:
        cluster.take(step)
    cluster.run_steps(*cluster.DATABASE)
    assert here.live.ply == 1


def test_a_bot_answers_at_once_after_an_undo_in_the_middle_of_its_search(cluster: Cluster) -> None:
    here, _ = watched(cluster, set_up(cluster, "here", "1"))
    cluster.run(here.play(ADA, "1,3", None))
    cluster.run(here.undo("ada"))
    cluster.run(here.play(ADA, "0,2", None))
    cluster.run_steps("bot", *cluster.DATABASE)
    assert here.live.ply == 2 and here.stored.plies[0] == "0,2"


def test_two_servers_do_not_both_let_all_bots_move(cluster: Cluster) -> None:
    here, there = watched(cluster, set_up(cluster, "here", "1", "1", name="gamma", **GAMMA))
    cluster.run(here.play(ADA, first(here), None))
    cluster.run_steps("event", *cluster.DATABASE)
    cluster.pass_time(1.1)  # the bot is slow, so the other server lets it move too
    assert [step.who for step in cluster.waiting if step.kind == "bot"] == ["A", "B"]
    cluster.take(cluster.waiting[0])
    cluster.run_steps("event", *cluster.DATABASE)
    cluster.take(next(step for step in cluster.waiting if step.who == "B"))
    cluster.run_steps(*cluster.DATABASE)
    assert [step.who for step in cluster.waiting if step.kind == "bot"] == ["A"] and there.live.ply == 2


def test_a_bot_moves_for_somebody_who_was_deleted_although_nobody_looks(cluster: Cluster) -> None:
    id = set_up(cluster, "here", "invite", "invite", name="gamma", **GAMMA)
    cluster.run(cluster.servers[1].registry.delete_person("ada"))
    cluster.run(cluster.servers[1].registry.caretaker._sweep())
    cluster.run_steps("bot", "event", *cluster.DATABASE)
    stored = cluster.stored(id)
    assert stored is not None and len(stored.plies) == 1


def test_a_game_with_nothing_to_do_is_not_looked_after_for_ever(cluster: Cluster) -> None:
    id = set_up(cluster, "here", "invite")
    due = update(schema.games).where(schema.games.c.id == id).values(due=1.0)
    cluster.commit(lambda connection: connection.execute(due))
    cluster.run(cluster.servers[0].registry.caretaker.tend(id))
    assert row(cluster, id).due is None


def test_a_game_that_cannot_be_helped_now_does_not_come_before_others(cluster: Cluster) -> None:
    id = set_up(cluster, "here", "1")

    def fail(state: State, _: Any) -> int:
        raise RuntimeError("a bot with a bug")

    cluster.bot_action = fail
    here = cluster.servers[0].registry.rooms()[id]
    cluster.run(here.play(ADA, "1,3", None))
    cluster.run_steps("bot", *cluster.DATABASE)
    cluster.pass_time(60.0)
    tending = cluster.start(cluster.servers[0].registry.caretaker.tend(id))
    cluster.run_steps("bot", *cluster.DATABASE)
    assert tending.done() and row(cluster, id).due > cluster.loop.time()


def test_looking_after_a_game_whose_clock_ran_out_ends_it(cluster: Cluster) -> None:
    id = set_up(cluster, "here", "invite", clock=1.0)
    here = cluster.servers[0].registry.rooms()[id]
    cluster.run(here.play(ADA, "1,3", None))
    cluster.servers[0].registry.close_room(id)
    cluster.pass_time(100)
    cluster.run(cluster.servers[1].registry.caretaker.tend(id))
    assert row(cluster, id).status == "over"


def test_bots_among_themselves_have_no_clock_that_runs_while_nobody_looks(cluster: Cluster) -> None:
    id = set_up(cluster, "here", "1", "1", name="gamma", clock=1.0, **GAMMA)
    here = cluster.servers[0].registry.rooms()[id]
    cluster.run(here.play(ADA, first(here), None))
    cluster.run(here.resign("ada"))
    assert row(cluster, id).ticking == 0 and row(cluster, id).due is None


def test_nobody_moves_after_their_time(cluster: Cluster) -> None:
    """A server that had the game open is gone, and another one opens it for a move."""
    id = set_up(cluster, "here", "invite", clock=1.0)
    cluster.run(cluster.servers[0].registry.rooms()[id].play(ADA, "1,3", None))
    cluster.servers[0].registry.close_room(id)
    cluster.pass_time(61)
    fresh = cluster.run(cluster.servers[1].registry.visit(id, BOB))
    with pytest.raises(Refused, match="time"):
        cluster.run(fresh.play(BOB, "5,3", 1))
    assert fresh.stored.ending == {"how": "time", "player": 2}


def test_a_clock_that_began_after_the_last_sign_of_life_gives_nobody_hours(store: Store) -> None:
    stored = StoredGame("late", "gaterun", {}, 1, "ada", [Seat(1, "person", holder="ada"), Seat(2, "bot", bot="1")])
    stored.ticking, stored.since, stored.due = 1, 9_000.0, 9_300.0
    with store.engine.begin() as connection:
        repository.start(connection, 1_000.0, 20.0)
        repository.beat(connection, 1_000.0)  # nothing went on for hours
        repository.add(connection, stored)
        repository.start(connection, 9_100.0, 20.0)
        found = connection.execute(select(schema.games).where(schema.games.c.id == "late")).one()
        connection.rollback()
    assert (found.since, found.due) == (9_100.0, 9_400.0)


# ── rooms that close, and people who come ─────────────────────────────────────────────────────────────────────────────


def test_whoever_enters_a_room_that_has_closed_is_sent_to_a_new_one(cluster: Cluster) -> None:
    server = cluster.servers[0]
    id = set_up(cluster, "here", "invite")
    room = cluster.run(server.registry.visit(id, ADA))
    server.registry.close_room(id)
    viewer = Viewer(ADA)
    cluster.call(room.enter, viewer)
    assert viewer.outbox.qsize() == 1 and viewer.outbox.get_nowait() is None and not room.viewers


def test_a_visit_ends_in_a_room_that_is_open(cluster: Cluster) -> None:
    server = cluster.servers[0]
    id = set_up(cluster, "here", "invite")
    visiting = cluster.start(server.registry.visit(id, ADA))
    server.registry.close_room(id)
    cluster.run_steps(*cluster.DATABASE)
    assert visiting.result() is server.registry.rooms()[id]


def test_a_change_while_a_game_is_being_opened_is_not_missed(cluster: Cluster) -> None:
    id = set_up(cluster, "here", "invite")
    visiting = cluster.start(cluster.servers[1].registry.visit(id, BOB))
    while not any(step.kind == "load" for step in cluster.waiting):
        cluster.take(cluster.waiting[0])
    loading = next(step for step in cluster.waiting if step.kind == "load")
    cluster.waiting.remove(loading)
    cluster.run(cluster.servers[0].registry.rooms()[id].play(ADA, "1,3", None))
    cluster.run_steps("event", *cluster.DATABASE)
    cluster.take(loading)
    cluster.run_steps(*cluster.DATABASE)
    assert visiting.result().live.ply == 1


def test_a_game_that_cannot_be_read_keeps_no_other_from_being_compared(cluster: Cluster) -> None:
    broken, other = (watched(cluster, set_up(cluster, "here", "here")) for _ in range(2))

    async def fail() -> None:
        raise RuntimeError("a record that cannot be replayed")

    broken[1].catch_up = fail  # type: ignore[method-assign,assignment]
    for rooms in (broken, other):
        cluster.run(rooms[0].play(ADA, "1,3", None))
    cluster.waiting.clear()  # the events are lost
    cluster.run(cluster.servers[1].registry.caretaker.compare())
    assert other[1].live.ply == 1


def test_a_room_that_could_read_only_half_of_what_happened_is_closed(cluster: Cluster) -> None:
    here, there = watched(cluster, set_up(cluster, "here", "here"))
    names = [first(here)]
    cluster.run(here.play(ADA, names[0], None))
    cluster.run(here.play(ADA, first(here), None))
    cluster.waiting.clear()  # the events are lost
    understood = there.live.game.action

    def action(text: str) -> int:
        if text != names[0]:
            raise RuntimeError("the second ply is not understood")
        return understood(text)

    object.__setattr__(there.live.game, "action", action)
    with pytest.raises(RuntimeError, match="second ply"):
        cluster.run(there.catch_up())
    object.__delattr__(there.live.game, "action")
    assert there.stored.id not in cluster.servers[1].registry.rooms()
    again: Room = cluster.run(cluster.servers[1].registry.visit(here.stored.id, ADA))
    assert again.live.ply == 2 and again.stored.plies == here.stored.plies


def test_a_conflict_is_told_even_if_the_database_is_gone_then(cluster: Cluster) -> None:
    here, there = watched(cluster, set_up(cluster, "here", "here"))
    cluster.run(there.play(ADA, "1,3", None))

    async def gone(*_: Any) -> Any:
        raise OSError("The database is gone.")

    cluster.servers[0].link.read = gone  # type: ignore[method-assign,assignment]
    with pytest.raises(NotSaved, match="moved on"):
        cluster.run(here.undo("ada") if here.may("ada").undo else here.play(ADA, "1,3", None))


def test_somebody_who_is_cut_off_in_the_middle_of_a_move_leaves_the_game_whole(cluster: Cluster) -> None:
    here, _ = watched(cluster, set_up(cluster, "here", "here"))
    playing = cluster.start(here.play(ADA, "1,3", None))
    playing.cancel()
    cluster.waiting.clear()  # and it was not saved either
    cluster.pass_time(0.0)
    assert here.live.ply == 0
    cluster.run(here.play(ADA, "0,2", None))
    assert row(cluster, here.stored.id).version == here.stored.version


# ── who watches ───────────────────────────────────────────────────────────────────────────────────────────────────────


def enter(cluster: Cluster, server: Server, id: str, client: Client) -> tuple[Room, Viewer]:
    room, viewer = cluster.run(server.registry.visit(id, client)), Viewer(client)
    cluster.call(room.enter, viewer)
    told(cluster)
    return room, viewer


def told(cluster: Cluster) -> None:
    """Time passes, and everybody hears everything."""
    cluster.pass_time(0.5)
    cluster.run_steps("event", *cluster.DATABASE)


def test_who_left_while_nobody_watched_here_is_not_shown_as_present(cluster: Cluster) -> None:
    here, there = cluster.servers
    id = set_up(cluster, "here", "invite")
    room, ada = enter(cluster, here, id, ADA)
    other, bob = enter(cluster, there, id, BOB)
    assert here.registry.presence.of(room)[0] == {"ada", "bob"}
    cluster.call(room.leave, ada)
    told(cluster)
    cluster.call(other.leave, bob)
    told(cluster)
    enter(cluster, here, id, ADA)
    assert here.registry.presence.of(room)[0] == {"ada"}


def test_who_left_is_forgotten_although_the_message_was_lost(cluster: Cluster) -> None:
    here, there = cluster.servers
    id = set_up(cluster, "here", "invite")
    room, _ = enter(cluster, here, id, ADA)
    other, bob = enter(cluster, there, id, BOB)
    cluster.call(other.leave, bob)
    cluster.pass_time(0.5)
    cluster.waiting.clear()
    for _ in range(3):
        here.registry.presence.announce()
        told(cluster)
    assert here.registry.presence.of(room)[0] == {"ada"}


def test_who_stays_is_still_there_after_many_announcements(cluster: Cluster) -> None:
    here, there = cluster.servers
    id = set_up(cluster, "here", "invite")
    room, _ = enter(cluster, here, id, ADA)
    enter(cluster, there, id, BOB)
    for _ in range(4):
        for server in cluster.servers:
            server.registry.presence.announce()
            told(cluster)
    assert here.registry.presence.of(room)[0] == {"ada", "bob"}


def test_a_closed_room_says_nothing_about_who_watches_the_new_one(cluster: Cluster) -> None:
    here, there = cluster.servers
    id = set_up(cluster, "here", "invite")
    other, _ = enter(cluster, there, id, BOB)
    old, ada = enter(cluster, here, id, ADA)
    here.registry.close_room(id)
    cluster.start(_again(here, id))
    cluster.run_steps(*cluster.DATABASE)
    told(cluster)
    cluster.call(old.leave, ada)
    told(cluster)
    assert there.registry.presence.of(other)[0] == {"ada", "bob"}


async def _again(server: Server, id: str) -> None:
    (await server.registry.visit(id, ADA)).enter(Viewer(ADA))


# ── what is kept in memory ────────────────────────────────────────────────────────────────────────────────────────────


def test_a_server_that_is_alone_does_not_remember_what_addresses_have_used() -> None:
    rates = Rates(PLENTY)
    for number in range(100):
        rates.take("requests", f"address {number}")
    assert not rates.used_here()


def test_what_was_used_elsewhere_counts_although_nobody_was_here_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_000.0
    monkeypatch.setattr("rookery.web.limits.monotonic", lambda: now)
    rates = Rates(Limits(requests=Rate(10, 1)))
    rates.take("requests", "here")
    now += 3_600
    rates.used_elsewhere("requests", "here", 10)
    assert rates.take("requests", "here") > 0


def test_what_an_address_used_adds_up_until_it_is_sent() -> None:
    events = Events(lambda: None)  # type: ignore[arg-type,return-value]
    for _ in range(3):
        events.send(("requests", "here"), Used("requests", "here", 4))
    (waiting,) = events._waiting.values()
    assert isinstance(waiting, Used) and waiting.count == 12


def test_servers_that_are_gone_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    events = Events(lambda: None)  # type: ignore[arg-type,return-value]
    monkeypatch.setattr("rookery.web.events.monotonic", lambda: 1_000.0)
    events._heard |= {"gone": 1.0, "here": 999.0}
    assert events.living() == {"here"} and set(events._heard) == {"here"}


# ── the database ──────────────────────────────────────────────────────────────────────────────────────────────────────


def check_reads_see_one_moment(store: Store) -> None:
    def work(connection: Any) -> tuple[int, int]:
        names = select(schema.people.c.id)
        before = len(connection.execute(names).all())
        with store.engine.begin() as other:
            other.execute(insert(schema.people).values(id="new", name="new", created=0.0))
        return before, len(connection.execute(names).all())

    before, after = store._read(work)
    assert before == after
    assert store._read(lambda connection: len(connection.execute(select(schema.people.c.id)).all())) == before + 1


def test_a_query_sees_one_moment(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'store.db'}")
    with closing(store):
        check_reads_see_one_moment(store)


def test_a_query_sees_one_moment_on_postgresql(postgres: Postgres) -> None:
    with closing(Store(postgres.database())) as store:
        check_reads_see_one_moment(store)


def test_a_game_that_somebody_joins_while_its_owner_is_deleted_stays(postgres: Postgres) -> None:
    """The deletion begins before the join is committed."""
    from threading import Event, Thread

    with closing(Store(postgres.database())) as store:
        stored = StoredGame("x", "gaterun", {}, 1, "ada", [Seat(1, "person", holder="ada"), Seat(2, "open")])
        stored.status = "waiting"
        with store.engine.begin() as connection:
            repository.add(connection, stored)
        begun = Event()

        def delete() -> None:
            with store.engine.begin() as connection:

                @event.listens_for(connection, "before_cursor_execute")
                def note(*_: Any) -> None:
                    begun.set()

                repository.delete_person(connection, "ada", 0.0)

        deleting = Thread(target=delete)
        with store.engine.begin() as connection:
            assert repository.change(connection, "x", 0, status="playing")
            repository.set_seat(connection, "x", Seat(2, "person", "Bob", "bob"))
            deleting.start()
            begun.wait()
            deleting.join(0.3)  # it waits for the lock
        deleting.join()
        with store.engine.connect() as connection:
            found = repository.load(connection, "x")
        assert found is not None and found.people == {"bob"}


def test_an_old_game_that_is_played_again_is_not_deleted(store: Store) -> None:
    stored = StoredGame("old", "gaterun", {}, 1, "ada", [Seat(1, "person", holder="ada")], changed=1.0)
    with store.engine.begin() as connection:
        repository.add(connection, stored)

        played: list[bool] = []

        def play(connection: Any, clause: Any, *_: Any) -> None:
            if clause.is_delete and not played:
                played.append(True)
                repository.change(connection, "old", 0, changed=500.0)

        event.listen(connection, "before_execute", play)
        assert repository.delete_old_games(connection, 100.0, 10) == []
        assert repository.version_of(connection, "old") == 1
        connection.rollback()


def test_a_game_that_is_deleted_while_it_is_opened_is_not_open_after(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = StoredGame("old", "gaterun", {}, 1, "ada", [Seat(1, "person", holder="ada")], changed=1.0)
    with store.engine.begin() as connection:
        repository.add(connection, stored)

    async def scenario() -> None:
        registry = RoomRegistry(store, keep_days=1)
        read, deleted = asyncio.Event(), asyncio.Event()
        replay = registry.replay

        async def late(*arguments: Any) -> Any:
            read.set()
            await deleted.wait()
            return await replay(*arguments)

        monkeypatch.setattr(registry, "replay", late)
        opening = asyncio.create_task(registry.room("old", ADA))
        await read.wait()
        await registry.caretaker.clean()
        deleted.set()
        await opening
        while registry._tasks:
            await asyncio.sleep(0)
        with pytest.raises(NotFound, match="no game at this address"):
            await registry.room("old", ADA)
        registry.close()

    asyncio.run(scenario())


def test_today_of_the_challenge_is_read_anew_when_it_was_played_elsewhere(cluster: Cluster) -> None:
    here, there = cluster.servers
    day = today(here.registry.store.now())
    room = cluster.run(new_games.daily(here.registry, ADA, "sixseven", day))
    cluster.run(new_games.daily(there.registry, ADA, "sixseven", day))
    cluster.run(room.play(ADA, first(room), None))
    cluster.waiting.clear()  # the event is lost
    again = cluster.run(new_games.daily(there.registry, ADA, "sixseven", day))
    assert again.live.ply == room.live.ply


def test_presence_is_not_kept_for_games_that_nobody_has_open(cluster: Cluster) -> None:
    presence = cluster.servers[0].registry.presence
    for number in range(10):
        presence._hear("B", Here(f"game {number}", [], 3, ask=True))
    assert not presence._elsewhere
