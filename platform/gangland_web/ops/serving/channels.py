"""A connection, and how its requests are answered: no thread waits for a client, in either direction."""

from __future__ import annotations

import json
import select
import socket
import time
from typing import Any, Final, Protocol

from waitress.buffers import OverflowableBuffer, ReadOnlyFileBasedBuffer
from waitress.channel import ClientDisconnected, HTTPChannel
from waitress.task import ErrorTask, WSGITask
from waitress.utilities import Error, RequestEntityTooLarge, build_http_date

from gangland_web.ops.serving.parsing import RequestParser

HEAD_S: Final = 10.0
"""So long a head may take to arrive, from its first byte or from the connection on."""
IDLE_S: Final = 15.0
"""So long a connection is kept between two requests; longer than the pages' polling, so that a poll finds it open."""
RECEIVE_S: Final = 60.0
"""So long a whole request may take to arrive."""
SEND_S: Final = 30.0
PIECE_BYTES: Final = 64 * 1024
"""So much of an answer, or all that is left of it, must be taken in SEND_S."""
LINGER_S: Final = 2.0
"""So long what still comes of a refused request is thrown away, so that its sender can read why."""
SOCKET_BYTES: Final = 128 * 1024
"""What the kernel may keep of a connection in each direction; it doubles that for its own use."""
TOO_LARGE: Final = "This upload is too large. A bot file may have 256 KiB at most, a zip 1 MiB."
_PASSED_ON: Final = frozenset({"connection", "content-length", "date", "server", "transfer-encoding"})


class Answer(WSGITask):
    """The application's answer to a request."""

    close_on_finish: bool
    wrote_header: bool

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

    def count(self, more_bytes: int) -> None:
        """Take note that requests and answers hold so many bytes more in memory."""

    def wake(self, channel: Channel) -> None:
        """Look at a connection again."""


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
        self.server.count(-self.counted_bytes)
        self.counted_bytes = 0
