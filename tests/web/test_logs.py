"""The server's log: what it says, in which form, and what it never says."""

from __future__ import annotations

import json
import re
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.web.arcade import Arcade, Refusal, get
from tests.web.postgres import Postgres

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.web.forked import Forked


class LoggingArcade(Arcade):
    """An arcade that logs JSON, and says there where it listens."""

    def announced(self, process: subprocess.Popen[str] | Forked) -> str:
        while process.poll() is None:
            found = re.findall(r'"address":"([^"]+)/"', self.log.read_text())
            if found:
                return str(found[-1])
            time.sleep(0.05)
        raise AssertionError(self.log.read_text())


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Arcade]:
    """An arcade that logs all it can as JSON, and believes a proxy at 127.0.0.1."""
    found = LoggingArcade(tmp_path / "arcade.db", "--log", "json", "--access-log", "--trusted-proxy", "127.0.0.1")
    yield found
    found.end()


def lines(arcade: Arcade) -> list[dict[str, Any]]:
    """The log; every line has to be an object."""
    found = [json.loads(line) for line in arcade.log.read_text().splitlines()]
    for line in found:
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line["time"])
        assert line["level"] and line["logger"] and line["message"]
    return found


def test_every_request_has_a_line_and_every_line_is_an_object(server: Arcade) -> None:
    ada = server.person()
    info = ada.set_up("gaterun", "here", "here")
    with ada.at(info["id"]) as page:
        page.play("1,3")
    with pytest.raises(Refusal):
        ada.post(f"/api/games/{info['id']}/actions?secret=1", {"action": "nonsense"})
    server.end()
    first, *rest = lines(server)
    assert (first["logger"], first["message"], first["address"]) == (
        "rookery.serve",
        "Rookery is running",
        server.base + "/",
    )
    told = [(line["method"], line["path"], line["status"]) for line in rest if line["logger"] == "rookery.access"]
    game = f"/api/games/{info['id']}"
    assert told == [
        ("POST", "/api/games", 201),
        ("WEBSOCKET", f"/ws/games/{info['id']}", 101),
        ("POST", f"{game}/actions", 409),
    ]
    assert all(line["ms"] > 0 and line["bytes"] > 0 and line["request"] for line in rest)


def test_a_request_keeps_the_id_that_a_trusted_proxy_gave_it(server: Arcade, tmp_path: Path) -> None:
    given = {"X-Request-ID": "balancer-17"}
    answer = get(server.base + "/api/games", headers=given)
    assert answer.headers["x-request-id"] == "balancer-17"
    bad = {"X-Request-ID": 'x"} {"level":"error" ' + 100 * "y"}
    assert re.fullmatch("[0-9a-f]{16}", get(server.base + "/api/games", headers=bad).headers["x-request-id"])
    (tmp_path / "other").mkdir()
    other = Arcade(tmp_path / "other" / "arcade.db", alone=True)
    answer = get(other.base + "/api/games", headers=given)
    other.end()
    assert re.fullmatch("[0-9a-f]{16}", answer.headers["x-request-id"])
    assert other.log.read_text() == "", "without --access-log nothing is logged"


def test_an_error_says_in_which_request_it_was(postgres: Postgres, tmp_path: Path) -> None:
    for form, kind in (("json", LoggingArcade), ("text", Arcade)):
        server = kind(tmp_path / f"{form}.db", "--db", postgres.database(), "--log", form)
        postgres.stop()
        try:
            failed = get(server.base + "/api/games", timeout=60)
        finally:
            postgres.start()
        server.end()
        assert failed.status_code == 503
        id = failed.headers["x-request-id"]
        found = [line for line in server.log.read_text().splitlines() if id in line]
        if form == "json":
            told = [line for line in lines(server) if line.get("request") == id]
            assert told[0]["level"] == "error" and told[0]["message"].startswith("The database does not answer")
        else:
            assert found[-1].startswith("The database does not answer") and found[-1].endswith(f"[{id}]")


def test_no_secret_of_a_whole_session_is_logged(server: Arcade) -> None:
    ada, bob = server.person(), server.person()
    ada.ask("PATCH", "/api/me", {"name": "Ada Lovelace"})
    info = ada.set_up("gaterun", "here", "invite")
    token = info["invite"].partition("#")[2]
    bob.post(f"/api/games/{info['id']}/join", {"token": token})
    forwarded = {"X-Forwarded-For": "203.0.113.77", "Cookie": ada.cookie}
    get(server.base + f"/api/games/{info['id']}?token={token}&name=Lovelace", headers=forwarded)
    get(server.base + f"/game/{info['id']}", headers=forwarded)
    with ada.at(info["id"]) as hers, bob.at(info["id"]) as his:
        hers.play("1,3")
        his.until(lambda page: page.shown["mine"])
        his.ask("play", action=token)
        his.ask("resign")
    bob.ask("DELETE", "/api/me")
    server.end()
    log = server.log.read_text()
    assert len(lines(server)) > 8
    for person in (ada, bob):
        cookie = person.cookie.partition("=")[2]
        assert cookie
        secrets = [part for part in re.split(r"[.|:]", cookie) if len(part) > 9]
        assert secrets and not any(part in log for part in secrets)
    assert not any(word in log for word in (token, "Lovelace", "203.0.113", "Cookie", "token="))
