"""Several servers in one process, on one database, under a scheduler that owns every point where a server waits.

Nothing here takes time: the clock stands still until the scheduler lets it go on. Transactions, answers of the
database, events, bots and timers are steps, and whoever runs the cluster says which one comes next. So whatever happens
can be repeated.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from sqlalchemy import delete, event, insert, select

from rookery.core.errors import RookeryError
from rookery.web import registry as registry_module
from rookery.web import schema
from rookery.web.caretaker import LocalJobs
from rookery.web.events import Changed, Message, Revoked
from rookery.web.limits import Limits
from rookery.web.live_game import LiveGame
from rookery.web.registry import RoomRegistry
from rookery.web.repository import load
from rookery.web.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator, Sequence

    from rookery.core.state import State
    from rookery.web.domain import StoredGame
    from rookery.web.events import Event

START = 1_000_000.0
PLENTY = Limits(games_a_day=10**9)


class Step:
    """Something that can go on."""

    def __init__(self, who: str, what: str, go: Callable[[], None]) -> None:
        self.who, self.what, self.go = who, what, go

    @property
    def kind(self) -> str:
        """What kind of step it is: "read", "write", "answer", "load", "bot", "event" or "timer"."""
        return self.what.split()[0]

    def __repr__(self) -> str:
        return f"{self.who}: {self.what}"


class Stuck(AssertionError):
    """Nobody can go on."""


class SimulatedLoop(asyncio.SelectorEventLoop):
    """An event loop whose time goes on only when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.moment = START

    def time(self) -> float:
        return self.moment

    @property
    def idle(self) -> bool:
        return not self._ready  # type: ignore[attr-defined]

    @property
    def next_timer(self) -> float | None:
        timers = [timer.when() for timer in self._scheduled if not timer.cancelled()]  # type: ignore[attr-defined]
        return min(timers, default=None)


class Link:
    """A server's store: transactions happen when the scheduler says so, and so do their answers."""

    def __init__(self, cluster: Cluster, who: str) -> None:
        self._cluster, self._who = cluster, who
        self.skew = 0.0
        """How far the server's clock is ahead."""
        self.shared = False  # until the registry is made: it would open a queue of jobs
        self.revoked: set[str] = set()
        self.faults: list[str] = []
        """What happens to the next transactions: "lost" before the commit, "unknown" after it, or "again": the answer
        is lost, and the work runs again as the store does it.
        """

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cluster.store, name)

    def now(self) -> float:
        return self._cluster.loop.time() + self.skew

    async def write(self, work: Callable[[Any], Any], key: str = "") -> Any:
        await self._cluster.point(self._who, "write")
        fault = self.faults.pop(0) if self.faults else ""
        if fault == "lost":
            raise OSError("The database is gone.")
        answer = self._cluster.commit(work)
        if fault == "again":
            answer = self._cluster.commit(work)
        await self._cluster.point(self._who, "answer")
        if fault == "unknown":
            raise OSError("The database is gone.")
        return answer

    async def read(self, work: Callable[[Any], Any], *_: Any) -> Any:
        await self._cluster.point(self._who, "read")
        found = self._cluster.store._read(work)
        await self._cluster.point(self._who, "answer")
        return found


class Queue:
    """Replays: each is a step."""

    def __init__(self, *_: Any, **__: Any) -> None:
        self.cluster: Cluster | None = None
        self.who = ""

    async def run(self, work: Callable[[], Any], *_: Any, **__: Any) -> Any:
        assert self.cluster is not None
        await self.cluster.point(self.who, "load")
        return work()

    def close(self) -> None: ...


class Bots:
    """Bots that answer when the scheduler says so. A cluster may tell them what to play."""

    def __init__(self, *_: Any, **__: Any) -> None:
        self.cluster: Cluster | None = None
        self.who = ""

    async def choose(self, bot: Any, state: State, stream: Any, token: Any, client: Any, *, wait: Any) -> int:
        assert self.cluster is not None
        await self.cluster.point(self.who, "bot")
        return self.cluster.bot_action(state, stream)

    async def prepare(self, bot: Any, game: Any, client: Any) -> None: ...

    def close(self) -> None: ...


class Server:
    """A server: its registry of rooms, and its link to the database."""

    def __init__(self, cluster: Cluster, name: str) -> None:
        self.name = name
        self.link = Link(cluster, name)
        self.registry = RoomRegistry(self.link, PLENTY, channels=lambda: None)  # type: ignore[arg-type,return-value]
        self.link.shared = True
        for each in (self.registry.bots, self.registry.replays):
            each.cluster, each.who = cluster, name  # type: ignore[union-attr]
        events = self.registry.events
        events.send = lambda key, event: cluster.tell(self, event)  # type: ignore[method-assign]
        events.living = lambda: {each.name for each in cluster.servers}  # type: ignore[method-assign]
        events.listen(Changed, self.registry._changed_elsewhere)
        events.listen(Revoked, lambda _, event: self.link.revoked.add(event.person))
        assert isinstance(self.registry.caretaker.jobs, LocalJobs)

    def hear(self, sender: str, event: Event) -> None:
        (heard,) = msgspec.json.decode(msgspec.json.encode(Message(sender, [event])), type=Message).events
        for listener in self.registry.events._listeners.get(type(heard), ()):
            listener(sender, heard)


class Game(NamedTuple):
    """What the database has of a game."""

    row: dict[str, Any]
    seats: tuple[Any, ...]
    plies: tuple[str, ...]

    @property
    def played(self) -> tuple[str, ...]:
        """The plies that stand."""
        return self.plies[: self.row["length"]] if self.row["length"] is not None else self.plies


class Cluster:
    """Servers on one database, the steps that can be taken, and what was done so far."""

    def __init__(self, store: Store, names: Sequence[str], bot_action: Callable[[State, Any], int]) -> None:
        self.store, self.bot_action = store, bot_action
        self.loop = SimulatedLoop()
        self.loop.set_exception_handler(self._failed)
        self.waiting: list[Step] = []
        self.taken: list[str] = []
        self.failures: list[str] = []
        self.games: dict[str, list[Game]] = {}
        """Every state of each game that was committed."""
        with store.engine.begin() as connection:
            for table in (schema.games, schema.people, schema.revoked, schema.quotas):
                connection.execute(delete(table))
        self.servers = [Server(self, name) for name in names]

    def close(self) -> None:
        for server in self.servers:
            server.registry.close()
        self.loop.set_exception_handler(lambda loop, context: None)
        self.loop.run_until_complete(self._cancel_all())
        self.loop.close()

    async def _cancel_all(self) -> None:
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _failed(self, _: Any, context: dict[str, Any]) -> None:
        problem = context.get("exception")
        if not isinstance(problem, OSError):  # the database was away, as it was told to be
            self.failures.append(f"{context['message']}: {problem!r}")

    # ── steps ─────────────────────────────────────────────────────────────────────────────────────────────────────────

    async def point(self, who: str, what: str) -> None:
        """Wait until the scheduler lets somebody go on."""
        future = self.loop.create_future()
        self.waiting.append(Step(who, what, lambda: None if future.done() else future.set_result(None)))
        await future

    def tell(self, sender: Server, event: Event) -> None:
        """An event is on its way to each of the others."""
        for server in self.servers:
            if server is not sender:
                what = f"event {type(event).__name__} of {sender.name}"
                self.waiting.append(Step(server.name, what, lambda to=server: to.hear(sender.name, event)))  # type: ignore[misc]

    @property
    def steps(self) -> list[Step]:
        """What can be done next."""
        timer = [] if self.loop.next_timer is None else [Step("time", "timer", self._next_timer)]
        return self.waiting + timer

    def _next_timer(self) -> None:
        self.loop.moment = max(self.loop.moment, self.loop.next_timer or 0.0)
        self._alive()

    def pass_time(self, seconds: float) -> None:
        self.loop.moment += seconds
        self._alive()
        self.loop.run_until_complete(self._settle())

    def _alive(self) -> None:
        """Note what the servers note all the time: that they are alive. So no clock is set back."""
        with self.store.engine.begin() as connection:
            connection.execute(delete(schema.heartbeat))
            connection.execute(insert(schema.heartbeat).values(id=1, at=self.loop.moment))

    async def _settle(self) -> None:
        """Let everybody come to the next point where they wait."""
        await asyncio.sleep(0)
        while not self.loop.idle:
            await asyncio.sleep(0)

    def take(self, step: Step) -> None:
        """Take one step, and let everybody go on to where they wait next."""
        assert not self.failures, self.failures
        if step in self.waiting:
            self.waiting.remove(step)
        self.taken.append(repr(step))

        async def go() -> None:
            step.go()
            await self._settle()

        self.loop.run_until_complete(go())

    def start(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Begin something; it goes on with the steps."""
        task = self.loop.create_task(work)
        self.loop.run_until_complete(self._settle())
        return task

    def run_steps(self, *kinds: str, done: Callable[[], bool] = lambda: False) -> None:
        """Take steps of some kinds, in the order in which they came, until there are none or something is done."""
        for _ in range(10_000):
            step = next((each for each in self.waiting if each.kind in kinds), None)
            if step is None or done():
                return
            self.take(step)
        raise Stuck(f"This goes on for ever: {self.taken[-20:]}")

    DATABASE = ("read", "write", "answer", "load")

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Do something while nothing else goes on but what needs the database; return its result or raise."""
        task = self.start(work)
        self.run_steps(*self.DATABASE)
        if not task.done():
            raise Stuck(f"It does not end: {self.waiting}")
        return task.result()

    def call(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function as a server's event loop does."""

        async def do() -> Any:
            return work(*arguments)

        return self.run(do())

    def recover(self) -> None:
        """What the caretakers do in the end: all servers learn of everything."""
        self.run_steps(*self.DATABASE, "event")
        for server in self.servers:
            server.link.faults.clear()
            self.run(server.registry.caretaker.compare())
        self.run_steps(*self.DATABASE, "event")

    # ── the database ──────────────────────────────────────────────────────────────────────────────────────────────────

    def commit(self, work: Callable[[Any], Any]) -> Any:
        """Run work in a transaction, and check what it did to the games."""
        with self.store.engine.begin() as connection:
            answer = work(connection)
            after = _all_games(connection)
        for id, states in self.games.items():
            if states and id in after:
                try:
                    check_change(states[-1], after[id])
                except AssertionError as problem:  # else it would be a transaction that failed
                    self.failures.append(f"{problem}; {difference(states[-1], after[id])}")
        for id, game in after.items():
            states = self.games.setdefault(id, [])
            if not states or states[-1] != game:
                states.append(game)
        self.games = {id: states for id, states in self.games.items() if id in after}
        return answer

    def stored(self, id: str) -> StoredGame | None:
        """A game as it is stored."""
        return self.store._read(lambda connection: load(connection, id))

    def check(self) -> None:
        """Every open room shows what is stored, and what is stored can be replayed."""
        assert not self.failures, self.failures
        for id, states in self.games.items():
            stored = self.stored(id)
            assert stored is not None
            fresh = LiveGame(stored, self.store)
            assert tuple(stored.plies) == states[-1].plies
            for server in self.servers:
                room = server.registry.rooms().get(id)
                if room is None or not room.busy:  # it is compared when somebody comes
                    continue
                assert room.stored.version == stored.version, f"{server.name} is behind: {room.stored}, not {stored}"
                known = vars(room.stored) | {"due": stored.due}  # a server may put this off without telling others
                assert known == vars(stored), f"{server.name}: {room.stored}, not {stored}"
                assert room.live.movers == fresh.movers and room.live.state.history == fresh.state.history
                assert room.live.state.scene() == fresh.state.scene()


def _all_games(connection: Any) -> dict[str, Game]:
    rows = {row["id"]: dict(row) for row in connection.execute(select(schema.games)).mappings()}
    seats: dict[str, list[Any]] = {id: [] for id in rows}
    plies: dict[str, list[str]] = {id: [] for id in rows}
    for seat in connection.execute(select(schema.seats).order_by(schema.seats.c.number)):
        seats[seat.game_id].append(seat)
    for number, ply in enumerate(connection.execute(select(schema.plies).order_by(*schema.plies.primary_key))):
        assert ply.number == len(plies[ply.game_id]), f"ply {ply.number} is missing or doubled: {number}"
        plies[ply.game_id].append(ply.name)
    return {id: Game(row, tuple(seats[id]), tuple(plies[id])) for id, row in rows.items()}


def difference(old: Game, new: Game) -> str:
    """What is different between two states of a game."""
    rows = {name: (old.row[name], new.row[name]) for name in old.row if old.row[name] != new.row[name]}
    seats = [pair for pair in zip(old.seats, new.seats, strict=True) if pair[0] != pair[1]]
    return f"{rows}, seats {seats}, {len(old.plies)} and {len(new.plies)} plies"


def check_change(old: Game, new: Game) -> None:
    """What one transaction may do to a game."""
    unversioned = {"due", "version"}
    same = all(old.row[name] == new.row[name] for name in old.row.keys() - unversioned)
    unchanged = same and old.seats == new.seats and old.plies == new.plies
    step = new.row["version"] - old.row["version"]
    assert step == 1 or (unchanged and step == 0), f"{step} versions for a change"
    undone = new.row["takebacks"] - old.row["takebacks"]
    assert undone in (0, 1)
    if undone:
        assert len(new.played) < len(old.played) and new.plies == old.plies
    else:
        assert new.played[: len(old.played)] == old.played, "a ply that stood is gone"
    assert old.row["rematch"] in (None, new.row["rematch"]), "there are two rematches"
    ended = {seat.outcome is not None for seat in new.seats if seat.holder}
    assert (new.row["result"] is not None) == (True in ended) or not ended or _alone(new), "no outcome"
    _check_clock(old, new)


def _alone(game: Game) -> bool:
    holders = [seat.holder for seat in game.seats if seat.holder]
    return len(set(holders)) < len(holders) or len(holders) < len(game.seats)


def _check_clock(old: Game, new: Game) -> None:
    """Nobody's time goes but that of the player whose clock runs, and that only once."""
    clock = new.row["clock"]
    if clock is None or old.row["ticking"] == 0 or old.row["since"] is None:
        return
    until = new.row["since"]
    for before, after in zip(old.seats, new.seats, strict=True):
        moved = len(new.played) > len(old.played)
        if after.kind == "bot" and after.left == clock["minutes"] * 60_000:  # it plays on for somebody
            continue
        gained = after.left - before.left
        if before.number != old.row["ticking"]:
            assert gained == 0 or new.row["ending"], f"{before} became {after}"
        elif until is not None and after.left > 0:
            charged = (until - old.row["since"]) * 1000
            extra = {0.0, clock["increment"] * 1000.0} if moved else {0.0}
            assert any(abs(gained + charged - each) < 1e-3 for each in extra), f"{before} became {after} in {charged}"


def prepare(monkeypatch: Any) -> None:
    """Registries that are made from now on have no threads."""
    monkeypatch.setattr(registry_module, "FairQueue", Queue)
    monkeypatch.setattr(registry_module, "BotPool", Bots)


def database(url: str) -> Iterator[Store]:
    """A database for many clusters, one after the other; nothing in it has to survive a crash."""
    store = Store(url)
    if store.engine.dialect.name == "sqlite":
        store.engine.dispose()
        event.listen(store.engine, "connect", lambda raw, _: raw.execute("PRAGMA synchronous=OFF"))
    yield store
    store.close()


async def refused(work: Coroutine[Any, Any, Any]) -> Any:
    """The result, or None if the arcade refuses."""
    with suppress(RookeryError):
        return await work
    return None
