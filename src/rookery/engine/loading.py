"""Loads Numba without SciPy's linear algebra, which no rules use.

Numba imports that to know whether there is a BLAS: a fifth of the time that a command takes to start. So the private
`linalg.ensure_blas` is replaced while Numba loads `arraymath`, and only looks whether SciPy is installed. A function
that uses the BLAS still imports it when it is compiled.
"""

from __future__ import annotations

import functools
from importlib.util import find_spec
from typing import Any


@functools.cache
def load_numba() -> Any:
    """Numba, ready to compile and to load machine code."""
    import numba
    from numba.np import linalg

    private: Any = linalg
    usual = private.ensure_blas
    private.ensure_blas = _look_for_scipy
    try:
        from numba.np import arraymath
    finally:
        private.ensure_blas = usual
    vars(arraymath)["ensure_blas"] = usual
    return numba


def _look_for_scipy() -> None:
    if find_spec("scipy") is None:
        raise ImportError
