"""Threads of the HTTP server, and the lines in which requests wait for them."""

from __future__ import annotations

import logging
import time
from collections import OrderedDict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from threading import Condition, Thread, get_ident
from typing import Final, Protocol

AT_A_TIME: Final = (4, 2, 1, 1)
"""How many requests are answered at a time: in all, of a client, of a part of the site, of a page.

They share one interpreter, so each of them makes the others wait, also for less than a page's time.
"""
SLOW_S: Final = 0.1
"""A request that takes longer gives its place in AT_A_TIME away: it waits for a password, a lock or a disk."""
SLOW_AT_A_TIME: Final = 6
"""How many slow requests of one client are answered besides."""
Name = tuple[str, str, int]
"""The line of a request: its client, the part of the site, and a number for the page."""
_LOG: Final = logging.getLogger("gangland_web.ops.serving")


class Task(Protocol):
    """A request that can be answered."""

    def service(self) -> None:
        """Answer it."""


class _Line:
    """Requests for one page; or the lines of a part, of a client or of all clients."""

    __slots__ = ("above", "level", "lines", "name", "running", "slow", "tasks")

    def __init__(self, name: str | int = "", above: _Line | None = None) -> None:
        self.name, self.above = name, above
        self.level: int = 0 if above is None else above.level + 1
        self.lines: OrderedDict[str | int, _Line] = OrderedDict()
        self.tasks: deque[Task] = deque()
        self.running = self.slow = 0

    def upwards(self) -> Iterator[_Line]:
        """Yield this line and those that it is part of."""
        line: _Line | None = self
        while line is not None:
            yield line
            line = line.above

    def go_last(self) -> None:
        """Let the others of the same client or part go first."""
        if self.above is not None:
            self.above.lines.move_to_end(self.name)

    def end_if_empty(self) -> None:
        """Delete this line, and those that it is part of, where nothing is left in them."""
        for line in self.upwards():
            if line.above is not None and not (line.tasks or line.lines or line.running or line.slow):
                del line.above.lines[line.name]


@dataclass(slots=True, eq=False)
class Turn:
    """A request that is being answered; `began` is by the monotonic clock."""

    task: Task
    line: _Line
    began: float
    is_slow: bool = False


class Lines:
    """Requests that wait, in lines by client, part of the site and page.

    Clients take turns, then the parts that a client asks for, then the pages of a part.  So a page that one client
    requests over many connections makes any other page wait for one request, not for all of them.
    """

    def __init__(self, limits: Sequence[int] = AT_A_TIME, slow_limit: int = SLOW_AT_A_TIME) -> None:
        """Start empty.

        Args:
            limits: how many requests may be answered at a time: in all, of a client, of a part and of a page.
            slow_limit: how many slow requests of a client may be answered besides.
        """
        self._limits, self._slow_limit = tuple(limits), slow_limit
        self._all = _Line()

    def add(self, name: Name, task: Task) -> None:
        """Add a request at the end of its line."""
        line = self._all
        for part in name:
            if part not in line.lines:
                line.lines[part] = _Line(part, line)
            line = line.lines[part]
        line.tasks.append(task)

    def remove(self, name: Name, task: Task) -> bool:
        """Remove a request from its line; return whether it waited there."""
        line: _Line | None = self._all
        for part in name:
            line = None if line is None else line.lines.get(part)
        if line is None or task not in line.tasks:
            return False
        line.tasks.remove(task)
        line.end_if_empty()
        return True

    def take(self, now: float) -> Turn | None:
        """Return the next request that may be answered, None if there is none."""
        page = self._next(self._all)
        if page is None:
            return None
        for line in page.upwards():
            line.running += 1
            line.go_last()
        return Turn(page.tasks.popleft(), page, now)

    def _next(self, line: _Line) -> _Line | None:
        if line.running >= self._limits[line.level]:
            return None
        if line.tasks:
            return line
        # Only lines with a request that is being answered are passed over, so few are.
        return next(filter(None, map(self._next, line.lines.values())), None)

    def mark_slow(self, turn: Turn) -> bool:
        """Give a request's place away; return whether it had one and its client may have another slow request."""
        lines = [*turn.line.upwards()]
        if turn.is_slow or lines[-2].slow >= self._slow_limit:
            return False
        turn.is_slow = True
        for line in lines:
            line.running -= 1
            line.slow += 1
        return True

    def end(self, turn: Turn) -> None:
        """Forget a request that was answered, and its lines if nothing is left in them."""
        for line in turn.line.upwards():
            if turn.is_slow:
                line.slow -= 1
            else:
                line.running -= 1
            line.go_last()  # also behind the lines that are new since the request began
        turn.line.end_if_empty()

    @property
    def is_empty(self) -> bool:
        """Whether no request waits or is being answered."""
        return not (self._all.lines or self._all.slow)


class FairThreads:
    """Threads that answer requests in the order of their lines."""

    def __init__(self, count: int, lines: Lines | None = None) -> None:
        """Start the threads; they end with the process, or by `shutdown`."""
        self._lines = lines or Lines()
        self._turns: dict[int, Turn] = {}
        self._changed = Condition()
        self._count, self._stopping = count, False
        for number in range(count):
            Thread(target=self._work, name=f"request-{number}", daemon=True).start()

    @property
    def is_idle(self) -> bool:
        """Whether no request waits or is being answered."""
        with self._changed:
            return self._lines.is_empty

    @property
    def active_count(self) -> int:
        """How many requests are being answered."""
        return len(self._turns)

    def add(self, name: Name, task: Task) -> None:
        """Have a request answered in its turn."""
        with self._changed:
            self._lines.add(name, task)
            self._changed.notify()

    def remove(self, name: Name, task: Task) -> bool:
        """Answer a request no more; return False if it has begun, or is none."""
        with self._changed:
            return self._lines.remove(name, task)

    def mark_slow(self) -> None:
        """Let other requests be answered besides slow ones; to be called regularly."""
        with self._changed:
            now = time.monotonic()
            late = [turn for turn in self._turns.values() if now - turn.began >= SLOW_S]
            self._changed.notify(sum(map(self._lines.mark_slow, late)))

    def begin_wait(self) -> None:
        """Let another request be answered while the one of this thread waits."""
        with self._changed:
            if self._lines.mark_slow(self._turns[get_ident()]):
                self._changed.notify()

    def shutdown(self, timeout_s: float) -> None:
        """Start no more requests, and wait for the threads; those that take longer are left alone."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: not self._count, timeout_s)

    def _work(self) -> None:
        turn = self._begin(None)
        while turn is not None:
            try:
                turn.task.service()
            except Exception:  # noqa: BLE001  # the thread goes on with the next request
                _LOG.exception("a request could not be answered")
            turn = self._begin(turn)

    def _begin(self, ended: Turn | None) -> Turn | None:
        """Return a thread's next request after one that ended, None if the thread is to end."""
        with self._changed:
            if ended is not None:
                del self._turns[get_ident()]
                self._lines.end(ended)
            turn = None
            while not self._stopping and (turn := self._lines.take(time.monotonic())) is None:
                self._changed.wait()
            if turn is None:
                self._count -= 1
                self._changed.notify_all()
            else:
                self._turns[get_ident()] = turn
            return turn
