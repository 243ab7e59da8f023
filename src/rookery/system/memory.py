"""How much memory the machine has."""

from __future__ import annotations

import os
from pathlib import Path


def memory() -> tuple[int | None, int | None]:
    """Total and available memory in bytes; None where the system does not tell."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        found = {name: int(rest.split()[0]) * 1024 for name, _, rest in (line.partition(":") for line in lines)}
        return found["MemTotal"], found["MemAvailable"]
    except (OSError, LookupError, ValueError):
        pass
    try:
        import psutil  # type: ignore[import-untyped]  # comes with the lab

        return psutil.virtual_memory().total, psutil.virtual_memory().available
    except ImportError:
        pass
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"), None
    except (AttributeError, OSError, ValueError):
        return None, None


def free_memory() -> int | None:
    """The bytes of memory available, else all there is; None if the system tells neither."""
    total, free = memory()
    return total if free is None else free
