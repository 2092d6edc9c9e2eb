"""Standings of tables under way: kept by each process and extended by new rows, so that no request replays a game."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

import msgspec
from sqlmodel import Session, col, select

from gangland_ladder.playing.records import Row, Setup
from gangland_ladder.playing.standing import Standing
from gangland_web.models.jobs import PlayRow, PlayTable

LIMIT: Final = 64
"""How many standings a process keeps: more than can be open at a time."""


@dataclass(slots=True)
class _Kept:
    lock: Lock = field(default_factory=Lock)
    standing: Standing | None = None


class Standings:
    """The standings that a process keeps; the latest used first to stay."""

    def __init__(self, limit: int = LIMIT) -> None:
        self._limit = limit
        self._kept: OrderedDict[tuple[str, float], _Kept] = OrderedDict()
        self._lock = Lock()

    @contextmanager
    def lend(self, session: Session, table: PlayTable) -> Iterator[Standing]:
        """Lend the standing of a table after the rows that a session sees; others who ask for it wait.

        `forget` it if it took rows that are not stored after all.
        """
        with self._lock:
            kept = self._kept.setdefault(_key(table), _Kept())
            self._kept.move_to_end(_key(table))
            while len(self._kept) > self._limit:
                self._kept.popitem(last=False)
        with kept.lock:
            # The latest row is read again: this session may not see it yet.
            known = [] if kept.standing is None else kept.standing.rows
            first = max(len(known) - 1, 0)
            rows = rows_of(session, table, first)
            if kept.standing is None or rows[:1] != known[first:]:
                kept.standing = None
                kept.standing = Standing(setup_of(table), rows_of(session, table) if first else rows)
            else:
                for row in rows[1:]:
                    kept.standing.take(row)
            yield kept.standing

    def forget(self, table: PlayTable) -> None:
        """Make the standing of a table anew when it is asked for next."""
        with self._lock:
            self._kept.pop(_key(table), None)


def _key(table: PlayTable) -> tuple[str, float]:
    return table.token, table.opened_at


standings: Final = Standings()
"""Those of this process."""


def setup_of(table: PlayTable) -> Setup:
    """Return what was fixed before the first die."""
    return msgspec.convert(table.setup, Setup)


def rows_of(session: Session, table: PlayTable, first: int = 0) -> list[Row]:
    """Return the rows that are kept of a table, in order, from the one of this number on."""
    chosen = select(PlayRow.record).where(PlayRow.table_id == table.id, col(PlayRow.number) >= first)
    return [msgspec.convert(record, Row) for record in session.exec(chosen.order_by(col(PlayRow.number))).all()]
