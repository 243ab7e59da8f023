"""Random histories of an arcade with three servers, compared after each step with a plain model of it.

The model is in `model.py`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test
from tests.web import cluster as simulation
from tests.web.cluster import Cluster
from tests.web.model import INCREMENT, Chair, Play

from rookery.core.errors import RookeryError
from rookery.web import new_games, repository
from rookery.web.fair_queue import Client
from rookery.web.messages import ClockSetup, NewGame, SeatSetup
from rookery.web.viewers import Viewer

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterator

    from tests.web.cluster import Server
    from tests.web.postgres import Postgres

    from rookery.core.state import State
    from rookery.web.rooms import Room
    from rookery.web.store import Store

SERVERS = 3
small = st.integers(0, 30)


class Arcade(RuleBasedStateMachine):
    """People do things on one of the servers, time passes, events come or do not."""

    store: Store

    def __init__(self) -> None:
        super().__init__()
        self.pick = 0
        self.cluster = Cluster(self.store, "ABC"[:SERVERS], self.bot_action)
        self.games: dict[str, Play] = {}
        self.people = ["ada 0", "bob 0", "cid 0"]
        self.names: dict[str, str] = {}

    def teardown(self) -> None:
        self.cluster.recover()
        self.agree()
        self.cluster.check()
        self.cluster.close()

    def bot_action(self, state: State, _: Any) -> int:
        actions = state.actions()
        return actions[self.pick % len(actions)]

    @property
    def now(self) -> float:
        return self.cluster.loop.time()

    def server(self, number: int) -> Server:
        return self.cluster.servers[number % SERVERS]

    def client(self, number: int) -> Client:
        person = self.people[number % len(self.people)]
        return Client(person, person)

    def room(self, number: int, which: int) -> tuple[str, Room, Play]:
        """The open room of a game on a server, as a WebSocket has it; it may be behind."""
        id = [*self.games][which % len(self.games)]
        server = self.server(number)
        room = server.registry.rooms().get(id)
        if room is None:
            room = self.cluster.run(server.registry.visit(id, self.client(0)))
            self.cluster.call(room.enter, Viewer(self.client(0)))
        return id, room, self.games[id]

    def attempt(self, room: Room, play: Play, allowed: bool, work: Coroutine[Any, Any, Any]) -> Any:
        """Try something: it happens if it is allowed. A server that is behind may refuse it. None if it was refused."""
        behind = room.stored.version < play.version
        try:
            result = self.cluster.run(work)
        except RookeryError:
            assert behind or not allowed, "what is allowed was refused"
            return None
        assert allowed, "what is not allowed was done"
        return True if result is None else result

    # People.

    @precondition(lambda self: len(self.games) < 3)
    @rule(number=small, who=small, kind=st.integers(0, 7), minutes=st.sampled_from([0.0, 0.0, 0.5]), server=small)
    def set_up(self, number: int, who: int, kind: int, minutes: float, server: int) -> None:
        seats = [
            *(["here", "invite"], ["here", "here"], ["here", "1"], ["1", "here"]),
            *(
                ["here", "invite", "invite"],
                ["here", "1", "invite"],
                ["here", "here", "1", "1"],
                ["here", "invite", "invite", "here"],
            ),
        ][kind]
        options = {} if len(seats) == 2 and number % 2 else {"players": len(seats), "width": 3, "height": 3}
        name = "gamma" if options else "gaterun"
        client = self.client(who)
        wishes = [SeatSetup(each) if len(each) > 1 else SeatSetup("bot", each) for each in seats]  # type: ignore[arg-type]
        clock = ClockSetup(minutes, INCREMENT) if minutes else None
        setup = NewGame(name, dict(options), wishes, clock, listed=number % 3 == 0)
        room: Room = self.cluster.run(new_games.set_up(self.server(server).registry, client, setup))
        self.cluster.call(room.enter, Viewer(client))
        here = Chair("person", client.person, self.names.get(client.person, ""))
        chairs = [replace({"here": here, "invite": Chair("open")}.get(each, Chair("bot", bot=each))) for each in seats]
        for chair in chairs:
            chair.left = minutes * 60
        play = Play(name, dict(room.stored.options), client.person, chairs, minutes)
        play.status = "waiting" if "invite" in seats else "playing"
        self.games[room.stored.id] = play

    @precondition(lambda self: self.games)
    @rule(server=small, who=small, which=small)
    def join(self, server: int, who: int, which: int) -> None:
        _, room, play = self.room(server, which)
        person = self.client(who).person
        if person in play.people:
            return
        number = next((number for number, chair in enumerate(play.chairs, 1) if chair.kind == "open"), 0)
        if self.attempt(room, play, number > 0, room.join(person, room.stored.token)):
            play.sit(number, Chair("person", person, self.names.get(person, "")), self.now)

    @precondition(lambda self: self.games)
    @rule(
        server=small,
        which=small,
        who=small,
        action=small,
        seen=st.sampled_from([0, 0, 0, 0, -1, 1]),
        right=st.booleans(),
    )
    def play(self, server: int, which: int, who: int, action: int, seen: int, right: bool) -> None:
        """Somebody plays, most often who is to move, and an action that is possible; or none that is."""
        _, room, play = self.room(server, which)
        client, mover = self.client(who), play.mover
        if right and mover is not None and mover.holder:
            client = Client(mover.holder, mover.holder)
        state = play.state
        actions = state.actions()
        name = "nowhere" if action == 30 or not actions else state.game.name_of(actions[action % len(actions)])
        mine = mover is not None and mover.holder == client.person
        allowed = bool(mine and seen == 0 and name != "nowhere")
        if self.attempt(
            room, play, allowed, room.play(client, name, max(0, play.length + seen) if seen + play.length >= 0 else 99)
        ):
            play.play(name, self.now)

    @precondition(lambda self: self.games)
    @rule(server=small, which=small, who=small)
    def undo(self, server: int, which: int, who: int) -> None:
        _, room, play = self.room(server, which)
        person = self.client(who).person
        if self.attempt(room, play, play.may(person).undo, room.undo(person)):
            play.undo(person, self.now)

    @precondition(lambda self: any(play.asked for play in self.games.values()))
    @rule(server=small, who=small, yes=st.booleans())
    def answer(self, server: int, who: int, yes: bool) -> None:
        which = next(number for number, play in enumerate(self.games.values()) if play.asked)
        _, room, play = self.room(server, which)
        person = self.client(who).person
        assert play.asked is not None
        allowed = person in play.people - play.asked[1]
        if self.attempt(room, play, allowed, room.answer(person, yes)):
            play.answer(person, yes, self.now)

    @precondition(lambda self: self.games)
    @rule(server=small, which=small, who=small)
    def redo(self, server: int, which: int, who: int) -> None:
        _, room, play = self.room(server, which)
        person = self.client(who).person
        if self.attempt(room, play, play.may(person).redo, room.redo(person)):
            play.redo(self.now)

    @precondition(lambda self: self.games)
    @rule(server=small, which=small, who=small)
    def resign(self, server: int, which: int, who: int) -> None:
        _, room, play = self.room(server, which)
        person = self.client(who).person
        if self.attempt(room, play, play.may(person).resign, room.resign(person)):
            held = [number for number, chair in enumerate(play.chairs, 1) if chair.holder == person]
            play.forfeit(play.turn if play.turn in held else held[0], "resigned", self.now)

    @precondition(lambda self: self.games)
    @rule(server=small, which=small, who=small, number=st.integers(1, 4), bot=st.sampled_from([None, "1", "2"]))
    def take_seat(self, server: int, which: int, who: int, number: int, bot: str | None) -> None:
        _, room, play = self.room(server, which)
        person = self.client(who).person
        allowed = number in play.may(person).switch
        if self.attempt(room, play, allowed, room.take_seat(person, number, bot)):
            chair = Chair("bot", bot=bot) if bot else Chair("person", person, self.names.get(person, ""))
            play.sit(number, chair, self.now)

    @precondition(lambda self: self.games)
    @rule(server=small, which=small, who=small)
    def restart(self, server: int, which: int, who: int) -> None:
        _, room, play = self.room(server, which)
        person = self.client(who).person
        id = self.attempt(room, play, play.may(person).restart, room.restart(person))
        if id:
            play.status = "over" if play.status == "over" else "abandoned"
            play.changed(self.now)
            self.games[id] = play.again(0)

    @precondition(lambda self: any(play.status == "over" for play in self.games.values()))
    @rule(server=small, who=small)
    def rematch(self, server: int, who: int) -> None:
        which = next(number for number, play in enumerate(self.games.values()) if play.status == "over")
        _, room, play = self.room(server, which)
        person = self.client(who).person
        allowed = play.may(person).rematch or play.rematch is not None
        id = self.attempt(room, play, allowed, room.rematch(person))
        if id and play.rematch is None:
            play.rematch = id
            play.changed(self.now)
            self.games[id] = play.again(1)
        assert not id or id == play.rematch

    @rule(who=small, name=st.sampled_from(["Ada", "Bob", "Cid"]))
    def rename(self, who: int, name: str) -> None:
        person = self.client(who).person
        self.names[person] = name
        self.cluster.commit(lambda connection: repository.rename(connection, person, name, 0.0))
        for play in self.games.values():
            if person in play.people:
                play.version += 1
            for chair in play.chairs:
                chair.name = name if chair.holder == person else chair.name

    @rule(server=small, who=st.integers(0, 2), really=st.integers(0, 3))
    def delete(self, server: int, who: int, really: int) -> None:
        if really:
            return
        person = self.people[who]
        self.cluster.run(self.server(server).registry.delete_person(person))
        self.people[who] = f"{person.split()[0]} {int(person.split()[1]) + 1}"
        for id, play in list(self.games.items()):
            if person != play.owner and person not in play.people:
                continue
            if not play.people - {person}:
                del self.games[id]
                continue
            play.version += 1
            play.asked = None
            play.owner = "" if play.owner == person else play.owner
            bot = len(play.chairs) > 2 and play.status in ("waiting", "playing")
            for chair in play.chairs:
                if chair.holder == person:
                    chair.kind, chair.name = ("bot", "") if bot else ("person", "somebody")
                    chair.holder, chair.bot = None, "5" if bot else None

    # What goes on by itself.

    @precondition(lambda self: any(step.kind == "bot" for step in self.cluster.waiting))
    @rule(which=small, pick=small)
    def bot_answers(self, which: int, pick: int) -> None:
        self.pick = pick
        steps = [step for step in self.cluster.waiting if step.kind == "bot"]
        self.cluster.take(steps[which % len(steps)])
        self.cluster.run_steps(*self.cluster.DATABASE)
        for id, play in self.games.items():
            states = self.cluster.games[id]
            if states[-1].row["version"] > play.version:
                assert play.mover is not None and play.mover.kind == "bot", "a bot moved out of turn"
                name = states[-1].plies[play.length]
                assert play.state.legal(play.state.game.action(name))
                play.play(name, self.now)

    @rule(seconds=st.sampled_from([0.1, 0.6, 5.0, 29.0]))
    def time_passes(self, seconds: float) -> None:
        until = self.now + seconds
        while (timer := self.cluster.loop.next_timer) is not None and timer <= until:
            self.cluster.pass_time(max(0.0, timer - self.now))
            self.cluster.run_steps(*self.cluster.DATABASE)
        self.cluster.pass_time(until - self.now)
        for play in self.games.values():
            while play.ticking and play.since + play.chairs[play.ticking - 1].left <= self.now:
                play.forfeit(play.ticking, "time", play.since + play.chairs[play.ticking - 1].left)

    @precondition(lambda self: any(step.kind == "event" for step in self.cluster.waiting))
    @rule(which=small, lost=st.integers(0, 3))
    def event_comes(self, which: int, lost: int) -> None:
        steps = [step for step in self.cluster.waiting if step.kind == "event"]
        step = steps[which % len(steps)]
        if lost:
            self.cluster.take(step)
            self.cluster.run_steps(*self.cluster.DATABASE)
        else:
            self.cluster.waiting.remove(step)

    @rule(server=small)
    def compare(self, server: int) -> None:
        self.cluster.run(self.server(server).registry.caretaker.compare())

    @rule(server=small)
    def sweep(self, server: int) -> None:
        self.cluster.run(self.server(server).registry.caretaker._sweep())
        self.cluster.run_steps(*self.cluster.DATABASE)

    @rule(server=small, which=small)
    def close(self, server: int, which: int) -> None:
        """A room is closed, unless a clock runs in it."""
        if self.games:
            id = [*self.games][which % len(self.games)]
            room = self.server(server).registry.rooms().get(id)
            if room is not None and not self.games[id].ticking and not room.driver.thinking:
                self.server(server).registry.close_room(id)

    # What must be true.

    @invariant()
    def agree(self) -> None:
        """The database is as the model, and so is every server that is not behind."""
        assert not self.cluster.failures, self.cluster.failures
        for id, play in self.games.items():
            stored = self.cluster.stored(id)
            assert stored is not None
            found = (stored.status, stored.plies, stored.length, stored.takebacks, stored.version, stored.rematch)
            wanted = (play.status, play.plies, play.length, play.takebacks, play.version, play.rematch)
            assert found == wanted
            assert (stored.ending and (stored.ending["how"], stored.ending["player"])) == play.ending
            asked = stored.asked and (stored.asked["by"], frozenset(stored.asked["agreed"]))
            assert asked == play.asked and stored.owner == play.owner
            seats = [(seat.kind, seat.holder, seat.name, seat.bot) for seat in stored.seats]
            assert seats == [(chair.kind, chair.holder, chair.name, chair.bot) for chair in play.chairs]
            assert stored.ticking == play.ticking
            for server in self.cluster.servers:
                room = server.registry.rooms().get(id)
                if room is not None and room.stored.version == play.version:
                    self.same_here(room, play)

    def same_here(self, room: Room, play: Play) -> None:
        """A server shows what the model says."""
        live = room.live
        assert live.state.scene() == play.state.scene() and live.redoable == len(play.plies) - play.length
        for person in (*self.people, "nobody"):
            assert room.may(person) == play.may(person), person
        if live.clock is not None:
            wanted = play.left(self.now)
            assert [ms / 1000 for ms in live.clock.now()] == pytest.approx(wanted, abs=1e-3)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    yield from simulation.database(f"sqlite:///{tmp_path_factory.mktemp('model') / 'arcade.db'}")


@pytest.fixture(autouse=True)
def without_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    simulation.prepare(monkeypatch)


def run(store: Store, examples: int, steps: int) -> None:
    machine = type("Machine", (Arcade,), {"store": store})
    run_state_machine_as_test(
        machine, settings=settings(max_examples=examples, stateful_step_count=steps, deadline=None)
    )


def test_every_history_is_that_of_the_model(store: Store) -> None:
    run(store, 15, 40)


@pytest.mark.slow
def test_many_histories_are_those_of_the_model(store: Store) -> None:
    run(store, 500, 80)


@pytest.mark.slow
def test_histories_on_postgresql_are_those_of_the_model(postgres: Postgres) -> None:
    for store in simulation.database(postgres.database()):
        run(store, 40, 60)
