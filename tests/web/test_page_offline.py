"""The page without a network, and after an update of the server."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser
from tests.web.arcade import Arcade
from tests.web.browser import Visitor
from tests.web.conftest import Comes

ROOT = Path(__file__).resolve().parents[2]
LOST = "ERR_INTERNET_DISCONNECTED|Failed to load resource|WebSocket connection"
WORKS = "async () => (await navigator.serviceWorker.ready).active.state"


def test_the_page_opens_without_a_network_and_goes_on_when_it_is_back(comes: Comes) -> None:
    zoe = comes(service_workers="allow")
    zoe.excuse(LOST)
    zoe.open_whole("/")
    zoe.page.wait_for_function(f"async () => (await ({WORKS})()) === 'activated'")
    zoe.context.set_offline(True)
    zoe.see(".network", "You are offline.")
    zoe.open("/profile")
    zoe.see(".masthead", "Rookery")
    zoe.see("main .trouble", "There is no network. This page goes on when it is back.")
    zoe.open("/play/gaterun")
    zoe.see("main .notice h1", "No network")
    zoe.context.set_offline(False)
    zoe.see(".setup h1", "GateRun")
    zoe.not_see(".network")


def test_a_game_says_that_the_network_is_gone_and_comes_back_by_itself(comes: Comes) -> None:
    zoe = comes(service_workers="allow")
    zoe.excuse(LOST)
    zoe.sit_down("gaterun", "here", "here")
    zoe.context.set_offline(True)
    zoe.see(".offline", "Connection lost: there is no network. The game goes on when it is back.")
    zoe.not_see(".network")
    zoe.context.set_offline(False)
    zoe.not_see(".offline")
    zoe.click("1,3")
    zoe.see_moves(1)


def test_only_files_of_the_page_are_kept_and_only_those_of_one_version(comes: Comes, arcade: Arcade) -> None:
    zoe = comes(service_workers="allow")
    zoe.context.add_init_script("caches.open('/static/older')")
    zoe.open_whole("/")
    zoe.page.wait_for_function(f"async () => (await ({WORKS})()) === 'activated'")
    kept = zoe.page.evaluate(
        "async () => Object.fromEntries(await Promise.all((await caches.keys()).map("
        "async name => [name, (await (await caches.open(name)).keys()).map(each => new URL(each.url).pathname)])))"
    )
    script = httpx.get(f"{arcade.base}/service-worker.js")
    (base,) = re.findall(r'^const BASE = "(/static/[0-9a-f]+)";$', script.text, re.M)
    assert set(kept) == {base}
    assert {f"{base}/index.html", f"{base}/app.js", f"{base}/play.js", f"{base}/style.css"} <= set(kept[base])
    assert all(path.startswith(f"{base}/") for path in kept[base])
    assert script.headers["cache-control"] == "no-cache"
    assert "set-cookie" not in script.headers
    assert "worker-src 'self'" in script.headers["content-security-policy"]


def test_a_page_opened_before_an_update_is_loaded_anew_when_it_needs_another_module(
    browser: Browser, arcade: Arcade
) -> None:
    zoe = Visitor(browser, arcade.base)
    zoe.excuse("status of 404")
    page = httpx.get(f"{arcade.base}/").text
    (base,) = set(re.findall(r'src="(/static/[0-9a-f]+)/app.js"', page))
    older = "/static/000000000000"
    zoe.page.route(
        f"{arcade.base}/", lambda route: route.fulfill(body=page.replace(base, older), content_type="text/html")
    )
    zoe.open_whole("/")
    zoe.page.unroute_all()
    zoe("nav a[href='/profile']").click()
    zoe.see("main h1", "Profile")
    loaded = zoe.page.evaluate(
        "() => performance.getEntriesByType('resource').map(each => new URL(each.name).pathname)"
    )
    assert f"{base}/profile.js" in loaded
    assert not any(path.startswith(older) for path in loaded)
    zoe.leave()


@pytest.mark.parametrize(("path", "page"), [("/", "the home page"), ("/game/x", "a game")])
def test_a_first_visit_fetches_what_the_design_says_and_nothing_from_elsewhere(
    arcade: Arcade, path: str, page: str
) -> None:
    with httpx.Client(base_url=arcade.base) as client:
        shell = client.get(path)
        names = set(re.findall(r'(?:src|href)="(/static/[^"]+)"', shell.text))
        assert len(names) > 8
        answers = [shell, *(client.get(each) for each in names)]
    size = sum(len(gzip.compress(each.content, 6)) for each in answers) / 1000
    stated = re.search(rf"about (\d+) kB for {page}", (ROOT / "docs" / "design.md").read_text(encoding="utf-8"))
    assert stated is not None
    assert abs(size - int(stated[1])) <= 5, f"{size:.1f} kB"
    assert size < 150
    assert not re.findall(r'(?:src|href)="(?:https?:)?//', shell.text)


def test_the_readme_says_as_much_as_the_design() -> None:
    text = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    sizes = [int(size) for size in re.findall(r"about (\d+) kB for", text)]
    assert f"[{max(sizes)} kB](docs/design.md#the-arcade)" in (ROOT / "README.md").read_text(encoding="utf-8")
