"""A stranger at the wire: the site as it is served in production, and requests that no browser sends."""

import os
import re
import resource
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.kits import pages_kit, slow_sockets_kit
from tests.kits.worker_kit import a_process, wait_for

from gangland_web.ops import serving, web_server
from gangland_web.ops.children import shared_environment, web_command
from gangland_web.settings import sqlite_url

PATIENCE_S = 240
SLOW = 40  # more clients than the site has threads
PAGE = b"GET /sign-in HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
FORM = b"POST /sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"


@dataclass
class Wire:
    port: int
    log: Path

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), PATIENCE_S)

    def ask(self, data: bytes) -> bytes:
        with self.connect() as connection:
            connection.sendall(data)
            return b"".join(iter(lambda: connection.recv(65536), b""))

    def answers(self) -> bool:
        try:
            return self.ask(PAGE).startswith(b"HTTP/1.1 200")
        except OSError:
            return False


@pytest.fixture(scope="module")
def wire(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wire]:
    folder = tmp_path_factory.mktemp("wire")
    (folder / "key").write_text("k" * 40)
    for _ in pages_kit.open_site(folder):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        places = {"DATABASE_URL": sqlite_url(folder), "SECRET_KEY_FILE": str(folder / "key")}
        settings = shared_environment() | places | {"GANGLAND_DATA": str(folder)}
        site = Wire(port, folder / "log")
        with a_process(list(web_command(port)), site.log, **settings) as server:
            wait_for(site.answers, server, site.log)
            yield site


@pytest.mark.parametrize(
    "begun",
    [b"", b"GET / HTTP/1.1\r\nX-Slow: ", FORM + b"Content-Length: 1000\r\n\r\nname=", b"\x16\x03\x01\x02"],
    ids=["silent", "slow head", "slow body", "no HTTP"],
)
def test_slow_clients_do_not_keep_the_site_from_others(wire: Wire, begun: bytes) -> None:
    with ExitStack() as held:
        for _ in range(SLOW):
            held.enter_context(wire.connect()).sendall(begun)
        assert [wire.ask(PAGE)[:12] for _ in range(5)] == [b"HTTP/1.1 200"] * 5


@pytest.mark.parametrize("most", [100, pytest.param(500, marks=pytest.mark.long("the same with 4,500 sockets"))])
def test_pages_are_answered_beside_many_slow_sockets_of_each_kind(wire: Wire, most: int) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    each = min(most, hard // 32)
    sockets = slow_sockets_kit.Sockets(wire.port, each, slow_sockets_kit.kinds("/static/site.css"))
    try:
        for _ in range(2):
            sockets.tend()
            assert wire.ask(PAGE).startswith(b"HTTP/1.1 200")
        assert len(sockets) > 3 * each  # refused, half-closed and late ones were closed
    finally:
        sockets.close()


@pytest.mark.long("waits for as long as a connection may be silent")
@pytest.mark.parametrize("begun", [b"", b"GET / HTTP/1.1\r\nX-Slow: ", PAGE.replace(b"Connection: close\r\n", b"")])
def test_a_connection_without_a_request_is_closed_when_its_time_is_over(wire: Wire, begun: bytes) -> None:
    with wire.connect() as connection:
        connection.sendall(begun)
        received = b"".join(iter(lambda: connection.recv(65536), b""))
        assert received.count(b"HTTP/1.1 200") == begun.count(b"\r\n\r\n")


@pytest.mark.long("waits for as long as a client may read nothing")
def test_whoever_asks_for_more_and_more_and_reads_nothing_is_disconnected(wire: Wire) -> None:
    with wire.connect() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.setblocking(False)
        ask = PAGE.replace(b"GET /sign-in", b"GET /static/site.css").replace(b"Connection: close\r\n", b"")
        connection.send(ask * 1000)
        time.sleep(web_server.SEND_S + serving.IDLE_S)
        connection.setblocking(True)
        with pytest.raises(ConnectionError):
            b"".join(iter(lambda: connection.recv(1 << 20), b""))


def test_an_address_that_is_in_use_is_not_shared(wire: Wire) -> None:
    second = subprocess.run(
        web_command(wire.port), env=shared_environment(), capture_output=True, text=True, check=False
    )
    assert second.returncode == 2
    assert "cannot listen" in second.stderr


def test_a_request_in_pieces_is_answered_once_it_is_whole_and_two_sent_at_once_get_two_answers(wire: Wire) -> None:
    with wire.connect() as slow:
        for piece in re.findall(rb"(?s).{1,17}", PAGE):
            slow.sendall(piece)
            time.sleep(0.002)
        assert slow.recv(12) == b"HTTP/1.1 200"
    both = PAGE.replace(b"Connection: close\r\n", b"") + PAGE.replace(b"/sign-in", b"/nothing")
    result = wire.ask(both)
    assert (result.count(b"HTTP/1.1 200"), result.count(b"HTTP/1.1 404")) == (1, 1)


def test_what_follows_a_refused_body_is_not_carried_out(wire: Wire) -> None:
    for length in (b"Content-Length: 9999999\r\n\r\n", b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n"):
        assert wire.ask(FORM + length + PAGE).count(b"HTTP/1.1") == 1


SMALL_SITE = """import time

def make():
    def answer(environ, start):
        if environ["PATH_INFO"] == "/wait":
            print("waits", flush=True)
            time.sleep(1)
        start("200 OK", [])
        return [b"whole"]
    return answer
"""


@pytest.fixture
def small(tmp_path: Path) -> Iterator[tuple[Wire, subprocess.Popen[bytes]]]:
    (tmp_path / "small_site.py").write_text(SMALL_SITE)
    with socket.create_server(("127.0.0.1", 0)) as free:
        site = Wire(free.getsockname()[1], tmp_path / "log")
    settings = shared_environment() | {"PYTHONPATH": str(tmp_path)}
    command = [*web_command(site.port), "--app", "small_site:make", "--processes", "1"]
    with a_process(command, site.log, **settings) as server:
        wait_for(site.answers, server, site.log)
        yield site, server


def test_stopped_it_answers_what_it_has_begun_and_closes_what_is_idle(
    small: tuple[Wire, subprocess.Popen[bytes]],
) -> None:
    site, server = small
    with site.connect() as busy, site.connect() as idle:
        busy.sendall(b"GET /wait HTTP/1.1\r\nHost: localhost\r\n\r\n")
        wait_for(lambda: "waits" in site.log.read_text(), server, site.log)
        server.terminate()
        assert idle.recv(100) == b""
        assert b"".join(iter(lambda: busy.recv(65536), b"")).endswith(b"whole")
        assert server.wait(PATIENCE_S) == 0


def test_a_process_that_ends_is_started_again_and_ends_with_its_parent(
    small: tuple[Wire, subprocess.Popen[bytes]],
) -> None:
    site, server = small
    children = Path(f"/proc/{server.pid}/task/{server.pid}/children")
    first = int(children.read_text())
    os.kill(first, signal.SIGKILL)
    wait_for(lambda: children.read_text().strip() not in ("", str(first)) and site.answers(), server, site.log)
    second = int(children.read_text())
    server.kill()
    server.wait()
    deadline = time.monotonic() + PATIENCE_S
    while Path(f"/proc/{second}").exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)


CHUNKED = FORM + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
FORGED = b"Cookie: gangland=eyJrZXkiOiJ4In0.aaaaaa.AAAAAAAAAAAAAAAAAAA\r\n"
EVIL = b"Host: evil.test\r\nX-Forwarded-Host: evil.test\r\nConnection: close\r\n\r\n"
H = b"Host: localhost\r\nConnection: close\r\n"
REFUSED = {
    "two lengths": (400, FORM + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef"),
    "length and chunks": (400, FORM + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    "a negative length": (400, FORM + b"Content-Length: -5\r\n\r\n"),
    "broken chunks": (400, CHUNKED + b"ZZ\r\nab\r\n0\r\n\r\n"),
    "an unknown coding": (400, FORM + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"),
    "chunks over a form's cap": (413, CHUNKED + b"fffff\r\n" + b"x" * 1048575 + b"\r\n0\r\n\r\n"),
    "chunks over every cap": (413, CHUNKED + b"ffffff\r\n" + b"x" * 1_100_000),
    "tiny chunks": (400, CHUNKED + b"1\r\nx\r\n" * 10_000 + b"0\r\n\r\n"),
    "a trailer without end": (400, CHUNKED + b"0\r\n" + b"X: y\r\n" * 2_000),
    "a huge chunked length": (400, CHUNKED + b"f" * 300),
    "chunked twice": (400, FORM + b"Connection: close\r\nTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n"),
    "chunked in two lines": (400, CHUNKED[:-2] + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    "chunks of HTTP/1.0": (400, CHUNKED.replace(b"1.1", b"1.0") + b"0\r\n\r\n"),
    "a length of 5,000 digits": (400, FORM + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n"),
    "a huge length that asks first": (413, FORM + b"Expect: 100-continue\r\nContent-Length: 99999999999\r\n\r\n"),
    "no host": (400, b"GET /sign-in HTTP/1.1\r\nConnection: close\r\n\r\n"),
    "two hosts": (400, b"GET /sign-in HTTP/1.1\r\nHost: evil.test\r\n" + H + b"\r\n"),
    "an address of another host": (400, b"GET http://evil.test/sign-in HTTP/1.1\r\n" + H + b"\r\n"),
    "an address that is none": (400, b"GET http://[/ HTTP/1.1\r\n" + H + b"\r\n"),
    "a tunnel": (400, b"CONNECT evil.test:443 HTTP/1.1\r\n" + H + b"\r\n"),
    "a huge length": (413, FORM + b"Connection: close\r\nContent-Length: 99999999999\r\n\r\nname=x"),
    "many headers": (431, b"GET / HTTP/1.1\r\n" + b"".join(b"X-%d: y\r\n" % n for n in range(300)) + b"\r\n"),
    "a long header": (431, b"GET / HTTP/1.1\r\nX: " + b"y" * 20_000 + b"\r\n\r\n"),
    "a long address": (431, b"GET /" + b"y" * 20_000 + b" HTTP/1.1\r\n\r\n"),
    "a folded header": (400, b"GET / HTTP/1.1\r\nX: a\r\n b\r\n" + H + b"\r\n"),
    "a space before the colon": (400, b"GET / HTTP/1.1\r\nX : a\r\n" + H + b"\r\n"),
    "a raw NUL": (400, b"GET /bots/\0 HTTP/1.1\r\n" + H + b"\r\n"), "no version": (400, b"GET /sign-in\r\n\r\n"),
    "another version": (400, b"GET / HTTP/2.0\r\n" + H + b"\r\n"),
    "a method that is none": (400, b"GE\x01T / HTTP/1.1\r\n" + H + b"\r\n"),
    "TRACE": (405, b"TRACE / HTTP/1.1\r\n" + H + b"\r\n"),
    "an override": (405, b"POST / HTTP/1.1\r\nX-HTTP-Method-Override: DELETE\r\nContent-Length: 0\r\n" + H + b"\r\n"),
    "up and out": (404, b"GET /static/%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\n" + H + b"\r\n"),
    "up by slashes": (404, b"GET /docs/..%2f..%2f..%2f..%2fetc%2fpasswd HTTP/1.1\r\n" + H + b"\r\n"),
    "overlong dots": (404, b"GET /static/%c0%ae%c0%ae/site.css HTTP/1.1\r\n" + H + b"\r\n"),
    "an encoded NUL": (404, b"GET /bots/1%00 HTTP/1.1\r\n" + H + b"\r\n"),
    "no UTF-8": (404, b"GET /bots/%ff%fe HTTP/1.1\r\n" + H + b"\r\n"),
    "two slashes": (404, b"GET //evil.test/%2e%2e HTTP/1.1\r\n" + H + b"\r\n"),
    "a semicolon": (404, b"GET /organize;/1 HTTP/1.1\r\n" + H + b"\r\n"),
    "a forged session": (303, b"GET /account HTTP/1.1\r\n" + FORGED + H + b"\r\n"),
    "another host": (303, b"GET /account HTTP/1.1\r\n" + EVIL),
}  # fmt: skip


@pytest.mark.parametrize("name", list(REFUSED))
def test_a_request_that_no_browser_sends_is_refused_and_told_nothing(wire: Wire, name: str) -> None:
    status, data = REFUSED[name]
    result = wire.ask(data)
    head, _, body = result.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 %d" % status), result[:300]
    for leak in (b"Traceback", b"evil.test", b"root:", b"/site-packages/", b"sqlite", b"gangland_web"):
        assert leak not in result, result[:2000]
    if location := re.search(rb"(?im)^location: (.*?)\r?$", head):
        assert location[1].startswith(b"/sign-in")
    assert len(body) < 20_000


def test_a_request_that_is_none_leaves_neither_its_sender_nor_its_words_in_the_log(wire: Wire) -> None:
    for words in (b"GET /" + b"\x01" * 4000 + b"?q=SECRET", b"GET /x?q=SECRET\r\n\r\n", b"S@CRET / HTTP/1.1\r\n\r\n"):
        assert wire.ask(words + b"\r\n" + H + b"\r\n").startswith(b"HTTP/1.1 400")
    assert wire.ask(PAGE).startswith(b"HTTP/1.1 200")
    written = wire.log.read_text(encoding="utf-8")
    assert [word for word in ("127.0.0.1", "SECRET", "S@CRET", "Invalid request") if word in written] == []


def test_a_stylesheet_is_not_multiplied_by_asking_for_many_ranges_of_it(wire: Wire) -> None:
    ranges = b",".join(b"%d-%d" % (at, at + 5000) for at in range(200))
    result = wire.ask(b"GET /static/site.css HTTP/1.1\r\nRange: bytes=" + ranges + b"\r\n" + H + b"\r\n")
    whole = wire.ask(b"GET /static/site.css HTTP/1.1\r\n" + H + b"\r\n")
    assert len(result) <= len(whole) + 500
