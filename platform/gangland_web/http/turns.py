"""Pages of a process are made in turns: threads that make some at once only take the interpreter from each other.

Python runs one thread at a time, and SQLite lets go of it for each row that it reads.  So two pages that are made at
once take longer than one after the other.  While a PostgreSQL server carries out a statement, another one is made.
"""

from __future__ import annotations

from collections.abc import Iterable
from threading import Lock, local
from typing import Final
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from sqlalchemy import Engine, event

PATIENCE_S: Final = 0.1
"""So long a page waits for its turn; then it is made all the same, while another takes its time."""
_READS: Final = frozenset({"GET", "HEAD"})


class _Thread(local):
    """What a thread knows: whether it has the turn, and whether it gave it away for a statement alone."""

    has_turn = False
    is_waiting = False


class Turns:
    """Has an application answer one reading request at a time.

    Requests that write take no part: they wait for locks, for passwords and for other machines.
    """

    def __init__(self, application: WSGIApplication, engine: Engine, patience_s: float = PATIENCE_S) -> None:
        """Stand before an application that reads from a database."""
        self._application, self._patience_s = application, patience_s
        self._lock, self._thread = Lock(), _Thread()
        if engine.dialect.name != "sqlite":
            event.listen(engine, "before_cursor_execute", self._on_statement)
            event.listen(engine, "after_cursor_execute", self._on_rows)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request; a body that is made piece by piece is made out of turn."""
        if environ["REQUEST_METHOD"] not in _READS:
            return self._application(environ, start_response)
        self._take()
        try:
            return self._application(environ, start_response)
        finally:
            self._thread.is_waiting = False
            self._give()

    @property
    def is_taken(self) -> bool:
        """Whether a page is made now."""
        return self._lock.locked()

    def _take(self) -> None:
        self._thread.has_turn = self._lock.acquire(timeout=self._patience_s)

    def _give(self) -> None:
        if self._thread.has_turn:
            self._thread.has_turn = False
            self._lock.release()

    def _on_statement(self, *_of: object) -> None:
        self._thread.is_waiting = self._thread.has_turn
        self._give()

    def _on_rows(self, *_of: object) -> None:
        if self._thread.is_waiting:
            self._thread.is_waiting = False
            self._take()
