"""How gunicorn's threads deal with slow clients: a request has a minute to come in, and an answer must move on.

A thread waits for a client without end otherwise, and sixteen idle connections would close the house.
"""

from __future__ import annotations

import errno
import socket
import time
from typing import Any, Final

from gunicorn.workers.gthread import ThreadWorker

RECEIVE_S: Final = 60.0
SEND_S: Final = 30.0
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


class TimedWorker(ThreadWorker):
    """gunicorn's threaded worker with such connections."""

    def enqueue_req(self, conn: Any) -> None:
        """Have a thread take the next request of a connection."""
        if not isinstance(conn.sock, TimedSocket):
            conn.sock = TimedSocket(conn.sock)
        super().enqueue_req(conn)

    def handle(self, conn: Any) -> Any:
        """Take a request; its time runs from here, not from when it stood in a queue."""
        conn.sock.begin()
        return super().handle(conn)


def _gone() -> ConnectionResetError:
    return ConnectionResetError(errno.ECONNRESET, "the client is too slow")
