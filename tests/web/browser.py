"""A real browser for tests: people who look at the pages of an arcade, point, touch and type.

What their pages complain about is kept; a test fails over any complaint it did not excuse.
"""

from __future__ import annotations

import os
import re
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Locator, expect, sync_playwright

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import CDPSession, ConsoleMessage, Request

CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE = 10_000.0
BLOCKED = "Service Worker registration blocked by Playwright"

DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DARK: dict[str, Any] = {"color_scheme": "dark"}
STILL: dict[str, Any] = {"reduced_motion": "reduce"}

ARROWS = {(-1, 0): "ArrowUp", (0, 1): "ArrowRight", (1, 0): "ArrowDown", (0, -1): "ArrowLeft"}


@contextmanager
def chromium(*flags: str) -> Iterator[Browser]:
    """The Chromium that is there, or the one Playwright brings; with further flags."""
    found = os.environ.get("ROOKERY_CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUMS)), None)
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=[*FLAGS, *flags])
        yield browser
        browser.close()


class Visitor:
    """Somebody with a browser of their own, who is at one page of an arcade at a time."""

    def __init__(self, browser: Browser, base: str, **how: Any) -> None:
        self.base = base
        how = DESKTOP | {"service_workers": "block"} | how  # tests do not see what a service worker fetches
        self.context = browser.new_context(base_url=base, locale="en-GB", **how)
        self.context.set_default_timeout(PATIENCE)
        self.page = self.context.new_page()
        self.complaints: list[str] = []
        self._excuses: list[str] = []
        self._touch: CDPSession | None = None
        self.page.on("console", self._listen)
        self.page.on("pageerror", lambda problem: self.complaints.append(f"page error: {problem}"))
        self.page.on("requestfailed", self._fail)

    def _listen(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and message.text != BLOCKED:
            self.complaints.append(f"{message.type}: {message.text} ({message.location['url']})")

    def _fail(self, request: Request) -> None:
        # A page that is left gives up what it asked for; that is as it should be.
        if request.failure != "net::ERR_ABORTED":
            self.complaints.append(f"no answer: {request.url}, {request.failure}")

    def excuse(self, pattern: str) -> None:
        """A complaint this test brings about."""
        self._excuses.append(pattern)

    def leave(self) -> None:
        self.context.close()
        wrong = [each for each in self.complaints if not any(re.search(excuse, each) for excuse in self._excuses)]
        assert not wrong, wrong

    # -- Going places -------------------------------------------------------------------------------------------------

    def open(self, path: str) -> None:
        self.page.goto(path)

    def open_whole(self, path: str) -> None:
        """Open a page and wait until nothing on it stands in for something that is yet to come."""
        self.open(path)
        self.page.wait_for_selector("main > *")
        expect(self.page.locator("main .skeleton, main [aria-busy=true]")).to_have_count(0)

    def ask(self, method: str, path: str, content: Any = None) -> Any:
        """Ask the server, as the person the cookie says this is."""
        answer = self.context.request.fetch(path, method=method, data=content)
        assert answer.ok, (path, answer.status, answer.text())
        return answer.json() if answer.body() else None

    def set_up(self, game: str, *seats: str, **more: Any) -> dict[str, Any]:
        """Set up a game; seats are "here", "invite" or a bot's name."""
        wish: dict[str, Any] = {"game": game, **more}
        if seats:
            wish["seats"] = [
                {"kind": each} if each in ("here", "invite") else {"kind": "bot", "bot": each} for each in seats
            ]
        info: dict[str, Any] = self.ask("POST", "/api/games", wish)
        return info

    def sit_down(self, game: str, *seats: str, **more: Any) -> str:
        """Set up a game and open its page; its id."""
        info = self.set_up(game, *seats, **more)
        self.open(f"/game/{info['id']}")
        self.see(".board svg[role=grid]")
        id: str = info["id"]
        return id

    @property
    def id(self) -> str:
        """The id of the game whose page this is."""
        return self.page.url.partition("#")[0].partition("?")[0].rpartition("/")[2]

    # -- Looking ------------------------------------------------------------------------------------------------------

    def __call__(self, selector: str) -> Locator:
        return self.page.locator(selector)

    def see(self, selector: str, *words: str) -> Locator:
        """Wait until something is to be seen, with these words in it."""
        found = self.page.locator(selector).first
        expect(found).to_be_visible()
        for each in words:
            expect(found).to_contain_text(each)
        return found

    def not_see(self, selector: str) -> None:
        expect(self.page.locator(selector).filter(visible=True)).to_have_count(0)

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def tool(self, name: str) -> Locator:
        return self.page.locator(f"[data-tool={name}]")

    @property
    def moves(self) -> list[str]:
        """The moves in the list."""
        return self.page.locator(".ply").all_inner_texts()

    def see_moves(self, count: int) -> None:
        expect(self.page.locator(".ply")).to_have_count(count)

    @property
    def over(self) -> bool:
        return bool(self.page.locator(".board[data-over], .play[data-over]").count())

    def await_turn(self) -> None:
        """Wait until one can act, or the game is over."""
        self.page.wait_for_selector(".board[data-mine], .play[data-over]")

    def place(self, at: str) -> Locator:
        return self.page.locator(f'.board [data-at="{at}"]')

    def box(self, selector: str) -> dict[str, float]:
        """Where on the screen something is, once it is there; a board may draw it anew between two looks."""
        self.see(selector)
        found = self.page.wait_for_function(
            """selector => {
              const { x, y, width, height } = document.querySelector(selector)?.getBoundingClientRect() ?? {};
              return width || height ? { x, y, width, height } : null;
            }""",
            arg=selector,
        )
        box: dict[str, float] = found.json_value()
        return box

    def centre(self, selector: str) -> tuple[float, float]:
        """Where on the screen something has its middle."""
        box = self.box(selector)
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def middle(self, at: str) -> tuple[float, float]:
        """Where on the screen a cell or an edge has its middle."""
        return self.centre(f'.board [data-at="{at}"]')

    @property
    def cursor(self) -> str:
        at = self.page.locator(".board [role=gridcell][tabindex='0']").get_attribute("data-at")
        assert at is not None
        return at

    def faults(self, *rules: str) -> list[tuple[str, str, list[str]]]:
        """The rules of accessibility, all or some, that axe finds broken: which, what it asks for, and where."""
        options: dict[str, Any] = {"resultTypes": ["violations"]}
        if rules:
            options["runOnly"] = {"type": "rule", "values": rules}
        return [
            (each["id"], each["help"], [f"{node['html'][:160]} {node['failureSummary']}" for node in each["nodes"][:3]])
            for each in Axe().run(self.page, options=options).response["violations"]
        ]

    # -- Acting -------------------------------------------------------------------------------------------------------

    def click(self, at: str) -> None:
        """Click a cell or an edge with the mouse, by where it is."""
        self.page.mouse.click(*self.middle(at))

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def drag(self, way: str, far: float = 80) -> None:
        """Draw the mouse over the board with its button down."""
        x, y = self.centre(".board svg")
        down, right = WAYS[way]
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + right * far, y + down * far, steps=4)
        self.page.mouse.up()

    def walk_to(self, at: str, *, shift: bool = False) -> None:
        """Walk the cursor to a cell or an edge with the arrow keys."""
        turned = self.page.locator(".board[data-turned]").count() > 0
        for _ in range(60):
            here, there = _doubled(self.cursor), _doubled(at)
            if here == there:
                return
            down, right = there[0] - here[0], there[1] - here[1]
            # From an edge to the east up and down lead to its like, so a walk leaves it sideways first.
            upright = down and (not right or here[1] % 2 == 0)
            step = (1 if down > 0 else -1, 0) if upright else (0, 1 if right > 0 else -1)
            step = (-step[0], -step[1]) if turned else step
            self.press(("Shift+" if shift else "") + ARROWS[step])
        raise AssertionError(f"the cursor does not come to {at}; it is at {self.cursor}")

    def touch(self, kind: str, *spots: tuple[float, float]) -> None:
        """Fingers on the glass: touchStart, touchMove, touchEnd (then without spots)."""
        self._touch = self._touch or self.context.new_cdp_session(self.page)
        points = [{"x": x, "y": y} for x, y in spots]
        self._touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def tap(self, at: str) -> None:
        spot = self.middle(at)
        self.touch("touchStart", spot)
        self.touch("touchEnd")

    def swipe(self, way: str, far: float = 80) -> None:
        x, y = self.centre(".board svg")
        down, right = WAYS[way]
        self.touch("touchStart", (x, y))
        for part in (0.25, 0.5, 0.75, 1):
            self.touch("touchMove", (x + right * far * part, y + down * far * part))
        self.touch("touchEnd")


WAYS = {"up": (-1, 0), "right": (0, 1), "down": (1, 0), "left": (0, -1)}


def _doubled(at: str) -> tuple[int, int]:
    """A place on the grid on which edges lie between cells."""
    spots = [tuple(map(int, spot.split(","))) for spot in at.split("|")]
    first, last = spots[0], spots[-1]
    return first[0] + last[0], first[1] + last[1]
