"""The page in a real browser: how much it loads, how soon it can be used, how soon a move and a bot's answer are seen.

    python -m benchmarks.arcade_page [--visits 7] [--moves 40]

Starts a server on a database file of its own and a Chromium. Times are taken inside the page: from the key or the
pointer's event to the frame after the board shows the position the server acknowledged. Aims: at most 150 kB and 1 s
for the first visit, 50 ms for a move, 50 ms more than its budget for a bot.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import statistics
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.web.arcade import Arcade
from tests.web.browser import Visitor, chromium

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser

PACE = 120
"""Milliseconds between seeing a move and making the next."""

BOT, BUDGET = "minimax:depth=8,ms=100", 100

USABLE = """
new MutationObserver((_, watching) => {
  const button = document.querySelector(".game-card button.primary");
  if (!button || button.disabled) return;
  watching.disconnect();
  requestAnimationFrame(() => { window.usable = performance.now(); });
}).observe(document, { subtree: true, childList: true });
"""

WATCH = """
window.told = [];
window.shown = [];
window.acted = 0;
for (const kind of ["keydown", "pointerup"]) {
  addEventListener(kind, (event) => { window.acted = event.timeStamp; }, true);
}
window.WebSocket = class extends WebSocket {
  constructor(...how) {
    super(...how);
    this.addEventListener("message", ({ data }) => {
      const message = JSON.parse(data);
      if (message.is === "scene") window.told.push({ ply: message.ply, at: performance.now() });
    });
  }
};
window.watch = () => {
  const moves = () => document.querySelectorAll(".ply").length;
  let before = moves();
  new MutationObserver(() => {
    const now = moves();
    if (now <= before) { before = now; return; }
    before = now;
    const { acted } = window;
    requestAnimationFrame(() => {
      const at = performance.now();
      window.shown.push({ took: at - acted, at, moves: now });
    });
  }).observe(document.querySelector(".play"), { subtree: true, childList: true, attributes: true });
};
"""


def first_visit(browser: Browser, base: str) -> dict[str, Any]:
    """What a visit with nothing kept brings over the wire, headers included."""
    visitor = Visitor(browser, base)
    wire = visitor.context.new_cdp_session(visitor.page)
    sizes: list[float] = []
    wire.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    wire.send("Network.enable")
    visitor.page.goto("/", wait_until="networkidle")
    visitor.page.wait_for_timeout(500)
    visitor.leave()
    return {"bytes": round(sum(sizes)), "requests": len(sizes)}


def until_usable(browser: Browser, base: str, visits: int) -> dict[str, Any]:
    """From the start of the navigation to the first "Play now" on the screen, each time with nothing kept."""
    times = []
    for _ in range(visits):
        visitor = Visitor(browser, base)
        visitor.page.add_init_script(USABLE)
        visitor.page.goto("/")
        visitor.page.wait_for_function("() => window.usable")
        times.append(float(visitor.page.evaluate("window.usable")))
        visitor.leave()
    return told(times)


def told(times: list[float]) -> dict[str, Any]:
    ordered = sorted(times)
    return {
        "count": len(ordered),
        "ms_median": round(statistics.median(ordered), 1),
        "ms_p95": round(ordered[int(0.95 * (len(ordered) - 1))], 1),
        "ms_worst": round(ordered[-1], 1),
    }


# -- Moves ------------------------------------------------------------------------------------------------------------


def keys(ways: Iterator[str]) -> Callable[[Visitor], None]:
    return lambda visitor: visitor.press(next(ways))


def anywhere(selector: str, chooser: random.Random) -> Callable[[Visitor], None]:
    """Click one of the places where something can be done."""

    def act(visitor: Visitor) -> None:
        places = visitor(selector).evaluate_all("places => places.map((place) => place.dataset.at)")
        visitor.click(chooser.choice(places))

    return act


def moves(
    browser: Browser, base: str, game: str, seats: int, act: Callable[[Visitor], None], count: int
) -> dict[str, Any]:
    """Own moves, all seats being one's own, game after game until there are enough of them."""
    times: list[float] = []
    visitor = Visitor(browser, base)
    visitor.page.add_init_script(WATCH)
    while len(times) < count:
        visitor.sit_down(game, *["here"] * seats)
        visitor.see(".board[data-mine]")
        visitor.page.evaluate("watch()")
        for _ in range(16 if game == "gaterun" else count):
            if len(times) >= count or visitor.over:
                break
            visitor.page.evaluate("shown.length = 0")
            act(visitor)
            visitor.page.wait_for_function("() => window.shown.length || !document.querySelector('.bubble').hidden")
            times += [each["took"] for each in visitor.page.evaluate("shown")]
            visitor.page.wait_for_timeout(PACE)
    visitor.leave()
    return told(times)


def replies(browser: Browser, base: str, count: int) -> dict[str, Any]:
    """A bot with a budget of time: from one's own move on the screen to the message that holds the answer."""
    waits: list[float] = []
    served: list[float] = []
    chooser = random.Random(67)
    act = anywhere(".board .edge[aria-label$='wall possible'], .board .cell[aria-label$='step possible']", chooser)
    visitor = Visitor(browser, base)
    visitor.page.add_init_script(WATCH)
    while len(waits) < count:
        visitor.sit_down("gaterun", "here", BOT)
        visitor.see(".board[data-mine]")
        visitor.page.evaluate("watch()")
        for _ in range(5):
            ply = len(visitor.moves)
            visitor.page.evaluate("shown.length = told.length = 0")
            act(visitor)
            visitor.page.wait_for_function(
                "ply => window.told.some((each) => each.ply === ply + 2) || document.querySelector('.play[data-over]')",
                arg=ply,
            )
            visitor.await_turn()
            if visitor.over or len(waits) >= count:
                break
            drawn, heard, answered = visitor.page.evaluate(
                """ply => [
                  shown.find((each) => each.moves > ply).at,
                  told.find((each) => each.ply === ply + 1).at,
                  told.find((each) => each.ply === ply + 2).at,
                ]""",
                ply,
            )
            waits.append(answered - drawn)
            served.append(answered - heard)
            visitor.see_moves(ply + 2)
            visitor.page.wait_for_timeout(PACE)
    visitor.leave()
    over = round(statistics.median(served) - BUDGET, 1)
    return {"bot": BOT, "after_drawn": told(waits), "server": told(served), "server_over_budget_ms_median": over}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--visits", type=int, default=7)
    parser.add_argument("--moves", type=int, default=40)
    given = parser.parse_args()
    chooser = random.Random(67)
    slides = itertools.cycle(("ArrowUp", "ArrowLeft", "ArrowDown", "ArrowRight"))
    # Two steps out, then to and fro on one's own trail, which is safe.
    steps = itertools.chain(("ArrowUp", "ArrowUp"), itertools.cycle(("ArrowDown", "ArrowUp")))
    acts = {
        "gotham": (1, keys(steps)),
        "gamma": (2, anywhere(".board .cell[data-role=free]", chooser)),
        "sixseven": (1, keys(slides)),
        "gaterun": (2, anywhere(".board .edge[aria-label$='wall possible']", chooser)),
    }
    with tempfile.TemporaryDirectory() as folder:
        arcade = Arcade(Path(folder) / "page.db")
        try:
            with chromium() as browser:
                found = {
                    "first_visit": first_visit(browser, arcade.base),
                    "until_usable": until_usable(browser, arcade.base, given.visits),
                    "move_to_drawn": {
                        game: moves(browser, arcade.base, game, seats, act, given.moves)
                        for game, (seats, act) in acts.items()
                    },
                    "bot_reply": replies(browser, arcade.base, given.moves),
                }
                print(json.dumps(found, indent=2))
        finally:
            arcade.end()


if __name__ == "__main__":
    main()
