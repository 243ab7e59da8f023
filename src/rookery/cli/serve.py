"""`rookery serve`: the arcade on a port of this machine."""

from __future__ import annotations

import os
import sys

from rookery.cli import flags


def serve(given: list[str]) -> int:
    """Run the arcade on a port of this machine."""
    from rookery.system.requirements import need
    from rookery.web.settings import add_flags, settings_of

    parser = flags.parser(
        "rookery serve", "Run the arcade: play all games in a browser, alone, with others or against bots."
    )
    add_flags(parser)
    settings = settings_of(vars(parser.parse_args(given)), os.environ)
    for file in settings.games:
        flags.named(file)
    need("web", "The arcade")
    from rookery.cli import browser
    from rookery.web import serve as web

    def opened(address: str, data: str) -> None:
        if settings.log == "text":
            print(f"Rookery is running at {address}\nGames are stored in {data}\nPress Ctrl-C to stop.", flush=True)
        if settings.browser and sys.stdout.isatty():
            browser.open_page(address)

    return web.serve(settings, opened)
