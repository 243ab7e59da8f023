"""Errors for packages that are missing or too old, tested with made-up distributions."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rookery.system import requirements
from rookery.system.requirements import MissingRequirement, bounds_of, installed, need, release

if TYPE_CHECKING:
    from collections.abc import Iterator

METADATA = """\
Metadata-Version: 2.4
Name: {name}
Version: {version}
"""


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of packages, first on the path, in which Rookery requires `grandstand` and `open-stage`."""
    monkeypatch.syspath_prepend(str(tmp_path))
    bounds = [
        "grandstand[lights]>=8.0; extra == 'terminal'",
        "open_stage>=1.2.3; extra == 'terminal'",
        "curtain; extra == 'web'",
    ]
    put(tmp_path, "rookery", "9", *(f"Requires-Dist: {line}\n" for line in bounds))
    bounds_of.cache_clear()
    yield tmp_path
    bounds_of.cache_clear()


def put(folder: Path, name: str, version: str, *more: str, module: str = "") -> None:
    """Install an empty package."""
    about = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(METADATA.format(name=name, version=version) + "".join(more))
    if module:
        (folder / f"{module}.py").write_text("")


def test_bounds_come_from_the_metadata(packages: Path) -> None:
    assert bounds_of("terminal") == {"grandstand": "8.0", "open-stage": "1.2.3"}
    assert bounds_of("web") == {"curtain": None}
    assert bounds_of("none") == {}


def test_what_is_missing_is_named_with_its_extra(packages: Path) -> None:
    with pytest.raises(MissingRequirement) as refusal:
        need("terminal", "A screen", "grandstand")
    assert str(refusal.value) == "A screen needs 'grandstand': run pip install 'rookery[terminal]'."
    assert isinstance(refusal.value, ImportError), "a program that imports a part can catch it as such"


@pytest.mark.parametrize("old", ["0.80.1", "7.9", "7"])
def test_what_is_too_old_is_told_from_what_is_missing(packages: Path, old: str) -> None:
    put(packages, "grandstand", old, module="grandstand")
    with pytest.raises(MissingRequirement) as refusal:
        need("terminal", "A screen", "grandstand")
    assert str(refusal.value) == (
        f"Rookery needs grandstand ≥ 8.0 and found {old}: run pip install --upgrade 'rookery[terminal]'."
    )


@pytest.mark.parametrize("new", ["8", "8.0", "8.0.0", "8.1.dev3", "10.0", "2026.8"])
def test_what_is_new_enough_is_taken(packages: Path, new: str) -> None:
    put(packages, "grandstand", new, module="grandstand")
    need("terminal", "A screen", "grandstand")


def test_without_names_all_packages_of_the_extra_are_looked_at(packages: Path) -> None:
    put(packages, "grandstand", "8.0", module="grandstand")
    put(packages, "open-stage", "1.2.2", module="open_stage")
    with pytest.raises(MissingRequirement, match=r"needs open-stage ≥ 1\.2\.3 and found 1\.2\.2"):
        need("terminal", "A screen")


def test_a_module_that_comes_without_a_version_is_taken(packages: Path) -> None:
    (packages / "grandstand.py").write_text("")
    need("terminal", "A screen", "grandstand")


def test_a_package_may_bring_a_module_of_another_name(monkeypatch: pytest.MonkeyPatch) -> None:
    assert installed("pillow")
    monkeypatch.setitem(sys.modules, "PIL", None)
    assert not installed("pillow")


def test_releases_are_compared_as_numbers() -> None:
    assert release("8.0.0") == release("8")
    assert release("2.10.1") > release("2.9")
    assert release("1.27.0rc1") > release("1.26.1")
    assert release("") < release("0.1")


def test_rookery_itself_says_what_its_extras_need() -> None:
    """Rookery is installed while it is tested, so users get this too."""
    assert requirements.bounds_of("terminal").keys() == {"numba", "numpy", "textual"}
    assert all(bound for extra in ("bots", "envs", "lab", "terminal", "web") for bound in bounds_of(extra).values())
