"""`rookery serve`: the arcade on a port of this machine."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from rookery.cli import flags

if TYPE_CHECKING:
    from argparse import ArgumentParser


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
    _add_limits(parser)
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")
    chosen = parser.parse_args(given)
    for file in chosen.game:
        flags.named(file)
    port = flags.whole("port", chosen.port, 0, 65535)
    people = flags.whole("people-per-address", chosen.people_per_address, 1, 100_000)
    need("web", "The arcade")
    from rookery.cli import browser
    from rookery.web import serve as web

    def opened(address: str, data: str) -> None:
        print(f"Rookery is running at {address}\nGames are stored in {data}\nPress Ctrl-C to stop.", flush=True)
        if not chosen.no_browser and sys.stdout.isatty():
            browser.open_page(address)

    settings = web.Settings(
        host=chosen.host,
        port=port,
        database=chosen.db,
        allowed_hosts=(*chosen.allowed_host, *_from_environment("ROOKERY_ALLOWED_HOSTS")),
        trusted_proxies=(*chosen.trusted_proxy, *_from_environment("ROOKERY_TRUSTED_PROXIES")),
        people_per_address=people,
        keep_days=None if chosen.keep_days is None else float(flags.whole("keep-days", chosen.keep_days, 1, 36_500)),
    )
    return web.serve(settings, opened)


def _from_environment(name: str) -> list[str]:
    """The words of an environment variable, for containers."""
    return os.environ.get(name, "").replace(",", " ").split()


def _add_limits(parser: ArgumentParser) -> None:
    """Add the flags of an arcade that others can reach."""
    parser.add_argument(
        "--allowed-host",
        action="append",
        default=[],
        metavar="NAME",
        help="also answer to this host name, as a proxy or a domain needs it (repeatable; * for any)",
    )
    parser.add_argument(
        "--trusted-proxy",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="believe X-Forwarded-For and -Proto from this address (repeatable)",
    )
    parser.add_argument(
        "--people-per-address",
        default="20",
        metavar="N",
        help="how many people may share an address, such as a school's; limits grow with it (default 20)",
    )
    parser.add_argument(
        "--keep-days", metavar="DAYS", help="delete games that nobody has changed for so many days (default: never)"
    )
