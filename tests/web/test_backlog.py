"""Those who ask and do not read lose their connections before they cost much memory; nobody else does."""

from __future__ import annotations

import asyncio
import json
import select
import socket
import time
from contextlib import ExitStack, suppress
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from tests.web.arcade import PATIENCE, Arcade, Page, Person, behind_no_proxy, get
from tests.web.test_apart import long_record
from websockets.sync.client import connect

from rookery.web import front
from rookery.web.backlog import Backlog
from rookery.web.fair_queue import Client
from rookery.web.front import Unread
from rookery.web.limits import Limits
from rookery.web.viewers import MAX_BACKLOG, OVERHEAD, Viewer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from websockets.sync.client import ClientConnection

pytestmark = behind_no_proxy

LOOKS = 300


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Arcade]:
    """An arcade for one person at an address: a megabyte may wait there."""
    arcade = Arcade(tmp_path / "arcade.db", "--people-per-address", "1", "--metrics")
    yield arcade
    arcade.end()
    assert arcade.log.read_text() == ""


def connected(arcade: Arcade, **how: Any) -> socket.socket:
    """A connection that takes little before it is read."""
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)  # so that the system takes little on loopback
    made.settimeout(PATIENCE)
    if "source" in how:
        made.bind((how["source"], 0))
    made.connect(("127.0.0.1", int(arcade.port)))
    return made


def at(arcade: Arcade, person: Person, id: str, **how: Any) -> ClientConnection:
    return connect(
        f"ws://127.0.0.1:{arcade.port}/ws/games/{id}",
        sock=connected(arcade, **how),
        additional_headers={"Cookie": person.cookie},
        max_size=None,
        compression=None,
        ping_interval=None,
    )


def ended(connection: socket.socket) -> bool:
    """Whether the other side has broken the connection off, although something is left to read."""
    if connection.fileno() < 0:  # the library has closed it
        return True
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLHUP | select.POLLERR)
    return bool(poll.poll(0))


def wait_for(done: Any, what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def figure(arcade: Arcade, name: str) -> float:
    text = get(arcade.base + "/metrics").text
    return float(next(line.split()[1] for line in text.splitlines() if line.startswith(f"rookery_{name} ")))


def test_viewers_who_ask_and_never_read_are_cut_off_and_a_player_elsewhere_plays_on(small: Arcade) -> None:
    ada, bob = small.person(), small.person()
    id = ada.set_up("gamma", "here", "here", options={"width": 25, "height": 25})["id"]
    mine = bob.set_up("gamma", "here", "here")["id"]
    with ExitStack() as open_ones:
        page = Page(open_ones.enter_context(at(small, bob, mine, source="127.0.0.2")))
        silent = [at(small, ada, id) for _ in range(8)]
        most = 0.0
        for number in range(LOOKS):
            for each in silent:
                with suppress(OSError):
                    each.socket.send(masked(json.dumps({"do": "look", "ref": number, "ply": 0}).encode()))
            if number % 20 == 0:
                most = max(most, figure(small, "unread_bytes"))
                assert page.play(page.choices[0])["is"] == "ack"
        assert most <= Limits.shared_by(1).unread, f"{most:,.0f} bytes were kept for one address"
        wait_for(lambda: any(ended(each.socket) for each in silent), "those who do not read are still connected")
        for each in silent:
            each.socket.close()
        wait_for(lambda: figure(small, "sockets_open") == 1, "a socket was forgotten")
        assert page.play(page.choices[0])["is"] == "ack"
    wait_for(lambda: figure(small, "unread_bytes") == 0, "something is still kept for somebody who has gone")


def masked(text: bytes) -> bytes:
    """A WebSocket frame as a client sends it, with a mask that changes nothing."""
    return bytes([0x81, 0x80 | len(text)]) + bytes(4) + text


def test_answers_that_nobody_reads_are_cut_off(small: Arcade) -> None:
    id = small.person().post("/api/records", long_record(4_900))["id"]
    path = f"/api/games/{id}/frames?first=0&last=99"
    assert len(small.person().client.get(small.base + path).content) > 200_000
    silent = [connected(small) for _ in range(25)]
    for each in silent:
        each.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    wait_for(lambda: any(map(ended, silent)), "25 answers wait for somebody who does not read")
    assert figure(small, "unread_bytes") <= Limits.shared_by(1).unread
    for each in silent:
        each.close()
    wait_for(lambda: figure(small, "unread_bytes") == 0, "something is still kept for somebody who has gone")


def test_a_long_answer_is_had_by_whoever_reads_it(small: Arcade) -> None:
    whole = len(get(small.base + "/api/schema/openapi.json", headers={"Accept-Encoding": "identity"}).content)
    assert whole > 4 * front.KEPT_UNCOUNTED
    with connected(small) as slow:
        slow.sendall(b"GET /api/schema/openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        taken = 0
        while part := slow.recv(16_384):
            taken += len(part)
            time.sleep(0.005)
    assert taken > whole


# ── without a server ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_of_an_address_that_has_too_much_the_largest_loses_its_connection() -> None:
    dropped: list[str] = []

    async def work() -> None:
        backlog = Backlog(each=1_000, most=2_500)
        viewers = {
            name: Viewer(Client(address, name), backlog, lambda name=name: dropped.append(name))  # type: ignore[misc]
            for address, name in (("a", "ann"), ("a", "ben"), ("b", "cid"), ("c", "dan"), ("d", "eve"))
        }
        viewers["ann"].send(b"x" * (600 - OVERHEAD))
        viewers["ben"].send(b"x" * (300 - OVERHEAD))
        viewers["ben"].send(b"x" * (200 - OVERHEAD))
        assert dropped == ["ann"], "1,100 bytes at one address"
        viewers["ann"].send(b"x" * 900)
        await viewers["ben"].next()
        viewers["ben"].send(b"x" * (700 - OVERHEAD))
        assert dropped == ["ann"], "what was read, or dropped, still counts"
        for name, size in (("cid", 1_000), ("dan", 600)):
            viewers[name].send(b"x" * (size - OVERHEAD))
        viewers["eve"].send(b"x" * (300 - OVERHEAD))
        assert dropped == ["ann", "cid"], "2,800 bytes in all"
        for each in viewers.values():
            each.close()
        assert backlog._total == 0 and not backlog._held and not backlog._of

    asyncio.run(work())


def test_a_viewer_who_was_closed_gets_nothing_more_and_counts_no_longer() -> None:
    async def work() -> None:
        backlog, dropped = Backlog(each=10**9), list[int]()
        viewer = Viewer(Client("a", "ann"), backlog, lambda: dropped.append(1))
        for _ in range(50):
            viewer.send(b" " * (MAX_BACKLOG // 10))
        assert dropped == [1] and backlog._total == 0
        assert viewer.outbox.qsize() == 1 and await viewer.next() is None

    asyncio.run(work())


class Pipe:
    """A transport whose other side reads when it is told to, and a loop whose time passes when it is told to."""

    def __init__(self) -> None:
        self.size, self.aborted = 0, False
        self.later: list[Any] = []

    def set_write_buffer_limits(self, high: int) -> None: ...

    def get_write_buffer_size(self) -> int:
        return self.size

    def get_extra_info(self, name: str) -> Any:
        assert name == "socket"

    def abort(self) -> None:
        self.aborted = True

    def call_later(self, seconds: float, work: Any, *arguments: Any) -> Any:
        assert seconds == front.READ_SECONDS
        self.later.append(lambda: work(*arguments))
        return SimpleNamespace(cancel=self.later.clear)


@pytest.mark.parametrize(("reads", "stays"), [(0, False), (100, False), (5_000, True), (50_000, True)])
def test_whoever_reads_too_slowly_is_cut_off(reads: int, stays: bool) -> None:
    pipe, backlog = Pipe(), Backlog(10**9)
    watched = Unread(pipe, backlog, "a", pipe)  # type: ignore[arg-type]
    pipe.size = 50_000
    watched.watch()
    while pipe.later:
        watched.watch()
        assert backlog._total == pipe.size and len(pipe.later) == 1, "watched twice"
        pipe.size = max(0, pipe.size - reads)
        pipe.later.pop()()
    assert pipe.aborted != stays and backlog._total == 0
