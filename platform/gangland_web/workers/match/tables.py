"""Asking the bots of tables at which persons play, and keeping them at the table while a person thinks."""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

import msgspec

from gangland.games import game_named
from gangland_ladder.common.release import refusal, this_release
from gangland_ladder.matches.contender import Contender
from gangland_ladder.matches.orders import Claim, sendable
from gangland_ladder.playing.hosting import HostedTable, TableEnded
from gangland_ladder.playing.orders import IDLE_S, TableOrder, TableRows
from gangland_ladder.playing.records import Row
from gangland_sandbox.errors import SandboxError
from gangland_sandbox.jail import Mode
from gangland_sandbox.limits import Limits
from gangland_sandbox.pool import Pool
from gangland_web.base.clock import now_s
from gangland_web.workers.match.playing import ANNOUNCE_EVERY_S, CodeMissing, CodeStore, OtherRelease
from gangland_web.workers.match.watchdog import UNDER_LOAD_S, Stage, Step, Watch, WatchdogLost

log = logging.getLogger(__name__)

KEPT_TABLES: Final = 4
"""Tables whose bots a worker keeps: it serves one at a time, and paused bots take memory."""
STEM: Final = "bot"
"""What a bot's file is called: people name bots as they like, and not every name is one of a module."""


class TableMessages(Protocol):
    """What a worker says of tables."""

    def rows(self, rows: TableRows) -> None:
        """Send what came of a table's order."""


@dataclass(slots=True)
class _Kept:
    table: HostedTable
    at_s: float


class TablePlayer:
    """Works on orders of tables one after the other.

    Between two orders of a table its bots are paused.  Of more than `KEPT_TABLES` tables the bots of the one that was
    quiet longest are ended, and brought back when they are asked again.  All that is kept here can be lost: an order
    has all rows.
    """

    def __init__(
        self,
        messages: TableMessages,
        codes: CodeStore,
        announce: Callable[[], None],
        on_failure: Callable[[], None],
        pool: Pool,
        watch: Watch | None = None,
    ) -> None:
        """Speak through `messages`; see `playing.Player`.

        Raises:
            SandboxError: the pool is of plain processes; the server plays in jails alone.
        """
        if pool.mode is not Mode.JAIL:
            raise SandboxError(f"the server plays in jails alone, never in mode {pool.mode.value!r}")
        self._messages = messages
        self._codes = codes
        self._announce = announce
        self._on_failure = on_failure
        self._pool = pool
        self._watch = watch or Watch()
        self._kept: OrderedDict[int, _Kept] = OrderedDict()
        self._announced_at = 0.0
        self._used_at: float | None = None

    def play(self, text: str) -> None:
        """Ask the bots of a table and send their rows; drop an order whose lease has run out.

        Raises:
            OtherRelease: it is of another release than this worker.
        """
        order = msgspec.json.decode(text, type=TableOrder)
        if order.release != this_release():
            raise OtherRelease(refusal(order.release))
        if now_s() > order.until:
            log.warning("table %d came after its lease had ended; dropped", order.id)
            return
        lasts_s = Limits.from_dict(order.limits).match_lasts_s(len(order.setup.seats)) + UNDER_LOAD_S
        try:
            self._watch.begin_step(Step(Claim(order.id, order.token), Stage.TABLE, lasts_s))
            self._messages.rows(self._answered(order))
            self._watch.rest()
        except WatchdogLost as lost:
            log.error("%s", lost)
            self._on_failure()

    def forget_idle(self) -> None:
        """End the bots of tables of which nothing was heard for as long as a person may think, then idle jails, too."""
        now = time.monotonic()
        while self._kept and now - next(iter(self._kept.values())).at_s > IDLE_S:
            self._forget(next(iter(self._kept)))
        if self._used_at is not None and now - self._used_at > IDLE_S:
            self._used_at = None
            self._pool.close_idle()

    def _answered(self, order: TableOrder) -> TableRows:
        first = len(order.rows)
        self._used_at = time.monotonic()
        for ended in set(self._kept) - set(order.open):
            self._forget(ended)
        try:
            table, rows = self._advanced(order)
        except TableEnded as end:
            self._forget(order.id)
            return TableRows(order.id, order.token, ended=sendable(str(end)))
        except WatchdogLost:
            raise
        except (SandboxError, CodeMissing) as failure:
            return self._failed(order, str(failure))
        except Exception as bug:  # a bug of ours costs no bot anything: the table is set up again, and the log says why
            log.exception("table %d failed", order.id)
            return self._failed(order, f"{type(bug).__name__}: {bug}")
        if table.standing.outcome is not None:
            self._forget(order.id)
        return TableRows(order.id, order.token, first, rows, table.differing)

    def _advanced(self, order: TableOrder) -> tuple[HostedTable, list[Row]]:
        kept = self._kept.get(order.id)
        rows = None
        if kept is not None:
            kept.table.resume()
            rows = kept.table.catch_up(order.rows)
            if rows is None:
                self._forget(order.id)
        if kept is None or rows is None:
            kept = _Kept(self._set_up(order), 0.0)
            self._kept[order.id] = kept
            while len(self._kept) > KEPT_TABLES:
                self._forget(next(iter(self._kept)))
            rows = kept.table.advance()
        kept.table.pause()
        kept.at_s = time.monotonic()
        self._kept.move_to_end(order.id)
        return kept.table, rows

    def _set_up(self, order: TableOrder) -> HostedTable:
        game, limits = game_named(order.setup.game), Limits.from_dict(order.limits)
        bots = {
            seat: Contender(STEM, self._codes.get(each.code), game, limits, self._pool, self._tick)
            for seat, each in enumerate(order.setup.seats)
            if each.code is not None
        }
        return HostedTable(order.setup, bots, order.rows)

    def _failed(self, order: TableOrder, why: str) -> TableRows:
        log.warning("table %d: %s", order.id, why)
        self._forget(order.id)
        return TableRows(order.id, order.token, failed=sendable(why))

    def _forget(self, table_id: int) -> None:
        kept = self._kept.pop(table_id, None)
        if kept is not None:
            kept.table.close()

    def _tick(self) -> None:
        self._watch.alive()
        if time.monotonic() - self._announced_at >= ANNOUNCE_EVERY_S:
            self._announce()
            self._announced_at = time.monotonic()
