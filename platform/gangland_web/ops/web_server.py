"""Serve the WSGI application with granian.

Each request gets a thread once it has arrived completely, and slots are shared fairly among clients.
"""

from __future__ import annotations

import asyncio
import faulthandler
import json
import logging
import math
import os
import re
import socket
import stat
import sys
import time
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Final, cast
from wsgiref.types import WSGIApplication

from granian.rsgi import HTTPProtocol, ProtocolClosed, ProtocolError, Scope  # type: ignore[attr-defined]  # it does export them

# The number of requests that run at once is limited.  They share one interpreter: pages that are rendered at the same
# time all finish later, and need more CPU time than if they are rendered one after the other.

MAX_RUNNING: Final = 1
THREADS: Final = 12
# A slower request no longer counts toward MAX_RUNNING: it is probably waiting for a password hash, a lock or a disk.
SLOW_S: Final = 0.05
MAX_SLOW_PER_CLIENT: Final = 6  # A client with this many slow requests waits until one of them ends.
MAX_QUEUED: Final = 1000  # maximum number of queued requests per client; more get a 503

# While another client visits, a client gets only a share of a process's time, so that the others seldom wait for its
# requests or for the processor.  Only clients that have used up a burst are delayed, not ordinary visitors.

SHARE: Final = 0.25
BURST_S: Final = 0.25  # CPU seconds that a client may use at once, beyond its share
RECENT_S: Final = 3.0  # how long after its last request a client still counts as visiting


class Busy(Exception):
    """This client has too many requests waiting."""


class FairQueue:
    """Slots for requests, granted to clients in turn; while others visit, a client gets only a share of the time."""

    def __init__(
        self, at_once: int = MAX_RUNNING, slow_at_once: int = MAX_SLOW_PER_CLIENT, threads: int = THREADS
    ) -> None:
        self._at_once, self._slow_at_once, self._threads = at_once, slow_at_once, threads
        self._running = 0  # without the slow requests
        self._queues: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self._slow: Counter[str] = Counter()
        # When each visiting client's share will have paid for its requests, and its last request; the latest is last.
        self._paid_at: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._timer: asyncio.TimerHandle | None = None

    @asynccontextmanager
    async def turn(self, client: str) -> AsyncIterator[None]:
        """Wait for a slot, and hold it until the request ends or becomes slow.  Raises Busy."""
        loop, is_slow = asyncio.get_running_loop(), asyncio.Event()
        queue = self._queues.setdefault(client, deque())
        if len(queue) >= MAX_QUEUED:
            raise Busy
        queue.append(slot_granted := loop.create_future())
        self._begin_next()
        try:
            await slot_granted
        except asyncio.CancelledError:  # possibly after the slot was granted
            if not slot_granted.cancelled():
                self._running -= 1
                self._begin_next()
            raise
        timer = loop.call_later(SLOW_S, self._mark_slow, client, is_slow)
        try:
            yield
        finally:
            timer.cancel()
            if is_slow.is_set():
                self._slow -= Counter((client,))
            else:
                self._running -= 1
            self._begin_next()

    def _begin_next(self) -> None:
        while self._running < self._at_once and self._running + self._slow.total() < self._threads:
            client, wait_s = self._next_client()
            if client is None:
                return
            if wait_s:
                if self._timer is not None:
                    self._timer.cancel()
                self._timer = asyncio.get_running_loop().call_later(wait_s, self._begin_next)
                return
            queue = self._queues.pop(client)
            slot_granted = queue.popleft()
            if queue:
                self._queues[client] = queue
            if not slot_granted.done():
                self._running += 1
                slot_granted.set_result(None)

    def charge(self, client: str, cpu_s: float) -> None:
        """Charge a client for a request that it makes now, and forget clients that have not visited recently."""
        now = asyncio.get_running_loop().time()
        paid_at, _ = self._paid_at.pop(client, (now, now))
        while self._paid_at and next(iter(self._paid_at.values()))[1] < now - RECENT_S:
            self._paid_at.popitem(last=False)
        if not self._paid_at:  # a client that was alone must not pay for that when others come
            paid_at = min(paid_at, now + BURST_S / SHARE)
        self._paid_at[client] = max(paid_at, now) + cpu_s / SHARE, now

    def _next_client(self) -> tuple[str | None, float]:
        """Return the next client, and how long it still has to wait for its share of the time."""
        client, shortest_s, now = None, math.inf, asyncio.get_running_loop().time()
        for name in self._queues:
            if self._slow[name] < self._slow_at_once:
                paid_at, _ = self._paid_at.get(name, (now, now))
                wait_s = max(0.0, paid_at - BURST_S / SHARE - now) if len(self._paid_at) > 1 else 0.0
                if wait_s < shortest_s:
                    client, shortest_s = name, wait_s
                if not wait_s:
                    break
        return client, shortest_s

    def _mark_slow(self, client: str, is_slow: asyncio.Event) -> None:
        is_slow.set()
        self._slow[client] += 1
        self._running -= 1
        self._begin_next()


# Requests and responses: both are stored completely, in memory or a file, so that no thread waits for a client.

BODY_BYTES: Final = 1040 * 1024  # maximum length of a request body: an upload with its form fields
MEMORY_BYTES: Final = 64 * 1024  # A longer body or response is stored in an unnamed file in TMPDIR.
RECEIVE_S: Final = 60.0  # time limit for receiving the whole body
LOOP_TIMEOUT_S: Final = 30.0  # a process is killed if its event loop is blocked this long; blocked threads do not count
SEND_S: Final = 30.0  # time limit for a client to receive PIECE_BYTES of a long response, or any bytes at all
LISTEN_POLL_S: Final = 0.05  # interval between checks for the listening socket
PIECE_BYTES: Final = 64 * 1024
TOO_LARGE: Final = "This upload is too large. The limit is 256 KiB for a bot file and 1 MiB for a zip."
_UNIQUE_HEADERS: Final = ("host", "content-type", "authorization", "transfer-encoding")
_METHOD: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Z-]{1,32}")
_LOG: Final = logging.getLogger("gangland_web.ops.serving")
Answer = tuple[int, list[tuple[str, str]], IO[bytes]]


class Refused(Exception):
    """Raised when the server itself answers a request, with the status and text of the response."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status, self.reason = status, reason


class Site:
    """A WSGI application with the interface of granian (RSGI)."""

    def __init__(self, application: WSGIApplication, max_stored_bytes: int) -> None:
        """Wrap an application; `max_stored_bytes` limits the stored requests and responses of all clients."""
        self._application, self._max_stored_bytes = application, max_stored_bytes
        self._client_of: Callable[[Mapping[str, Any]], str] = getattr(application, "client_of", _peer_of)
        self._threads = ThreadPoolExecutor(THREADS, "request")
        self._turns = FairQueue()
        self._stored: dict[asyncio.Task[Any] | None, int] = {}
        self.stored_bytes = 0

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Watch the event loop, and limit how long a client may stall while receiving.  Runs before granian listens."""
        self._watch(loop)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux
            limit_send_time(loop)

    def _watch(self, loop: asyncio.AbstractEventLoop) -> None:
        """End this process with tracebacks of all threads if the event loop is blocked; granian starts a new one."""
        faulthandler.dump_traceback_later(LOOP_TIMEOUT_S, exit=True)
        loop.call_later(LOOP_TIMEOUT_S / 6, self._watch, loop)

    def __rsgi_del__(self, _loop: asyncio.AbstractEventLoop) -> None:
        """Stop watching the event loop, because the process is shutting down."""
        faulthandler.cancel_dump_traceback_later()

    async def __rsgi__(self, scope: Scope, protocol: HTTPProtocol) -> None:
        with self._tracked_storage(), SpooledTemporaryFile(MEMORY_BYTES) as body:
            try:
                status, headers, answer = await self._answer(scope, protocol, body)
            except Refused as refused:
                status, kind, text = _refusal(refused, api=scope.path.startswith("/api/"))
                protocol.response_bytes(status, [("Content-Type", kind), ("Cache-Control", "no-store")], text)
                return
            with answer:
                await self._send(protocol, status, headers, answer)

    async def _answer(self, scope: Scope, protocol: HTTPProtocol, body: IO[bytes]) -> Answer:
        environ = _environ(scope, body)
        if "CONTENT_LENGTH" in environ or "HTTP_TRANSFER_ENCODING" in environ:
            await self._receive(environ, protocol, body)
        try:
            async with self._turns.turn(client := self._client_of(environ)):
                loop = asyncio.get_running_loop()
                return await loop.run_in_executor(self._threads, self._run_charged, environ, client, loop)
        except Busy:
            raise Refused(503, "Service Unavailable") from None

    async def _receive(self, environ: Mapping[str, Any], protocol: HTTPProtocol, body: IO[bytes]) -> None:
        """Receive a request's body into a file.  Raises Refused: the body is too long, or did not arrive in time."""
        if int(environ.get("CONTENT_LENGTH", 0)) > BODY_BYTES:
            raise Refused(413, "Request Entity Too Large")
        try:
            async with asyncio.timeout(RECEIVE_S):
                async for piece in protocol:
                    self._count_stored(len(piece))
                    body.write(piece)
                    if body.tell() > BODY_BYTES:
                        raise Refused(413, "Request Entity Too Large")
        except TimeoutError:
            raise Refused(408, "Request Timeout") from None
        body.seek(0)

    def _run_charged(self, environ: dict[str, Any], client: str, loop: asyncio.AbstractEventLoop) -> Answer:
        began = time.thread_time()
        try:
            return self._run(environ)
        finally:
            loop.call_soon_threadsafe(self._turns.charge, client, time.thread_time() - began)

    def _run(self, environ: dict[str, Any]) -> Answer:
        heads: list[tuple[str, list[tuple[str, str]]]] = []

        def start(status: str, headers: list[tuple[str, str]], _failure: Any = None, /) -> Callable[[bytes], object]:
            heads[:] = [(status, headers)]
            return answer.write

        answer = SpooledTemporaryFile(MEMORY_BYTES)  # noqa: SIM115  # closed after sending
        try:
            pieces = self._application(environ, start)
            try:
                for piece in pieces:
                    answer.write(piece)
            finally:
                getattr(pieces, "close", int)()
            (status, headers), *_ = heads
        except Exception:  # noqa: BLE001  # the application handles its own errors
            answer.close()
            _LOG.exception("unhandled exception while answering a request")
            raise Refused(500, "Internal Server Error") from None
        return int(status[:3]), headers, cast("IO[bytes]", answer)

    async def _send(
        self, protocol: HTTPProtocol, status: int, headers: list[tuple[str, str]], answer: IO[bytes]
    ) -> None:
        size = answer.tell()
        answer.seek(0)
        if size <= MEMORY_BYTES:
            protocol.response_bytes(status, headers, answer.read())
            return
        self._count_stored(size)
        stream = protocol.response_stream(status, headers)
        while piece := answer.read(PIECE_BYTES):
            async with asyncio.timeout(SEND_S):
                await stream.send_bytes(piece)

    @contextmanager
    def _tracked_storage(self) -> Iterator[None]:
        """Release the request's stored bytes when it ends or is dropped, and log why it was dropped."""
        try:
            yield
        except (TimeoutError, asyncio.CancelledError, ProtocolClosed, ProtocolError) as error:
            _LOG.debug("a request was dropped: %r", error)
        finally:
            self.stored_bytes -= self._stored.pop(asyncio.current_task(), 0)

    def _count_stored(self, more_bytes: int) -> None:
        """Count the stored bytes of this request; above the limit, the oldest requests are dropped."""
        task = asyncio.current_task()
        self._stored[task] = self._stored.get(task, 0) + more_bytes
        self.stored_bytes += more_bytes
        while self.stored_bytes > self._max_stored_bytes:
            oldest = next(iter(self._stored))
            self.stored_bytes -= self._stored.pop(oldest)
            if oldest is not None:
                oldest.cancel()


def limit_send_time(loop: asyncio.AbstractEventLoop) -> None:
    """Make the kernel close connections whose client receives no data for SEND_S; granian would wait forever.

    A connection inherits this setting from the listening socket, which granian opens and does not expose.
    """
    listening = [fd for fd in map(int, os.listdir("/dev/fd")) if _is_listening(fd)]
    for fd in listening:
        with socket.socket(fileno=os.dup(fd)) as listener:
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(1000 * SEND_S))
    if not listening:
        loop.call_later(LISTEN_POLL_S, limit_send_time, loop)


def _is_listening(fd: int) -> bool:
    try:
        if not stat.S_ISSOCK(os.fstat(fd).st_mode):
            return False
        with socket.socket(fileno=os.dup(fd)) as copy:
            return copy.family != socket.AF_UNIX and copy.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN) == 1
    except OSError:  # not a socket, or closed in the meantime
        return False


def _peer_of(environ: Mapping[str, Any]) -> str:
    return str(environ["REMOTE_ADDR"])


def _environ(scope: Scope, body: IO[bytes]) -> dict[str, Any]:
    """Return the WSGI environment of a request.  Raises Refused: the request is ambiguous."""
    headers = scope.headers.items()
    names = Counter(name for name, _ in headers)
    host = scope.headers.get("host", "")
    is_clear = (
        _METHOD.fullmatch(scope.method)
        and scope.path.startswith("/")
        and all(names[name] <= 1 for name in _UNIQUE_HEADERS)
        and (host or scope.http_version == "1")
        and (scope.authority or host).lower() == host.lower()
        and scope.headers.get("transfer-encoding", "chunked").lower() == "chunked"
    )
    if not is_clear:
        raise Refused(400, "Bad Request")
    environ = {
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": scope.path.encode().decode("latin-1"),
        "QUERY_STRING": scope.query_string,
        "SERVER_NAME": "localhost",
        "SERVER_PORT": scope.server.rpartition(":")[2],
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "REMOTE_ADDR": scope.client.rpartition(":")[0].strip("[]"),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.input": body,
        "wsgi.input_terminated": True,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in headers:
        if "_" not in name:  # otherwise `x_y` could be mistaken for `x-y`
            key = name.upper().replace("-", "_")
            key = key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"
            environ[key] = f"{environ[key]},{value}" if key in environ else value
    return environ


def _refusal(refused: Refused, *, api: bool) -> tuple[int, str, bytes]:
    text = TOO_LARGE if refused.status == 413 else ""
    if not api:
        return refused.status, "text/plain; charset=utf-8", f"{refused.status} {refused.reason}. {text}\n".encode()
    problem = {"type": "about:blank", "title": refused.reason, "status": refused.status}
    if text:
        problem |= {"detail": text, "code": "E308"}
    return refused.status, "application/problem+json", json.dumps(problem).encode() + b"\n"
