"""The server itself, with a small application: who waits for whom, and what happens at the limits."""

import resource
import socket
import struct
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from io import BytesIO
from threading import Event, Thread
from typing import Any

import pytest
from tests.kits.slow_sockets_kit import Sockets, kinds

from gangland_web.ops import web_server
from gangland_web.ops.serving import Shares, most_connections
from gangland_web.ops.web_server import Server, listen

LARGE = 3_000_000
BODY_BYTES = 100_000
PATIENCE_S = 240
GET = b"GET %s HTTP/1.1\r\nHost: x\r\n\r\n"
POST = b"POST /echo HTTP/1.1\r\nHost: x\r\n"


class House:
    """A small application, and what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.may_end = Event()

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        self.asked.append(f"{environ['REQUEST_METHOD']} {path}")
        start("200 OK", [("Content-Type", "text/plain")])
        if path == "/large":
            return (b"z" * 100_000 for _ in range(LARGE // 100_000))
        if path == "/file":
            wrapped: Iterable[bytes] = environ["wsgi.file_wrapper"](BytesIO(b"y" * LARGE))
            return wrapped
        if path == "/echo":
            return [environ["wsgi.input"].read()]
        if path == "/wait":
            self.may_end.wait(PATIENCE_S)
        names = sorted(name for name in environ if name.startswith(("HTTP_", "SCRIPT")))
        return [";".join(f"{name}={environ[name]}" for name in names).encode()]


class Served:
    def __init__(self, house: House, server: Server, port: int) -> None:
        self.house, self.server, self.port = house, server, port

    def connect(self, source: str = "127.0.0.1") -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), PATIENCE_S, (source, 0))

    def get(self, path: str = "/", source: str = "127.0.0.1") -> bytes:
        with self.connect(source) as client:
            client.sendall(GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n") % path.encode())
            return rest(client)

    def until(self, holds: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not holds():
            assert time.monotonic() < deadline
            time.sleep(0.01)


def rest(client: socket.socket) -> bytes:
    return b"".join(iter(lambda: client.recv(65536), b""))


@contextmanager
def serving(**limits: int) -> Iterator[Served]:
    house = House()
    listening = listen("127.0.0.1", 0)
    server = Server(house, listening, body_bytes=BODY_BYTES, threads=2, **limits)
    thread = Thread(target=server.run)
    thread.start()
    try:
        yield Served(house, server, listening.getsockname()[1])
    finally:
        house.may_end.set()
        server.stop(1)
        thread.join()


@pytest.fixture
def site() -> Iterator[Served]:
    with serving() as served:
        yield served


@pytest.mark.parametrize("most", [100, pytest.param(500, marks=pytest.mark.long("the same with 4,500 sockets"))])
def test_many_slow_sockets_of_each_kind_hold_no_thread(site: Served, most: int) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    each = min(most, hard // 32)  # this process holds both ends, and files for what is not taken
    sockets = Sockets(site.port, each, kinds("/large"))
    try:
        sockets.tend()
        site.until(lambda: site.server.threads.active_count == 0)
        assert site.get("/").startswith(b"HTTP/1.1 200")
        sockets.tend()
        site.until(lambda: site.server.threads.active_count == 0)
        assert len(sockets) > 3 * each  # refused, half-closed and late ones were closed
        assert site.get("/").startswith(b"HTTP/1.1 200")
    finally:
        sockets.close()


@pytest.mark.parametrize(
    "begun", [b"", b"GET / HT", POST + b"Content-Length: 9\r\n\r\n", POST + b"Transfer-Encoding: chunked\r\n\r\n9\r\n"]
)
def test_a_request_that_does_not_become_whole_is_closed_when_its_time_is_over(
    site: Served, begun: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_server, "HEAD_S", 0.3)
    monkeypatch.setattr(web_server, "RECEIVE_S", 0.3)
    with site.connect() as client:
        client.sendall(begun)
        assert rest(client) == b""
    assert site.house.asked == []


def test_an_answer_that_nobody_takes_is_dropped_and_one_that_is_taken_arrives(
    site: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    with site.connect() as client:
        client.sendall(GET % b"/large")
        site.until(lambda: site.server.kept_bytes > 0)
        monkeypatch.setattr(web_server, "SEND_S", 0.1)
        assert rest_of_chunks(client) == LARGE
    with site.connect() as client:
        client.sendall(GET % b"/large")
        site.until(lambda: bool(site.server.kept_bytes))
        site.until(lambda: not site.server.kept_bytes)
    assert site.get("/file").endswith(b"y" * LARGE)


def rest_of_chunks(client: socket.socket) -> int:
    """Read a chunked answer to its end; return how much it holds."""
    file = client.makefile("rb")
    while file.readline().strip():
        pass
    size = 0
    while length := int(file.readline(), 16):
        size += len(file.read(length))
        file.readline()
    return size


def test_what_is_kept_for_slow_readers_has_a_bound_and_others_are_answered() -> None:
    with serving(kept_bytes=10 * LARGE) as site, ExitStack() as held:
        for number in range(30):
            held.enter_context(site.connect()).sendall(GET % b"/large")
            site.until(lambda number=number: len(site.house.asked) > number)  # type: ignore[misc]
        site.until(lambda: site.server.threads.active_count == 0 and site.server.kept_bytes <= 10 * LARGE)
        assert site.get("/large").count(b"z") == LARGE


def test_whoever_takes_all_connections_shuts_nobody_out() -> None:
    with serving(connections=64) as site, ExitStack() as held:
        honest = held.enter_context(site.connect("127.0.0.2"))
        honest.sendall(GET % b"/")
        assert honest.recv(1000).startswith(b"HTTP/1.1 200")
        for _ in range(200):
            held.enter_context(site.connect()).sendall(b"GET / HT")
        assert site.get("/").startswith(b"HTTP/1.1 200")
        assert site.get("/", "127.0.0.3").startswith(b"HTTP/1.1 200")
        honest.sendall(GET % b"/")
        assert honest.recv(1000).startswith(b"HTTP/1.1 200")


def test_a_page_requested_over_many_connections_leaves_a_thread_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gangland_web.ops.fair_threads.SLOW_S", PATIENCE_S)
    with serving() as site, ExitStack() as held:
        readers = [held.enter_context(site.connect()) for _ in range(32)]
        for reader in readers:
            reader.sendall(GET % b"/wait?more")
        site.until(lambda: len(site.server.active_channels) == 32 and len(site.house.asked) == 1)
        assert site.get("/").startswith(b"HTTP/1.1 200")
        assert site.get("/", "127.0.0.2").startswith(b"HTTP/1.1 200")
        assert site.house.asked == ["GET /wait", "GET /", "GET /"]
        site.house.may_end.set()
        assert all(reader.recv(100).startswith(b"HTTP/1.1 200") for reader in readers)


def test_nothing_is_kept_of_requests_whose_senders_have_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gangland_web.ops.fair_threads.SLOW_S", PATIENCE_S)
    with serving() as site:
        with ExitStack() as held:
            for _ in range(20):
                client = held.enter_context(site.connect())
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # close with a reset
                client.sendall(GET % b"/wait")
            site.until(lambda: len(site.server.active_channels) == 20 and len(site.house.asked) == 1)
        site.until(lambda: not site.server.active_channels)
        site.house.may_end.set()
        site.until(lambda: site.server.threads.is_idle)
        assert site.house.asked == ["GET /wait"]


def test_processes_that_share_a_socket_take_as_many_connections_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gangland_web.ops.web_server._LEFT_S", PATIENCE_S)  # on a busy machine one is slow to come
    listening, shares = listen("127.0.0.1", 0), Shares(2)
    servers = [Server(House(), listening.dup(), body_bytes=BODY_BYTES, threads=1) for _ in range(2)]
    for place, server in enumerate(servers):
        server.fewest = partial(shares.fewest, place)
    threads = [Thread(target=server.run) for server in servers]
    with ExitStack() as stack:
        stack.enter_context(listening)
        for server, thread in zip(servers, threads, strict=True):
            thread.start()
            stack.callback(thread.join)
            stack.callback(server.stop, 0)
        for _ in range(8):
            client = stack.enter_context(socket.create_connection(listening.getsockname(), PATIENCE_S))
            client.sendall(GET % b"/")
            assert client.recv(100)
        assert [len(server.active_channels) for server in servers] == [4, 4]


def test_a_process_that_takes_nothing_keeps_no_connection_from_the_others(site: Served) -> None:
    site.server.fewest = lambda _here: 0
    with site.connect() as kept:
        kept.sendall(GET % b"/")
        assert kept.recv(100)
        assert site.get().startswith(b"HTTP/1.1 200")


def test_a_refused_body_is_not_read_its_sender_learns_why_and_what_follows_is_not_carried_out(site: Served) -> None:
    for head in (b"Content-Length: 100001\r\n\r\n", b"Expect: 100-continue\r\nContent-Length: 100001\r\n\r\n"):
        with site.connect() as client:
            client.sendall(POST + head + b"x" * 50_000)
            assert rest(client).startswith(b"HTTP/1.1 413 ")
    for length in (b"Content-Length: 999999\r\n\r\n", b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n"):
        with site.connect() as client:
            client.sendall(POST + length + GET % b"/smuggled")
            assert rest(client).count(b"HTTP/1.1") == 1
    with site.connect() as client:
        client.sendall(POST.replace(b"/echo", b"/api/v1/bots") + b"Content-Length: 100001\r\n\r\n")
        assert b"application/problem+json" in rest(client)
    with site.connect() as client:
        client.sendall(POST + b"Transfer-Encoding: chunked\r\n\r\nfffff\r\n" + b"x" * 101_000)
        assert rest(client).startswith(b"HTTP/1.1 413 ")
    with site.connect() as client:
        client.sendall(POST + b"Content-Length: 100000\r\nConnection: close\r\n\r\n" + b"x" * 100_000)
        assert rest(client).endswith(b"\r\n\r\n" + b"x" * 100_000)
    assert site.house.asked == ["POST /echo"]


def test_a_body_is_asked_for_once_and_read_whole(site: Served) -> None:
    with site.connect() as client:
        client.sendall(POST + b"Expect: 100-continue\r\nContent-Length: 3\r\nConnection: close\r\n\r\n")
        assert client.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        client.sendall(b"abc")
        assert rest(client).endswith(b"\r\n\r\nabc")
    with site.connect() as client:
        client.sendall(POST + b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n")
        client.sendall(b"1\r\na\r\n2;x=y\r\nbc\r\n0\r\n\r\n")
        assert rest(client).endswith(b"\r\n\r\nabc")


def test_requests_sent_at_once_are_answered_in_their_order_and_the_connection_stays(site: Served) -> None:
    with site.connect() as client:
        client.sendall(GET % b"/large" + GET % b"/a" + POST + b"Content-Length: 3\r\n\r\nabc" + GET % b"/b")
        client.sendall(GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n") % b"/c")
        answers = rest(client)
        assert (answers.count(b"HTTP/1.1 200 OK"), answers.count(b"z")) == (5, LARGE)
    assert site.house.asked == ["GET /large", "GET /a", "POST /echo", "GET /b", "GET /c"]


def test_no_header_becomes_anything_but_a_header(site: Served) -> None:
    with site.connect() as client:
        client.sendall(
            b"GET / HTTP/1.1\r\nHost: x\r\nSCRIPT_NAME: /evil\r\nSCRIPT-NAME: /evil\r\nX_Forwarded_Host: evil\r\n"
            b"PATH_INFO: /evil\r\nREMOTE_ADDR: 192.0.2.1\r\nHTTP_HOST: evil\r\nConnection: close\r\n\r\n"
        )
        assert rest(client).endswith(b"\r\n\r\nHTTP_CONNECTION=close;HTTP_HOST=x;HTTP_SCRIPT_NAME=/evil;SCRIPT_NAME=")


def test_stopped_it_answers_what_it_has_begun() -> None:
    with serving() as site, site.connect() as client, site.connect() as idle:
        client.sendall(GET % b"/wait")
        site.until(lambda: site.house.asked == ["GET /wait"])
        site.server.stop(PATIENCE_S)
        assert rest(idle) == b""
        site.house.may_end.set()
        assert rest(client).startswith(b"HTTP/1.1 200")


def test_few_descriptors_make_few_connections_and_a_warning(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1024, 1024))
    assert most_connections() == 256
    assert "raise it to" in caplog.text
    monkeypatch.setattr(resource, "getrlimit", lambda _: (16384, 16384))
    assert most_connections() == 4096
