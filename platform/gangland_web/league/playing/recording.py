"""Taking in what a worker says of a table: the only writer of bots' rows."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import Session, select

from gangland_ladder.common.release import this_release
from gangland_ladder.playing.orders import RowsRefused, TableRows, continued, decode_rows
from gangland_ladder.playing.standing import Standing
from gangland_web.base.clock import now_s
from gangland_web.base.text import shown
from gangland_web.league.playing.sending import end_attempt
from gangland_web.league.playing.standings import standings
from gangland_web.league.playing.tables import add_rows, end_table
from gangland_web.models.database import Database
from gangland_web.models.jobs import TABLE_LEASE_S, PlayTable, TableState, TableVerdict

REASON_CHARS = 300


@dataclass(frozen=True, slots=True)
class RecordedTable:
    """A verdict, the table that it is about, and a sentence for the log."""

    verdict: TableVerdict
    table_id: int | None
    why: str = ""


def record_rows(database: Database, text: str) -> RecordedTable:
    """Take in a message: decoded strictly, its rows played, and added for the holder of the lease alone."""
    try:
        sent = decode_rows(text)
    except RowsRefused as refused:
        return RecordedTable(TableVerdict.REFUSED, None, str(refused))
    if sent.release != this_release():
        return RecordedTable(TableVerdict.REFUSED, sent.id, f"it is of release {sent.release[:40]!r}")
    played: Standing | RowsRefused | None = None
    with database.read() as session:
        table = _held(session, sent)
        if table is not None and sent.done and not sent.ended and not sent.failed:
            played = _played(session, table, sent)
    if table is None:
        return RecordedTable(TableVerdict.STALE, sent.id)
    verdict, why = TableVerdict.STALE, ""
    with database.write() as session:
        if (held := _held(session, sent)) is not None:
            verdict, why = _take(session, held, sent, played)
    if played is not None and verdict is not TableVerdict.TAKEN:
        standings.forget(table)
    return RecordedTable(verdict, sent.id, why)


def _played(session: Session, table: PlayTable, sent: TableRows) -> Standing | RowsRefused:
    """Play the rows that were sent, before anything is locked."""
    with standings.lend(session, table) as standing:
        try:
            return continued(standing, sent)
        except RowsRefused as refused:
            return refused


def _take(
    session: Session, table: PlayTable, sent: TableRows, played: Standing | RowsRefused | None
) -> tuple[TableVerdict, str]:
    if not sent.done:
        table.lease_until = now_s() + TABLE_LEASE_S
        session.add(table)
        return TableVerdict.ALIVE, ""
    if sent.ended:
        why = shown(sent.ended, limit=REASON_CHARS)
        end_table(session, table, "A bot could not go on where it was.")
        return TableVerdict.ENDED, why
    if sent.failed:
        end_attempt(session, table, "The bots could not be asked: the machine that plays failed.")
        return TableVerdict.FAILED, shown(sent.failed, limit=REASON_CHARS)
    if not isinstance(played, Standing):
        end_attempt(session, table, "What the bots answered could not be right.")
        return TableVerdict.REFUSED, shown(str(played), limit=REASON_CHARS)
    add_rows(session, table, sent.first, sent.rows)
    table.state = TableState.PERSON.value if played.outcome is None else TableState.OVER.value
    table.lease_token = table.lease_until = None
    table.attempt, table.active_at = 0, now_s()
    table.differing = [*table.differing, *(at for at in sent.differing if at not in table.differing)]
    session.add(table)
    return TableVerdict.TAKEN, ""


def _held(session: Session, sent: TableRows) -> PlayTable | None:
    chosen = select(PlayTable).where(
        PlayTable.id == sent.id,
        PlayTable.state == TableState.LEASED.value,
        PlayTable.lease_token == sent.token,
    )
    return session.exec(chosen).first()
