"""Draws docs/rules.png: the quick rules of each game on the page, with two settings side by side.

Run it with `python -m tools.pictures.rules`, or `make picture`. It needs Pillow and a Chromium, as the tests do.
"""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

from PIL import Image
from tests.web.arcade import Arcade
from tests.web.browser import Visitor, chromium

PICTURE = Path(__file__).resolve().parents[2] / "docs" / "rules.png"
SETTINGS = (
    ("/rules/gotham", "/rules/gotham?level=quad&rules=app"),
    ("/rules/gamma", "/rules/gamma?width=6&height=6&players=3&areas=1"),
    ("/rules/sixseven?variant=original&tiles=1", "/rules/sixseven?variant=final&operators=%2B*&rate=0.67"),
    ("/rules/gaterun", "/rules/gaterun?walls=5&walls2=7&jump=true&rotate=true"),
)
"""For each game the default and another setting, or two that show what its options change."""
WIDTH, COLOURS, GAP = 560, 64, 12


def shot(visitor: Visitor, address: str) -> Image.Image:
    """The rules at an address, on a narrow page."""
    visitor.open(address)
    visitor.see(".rules-picture .demo.ready")
    visitor.see(".rules-options")
    picture = visitor.page.locator("article.rules").screenshot()
    return Image.open(io.BytesIO(picture)).convert("RGB")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        arcade = Arcade(Path(folder) / "arcade.db")
        visitor = Visitor(browser, arcade.base, viewport={"width": WIDTH, "height": 1400}, reduced_motion="reduce")
        rows = [[shot(visitor, address) for address in pair] for pair in SETTINGS]
        arcade.end()
    shots = [each for pair in rows for each in pair]
    width, height = max(each.width for each in shots), max(each.height for each in shots)
    sheet = Image.new("RGB", (len(rows) * (width + GAP) - GAP, 2 * (height + GAP) - GAP), "white")
    for column, pair in enumerate(rows):
        for row, each in enumerate(pair):
            sheet.paste(each, (column * (width + GAP), row * (height + GAP)))
    sheet.quantize(COLOURS).save(PICTURE, optimize=True)
    print(f"Wrote {PICTURE.name}, {sheet.width}×{sheet.height}.")


if __name__ == "__main__":
    main()
