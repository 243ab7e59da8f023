"""Work that is done apart, in a process of its own: long replays, uploads and exports.

They are pure Python. On a thread they would hold the interpreter's lock half of the time, and everybody's moves would
wait for it.
"""

from __future__ import annotations

import logging
import os
from concurrent.futures import CancelledError, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec

from rookery.core.errors import RookeryError
from rookery.core.names import NOBODY, Names
from rookery.core.record import Record
from rookery.core.rules import CHANCE
from rookery.games import at_address, game, playable
from rookery.games import record as load_record
from rookery.system.processes import CONTEXT
from rookery.web import puzzle_results, repository
from rookery.web.database import reading
from rookery.web.messages import Frame, Frames, Position
from rookery.web.profile_messages import Export
from rookery.web.views import check_size, scene_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection

    from rookery.web.domain import StoredGame

T = TypeVar("T")

log = logging.getLogger("rookery.web")

TRIES = 2
"""How often work is tried when its process dies or hangs."""
DEADLINE, PATIENCE = 30.0, 10.0
"""Seconds after which a process counts as hanging, and how many more for each that its work is expected to take."""
NICE = 5
"""How much lower the priority of the process is, where the system has priorities."""
MAX_FRAMES = 100
ALL_GAMES = 1_000_000


class NotDone(RookeryError):
    """The process could not do its work: it was killed, or took too long."""

    def __init__(self) -> None:
        super().__init__("The server could not do this now; nothing was lost. Try again in a moment.")


class Apart:
    """One worker process, started when it is first needed. One that dies or hangs is replaced."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._lock = Lock()
        """Held while the process works: when it dies, nobody else's work is lost."""
        self._closed = False

    def run(self, seconds: float, work: Callable[..., T], *arguments: Any) -> T:
        """The result of a function of a module, called in the worker; wait for it. If the process dies, or takes much
        longer than the `seconds` that are expected, another one tries once more.
        """
        with self._lock:
            for _ in range(TRIES):
                if self._closed:
                    break
                if self._pool is None:
                    self._pool = ProcessPoolExecutor(1, CONTEXT, initializer=_lower_priority)
                try:
                    return self._pool.submit(work, *arguments).result(DEADLINE + PATIENCE * seconds)
                except (BrokenProcessPool, CancelledError, OSError) as problem:  # a TimeoutError is one too
                    if not self._closed:
                        log.error("Work in another process failed, %s: %r", work.__name__, problem)
                    self._end()
        raise NotDone

    def close(self) -> None:
        """End the process, whatever it does. Callers that wait for it get an error."""
        self._closed = True
        self._end()

    def _end(self) -> None:
        pool, self._pool = self._pool, None
        if pool is not None:
            processes = list((pool._processes or {}).values())  # `shutdown` forgets them
            pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.kill()


def _lower_priority() -> None:
    if hasattr(os, "nice"):
        with suppress(OSError):
            os.nice(NICE)


class Replay(NamedTuple):
    """What is replayed: a game by its address, its options, its start, its plies and its players."""

    where: str
    options: dict[str, Any]
    start: str | None
    plies: list[str]
    names: Names = NOBODY
    """What the reader calls the players."""


def draw_frames(replay: Replay, first: int, last: int) -> bytes:
    """Some scenes of a game, as JSON of `Frames`."""
    made = at_address(replay.where).make(**replay.options)
    record = Record(made, ("",) * made.players, tuple(replay.plies), replay.start)
    found: list[Frame] = []
    movers: list[int] = []
    before, count = None, 0
    for state in record.states():
        movers.append(max(0, state.turn))
        if state.turn == CHANCE:
            continue
        if first <= count <= last and len(found) < MAX_FRAMES:
            scene = state.scene(names=replay.names)
            found.append(Frame(state.ply, scene_json(scene, before) | {"choices": ()}))
            before = scene
        count += 1
    phrases = list(map(made.phrase_of, replay.plies))
    return msgspec.json.encode(Frames(list(zip(replay.plies, movers, strict=False)), phrases, found, count))


def draw_position(replay: Replay, ply: int, moves: list[str]) -> bytes:
    """The position after some plies, and what a line of moves from it chooses, as JSON of `Position`."""
    made = at_address(replay.where).make(**replay.options)
    plies = tuple(replay.plies[:ply])
    *_, state = Record(made, ("",) * made.players, plies, replay.start).states()
    first = scene = state.scene(names=replay.names)
    line = []
    for move in moves:
        choice = next((each for each in scene.choices if each.action == move), None)
        if choice is None:
            break
        line.append(vars(choice))
        state.play(made.action(move))
        if state.turn == CHANCE:
            break
        scene = state.scene(names=replay.names)
    return msgspec.json.encode(Position(len(plies), scene_json(first), line))


def verified(data: dict[str, Any], where: str | None) -> str:
    """The line of an uploaded record, if it is valid and small enough to show."""
    if where is not None:
        at_address(where)
    if isinstance(data.get("game"), str) and isinstance(data.get("options"), dict) and data["game"] in playable():
        check_size(game(data["game"], **data["options"]))
    record = load_record(msgspec.json.encode(data).decode())
    plies = tuple(record.game.name_of(record.game.action(ply)) for ply in record.plies)
    return replace(record, plies=plies).line()


def export(url: str, person: str) -> bytes:
    """All data about a person, as JSON of `Export`."""

    def gather(connection: Connection) -> Export:
        listed = repository.games_of(connection, person, ALL_GAMES)
        loaded = (repository.load(connection, each.id) for each in listed)
        return Export(
            id=person,
            name=repository.name_of(connection, person),
            games=[_exported(each) for each in loaded if each is not None],
            feats=repository.achievements_of(connection, person),
            puzzles=puzzle_results.all_results(connection, person),
        )

    return msgspec.json.encode(reading(url, gather))


def _exported(stored: StoredGame) -> dict[str, Any]:
    """A game with its record; if the game is no longer offered, with what was played."""
    try:
        record: dict[str, Any] = msgspec.json.decode(stored.record().line())
    except RookeryError:
        record = {"game": stored.game, "options": stored.options, "plies": stored.plies[: stored.length]}
    facts = {name: getattr(stored, name) for name in ("id", "kind", "status", "created")}
    return facts | {"record": record}
