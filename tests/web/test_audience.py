"""A game with very many spectators: what they see is made once, and others get their turn in between."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from rookery.web import audience, new_games
from rookery.web.audience import AT_ONCE
from rookery.web.fair_queue import Client
from rookery.web.messages import NewGame, SeatSetup
from rookery.web.registry import RoomRegistry
from rookery.web.store import Store
from rookery.web.viewers import Viewer
from rookery.web.views import names_for

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from rookery.web.rooms import Room

ADA = Client("", "ada")
MANY = 10 * AT_ONCE


class Spectator(Viewer):
    """A viewer who remembers what they were shown."""

    def __init__(self, number: int) -> None:
        super().__init__(Client(f"address {number}", f"spectator {number}"))
        self.plies: list[str] = []
        self.watchers = 0
        self.messages = 0

    def send(self, message: Any) -> None:
        self.messages += 1
        content = json.loads(message)
        if content["is"] == "game":
            self.watchers = content["watchers"]
        else:
            self.plies[content["from"] :] = [name for name, _ in content["plies"]]


def watched(folder: Path, work: Callable[[Room, list[Spectator]], Coroutine[Any, Any, None]]) -> None:
    """Do something in a room with very many spectators, who have seen everything so far."""

    async def run() -> None:
        store = Store(f"sqlite:///{folder / 'arcade.db'}")
        registry = RoomRegistry(store)
        broadcasting = asyncio.create_task(registry.broadcaster.run())
        try:
            seats = [SeatSetup("here"), SeatSetup("here")]
            room = await new_games.set_up(registry, ADA, NewGame("gaterun", seats=seats))
            spectators = [Spectator(number) for number in range(MANY)]
            for each in spectators:
                room.enter(each)
            await until(lambda: all(each.watchers == MANY for each in spectators))
            await work(room, spectators)
        finally:
            broadcasting.cancel()
            with suppress(asyncio.CancelledError):
                await broadcasting
            registry.close()
            store.close()

    asyncio.run(run())


async def until(done: Callable[[], bool]) -> None:
    for _ in range(6000):
        if done():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("It did not happen.")


def test_a_move_before_very_many_is_shown_to_some_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names: list[str] = []

    def counted(stored: Any, person: str) -> Any:
        names.append(person)
        return names_for(stored, person)

    monkeypatch.setattr(audience, "names_for", counted)

    async def work(room: Room, spectators: list[Spectator]) -> None:
        await room.play(ADA, "1,3", None)
        names.clear()
        told = list[int]()
        while not told or told[-1] < MANY:
            await asyncio.sleep(0)
            told.append(sum(len(each.plies) for each in spectators))
        steps = [after - before for before, after in pairwise(told)]
        assert max(steps) <= AT_ONCE, f"the event loop stood still while {max(steps)} were told"
        assert len(names) <= MANY // AT_ONCE + 1, "what all see alike was made for each"

    watched(tmp_path, work)


def test_an_undo_while_many_are_being_told_leaves_nobody_behind(tmp_path: Path) -> None:
    async def work(room: Room, spectators: list[Spectator]) -> None:
        await room.play(ADA, "1,3", None)
        while not any(each.plies for each in spectators):
            await asyncio.sleep(0)
        assert not all(each.plies for each in spectators)
        await room.undo("ada")
        await room.play(ADA, "0,2", None)
        await room.play(ADA, "5,3", None)
        await until(lambda: all(each.plies == ["0,2", "5,3"] for each in spectators))

    watched(tmp_path, work)


def test_nobody_waits_for_ever_although_something_happens_all_the_time(tmp_path: Path) -> None:
    async def work(room: Room, spectators: list[Spectator]) -> None:
        before = [each.messages for each in spectators]
        for number in range(3 * MANY // AT_ONCE):
            room.audience.update()
            room.live.stored.achievement = str(number)  # something that all see
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        assert all(each.messages > seen for each, seen in zip(spectators, before, strict=True))

    watched(tmp_path, work)


def test_another_room_is_shown_between_two_parts_of_a_large_one(tmp_path: Path) -> None:
    async def work(room: Room, spectators: list[Spectator]) -> None:
        seats = [SeatSetup("here"), SeatSetup("here")]
        other = await new_games.set_up(room.registry, ADA, NewGame("gaterun", seats=seats))
        one = Spectator(MANY)
        other.enter(one)
        await until(lambda: one.watchers == 1)
        await room.play(ADA, "1,3", None)
        while not any(each.plies for each in spectators):
            await asyncio.sleep(0)
        seen = one.messages
        other.live.stored.achievement = "something that is seen"
        other.audience.update()
        while one.messages == seen:
            await asyncio.sleep(0)
        assert not all(each.plies for each in spectators)

    watched(tmp_path, work)
