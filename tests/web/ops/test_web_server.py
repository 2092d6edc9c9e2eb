"""The site as granian calls it, with a small application: who waits for whom, and what happens at the limits."""

import asyncio
import resource
import selectors
import socket
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Event
from typing import Any, TypeVar, cast

import pytest

from gangland_web.ops import serving, web_server

PATIENCE_S = 60.0
LARGE = 20 * web_server.MEMORY_BYTES
T = TypeVar("T")


class Application:
    def __init__(self) -> None:
        self.asked: list[str] = []
        self.may_end = Event()

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        self.asked.append(f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']}")
        if environ["PATH_INFO"] == "/fail":
            raise LookupError("a secret")
        start("200 OK", [("Content-Type", "text/plain")])
        if environ["PATH_INFO"] == "/wait":
            assert self.may_end.wait(PATIENCE_S)
        if environ["PATH_INFO"] == "/large":
            return (b"z" * web_server.MEMORY_BYTES for _ in range(LARGE // web_server.MEMORY_BYTES))
        if environ["PATH_INFO"] == "/echo":
            return [environ["wsgi.input"].read()]
        return [repr(sorted((k, v) for k, v in environ.items() if k.startswith(("HTTP", "SCRIPT")))).encode()]


@dataclass
class Scope:
    path: str = "/"
    method: str = "GET"
    headers: Any = field(default_factory=lambda: Headers([("host", "x")]))
    client: str = "192.0.2.1:1"
    authority: str | None = None
    http_version: str = "1.1"
    query_string: str = ""
    server: str = "127.0.0.1:8000"
    scheme: str = "http"


class Headers:
    def __init__(self, pairs: list[tuple[str, str]]) -> None:
        self._pairs = pairs

    def items(self) -> list[tuple[str, str]]:
        return self._pairs

    def get(self, name: str, default: str = "") -> str:
        return dict(self._pairs).get(name, default)


class Protocol:
    """A client: sends pieces of a body, and reads an answer as long as it `reads`."""

    def __init__(self, *pieces: bytes, ends: bool = True, reads: bool = True) -> None:
        self._pieces, self._ends, self._reads = pieces, ends, reads
        self.status, self.body = 0, b""
        self.taken = 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self._pieces:
            self.taken += 1
            yield piece
        if not self._ends:
            await asyncio.Event().wait()

    def response_bytes(self, status: int, _headers: object, body: bytes) -> None:
        self.status, self.body = status, body

    def response_stream(self, status: int, _headers: object) -> "Protocol":
        self.status = status
        return self

    async def send_bytes(self, piece: bytes) -> None:
        if not self._reads:
            await asyncio.Event().wait()
        self.body += piece


def post(path: str = "/echo", *more: tuple[str, str]) -> Scope:
    return Scope(path, "POST", Headers([("host", "x"), *(more or (("transfer-encoding", "chunked"),))]))


def asking(site: web_server.Site, scope: Scope, protocol: Protocol) -> Coroutine[Any, Any, None]:
    return site.__rsgi__(cast("Any", scope), cast("Any", protocol))


def run(coroutine: Coroutine[Any, Any, T], loop: asyncio.AbstractEventLoop | None = None) -> T:
    """Run a coroutine in a new thread: an open browser keeps a loop running in the main one."""

    def start() -> T:
        with asyncio.Runner(loop_factory=None if loop is None else lambda: loop) as runner:
            return runner.run(coroutine)

    with ThreadPoolExecutor(1) as threads:
        return threads.submit(start).result()


def ask(scope: Scope, *pieces: bytes, ends: bool = True, site: web_server.Site | None = None) -> Protocol:
    protocol = Protocol(*pieces, ends=ends)
    run(asking(site or web_server.Site(Application(), 1 << 30), scope, protocol))
    return protocol


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not holds():
            await asyncio.sleep(0.01)


def test_a_body_reaches_the_application_whole() -> None:
    assert ask(post(), b"ab", b"c").body == b"abc"
    whole = ask(post(), *[b"x" * 1024] * 1040)
    assert (whole.status, len(whole.body)) == (200, web_server.BODY_BYTES)


def test_a_body_that_is_too_large_is_not_read_on_and_its_sender_learns_why() -> None:
    application = Application()
    site = web_server.Site(application, 1 << 30)
    announced = ask(post("/echo", ("content-length", str(web_server.BODY_BYTES + 1))), b"x", site=site)
    assert (announced.status, announced.taken) == (413, 0)
    chunked = ask(post("/api/v1/bots"), *[b"x" * 1024] * 2000, site=site)
    assert (chunked.status, chunked.taken) == (413, 1041)
    assert b"E308" in chunked.body
    assert application.asked == []


def test_a_body_that_does_not_arrive_in_time_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_server, "RECEIVE_S", 0.05)
    assert ask(post(), b"ab", ends=False).status == 408


@pytest.mark.parametrize(
    "scope",
    [
        Scope(headers=Headers([])),
        Scope(headers=Headers([("host", "x"), ("host", "y")])),
        Scope(headers=Headers([("host", "x"), ("authorization", "a"), ("authorization", "b")])),
        Scope(authority="evil.test"),
        Scope(method="CONNECT", path=""),
        Scope(method="OPTIONS", path="*"),
        post("/echo", ("transfer-encoding", "gzip, chunked")),
    ],
)
def test_a_request_that_could_be_read_in_two_ways_is_refused(scope: Scope) -> None:
    assert ask(scope).status == 400


def test_no_header_becomes_anything_but_a_header() -> None:
    headers = [("host", "x"), ("script_name", "/evil"), ("script-name", "/evil"), ("x_forwarded_host", "evil")]
    seen = ask(Scope(headers=Headers(headers))).body.decode()
    assert seen == "[('HTTP_HOST', 'x'), ('HTTP_SCRIPT_NAME', '/evil'), ('SCRIPT_NAME', '')]"


def test_an_application_that_fails_is_answered_for_without_its_words() -> None:
    answer = ask(Scope("/fail"))
    assert (answer.status, answer.body) == (500, b"500 Internal Server Error. \n")


def test_a_long_answer_is_sent_whole_or_dropped_when_nobody_reads_it(monkeypatch: pytest.MonkeyPatch) -> None:
    site = web_server.Site(Application(), 1 << 30)
    assert ask(Scope("/large"), site=site).body == b"z" * LARGE
    monkeypatch.setattr(web_server, "SEND_S", 0.05)
    unread = Protocol(reads=False)
    run(asking(site, Scope("/large"), unread))
    assert (unread.body, site.stored_bytes) == (b"", 0)


def test_what_is_kept_has_a_bound_and_the_oldest_is_dropped() -> None:
    async def running() -> None:
        site = web_server.Site(Application(), 3 * LARGE)
        slow = [asyncio.create_task(asking(site, Scope("/large"), Protocol(reads=False))) for _ in range(3)]
        await until(lambda: site.stored_bytes == 3 * LARGE)
        later = Protocol()
        await asking(site, Scope("/large"), later)
        assert later.body == b"z" * LARGE
        await until(lambda: sum(task.done() for task in slow) == 1)
        for task in slow:
            task.cancel()
        await asyncio.gather(*slow)
        assert site.stored_bytes == 0

    run(running())


def test_clients_take_turns() -> None:
    async def running() -> list[str]:
        turns, order = web_server.FairQueue(at_once=1), list[str]()

        async def request(client: str) -> None:
            async with turns.turn(client):
                order.append(client)
                await asyncio.sleep(0)

        await asyncio.gather(*(request(client) for client in "aaaabbc"))
        return order

    assert run(running()) == [*"aabcaba"]


def test_each_request_is_charged_to_the_client_that_sent_it(monkeypatch: pytest.MonkeyPatch) -> None:
    charged: list[str] = []
    monkeypatch.setattr(web_server.FairQueue, "charge", lambda *given: charged.append(given[1]))

    def application(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        environ["REMOTE_ADDR"] = "changed"
        return Application()(environ, start)

    site = web_server.Site(cast("Any", application), 1 << 30)
    for path in ("/", "/healthz", "/status.json", "/fail"):
        ask(Scope(path), site=site)
    assert charged == ["192.0.2.1"] * 4


class VirtualClock(selectors.DefaultSelector):
    """A selector for an event loop whose time passes at once, as soon as all tasks sleep."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self.now += timeout or 0.0
        return super().select(0)


def test_a_client_with_many_requests_leaves_most_of_the_time_to_others_but_has_all_of_it_alone() -> None:
    clock, page_s, pages = VirtualClock(), 0.01, Counter[str]()

    async def running() -> None:
        turns = web_server.FairQueue()

        async def attack() -> None:
            while True:
                async with turns.turn("many"):
                    await asyncio.sleep(page_s)
                    pages["many"] += 1
                    turns.charge("many", page_s)

        async def share_within(seconds: float) -> float:
            before = pages["many"]
            await asyncio.sleep(seconds)
            return (pages["many"] - before) * page_s / seconds

        _attackers = [asyncio.create_task(attack()) for _ in range(32)]  # until the loop ends
        share = await share_within(10)
        assert share > 0.99
        for _ in range(20):
            began = clock.now
            async with turns.turn("visitor"):
                assert clock.now - began < 2.5 * page_s
                turns.charge("visitor", page_s)
            share = await share_within(web_server.RECENT_S - 0.5)
        assert share < web_server.SHARE + 0.01
        await asyncio.sleep(web_server.RECENT_S)
        assert await share_within(10) > 0.99

    loop = asyncio.SelectorEventLoop(clock)
    loop.time = lambda: clock.now  # type: ignore[method-assign]
    run(running(), loop)


def test_slow_requests_leave_their_place_until_a_client_or_all_have_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_server, "SLOW_S", 0.01)

    async def running() -> None:
        turns, may_end = web_server.FairQueue(at_once=1, slow_at_once=2, threads=4), asyncio.Event()
        began: list[str] = []

        async def request(client: str) -> None:
            async with turns.turn(client):
                began.append(client)
                await may_end.wait()

        waiting = [asyncio.create_task(request("a")) for _ in range(5)]
        await until(lambda: len(began) == 2)
        await asyncio.sleep(0.05)
        assert began == ["a"] * 2
        waiting += [asyncio.create_task(request(client)) for client in "bbc"]
        await until(lambda: began[2:] == [*"bb"])
        await asyncio.sleep(0.05)
        assert began[4:] == []  # no thread is free
        may_end.set()
        await asyncio.gather(*waiting)
        assert sorted(began[4:]) == [*"aaac"]

    run(running())


def test_a_request_that_is_canceled_when_its_turn_comes_gives_it_to_the_next() -> None:
    async def running() -> None:
        turns = web_server.FairQueue(at_once=1)

        async def request() -> None:
            async with turns.turn("a"):
                pass

        async with turns.turn("a"):
            second, third = asyncio.create_task(request()), asyncio.create_task(request())
            await asyncio.sleep(0)
        second.cancel()
        async with asyncio.timeout(10):
            await third
        assert second.cancelled()

    run(running())


def test_more_waiting_requests_of_a_client_than_allowed_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_server, "MAX_QUEUED", 2)

    async def running() -> None:
        turns, may_end = web_server.FairQueue(at_once=1), asyncio.Event()

        async def request(client: str) -> None:
            async with turns.turn(client):
                await may_end.wait()

        tasks = [asyncio.create_task(request("a")) for _ in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(web_server.Busy):
            await request("a")
        tasks.append(asyncio.create_task(request("b")))
        may_end.set()
        await asyncio.gather(*tasks)

    run(running())


def test_a_request_that_waits_leaves_threads_for_other_clients() -> None:
    async def running() -> None:
        application = Application()
        site = web_server.Site(application, 1 << 30)
        waiting = [asyncio.create_task(asking(site, Scope("/wait"), Protocol())) for _ in range(30)]
        await until(lambda: len(application.asked) >= web_server.MAX_SLOW_PER_CLIENT)
        other = Protocol()
        await asking(site, Scope(client="192.0.2.2:1"), other)
        assert other.status == 200
        application.may_end.set()
        await asyncio.gather(*waiting)

    run(running())


def test_the_kernel_is_told_to_drop_whoever_reads_nothing() -> None:
    async def running() -> list[int]:
        timeout = (socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
        with socket.create_server(("127.0.0.1", 0)) as listening:
            web_server.limit_send_time(asyncio.get_running_loop())
            with socket.create_connection(listening.getsockname()), listening.accept()[0] as accepted:
                return [each.getsockopt(*timeout) for each in (listening, accepted)]

    assert run(running()) == [1000 * web_server.SEND_S] * 2


def test_few_descriptors_make_few_connections_and_a_warning(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1024, 1024))
    assert serving.connection_limit() == 256
    assert "raise it to" in caplog.text
    monkeypatch.setattr(resource, "getrlimit", lambda _: (16384, 16384))
    assert serving.connection_limit() == 4096
