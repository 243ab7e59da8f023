"""Checks the games, the machine's cores and memory, and the compiled code."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from rookery.cli.doctor.check import MISSING, OK, PROBLEM, WARNING, Check, guarded, size_of, write_error
from rookery.system.memory import memory

if TYPE_CHECKING:
    from collections.abc import Iterator

LITTLE_MEMORY = 10**9


def check_games() -> Iterator[Check]:
    """Check that each game plays, with a hundred random plies."""
    from rookery.games import names

    for name in names():
        yield from guarded(name, lambda name=name: _plays(name))  # type: ignore[misc]  # name is bound here


def _plays(name: str) -> Iterator[Check]:
    from rookery.core.stream import Stream
    from rookery.games import find

    state, stream = find(name)().start(), Stream(67)
    while not state.over and state.ply < 100:
        state.play(state.pick(stream) if state.turn > 0 else state.draw(stream))
    yield Check(name, OK, f"{state.game.title} plays.")


def check_machine() -> Iterator[Check]:
    """Check cores and memory."""
    from rookery.engine.threads import cores

    yield Check("cores", OK, f"{cores()} of {os.cpu_count() or cores()} usable.")
    total, free = memory()
    if total is None or free is None:
        yield Check("memory", OK, "Unknown on this system.")
        return
    advice = "" if free >= LITTLE_MEMORY else "Compiling and solving need about 1 GB; close other programs."
    text = f"{free / 10**9:.1f} of {total / 10**9:.1f} GB free."
    yield Check("memory", WARNING if advice else OK, text, advice)


def check_machine_code() -> Iterator[Check]:
    """Check the folder of compiled code, and which games are compiled."""
    from rookery.engine import code_cache, warmup
    from rookery.games import find, names

    folder = code_cache.cache_home()
    wanted = os.environ.get("ROOKERY_CACHE")
    problem = write_error(folder)
    text = f"{folder}, {size_of(folder)}"
    if problem:
        advice = "Set ROOKERY_CACHE to a writable folder."
        yield Check("folder", PROBLEM, f"{text}, cannot be written: {problem}.", advice)
    elif wanted and Path(wanted) != folder:
        advice = "Until the folder is writable, compiled code is kept in a temporary folder and may be lost."
        yield Check("folder", WARNING, f"{text}. ROOKERY_CACHE, {wanted}, cannot be written.", advice)
    else:
        yield Check("folder", OK, f"{text}, writable.")
    if find_spec("numba") is None:
        install = "pip install 'rookery[bots]'"
        yield Check("compiler", MISSING, "Without Numba, rules run interpreted and bots play slowly.", install)
        return
    missing: dict[str, list[str]] = {}
    for name in names():
        cls = find(name)
        missing[name] = [part for part in warmup.parts_of(cls) if not warmup.is_ready(cls, part)]
    ready = [name for name, parts in missing.items() if not parts]
    others = [f"{name} ({', '.join(parts)})" for name, parts in missing.items() if parts]
    yield Check("ready", OK, f"{', '.join(ready) or 'no game'}.")
    if others:
        yield Check("not ready", OK, f"{', '.join(others)}. Compiled when needed, or ahead by: rookery warm")
