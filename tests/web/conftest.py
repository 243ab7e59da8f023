"""One arcade and one browser for all tests of a module; tests that end the arcade start their own."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pytest
from tests.web.arcade import Arcade, Person
from tests.web.browser import PHONE, Visitor, chromium
from tests.web.postgres import Postgres

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser


HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A module's tests run on one worker, so that its server and its browser start once."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.xdist_group(item.path.stem))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Fail at once if xdist does not see the groups: each worker would start each server and each browser."""
    if session.config.getoption("loadgroup", False):
        lost = [item.nodeid for item in session.items if HERE in item.path.parents and "@" not in item.nodeid]
        if lost:
            raise pytest.UsageError(
                "pytest-xdist does not group tests with this version of pytest; see pyproject.toml."
            )


class Comes(Protocol):
    """Lets a visitor come, who leaves after the test: with a phone, in the dark, to another arcade."""

    def __call__(self, to: Arcade | None = None, **how: Any) -> Visitor: ...


@pytest.fixture(scope="module")
def arcade(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arcade]:
    server = Arcade(tmp_path_factory.mktemp("arcade") / "arcade.db")
    yield server
    server.end()
    assert server.log.read_text() == ""


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server. Its folder is not pytest's, which other runs of pytest may clear."""
    pytest.importorskip("psycopg")
    with tempfile.TemporaryDirectory(prefix="rookery-postgres-") as folder:
        server = Postgres(Path(folder) / "server")
        yield server
        server.stop("immediate")


@pytest.fixture
def ada(arcade: Arcade) -> Person:
    return arcade.person()


@pytest.fixture
def bob(arcade: Arcade) -> Person:
    return arcade.person()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Not for the whole session: while it is open, its event loop counts as running, and other tests run their own."""
    with chromium() as found:
        yield found


@pytest.fixture
def comes(arcade: Arcade, browser: Browser) -> Iterator[Comes]:
    with ExitStack() as leaving:

        def come(to: Arcade | None = None, **how: Any) -> Visitor:
            visitor = Visitor(browser, (to or arcade).base, **how)
            leaving.callback(visitor.leave)
            return visitor

        yield come


@pytest.fixture
def zoe(comes: Comes) -> Visitor:
    """A visitor at a computer."""
    return comes()


@pytest.fixture
def pip(comes: Comes) -> Visitor:
    """A visitor with a phone."""
    return comes(**PHONE)
