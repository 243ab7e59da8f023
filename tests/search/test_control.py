"""A search held to its budget: by the clock, several at a time, and no longer than it lasts."""

from __future__ import annotations

import threading
from time import perf_counter, sleep

from rookery.core.bot import Budget
from rookery.search.control import CONTROLS, MARGIN, NODE_LIMIT, STOP, limited


def waited(control: list[int], most: float) -> float:
    """The seconds until a search is told to stop."""
    began = perf_counter()
    while not control[STOP] and perf_counter() - began < most:
        sleep(0.001)
    return perf_counter() - began


def test_the_clock_stops_a_search_a_little_before_its_time() -> None:
    control, began = [0] * CONTROLS, perf_counter()
    with limited(Budget(ms=50), control):
        assert not control[STOP]
        assert waited(control, 5) < 1
    assert perf_counter() - began > 0.05 - MARGIN


def test_a_shorter_search_begun_later_is_stopped_first() -> None:
    long, short = [0] * CONTROLS, [0] * CONTROLS
    with limited(Budget(ms=60_000), long):
        thread = threading.Thread(target=lambda: _search(short, 30))
        thread.start()
        thread.join(10)
        assert short[STOP] and not long[STOP]


def _search(control: list[int], ms: int) -> None:
    with limited(Budget(ms=ms), control):
        waited(control, 5)


def test_a_search_that_ended_early_is_not_stopped_later() -> None:
    control = [0] * CONTROLS
    with limited(Budget(ms=20), control):
        pass
    sleep(0.06)
    assert not control[STOP]


def test_a_search_without_time_left_is_stopped_before_it_begins() -> None:
    control = [0] * CONTROLS
    budget = Budget(ms=0.01)
    sleep(0.001)
    with limited(budget, control):
        assert control[STOP], "it waits for the thread with the clock, which may come late on a busy machine"


def test_nodes_are_written_down_and_no_clock_runs_without_a_time() -> None:
    control = [0] * CONTROLS
    with limited(Budget(nodes=7), control):
        assert control[NODE_LIMIT] == 7
        assert waited(control, 0.05) >= 0.05
    budget = Budget(ms=60_000)
    with limited(budget, control):
        budget.cancel()
        assert control[STOP]


def test_a_search_that_has_ended_cannot_stop_the_next_one_of_its_thread() -> None:
    """The control words are those of the thread; whoever asked for the search may cancel it long after."""
    control, budget = [0] * CONTROLS, Budget(nodes=7)
    with limited(budget, control):
        pass
    with limited(Budget(nodes=9), control):
        budget.cancel()
        assert not control[STOP]
