"""Compiles modules of plain functions to machine code, with Numba.

Every function of a module is rebuilt over a copy of the module's globals that holds the compiled functions, so that
compiled functions call compiled functions. Functions imported from Rookery, or from a file in the same folder, are
compiled too. A *generic* module is written against a global `rules`; specialising it for a game sets that global to the
game's rules. All functions are inlined except those a module names in `NOT_INLINED`: large ones with several callers,
which would take long to compile once for each.

Numba's own cache finds machine code by a function's file and qualified name, and checks the file's path and date. That
is wrong both ways: it misses changes in the functions that are called and in globals, and it compiles again when only a
path or a date changed. So machine code is kept in folders named after a hash of everything it depends on
(`engine/code_cache.py`), and each specialisation has its own qualified name.

Four private parts of Numba are used here, because it has no setting for them. A new version of Numba may change them.

- `arrayobj.fix_integer_index` is replaced while our functions are compiled, so that an index is not checked for being
  negative (`_pipelines`).
- `CPUCodeLibrary._optimize_final_module` is skipped for functions that are inlined anyway (`_pipelines`).
- The option `_nrt` of `njit` turns reference counting off (`_compiler_options`).
- `caching._CacheLocator` and the `_cache` of a dispatcher put the cache into our folders (`_cache_in`).
"""

from __future__ import annotations

import functools
import sys
import threading
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from rookery.engine.code_cache import cache_folder, is_compiled_along
from rookery.engine.loading import load_numba

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


def compiled(module: ModuleType, rules: ModuleType | None = None, observation: ModuleType | None = None) -> Any:
    """A module of rules as machine code, or a generic module specialised for `rules` and `observation`."""
    with _lock:
        return _compiled(module, rules, observation).outer


_lock = threading.RLock()
"""Keeps two threads from building the same functions at the same time."""


def entry_point(function: Any, *arguments: Any) -> Any:
    """The machine code of a compiled function for arguments of these types, compiled or loaded if need be.

    Calling it skips Numba's dispatch, which looks at the type of every argument: 3 µs for tuples of ten arrays, where a
    step of a game takes less. Nothing checks the types then, so later arguments must have the same.
    """
    return function.compile(tuple(map(function.typeof_pyval, arguments)))


class _Code(NamedTuple):
    """A module's functions in two forms."""

    outer: ModuleType
    """For Python to call: each function is compiled on its first call, optimised, and kept on disk."""
    inner: ModuleType
    """For compiled code to call. LLVM inlines these functions and optimises them there, so they are only translated.
    Functions that are not inlined are the same as in `outer`."""


@functools.cache
def _compiled(module: ModuleType, rules: ModuleType | None, observation: ModuleType | None) -> _Code:
    numba = load_numba()
    inner, parts = _rebuilt(module, rules, observation, lambda part: _compiled(part, None, None).inner)
    outer = ModuleType(inner.__name__, module.__doc__)
    scope = vars(inner)
    own = {name: value for name, value in scope.items() if isinstance(value, FunctionType)}
    called = _recursive(own) | set(getattr(module, "NOT_INLINED", ()))
    for name, value in vars(module).items():
        if isinstance(value, FunctionType) and value.__module__ != module.__name__ and is_compiled_along(value, module):
            code = _compiled(sys.modules[value.__module__], None, None)
            scope[name] = getattr(code.inner, value.__name__)
    vars(outer).update(scope)
    folder = cache_folder(module, *parts)
    for name, value in own.items():
        if value.__globals__ is not scope:
            continue
        settings = _compiler_options(inlined=name not in called)
        dispatcher = _without_literals(numba.njit(**settings)(value))
        dispatcher._cache = _cache_in(folder)(value)
        setattr(outer, name, dispatcher)
        scope[name] = getattr(outer, name)
        if name not in called:
            settings = _compiler_options(inlined=True, whole=False)
            scope[name] = _without_literals(numba.njit(**settings)(value))
    return _Code(outer, inner)


def _recursive(functions: dict[str, FunctionType]) -> set[str]:
    """The functions that may call themselves, directly or through others."""
    calls = {name: set(function.__code__.co_names) & set(functions) for name, function in functions.items()}

    def reached(name: str) -> set[str]:
        found: set[str] = set()
        waiting = list(calls[name])
        while waiting:
            each = waiting.pop()
            if each not in found:
                found.add(each)
                waiting += calls[each]
        return found

    return {name for name in functions if name in reached(name)}


@functools.cache
def interpreted(module: ModuleType, rules: ModuleType, observation: ModuleType | None = None) -> Any:
    """The functions of a generic module specialised for `rules` and `observation`, as plain Python."""
    return _rebuilt(module, rules, observation, lambda part: part)[0]


def available() -> bool:
    """Whether Numba is installed."""
    try:
        import numba  # noqa: F401 - only whether it is there
    except ImportError:
        return False
    return True


_interpreting: ContextVar[bool] = ContextVar("interpreting", default=False)


@contextmanager
def interpreting() -> Iterator[None]:
    """Run searches of this thread interpreted although Numba is installed: until machine code is ready."""
    before = _interpreting.set(True)
    try:
        yield
    finally:
        _interpreting.reset(before)


def in_use() -> bool:
    """Whether searches run compiled in this thread."""
    return not _interpreting.get() and available()


def array(words: Sequence[int]) -> Any:
    """A NumPy array of 64-bit integers, as compiled code takes it."""
    import numpy

    return numpy.array(words, dtype=numpy.int64)


_announcements: list[Callable[[], None]] = []


@contextmanager
def announced(say: Callable[[], None]) -> Iterator[None]:
    """Call `say` once, before the first compilation that happens inside the block. Loading from the cache is silent."""
    _announcements.append(say)
    try:
        yield
    finally:
        if say in _announcements:
            _announcements.remove(say)


def _announce() -> None:
    while _announcements:
        _announcements.pop()()


def _rebuilt(
    module: ModuleType,
    rules: ModuleType | None,
    observation: ModuleType | None,
    form: Callable[[ModuleType], ModuleType],
) -> tuple[ModuleType, list[ModuleType]]:
    """A copy of a module whose functions call each other, and `rules` and `observation` in the form that `form` gives
    them; and a list of these two as given.
    """
    suffix = "" if rules is None else "_for_" + rules.__name__.replace(".", "_")
    twin = ModuleType(module.__name__ + suffix, module.__doc__)
    scope = twin.__dict__
    scope.update({name: value for name, value in vars(module).items() if not name.startswith("__")})
    scope["__builtins__"] = __builtins__
    parts = {name: part for name, part in (("rules", rules), ("observation", observation)) if part is not None}
    scope.update({name: form(part) for name, part in parts.items()})
    for name, value in vars(module).items():
        if isinstance(value, FunctionType) and value.__module__ == module.__name__:
            scope[name] = _rebound(value, scope, suffix)
    return twin, list(parts.values())


def _without_literals(dispatcher: Any) -> Any:
    """Compile a function only once for all integers that compiled code passes to it.

    Numba would compile it again for every constant. LLVM sees the constant anyway when it inlines the call.
    """
    from numba.core import types

    unliteral: Any = types.unliteral
    usual = dispatcher.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        return usual(tuple(map(unliteral, args)), {name: unliteral(each) for name, each in kws.items()})

    dispatcher.get_call_template = get_call_template
    return dispatcher


@functools.cache
def _compiler_options(*, inlined: bool, whole: bool = True) -> dict[str, Any]:
    """Options of `njit` for rules: many small functions over one array, which allocate nothing and count from 0.

    Inlining (`forceinline`) makes them up to three times as fast. No reference counts (`_nrt`) gain another half, and
    no check for negative indices another fifth. A function that is not compiled `whole` is translated, but not
    optimised by itself, and Python cannot call it.
    """
    settings = {"nogil": True, "forceinline": inlined, "_nrt": False, "pipeline_class": _pipelines()[whole]}
    return settings if whole else {**settings, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


@functools.cache
def _pipelines() -> dict[bool, Any]:
    """Numba compilers for our functions, keyed by whether the function is optimised.

    While they compile, they replace two private functions of Numba: one that makes a negative index count from the end,
    and one that optimises a finished module.
    """
    from numba.core import codegen, event, types
    from numba.core.compiler import Compiler
    from numba.np import arrayobj

    def cast_only(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
        return context.cast(builder, index, kind, types.intp)

    optimised = codegen.CPUCodeLibrary._optimize_final_module

    def pipeline(optimise: Any) -> Any:
        class Unchecked(Compiler):
            """Takes every index as it is: it must not be negative."""

            def compile_extra(self, func: Any) -> Any:
                # Numba holds its compiler lock here, so nothing is compiled meanwhile but what this function calls.
                library: Any = codegen.CPUCodeLibrary
                usual = arrayobj.fix_integer_index, library._optimize_final_module
                arrayobj.fix_integer_index, library._optimize_final_module = cast_only, optimise
                try:
                    return super().compile_extra(func)  # type: ignore[no-untyped-call]
                finally:
                    arrayobj.fix_integer_index, library._optimize_final_module = usual

        return Unchecked

    class Announcer(event.Listener):
        """Numba sends this event when it compiles, but not when it loads from its cache."""

        def on_start(self, event: Any) -> None:
            _announce()

        def on_end(self, event: Any) -> None:
            pass

    event.register("numba:compile", Announcer())  # type: ignore[no-untyped-call]
    return {True: pipeline(optimised), False: pipeline(lambda library: None)}


def _rebound(function: FunctionType, scope: dict[str, Any], suffix: str) -> FunctionType:
    """The same code with other globals and its own qualified name."""
    twin = FunctionType(function.__code__, scope, function.__name__, function.__defaults__, function.__closure__)
    twin.__module__ = function.__module__
    twin.__qualname__ = function.__qualname__ + suffix
    twin.__doc__ = function.__doc__
    return twin


@functools.cache
def _cache_in(folder: Path) -> Any:
    """A Numba cache that keeps machine code in `folder`.

    Numba calls this class through private interfaces: a cache locator says where a file is and what it depends on. The
    folder is named after everything the code depends on, so the source's path and date are left out.
    """
    from numba.core import caching

    class InFolder(caching._CacheLocator):
        """Finds the same machine code whatever the source's path and date."""

        def __init__(self, function: FunctionType, file: str) -> None:
            self._function, self._py_file = function, file

        @classmethod
        def from_function(cls, function: FunctionType, file: str) -> InFolder:
            return cls(function, file)

        def get_cache_path(self) -> str:
            return str(folder / self._function.__module__)

        def get_source_stamp(self) -> None:
            return None

        def get_disambiguator(self) -> str:
            return str(self._function.__code__.co_firstlineno)

    class Contents(caching.CompileResultCacheImpl):
        _locator_classes = [InFolder]  # noqa: RUF012 - Numba's own is a list

    class Cache(caching.FunctionCache):
        _impl_class = Contents

    return Cache
