"""How long GateRun's baseline bot takes at depth 3 on the 7×7 board, and how much valuing every action costs.

Run it with `python benchmarks/gaterun_minimax.py`. Both ways are timed on the same random positions, interleaved.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import rookery
from rookery.core.stream import Stream

POSITIONS = 60


def milliseconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - began)


def compare(*, skills: bool) -> None:
    """Choosing a move against analysing all of them, over positions after up to 24 random plies."""
    bot = rookery.bot("gaterun", "minimax:depth=3")
    bot.ready(rookery.game("gaterun"))
    choosing, analysing = [], []
    for index in range(POSITIONS):
        stream, state = Stream(3, index), rookery.game("gaterun", jump=skills, rotate=skills).start()
        for _ in range(stream.below(24)):
            if not state.over:
                state.play(stream.pick(state.actions()))
        if not state.over:
            choosing.append(milliseconds(lambda: bot.choose(state, stream=stream)))  # noqa: B023 - called at once
            analysing.append(milliseconds(lambda: bot.analyse(state)))  # noqa: B023 - called at once
    a, b = statistics.median(choosing), statistics.median(analysing)
    print(
        f"{'jump and rotate' if skills else 'plain'}, {len(choosing)} positions: choose {a:.1f} ms, worst "
        f"{max(choosing):.1f}; analyse {b:.1f} ms, worst {max(analysing):.1f}; {b / a:.1f} times as long"
    )


if __name__ == "__main__":
    compare(skills=False)
    compare(skills=True)
