"""The package's metadata: version bounds, extras, and a README that works outside the repository."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]
FOR_DEVELOPERS = ("dev", "docs")
REQUIREMENT = re.compile(r"(?P<name>[\w-]+)(\[\w+\])?>=(?P<bound>\d+(\.\d+)*)")


def needed() -> list[str]:
    """Every requirement of the package and of the extras people install."""
    lists = [PROJECT["project"]["dependencies"], *(EXTRAS[extra] for extra in EXTRAS if extra not in FOR_DEVELOPERS)]
    return sorted({line for lines in lists for line in lines if not line.startswith("rookery[")})


def pinned(file: str) -> dict[str, str]:
    """The versions in a file of constraints."""
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    return {
        name.lower().replace("_", "-"): version
        for name, _, version in (line.partition("==") for line in lines if line and not line.startswith("#"))
    }


def numbers(version: str) -> list[int]:
    found = [int(number) for number in version.split(".")]
    while found[-1] == 0:
        found.pop()
    return found


@pytest.mark.parametrize("line", needed())
def test_every_requirement_has_a_lower_bound_that_is_tested(line: str) -> None:
    found = REQUIREMENT.fullmatch(line)
    assert found is not None, "a name and one lower bound, which rookery.system.requirements can read"
    name = found["name"].lower().replace("_", "-")
    assert numbers(pinned("constraints-lowest.txt")[name]) == numbers(found["bound"])
    assert numbers(pinned("constraints.txt")[name]) >= numbers(found["bound"])


def test_the_extra_all_has_what_every_other_has() -> None:
    [line] = EXTRAS["all"]
    named = set(re.findall(r"\w+", line.removeprefix("rookery")))
    assert named | {"all", "bots", *FOR_DEVELOPERS} == set(EXTRAS)


def test_on_the_package_index_every_link_and_picture_has_a_whole_address() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = readme
    for each in PROJECT["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]["substitutions"]:
        shown = re.sub(each["pattern"], each["replacement"], shown)
    links = re.findall(r"\]\(([^)\s]+)\)", shown)
    assert len(links) > 5
    assert [link for link in links if not link.startswith(("https://", "#"))] == []
    home = PROJECT["project"]["urls"]["Homepage"]
    for link in links:
        for kind in ("raw", "blob"):
            if link.startswith(f"{home}/{kind}/main/"):
                file = link.removeprefix(f"{home}/{kind}/main/").partition("#")[0]
                assert (ROOT / file).exists(), link
    pictures = re.findall(r"!\[[^\]]*\]\(([^)\s]+)\)", shown)
    assert pictures
    assert all(picture.startswith(f"{home}/raw/") or "://" in picture for picture in pictures)


def test_code_in_the_readme_is_shown_as_it_is() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    code = re.findall(r"^```.*?^```$", readme, flags=re.MULTILINE | re.DOTALL)
    for each in PROJECT["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]["substitutions"]:
        assert [re.sub(each["pattern"], each["replacement"], block) for block in code] == code


def test_every_address_is_the_projects_own() -> None:
    home = "https://github.com/rookery-games/rookery"
    assert all(address.startswith(home) for address in PROJECT["project"]["urls"].values())
