"""The HTTP server of the site: requests and answers are buffered, and only whole requests get a thread."""

from __future__ import annotations

import errno
import json
import logging
import os
import re
import select
import socket
import tempfile
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from threading import Lock, RLock
from typing import Any, Final, Protocol
from urllib.parse import urlsplit

from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.buffers import OverflowableBuffer, ReadOnlyFileBasedBuffer
from waitress.channel import ClientDisconnected, HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.receiver import ChunkedReceiver
from waitress.server import TcpWSGIServer
from waitress.task import ErrorTask, WSGITask
from waitress.utilities import BadRequest, Error, RequestEntityTooLarge, build_http_date

from gangland_web.ops.fair_threads import FairThreads, Name

# Requests: waitress' parser, which also refuses what can be read in two ways.


LINE_BYTES: Final = 4094
"""The longest request line; a longer one is answered with 414."""
HEAD_BYTES: Final = 16 * 1024
"""The longest head; a longer one is answered with 431."""
HEADERS: Final = 100
"""More headers are answered with 431."""
CHUNK_LINE_BYTES: Final = 256
TRAILER_BYTES: Final = 4096
OVERHEAD_BYTES: Final = 32 * 1024
"""How many bytes of a chunked body may be lengths and not content: each tiny chunk costs time."""

_LINE: Final = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Z-]{1,32} [\x21-\x7e\x80-\xff]+ HTTP/1\.[01]")
_FORBIDDEN: Final = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")
_LENGTH: Final = re.compile(rb"[0-9]{1,15}")
_ONCE: Final = frozenset({b"HOST", b"CONTENT-LENGTH", b"TRANSFER-ENCODING", b"CONTENT-TYPE", b"AUTHORIZATION"})


class LineTooLong(Error):
    """The request line is longer than LINE_BYTES."""

    code = 414
    reason = "URI Too Long"


class HeadTooLong(Error):
    """The head is longer than HEAD_BYTES, or has more than HEADERS headers."""

    code = 431
    reason = "Request Header Fields Too Large"


class Chunks(ChunkedReceiver):
    """A chunked body whose lines, trailer and lengths have a bound: waitress reads them again with all that comes."""

    def __init__(self, buf: Any) -> None:
        """Begin with no chunk."""
        super().__init__(buf)
        self._taken = 0

    def received(self, s: bytes) -> int:
        """Take in bytes; return how many of them belong to the body."""
        taken: int = super().received(s)
        self._taken += taken
        long = len(self.control_line) > CHUNK_LINE_BYTES or len(self.trailer) > TRAILER_BYTES
        if long or self._taken - len(self) > OVERHEAD_BYTES:
            self.error = BadRequest("more lengths than content")
        return taken


class RequestParser(HTTPRequestParser):
    """One request; what two readers could read in two ways is refused.

    `error` is set on a request that is refused, and its answer is the last on its connection.
    """

    path = ""
    command = ""
    body_rcv: Any

    def __init__(self, adj: Any) -> None:
        """Begin with nothing."""
        super().__init__(adj)
        self._refusal: Error | None = None

    def received(self, data: bytes) -> int:
        """Take in bytes; return how many of them belong to this request."""
        in_head = not self.headers_finished
        line = (self.header_plus[: LINE_BYTES + 2] + data[: LINE_BYTES + 2]) if in_head else b"\n"
        taken: int = super().received(data)
        if in_head and len(line) > LINE_BYTES and b"\n" not in line[:LINE_BYTES].lstrip():
            self._refusal = LineTooLong("")
        if self._refusal is not None:
            self.error, self.completed = self._refusal, True
        if self.error is not None or self.body_rcv is None:
            self.expect_continue = False  # waitress would ask for the body all the same
        return taken

    def parse_header(self, header_plus: bytes) -> None:
        """Read a head.  Raises ParsingError: it is none, or could be read in two ways."""
        first, *lines = header_plus.split(b"\r\n")
        if len(first) > LINE_BYTES or len(lines) > HEADERS + 2:
            self._refusal = LineTooLong("") if len(first) > LINE_BYTES else HeadTooLong("")
            raise ParsingError("a head that is too long")
        if not _LINE.fullmatch(first):
            raise ParsingError("expected a method, an address and HTTP/1.0 or HTTP/1.1")
        pairs = [_pair(line) for line in lines if line]
        names = [name for name, _ in pairs if name in _ONCE]
        if len(names) != len(set(names)):
            raise ParsingError("a header twice that there is once")
        try:
            super().parse_header(b"\r\n".join((first, *(name + b": " + value for name, value in pairs))) + b"\r\n")
        except ValueError as error:
            raise ParsingError("an address or a length that is none") from error
        self._check_framing(dict(pairs))
        self._check_target()
        if isinstance(self.body_rcv, ChunkedReceiver):
            self.body_rcv = Chunks(self.body_rcv.getbuf())

    def _check_framing(self, headers: dict[bytes, bytes]) -> None:
        """Check what says where the request ends, and where the next begins."""
        if self.version == "1.1" and b"HOST" not in headers:
            raise ParsingError("expected a host")
        length, coding = headers.get(b"CONTENT-LENGTH"), headers.get(b"TRANSFER-ENCODING")
        if length is not None and (coding is not None or not _LENGTH.fullmatch(length)):
            raise ParsingError("expected one length in digits")
        if coding is not None and (self.version == "1.0" or coding.lower() != b"chunked"):
            raise ParsingError("expected one transfer coding")

    def _check_target(self) -> None:
        """Take an address of this site: a path, or a whole address that names the host that the head names."""
        target = self.request_uri
        if target.startswith("/"):
            return
        try:
            named = urlsplit(target)
        except ValueError as error:
            raise ParsingError("expected a path") from error
        same = named.netloc.lower() == self.headers.get("HOST", "").lower()
        if named.scheme.lower() not in ("http", "https") or not named.netloc or not same:
            raise ParsingError("expected a path")


def _pair(line: bytes) -> tuple[bytes, bytes]:
    """Return a header's name in capitals and its value; waitress looks at the name."""
    name, colon, value = line.partition(b":")
    if not colon or not name.strip() or line[:1] in (b" ", b"\t") or _FORBIDDEN.search(line):
        raise ParsingError("a line that is no header")
    return name.upper(), value.strip(b" \t")


# Connections: no thread waits for a client, in either direction.


HEAD_S: Final = 10.0
"""How long a head may take to arrive, from its first byte or from the start of the connection."""
IDLE_S: Final = 15.0
"""How long a connection is kept between two requests: longer than pages wait between two polls."""
RECEIVE_S: Final = 60.0
"""How long a whole request may take to arrive."""
SEND_S: Final = 30.0
PIECE_BYTES: Final = 64 * 1024
"""The part of an answer, or all that is left of it, that must be taken within SEND_S."""
LINGER_S: Final = 2.0
"""How long the rest of a refused request is thrown away, so that its sender can read why."""
SOCKET_BYTES: Final = 128 * 1024
"""What the kernel may keep of a connection in each direction; it doubles that for its own use."""
TOO_LARGE: Final = "This upload is too large. A bot file may have 256 KiB at most, a zip 1 MiB."
_PASSED_ON: Final = frozenset({"connection", "content-length", "date", "server", "transfer-encoding"})


class Answer(WSGITask):
    """The application's answer to a request."""

    close_on_finish: bool
    wrote_header: bool

    def get_environment(self) -> dict[str, Any]:
        """Return the environment; `gangland.begin_wait` is called by a request that is about to wait."""
        environ: dict[str, Any] = super().get_environment()
        environ["gangland.begin_wait"] = self.channel.server.threads.begin_wait
        return environ

    def build_response_header(self) -> bytes:
        """Return the head; the connection is kept wherever the client can tell the answer's end."""
        length = self.content_length
        for name, value in self.response_headers:
            if name.lower() == "content-length":
                length = int(value)
        lines = [f"HTTP/{self.version} {self.status}"]
        lines += [f"{name}: {value}" for name, value in self.response_headers if name.lower() not in _PASSED_ON]
        lines.append(f"Date: {build_http_date(self.start_time)}")
        connection = self.request.headers.get("CONNECTION", "").lower()
        stays = connection == "keep-alive" if self.version == "1.0" else connection != "close"
        if self.has_body and length is not None:
            lines.append(f"Content-Length: {length}")
        elif self.has_body and self.version == "1.1":
            lines.append("Transfer-Encoding: chunked")
            self.chunked_response = self.request.command != "HEAD"
        elif self.has_body:
            stays = False
        if not stays or self.close_on_finish:
            self.close_on_finish = True
            lines.append("Connection: close")
        elif self.version == "1.0":
            lines.append("Connection: keep-alive")
        return "\r\n".join((*lines, "\r\n")).encode("latin-1")

    def write(self, data: bytes) -> None:
        """Send a piece of the answer, the first one together with the head."""
        if self.complete and not self.wrote_header and data and self.has_body:
            self.wrote_header = True
            self.channel.hold(self.build_response_header())
        super().write(data)

    def finish(self) -> None:
        """Send what is left: a head whose body is empty, or the last chunk."""
        super().finish()
        self.channel.write_soon(b"")


class Refusal(ErrorTask):
    """The answer to what is no request: what is wrong in general, and none of its words."""

    build_response_header = Answer.build_response_header

    def execute(self) -> None:
        """Answer, and close."""
        error = self.request.error
        kind, body = _refused(error, api=self.request.path.startswith("/api/"))
        self.version, self.status = "1.1", f"{error.code} {error.reason}"
        self.response_headers = [("Content-Type", kind), ("Cache-Control", "no-store")]
        self.content_length = len(body)
        self.close_on_finish = True
        self.write(body)


def _refused(error: Error, *, api: bool) -> tuple[str, bytes]:
    """Return what kind of words a refusal has, and the words: of a body that is too large those of the application."""
    if error.code != RequestEntityTooLarge.code:
        return "text/plain; charset=utf-8", f"{error.code} {error.reason}\n".encode()
    if api:
        problem = {"type": "about:blank", "title": error.reason, "status": error.code, "detail": TOO_LARGE}
        return "application/problem+json", json.dumps(problem | {"code": "E308"}).encode() + b"\n"
    return "text/plain; charset=utf-8", f"{error.code} {error.reason}. {TOO_LARGE}\n".encode()


class Loop(Protocol):
    """What a connection asks of its server's loop."""

    threads: FairThreads

    def count(self, more_bytes: int) -> None:
        """Take note that requests and answers hold so many bytes more in memory."""

    def wake(self, channel: Channel) -> None:
        """Look at a connection again."""

    def forget(self, channel: Channel) -> None:
        """Answer no request of a connection that is closed."""


class Channel(HTTPChannel):
    """A connection with what came of its next request and what is still to be sent of its last answer.

    The server's loop reads and sends; a thread has it from when a request is whole until its answer is written here.
    """

    outbufs: list[Any]
    request: RequestParser | None
    parser_class = RequestParser
    task_class = Answer
    error_task_class = Refusal
    server: Loop

    def __init__(self, server: Loop, sock: socket.socket, addr: Any, adj: Any, map: Any = None) -> None:
        """Take over a connection."""
        super().__init__(server, sock, addr, adj, map)
        self.sendbuf_len = SOCKET_BYTES
        self.interest = 0
        self.counted_bytes = 0
        self.waits = False
        self.line: Name | None = None
        self.lingers = False
        self._head = b""
        self.since = time.monotonic()
        self.deadline = self.since + HEAD_S
        self._sent_bytes = 0

    def wanted(self) -> int:
        """Return which events the loop is to look for."""
        if self.lingers:
            return select.EPOLLIN
        return (select.EPOLLIN if self.readable() else 0) | (select.EPOLLOUT if self.writable() else 0)

    def account(self) -> None:
        """Tell the server how much is kept for this connection, in memory and in files of its own."""
        kept = sum(len(buffer) for buffer in self.outbufs if not isinstance(buffer, ReadOnlyFileBasedBuffer))
        for request in (*self.requests, self.request):
            if request is not None and request.body_rcv is not None:
                kept += len(request.body_rcv.getbuf())
        if kept != self.counted_bytes:
            self.server.count(kept - self.counted_bytes)
            self.counted_bytes = kept

    def handle_read(self) -> None:
        """Take in what came; after a refusal it is thrown away."""
        if not self.lingers:
            super().handle_read()
            return
        try:
            if not self.socket.recv(SOCKET_BYTES):
                self.handle_close()
        except BlockingIOError:
            return
        except OSError:
            self.handle_close()

    def received(self, data: bytes) -> bool:
        """Take in bytes of a request, and give its time a bound."""
        if self.request is None:
            self.since = time.monotonic()
            self.deadline = self.since + HEAD_S
        taken: bool = super().received(data)
        if self.request is not None and self.request.headers_finished:
            self.deadline = self.since + RECEIVE_S
        self.account()
        return taken

    def hold(self, head: bytes) -> None:
        """Keep an answer's head for its first piece."""
        self._head = head

    def write_soon(self, data: Any) -> int:
        """Send what the kernel takes at once, and keep the rest for the loop: the caller never waits.

        Raises:
            ClientDisconnected: nobody is there to read it.
        """
        if isinstance(data, ReadOnlyFileBasedBuffer):
            return self._write_file(data)
        data, self._head = self._head + data, b""
        if not data:
            return 0
        with self.outbuf_lock:
            if not self.connected or self.will_close:
                raise ClientDisconnected
            rest = data[self._send_now(data) :] if not self.total_outbufs_len else data
            if rest:
                if not self.total_outbufs_len:
                    self._new_answer()
                self.outbufs[-1].append(rest)
                self.total_outbufs_len += len(rest)
                self.account()
                self.server.wake(self)
        return len(data)

    def _write_file(self, file: ReadOnlyFileBasedBuffer) -> int:
        """Have the loop send a file as it is; it closes it, too."""
        with self.outbuf_lock:
            if not self.connected or self.will_close:
                raise ClientDisconnected
            if not self.total_outbufs_len:
                self._new_answer()
            self.outbufs += [file, OverflowableBuffer(self.adj.outbuf_overflow)]
            self.total_outbufs_len += len(file)
            self.server.wake(self)
        return len(file)

    def _send_now(self, data: bytes) -> int:
        try:
            return int(self.socket.send(data))
        except BlockingIOError:
            return 0
        except OSError as error:
            self.will_close = True
            self.server.wake(self)
            raise ClientDisconnected from error

    def _new_answer(self) -> None:
        """Begin a buffer; the one before is sent, and so may be its file."""
        for buffer in self.outbufs:
            buffer.close()
        self.outbufs = [OverflowableBuffer(self.adj.outbuf_overflow)]
        self.since = time.monotonic()
        self._sent_bytes, self.deadline = 0, self.since + SEND_S

    def _flush_some(self, do_close: bool = True) -> bool:
        before = self.total_outbufs_len
        try:
            sent: bool = super()._flush_some(do_close=False)
        finally:
            self.account()
        self._sent_bytes += before - self.total_outbufs_len
        if self._sent_bytes >= PIECE_BYTES:
            self._sent_bytes, self.deadline = 0, time.monotonic() + SEND_S
        if before and not self.total_outbufs_len and not self.requests:
            self._await_request()
        return sent

    def _await_request(self) -> None:
        """Give the next request its time from now on."""
        self.since = time.monotonic()
        begun = self.request
        self.deadline = self.since + (IDLE_S if begun is None else RECEIVE_S if begun.headers_finished else HEAD_S)

    def handle_write(self) -> None:
        """Send more of an answer; after the last one the connection is closed on our side first."""
        if self.total_outbufs_len:
            self._flush_exception(self._flush_some_if_lockable)
        if self.will_close:
            self.handle_close()
        elif self.close_when_flushed and not self.total_outbufs_len:
            self._linger()

    def _linger(self) -> None:
        self.close_when_flushed, self.lingers = False, True
        self.deadline = time.monotonic() + LINGER_S
        try:
            self.socket.shutdown(socket.SHUT_WR)
        except OSError:
            self.handle_close()

    def service(self) -> None:
        """Answer a request, in a thread; then the loop looks after the connection again."""
        super().service()
        if self.connected and not self.requests and not self.total_outbufs_len:
            self._await_request()
        if self.counted_bytes:
            with self.outbuf_lock:
                self.account()
        if self.connected and self.interest != self.wanted():
            self.server.wake(self)

    def handle_close(self) -> None:
        """Close, and forget what was kept."""
        super().handle_close()
        with self.requests_lock:
            if self.request is not None:
                self.request.close()
                self.request = None
        self.server.forget(self)
        self.server.count(-self.counted_bytes)
        self.counted_bytes = 0


# The server: one loop reads and sends for all connections of a process.


THREADS: Final = 12
CONNECTIONS: Final = 4096
"""Connections that one process keeps, given three descriptors for each: the socket, and a file for each way."""
RESERVED_DESCRIPTORS: Final = 256
"""For the database, the broker and files that are read."""
MEMORY_BYTES: Final = 64 * 1024
"""More than this of a request or an answer goes to a file without a name in TMPDIR."""
KEPT_BYTES: Final = 512 * 1024**2
"""Most that one process keeps of requests and answers, in memory and files; less where the disk is nearly full."""
ROOM: Final = 32
"""How many connections are closed at a time where there are too many."""
_ACCEPTED_AT_ONCE: Final = 16
_LEFT_S: Final = 0.01
"""How long a new connection is left to a process that has fewer."""
_LOOKS_AGAIN_S: Final = 0.001
_CLOSED_AT_ONCE: Final = 64
_TICK_S: Final = 0.1


class Server(TcpWSGIServer):
    """Serves an application on a socket that listens; `run` returns once it was stopped."""

    channel_class = Channel
    adj: Adjustments

    def __init__(
        self,
        application: Callable[..., Any],
        listening: socket.socket,
        *,
        body_bytes: int,
        threads: int = THREADS,
        connections: int = CONNECTIONS,
        kept_bytes: int = KEPT_BYTES,
    ) -> None:
        """Take a socket that listens.

        Args:
            body_bytes: the longest body that is read; more is answered with 413.
            connections: how many there may be; the one that has waited longest makes room for the next.
            kept_bytes: how much may be kept for all of them.
        """
        adjustments = Adjustments(
            sockets=[listening],
            threads=threads,
            connection_limit=connections,
            recv_bytes=16 * 1024,
            max_request_header_size=HEAD_BYTES,
            max_request_body_size=body_bytes + 1,
            inbuf_overflow=MEMORY_BYTES,
            outbuf_overflow=MEMORY_BYTES,
            outbuf_high_watermark=1 << 62,
            clear_untrusted_proxy_headers=False,
            log_socket_errors=False,
            ident=None,
            server_name="localhost",
        )
        logging.getLogger("waitress").setLevel(logging.WARNING)
        self._kept = 0
        self._kept_lock = Lock()
        self._most_kept = kept_bytes
        self._touched: deque[Channel] = deque()
        self._epoll = select.epoll()
        self._bell = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._bell_lock = RLock()  # a signal may ring in the middle of ringing
        self._stop_at: float | None = None
        self._left_at: float | None = None
        self._ended = False
        self.beat: Callable[[], object] = int
        self.fewest: Callable[[int], int] = int
        """Given how many connections there are here, returns how many the process with the fewest has."""
        sockinfo = (listening.family, listening.type, listening.proto, listening.getsockname())
        self._line_of: Callable[[str, Mapping[str, str], str], Name] = getattr(application, "line_of", line_of)
        self.threads = FairThreads(threads)
        super().__init__(
            application,
            {},
            _start=False,
            _sock=listening,
            dispatcher=self.threads,
            adj=adjustments,
            sockinfo=sockinfo,
            bind_socket=False,
        )

    @property
    def kept_bytes(self) -> int:
        """How much is kept of requests and answers now."""
        return self._kept

    def count(self, more_bytes: int) -> None:
        """Note that so much more is kept, or less."""
        with self._kept_lock:
            self._kept += more_bytes

    def wake(self, channel: Channel) -> None:
        """Have the loop look at a connection; called by any thread."""
        self._touched.append(channel)
        self._ring()

    def _ring(self) -> None:
        with self._bell_lock:
            if not self._ended:
                os.eventfd_write(self._bell, 1)

    def pull_trigger(self) -> None:
        """Do nothing: channels wake the loop by name."""

    def add_task(self, task: Any) -> None:
        """Give a request to a thread, once the connection's last answer is sent."""
        if task.total_outbufs_len:
            task.waits = True
            self.wake(task)
        else:
            self._add(task)

    def _add(self, channel: Channel) -> None:
        request = channel.requests[0]
        channel.line = self._line_of(str(channel.addr[0]), request.headers, request.path)
        self.threads.add(channel.line, channel)

    def forget(self, channel: Channel) -> None:
        """Take the request of a closed connection out of its line, and give back what is kept of it."""
        if channel.line is not None and self.threads.remove(channel.line, channel):
            for request in channel.requests:
                request.close()
            channel.requests = []

    def stop(self, within_s: float) -> None:
        """Accept nothing more, and end when all requests are answered or the time is over."""
        self._stop_at = time.monotonic() + within_s
        self._ring()

    def run(self) -> None:
        """Serve until stopped."""
        self._epoll.register(self._bell, select.EPOLLIN)
        # Edges: a new connection wakes all processes that share the socket, once; one with the fewest takes it.
        self._epoll.register(self.socket.fileno(), select.EPOLLIN | select.EPOLLET)
        accepting, tick = True, 0.0
        # The loop alone reads, closes and sets interests.  A thread that leaves it part of an answer, or a channel to
        # be closed, names the channel in `_touched` and rings the bell (an eventfd): without the ring epoll would sleep
        # on, and without the name nobody would look for that channel's events.
        while self._goes_on():
            for descriptor, events in self._epoll.poll(self._pause_s):
                self._on_event(descriptor, events)
            self._look_at_touched()
            if self._left_at is not None:
                self._accept()
            now = time.monotonic()
            if now >= tick:
                tick = now + _TICK_S
                self.beat()
                self.threads.mark_slow()
                self.fewest(len(self.active_channels))
                self._close_late(now)
            if self._kept > self._most_kept:
                self._drop_kept()
            if self._stop_at is not None and accepting:
                accepting, self._left_at = False, None
                self._epoll.unregister(self.socket.fileno())
                self._close(one for one in self._waiting() if one.request is None and not one.total_outbufs_len)
        self.threads.shutdown(0.1)
        self._close(self.active_channels.values())
        self.close()
        self._epoll.close()
        with self._bell_lock:
            self._ended = True
            os.close(self._bell)

    @property
    def _pause_s(self) -> float:
        if self._touched:
            return 0
        return _TICK_S if self._left_at is None else _LOOKS_AGAIN_S

    def _close(self, channels: Iterable[Channel]) -> None:
        for channel in list(channels):
            channel.handle_close()

    def _goes_on(self) -> bool:
        """Tell whether to serve on: once it is stopped, as long as somebody waits for an answer, and may."""
        if self._stop_at is None:
            return True
        if time.monotonic() >= self._stop_at:
            return False
        return any(one.requests or one.total_outbufs_len for one in self.active_channels.values())

    def _on_event(self, descriptor: int, events: int) -> None:
        if descriptor == self._bell:
            os.eventfd_read(self._bell)
        elif descriptor == self._fileno:
            self._accept()
        else:
            channel = self.active_channels.get(descriptor)
            if channel is not None:
                wasyncore.readwrite(channel, events & (channel.interest | select.EPOLLHUP | select.EPOLLERR))
                self._follow(channel)

    def _look_at_touched(self) -> None:
        for _ in range(len(self._touched)):
            self._follow(self._touched.popleft())

    def _follow(self, channel: Channel) -> None:
        """Look for what a connection is ready for; again while a thread changes that in between."""
        if channel.waits and not channel.total_outbufs_len:
            channel.waits = False
            self._add(channel)
        if channel.connected and channel.will_close:
            channel.handle_close()
        while channel.connected and channel.interest != (wanted := channel.wanted()):
            channel.interest = wanted
            self._epoll.modify(channel.socket.fileno(), wanted)

    def _accept(self) -> None:
        """Take new connections, as long as no other process has fewer; the rest is taken where none does in time.

        Those that stay open, such as a proxy's, would else all come to the process that is woken first.
        """
        now = time.monotonic()
        self._left_at = self._left_at or now
        is_late = now - self._left_at >= _LEFT_S
        for _ in range(_ACCEPTED_AT_ONCE):
            here = len(self.active_channels)
            if here > self.fewest(here) and not is_late:
                return
            if here >= self.adj.connection_limit:
                self._make_room()
            full = len(self.active_channels) >= self.adj.connection_limit
            try:
                connection, address = self.socket.accept()
            except BlockingIOError:
                self._left_at = None
                return
            except OSError as error:
                if error.errno in (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS):
                    self._make_room()
                return
            if full:  # of requests that are answered now
                connection.close()
                continue
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            channel = Channel(self, connection, address, self.adj, map=self._map)
            channel.interest = select.EPOLLIN
            self._epoll.register(connection.fileno(), select.EPOLLIN)

    def _waiting(self) -> Iterator[Channel]:
        """Yield the connections on which we wait for the client."""
        return (one for one in self.active_channels.values() if one.total_outbufs_len or not one.requests)

    def _make_room(self) -> None:
        """Close some connections that wait: of the address that has most, those that have waited longest."""
        waiting = list(self._waiting())
        crowds = Counter(channel.addr[0] for channel in waiting)
        waiting.sort(key=lambda channel: (-crowds[channel.addr[0]], channel.since))
        self._close(waiting[:ROOM])

    def _close_late(self, now: float) -> None:
        """Close what is idle for too long, comes too slowly, or is read too slowly."""
        self._close(islice((channel for channel in self._waiting() if channel.deadline < now), _CLOSED_AT_ONCE))

    def _drop_kept(self) -> None:
        """Close those connections that have waited longest with something kept, until the rest is little enough."""
        for channel in sorted(self._waiting(), key=lambda channel: channel.since):
            if self._kept <= self._most_kept * 7 // 8:
                return
            if channel.counted_bytes:
                channel.handle_close()


def line_of(peer: str, _headers: Mapping[str, str], path: str) -> Name:
    """Return the line of a request where the application has no `line_of` of its own."""
    return peer, path[:64], hash(path)


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens, for one process or several.

    Raises:
        OSError: the address is not this machine's, or is in use.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    for kind in (socket.SO_SNDBUF, socket.SO_RCVBUF):
        listening.setsockopt(socket.SOL_SOCKET, kind, SOCKET_BYTES)
    try:
        listening.bind((host, port))
        listening.listen(1024)
    except OSError:
        listening.close()
        raise
    return listening


def room_for_files(processes: int) -> int:
    """Return how much each process may keep: KEPT_BYTES, or its share of half of what is free in TMPDIR."""
    disk = os.statvfs(tempfile.gettempdir())
    return min(KEPT_BYTES, disk.f_bavail * disk.f_frsize // 2 // processes)
