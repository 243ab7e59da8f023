"""A fuzz of the public API: bots × states × arguments over all games, right ones and wrong ones, from a seed.

    python -m tests.fuzz_api --calls 100000 --seed 1

Every call must end in an answer or in a `RookeryError` of one line. (Environments may also raise Gymnasium's own
errors; only a wrong number of arguments is left to Python's `TypeError`, and is not tried here.) Anything else is a
failure and is printed with what was called. The calls are made in a process of their own, which notes each of them
before it is made: if compiled code kills or stops it, the last call is known.
"""

from __future__ import annotations

import argparse
import copy
import faulthandler
import json
import math
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import gymnasium
import numpy

import rookery
from rookery.core.bot import Budget, make_bot
from rookery.core.errors import RookeryError
from rookery.core.record import Record
from rookery.core.rules import CHANCE
from rookery.core.state import State
from rookery.core.stream import Stream
from rookery.engine.batch import GameBatch
from rookery.engine.playouts import Playouts
from rookery.games import find, from_file
from rookery.games.sixseven.bots import weights
from rookery.lab import duel as duels
from rookery.lab import experiment as experiments

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rookery.core.bot import Bot
    from rookery.core.game import Game

T = TypeVar("T")
THIN_ICE = str(Path(__file__).parent.parent / "examples" / "thin_ice.py")
ALLOWED = (RookeryError, gymnasium.error.Error)
SILENT = 600
"""Seconds after which a call that has not ended is a failure; the first of a kind may have to be compiled."""
STATES = 60
"""States of each game that are kept."""
FAILED = 3
"""What the process ends with after failures; 1 is what Python ends with if it was stopped, or by an error of ours."""
SHOWN = 15
"""Failures that are printed in full."""

GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("gotham", {}),
    ("gotham", {"size": 3, "coins": 1}),
    ("gotham", {"size": 5, "rules": "online"}),
    ("gamma", {"width": 4, "height": 4}),
    ("gamma", {"width": 1, "height": 1, "players": 1, "areas": 1}),
    ("gamma", {"width": 7, "height": 2, "players": 3, "areas": 2}),
    ("gamma", {"width": 6, "height": 6, "players": 12, "pass_out": False}),
    ("sixseven", {"rows": 4, "cols": 4, "variant": "final", "rate": 0.67}),
    ("sixseven", {"rows": 2, "cols": 8, "variant": "original"}),
    ("sixseven", {"rows": 8, "cols": 2, "variant": "pairs", "tiles": 3}),
    ("gaterun", {}),
    ("gaterun", {"size": 3, "walls": 1}),
    ("gaterun", {"size": 4, "walls": 2, "jump": True, "rotate": True}),
    ("gaterun", {"size": 5, "walls": 0, "walls2": 3}),
)
WRONG: tuple[Any, ...] = (
    *(-1, -(2**63), 2**63, 2**64, 10**5000, -1.5, 0.5, math.nan, math.inf, -math.inf),
    *(
        "",
        "up",
        "-1",
        "over",
        "\0",
        "é" * 100,
        "x" * 5000,
        b"up",
        [],
        [1],
        [[[1]]],
        {},
        {"turn": 1},
        set(),
        object(),
        int,
    ),
    *(numpy.float64(1.5), numpy.array([1, 2]), numpy.zeros((2, 2)), numpy.bool_(True), Ellipsis, len, 1j),
)
"""Values that are wrong almost everywhere."""
NUMBERS: tuple[Any, ...] = (0, 1, 2, 3, 5, 9, 17, True, numpy.int64(1), numpy.int8(2), numpy.uint64(3))
LARGE: tuple[Any, ...] = (1000, 2**31 - 1, 2**31, 2**32, 2**53, 2**63 - 1, numpy.int64(2**62))


class Fuzz:
    """Calls drawn from a seed, and their outcomes."""

    def __init__(self, seed: int, notes: Path, folder: Path) -> None:
        self.random = random.Random(seed)
        self.notes = notes.open("w", encoding="utf-8")
        self.folder = folder
        self.calls: Counter[tuple[str, str]] = Counter()
        self.failures: dict[str, str] = {}
        self.games: list[Game] = [
            *(rookery.game(name, **options) for name, options in GAMES),
            from_file(THIN_ICE)(),
            from_file(THIN_ICE).make(rows=3, cols=2),
        ]
        self.states: dict[int, list[State]] = {k: [] for k in range(len(self.games))}
        for k, game in enumerate(self.games):
            self.states[k] = [self.played(game) for _ in range(12)]
        self.bots = [bot for game in self.games for bot in self.bots_of(game)]
        self.records = [Record.of(state).line() for states in self.states.values() for state in states[:3]]
        self.playouts: list[Playouts] = []
        self.batch: list[GameBatch] = []
        self.envs: list[Any] = []
        self.files = [path.read_bytes() for path in weights.shipped()[:1]]
        self.small = self.small_weights()

    # ---- what calls are made of ----

    def one(self, values: Sequence[T]) -> T:
        return self.random.choice(values)

    def number(self, *, large: bool = False) -> Any:
        """A number, most often a small one that could be right, or something wrong."""
        return self.one((NUMBERS, NUMBERS, NUMBERS, LARGE if large else NUMBERS, WRONG)[self.random.randrange(5)])

    def anything(self) -> Any:
        return self.one(
            (self.number(large=True), self.one(WRONG), self.state(), self.one(self.games), self.one(self.bots), None)
        )

    def game(self) -> Any:
        return self.one(self.games) if self.random.random() < 0.95 else self.anything()

    def state(self) -> State:
        return self.one(self.states[self.random.randrange(len(self.games))])

    def own_state(self, bot: Bot) -> State:
        """A state of a game that the bot plays, in most cases with a player to move."""
        own = [k for k, game in enumerate(self.games) if type(bot) in type(game).bots().values()]
        states = self.states[self.one(own)]
        return self.one([state for state in states if state.turn > 0 or self.random.random() < 0.1] or states)

    def played(self, game: Game) -> State:
        """A state of a random game, anywhere in it, in most cases with a player to move."""
        state, stream = game.start(), Stream(self.random.randrange(2**63))
        for _ in range(self.random.choice((0, 1, 3, 10, 30, 400))):
            if state.over:
                break
            state.play(state.draw(stream) if state.turn == CHANCE else state.pick(stream))
        while state.turn == CHANCE and self.random.random() < 0.9:
            state.play(state.draw(stream))
        return state

    def bots_of(self, game: Game) -> list[Bot]:
        """Every bot and level of a game, with parameters that keep it short."""
        cls = type(game)
        return [make_bot(cls, spec) for spec in (*cls.bots(), *map(str, range(1, 11)))]

    def limits(self) -> dict[str, Any]:
        """A short budget, or a wrong one."""
        short: list[dict[str, Any]] = [{"nodes": self.random.randint(1, 50)}, {"ms": self.random.randint(1, 5)}]
        if self.random.random() < 0.85:
            return self.one(short)
        wrong: Any = self.one(WRONG)
        bad: list[dict[str, Any]] = [{"nodes": wrong}, {"ms": wrong}, {"budget": wrong}, {"nodes": 0}, {"ms": -1}]
        return self.one(bad)

    def budget(self) -> Any:
        return Budget(nodes=self.random.randint(1, 50)) if self.random.random() < 0.9 else self.anything()

    def stream(self) -> Any:
        return Stream(self.random.randrange(2**63)) if self.random.random() < 0.9 else self.anything()

    def mutated(self, text: str) -> str:
        """The text with a few characters changed, left out, doubled or swapped for others of its kind."""
        signs = list(text)
        for _ in range(self.one((0, 1, 1, 2, 5))):
            at = self.random.randrange(len(signs) + 1)
            with_what = self.one((self.one(text or "0"), self.one('0123456789,./|-+*#;: P{}[]"x\0é')))
            signs[at : at + self.one((0, 1, 1, 3))] = [with_what]
        return "".join(signs)

    def reshaped(self, content: Any) -> Any:
        """JSON with a value somewhere in it replaced, left out or doubled."""
        content = copy.deepcopy(content)
        place = content
        for _ in range(self.random.randrange(1, 5)):
            if not isinstance(place, dict | list) or not place:
                break
            key = self.one(list(place)) if isinstance(place, dict) else self.random.randrange(len(place))
            inner = place[key]
            if isinstance(inner, dict | list) and inner and self.random.random() < 0.6:
                place = inner
                continue
            how = self.random.random()
            if how < 0.2:
                del place[key]
            elif isinstance(inner, str) and how < 0.6:
                place[key] = self.mutated(inner)
            else:
                place[key] = self.one((self.number(large=True), inner, self.one(WRONG)))
            break
        return content

    def small_weights(self) -> bytes:
        """A file of weights for the first board of 67! here."""
        path = self.folder / "small.npz"
        game = next(game for game in self.games if game.name == "sixseven")
        weights.write(path, {"options": dict(game.options), "bits": 10}, numpy.ones(1 << 10, numpy.float32))
        return path.read_bytes()

    # ---- kinds of calls ----

    def of_bot(self) -> Callable[[], Any]:
        """Ask a bot for a move or an analysis."""
        bot: Bot = self.one(self.bots)
        state: Any = self.own_state(bot) if self.random.random() < 0.75 else self.one((self.state(), self.anything()))
        how = self.random.randrange(4)
        if how == 0:
            return partial(self.chosen, bot, state, self.stream(), self.limits())
        if how == 1:
            return partial(bot.analyse, state, **self.limits())
        return partial(bot.search if how == 2 else bot.search_best, state, self.budget(), self.stream())

    @staticmethod
    def chosen(bot: Bot, state: Any, stream: Any, limits: dict[str, Any]) -> int:
        action = bot.choose(state, stream=stream, **limits)
        assert state.legal(action), f"{bot} chose {action}, which is illegal"
        return action

    def of_bot_and_game(self) -> Callable[[], Any]:
        bot: Bot = self.one(self.bots)
        return partial(self.one((bot.ready, bot.accept, bot.remark)), self.game())

    def of_making(self) -> Callable[[], Any]:
        """Ask for games, bots and records by name."""
        name = self.one(("gotham", "gamma", "sixseven", "gaterun", "thin_ice", "chess", self.one(WRONG)))
        how = self.random.randrange(5)
        if how == 0:
            cls = find(self.one(("gotham", "gamma", "sixseven", "gaterun")))
            options = {self.one([*cls().options, "none"]): self.anything() for _ in range(self.random.randrange(3))}
            return partial(rookery.game, cls.name, **options)
        if how == 1:
            spec = self.one((self.mutated(str(self.one(self.bots))), self.one(WRONG)))
            return partial(rookery.bot, name, spec)
        if how == 2:
            return partial(rookery.bot, name, level=self.number())
        if how == 3:
            return partial(make_bot, self.game(), self.one((str(self.one(self.bots)), self.one(WRONG))))
        line: Any = self.one(self.records)
        if self.random.random() < 0.5:
            line = self.mutated(line)
        elif self.random.random() < 0.9:
            line = _json(self.reshaped(json.loads(line)))
        else:
            line = self.anything()
        return partial(rookery.record, line)

    def of_state(self) -> Callable[[], Any]:
        """Query a state, or play on a copy of it."""
        state = self.state().copy()
        codes = self.one((self.random.randrange(state.game.code_count), self.number(large=True), self.anything()))
        calls: list[Callable[[], Any]] = [
            partial(state.play, codes),
            partial(state.legal, codes),
            partial(state.why_not, codes),
            partial(state.before, self.number()),
            partial(state.pick, self.stream()),
            partial(state.draw, self.stream()),
            partial(state.scene, self.number(), odds=self.one((True, False))),
            *(state.undo, state.actions, state.mask, state.chances, state.key, state.position, state.json),
            *(state.copy, state.winners, state.scores, partial(str, state), partial(repr, state)),
            partial(State, self.game_only(), state.words),
            partial(Record.of, state, ("a", "b")),
            partial(self.replayed, state, self.number()),
        ]
        return self.one(calls)

    def game_only(self) -> Game:
        found: Game = self.one(self.games)
        return found

    @staticmethod
    def replayed(state: State, plies: Any) -> State:
        return Record.of(state).replay(plies)

    def of_game(self) -> Callable[[], Any]:
        """Ask a game for names, places, solvers and trainers."""
        game, state = self.game_only(), self.state()
        names = game.name_of(self.random.randrange(game.code_count))
        near = (-1, 0, 1, 2, 5, 9, 10**6)
        spots = tuple((self.one(near), self.one(near)) for _ in range(self.random.randrange(4)))
        calls: list[Callable[[], Any]] = [
            partial(game.name_of, self.one((self.number(large=True), self.anything()))),
            partial(game.action, self.one((self.mutated(names), self.one(WRONG)))),
            partial(state.game.pointed, state, spots),
            partial(state.game.achievement, state, self.random.randint(1, state.game.players)),
            partial(self.estimated, game, self.one((None, state, self.anything()))),
            partial(game.trainer, self.number(large=True), self.number()),
        ]
        return self.one(calls)

    @staticmethod
    def estimated(game: Game, state: Any) -> Any:
        solver = game.solver(state)
        return None if solver is None else solver.estimate()

    def of_position(self) -> Callable[[], Any]:
        """Read a position from text or JSON that may be wrong; bots play on from valid ones."""
        k = self.random.randrange(len(self.games))
        game, state = self.games[k], self.one(self.states[k])
        given: Any = self.mutated(state.position()) if self.random.random() < 0.5 else self.reshaped(state.json())
        if self.random.random() < 0.05:
            given = self.one((self.anything(), self.state().position(), self.state().json()))
        return partial(self.read, k, game, given)

    def read(self, k: int, game: Game, given: Any) -> State:
        state = game.position(given)
        again = game.position(state.position())
        assert again.key() == state.key(), f"{given!r} reads back as another position"
        kept = self.states[k]
        if len(kept) < STATES:
            kept.append(state)
        else:
            kept[self.random.randrange(12, STATES)] = state
        return state

    def of_core(self) -> Callable[[], Any]:
        """Budgets and streams."""
        stream = Stream(1)
        calls: list[Callable[[], Any]] = [
            partial(Budget, self.number(large=True), self.number(large=True)),
            partial(Stream, self.number(large=True), self.number(large=True)),
            partial(stream.below, self.number(large=True)),
            partial(stream.pick, self.one(([], [1], (1, 2), "abc"))),
        ]
        return self.one(calls)

    def of_playouts(self) -> Callable[[], Any]:
        """Random games in compiled code."""
        if not self.playouts:
            self.playouts = [Playouts(game) for game in self.games]
        if self.random.random() < 0.1:
            return partial(Playouts, self.anything())
        count, most = self.number(), self.one((self.number(), 50, 1000))
        return partial(self.one(self.playouts).play, self.number(large=True), self.number(large=True), count, most)

    def of_tables(self) -> Callable[[], Any]:
        """Many games stepped together."""
        if not self.batch:
            self.batch = [GameBatch(game, many) for game in self.games for many in (1, 3)]
            for batch in self.batch:
                batch.begin(list(range(batch.many)))
        batch = self.one(self.batch)
        rows = self.one(([0], [0, 1, 2], numpy.arange(batch.many), [self.number()], self.number(), self.one(WRONG)))
        seeds = self.one(([self.number(large=True)], [1, 2, 3], rows, self.one(WRONG)))
        actions = self.one(
            (
                [self.random.randrange(batch.count) for _ in range(batch.many)],
                [self.number(large=True) for _ in range(batch.many)],
                rows,
            )
        )
        calls: list[Callable[[], Any]] = [
            partial(batch.seed, rows, seeds),
            partial(batch.begin, rows),
            partial(batch.look, self.number(), self.number()),
            partial(batch.step, actions),
            partial(batch.step, actions),
            partial(batch.step_one, self.one((self.number(), self.random.randrange(batch.count)))),
            partial(
                GameBatch,
                self.one((batch.game, self.game())),
                self.number(),
                seat=self.number(),
                most=self.number(),
                threads=1,
            ),
        ]
        return self.one(calls)

    def of_envs(self) -> Callable[[], Any]:
        """Environments of Gymnasium and PettingZoo."""
        from rookery.envs import gamma_v0, gaterun_v0, single, vector

        if not self.envs:
            self.envs = [
                *(single.SixSevenEnv(rows=3, cols=3), single.GothamLoopsEnv(size=5)),
                *(single.GateRunEnv(size=3, opponent="random", seat=2), single.GammaEnv(width=3, height=3)),
                vector.SixSevenVectorEnv(num_envs=3, rows=3, cols=3),
                vector.GateRunVectorEnv(num_envs=2, size=4, autoreset_mode="SameStep"),
                *(gaterun_v0.env(size=3).unwrapped, gamma_v0.env(width=3, height=3, players=3).unwrapped),
            ]
            for env in self.envs:
                env.reset()
        env = self.one(self.envs)
        if getattr(env, "over", False):
            return partial(env.reset)  # PettingZoo has players who are out step once more, in its own way
        many = getattr(env, "num_envs", 0)
        space = env.single_action_space if many else None
        high = int(space.n) if space is not None else int(env.game.action_count)
        single_action = self.one((self.random.randrange(high), self.random.randrange(high), self.number(large=True)))
        actions = [self.random.randrange(high) for _ in range(many)] if many else single_action
        if many and self.random.random() < 0.3:
            actions = self.one(([self.number(large=True)] * many, self.one(WRONG), single_action))
        seed = self.number(large=True)
        if many:
            seed = self.one((seed, [1] * many, [self.number(large=True)] * many, self.one(WRONG)))
        options = self.one((None, None, {"reset_mask": self.one(([True] * many, [1] * many, self.one(WRONG)))}))
        calls: list[Callable[[], Any]] = [partial(env.step, actions)] * 6
        calls += [partial(env.reset, seed=seed, options=options), env.reset]
        if hasattr(env, "observe"):
            calls += [partial(env.observe, self.one(("player_1", "player_2", "player_9", 1)))]
        if self.random.random() < 0.02:
            given = {
                self.one(
                    ("num_envs", "seat", "opponent", "render_mode", "rows", "max_episode_steps", "threads")
                ): self.number()
            }
            calls = [partial(vector.SixSevenVectorEnv, **{"rows": 3, "cols": 3, **given})]
        return self.one(calls)

    def of_weights(self) -> Callable[[], Any]:
        """The bot of 67! that plays by a file: another board's, cut short, changed."""
        path = self.folder / "some.npz"
        path.write_bytes(self.one((self.small, self.small, self.small, self.files[0])))
        how = self.random.random()
        if how < 0.4:
            about, table = weights.unpacked(path)
            about, table = self.one(((self.reshaped(about), table), (about, table[: self.one((0, 1, 1000))])))
            numpy.savez(path, about=numpy.frombuffer(_json(about).encode(), numpy.uint8), weights=table)
        elif how < 0.8:
            content = bytearray(path.read_bytes())
            for _ in range(self.one((1, 3, 20))):
                content[self.random.randrange(len(content))] = self.random.randrange(256)
            path.write_bytes(content[: self.one((len(content), self.random.randrange(len(content))))])
        boards = [k for k, game in enumerate(self.games) if game.name == "sixseven"]
        states = self.states[self.one((boards[0], boards[0], *boards))]
        state = self.one([each for each in states if each.turn > 0] or states)
        return partial(self.by_weights, path, state)

    @staticmethod
    def by_weights(path: Path, state: State) -> Any:
        try:
            bot = make_bot(state.game, f"learned:plies=1,weights={path}")
            return bot.choose(state, nodes=5)
        finally:
            path.unlink()
            weights.loaded.cache_clear()

    def of_lab(self) -> Callable[[], Any]:
        """Experiments and duels."""
        game = self.one(self.games[:-2])
        names = [*type(game).bots(), "1", "settler", "greedy:slip=1", self.one(WRONG)]
        bots = [self.one(names) for _ in range(self.one((1, game.players)))]
        if self.random.random() < 0.5:
            given = {"games": self.number(), "seed": self.number(large=True), "opening": self.number()}
            return partial(self.duel, game, bots, given)
        return partial(self.simulated, game, bots, self.number(large=True), self.number(), self.number())

    @staticmethod
    def duel(game: Game, bots: Any, given: dict[str, Any]) -> Any:
        return duels.Duel.of(game, bots, duels.Schedule(**given))

    @staticmethod
    def simulated(game: Game, bots: Any, seed: Any, first: Any, most: Any) -> Any:
        asked = experiments.Experiment.of(game, bots, seed=seed, most=most)
        return experiments.play(asked, first, 1) if asked.random else asked

    # ---- running ----

    def run(self, calls: int) -> None:
        kinds: list[tuple[str, int, Callable[[], Callable[[], Any]]]] = [
            ("bot on a state", 40, self.of_bot),
            ("bot on a game", 8, self.of_bot_and_game),
            ("by name", 8, self.of_making),
            ("state", 14, self.of_state),
            ("game", 6, self.of_game),
            ("position", 8, self.of_position),
            ("budget, stream", 4, self.of_core),
            ("play-outs", 3, self.of_playouts),
            ("tables", 4, self.of_tables),
            ("environment", 4, self.of_envs),
            ("weights", 1, self.of_weights),
            ("lab", 2, self.of_lab),
        ]
        names, shares, makers = zip(*kinds, strict=True)
        for number in range(calls):
            if number % 200 == 0:
                faulthandler.dump_traceback_later(SILENT, exit=True)
            k = self.random.choices(range(len(names)), shares)[0]
            self.call(names[k], makers[k]())
        faulthandler.cancel_dump_traceback_later()

    def call(self, kind: str, made: Callable[[], Any]) -> None:
        told = _told(made)
        self.notes.seek(0)
        self.notes.write(f"{sum(self.calls.values())}, {kind}: {told}\n")
        self.notes.truncate()
        self.notes.flush()
        try:
            made()
        except ALLOWED as error:
            if not str(error) or "\n" in str(error):
                self.failed(kind, told, error)
            else:
                self.calls[kind, "refused"] += 1
        except Exception as error:
            self.failed(kind, told, error)
        else:
            self.calls[kind, "answered"] += 1

    def failed(self, kind: str, told: str, error: Exception) -> None:
        self.calls[kind, "failed"] += 1
        trace, where = error.__traceback__, "?"
        while trace is not None:
            code = trace.tb_frame.f_code
            if "rookery" in code.co_filename:
                where = f"{Path(code.co_filename).name}:{trace.tb_lineno}"
            trace = trace.tb_next
        self.failures.setdefault(f"{type(error).__name__} at {where}", f"{kind}: {told}\n      {str(error)[:200]}")


def _json(content: Any) -> str:
    """As JSON; what JSON has no form for, and numbers that Python would not write, as text."""
    if isinstance(content, dict):
        return "{" + ", ".join(f"{json.dumps(str(key))}: {_json(value)}" for key, value in content.items()) + "}"
    if isinstance(content, list):
        return "[" + ", ".join(map(_json, content)) + "]"
    if isinstance(content, int) and abs(content) > 10**100:
        return "1" + "0" * 5000
    return json.dumps(content, default=str)


def _told(made: Callable[[], Any]) -> str:
    """A call as text, so that it can be made again by hand."""
    function = getattr(made, "func", made)
    of = getattr(function, "__self__", None)
    owner = f"{_short(of)}." if of is not None and not isinstance(of, Fuzz) else ""
    given = [*map(_short, getattr(made, "args", ()))]
    given += [f"{name}={_short(value)}" for name, value in getattr(made, "keywords", {}).items()]
    return f"{owner}{getattr(function, '__name__', function)}({', '.join(given)})"


def _short(value: Any) -> str:
    if isinstance(value, int) and abs(value) > 10**100:
        return "10**5000"
    try:
        text = repr(value)
    except Exception:
        text = object.__repr__(value)
    return text if len(text) <= 300 else text[:300] + "…"


def table(calls: Counter[tuple[str, str]]) -> str:
    """Calls by kind and outcome."""
    outcomes = ("answered", "refused", "failed")
    kinds = list(dict.fromkeys(kind for kind, _ in calls))
    rows = [(kind, [calls[kind, outcome] for outcome in outcomes]) for kind in sorted(kinds)]
    rows.append(("all", [sum(counts[k] for _, counts in rows) for k in range(3)]))
    lines = [f"{'calls of':<16}{'calls':>9}" + "".join(f"{outcome:>10}" for outcome in outcomes)]
    lines += [f"{kind:<16}{sum(counts):>9,}" + "".join(f"{each:>10,}" for each in counts) for kind, counts in rows]
    return "\n".join(lines)


def worker(calls: int, seed: int, notes: Path) -> int:
    """Make the calls and print their outcomes; return `FAILED` if some failed."""
    faulthandler.enable()  # shows where in Python a crash of compiled code came from
    with tempfile.TemporaryDirectory() as folder:
        fuzz = Fuzz(seed, notes, Path(folder))
        fuzz.run(calls)
    print(table(fuzz.calls))
    for what, told in list(fuzz.failures.items())[:SHOWN]:
        print(f"\n{what}\n   {told}")
    if len(fuzz.failures) > SHOWN:
        print(f"\nand {len(fuzz.failures) - SHOWN} other kinds of failures")
    return FAILED if fuzz.failures else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--notes", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.notes:
        return worker(given.calls, given.seed, given.notes)
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        notes = Path(folder) / "last"
        asked = ["--calls", str(given.calls), "--seed", str(given.seed), "--notes", str(notes)]
        code = watched([sys.executable, "-m", "tests.fuzz_api", *asked], notes)
    print(f"seed {given.seed}, {time.perf_counter() - began:.0f} s")
    return code


def watched(command: list[str], notes: Path) -> int:
    """Run a process that notes each call; if it does not end by itself, print its last call."""
    code = subprocess.run(command, check=False).returncode
    if code not in (0, FAILED):
        last = notes.read_text(encoding="utf-8") if notes.exists() else "none was made"
        print(f"\nThe process was ended by {code}. Its last call: {last}")
    return code


if __name__ == "__main__":
    sys.exit(main())
