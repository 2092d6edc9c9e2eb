"""The record worker's part in tables of persons: sending, sweeping, and taking in answers of bots and hints."""

from __future__ import annotations

import logging
from typing import Protocol

from gangland_web.models.database import Database
from gangland_web.models.jobs import TableVerdict
from gangland_web.services.play import (
    HintBroker,
    TableBroker,
    record_hint,
    record_rows,
    send_hints,
    send_tables,
    sweep_hints,
    sweep_tables,
)

log = logging.getLogger("gangland_web.workers.records")


class PlayPost(TableBroker, HintBroker, Protocol):
    """What tables need of the broker."""


class TableRecorder:
    """What the record worker does for tables.  All of it is idempotent."""

    def __init__(self, database: Database, post: PlayPost) -> None:
        self._database = database
        self._post = post

    def send(self) -> None:
        """Send tables whose bots are to be asked, then questions for hints.

        Raises RedisError or OperationalError of kombu: no broker.
        """
        send_tables(self._database, self._post)
        send_hints(self._database, self._post)

    def sweep(self) -> None:
        """Take back what fell silent, and end tables at which nobody decides."""
        if taken := sweep_tables(self._database):
            log.warning("the bots of %d tables were asked and did not answer", taken)
        if taken := sweep_hints(self._database):
            log.warning("%d hints were asked for and did not come", taken)

    def record(self, text: str) -> None:
        """Take in what a worker says of a table."""
        recorded = record_rows(self._database, text)
        if recorded.verdict in (TableVerdict.REFUSED, TableVerdict.FAILED, TableVerdict.ENDED):
            log.warning("table %s: %s: %s", recorded.table_id, recorded.verdict.value, recorded.why)

    def record_hint(self, text: str) -> None:
        """Take in what the reference says of a person's question."""
        recorded = record_hint(self._database, text)
        if recorded.verdict in (TableVerdict.REFUSED, TableVerdict.FAILED):
            log.warning("table %s: its hint is %s: %s", recorded.table_id, recorded.verdict.value, recorded.why)
