"""Ctrl-C for a command: `listen` sees to it that the process ends soon, without a traceback and without leftovers.

Python's own way, a KeyboardInterrupt between two instructions of the main thread, has four gaps:

- The main thread may be in compiled code or in the compiler for many seconds, and reach no instruction of Python. A
  thread is told of the signal by a pipe, and ends the process if the main thread does not take notice.
- Inside an import, Numba or LLVM, an exception may be printed by a callback, swallowed, or leave something half made.
  There the process ends at once; nothing has been computed yet that could be reported.
- In a finaliser an exception is printed and lost. It is raised again.
- At the end the interpreter waits for threads that still compute. `leave` does not.

Where a command can do better, for example report what it has so far, it catches KeyboardInterrupt as usual, or uses
`deferred` or `held`. A process that was started with the signal ignored, as `nohup` and `&` do, keeps ignoring it.
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
"""The exit code of a command that was interrupted, as shells have it: 128 and the number of the signal."""
UNHEARD = 1.0
"""Seconds after which a process is ended whose main thread has taken no notice."""
LATEST = 5.0
"""Seconds after which a process is ended in any case, also if it is still reporting."""
IMPATIENT = 0.5
"""Seconds after which a second Ctrl-C ends the process; one that follows at once comes from the same key."""
MOMENT = 0.02
SOLE = 0.05
"""Seconds for which a thread has the interpreter to itself at the end. Exit functions iterate over tables to which
other threads may still add (`weakref.finalize`, by way of Numba); they are through with one in less time."""
UNSAFE = ("importlib", "_frozen_importlib", "_frozen_importlib_external", "numba", "llvmlite")
"""Packages in whose functions no exception may be raised from outside."""


class _Listening:
    """What is known of an interruption."""

    heard = 0.0
    """When the main thread took notice; 0 if it has not."""
    ending = False
    main = 0
    """The number of the main thread."""
    terminal: list[Any] | None = None
    """How the terminal was set before the command began."""


def listen() -> None:
    """See to Ctrl-C from now on, in a process whose only purpose is a command; for its main thread."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return
    _Listening.main = _thread.get_ident()
    signal.signal(signal.SIGINT, _interrupt)
    sys.unraisablehook = _unraisable
    if os.isatty(0):
        with suppress(ImportError, OSError):
            import termios

            _Listening.terminal = termios.tcgetattr(0)
    with suppress(OSError, ValueError):  # a system on which only sockets can be woken up by
        told, tell = map(_not_standard, os.pipe())
        os.set_blocking(tell, False)
        signal.set_wakeup_fd(tell, warn_on_full_buffer=False)
        _thread.start_new_thread(_watch, (told,))


def _not_standard(descriptor: int) -> int:
    """The same as none of the three standard descriptors: where one of those is closed, new ones take its number."""
    taken = []
    while descriptor <= 2:
        taken.append(descriptor)
        descriptor = os.dup(descriptor)
    for each in taken:
        os.close(each)
    return descriptor


def leave(code: int) -> int:
    """The end of a command: its exit code. Threads that still compute for nobody are not waited for."""
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
    """Ctrl-C sets a flag, instead of breaking in anywhere. Another thread than the main one is never broken into."""
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
    """Ctrl-C waits until this is done, for what must be done whole, such as writing a file."""
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
    """What Ctrl-C does in a command."""
    now = time.monotonic()
    if _Listening.heard:
        if now - _Listening.heard > IMPATIENT:
            _end()
        return
    if _within(frame, ("numba",), "save_overload"):
        _thread.start_new_thread(_again, ())  # a file of machine code would be left half written
        return
    _Listening.heard = now
    if _within(frame, UNSAFE):
        _end()
    raise KeyboardInterrupt


def _within(frame: FrameType | None, packages: tuple[str, ...], function: str = "") -> bool:
    """Whether the main thread is inside one of these packages, and there in a function of that name."""
    while frame is not None:
        package = str(frame.f_globals.get("__name__")).partition(".")[0]
        if package in packages and function in ("", frame.f_code.co_name):
            return True
        frame = frame.f_back
    return False


def _again() -> None:
    """Interrupt the main thread once more, a moment later; by a signal if possible, which wakes it up too."""
    time.sleep(MOMENT)
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(_Listening.main, signal.SIGINT)
    else:
        _thread.interrupt_main()


def _unraisable(problem: sys.UnraisableHookArgs) -> None:
    """An exception that nobody can catch: an interruption is raised again where somebody can."""
    if problem.exc_type is not None and issubclass(problem.exc_type, KeyboardInterrupt):
        _Listening.heard = 0.0
        _thread.start_new_thread(_again, ())
    else:
        sys.__unraisablehook__(problem)


def _watch(told: int) -> None:
    """Wait for Ctrl-C; end the process if that is not done in time by the main thread."""
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
    """Whether Ctrl-C is still this module's business: a server or a screen has ways of its own."""
    return getattr(signal.getsignal(signal.SIGINT), "__module__", "") == __name__


def _end() -> NoReturn:
    """End this process and those it has started, at once."""
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
    sys.modules["multiprocessing.util"]._run_finalizers(0)  # else the resource tracker complains of leaked ones


def _put_back() -> None:
    """Put the terminal back as it was, with a visible cursor, and take a shell's prompt to a fresh line."""
    if _Listening.terminal is not None and os.tcgetpgrp(0) == os.getpgrp():
        import termios

        termios.tcsetattr(0, termios.TCSANOW, _Listening.terminal)
    os.write(2, b"\r\x1b[K\x1b[?25h\n" if os.isatty(2) else b"\n")


def _main_thread() -> int | None:
    """The main thread's number, without importing `threading` where nobody has."""
    threading: Any = sys.modules.get("threading")
    return _thread.get_ident() if threading is None else threading.main_thread().ident
