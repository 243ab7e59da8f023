"""The power fails under play: whatever was acknowledged before is on the disk.

A library that is loaded into the server logs what it writes to the database's folder. From the log, the folder is
rebuilt as it may be after a power loss at some moment: what was synced is there; each later write is there, or not, or
torn between sectors of 512 bytes, in any combination. A file that was created, renamed or removed is so for certain once
its folder was synced. This assumes that a disk keeps what it says is synced, that a sector is written as a whole, and
that the file system keeps the size of a file with its data, as ext4, XFS, Btrfs and APFS do.
"""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import struct
import subprocess
from bisect import bisect_left
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic_ns
from typing import TYPE_CHECKING, NamedTuple

import pytest
from tests.tiers import mostly_slow
from tests.web.arcade import Arcade

if TYPE_CHECKING:
    from collections.abc import Iterator

SECTOR = 512
WRITE, TRUNCATE, SYNC, UNLINK, RENAME, CREATE = range(1, 7)

pytestmark = pytest.mark.skipif(
    shutil.which("gcc") is None or os.uname().sysname != "Linux", reason="needs gcc and Linux's LD_PRELOAD"
)


class Call(NamedTuple):
    """A call that changed the folder, or made a change durable."""

    kind: int
    began: int
    ended: int
    path: str
    data: bytes
    offset: int


def calls(trace: Path) -> Iterator[Call]:
    """The calls that were logged."""
    log, at = trace.read_bytes(), 0
    while at < len(log):
        kind, began, ended, length, size, offset, _, _ = struct.unpack_from("8Q", log, at)
        at += 64
        path, at = log[at : at + length].decode(), at + length
        data = b""
        if kind in (WRITE, RENAME):
            data, at = log[at : at + size], at + size
        yield Call(kind, began, ended, path, data, offset)


@dataclass
class File:
    """What a disk has of a file for certain, and the changes since it was synced."""

    synced: bytearray = field(default_factory=bytearray)
    later: list[Call] = field(default_factory=list)

    def sync(self) -> None:
        for call in self.later:
            _apply(self.synced, call)
        self.later.clear()

    def after_loss(self, chance: random.Random) -> bytes:
        """What may be found after a power loss."""
        found, share = bytearray(self.synced), chance.choice((0.0, 0.1, 0.5, 0.9, 1.0))
        for call in self.later:
            if call.kind == TRUNCATE:
                if chance.random() < share:
                    _apply(found, call)
                continue
            for first in range(0, len(call.data), SECTOR):
                if chance.random() < share:
                    part = call.data[first : first + SECTOR]
                    _apply(found, call._replace(data=part, offset=call.offset + first))
        return bytes(found)


def _apply(content: bytearray, call: Call) -> None:
    if call.kind == TRUNCATE:
        del content[call.offset :]
        content.extend(bytes(call.offset - len(content)))
    else:
        content.extend(bytes(max(0, call.offset + len(call.data) - len(content))))
        content[call.offset : call.offset + len(call.data)] = call.data


class Disk:
    """A folder on a disk: files, which names are durable, and which changes of names are not yet."""

    def __init__(self, folder: Path) -> None:
        self.folder = str(folder)
        self.names: dict[str, File] = {}
        """What a process sees."""
        self.durable: dict[str, File] = {}
        self.changes: list[dict[str, File | None]] = []

    def take(self, call: Call) -> None:
        if call.kind == SYNC and call.path == self.folder:
            self.durable, self.changes = dict(self.names), []
        elif call.kind == SYNC:
            self._file(call.path).sync()
        elif call.kind == CREATE:
            self._rename({call.path: File()})
        elif call.kind == UNLINK:
            self._rename({call.path: None})
        elif call.kind == RENAME:
            self._rename({call.path: None, call.data.decode(): self._file(call.path)})
        else:
            self._file(call.path).later.append(call)

    def _file(self, path: str) -> File:
        return self.names.setdefault(path, File())

    def _rename(self, change: dict[str, File | None]) -> None:
        self.changes.append(change)
        for path, file in change.items():
            _name(self.names, path, file)

    def after_loss(self, chance: random.Random, where: Path) -> None:
        """Write the folder as it may be found: of changes of names, the first few are done."""
        found = dict(self.durable)
        for change in self.changes[: chance.randint(0, len(self.changes))]:
            for path, file in change.items():
                _name(found, path, file)
        for path, file in found.items():
            if not path.endswith(("-shm", ".lock")):  # SQLite makes its index of the log anew
                (where / Path(path).name).write_bytes(file.after_loss(chance))


def _name(names: dict[str, File], path: str, file: File | None) -> None:
    if file is None:
        names.pop(path, None)
    else:
        names[path] = file


class Played(NamedTuple):
    """A traced session: when an action was acknowledged, and which; and where the trace is."""

    folder: Path
    trace: Path
    acknowledged: list[tuple[int, str, int, str]]


def play(place: Path, monkeypatch: pytest.MonkeyPatch, actions: int) -> Played:
    """Play on a server whose writes are logged, and kill it."""
    folder, trace, library = place / "data", place / "trace", place / "power_loss.so"
    folder.mkdir()
    source = Path(__file__).with_name("power_loss.c")
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl", "-lpthread"], check=True)
    with monkeypatch.context() as patch:
        patch.setenv("LD_PRELOAD", str(library))
        patch.setenv("ROOKERY_TRACE", str(trace))
        patch.setenv("ROOKERY_FOLDER", str(folder))
        arcade = Arcade(folder / "arcade.db", "--db", f"sqlite:///{folder / 'arcade.db'}")
    acknowledged: list[tuple[int, str, int, str]] = []
    ada, chance = arcade.person(), random.Random(67)
    games = [ada.set_up("gaterun", "here", "here")["id"], ada.set_up("sixseven")["id"]]
    while len(acknowledged) < actions:
        for place_in_list, id in enumerate(games):
            with ada.at(id) as page:
                for _ in range(20):
                    if page.over:
                        games[place_in_list] = ada.set_up(page.info["game"], *["here"] * len(page.info["seats"]))["id"]
                        break
                    ply, action = page.shown["ply"], chance.choice(page.choices)
                    answer = page.play(action)
                    assert answer["is"] == "ack", answer
                    acknowledged.append((monotonic_ns(), id, ply, action))
                    page.until(lambda page: page.over or page.choices)
    arcade.end(kill=True)
    return Played(folder, trace, acknowledged)


def lost(played: Played, calls: list[Call], moments: list[int], place: Path, chance: random.Random) -> list[str]:
    """What is wrong with the databases after power losses at some moments."""
    disk, at, wrong = Disk(played.folder), 0, []
    for number, moment in enumerate(sorted(moments)):
        while at < len(calls) and calls[at].ended <= moment:
            disk.take(calls[at])
            at += 1
        where = place / str(number)
        where.mkdir()
        disk.after_loss(chance, where)
        known = [each[1:] for each in played.acknowledged if each[0] <= moment]
        try:
            with closing(sqlite3.connect(where / "arcade.db")) as database:
                ok = database.execute("PRAGMA integrity_check").fetchall()
                kept = set(database.execute("select game_id, number, name from plies")) if known else set()
        except sqlite3.DatabaseError as problem:
            wrong.append(f"{moment}: {problem}")
            continue
        if ok != [("ok",)]:
            wrong.append(f"{moment}: {ok[0]}")
        wrong += [f"{moment}: {each} is lost" for each in known if each not in kept]
        shutil.rmtree(where)
    return wrong


def crash_moments(played: Played, calls: list[Call], count: int, chance: random.Random) -> list[int]:
    """Moments to crash at: just after acknowledgements, between any two calls, and while tables are made."""
    after = [each[0] for each in played.acknowledged]
    every = [call.ended for call in calls]
    first = every[: bisect_left(every, after[0])]
    return [chance.choice(chance.choice((after, after, every, first))) for _ in range(count)]


@pytest.mark.parametrize("losses", mostly_slow([60, 1_500]))
def test_a_power_loss_keeps_what_was_acknowledged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, losses: int) -> None:
    played, chance = play(tmp_path, monkeypatch, actions=2 * losses), random.Random(67)
    logged = list(calls(played.trace))
    assert {call.kind for call in logged} >= {WRITE, SYNC, CREATE}
    moments = crash_moments(played, logged, losses, chance)
    assert lost(played, logged, moments, tmp_path, chance) == []


def test_without_syncs_a_power_loss_would_lose_actions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played, chance = play(tmp_path, monkeypatch, 20), random.Random(67)
    begun = played.acknowledged[0][0]
    logged = [call for call in calls(played.trace) if call.kind != SYNC or call.ended < begun]
    moments = [played.acknowledged[-1][0]] * 10
    assert any("is lost" in each for each in lost(played, logged, moments, tmp_path, chance))
