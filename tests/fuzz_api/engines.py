"""Calls of streams, budgets, compiled random play, games stepped together, and files of weights."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy

from rookery.core.bot import Budget, make_bot
from rookery.core.stream import Stream
from rookery.engine.batch import GameBatch
from rookery.engine.playouts import Playouts
from rookery.games.sixseven.bots import weights
from tests.fuzz_api.values import WRONG, Kind, as_json

if TYPE_CHECKING:
    from pathlib import Path

    from rookery.core.state import State
    from tests.fuzz_api.values import Call, Values


class EngineCalls:
    def __init__(self, values: Values) -> None:
        self.values = values
        self.kinds = [
            Kind("budget, stream", 4, self.of_core),
            Kind("play-outs", 3, self.of_playouts),
            Kind("tables", 4, self.of_tables),
            Kind("weights", 1, self.of_weights),
        ]
        self.playouts: list[Playouts] = []
        self.batch: list[GameBatch] = []
        self.shipped = weights.shipped()[0].read_bytes()
        self.small = self.small_weights()

    def small_weights(self) -> bytes:
        """A file of weights for the first board of 67! here."""
        path = self.values.folder / "small.npz"
        game = next(game for game in self.values.games if game.name == "sixseven")
        weights.write(path, {"options": dict(game.options), "bits": 10}, numpy.ones(1 << 10, numpy.float32))
        return path.read_bytes()

    def of_core(self) -> Call:
        """Budgets and streams."""
        v, stream = self.values, Stream(1)
        calls: list[Call] = [
            partial(Budget, v.number(large=True), v.number(large=True)),
            partial(Stream, v.number(large=True), v.number(large=True)),
            partial(stream.below, v.number(large=True)),
            partial(stream.pick, v.one(([], [1], (1, 2), "abc"))),
        ]
        return v.one(calls)

    def of_playouts(self) -> Call:
        """Random games in compiled code."""
        v = self.values
        if not self.playouts:
            self.playouts = [Playouts(game) for game in v.games]
        if v.chance(0.1):
            return partial(Playouts, v.anything())
        count, most = v.number(), v.one((v.number(), 50, 1000))
        return partial(v.one(self.playouts).play, v.number(large=True), v.number(large=True), count, most)

    def of_tables(self) -> Call:
        """Many games stepped together."""
        v = self.values
        if not self.batch:
            self.batch = [GameBatch(game, many) for game in v.games for many in (1, 3)]
            for batch in self.batch:
                batch.begin(list(range(batch.many)))
        batch = v.one(self.batch)
        rows = v.one(([0], [0, 1, 2], numpy.arange(batch.many), [v.number()], v.number(), v.one(WRONG)))
        seeds = v.one(([v.number(large=True)], [1, 2, 3], rows, v.one(WRONG)))
        right = [v.random.randrange(batch.count) for _ in range(batch.many)]
        actions = v.one((right, [v.number(large=True) for _ in range(batch.many)], rows))
        game = v.one((batch.game, v.game()))
        calls: list[Call] = [
            partial(batch.seed, rows, seeds),
            partial(batch.begin, rows),
            partial(batch.look, v.number(), v.number()),
            partial(batch.step, actions),
            partial(batch.step, actions),
            partial(batch.step_one, v.one((v.number(), v.random.randrange(batch.count)))),
            partial(GameBatch, game, v.number(), seat=v.number(), most=v.number(), threads=1),
        ]
        return v.one(calls)

    def of_weights(self) -> Call:
        """The bot of 67! that plays by a file: another board's, cut short, changed."""
        v = self.values
        path = v.folder / "some.npz"
        path.write_bytes(v.one((self.small, self.small, self.small, self.shipped)))
        how = v.random.random()
        if how < 0.4:
            about, table = weights.unpacked(path)
            about, table = v.one(((v.reshaped(about), table), (about, table[: v.one((0, 1, 1000))])))
            numpy.savez(path, about=numpy.frombuffer(as_json(about).encode(), numpy.uint8), weights=table)
        elif how < 0.8:
            content = bytearray(path.read_bytes())
            for _ in range(v.one((1, 3, 20))):
                content[v.random.randrange(len(content))] = v.random.randrange(256)
            path.write_bytes(content[: v.one((len(content), v.random.randrange(len(content))))])
        boards = [k for k, game in enumerate(v.games) if game.name == "sixseven"]
        states = v.states[v.one((boards[0], boards[0], *boards))]
        state = v.one([each for each in states if each.turn > 0] or states)
        return partial(self.by_weights, path, state)

    @staticmethod
    def by_weights(path: Path, state: State) -> Any:
        try:
            bot = make_bot(state.game, f"learned:plies=1,weights={path}")
            return bot.choose(state, nodes=5)
        finally:
            path.unlink()
            weights.loaded.cache_clear()
