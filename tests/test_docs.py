"""Every example in the documentation runs, and the documentation builds without a warning.

Python examples are fenced as `pycon`, commands as `console`. Each page's Python examples run in a separate interpreter, as
for a reader who starts there. Each tutorial in `docs/start` runs from top to bottom in one shell; see `page.py`.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shlex
import subprocess
import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest
from tools.pictures import overview

from tests.page import agrees, asked, fenced, follow, typed

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted(
    str(path.relative_to(ROOT))
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md"))
    if "_build" not in path.parts
)
WITH_PYTHON = (
    "CONTRIBUTING.md",
    "README.md",
    *(f"docs/games/{name}.md" for name in ("gamma", "gaterun", "gotham", "sixseven")),
    *(f"docs/api/{name}.md" for name in ("bot", "conformance", "game", "lesson", "names", "options", "puzzle")),
    *(f"docs/api/{name}.md" for name in ("record", "review", "rookery", "stream")),
    "docs/design.md",
    "docs/lab.md",
    "docs/learning.md",
    "docs/records.md",
    "docs/sixseven-play.md",
)
WITH_COMMANDS = (
    "CONTRIBUTING.md",
    "README.md",
    *(f"docs/games/{name}.md" for name in ("gamma", "gaterun", "gotham", "sixseven")),
    "docs/gotham-play.md",
    "docs/lab.md",
    "docs/playing.md",
    "docs/records.md",
)
TUTORIALS = tuple(f"docs/start/{name}.md" for name in ("designer", "operator", "player", "researcher", "tester"))
LINK = re.compile(r"\]\(([^)\s]+)\)")
HOP = re.compile(r"`([\w/]+\.(?:py|js)):([\w.#]+)`")


def blocks(page: str, language: str) -> list[str]:
    """The fenced blocks of a page in a language."""
    return [block.text for block in fenced((ROOT / page).read_text(encoding="utf-8"), language)]


def commands(page: str) -> list[tuple[str, str]]:
    """The `$ rookery` commands of a page, or those that feed it, each with what the page says it prints."""
    found = [each for block in blocks(page, "console") for each in asked(block)]
    return [(command, printed) for command, printed in found if command.startswith(("rookery", "printf"))]


def run_python(page: str, folder: Path) -> None:
    """Run a page's Python examples in a folder, in an interpreter of their own."""
    words = [sys.executable, str(ROOT / "tests" / "page.py"), str(ROOT / page)]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def rookery(command: str, entered: str) -> str:
    """What a `rookery` command prints when this is typed."""
    run = shlex.join([sys.executable, "-m", "rookery"])
    words = ["bash", "-c", f'rookery() {{ {run} "$@"; }}; {command}']
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        words, cwd=ROOT, env=environment, input=entered, capture_output=True, encoding="utf-8", check=False
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout


def test_every_page_with_examples_is_listed_and_has_some() -> None:
    others = set(PAGES) - set(TUTORIALS)
    assert {page for page in others if ">>> " in (ROOT / page).read_text(encoding="utf-8")} == set(WITH_PYTHON)
    assert {page for page in others if blocks(page, "pycon")} == set(WITH_PYTHON)
    assert {page for page in others if commands(page)} == set(WITH_COMMANDS)
    assert {page for page in PAGES if page.startswith("docs/start/")} == set(TUTORIALS)
    assert all(commands(page) for page in TUTORIALS)


def is_defined(file: Path, name: str) -> bool:
    """Whether a Python or JavaScript file defines a function, or a method by `Class.method`."""
    if not file.is_file():
        return False
    text = file.read_text(encoding="utf-8")
    *owners, last = name.split(".")
    if file.suffix == ".js":
        return re.search(rf"^ *(export )?(async )?(function )?{re.escape(last)}\(", text, re.MULTILINE) is not None
    body = ast.parse(text).body
    for owner in owners:
        body = next((node.body for node in body if isinstance(node, ast.ClassDef) and node.name == owner), [])
    return any(isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == last for node in body)


def test_every_hop_of_a_walk_through_the_code_is_there() -> None:
    hops = HOP.findall((ROOT / "docs" / "design.md").read_text(encoding="utf-8"))
    assert len(hops) > 35
    missing = [f"{file}:{name}" for file, name in hops if not is_defined(ROOT / "src" / "rookery" / file, name)]
    assert not missing


@pytest.mark.parametrize(("heading", "pattern"), [("server", "*.py"), ("page", "static/*.js")])
def test_the_design_names_every_module_of_the_arcade_once(heading: str, pattern: str) -> None:
    _, below = (ROOT / "docs" / "design.md").read_text(encoding="utf-8").split(f"| modules of the {heading} | do |\n")
    table, _, _ = below.partition("\n\n")
    named = [name for row in table.splitlines() for name in re.findall(r"`(\w+)`", row.split("|")[1])]
    there = {path.stem for path in (ROOT / "src/rookery/web").glob(pattern)} - {"__init__"}
    assert len(there) > 40
    assert len(named) == len(set(named))
    assert not there - set(named)


@cache
def examples_run() -> dict[str, tuple[int, str]]:
    """For each page with Python examples the exit code of running them, and what was printed."""
    words = [sys.executable, str(ROOT / "tests" / "page.py"), *(str(ROOT / page) for page in WITH_PYTHON)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    return {str(Path(page).relative_to(ROOT)): (code, text) for page, code, text in found}


@pytest.mark.xdist_group("docs-python")
@pytest.mark.parametrize("page", WITH_PYTHON)
def test_python_examples_give_what_the_page_says(page: str) -> None:
    code, text = examples_run()[page]
    assert code == 0, text


@pytest.mark.parametrize("page", WITH_COMMANDS)
def test_commands_print_what_the_page_says(page: str) -> None:
    in_tutorials = [each for tutorial in TUTORIALS for each in commands(tutorial)]
    for command, said in commands(page):
        if (command, said) in in_tutorials:
            continue  # the test of the tutorial runs it, and compares the same words
        printed = rookery(command, typed(said))
        assert agrees(said, printed), f"$ {command}\n{printed}"


@pytest.mark.parametrize("page", TUTORIALS)
def test_a_tutorial_goes_as_the_page_says(page: str, tmp_path: Path) -> None:
    folder = tmp_path / "tutorial"
    folder.mkdir()
    (folder / "examples").symlink_to(ROOT / "examples")
    follow((ROOT / page).read_text(encoding="utf-8"), folder)
    run_python(page, folder)


one_site = pytest.mark.xdist_group("docs-site")
"""Tests that look at the built site run on one worker, so that it is built once."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documentation as web pages."""
    folder = tmp_path_factory.mktemp("site")
    words = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html"]
    folders = [str(ROOT / "docs"), str(folder / "html"), "-d", str(folder / "doctrees")]
    done = subprocess.run([*words, *folders], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "html"


class Anchors(HTMLParser):
    """What a web page leads to or shows, and the places in it that others may lead to."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.leads: set[str] = set()
        self.names = {""}
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.leads |= {unquote(value) for name, value in attrs if name in ("href", "src") and value}
        self.names |= {value for name, value in attrs if name == "id" and value}


@one_site
def test_the_documentation_builds_without_warnings(site: Path) -> None:
    assert (site / "index.html").is_file()


@one_site
def test_every_link_within_the_documentation_leads_somewhere(site: Path) -> None:
    pages = {page: Anchors(page) for page in site.rglob("*.html")}
    assert len(pages) > 35
    for page, found in pages.items():
        for link in found.leads:
            path, _, anchor = link.partition("#")
            target = (page.parent / path.partition("?")[0]).resolve() if path else page
            if ":" not in path:
                assert target.is_file(), f"{page.relative_to(site)} leads to {link}"
                assert target not in pages or anchor in pages[target].names, f"{page.relative_to(site)} leads to {link}"


@one_site
def test_the_front_page_leads_to_every_page(site: Path) -> None:
    listed = {link.partition("#")[0] for link in Anchors(site / "index.html").leads}
    made = {page.relative_to(site).as_posix() for page in site.rglob("*.html")}
    assert made - listed <= {"index.html", "py-modindex.html"}


@one_site
def test_search_finds_words_of_pages(site: Path) -> None:
    text = (site / "searchindex.js").read_text(encoding="utf-8")
    index = json.loads(text.removeprefix("Search.setIndex(").removesuffix(")"))
    for word, page in (("perft", "start/tester"), ("nginx", "start/operator"), ("golden", "games/gamma")):
        found = [index[kind].get(word, []) for kind in ("terms", "titleterms")]
        numbers = [k for each in found for k in (each if isinstance(each, list) else [each])]
        assert page in [index["docnames"][k] for k in numbers], word


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "docs/index.md", *TUTORIALS])
def test_links_lead_to_files_of_the_repository(page: str) -> None:
    links = LINK.findall((ROOT / page).read_text(encoding="utf-8"))
    lost = [
        link for link in links if ":" not in link and not (ROOT / page).parent.joinpath(link.partition("#")[0]).exists()
    ]
    assert not lost


def test_the_picture_shows_the_games_as_they_are() -> None:
    drawn = overview.picture()
    kept = (ROOT / "docs" / "rookery.svg").read_text(encoding="utf-8")
    assert drawn == kept, "redraw it: make picture"
