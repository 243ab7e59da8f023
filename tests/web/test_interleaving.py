"""Transactions, events, bots and timers of several servers in many orders: nothing is lost, doubled or forked, and
somebody can always go on.

Each order comes from a seed: at random, or by priorities that change a few times (probabilistic concurrency testing:
Burckhardt et al. 2010). A failure prints its seed and all steps; with ROOKERY_SEED only that seed is run. Small cases
are run in every order.
"""

from __future__ import annotations

import os
import random
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from tests.web import cluster as simulation
from tests.web.cluster import Cluster, Stuck, refused

from rookery.web import new_games
from rookery.web.fair_queue import Client
from rookery.web.messages import ClockSetup, NewGame, SeatSetup
from rookery.web.viewers import Viewer

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator

    from tests.web.cluster import Server, Step
    from tests.web.postgres import Postgres

    from rookery.web.rooms import Room
    from rookery.web.store import Store

    Actors = list[Coroutine[Any, Any, Any]]
    Scenario = Callable[["World"], Actors]

ADA, BOB, CID = Client("1", "ada"), Client("2", "bob"), Client("3", "cid")
PEOPLE = (ADA, BOB, CID)
SEED = os.environ.get("ROOKERY_SEED")
FEW, MANY = 8, 400


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    yield from simulation.database(f"sqlite:///{tmp_path_factory.mktemp('cluster') / 'arcade.db'}")


@pytest.fixture(autouse=True)
def without_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    simulation.prepare(monkeypatch)


# ── who comes next ────────────────────────────────────────────────────────────────────────────────────────────────────


class Order:
    """Says which step comes next: at random, or by priorities that change at a few points."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._walk = rng.random() < 0.5
        self._priorities: dict[str, float] = {}
        self._changes = {rng.randrange(60) for _ in range(3)}
        self._taken = 0

    def __call__(self, steps: list[Step]) -> Step:
        self._taken += 1
        if steps[-1].kind == "timer" and len(steps) > 1 and self._rng.random() < 0.9:
            steps = steps[:-1]
        if self._walk:
            return self._rng.choice(steps)
        for step in steps:
            self._priorities.setdefault(self._of(step), self._rng.random())
        best = max(steps, key=lambda step: self._priorities[self._of(step)])
        if self._taken in self._changes:
            self._priorities[self._of(best)] = -self._taken
        return best

    def _of(self, step: Step) -> str:
        return f"{step.who} {step.kind in ('event', 'bot') and step.kind}"


class Listed:
    """An order by the number of each step; where the list ends, the first one comes. It notes how many there were."""

    def __init__(self, numbers: list[int]) -> None:
        self.numbers, self.counts = numbers, list[int]()

    def __call__(self, steps: list[Step]) -> Step:
        steps = [step for step in steps if step.kind not in ("event", "timer")] or steps[:1]
        at = len(self.counts)
        self.counts.append(len(steps))
        if at == len(self.numbers):
            self.numbers.append(0)
        return steps[self.numbers[at]]

    def following(self) -> list[int] | None:
        """The numbers of the next order, if there is one."""
        numbers = self.numbers[: len(self.counts)]
        while numbers:
            last = numbers.pop() + 1
            if last < self.counts[len(numbers)]:
                return [*numbers, last]
        return None


class World:
    """A cluster, chance, and what the people in it were told."""

    def __init__(self, store: Store, seed: int, servers: int = 2, lose: float = 0.1) -> None:
        self.rng = random.Random(seed)
        self.cluster = Cluster(store, "ABC"[:servers], lambda state, _: self.rng.choice(state.actions()))
        self.lose = lose
        self.told: list[tuple[str, int, str]] = []
        """The plies that were acknowledged: game, number and name."""
        self.id = ""

    @property
    def servers(self) -> list[Server]:
        return self.cluster.servers

    def set_up(self, *seats: str, clock: float = 0.0, name: str = "gaterun", **options: Any) -> str:
        """A game that everybody watches on every server, with all seats taken."""
        wishes = [SeatSetup(each) if each in ("here", "invite") else SeatSetup("bot", each) for each in seats]  # type: ignore[arg-type]
        setup = NewGame(name, options, wishes, ClockSetup(clock, 1.0) if clock else None)
        room: Room = self.cluster.run(new_games.set_up(self.servers[0].registry, ADA, setup))
        self.id = room.stored.id
        return self.id

    def all_join(self, *others: Client) -> None:
        """Let people take the open seats, and watch on every server."""
        for person in others:
            self.cluster.run(self._join(self.servers[0], person))
        for server in self.servers:
            self.cluster.run(self.watch(server, ADA))
        self.cluster.recover()

    async def _join(self, server: Server, client: Client) -> None:
        room = await server.registry.visit(self.id, client)
        await room.join(client.person, room.stored.token)

    async def watch(self, server: Server, client: Client) -> None:
        (await server.registry.visit(self.id, client)).enter(Viewer(client))

    async def play(self, server: Server, client: Client, tries: int = 1, action: str = "") -> None:
        """Play as what is seen here allows."""
        for _ in range(tries):
            room = await server.registry.visit(self.id, client)
            live, seen = room.live, room.live.ply
            if room.mine(client.person):
                name = action or live.game.name_of(self.rng.choice(live.state.actions()))
                if await refused(room.play(client, name, seen)) is not None:
                    self.told.append((self.id, seen, name))
            await self.cluster.point(server.name, "look")

    async def act(self, server: Server, client: Client, tries: int) -> None:
        """Do what one may do, one thing after the other."""
        for _ in range(tries):
            room = await refused(server.registry.visit(self.id, client))
            if room is None:  # it was deleted
                return
            await refused(self.rng.choice(self._choices(room, server, client))())
            await self.cluster.point(server.name, "look")

    def _choices(self, room: Room, server: Server, client: Client) -> list[Callable[[], Any]]:
        """What one may do; what one does more often is there several times."""
        may, person = room.may(client.person), client.person
        choices: list[Callable[[], Any]] = [lambda: self.play(server, client)] * 4
        choices += [lambda: room.undo(person)] * (2 * may.undo) + [lambda: room.redo(person)] * (2 * may.redo)
        choices += [lambda: room.resign(person)] * may.resign + [lambda: room.rematch(person)] * may.rematch
        choices += [lambda: room.answer(person, self.rng.random() < 0.7)] * (3 * (room.pending is not None))
        choices += [lambda: room.join(person, room.stored.token)] * (3 * room.stored.waiting)
        if may.switch:
            number, bot = self.rng.choice(may.switch), self.rng.choice([None, "1", "2"])
            choices.append(lambda: room.take_seat(person, number, bot))
        return choices

    def run(self, actors: Actors, order: Callable[[list[Step]], Step]) -> None:
        """Let actors do their work in some order; at last everything that is under way comes to its end."""
        cluster = self.cluster
        tasks = [cluster.start(actor) for actor in actors]
        for _ in range(3_000):
            if all(task.done() for task in tasks):
                break
            if not cluster.steps:
                raise Stuck("nobody can go on")
            step = order(cluster.steps)
            if step.kind == "event" and self.rng.random() < self.lose:
                cluster.waiting.remove(step)
                cluster.taken.append(f"{step} (lost)")
            else:
                cluster.take(step)
        else:
            raise Stuck("this goes on for ever")
        for task in tasks:
            task.result()
        self.end()

    def end(self) -> None:
        """Bots move until it is a person's turn, and all servers are of one mind."""
        cluster = self.cluster
        cluster.recover()
        for _ in range(40):
            if not self.bot_to_move():
                break
            cluster.pass_time(20.0)
            for server in self.servers:
                cluster.run(server.registry.caretaker._sweep())
            cluster.run_steps(*cluster.DATABASE, "event", "bot", done=lambda: not self.bot_to_move())
        else:
            raise Stuck("a bot does not move")
        cluster.recover()
        cluster.check()
        for id, number, name in self.told:
            if id in cluster.games:
                assert any(state.played[number : number + 1] == (name,) for state in cluster.games[id]), "a ply is lost"

    def bot_to_move(self) -> bool:
        """Whether it is a bot's turn in a game that goes on by itself."""
        stored = self.cluster.stored(self.id)
        if stored is None or not stored.people or stored.status != "playing":
            return False
        room = next((room for server in self.servers if (room := server.registry.rooms().get(self.id))), None)
        if room is None:
            return False
        self.cluster.run(room.catch_up())
        return room.driver.bot_to_move is not None


# ── what happens at the same moment ───────────────────────────────────────────────────────────────────────────────────


def two_play(world: World) -> Actors:
    """Two people, each with two windows on different servers."""
    world.set_up("here", "invite")
    world.all_join(BOB)
    return [world.play(server, person, 4) for server in world.servers for person in (ADA, BOB)]


def two_with_clocks(world: World) -> Actors:
    world.set_up("here", "invite", clock=0.05)
    world.all_join(BOB)
    return [world.play(server, person, 5) for server in world.servers for person in (ADA, BOB)]


def two_do_anything(world: World) -> Actors:
    world.set_up("here", "invite", clock=0.2 * world.rng.randrange(2))
    world.all_join(BOB)
    return [world.act(server, person, 5) for server in world.servers for person in (ADA, BOB)]


def three_do_anything(world: World) -> Actors:
    options = {"players": 3, "width": 3, "height": 3}
    world.set_up("here", "invite", "invite", clock=0.2 * world.rng.randrange(2), name="gamma", **options)
    world.all_join(BOB, CID)
    return [world.act(world.rng.choice(world.servers), person, 6) for person in (*PEOPLE, *PEOPLE)]


def one_against_a_bot(world: World) -> Actors:
    world.set_up("here", "1", clock=0.5 * world.rng.randrange(2))
    world.all_join()
    return [world.act(server, ADA, 6) for server in world.servers]


def one_against_bots(world: World) -> Actors:
    world.set_up("here", "1", "2", name="gamma", players=3, width=3, height=3)
    world.all_join()
    return [world.act(server, ADA, 6) for server in world.servers]


def alone(world: World) -> Actors:
    world.set_up("here", name="sixseven", rows=2, cols=2)
    world.all_join()
    return [world.act(server, ADA, 8) for server in world.servers]


def many_join(world: World) -> Actors:
    world.set_up("here", "invite", "invite", name="gamma", players=3, width=3, height=3)
    return [
        refused(world._join(world.rng.choice(world.servers), person))
        for person in (*PEOPLE, *PEOPLE, Client("4", "eve"))
    ]


def one_is_deleted(world: World) -> Actors:
    """Somebody is deleted while others join and play."""
    world.set_up("here", "invite", "invite", name="gamma", players=3, width=3, height=3)
    world.cluster.run(world._join(world.servers[0], BOB))
    if world.rng.random() < 0.5:
        world.all_join(CID)
    else:
        world.cluster.run(world.watch(world.servers[-1], ADA))
    going = world.rng.choice(world.servers).registry.delete_person("ada")
    others = [world.act(world.rng.choice(world.servers), person, 5) for person in (BOB, CID)]
    return [going, *others]


def a_broken_database(world: World) -> Actors:
    """Some transactions are lost, others happen but their answer is lost."""
    world.set_up("here", "invite", clock=0.2 * world.rng.randrange(2))
    world.all_join(BOB)
    for server in world.servers:
        server.link.faults = world.rng.choices(["", "lost", "unknown", "again"], [5, 1, 1, 1], k=20)
    return [world.act(server, person, 5) for server in world.servers for person in (ADA, BOB)]


def two_rematches(world: World) -> Actors:
    rooms = both_open(world, "here", "invite")
    world.cluster.run(rooms[0].resign("ada"))
    world.cluster.recover()
    return [room.rematch(person.person) for room, person in zip(rooms, (ADA, BOB), strict=True)]


def a_move_and_a_resignation(world: World) -> Actors:
    rooms = both_open(world, "here", "invite")
    world.cluster.run(rooms[0].play(ADA, "1,3", 0))
    world.cluster.recover()
    return [refused(rooms[0].resign("ada")), refused(rooms[1].play(BOB, "5,3", 1))]


def two_answers(world: World) -> Actors:
    """The opponent agrees to an undo in one window and moves in another."""
    rooms = both_open(world, "here", "invite")
    world.cluster.run(rooms[0].play(ADA, "1,3", 0))
    world.cluster.run(rooms[0].undo("ada"))
    world.cluster.recover()
    return [refused(rooms[0].answer("bob", yes=True)), refused(rooms[1].play(BOB, "5,3", 1))]


def both_open(world: World, *seats: str) -> list[Room]:
    id = world.set_up(*seats)
    world.all_join(BOB)
    return [server.registry.rooms()[id] for server in world.servers]


PAIRS: list[Scenario] = [two_rematches, a_move_and_a_resignation, two_answers]

SCENARIOS: list[Scenario] = [
    *(two_play, two_with_clocks, two_do_anything, three_do_anything, one_against_a_bot, one_against_bots, alone),
    *(many_join, one_is_deleted, a_broken_database),
]


def explore(scenario: Scenario, store: Store, seeds: range) -> None:
    """Run a scenario once for every seed."""
    for seed in [int(SEED)] if SEED else seeds:
        world = World(store, seed, servers=2 + seed % 2)
        with closing(world.cluster):
            try:
                world.run(scenario(world), Order(world.rng))
            except Exception as problem:
                steps = "\n".join(world.cluster.taken)
                raise AssertionError(f"{scenario.__name__}, seed {seed}: {problem!r}\n{steps}") from problem


def explore_all(scenario: Scenario, store: Store) -> int:
    """Run a scenario in every order of its transactions; return how many there were."""
    numbers: list[int] | None = []
    count = 0
    while numbers is not None:
        count += 1
        world, order = World(store, 0, lose=0.0), Listed(numbers)
        with closing(world.cluster):
            try:
                world.run(scenario(world), order)
                assert len(world.cluster.games) <= 2
            except Exception as problem:
                steps = "\n".join(world.cluster.taken)
                raise AssertionError(f"{scenario.__name__}, order {order.numbers}: {problem!r}\n{steps}") from problem
        numbers = order.following()
    return count


@pytest.mark.parametrize("scenario", PAIRS)
def test_two_things_at_once_in_every_order(scenario: Scenario, store: Store) -> None:
    assert 5 < explore_all(scenario, store) < 500


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_whatever_the_order_nothing_is_lost_or_doubled(scenario: Scenario, store: Store) -> None:
    explore(scenario, store, range(FEW))


@pytest.mark.slow
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_thousands_of_orders(scenario: Scenario, store: Store) -> None:
    explore(scenario, store, range(FEW, FEW + MANY))


@pytest.mark.slow
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_postgresql_in_many_orders(scenario: Scenario, postgres: Postgres) -> None:
    for store in simulation.database(postgres.database()):
        explore(scenario, store, range(FEW, FEW + MANY // 20))
