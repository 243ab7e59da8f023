"""Who may do what over the wire: identity, origins, seats, limits, headers, and what is never told."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

import httpx
import pytest
from tests.web.arcade import Arcade, Person, Refusal, behind_no_proxy, get
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from rookery.web.identity import Identity
from rookery.web.limits import Limits, Rate, TokenBucket
from rookery.web.middleware import AccessMiddleware


def test_the_cookie_is_signed_http_only_and_same_site(arcade: Arcade) -> None:
    cookie = get(arcade.base + "/").headers["set-cookie"]
    assert cookie.startswith("rookery=") and "HttpOnly" in cookie and "SameSite=Lax" in cookie and "Path=/" in cookie


def test_a_tampered_cookie_names_nobody(arcade: Arcade, ada: Person) -> None:
    info = ada.set_up("gaterun", "here", "here")
    person, _, mark = ada.client.cookies["rookery"].partition(".")
    for forged in (f"{person}.{'0' * 64}", f"{person}x.{mark}", person, f"{person}.", "", f"{person}.{mark}0"):
        answer = get(arcade.base + f"/api/games/{info['id']}", headers={"Cookie": f"rookery={forged}"})
        assert answer.json()["you"] == [] and "set-cookie" in answer.headers, forged
    answer = httpx.post(
        arcade.base + f"/api/games/{info['id']}/actions",
        json={"action": "1,3"},
        headers={"Cookie": f"rookery={person}.{'0' * 64}"},
    )
    assert answer.status_code == 409 and answer.json()["detail"] == "You are watching."


def test_identities_of_one_secret_mean_nothing_under_another() -> None:
    signed = Identity([b"one"]).signed("ada")
    assert Identity([b"one"]).person_in(f"rookery={signed}") == "ada"
    assert Identity([b"two"]).person_in(f"rookery={signed}") is None
    for junk in ("", "rookery", "rookery=", "rookery=ada", "x=y; rookery=ada.1", 'rookery="', "\x00", "rookery=é.é"):
        assert Identity([b"one"]).person_in(junk) is None


def test_nobody_but_the_holder_plays_a_seat_over_http(ada: Person, bob: Person) -> None:
    info = ada.set_up("gaterun", "here", "here")
    with pytest.raises(Refusal, match="You are watching") as refusal:
        bob.post(f"/api/games/{info['id']}/actions", {"action": "1,3"})
    assert refusal.value.status == 409
    assert ada.get(f"/api/games/{info['id']}")["plies"] == 0


def test_every_answer_has_a_strict_policy_and_the_page_no_inline_script(arcade: Arcade) -> None:
    for path in ("/", "/daily", "/api/catalogue", "/api/nothing", "/game/x"):
        headers = get(arcade.base + path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "script-src 'self'" in policy and "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy and headers["x-content-type-options"] == "nosniff"
    page = get(arcade.base + "/").text
    assert "<script>" not in page and " style=" not in page and "onclick" not in page
    assert "http://" not in page and "https://" not in page


def test_requests_from_other_sites_are_turned_away(arcade: Arcade, ada: Person) -> None:
    info = ada.set_up("gaterun", "here", "here")
    for origin in ("https://evil.example", "null", arcade.base.replace("127.0.0.1", "localhost") + "1"):
        answer = httpx.post(
            arcade.base + f"/api/games/{info['id']}/actions",
            json={"action": "1,3"},
            headers={"Origin": origin, "Cookie": ada.cookie},
        )
        assert answer.status_code == 403 and answer.json()["detail"].endswith(".")
        with pytest.raises(InvalidStatus) as refusal:
            connect(
                arcade.base.replace("http", "ws") + f"/ws/games/{info['id']}",
                additional_headers={"Origin": origin, "Cookie": ada.cookie},
            )
        assert refusal.value.response.status_code == 403
    answer = httpx.post(
        arcade.base + f"/api/games/{info['id']}/actions",
        json={"action": "1,3"},
        headers={"Origin": arcade.base, "Cookie": ada.cookie},
    )
    assert answer.status_code == 201


def test_a_form_of_another_site_cannot_pass_for_json(arcade: Arcade, ada: Person) -> None:
    answer = httpx.post(
        arcade.base + "/api/games",
        content=b'{"game": "gaterun"}',
        headers={"Content-Type": "text/plain", "Cookie": ada.cookie},
    )
    assert answer.status_code == 415


def test_too_many_messages_end_the_connection_with_a_reason(arcade: Arcade, ada: Person) -> None:
    info = ada.set_up("gaterun", "here", "here")
    with pytest.raises(ConnectionClosed) as closed:  # noqa: PT012, SIM117
        with ada.at(info["id"]) as page:
            for _ in range(1800):
                page.socket.send('{"do": "ping"}')
            while True:
                page.hear()
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 4429 and "slow down" in closed.value.rcvd.reason


def test_too_many_requests_are_told_when_to_come_back() -> None:
    answers: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message: Any) -> None:
        answers.append(message)

    async def receive() -> Any:
        raise AssertionError("nobody listens")

    async def ask(method: str, client: str, path: str = "/api/games") -> int:
        answers.clear()
        scope: Any = {"type": "http", "method": method, "path": path, "headers": [], "client": (client, 1)}
        await middleware(scope | {"scheme": "http"}, receive, send)
        return int(answers[0]["status"])

    async def visit() -> None:
        assert [await ask("GET", "one") for _ in range(4)] == [200, 200, 200, 429]
        assert int(dict(answers[0]["headers"])[b"retry-after"]) >= 1
        assert b"Too many requests; try again in" in answers[1]["body"]
        assert [await ask("POST", "two") for _ in range(2)] == [200, 429]
        assert [await ask("POST", "three", "/api/games/x/actions") for _ in range(3)] == [200, 200, 200]

    limits = Limits(requests=Rate(3, 0.001), creations=Rate(1, 0.001))
    middleware = AccessMiddleware(app, Identity([b"secret"]), limits, lambda path: None)
    asyncio.run(visit())


def test_a_bucket_fills_up_again() -> None:
    bucket = TokenBucket(Rate(2, 1000))
    assert bucket.take() == 0 and bucket.take() == 0
    wait = bucket.take()
    assert 0 <= wait <= 0.001


@pytest.mark.parametrize(
    "message",
    [
        "", "{", "[]", "null", '"play"', "{}", '{"do": "dance"}', '{"do": "play"}', '{"do": "play", "action": 7}',
        '{"do": "play", "action": "1,3", "extra": 1}', '{"do": "why", "at": []}', '{"do": "why", "at": [[1]]}',
        '{"do": "seat", "seat": 99}', '{"do": "look", "ply": -1}', '{"do": "play", "action": "' + "x" * 300 + '"}',
        '{"do": "ping", "ref": -1}', '{"do": "ping", "ref": "x"}', "\u0000", "[" * 2000,
    ],
)  # fmt: skip
def test_messages_that_make_no_sense_are_refused_and_the_connection_stays(ada: Person, message: str) -> None:
    info = ada.set_up("gaterun", "here", "here")
    with ada.at(info["id"]) as page:
        page.socket.send(message)
        answer = page.hear()
        while answer["is"] in ("game", "scene"):
            answer = page.hear()
        assert answer["is"] == "refused" and answer["why"].endswith(".")
        assert page.ask("ping")["is"] == "pong"


def test_a_message_that_is_too_large_ends_the_connection(ada: Person) -> None:
    info = ada.set_up("gaterun", "here", "here")
    with pytest.raises(ConnectionClosed) as closed:  # noqa: PT012, SIM117
        with ada.at(info["id"]) as page:
            page.socket.send("x" * (Limits().message + 1))
            while True:
                page.hear()
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 1009


def test_a_request_that_is_too_large_is_refused(arcade: Arcade) -> None:
    answer = httpx.post(
        arcade.base + "/api/records", content=b" " * 1_100_000, headers={"Content-Type": "application/json"}
    )
    assert answer.status_code == 413 and answer.json()["detail"].endswith(".")


def test_a_name_is_kept_as_text_and_nothing_else(ada: Person) -> None:
    name = "<img src=x onerror=alert(1)>"
    assert ada.ask("PATCH", "/api/me", {"name": name})["name"] == name
    assert ada.set_up("gaterun")["seats"][0]["label"] == name
    assert ada.ask("PATCH", "/api/me", {"name": "  a\u202e \x00 b\n "})["name"] == "a b"
    with pytest.raises(Refusal):
        ada.ask("PATCH", "/api/me", {"name": "x" * 41})


def test_nothing_secret_is_logged_or_told(arcade: Arcade, ada: Person) -> None:
    info = ada.set_up("gaterun", "here", "invite")
    (secret,), *_ = arcade.sql("select value from secrets")
    token = info["invite"].partition("#")[2]
    log = arcade.log.read_text()
    assert secret not in log and token not in log and ada.client.cookies["rookery"] not in log
    assert secret not in json.dumps(ada.get("/api/me/export"))


def test_the_static_files_are_only_those_of_the_page(arcade: Arcade) -> None:
    for path in (
        "/static/x/../app.py",
        "/static/x/..%2fapp.py",
        "/static/x/%2e%2e/app.py",
        "/static/x/nothing.js",
        "/static/",
    ):
        assert get(arcade.base + path).status_code == 404, path


@pytest.mark.parametrize(
    ("game", "bot", "why"),
    [
        (
            "gotham",
            "planner:nodes=9007199254740992",
            "nodes may be 2000000 at most in an arcade, not 9007199254740992.",
        ),
        ("gaterun", "mcts:ms=3600000", "ms may be 5000 at most in an arcade, not 3600000."),
    ],
)
def test_a_visitor_cannot_order_a_bot_that_thinks_for_ever(ada: Person, game: str, bot: str, why: str) -> None:
    with pytest.raises(Refusal, match=re.escape(why)):
        ada.set_up(game, *(["here"] if game == "gaterun" else []), bot)
    info = ada.set_up(game, *["here"] * (2 if game == "gaterun" else 1))
    with ada.at(info["id"]) as page:
        answer = page.ask("seat", seat=1, bot=bot)
        assert answer["is"] == "refused" and answer["why"] == why


@behind_no_proxy
def test_an_id_with_a_nul_byte_is_malformed(ada: Person) -> None:
    for path in ("/api/games/a%00b", "/api/games/%00/record"):
        with pytest.raises(Refusal) as refusal:
            ada.get(path)
        assert refusal.value.status == 400
