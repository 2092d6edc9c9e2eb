"""Having the bots of tables asked: lease, commit, and only then send; and ending what fell silent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

from sqlalchemy import delete, update
from sqlmodel import Session, col, select

from gangland_ladder.playing.orders import IDLE_S, TableOrder
from gangland_web.base.clock import now_s
from gangland_web.league.dispatch.codes import CodePost, put_codes, sources_of
from gangland_web.league.dispatch.senders import ensure_seal
from gangland_web.league.hosts import playing_hosts
from gangland_web.league.leases import has_ended
from gangland_web.league.playing.standings import rows_of, setup_of
from gangland_web.league.playing.tables import end_table, is_open
from gangland_web.models.columns import stored, table_of
from gangland_web.models.database import Database
from gangland_web.models.jobs import (
    TABLE_ATTEMPTS,
    TABLE_SENT_S,
    PlayHint,
    PlayRow,
    PlayTable,
    TableAnalysis,
    TableState,
)
from gangland_web.models.matches import WorkerHost
from gangland_web.models.site import maintenance

KEPT_S: Final = 30 * 86_400.0
"""So long a game is kept that nobody shared."""
ENDED_KEPT_S: Final = 86_400.0
"""So long a table says why it ended before its game was over."""
IDLE: Final = "Nobody decided for 15 minutes."


class TablePost(CodePost, Protocol):
    """What sending tables needs of the broker."""

    def table_workers(self) -> Mapping[str, int]:
        """Return how many workers of each host take tables alone, by its name."""

    def send_table(self, host: str, order: TableOrder) -> None:
        """Send a table to a host's workers."""


def seal_id(table_id: int) -> int:
    """Return by which number a table is known to `senders.Seal`: none that a match has."""
    return -table_id


def send_tables(database: Database, post: TablePost) -> int:
    """Send the tables whose bots are to be asked; return how many.

    A table goes to the host that had it last, where its bots are still at the table, if that host can take it.
    """
    with database.read() as session:
        if session.exec(_waiting().limit(1)).first() is None:
            return 0
    workers = post.table_workers()
    with database.write() as session:
        hosts = [host for host in playing_hosts(session) if workers.get(host.name)]
        if not hosts or maintenance(session) is not None:
            return 0
        going_on = [stored(number) for number in session.exec(select(PlayTable.id).where(is_open())).all()]
        leased = [_lease(session, table, hosts, going_on) for table in session.exec(_waiting()).all()]
        sent = [each for each in leased if each is not None]
        seats = [seat for _, order in sent for seat in order.setup.seats]
        codes = sources_of(session, {seat.code for seat in seats if seat.code is not None})
    put_codes(post, codes)
    for host, order in sent:
        post.send_table(host, order)
    return len(sent)


def sweep_tables(database: Database) -> int:
    """End idle tables, take back leases that fell silent, drop old tables; return how many leases that were."""
    now = now_s()
    lease_ended = has_ended(col(PlayTable.lease_until), now, TABLE_SENT_S)
    silent = select(PlayTable).where(PlayTable.state == TableState.LEASED.value, lease_ended)
    decided = select(PlayRow.table_id).where(PlayRow.table_id == PlayTable.id, col(PlayRow.at) >= now - IDLE_S)
    nobody_decided = (col(PlayTable.opened_at) < now - IDLE_S) & ~decided.exists()
    idle = select(PlayTable).where(is_open(), (col(PlayTable.active_at) < now - IDLE_S) | nobody_decided)
    state, active_at = col(PlayTable.state), col(PlayTable.active_at)
    over, ended = state == TableState.OVER.value, state == TableState.ENDED.value
    old = select(PlayTable.id).where(
        col(PlayTable.shared_at).is_(None),
        (over & (active_at < now - KEPT_S)) | (ended & (active_at < now - ENDED_KEPT_S)),
    )
    with database.read() as session:
        if not any(session.exec(each.limit(1)).first() for each in (silent, idle, old)):
            return 0
    with database.write() as session:
        taken = session.exec(silent).all()
        for table in taken:
            _wait_again(session, table)
        for table in session.exec(idle).all():
            end_table(session, table, IDLE)
        drop_tables(session, session.exec(old).all())
    return len(taken)


def end_attempt(session: Session, table: PlayTable, why: str) -> None:
    """End a lease of which a worker said that nothing came: the bots are asked again, or the table ends at last.

    A lease that fell silent does not count: its worker may take longer to start again than the lease lasts, and a table
    whose bots never answer ends when it is idle.
    """
    if table.attempt + 1 >= TABLE_ATTEMPTS:
        end_table(session, table, why)
        return
    table.attempt += 1
    _wait_again(session, table)


def _wait_again(session: Session, table: PlayTable) -> None:
    table.state, table.lease_token, table.lease_until = TableState.BOTS.value, None, None
    session.add(table)
    session.flush()


def drop_tables(session: Session, ids: Sequence[int | None]) -> None:
    """Drop tables with their rows."""
    for model, key in _ROWS_OF_TABLES:
        session.connection().execute(delete(table_of(model)).where(col(key).in_(ids)))


_ROWS_OF_TABLES: Final[Any] = (
    (TableAnalysis, TableAnalysis.table_id),
    (PlayHint, PlayHint.table_id),
    (PlayRow, PlayRow.table_id),
    (PlayTable, PlayTable.id),
)


def _waiting() -> Any:
    return select(PlayTable).where(PlayTable.state == TableState.BOTS.value).order_by(col(PlayTable.id))


def _lease(
    session: Session, table: PlayTable, hosts: Sequence[WorkerHost], going_on: list[int]
) -> tuple[str, TableOrder] | None:
    """Lease a table by a conditional update; None if somebody was faster."""
    host = next((each for each in hosts if each.id == table.host_id), hosts[stored(table.id) % len(hosts)])
    table_id, until = stored(table.id), now_s() + TABLE_SENT_S
    token = ensure_seal(session).token(seal_id(table_id), stored(host.id))
    lease: dict[str, Any] = {"lease_token": token, "lease_until": until, "host_id": host.id}
    its = (col(PlayTable.id) == table_id, col(PlayTable.state) == TableState.BOTS.value)
    values = {"state": TableState.LEASED.value, **lease}
    if session.connection().execute(update(table_of(PlayTable)).where(*its).values(**values)).rowcount != 1:
        return None
    setup, rows = setup_of(table), rows_of(session, table)
    return host.name, TableOrder(table_id, token, until, setup, table.limits, rows, going_on)
