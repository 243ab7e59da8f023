"""Ctrl-C for a command: after `listen`, the process ends soon, without a traceback or leftovers.

Python raises a KeyboardInterrupt between two instructions of the main thread. That has four gaps:

- The main thread may spend many seconds in compiled code or in the compiler, without an instruction of Python. So a
  second thread learns of the signal through a pipe, and ends the process if the main thread does not react.
- Inside an import, Numba or LLVM, an exception may be printed by a callback, swallowed, or leave data half written.
  There the process ends at once; nothing has been computed yet that could be reported.
- In a finaliser, an exception is printed and lost. It is raised again.
- At exit, the interpreter waits for threads that still compute. `leave` does not.

A command that can do better, for example report its results so far, catches KeyboardInterrupt as usual, or uses
`deferred` or `held`. A process that was started with the signal ignored, as by `nohup` and `&`, keeps ignoring it.
"""

from __future__ import annotations

import _thread
import atexit
import os
import signal
import sys
import time
from contextlib import contextmanager, suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType
    from typing import Any, NoReturn

INTERRUPTED = 130
"""The exit code of an interrupted command, as in shells: 128 plus the number of the signal."""
UNHEARD = 1.0
"""Seconds after which the process is ended if the main thread has not reacted."""
LATEST = 5.0
"""Seconds after which the process is ended in any case, even while it reports."""
IMPATIENT = 0.5
"""Seconds after which a second Ctrl-C ends the process; an earlier one comes from the same key press."""
MOMENT = 0.02
SOLE = 0.05
"""The interpreter's switch interval at exit, in seconds. Exit functions iterate over tables to which other threads may
still add (`weakref.finalize`, through Numba); they need less time than this for one table."""
UNSAFE = ("importlib", "_frozen_importlib", "_frozen_importlib_external", "numba", "llvmlite")
"""Packages in whose functions no KeyboardInterrupt may be raised."""


class _Listening:
    """The state of an interruption."""

    heard = 0.0
    """When the main thread reacted; 0 if it has not."""
    ending = False
    main = 0
    """The identifier of the main thread."""
    terminal: list[Any] | None = None
    """The terminal's settings before the command started."""


def listen() -> None:
    """Handle Ctrl-C from now on. Call it in the main thread of a process that only runs a command."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return
    _Listening.main = _thread.get_ident()
    signal.signal(signal.SIGINT, _interrupt)
    sys.unraisablehook = _unraisable
    if os.isatty(0):
        with suppress(ImportError, OSError):
            import termios

            _Listening.terminal = termios.tcgetattr(0)
    with suppress(OSError, ValueError):  # on this system only sockets can wake a thread up
        told, tell = map(_not_standard, os.pipe())
        os.set_blocking(tell, False)
        signal.set_wakeup_fd(tell, warn_on_full_buffer=False)
        _thread.start_new_thread(_watch, (told,))


def _not_standard(descriptor: int) -> int:
    """A copy above the three standard descriptors: if one of those is closed, a new descriptor takes its number."""
    taken = []
    while descriptor <= 2:
        taken.append(descriptor)
        descriptor = os.dup(descriptor)
    for each in taken:
        os.close(each)
    return descriptor


def leave(code: int) -> int:
    """End a command with this exit code, without waiting for threads that still compute."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process ends anyway
    sys.setswitchinterval(SOLE)
    if code == INTERRUPTED or _threads():
        with suppress(Exception):
            _end_children()
            atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError, AttributeError):  # closed, or gone
                stream.flush()
        os._exit(code)
    return code


def _threads() -> bool:
    """Whether there are threads that the interpreter would wait for."""
    threading: Any = sys.modules.get("threading")
    return threading is not None and any(
        not each.daemon and each is not threading.main_thread() for each in threading.enumerate()
    )


@contextmanager
def deferred() -> Iterator[Flag]:
    """Let Ctrl-C set a flag instead of raising KeyboardInterrupt. Outside the main thread this does nothing."""
    flag = Flag()
    before = signal.getsignal(signal.SIGINT)
    if _thread.get_ident() != _main_thread() or before in (signal.SIG_IGN, None):
        yield flag
        return

    def note(number: int, _: FrameType | None) -> None:
        _Listening.heard = time.monotonic()
        flag.came = True

    signal.signal(signal.SIGINT, note)
    try:
        yield flag
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def held() -> Iterator[None]:
    """Hold Ctrl-C until the block is done, for work that must not stop halfway, such as writing a file."""
    flag = Flag()
    try:
        with deferred() as flag:
            yield
    finally:
        if flag.came:
            _Listening.heard = 0.0
            signal.raise_signal(signal.SIGINT)


class Flag:
    """Whether Ctrl-C was pressed."""

    came = False


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Handle Ctrl-C in a command."""
    now = time.monotonic()
    if _Listening.heard:
        if now - _Listening.heard > IMPATIENT:
            _end()
        return
    if _within(frame, ("numba",), "save_overload"):
        _thread.start_new_thread(_again, ())  # do not leave a file of machine code half written
        return
    _Listening.heard = now
    if _within(frame, UNSAFE):
        _end()
    raise KeyboardInterrupt


def _within(frame: FrameType | None, packages: tuple[str, ...], function: str = "") -> bool:
    """Whether the main thread is inside one of these packages, in a function of that name if one is given."""
    while frame is not None:
        package = str(frame.f_globals.get("__name__")).partition(".")[0]
        if package in packages and function in ("", frame.f_code.co_name):
            return True
        frame = frame.f_back
    return False


def _again() -> None:
    """Interrupt the main thread again a moment later; by a signal if possible, which also wakes it up."""
    time.sleep(MOMENT)
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(_Listening.main, signal.SIGINT)
    else:
        _thread.interrupt_main()


def _unraisable(problem: sys.UnraisableHookArgs) -> None:
    """Handle an exception that cannot be caught: raise an interruption again, where it can be."""
    if problem.exc_type is not None and issubclass(problem.exc_type, KeyboardInterrupt):
        _Listening.heard = 0.0
        _thread.start_new_thread(_again, ())
    else:
        sys.__unraisablehook__(problem)


def _watch(told: int) -> None:
    """Wait for Ctrl-C; end the process if the main thread does not do so in time."""
    while True:
        numbers = os.read(told, 64)
        if signal.SIGINT not in numbers or not _ours():
            continue
        time.sleep(UNHEARD)
        if _Listening.ending:
            os._exit(INTERRUPTED)
        if not _Listening.heard:
            _end()
        time.sleep(LATEST - UNHEARD)
        if _Listening.ending:
            os._exit(INTERRUPTED)
        _end()


def _ours() -> bool:
    """Whether this module still handles Ctrl-C: a server or a screen installs its own handler."""
    return getattr(signal.getsignal(signal.SIGINT), "__module__", "") == __name__


def _end() -> NoReturn:
    """End this process and its children at once."""
    _Listening.ending = True
    with suppress(Exception):
        _end_children()
    with suppress(Exception):
        _put_back()
    os._exit(INTERRUPTED)


def _end_children() -> None:
    """End the processes that `multiprocessing` started, and remove the semaphores they share with this one."""
    processes: Any = sys.modules.get("multiprocessing.process")
    if processes is None:
        return
    for child in processes.active_children():
        child.kill()
    sys.modules["multiprocessing.util"]._run_finalizers(0)  # or the resource tracker reports them as leaked


def _put_back() -> None:
    """Restore the terminal, show the cursor, and start a new line for the shell's prompt."""
    if _Listening.terminal is not None and os.tcgetpgrp(0) == os.getpgrp():
        import termios

        termios.tcsetattr(0, termios.TCSANOW, _Listening.terminal)
    os.write(2, b"\r\x1b[K\x1b[?25h\n" if os.isatty(2) else b"\n")


def _main_thread() -> int | None:
    """The main thread's identifier; `threading` is not imported for it."""
    threading: Any = sys.modules.get("threading")
    return _thread.get_ident() if threading is None else threading.main_thread().ident
