"""One process of the site: a loop that reads and sends for all its connections, and threads for whole requests."""

from __future__ import annotations

import errno
import logging
import os
import select
import socket
import tempfile
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from threading import Lock, RLock
from typing import Any, Final

from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher

from gangland_web.ops.serving.channels import SOCKET_BYTES, Channel
from gangland_web.ops.serving.parsing import HEAD_BYTES

THREADS: Final = 8
CONNECTIONS: Final = 4096
"""Connections that one process keeps, given three descriptors for each: the socket, and a file for each way."""
RESERVED_DESCRIPTORS: Final = 256
"""For the database, the broker and files that are read."""
MEMORY_BYTES: Final = 64 * 1024
"""More than this of a request or an answer goes to a file without a name in TMPDIR."""
KEPT_BYTES: Final = 512 * 1024**2
"""Most that one process keeps of requests and answers, in memory and files; less where the disk is nearly full."""
ROOM: Final = 32
"""So many connections are closed at a time where there are too many."""
_ACCEPTED_AT_ONCE: Final = 16
_LEFT_S: Final = 0.01
"""So long a new connection is left to a process that has fewer."""
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
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
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
        dispatcher = ThreadedTaskDispatcher()
        dispatcher.set_thread_count(threads)
        super().__init__(
            application,
            {},
            _start=False,
            _sock=listening,
            dispatcher=dispatcher,
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
            super().add_task(task)

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
                self.fewest(len(self.active_channels))
                self._close_late(now)
            if self._kept > self._most_kept:
                self._drop_kept()
            if self._stop_at is not None and accepting:
                accepting, self._left_at = False, None
                self._epoll.unregister(self.socket.fileno())
                self._close(one for one in self._waiting() if one.request is None and not one.total_outbufs_len)
        self.task_dispatcher.shutdown(timeout=0.1)
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
            super().add_task(channel)
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
