"""`rookery serve`: the arcade on a port of this machine."""

from __future__ import annotations

import sys

from rookery.cli import flags


def serve(given: list[str]) -> int:
    """Run the arcade on a port of this machine."""
    from rookery.system.requirements import need

    parser = flags.parser(
        "rookery serve", "Run the arcade: play all games in a browser, alone, with others or against bots."
    )
    parser.add_argument("--host", default="127.0.0.1", metavar="H", help="the address to listen on (default 127.0.0.1)")
    parser.add_argument("--port", default="8067", metavar="P", help="the port (default 8067; 0 picks a free one)")
    parser.add_argument(
        "--db",
        metavar="URL",
        help="the database, a file or a URL (default: $ROOKERY_DB, or else a file in your data folder)",
    )
    parser.add_argument(
        "--game", action="append", default=[], metavar="FILE.py", help="also offer the game in a Python file"
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")
    chosen = parser.parse_args(given)
    for file in chosen.game:
        flags.named(file)
    port = flags.whole("port", chosen.port, 0, 65535)
    need("web", "The arcade")
    from rookery.cli import browser
    from rookery.web import serve as web

    def opened(address: str, data: str) -> None:
        print(f"Rookery is running at {address}\nGames are stored in {data}\nPress Ctrl-C to stop.", flush=True)
        if not chosen.no_browser and sys.stdout.isatty():
            browser.open_page(address)

    return web.serve(chosen.host, port, chosen.db, opened)
