"""The arcade behind a real proxy with TLS: nginx and Caddy, configured as the operator's tutorial says.

The configurations are read from the page. Only ports, the certificate's files and what keeps the programs on 127.0.0.1 and in
a folder of their own are put in. Clients come from 127.0.0.2 and further on, so that they differ from the proxy.
"""

from __future__ import annotations

import os
import re
import socket
import ssl
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import httpx
import pytest
from tests.page import fenced
from tests.programs import program
from tests.web.arcade import PATIENCE, Arcade, Page, Person, get, until
from tests.web.browser import Visitor, chromium
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems have one loopback address only")

TUTORIAL = Path(__file__).resolve().parent.parent.parent / "docs" / "start" / "operator.md"
NAME = "arcade.example.org"
UPSTREAM = "127.0.0.1:8067"


def configuration(language: str, word: str) -> str:
    """The one block of the tutorial with a word in it."""
    (found,) = (each.text for each in fenced(TUTORIAL.read_text(encoding="utf-8"), language) if word in each.text)
    return found


def replaced(text: str, **changes: tuple[str, str]) -> str:
    """The text with all occurrences of some parts replaced; each must be there."""
    for old, new in changes.values():
        assert old in text, f"the tutorial has no '{old}'"
        text = text.replace(old, new)
    return text


def free_ports(count: int) -> list[int]:
    with ExitStack() as all_open:
        taken = [all_open.enter_context(closing(socket.create_server(("127.0.0.1", 0)))) for _ in range(count)]
        return [each.getsockname()[1] for each in taken]


class Proxy:
    """A proxy process in front of an arcade: where it listens, and the certificate that it can be checked by."""

    def __init__(self, folder: Path, arcade: Arcade, name: str) -> None:
        self.folder, self.arcade, self.name = folder, arcade, name
        self.port, self.plain_port = free_ports(2)
        self.certificate = folder / "certificate.pem"
        self.log = folder / "proxy.log"

    @property
    def base(self) -> str:
        return f"https://{self.name}:{self.port}"

    def command(self) -> list[str]:
        """Write the configuration; return the command that starts the program with it."""
        raise NotImplementedError

    def start(self) -> None:
        command = self.command()
        with self.log.open("w") as log:
            own = dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"), str(self.folder))
            self.process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self.folder, env=os.environ | own)
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                with self.connection("127.0.0.1") as plain:
                    self.context().wrap_socket(plain, server_hostname=self.name).close()
                return
            except OSError:  # not listening, or without a certificate yet
                if self.process.poll() is not None or time.monotonic() > deadline:
                    self.end()
                    raise AssertionError(self.log.read_text()) from None
                time.sleep(0.02)

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(PATIENCE)

    def context(self) -> ssl.SSLContext:
        context = ssl.create_default_context(cafile=str(self.certificate))
        # The tickets of TLS 1.3 may come while the other thread of a WebSocket sends, which OpenSSL does not allow.
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        return context

    def connection(self, address: str) -> socket.socket:
        """A connection to the proxy from an address of this machine, without TLS as yet."""
        return socket.create_connection(("127.0.0.1", self.port), PATIENCE, source_address=(address, 0))


class Nginx(Proxy):
    def command(self) -> list[str]:
        key = self.folder / "key.pem"
        subprocess.run(
            [
                *(
                    program("openssl"),
                    "req",
                    "-x509",
                    "-newkey",
                    "ec",
                    "-pkeyopt",
                    "ec_paramgen_curve:prime256v1",
                    "-nodes",
                ),
                *("-days", "2", "-subj", f"/CN={self.name}", "-addext", f"subjectAltName=DNS:{self.name}"),
                *("-keyout", str(key), "-out", str(self.certificate)),
            ],
            check=True,
            capture_output=True,
        )
        site = re.sub(r" *listen \[::\].*\n", "", configuration("nginx", "proxy_pass"))
        site = replaced(
            site,
            upstream=(UPSTREAM, f"127.0.0.1:{self.arcade.port}"),
            tls=("listen 443 ", f"listen 127.0.0.1:{self.port} "),
            plain=("listen 80;", f"listen 127.0.0.1:{self.plain_port};"),
            certificate=(f"/etc/letsencrypt/live/{NAME}/fullchain.pem", str(self.certificate)),
            key=(f"/etc/letsencrypt/live/{NAME}/privkey.pem", str(key)),
            name=(NAME, self.name),
        )
        temporary = "".join(
            f"{each}_temp_path {self.folder / each};\n" for each in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        file = self.folder / "nginx.conf"
        file.write_text(
            f"daemon off;\npid {self.folder / 'nginx.pid'};\nerror_log stderr warn;\n"
            + ("user root;\n" if os.getuid() == 0 else "")
            + f"events {{}}\nhttp {{\naccess_log off;\n{temporary}{site}}}\n"
        )
        return [program("nginx"), "-p", str(self.folder), "-e", "stderr", "-c", str(file)]


class Caddy(Proxy):
    def __init__(self, folder: Path, arcade: Arcade, name: str) -> None:
        super().__init__(folder, arcade, name)
        self.certificate = folder / "data" / "pki" / "authorities" / "local" / "root.crt"

    def command(self) -> list[str]:
        site = replaced(
            configuration("text", "reverse_proxy"),
            upstream=(UPSTREAM, f"127.0.0.1:{self.arcade.port}"),
            name=(NAME, self.name),
        )
        file = self.folder / "Caddyfile"
        file.write_text(f"""{{
    admin off
    default_bind 127.0.0.1
    http_port {self.plain_port}
    https_port {self.port}
    local_certs
    skip_install_trust
    storage file_system {self.folder / "data"}
    servers {{
        protocols h1 h2
    }}
}}
{site}""")
        return [program("caddy"), "run", "--config", str(file), "--adapter", "caddyfile"]


class Transport(httpx.HTTPTransport):
    """Finds the public name at 127.0.0.1, and comes from an address of this machine."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        return super().handle_request(
            httpx.Request(
                request.method,
                request.url.copy_with(host="127.0.0.1"),
                headers=request.headers,
                stream=request.stream,
                extensions={**request.extensions, "sni_hostname": request.url.host},
            )
        )


SOME_SOCKETS = 12
"""WebSockets that one client may open, and two at the same address may not."""
AT_ONCE = 12
WAVES, WAVE = 10, 60


def is_refused(client: httpx.Client, headers: Callable[[int], dict[str, str]]) -> bool:
    """Whether somebody who asks and asks has to wait in the end. Some requests are under way at the same time, so that
    even a slow machine answers more than the limit gives back.
    """

    def status(number: int) -> int:
        return client.get("/api/health", headers=headers(number)).status_code

    with ThreadPoolExecutor(AT_ONCE) as pool:
        waves = (range(first, first + WAVE) for first in range(0, WAVES * WAVE, WAVE))
        return any(429 in list(pool.map(status, wave)) for wave in waves)


class Client(Person):
    """Somebody on the other side of the proxy, at an address of their own."""

    def __init__(self, proxy: Proxy, address: str) -> None:
        self.proxy, self.address, self.context = proxy, address, proxy.context()
        transport = Transport(verify=self.context, local_address=address)
        self.client = httpx.Client(
            base_url=proxy.base, transport=transport, timeout=PATIENCE, headers={"Origin": proxy.base}
        )

    def ask(self, method: str, path: str, content: Any = None) -> Any:
        answer = self.client.request(method, path, json=content)
        assert answer.is_success, answer.text
        return answer.json()

    def raw(self, data: str = "") -> ssl.SSLSocket:
        """A connection that has sent these bytes."""
        opened = self.context.wrap_socket(self.proxy.connection(self.address), server_hostname=self.proxy.name)
        opened.sendall(data.encode())
        return opened

    @contextmanager
    def at(self, id: str, origin: str | None = None) -> Iterator[Page]:
        with connect(
            self.proxy.base.replace("https", "wss") + f"/ws/games/{id}",
            sock=self.proxy.connection(self.address),
            ssl=self.context,
            additional_headers={"Cookie": self.cookie, "Origin": origin or self.proxy.base},
            max_size=None,
        ) as opened:
            yield Page(opened)

    def watch(self, id: str, watching: ExitStack) -> None:
        """Open a game in some WebSockets, for as long as somebody is watching."""
        for _ in range(SOME_SOCKETS):
            watching.enter_context(self.at(id))


@pytest.fixture(scope="module")
def arcade(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arcade]:
    """An arcade that trusts the proxy. Its limits are small: 150 requests at once, 30 connections, 20 WebSockets."""
    where = ("--allowed-host", NAME, "--trusted-proxy", "127.0.0.1", "--metrics", "--access-log")
    server = Arcade(tmp_path_factory.mktemp("arcade") / "arcade.db", *where, "--people-per-address", "1")
    yield server
    server.end()
    assert "127.0.0" not in server.log.read_text() and "rror" not in server.log.read_text()


@pytest.fixture
def distrustful(tmp_path: Path) -> Iterator[Arcade]:
    """An arcade that knows its public name, but not that there is a proxy. Nobody has used up any limit of it."""
    server = Arcade(tmp_path / "arcade.db", "--allowed-host", NAME, "--people-per-address", "1")
    yield server
    server.end()
    assert server.log.read_text() == ""


@contextmanager
def running(kind: type[Proxy], folder: Path, arcade: Arcade, name: str = NAME) -> Iterator[Proxy]:
    proxy = kind(folder, arcade, name)
    proxy.start()
    try:
        yield proxy
    finally:
        proxy.end()


@pytest.fixture(scope="module", params=[Nginx, Caddy])
def kind(request: pytest.FixtureRequest) -> type[Proxy]:
    chosen: type[Proxy] = request.param
    return chosen


@pytest.fixture(scope="module")
def proxy(kind: type[Proxy], arcade: Arcade, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    with running(kind, tmp_path_factory.mktemp("proxy"), arcade) as found:
        yield found


@pytest.fixture(scope="module")
def addresses() -> Iterator[str]:
    """Addresses of this machine that no client has had."""
    return (f"127.0.{number // 250 + 1}.{number % 250 + 1}" for number in range(10_000))


class Comes(Protocol):
    """Lets somebody come through a proxy, who leaves after the test."""

    def __call__(self, proxy: Proxy) -> Client: ...


@pytest.fixture
def comes(addresses: Iterator[str]) -> Iterator[Comes]:
    with ExitStack() as leaving:

        def come(proxy: Proxy) -> Client:
            client = Client(proxy, next(addresses))
            leaving.callback(client.client.close)
            return client

        yield come


# ── what a visitor needs ──────────────────────────────────────────────────────────────────────────────────────────────


def test_the_page_and_the_api_are_there_by_tls_with_a_cookie_of_this_host_only(proxy: Proxy, comes: Comes) -> None:
    ada = comes(proxy)
    page = ada.client.get("/")
    assert page.status_code == 200 and "<title>" in page.text
    assert page.headers["strict-transport-security"] == "max-age=31536000"
    assert page.headers.get_list("set-cookie") == [page.headers["set-cookie"]], "one cookie"
    value, *flags = page.headers["set-cookie"].split("; ")
    assert value.startswith("__Host-rookery=") and {"Secure", "HttpOnly", "Path=/", "SameSite=Lax"} <= set(flags)
    for script in re.findall(r'src="(/static/[^"]+\.js)"', page.text):
        assert ada.client.get(script).status_code == 200
    assert ada.get("/api/health")["status"] == "ok"
    assert "set-cookie" not in ada.client.get("/api/me").headers, "the cookie was taken back"


def test_who_comes_without_tls_is_sent_to_tls(proxy: Proxy) -> None:
    answer = get(f"http://127.0.0.1:{proxy.plain_port}/daily", headers={"Host": NAME})
    assert answer.status_code in (301, 308)
    assert answer.headers["location"].replace(f":{proxy.port}", "") == f"https://{NAME}/daily"


def test_a_whole_game_is_played_by_websocket(proxy: Proxy, comes: Comes) -> None:
    ada, bob = comes(proxy), comes(proxy)
    info = ada.set_up("gaterun", "here", "invite", options={"size": 5})
    bob.post(f"/api/games/{info['id']}/join", {"token": info["invite"].partition("#")[2]})
    with ada.at(info["id"]) as hers, bob.at(info["id"]) as his:
        for number in range(200):
            page = (hers, his)[number % 2]
            page.until(lambda page, number=number: page.over or page.shown["ply"] == number)
            if page.over:
                break
            assert page.shown["mine"] and page.play(page.choices[0])["is"] == "ack"
        record = ada.get(f"/api/games/{info['id']}/record")
        for page in (hers, his):
            page.until(lambda page: page.over and len(page.plies) == len(record["plies"]))
            assert [name for name, _ in page.plies] == record["plies"]
    assert len(record["plies"]) > 5 and record["result"] is not None


SET_UP = """async wish => {
    const told = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(wish) };
    return (await (await fetch("/api/games", told)).json()).id;
}"""


def test_a_browser_keeps_the_cookie_and_plays(proxy: Proxy) -> None:
    rules = f"--host-resolver-rules=MAP {NAME}:443 127.0.0.1:{proxy.port}"  # as in public, no port in any address
    with chromium(rules) as browser:
        zoe = Visitor(browser, f"https://{NAME}", ignore_https_errors=True)
        zoe.open("/")
        wish = {"game": "gaterun", "options": {"size": 5}, "seats": [{"kind": "here"}] * 2}
        id = zoe.page.evaluate(SET_UP, wish)
        zoe.open(f"/game/{id}")
        zoe.see(".board[data-mine]")
        zoe.click("1,2")
        zoe.see_moves(1)
        (cookie,) = zoe.context.cookies()
        assert cookie["name"] == "__Host-rookery" and cookie["secure"] and cookie["domain"] == NAME
        zoe.leave()


# ── whom the arcade answers ───────────────────────────────────────────────────────────────────────────────────────────


def test_figures_are_for_who_asks_the_server_itself(proxy: Proxy, arcade: Arcade, comes: Comes) -> None:
    assert get(arcade.base + "/metrics").status_code == 200
    assert comes(proxy).client.get("/metrics").status_code == 404


def test_requests_have_the_id_that_the_proxy_gave_them(proxy: Proxy, arcade: Arcade, comes: Comes) -> None:
    given = comes(proxy).client.get("/api/games").headers["x-request-id"]
    assert re.fullmatch("[0-9a-f]{32}" if isinstance(proxy, Nginx) else "[0-9a-f]{16}", given)
    # The line is written when the answer is on its way.
    (told,) = until(lambda: [line for line in arcade.log.read_text().splitlines() if given in line])
    assert "GET /api/games 200" in told


def test_another_name_is_not_answered(proxy: Proxy, comes: Comes) -> None:
    for name in ("evil.example", f"evil.example:{proxy.port}", f"{NAME}.evil.example"):
        answer = comes(proxy).client.get("/api/health", headers={"Host": name, "Origin": f"https://{name}"})
        if isinstance(proxy, Caddy):  # which has no such site, and does not ask the arcade
            assert answer.content == b""
        else:
            assert answer.status_code == 421 and "--allowed-host" in answer.json()["detail"]


def test_a_site_of_the_proxy_that_the_arcade_was_not_told_of_is_misdirected(
    kind: type[Proxy], arcade: Arcade, addresses: Iterator[str], tmp_path: Path
) -> None:
    with running(kind, tmp_path, arcade, "forgotten.example.org") as proxy:
        with closing(Client(proxy, next(addresses)).client) as client:
            answer = client.get("/")
        assert answer.status_code == 421
        assert answer.json()["detail"].startswith("This arcade does not answer to the name 'forgotten.example.org:")


def test_pages_of_the_public_name_may_act_and_those_of_other_sites_may_not(proxy: Proxy, comes: Comes) -> None:
    ada = comes(proxy)
    info = ada.set_up("gaterun", "here", "here")
    actions = f"/api/games/{info['id']}/actions"
    foreign = ("https://evil.example", f"https://{NAME}.evil.example:{proxy.port}", f"https://{NAME}", "null")
    for origin in (*foreign, proxy.base.replace("https", "http"), f"https://127.0.0.1:{proxy.arcade.port}"):
        answer = ada.client.post(actions, json={"action": "1,3"}, headers={"Origin": origin})
        assert answer.status_code == 403 and "another site" in answer.json()["detail"], origin
        with pytest.raises(InvalidStatus) as refusal, ada.at(info["id"], origin):
            pass
        assert refusal.value.response.status_code == 403, origin
    assert ada.client.post(actions, json={"action": "1,3"}, headers={"Origin": proxy.base}).status_code == 201


# ── whose limits ──────────────────────────────────────────────────────────────────────────────────────────────────────


def made_up(number: int) -> dict[str, str]:
    """Headers of somebody who claims to be another each time."""
    address = f"198.51.100.{number % 250 + 1}"
    return {
        "X-Forwarded-For": address,
        "X-Real-IP": address,
        "Forwarded": f"for={address};proto=https",
        "X-Forwarded-Proto": "http",
        "X-Forwarded-Host": "evil.example",
    }


def test_limits_are_of_the_client_and_not_of_the_proxy(proxy: Proxy, comes: Comes) -> None:
    ada, bob = comes(proxy), comes(proxy)
    assert is_refused(ada.client, lambda number: {})
    assert {bob.client.get("/api/health").status_code for _ in range(40)} == {200}


def test_a_forged_address_does_not_pass_limits(proxy: Proxy, comes: Comes) -> None:
    eve = comes(proxy)
    assert is_refused(eve.client, made_up)
    answer = comes(proxy).client.get("/", headers=made_up(1))
    assert answer.headers["set-cookie"].startswith("__Host-rookery=") and "strict-transport-security" in answer.headers


def test_a_proxy_that_appends_addresses_is_believed_in_the_last_one(arcade: Arcade) -> None:
    """Many configurations of nginx have `$proxy_add_x_forwarded_for`."""
    name = {"Host": NAME, "X-Forwarded-Proto": "https"}
    with httpx.Client(base_url=arcade.base, headers=name) as client:
        assert is_refused(client, lambda number: {"X-Forwarded-For": f"198.51.100.{number % 250}, 192.0.2.77"})
        assert client.get("/api/health", headers={"X-Forwarded-For": "192.0.2.78"}).status_code == 200


def test_the_connections_of_all_clients_are_not_those_of_one_address(proxy: Proxy, comes: Comes) -> None:
    ada = comes(proxy)
    info = ada.set_up("gaterun", "here", "here")
    with ExitStack() as watching:
        for _ in range(4):
            comes(proxy).watch(info["id"], watching)
        assert ada.get("/api/health")["status"] == "ok"


def test_many_clients_may_come_at_the_same_moment(proxy: Proxy, comes: Comes) -> None:
    with ExitStack() as leaving:
        people = [comes(proxy) for _ in range(8)]
        connections = [leaving.enter_context(bob.raw()) for bob in people for _ in range(25)]
        for each in connections:
            each.sendall(f"GET /api/health HTTP/1.1\r\nHost: {NAME}\r\nConnection: close\r\n\r\n".encode())
        told = [int(each.recv(4096).split()[1]) for each in connections]
    assert told == [200] * 200


def test_one_client_may_not_keep_many_requests_open(proxy: Proxy, comes: Comes) -> None:
    eve = comes(proxy)
    head = f"Host: {NAME}:{proxy.port}\r\nContent-Type: application/json\r\nContent-Length: 9"
    with ExitStack() as leaving:
        for _ in range(30):
            leaving.enter_context(eve.raw(f"POST /api/preview HTTP/1.1\r\n{head}\r\n\r\n{{"))
        time.sleep(0.3)
        answer = eve.client.get("/api/health")
        if isinstance(proxy, Nginx):  # which asks the arcade when it has the whole request
            assert answer.status_code == 200
        else:
            assert answer.status_code == 429 and "at the same time" in answer.json()["detail"]
        assert comes(proxy).get("/api/health")["status"] == "ok"


# ── without trust ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_proxy_that_is_not_trusted_is_not_believed(
    kind: type[Proxy], distrustful: Arcade, comes: Comes, tmp_path: Path
) -> None:
    with running(kind, tmp_path, distrustful) as proxy:
        ada, bob = comes(proxy), comes(proxy)
        page = ada.client.get("/")
        assert page.headers["set-cookie"].startswith("rookery=") and "strict-transport-security" not in page.headers
        game = distrustful.person().set_up("gaterun", "here", "here")["id"]
        with ExitStack() as watching:
            ada.watch(game, watching)
            # All visitors count as one: too many in a short time or, on a slow machine, at the same time.
            with pytest.raises((InvalidStatus, ConnectionClosed)):
                bob.watch(game, watching)
        assert is_refused(ada.client, made_up)
