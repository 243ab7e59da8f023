"""How long a new user waits: from `make play` in a fresh clone to the page, and to a bot's first reply.

    python -m benchmarks.first_move [CLONE]

Runs `make play` in a clone (default: a new one of this repository) with an empty home folder, so with empty caches and
without a virtual environment. Prints the seconds to the page, and to the replies of GateRun bots of level 3 and level
10, both asked as soon as the page is there.
"""

from __future__ import annotations

import argparse
import http.cookiejar
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LATEST = 600.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clone", nargs="?", type=Path)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        clone = chosen.clone or Path(folder) / "clone"
        if not chosen.clone:
            subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)  # noqa: S607 - git of the path
        shutil.rmtree(clone / ".venv", ignore_errors=True)
        measure(clone, Path(folder) / "home")


def measure(clone: Path, home: Path) -> None:
    home.mkdir()
    port = free_port()
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "ROOKERY_"))}
    environment = inherited | {"HOME": str(home), "PORT": str(port)}
    began = time.perf_counter()
    play = subprocess.Popen(
        ["make", "play"],  # noqa: S607 - make of the path
        cwd=clone,
        env=environment,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        base = wait_for_page((port, 8067))
        print(f"page               {time.perf_counter() - began:6.1f} s", flush=True)
        asked = [threading.Thread(target=answer, args=(base, level, began)) for level in ("3", "10")]
        for each in asked:
            each.start()
        for each in asked:
            each.join()
    finally:
        os.killpg(play.pid, signal.SIGINT)
        play.wait(10)


def wait_for_page(ports: tuple[int, ...]) -> str:
    """The page's address once it is served; old versions ignore the port they are given."""
    deadline = time.monotonic() + LATEST
    while time.monotonic() < deadline:
        for port in ports:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5).close()
            except OSError:
                continue
            return f"http://127.0.0.1:{port}"
        time.sleep(0.05)
    raise SystemExit("the page was not served in time")


def answer(base: str, level: str, began: float) -> None:
    """Play a move against a bot and wait for its reply."""
    ask = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))

    def call(path: str, content: Any = None) -> Any:
        data = None if content is None else json.dumps(content).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(base + path, data, headers)  # noqa: S310 - the server that was just started
        with ask.open(request, timeout=LATEST) as found:
            return json.load(found)

    seats = [{"kind": "here"}, {"kind": "bot", "bot": level}]
    game = call("/api/games", {"game": "gaterun", "seats": seats})["id"]
    call(f"/api/games/{game}/actions", {"action": "1,3"})
    while call(f"/api/games/{game}")["plies"] < 2:
        time.sleep(0.05)
    print(f"answer of level {level:2} {time.perf_counter() - began:6.1f} s", flush=True)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


if __name__ == "__main__":
    main()
