"""Which packages a part of Rookery needs, and whether they are installed and new enough.

The bounds are those of `pyproject.toml`, read from the metadata of the installed package.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.util import find_spec

from rookery.core.errors import RookeryError

PACKAGE = "rookery"
MODULES = {"pillow": "PIL", "pygame-ce": "pygame", "open-spiel": "pyspiel"}
"""Packages whose module has another name."""
REQUIREMENT = re.compile(
    r"(?P<name>[\w.-]+)(\[[^]]*\])?\s*(>=\s*(?P<bound>[\w.]+))?.*extra == ['\"](?P<extra>[\w-]+)['\"]"
)
"""A line of the metadata that belongs to an extra, such as `uvicorn[standard]>=0.32; extra == 'web'`."""


class MissingRequirement(RookeryError, ImportError):
    """A package that a part of Rookery needs is not installed, or is too old."""


def need(extra: str, purpose: str, *packages: str) -> None:
    """Raise `MissingRequirement` unless the packages of an extra, or only the named ones, are installed and new enough.

    `purpose` is the subject of the error's sentence, such as "The lab".
    """
    bounds = bounds_of(extra)
    for package in packages or bounds:
        if not installed(package):
            raise MissingRequirement(f"{purpose} needs '{package}': run pip install 'rookery[{extra}]'.")
        found, bound = version_of(package), bounds.get(package)
        if found is not None and bound is not None and release(found) < release(bound):
            raise too_old(extra, package, found)


def too_old(extra: str, package: str, found: str) -> MissingRequirement:
    """The error for a version of a package that is too old."""
    bound = bounds_of(extra).get(package) or "a newer version"
    return MissingRequirement(
        f"Rookery needs {package} ≥ {bound} and found {found}: run pip install --upgrade 'rookery[{extra}]'."
    )


def installed(package: str) -> bool:
    """Whether a package's module can be found; another package may provide it."""
    return find_spec(module_of(package)) is not None


def module_of(package: str) -> str:
    """The name under which a package is imported."""
    return MODULES.get(package, package.replace("-", "_"))


def version_of(package: str) -> str | None:
    """The installed version of a package, if known."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return None


@cache
def bounds_of(extra: str) -> dict[str, str | None]:
    """The packages of an extra with their lowest versions; empty if Rookery is not installed but run from a folder."""
    from importlib.metadata import PackageNotFoundError, requires

    try:
        lines = requires(PACKAGE) or []
    except PackageNotFoundError:
        return {}
    found = (parts for line in lines if (parts := REQUIREMENT.match(line)) and parts["extra"] == extra)
    return {parts["name"].lower().replace("_", "-"): parts["bound"] for parts in found}


def release(version: str) -> tuple[int, ...]:
    """The numbers a version begins with, without zeros at the end: 8.0.0 is no newer than 8."""
    numbers = [int(number) for number in re.findall(r"\d+", re.match(r"[\d.]*", version)[0])]  # type: ignore[index]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)
