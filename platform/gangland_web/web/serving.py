"""How gunicorn's threads deal with slow clients: they wait outside, and an answer must move on.

A thread waits for a client without end otherwise, and sixteen idle connections would close the house.  Here a request
waits in the kernel, at the price of a socket, until its head is whole, and with it a body as short as a form's; then it
gets a thread.  A longer body, which is read by the thread, has a minute to come in.
"""

from __future__ import annotations

import errno
import re
import selectors
import socket
import time
from functools import partial
from typing import Any, Final

from gunicorn.workers.gthread import ThreadWorker

RECEIVE_S: Final = 60.0
SEND_S: Final = 30.0
HEAD_S: Final = 10.0
"""So long a head, and a short body, may take to arrive; after that the connection is closed."""
HEAD_BYTES: Final = 16 * 1024
"""More than this is refused as it stands; gunicorn takes less."""
SHORT_BYTES: Final = 32 * 1024
PIECE: Final = 64 * 1024
"""So much of an answer must have been taken in SEND_S."""


class TimedSocket(socket.socket):
    """A client's connection on which reading ends at a moment, and on which no sending stands still."""

    def __init__(self, plain: socket.socket, *, receive_s: float = RECEIVE_S, send_s: float = SEND_S) -> None:
        """Take over a connection; the socket that held it is of no use any more."""
        super().__init__(plain.family, plain.type, plain.proto, fileno=plain.detach())
        self._receive_s, self._send_s = receive_s, send_s
        self.begin()

    def begin(self) -> None:
        """Give the next request its time from now on."""
        self._until = time.monotonic() + self._receive_s

    def recv(self, bufsize: int, flags: int = 0, /) -> bytes:
        """Return what has come in.

        Raises:
            ConnectionResetError: the request's time is over; to gunicorn the client has gone then.
        """
        left_s = self._until - time.monotonic()
        if left_s <= 0:
            raise _gone()
        self.settimeout(left_s)
        try:
            return super().recv(bufsize, flags)
        except TimeoutError as error:
            raise _gone() from error
        finally:
            self.settimeout(None)

    def sendall(self, data: Any, flags: int = 0, /) -> None:
        """Send all of it, piece by piece.

        Raises:
            ConnectionResetError: a piece was not taken in time.
        """
        self.settimeout(self._send_s)
        try:
            view = memoryview(data)
            for start in range(0, len(view), PIECE):
                super().sendall(view[start : start + PIECE], flags)
        except TimeoutError as error:
            raise _gone() from error
        finally:
            self.settimeout(None)

    def sendfile(self, file: Any, offset: int = 0, count: int | None = None) -> int:
        """Send a file; return how many bytes that were.

        Raises:
            ConnectionResetError: the client took none of it for too long.
        """
        self.settimeout(self._send_s)
        try:
            return super().sendfile(file, offset, count)
        except TimeoutError as error:
            raise _gone() from error
        finally:
            self.settimeout(None)


_LENGTH: Final = re.compile(rb"\ncontent-length:[ \t]*([0-9]{1,9})[ \t]*\r?\n", re.IGNORECASE)
_EXPECTS: Final = re.compile(rb"\nexpect:", re.IGNORECASE)
_HEAD_ENDS: Final = re.compile(rb"\r?\n\r?\n")


def is_whole(data: bytes) -> bool:
    """Tell whether what came so far of a request is worth a thread: its head and a short body, or what is refused."""
    ends = _HEAD_ENDS.search(data, 0, HEAD_BYTES)
    if ends is None:
        return len(data) >= HEAD_BYTES
    head, length = data[: ends.end()], _LENGTH.search(data, 0, ends.end())
    if length is None or int(length[1]) > SHORT_BYTES or _EXPECTS.search(head):
        return True
    return len(data) >= ends.end() + int(length[1])


class TimedWorker(ThreadWorker):
    """gunicorn's threaded worker with such connections, whose threads are for requests that are there."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        """Begin with nobody waiting."""
        super().__init__(*arguments, **named)
        self._waiting: dict[Any, float] = {}

    def enqueue_req(self, conn: Any) -> None:
        """Have a thread take the next request of a connection if it is there, else wait for more of it."""
        if not isinstance(conn.sock, TimedSocket):
            conn.sock = TimedSocket(conn.sock)
        until = self._waiting.pop(conn, time.monotonic() + HEAD_S)
        if self._is_ready(conn):
            conn.data_ready = True
            super().enqueue_req(conn)
            return
        self._waiting[conn] = until
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self._more, conn))

    def _is_ready(self, conn: Any) -> bool:
        """Look at what came without taking it; have the kernel wake us when there is more than that."""
        if conn.parser is not None and conn.parser.unreader.buf.getvalue():
            return True  # it was read together with the request before
        conn.sock.setblocking(False)
        try:
            data = socket.socket.recv(conn.sock, HEAD_BYTES + SHORT_BYTES, socket.MSG_PEEK)
        except BlockingIOError:
            wanted, ready = 1, False
        except OSError:
            return True  # it is gone, as its thread will find
        else:
            ready = not data or is_whole(data)
            wanted = 1 if ready else len(data) + 1
        conn.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, wanted)
        return ready

    def _more(self, conn: Any, sock: socket.socket) -> None:
        self.poller.unregister(sock)
        self.enqueue_req(conn)

    def murder_keepalived(self, force: bool = False) -> None:
        """Close what has been idle for too long, or comes too slowly; called every second."""
        super().murder_keepalived(force)
        now = time.monotonic()
        for conn in [conn for conn, until in self._waiting.items() if until < now or force]:
            del self._waiting[conn]
            self.poller.unregister(conn.sock)
            self.nr_conns -= 1
            conn.close()

    def handle(self, conn: Any) -> Any:
        """Take a request; its time runs from here, not from when it stood in a queue."""
        conn.sock.begin()
        return super().handle(conn)


def _gone() -> ConnectionResetError:
    return ConnectionResetError(errno.ECONNRESET, "the client is too slow")
