"""Draws docs/arcade.png: the arcade's front page in a browser, down to the cards of the four games.

Run it with `python -m tools.pictures.arcade`, or `make picture`. It needs Pillow and a Chromium, as the tests do.
"""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import expect
from tests.web.arcade import Arcade
from tests.web.browser import Visitor, chromium

from rookery.games import playable

PICTURE = Path(__file__).resolve().parents[2] / "docs" / "arcade.png"
WIDTH, HEIGHT, BELOW, COLOURS = 1180, 900, 20, 128


def shot(visitor: Visitor) -> Image.Image:
    """The front page with the demo of each game at rest, as if all bots were compiled. What is below them changes from
    day to day.
    """
    visitor.page.route("**/api/compiling", lambda route: route.fulfill(json={"ready": 1, "parts": 1}))
    visitor.open_whole("/")
    section = visitor.page.get_by_role("region", name="The games")
    expect(section.locator(".demo.ready")).to_have_count(len(playable()))
    box = section.bounding_box()
    assert box is not None
    height = box["y"] + box["height"] + BELOW
    picture = visitor.page.screenshot(clip={"x": 0, "y": 0, "width": WIDTH, "height": height})
    return Image.open(io.BytesIO(picture)).convert("RGB")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        arcade = Arcade(Path(folder) / "arcade.db")
        visitor = Visitor(browser, arcade.base, viewport={"width": WIDTH, "height": HEIGHT}, reduced_motion="reduce")
        drawn = shot(visitor)
        arcade.end()
    drawn.quantize(COLOURS).save(PICTURE, optimize=True)
    print(f"Wrote {PICTURE.name}, {drawn.width}×{drawn.height}.")


if __name__ == "__main__":
    main()
