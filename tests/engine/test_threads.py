"""Threads that stand by carry out what they are given, say what went wrong, and go home."""

from __future__ import annotations

import os
import threading
from functools import partial

import pytest
from tests.tiers import posix

from rookery.engine.threads import ThreadPool


def names(found: list[str]) -> None:
    found.append(threading.current_thread().name)


def test_tasks_are_carried_out_each_in_its_thread() -> None:
    pool = ThreadPool(1)
    here: list[str] = []
    there: list[str] = []
    for _ in range(3):
        pool.run([partial(names, here), partial(names, there)])
    assert set(here) == {threading.current_thread().name}
    assert len(there) == 3 and len(set(there)) == 1 and not set(here) & set(there)
    pool.close()


def test_an_error_in_a_thread_is_raised_here_and_the_crew_goes_on() -> None:
    pool = ThreadPool(1)
    found: list[str] = []
    with pytest.raises(ZeroDivisionError):
        pool.run([int, partial(divmod, 1, 0)])
    pool.run([int, partial(names, found)])
    assert len(found) == 1


def test_what_is_broken_off_does_not_reach_the_next_run() -> None:
    """As when somebody presses Ctrl-C while others are at work."""
    pool, go = ThreadPool(1), threading.Event()
    done: list[str] = []

    def slow() -> None:
        go.wait(5)
        done.append("slow")

    def interrupted() -> None:
        threading.Timer(0.05, go.set).start()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pool.run([interrupted, slow])
    assert done == ["slow"], "nobody is at work any more when it is over"
    pool.run([int, partial(done.append, "next")])
    assert done == ["slow", "next"]


def test_threads_go_home() -> None:
    before = set(threading.enumerate())
    pool = ThreadPool(2)
    assert not called_since(before), "they are not called before there is work"
    pool.run([int, int, int])
    called = called_since(before)
    assert len(called) == 2
    pool.close()
    assert all_gone(called)
    pool.run([int, int, int])
    called = called_since(before)
    assert len(called) == 2
    del pool
    assert all_gone(called)


def called_since(before: set[threading.Thread]) -> set[threading.Thread]:
    return set(threading.enumerate()) - before


def all_gone(threads: set[threading.Thread]) -> bool:
    for each in threads:
        each.join(5)
    return not any(each.is_alive() for each in threads)


@posix
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_a_fork_calls_threads_of_its_own() -> None:
    pool = ThreadPool(1)
    pool.run([int, int])
    child = os.fork()
    if child == 0:
        pool.run([int, int])
        os._exit(7)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
