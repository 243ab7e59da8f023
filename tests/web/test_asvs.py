"""What the review by OWASP's ASVS found without a test: see docs/security-asvs.md, which names the requirements."""

from __future__ import annotations

import asyncio
import hmac
import re
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from sqlalchemy import insert, select
from tests.web.arcade import Arcade, Person, Refusal, get
from tests.web.test_abuse import raw

from rookery.core.errors import RookeryError
from rookery.web import repository, schema
from rookery.web.app import STATIC
from rookery.web.database import without_password
from rookery.web.domain import Seat, StoredGame
from rookery.web.fair_queue import Client
from rookery.web.identity import Identity
from rookery.web.limits import DAY, Limits, Rate, Rates
from rookery.web.quotas import DailyQuota
from rookery.web.store import Store, rotate_keys

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.web.postgres import Postgres

PATIENCE = 20.0
TLS = {"X-Forwarded-Proto": "https"}


@pytest.fixture(scope="module")
def arcade(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arcade]:
    """An arcade behind a proxy, for two people at an address: limits are soon reached."""
    file = tmp_path_factory.mktemp("asvs") / "arcade.db"
    server = Arcade(file, "--trusted-proxy", "127.0.0.1", "--people-per-address", "2")
    yield server
    server.end()
    assert server.log.read_text() == ""


def at(arcade: Arcade, address: str) -> Person:
    """A person at an address."""
    person = arcade.person()
    person.client.headers["X-Forwarded-For"] = address
    return person


# ── answers ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("GET", "/", {}, 200),
        ("GET", "/static/x/app.js", {}, 200),
        ("GET", "/api/me", {}, 200),
        ("OPTIONS", "/api/me", {}, 204),
        ("POST", "/api/games", {"Content-Type": "application/json"}, 400),
        ("GET", "/api/me", {"Origin": "https://evil.example"}, 403),
        ("GET", "/.git/config", {}, 404),
        ("TRACE", "/api/me", {"X-Mark": "echo"}, 405),
        ("PUT", "/api/me", {}, 405),
        ("POST", "/api/games", {"Content-Type": "text/plain"}, 415),
        ("GET", "/", {"Host": "evil.example"}, 421),
    ],
)
def test_every_answer_has_all_security_headers(
    arcade: Arcade, method: str, path: str, headers: dict[str, str], status: int
) -> None:
    content = b"{" if method == "POST" else None
    answer = httpx.request(method, arcade.base + path, headers=TLS | headers, content=content)
    assert answer.status_code == status
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "same-origin"
    assert answer.headers["strict-transport-security"] == "max-age=31536000"
    assert not any(name.startswith("access-control") for name in answer.headers) and "server" not in answer.headers
    assert "echo" not in answer.text
    if path.startswith("/api/") and status in (200, 400, 405):
        assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "text/html; charset=utf-8"),
        ("/no/such/page", "text/html; charset=utf-8"),
        ("/static/x/app.js", "text/javascript; charset=utf-8"),
        ("/static/x/style.css", "text/css; charset=utf-8"),
        ("/static/x/icon.svg", "image/svg+xml; charset=utf-8"),
        ("/api/catalogue", "application/json"),
    ],
)
def test_every_answer_says_what_it_is(arcade: Arcade, path: str, kind: str) -> None:
    assert get(arcade.base + path, headers={"Accept": "text/html"}).headers["content-type"] == kind


def test_another_site_is_not_allowed_to_ask(arcade: Arcade) -> None:
    wish = {"Origin": "https://evil.example", "Access-Control-Request-Method": "DELETE"}
    answer = httpx.request("OPTIONS", arcade.base + "/api/me", headers=wish)
    assert answer.status_code == 403 and "access-control-allow-origin" not in answer.headers


# ── requests ──────────────────────────────────────────────────────────────────────────────────────────────────────────

BOTH = b"Content-Length: 70\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
TWICE = b"Content-Length: 2\r\nContent-Length: 70\r\n\r\n{}"
SECOND = b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"


@pytest.mark.parametrize(("lengths", "answers"), [(BOTH, [b"400", b"200"]), (TWICE, [b"400"])])
def test_where_a_request_ends_is_not_ambiguous(arcade: Arcade, lengths: bytes, answers: list[bytes]) -> None:
    """Chunks count rather than a length; of two lengths none does. So no request can be hidden in another."""
    head = b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    found = b""
    with raw(arcade, head + lengths + SECOND) as connection:
        while part := connection.recv(65_536):
            found += part
    assert re.findall(rb"HTTP/1\.1 (\d+)", found) == answers


@pytest.mark.parametrize("more", [{"owner": "eve"}, {"seed": 7}, {"kind": "daily"}, {"id": "mine"}, {"status": "over"}])
def test_nothing_can_be_set_but_what_is_asked_for(arcade: Arcade, more: dict[str, Any]) -> None:
    ada = at(arcade, "192.0.2.10")
    for method, path, content in (("POST", "/api/games", {"game": "gaterun"}), ("PATCH", "/api/me", {"name": "Ada"})):
        with pytest.raises(Refusal) as refusal:
            ada.ask(method, path, content | more)
        assert refusal.value.status == 400


def test_a_person_who_renames_themselves_all_day_has_to_stop(arcade: Arcade) -> None:
    ada = at(arcade, "192.0.2.11")
    for number in range(50):
        ada.ask("PATCH", "/api/me", {"name": f"Ada {number}"})
    with pytest.raises(Refusal, match="enough profile changes") as refusal:
        ada.ask("PATCH", "/api/me", {"name": "Ada"})
    assert refusal.value.status == 429 and ada.get("/api/me")["name"] == "Ada 49"


def test_new_cookies_do_not_help_to_fill_the_database(arcade: Arcade) -> None:
    """Whoever deletes themselves is remembered for a year, so that their cookie is not accepted."""
    statuses = []
    with httpx.Client(headers={"X-Forwarded-For": "192.0.2.12"}) as client:
        for _ in range(102):
            statuses.append(client.delete(arcade.base + "/api/me").status_code)
            client.cookies.clear()
    assert statuses[0] == 204 and 429 in statuses
    assert httpx.delete(arcade.base + "/api/me", headers={"X-Forwarded-For": "192.0.2.13"}).status_code == 204


# ── the page ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_page_makes_no_markup_or_code_of_text() -> None:
    risky = re.compile(
        r"\b(innerHTML|outerHTML|insertAdjacentHTML|eval|Function|document\.write|DOMParser|postMessage)\b\s*[(=]"
    )
    for file in STATIC.glob("*.js"):
        text = file.read_text()
        assert not risky.search(text), file.name
        assert not re.search(r"[\"'`](?:javascript:|https?://(?!www\.w3\.org/))", text), file.name


# ── what is remembered ────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_server_that_is_alone_does_not_keep_addresses_to_tell_others_of() -> None:
    for shared, told in ((False, 0), (True, 1)):
        rates = Rates(Limits(), shared=shared)
        rates.take("requests", "192.0.2.1")
        assert len(rates.used_here()) == told


def test_what_others_say_of_an_address_cannot_shut_it_out_for_long() -> None:
    rates = Rates(Limits(requests=Rate(10, 5)), shared=True)
    for _ in range(100):
        rates.used_elsewhere("requests", "192.0.2.1", 100_000)
    assert 0 < rates.take("requests", "192.0.2.1") <= 11 / 5


def test_from_where_a_game_was_listed_is_forgotten_in_time(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'arcade.db'}")
    for id, age in (("old", 2 * DAY), ("new", 0.0)):
        stored = StoredGame(id, "gaterun", {}, 0, "ada", [Seat(1, "open"), Seat(2, "open")], near="digest")
        stored.changed = time.time() - age
        asyncio.run(store.write(partial(repository.add, stored=stored)))
    asyncio.run(DailyQuota(store, Limits()).forget())
    with store.engine.connect() as connection:
        rows = connection.execute(select(schema.games.c.id, schema.games.c.near)).all()
    assert {row.id: row.near for row in rows} == {"old": None, "new": "digest"}
    store.close()


def test_the_digest_of_an_address_needs_the_secret(tmp_path: Path) -> None:
    digests = set()
    for name in ("one", "two"):
        store = Store(f"sqlite:///{tmp_path / name}.db")
        digests.add(DailyQuota(store, Limits()).digest("address 192.0.2.1"))
        asyncio.run(DailyQuota(store, Limits()).take("games", Client("192.0.2.1", "ada")))
        with store.engine.connect() as connection:
            rows = connection.execute(select(schema.quotas)).all()
        assert len(rows) == 2 and "192.0.2.1" not in str(rows) and "ada" not in str(rows)
        store.close()
    assert len(digests) == 2


# ── PostgreSQL ────────────────────────────────────────────────────────────────────────────────────────────────────────

WORD = "unsaid"  # pragma: allowlist secret


@pytest.fixture(scope="module")
def plain(postgres: Postgres) -> str:
    """The URL of a database whose owner has no other right; a stranger may connect to it, as PostgreSQL's default is."""
    import psycopg

    url = postgres.database()
    server, _, name = url.rpartition("/")
    with closing(psycopg.connect(server.replace("+psycopg", "") + "/postgres", autocommit=True)) as connection:
        connection.execute("CREATE ROLE plain LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE")
        connection.execute("CREATE ROLE stranger LOGIN")
        connection.execute(f'ALTER DATABASE "{name}" OWNER TO plain'.encode())
    return f"postgresql://plain:{WORD}@127.0.0.1:{server.rpartition(':')[2]}/{name}"


@pytest.fixture(scope="module")
def servers(plain: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Arcade]]:
    """Two servers on that database."""
    folder = tmp_path_factory.mktemp("servers")
    running = [Arcade(folder / f"{number}.db", "--db", plain) for number in (1, 2)]
    yield running
    for each in running:
        each.end()


def test_the_arcade_needs_no_rights_but_those_of_its_database(servers: list[Arcade], plain: str) -> None:
    ada = servers[0].person()
    info = ada.set_up("gaterun", "here", "here")
    ada.post(f"/api/games/{info['id']}/actions", {"action": "1,3"})
    assert ada.get(f"/api/games/{info['id']}/record")["plies"] == ["1,3"]
    store = Store(plain)
    wanted = "select count(*) from information_schema.schemata where schema_name like 'rookery_jobs_%%'"
    with store.engine.connect() as connection:
        assert connection.exec_driver_sql(wanted).scalar() == 1, "the queue has no tables"
    store.close()
    for server in servers:
        assert WORD not in server.log.read_text()


def name_at(server: Arcade, cookie: str) -> str:
    name: str = get(server.base + "/api/me", headers={"Cookie": cookie}).json()["name"]
    return name


def until_nobody(server: Arcade, cookie: str) -> bool:
    """Whether a server stops accepting a cookie in time."""
    end = time.monotonic() + PATIENCE
    while "set-cookie" not in get(server.base + "/api/me", headers={"Cookie": cookie}).headers:
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def test_whoever_deletes_themselves_is_nobody_at_other_servers_either(servers: list[Arcade]) -> None:
    ada = servers[0].person()
    ada.ask("PATCH", "/api/me", {"name": "Ada"})
    cookie = ada.cookie
    assert name_at(servers[1], cookie) == "Ada"
    ada.ask("DELETE", "/api/me")
    assert until_nobody(servers[1], cookie)


JUNK = [
    *("", "{}", "nonsense", "[" * 7_900, '["x",' + "[" * 7_900, '["x",[["c","g"]]]', '["x",[["z","g",1]]]'),
    *('["x",[["u","requests","192.0.2.1",1e400]]]', '["x",[["u","requests","192.0.2.1",-5]]]'),
    '["x",[["u","requests","192.0.2.1",' + "9" * 400 + "]]]",
    *('["x",[["c","g",99999999999999999999]]]', '["x",[["h","g",[1],2,true]]]', '["' + "x" * 5_000 + '",[]]'),
]


def test_events_that_nobody_should_have_sent_do_not_keep_true_ones_away(servers: list[Arcade], plain: str) -> None:
    """A stranger who may only connect can send events. What they say is not the truth, and the server hears on."""
    import psycopg

    stranger = plain.replace(f"plain:{WORD}", "stranger")
    ada = servers[0].person()
    ada.ask("PATCH", "/api/me", {"name": "Ada"})
    info = ada.set_up("gaterun", "here", "here")
    with ada.at(info["id"]) as page, closing(psycopg.connect(stranger, autocommit=True)) as connection:
        key = hmac.digest(
            bytes.fromhex(servers[0].sql("select value from secrets where name = 'daily'")[0][0]), b"events", "sha256"
        )
        for each in JUNK:
            signature = hmac.new(key, each.encode(), "sha256").hexdigest()[:32]
            for sent in (each, (signature + each)[:7_990]):
                connection.execute("SELECT pg_notify('rookery', %s)", (sent,))
        person = ada.cookie.partition("=")[2].partition(".")[0]
        connection.execute("SELECT pg_notify('rookery', %s)", (f'["x",[["r","{person}"]]]',))
        for number in range(1_500):
            connection.execute("SELECT pg_notify('rookery', %s)", (f'["forged {number}",[["b"]]]',))
        connection.execute("SELECT pg_notify('rookery', %s)", (f'["x",[["c","{info["id"]}",1000]]]',))
        assert page.play("1,3")["is"] == "ack"
        assert name_at(servers[1], ada.cookie) == "Ada", "what is not signed is not believed"
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("SELECT value FROM secrets")
    bob = servers[1].person()
    bob.ask("PATCH", "/api/me", {"name": "Bob"})
    cookie = bob.cookie
    bob.ask("DELETE", "/api/me")
    assert until_nobody(servers[0], cookie)
    for server in servers:
        assert "not heard" not in server.log.read_text()


def test_servers_learn_of_new_keys_and_lost_revocations(postgres: Postgres) -> None:
    url = postgres.database()
    store = Store(url)
    identity = Identity(store.keys, store.revoked)
    ada, bob = (f"rookery={identity.signed(person)}" for person in ("ada", "bob"))
    other = Store(url)
    asyncio.run(other.write(lambda connection: repository.delete_person(connection, "bob", time.time())))
    old = insert(schema.revoked).values(person="long gone", at=time.time() - 100 * DAY)
    asyncio.run(other.write(lambda connection: connection.execute(old)))
    other.close()
    rotate_keys(url, forget=False)
    assert identity.person_in(bob) == "bob"
    asyncio.run(store.read(store.synchronise))
    assert identity.person_in(bob) is None and identity.person_in(ada) == "ada"
    assert "long gone" not in store.revoked, "all revocations are read every time"
    assert identity.signed("ada", 0) != Identity(store.keys[1:]).signed("ada", 0)
    rotate_keys(url, forget=True)
    asyncio.run(store.read(store.synchronise))
    assert identity.person_in(ada) is None
    store.close()


def test_a_connection_that_must_be_encrypted_is_not_made_otherwise(plain: str) -> None:
    """The test's server has no certificate; so whoever wants TLS gets no connection, from neither library."""
    import psycopg

    from rookery.web.postgres import address

    with pytest.raises(RookeryError, match="cannot be used") as problem:
        Store(f"{plain}?sslmode=require")
    assert WORD not in str(problem.value)
    with pytest.raises(psycopg.OperationalError, match="SSL"):
        psycopg.connect(address(f"{plain}?sslmode=require"))
    assert "sslrootcert=%2Fetc%2Fca.pem" in address(f"{plain}?sslmode=verify-full&sslrootcert=%2Fetc%2Fca.pem")


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://ada:{WORD}@127.0.0.1/arcade",
        f"postgresql://127.0.0.1/arcade?user=ada&password={WORD}",
        f"ada:{WORD}@127.0.0.1/arcade",
    ],
)
def test_a_password_is_not_told_wherever_it_is_in_the_url(url: str) -> None:
    assert WORD not in without_password(url)
