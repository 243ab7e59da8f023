"""The process in which the bots of several workers think: turns are fair among all visitors, a bot thinks once, and nothing is lost when it dies."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, aclosing, asynccontextmanager, contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import psutil  # type: ignore[import-untyped]
import pytest
from tests.web.arcade import PATIENCE, Arcade, Page, Person, children_of, connections_of, get, workers_of

import rookery
from rookery.core.bot import Analysis, make_bot
from rookery.core.record import Record
from rookery.core.stream import Stream
from rookery.engine.threads import cores
from rookery.games import find
from rookery.search.cancel import Cancelled, CancelToken
from rookery.search.review import Review
from rookery.web import bot_process as bot_process_module
from rookery.web.bot_pool import MOST_WAITING, BotPool
from rookery.web.bot_process import Asking, BotProcess
from rookery.web.fair_queue import Busy, Client
from rookery.web.remote_bots import TRIES, BotsLost, Failure, RemoteBots
from rookery.web.settings import Settings

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
    from pathlib import Path

    from tests.web.postgres import Postgres

    from rookery.core.state import State

WORKERS = 3
ADA = Client("a", "ada")


@contextmanager
def started(postgres: Postgres, folder: Path) -> Iterator[Arcade]:
    arcade = Arcade(folder / "arcade.db", "--db", postgres.database(), "--workers", str(WORKERS), "--metrics")
    until(
        lambda: len(workers_of(arcade.process.pid)) == WORKERS and len(children_of(arcade.process.pid)) == WORKERS + 1
    )
    yield arcade
    if arcade.process.poll() is None:
        arcade.end()
    elif arcade.process.stdout is not None:
        arcade.process.stdout.close()


@pytest.fixture(scope="module")
def arcade(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arcade]:
    with started(postgres, tmp_path_factory.mktemp("arcade")) as arcade:
        yield arcade


@pytest.fixture
def mortal(postgres: Postgres, tmp_path: Path) -> Iterator[Arcade]:
    """An arcade for a test that ends it."""
    with started(postgres, tmp_path) as arcade:
        yield arcade


def until(done: Callable[[], Any]) -> Any:
    """The first answer that says yes."""
    end = time.monotonic() + 3 * PATIENCE
    while time.monotonic() < end:
        found = done()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError("it never came to pass")


def bot_process(arcade: Arcade) -> psutil.Process:
    """The process in which bots think."""
    (found,) = set(children_of(arcade.process.pid)) - set(workers_of(arcade.process.pid))
    return found


def worker_of(arcade: Arcade, page: Page) -> int:
    """The number of the worker that a page is connected to."""
    port = page.socket.socket.getsockname()[1]
    (found,) = (
        each.pid
        for each in workers_of(arcade.process.pid)
        if any(one.raddr and one.raddr.port == port for one in connections_of(each))
    )
    return int(found)


def figures(arcade: Arcade) -> dict[str, float]:
    """The figures of all processes by name and label."""
    lines = [line for line in get(arcade.base + "/metrics").text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


def at_all_workers_of(arcade: Arcade, person: Person, id: str, stack: ExitStack) -> list[Page]:
    """A page of a game at each of the workers."""
    found: dict[int, Page] = {}
    for _ in range(200):
        page = stack.enter_context(person.at(id))
        found.setdefault(worker_of(arcade, page), page)
        if len(found) == WORKERS:
            return list(found.values())
    raise AssertionError(f"no connection came to the other workers: {found}")


def begin(person: Person, *bots: str, game: str = "gaterun", **options: Any) -> str:
    """A game in which bots are to move, as soon as it is set up."""
    id: str = person.set_up(game, "here", *bots, options=options)["id"]
    person.post(f"/api/games/{id}/actions", {"action": "1,3" if game == "gaterun" else "m 0 0"})
    return id


def short_game() -> State:
    """A game with a blunder at its end."""
    game = rookery.game("gaterun", size=3, walls=0)
    state = game.start()
    for ply in ("1,1", "2,0", "0,1"):
        state.play(game.action(ply))
    return state


def plies(person: Person, id: str) -> list[str]:
    found: list[str] = person.get(f"/api/games/{id}/record")["plies"]
    return found


# ── with real workers ─────────────────────────────────────────────────────────────────────────────────────────────────


class Since:
    """What has been counted since now."""

    def __init__(self, arcade: Arcade) -> None:
        self._arcade, self._before = arcade, figures(arcade)

    def __call__(self, name: str) -> float:
        return figures(self._arcade).get(name, 0.0) - self._before.get(name, 0.0)


BOT_MOVES = 'rookery_actions_total{by="bot"}'
WAITING = "rookery_bot_queue"


def test_a_bot_of_a_game_that_is_open_at_all_workers_thinks_once(arcade: Arcade) -> None:
    ada = arcade.person()
    id = ada.set_up("gaterun", "here", "mcts:ms=5000")["id"]
    with ExitStack() as stack:
        pages = at_all_workers_of(arcade, ada, id, stack)
        since = Since(arcade)
        assert pages[0].play("1,3")["is"] == "ack"
        for page in pages:
            page.until(lambda page: page.shown["ply"] == 2)
    assert since("rookery_bot_seconds_count") == 1 and since("rookery_bot_seconds_sum") > 1
    assert since(BOT_MOVES) == 1 and since("rookery_conflicts_total") == since("rookery_jobs_total") == 0


def test_one_visitors_bots_at_all_workers_wait_in_one_queue_and_let_others_pass(arcade: Arcade) -> None:
    greedy, ada, bob = arcade.person(), arcade.person(), arcade.person()
    quick = ada.set_up("gaterun", "here", "3")["id"]
    slow = bob.set_up("gaterun", "here", "mcts:ms=1000")["id"]
    with ada.at(quick) as page:
        page.play("1,3")  # its machine code is loaded, and its time is known
        page.until(lambda page: page.shown["mine"])
    for _ in range(12):
        begin(greedy, *["mcts:ms=5000"] * 7, game="gamma", players=8)
    most = max(1, cores() - 1)  # for one person, on all workers together
    until(lambda: figures(arcade)[WAITING] >= 12 - most)
    assert {figures(arcade)["rookery_bots_thinking"] for _ in range(20)} <= {most - 1, most}
    for person, id, turns in ((ada, quick, 4), (bob, slow, 2)):
        with person.at(id) as page:
            for _ in range(turns):
                page.until(lambda page: page.shown["mine"])
                since = Since(arcade)
                page.play(page.choices[0])
                page.until(lambda page: page.shown["mine"] or page.over)
                # One that had begun for each thread, and one that has had less time than this visitor's bots.
                passed = since(BOT_MOVES) - 1
                assert passed <= cores() + 1, f"{passed} moves of the greedy visitor came first"
    greedy.ask("DELETE", "/api/me")
    until(lambda: figures(arcade)[WAITING] == 0)


def test_what_waits_for_one_visitor_is_bounded_and_no_move_is_lost(arcade: Arcade) -> None:
    greedy, since = arcade.person(), Since(arcade)
    ids = [greedy.set_up("gaterun", "here", "mcts:ms=100")["id"] for _ in range(MOST_WAITING + 6)]
    ids += [begin(greedy, "mcts:ms=5000") for _ in range(max(1, cores() - 1))]  # all that one person may have at once
    with ThreadPoolExecutor(8) as pool:
        list(
            pool.map(lambda each: greedy.post(f"/api/games/{each}/actions", {"action": "1,3"}), ids[: MOST_WAITING + 6])
        )
    until(lambda: since("rookery_bot_refusals_total") > 0)
    assert figures(arcade)[WAITING] <= MOST_WAITING
    until(lambda: all(len(plies(greedy, id)) == 2 for id in ids))
    until(lambda: figures(arcade)[WAITING] == 0)
    assert since(BOT_MOVES) == len(ids)


def test_what_waits_for_somebody_who_is_forgotten_waits_no_more(arcade: Arcade) -> None:
    greedy, since = arcade.person(), Since(arcade)
    for _ in range(6):
        begin(greedy, "mcts:ms=5000")
    until(lambda: figures(arcade)[WAITING] >= 6 - max(1, cores() - 1) - since(BOT_MOVES))
    greedy.ask("DELETE", "/api/me")
    moves = since(BOT_MOVES)
    until(lambda: figures(arcade)[WAITING] == 0)
    assert since(BOT_MOVES) <= moves + 1


def test_a_bot_that_was_thinking_when_its_process_died_moves(arcade: Arcade) -> None:
    ada, before, since = arcade.person(), bot_process(arcade), Since(arcade)
    id = begin(ada, "mcts:ms=5000")
    with ada.at(id) as page:
        page.socket.send(json.dumps({"do": "analyse", "ref": 77}))
        time.sleep(1)
        assert page.shown["ply"] == 1
        before.kill()
        answers: list[Any] = []
        while not answers or page.shown["ply"] < 2:
            heard = page.hear(3 * PATIENCE)
            answers += [heard["is"]] if heard.get("ref") == 77 else []
    assert bot_process(arcade).pid != before.pid
    assert since(BOT_MOVES) == 1
    until(lambda: figures(arcade)[WAITING] == 0)
    assert "another one is started" in arcade.log.read_text()


def test_a_review_is_made_in_the_process_of_the_bots(arcade: Arcade) -> None:
    ada = arcade.person()
    id = ada.post("/api/records", json.loads(Record.of(short_game()).line()))["id"]
    ada.post(f"/api/games/{id}/review")
    found = until(lambda: (now := ada.get(f"/api/games/{id}/review"))["status"] == "done" and now)
    assert [each["best"] for each in found["plies"]][2] == "2,1" and found["done"] == 3
    if sys.platform == "linux":
        loaded = {
            each.pid: any("llvmlite" in one.path for one in each.memory_maps())
            for each in children_of(arcade.process.pid)
        }
        assert [pid for pid, has in loaded.items() if has] == [bot_process(arcade).pid]


def test_the_process_is_replaced_with_the_workers_and_outlives_a_signal_to_all(mortal: Arcade) -> None:
    ada, before = mortal.person(), children_of(mortal.process.pid)
    bot_process(mortal).send_signal(signal.SIGTERM)
    id = begin(ada, "mcts:ms=2000")
    os.kill(mortal.process.pid, signal.SIGHUP)
    until(lambda: len(plies(ada, id)) == 2)
    until(
        lambda: (
            len(workers_of(mortal.process.pid)) == WORKERS and not set(before) & set(children_of(mortal.process.pid))
        )
    )
    id = begin(ada, "3")
    until(lambda: len(plies(ada, id)) == 2)
    everybody = children_of(mortal.process.pid)
    assert len(everybody) == WORKERS + 1
    mortal.end()
    assert mortal.process.returncode == 0 and mortal.log.read_text() == ""
    assert psutil.wait_procs(everybody, timeout=PATIENCE)[1] == []


def test_no_process_is_left_when_the_supervisor_is_killed_while_bots_think(mortal: Arcade) -> None:
    begin(mortal.person(), "mcts:ms=5000")
    everybody = [*children_of(mortal.process.pid), *bot_process(mortal).children(recursive=True)]
    os.kill(mortal.process.pid, signal.SIGKILL)
    mortal.process.wait(PATIENCE)
    _, alive = psutil.wait_procs(everybody, timeout=PATIENCE)
    assert alive == []


def test_a_process_that_hangs_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_process_module, "PATIENCE", 1.0)
    bots = BotProcess(Settings(workers=2), tmp_path / "socket")

    def pid() -> int:
        """The number of the process, after what the supervisor does from time to time."""
        bots.keep_alive()
        assert bots.pid is not None
        return bots.pid

    try:
        first = pid()
        until(lambda: pid() == first and bots.ready)
        os.kill(first, signal.SIGSTOP)
        second = until(lambda: (now := pid()) != first and now)
        until(lambda: pid() == second and bots.ready)
        assert not psutil.pid_exists(first)
    finally:
        bots.end()


# ── what is said over the socket ──────────────────────────────────────────────────────────────────────────────────────


class Move(NamedTuple):
    """A request for a move, as it arrived, and its answer."""

    bot: str
    state: State
    token: CancelToken
    client: Client
    answer: asyncio.Future[int]


class Told(BotPool):
    """Bots that do what they are told to."""

    def __init__(self) -> None:
        super().__init__(1)
        self.asked: list[Move] = []

    async def choose(
        self, bot: Any, state: State, stream: Any, token: CancelToken, client: Client, *, wait: Any
    ) -> int:
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self.asked.append(Move(str(bot), state, token, client, answer))
        if wait is not None:
            wait()
        with token.watched(lambda: answer.set_exception(Cancelled())):
            return await answer

    async def analyse(self, bot: Any, state: State, token: CancelToken, client: Client) -> Analysis:
        raise Busy


@asynccontextmanager
async def asking(path: Path) -> AsyncIterator[tuple[RemoteBots, Told]]:
    """A worker's side and the other side, connected."""
    told, remote = Told(), RemoteBots(str(path / "socket"))

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await Asking(told, writer).run(reader)

    async with await asyncio.start_unix_server(serve, path / "socket"):
        remote.start()
        try:
            yield remote, told
        finally:
            remote.close()
            told.close()


async def happens(done: Callable[[], Any]) -> None:
    for _ in range(1000):
        if done():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("It did not happen.")


def choosing(remote: RemoteBots, token: CancelToken, waited: list[str] | None = None) -> asyncio.Task[int]:
    """A request for a move in the middle of a game."""
    state = rookery.game("gamma", players=3).start()
    for _ in range(9):
        state.play(state.actions()[5])
    bot, wait = make_bot(find("gamma"), "mcts:ms=900"), None if waited is None else partial(waited.append, "it waits")
    return asyncio.create_task(remote.choose(bot, state, Stream(1), token, ADA, wait=wait))


def test_a_position_arrives_with_its_history_and_the_answer_comes_back(tmp_path: Path) -> None:
    async def work() -> None:
        async with asking(tmp_path) as (remote, told):
            waited: list[str] = []
            move = choosing(remote, CancelToken(), waited)
            await happens(lambda: told.asked and waited)
            bot, state, _, client, answer = told.asked[0]
            assert (bot, client) == ("mcts:ms=900", ADA) and state.ply == 9 and state.game.players == 3
            for _ in range(9):
                state.undo()
            assert state.key() == rookery.game("gamma", players=3).start().key()
            answer.set_result(17)
            assert await move == 17 and waited == ["it waits"]

    asyncio.run(work())


def test_who_cancels_gets_no_answer_and_the_search_stops(tmp_path: Path) -> None:
    async def work() -> None:
        async with asking(tmp_path) as (remote, told):
            token = CancelToken()
            move = choosing(remote, token)
            await happens(lambda: told.asked)
            token.cancel()
            with pytest.raises(Cancelled):
                await move
            await happens(lambda: told.asked[0].token.cancelled)
            leaving = choosing(remote, CancelToken())
            await happens(lambda: len(told.asked) == 2)
            leaving.cancel()
            await happens(lambda: told.asked[1].token.cancelled)

    asyncio.run(work())


def test_what_a_worker_asked_that_is_gone_is_cancelled(tmp_path: Path) -> None:
    async def work() -> None:
        async with asking(tmp_path) as (remote, told):
            move = choosing(remote, CancelToken())
            await happens(lambda: told.asked)
            remote.close()
            await happens(lambda: told.asked[0].token.cancelled)
            with pytest.raises(BotsLost):
                await move

    asyncio.run(work())


def test_refusals_and_errors_come_back_as_what_they_are(tmp_path: Path) -> None:
    async def work() -> None:
        async with asking(tmp_path) as (remote, told):
            state = rookery.game("gaterun").start()
            with pytest.raises(Busy, match="try again in a moment"):
                await remote.analyse(make_bot(find("gaterun"), "10"), state, CancelToken(), ADA)
            move = choosing(remote, CancelToken())
            await happens(lambda: told.asked)
            told.asked[0].answer.set_exception(ZeroDivisionError("a bot with a bug"))
            with pytest.raises(Failure, match=r"(?s)Traceback.*in choose.*a bot with a bug"):
                await move

    asyncio.run(work())


def test_what_kills_the_process_again_and_again_is_given_up(tmp_path: Path) -> None:
    tries = 0

    async def dies(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal tries
        with suppress(asyncio.IncompleteReadError):
            await reader.readexactly(20)
            tries += 1
        writer.close()

    async def work() -> None:
        remote = RemoteBots(str(tmp_path / "socket"))
        async with await asyncio.start_unix_server(dies, tmp_path / "socket"):
            remote.start()
            with pytest.raises(BotsLost):
                await choosing(remote, CancelToken())
            remote.close()

    asyncio.run(work())
    assert tries == TRIES


def test_a_review_goes_on_where_it_was_when_the_process_died(tmp_path: Path) -> None:
    state = short_game()
    game = state.game
    begun: list[int] = []

    class Mortal(Told):
        async def review(self, review: Review, client: Client) -> AsyncGenerator[None, None]:
            begun.append(len(review.plies))
            async with aclosing(super().review(review, client)) as steps:
                async for _ in steps:
                    yield
                    if len(begun) == 1 and len(review.plies) == 2:
                        await asyncio.sleep(1)

    async def work() -> Review:
        mortal, remote = Mortal(), RemoteBots(str(tmp_path / "socket"))
        writers: list[asyncio.StreamWriter] = []

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writers.append(writer)
            await Asking(mortal, writer).run(reader)

        review = Review(Record.of(state), type(game).reviewer().of(game, nodes=500))
        async with await asyncio.start_unix_server(serve, tmp_path / "socket"):
            remote.start()
            async for _ in remote.review(review, ADA):
                if len(review.plies) == 2 and len(writers) == 1:
                    writers[0].close()
            remote.close()
        mortal.close()
        return review

    found = asyncio.run(work())
    assert begun[0] == 0 and begun[1] == 2 and found.game.done
    alone = Review(Record.of(state), type(game).reviewer().of(game, nodes=500))
    for _ in alone.steps():
        pass
    assert found.plies == alone.plies
