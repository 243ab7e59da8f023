"""The learner of the examples does learn."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

from tests.tiers import slow

from rookery.engine.playouts import Playouts
from rookery.games import game

FILE = Path(__file__).parent.parent.parent / "examples" / "learn_sixseven.py"


@slow
def test_the_learner_beats_chance() -> None:
    spec = importlib.util.spec_from_file_location("learn_sixseven", FILE)
    assert spec is not None and spec.loader is not None
    example: Any = importlib.util.module_from_spec(spec)
    sys.modules["learn_sixseven"] = example
    spec.loader.exec_module(example)
    by_chance = Playouts(game("sixseven", **example.BOARD)).play(1, 0, 20_000, 10_000).winners.count(1) / 20_000
    curve = example.train(rounds=560, seed=1)
    assert curve[0].won < 2 * by_chance, "it begins as a random player"
    assert max(point.won for point in curve[-3:]) > 2 * by_chance
