"""Tables at which people play against bots: opened, answered, sent to workers, recorded, and hints."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Final, NamedTuple, Protocol

import msgspec
from sqlalchemy import delete, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from gangland.games import game_named
from gangland_ladder.analysis.games import has_reference
from gangland_ladder.common.runtime import this_release
from gangland_ladder.common.texts import distinct
from gangland_ladder.playing.hints import (
    HintAnswer,
    HintOption,
    HintOrder,
    HintRefused,
    checked_options,
    decode_answer,
    hint_order,
)
from gangland_ladder.playing.table_orders import IDLE_S, RowsRefused, TableOrder, TableRows, decode_rows, take_rows
from gangland_ladder.playing.table_state import NotOpen, Row, Setup, Standing, TableSeat
from gangland_sandbox.limits import Limits
from gangland_web.base.formats import now_s
from gangland_web.base.text import normal_name, problem_with_name, shown
from gangland_web.models.bots import Bot, Version
from gangland_web.models.columns import stored, table_of
from gangland_web.models.database import Database
from gangland_web.models.jobs import (
    AWAY_S,
    HINT_LEASE_S,
    MOST_OF_VISITORS,
    MOST_TABLES,
    OPEN_TABLES,
    TABLE_ATTEMPTS,
    TABLE_LEASE_S,
    TABLE_SENT_S,
    HintState,
    PlayHint,
    PlayRow,
    PlayTable,
    TableAnalysis,
    TableState,
    TableVerdict,
)
from gangland_web.models.matches import WorkerHost
from gangland_web.models.site import maintenance
from gangland_web.models.tournaments import hold_versions
from gangland_web.services.dispatch import CodeBroker, ensure_signer, put_codes, sources_of
from gangland_web.services.matches import has_ended, publicly_held
from gangland_web.services.tournaments import profile_of
from gangland_web.services.worker_hosts import playing_hosts

# Opening a table; answering, leaving and sharing it.


PERSON: Final = "Person"
"""What the person is called at the table."""
TOKEN_BYTES: Final = 16
SHARED_NAME_CHARS: Final = 40
LEFT: Final = "You left this table."
AWAY: Final = "You were away for 3 minutes, and somebody else needed the table."
ROUND_LIMIT: Final = 100
"""Any visitor may play, and a longer game costs more to show."""


class Person(NamedTuple):
    """The owner of a table: an account, or a browser (SHA-256 of its cookie's value)."""

    owner_id: int | None
    visitor: str | None

    def owns(self, table: PlayTable) -> bool:
        """Whether the table is this person's."""
        if table.owner_id is not None:
            return table.owner_id == self.owner_id
        return self.visitor is not None and table.visitor == self.visitor


class TableRefused(ValueError):
    """A table cannot be opened or shared so; the message is for the person."""


def opponents_of(session: Session, game: str) -> list[tuple[Bot, Version]]:
    """Return the bots of a game that people may play against, house bots first, then by name."""
    query = (
        select(Bot, Version)
        .join(Version, col(Version.id) == Bot.active_version_id)
        .where(Bot.game == game, col(Bot.plays_persons).is_(True), col(Version.id).not_in(publicly_held(session)))
        .order_by(col(Bot.is_house).desc(), col(Bot.name_key), col(Bot.id))
    )
    return list(session.exec(query).all())


def open_table(
    session: Session,
    person: Person,
    game: str,
    bot_ids: Sequence[int],
    *,
    slots: int,
    seat: int | None = None,
    options: Mapping[str, object] | None = None,
    practice: bool = False,
) -> PlayTable:
    """Open a table and return it; the person leaves one that they had open.

    Args:
        bot_ids: of the opponents, in order.
        slots: how many matches can be played at a time now.
        seat: of the person, from 0; drawn if None.
        options: those that differ from the game's defaults.
        practice: whether the person may ask for hints.

    Raises:
        TableRefused: the game has no such table, or there is no room for it now.
    """
    sizes = game_named(game).table_sizes
    if len(bot_ids) + 1 not in sizes:
        raise TableRefused(f"Choose {min(sizes) - 1} to {max(sizes) - 1} opponents, not {len(bot_ids)}.")
    rounds = (options or {}).get("round_limit", 0)
    if not isinstance(rounds, int) or rounds > ROUND_LIMIT:
        raise TableRefused(f"A game at /play ends after at most {ROUND_LIMIT} rounds, not {rounds}.")
    hold_versions(session)  # so that no bot leaves meanwhile, and two who come at once are counted
    if maintenance(session) is not None:
        raise TableRefused("The site is in maintenance: no table is opened now.")
    known = {stored(bot.id): (bot, version) for bot, version in opponents_of(session, game)}
    if missing := [each for each in bot_ids if each not in known]:
        raise TableRefused(f"Bot {missing[0]} does not play persons, or is not active now.")
    for table in open_tables_of(session, person):
        end_table(session, table, LEFT)
    if not slots:
        raise TableRefused("Nothing can be played now: no match worker is there.")
    _make_place(session, person)
    seats = [TableSeat(known[each][0].name, known[each][1].code_sha256) for each in bot_ids]
    seats.insert(secrets.randbelow(len(seats) + 1) if seat is None else seat, TableSeat(PERSON))
    setup = Setup(game, dict(options or {}), secrets.token_hex(32), secrets.token_hex(32), tuple(seats))
    now = now_s()
    table = PlayTable(
        token=secrets.token_urlsafe(TOKEN_BYTES),
        owner_id=person.owner_id,
        visitor=None if person.owner_id is not None else person.visitor,
        setup=msgspec.to_builtins(setup),
        limits=Limits.of(profile_of(session, game), 1).to_dict(),
        practice=practice,
        opened_at=now,
        active_at=now,
    )
    session.add(table)
    session.flush()
    return table


def open_tables_of(session: Session, person: Person) -> Sequence[PlayTable]:
    """Return the open tables of a person: one, or none."""
    if person == Person(None, None):
        return ()
    of_account = person.owner_id is not None
    whose = PlayTable.owner_id == person.owner_id if of_account else PlayTable.visitor == person.visitor
    return session.exec(select(PlayTable).where(is_open(), whose)).all()


def _make_place(session: Session, person: Person) -> None:
    """Make sure that one more table can be opened, by ending one whose person is away.  Raises TableRefused."""
    open_now = session.exec(select(PlayTable).where(is_open()).order_by(col(PlayTable.active_at))).all()
    of_visitors = [table for table in open_now if table.owner_id is None]
    if person.owner_id is None and len(of_visitors) >= MOST_OF_VISITORS:
        tables, words = of_visitors, f"All {MOST_OF_VISITORS} tables for people without an account are taken."
    elif len(open_now) >= MOST_TABLES:
        tables, words = list(open_now), f"All {MOST_TABLES} tables are taken."
    else:
        return
    if tables[0].active_at >= now_s() - AWAY_S:
        raise TableRefused(
            f"{words} Try again soon: a table becomes free when its game ends, or 3 minutes after its page was closed."
        )
    end_table(session, tables[0], AWAY)


def rematch(session: Session, person: Person, table: PlayTable, *, slots: int) -> PlayTable:
    """Open a table with the same bots and options, all one seat further.

    Raises:
        TableRefused: as `open_table`, or a bot has another version now or no longer plays people.
    """
    setup = setup_of(table)
    by_code = {version.code_sha256: stored(bot.id) for bot, version in opponents_of(session, setup.game)}
    turned = [setup.seats[-1], *setup.seats[:-1]]
    bots = [by_code.get(seat.code or "") for seat in turned if seat.code is not None]
    if any(bot is None for bot in bots):
        raise TableRefused("A bot of this table does not play any more as it did; choose the opponents anew.")
    seat = next(index for index, each in enumerate(turned) if each.code is None)
    opponents = [bot for bot in bots if bot is not None]
    same: dict[str, Any] = {"options": setup.options, "practice": table.practice}
    return open_table(session, person, setup.game, opponents, slots=slots, seat=seat, **same)


def see_person(session: Session, table: PlayTable) -> None:
    """Note that the page of a table's person is open."""
    this_one = (col(PlayTable.id) == table.id, is_open())
    session.connection().execute(update(table_of(PlayTable)).where(*this_one).values(active_at=now_s()))


class Answer(NamedTuple):
    """A person's answer that the rules allow.

    Attributes:
        question: its number among the person's.
        row: the number of its row, if no other row comes between.
    """

    seat: int
    question: int
    decision: Any
    row: int


def checked_answer(table: PlayTable, standing: Standing, number: int, decision: Any) -> Answer:
    """Check the person's answer to an open question.

    Call it before anything is locked: it looks through a game that may be long.

    Args:
        number: of the question.
        decision: as JSON has it.

    Raises:
        NotOpen: that question is not open.
        IllegalDecision: the rules refuse the answer.
    """
    if table.state != TableState.PERSON:
        raise NotOpen("no question is open")
    (seat,) = standing.setup.persons
    return Answer(seat, number, standing.check_person(seat, number, decision), len(standing.rows))


def answer(session: Session, table: PlayTable, checked: Answer) -> None:
    """Store the person's answer; the bots are next.

    Raises:
        NotOpen: its question was answered a moment ago.
    """
    values = {"state": TableState.BOTS.value, "active_at": now_s(), "attempt": 0}
    waiting = (col(PlayTable.id) == table.id, col(PlayTable.state) == TableState.PERSON.value)
    updated = session.connection().execute(update(table_of(PlayTable)).where(*waiting).values(**values))
    if updated.rowcount != 1:
        raise NotOpen(f"question {checked.question} is answered")
    hint = find_hint(session, table, checked.question)
    had_hint = hint is not None and hint.state == HintState.DONE
    try:
        add_rows(session, table, checked.row, [Row(checked.seat, checked.decision, hint=had_hint)])
    except IntegrityError as twice:
        raise NotOpen(f"question {checked.question} is answered") from twice


def add_rows(session: Session, table: PlayTable, first: int, rows: Sequence[Row]) -> None:
    """Add rows, numbered from `first`.  Raises IntegrityError if a number is taken."""
    now = now_s()
    for number, row in enumerate(rows, first):
        session.add(PlayRow(table_id=table.id, number=number, record=msgspec.to_builtins(row), at=now))
    session.flush()


def end_table(session: Session, table: PlayTable, why: str) -> None:
    """End a table before its game is over; nothing happens to one that has ended."""
    values = {"state": TableState.ENDED.value, "lease_token": None, "lease_until": None, "ended_for": why}
    session.connection().execute(
        update(table_of(PlayTable)).where(col(PlayTable.id) == table.id, is_open()).values(**values)
    )
    session.expire(table)


def is_open() -> Any:
    """Return the condition that a table is open."""
    return col(PlayTable.state).in_([state.value for state in OPEN_TABLES])


def share(session: Session, table: PlayTable, *, shared: bool, name: str = "") -> None:
    """Share a game that is over with all who know its address, or stop sharing it.

    Args:
        name: of the person on the shared page; "" for "Person".

    Raises:
        TableRefused: it cannot be a name.
    """
    name = normal_name(name)
    if len(name) > SHARED_NAME_CHARS:
        raise TableRefused(f"The name has {len(name)} characters, over {SHARED_NAME_CHARS}.")
    if problem := problem_with_name(name):
        raise TableRefused(f"The name {problem}.")
    if table.state == TableState.OVER:
        table.shared_at = now_s() if shared else None
        table.shared_name = name or None if shared else None
        session.add(table)
        session.flush()


def names_as_shared(table: PlayTable, setup: Setup) -> tuple[str, ...]:
    """Return the names of the seats on the shared page, with the person's chosen name."""
    name = table.shared_name or PERSON
    return tuple(distinct([name if seat.code is None else seat.name for seat in setup.seats]))


# Standings: the state of each open table, kept in memory, so that no request replays a game from its start.


MOST_STANDINGS: Final = 64
"""Of a process: more than tables can be open at a time."""


@dataclass(slots=True)
class _Kept:
    lock: Lock = field(default_factory=Lock)
    standing: Standing | None = None


class Standings:
    """The standings that a process keeps; those used last stay."""

    def __init__(self, limit: int = MOST_STANDINGS) -> None:
        self._limit = limit
        self._kept: OrderedDict[tuple[str, float], _Kept] = OrderedDict()
        self._lock = Lock()

    @contextmanager
    def lend(self, session: Session, table: PlayTable) -> Iterator[Standing]:
        """Lend the standing of a table after the rows that a session sees; other threads wait for it.

        `forget` it if it took rows that were not stored after all.
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
        """Build the standing of a table from its rows when it is lent next."""
        with self._lock:
            self._kept.pop(_key(table), None)


def _key(table: PlayTable) -> tuple[str, float]:
    return table.token, table.opened_at


standings: Final = Standings()
"""This process's."""


def setup_of(table: PlayTable) -> Setup:
    """Return what was fixed before the first die."""
    return msgspec.convert(table.setup, Setup)


def rows_of(session: Session, table: PlayTable, first: int = 0) -> list[Row]:
    """Return the stored rows of a table in order, from number `first` on."""
    query = select(PlayRow.record).where(PlayRow.table_id == table.id, col(PlayRow.number) >= first)
    return [msgspec.convert(record, Row) for record in session.exec(query.order_by(col(PlayRow.number))).all()]


# Sending the bots' turns: lease, commit, and only then send; silent workers lose their lease.


class TableBroker(CodeBroker, Protocol):
    """What sending tables needs of the broker."""

    def table_workers(self) -> Mapping[str, int]:
        """Return how many workers of each host take tables alone, by its name."""

    def send_table(self, host: str, order: TableOrder) -> None:
        """Send a table to a host's workers."""


def send_tables(database: Database, broker: TableBroker) -> int:
    """Send the tables whose bots are next to decide; return how many.

    A table goes to the host that had it last, where its bots still run, if that host can take it.
    """
    with database.read() as session:
        if session.exec(_waiting_tables().limit(1)).first() is None:
            return 0
    workers = broker.table_workers()
    with database.write() as session:
        hosts = [host for host in playing_hosts(session) if workers.get(host.name)]
        if not hosts or maintenance(session) is not None:
            return 0
        going_on = [stored(number) for number in session.exec(select(PlayTable.id).where(is_open())).all()]
        leased = [_lease_table(session, table, hosts, going_on) for table in session.exec(_waiting_tables()).all()]
        sent = [each for each in leased if each is not None]
        seats = [seat for _, order in sent for seat in order.setup.seats]
        codes = sources_of(session, {seat.code for seat in seats if seat.code is not None})
    put_codes(broker, codes)
    for host, order in sent:
        broker.send_table(host, order)
    return len(sent)


def _waiting_tables() -> Any:
    return select(PlayTable).where(PlayTable.state == TableState.BOTS.value).order_by(col(PlayTable.id))


def _lease_table(
    session: Session, table: PlayTable, hosts: Sequence[WorkerHost], going_on: list[int]
) -> tuple[str, TableOrder] | None:
    """Lease a table by a conditional update; None if another process was faster."""
    host = next((each for each in hosts if each.id == table.host_id), hosts[stored(table.id) % len(hosts)])
    table_id, until = stored(table.id), now_s() + TABLE_SENT_S
    token = ensure_signer(session).token(token_number(table_id), stored(host.id))
    lease = {"state": TableState.LEASED.value, "lease_token": token, "lease_until": until, "host_id": host.id}
    waiting = (col(PlayTable.id) == table_id, col(PlayTable.state) == TableState.BOTS.value)
    if session.connection().execute(update(table_of(PlayTable)).where(*waiting).values(**lease)).rowcount != 1:
        return None
    setup, rows = setup_of(table), rows_of(session, table)
    return host.name, TableOrder(table_id, token, until, setup, table.limits, rows, going_on)


def token_number(table_id: int) -> int:
    """Return the number of a table in the tokens of leases: none that a match has."""
    return -table_id


KEPT_S: Final = 30 * 86_400.0
"""Of a game that is over and not shared."""
ENDED_KEPT_S: Final = 86_400.0
"""Of a table that ended before its game was over."""
IDLE: Final = "Nobody decided for 15 minutes."


def sweep_tables(database: Database) -> int:
    """Take back silent leases, end idle tables and drop old ones; return the number of leases."""
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


def _end_attempt(session: Session, table: PlayTable, why: str) -> None:
    """End a lease whose worker reported a failure: the bots are asked again, or the table ends.

    A silent lease is no attempt: its worker may need longer to restart than the lease lasts, and a table whose bots
    never answer ends when it is idle.
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


# Recording the bots' rows: the only writer of them.


REASON_CHARS = 300


@dataclass(frozen=True, slots=True)
class RecordedTable:
    """A verdict, the table that it is about, and a sentence for the log."""

    verdict: TableVerdict
    table_id: int | None
    why: str = ""


def record_rows(database: Database, text: str) -> RecordedTable:
    """Record a worker's message: decode it strictly, play its rows, and add them if its lease holds."""
    try:
        sent = decode_rows(text)
    except RowsRefused as refused:
        return RecordedTable(TableVerdict.REFUSED, None, str(refused))
    if sent.release != this_release():
        return RecordedTable(TableVerdict.REFUSED, sent.id, f"it is of release {sent.release[:40]!r}")
    played: Standing | RowsRefused | None = None
    with database.read() as session:
        table = _leased_table(session, sent)
        if table is not None and sent.done and not sent.ended and not sent.failed:
            played = _replay_rows(session, table, sent)
    if table is None:
        return RecordedTable(TableVerdict.STALE, sent.id)
    verdict, why = TableVerdict.STALE, ""
    with database.write() as session:
        if (held := _leased_table(session, sent)) is not None:
            verdict, why = _store_rows(session, held, sent, played)
    if played is not None and verdict is not TableVerdict.TAKEN:
        standings.forget(table)
    return RecordedTable(verdict, sent.id, why)


def _leased_table(session: Session, sent: TableRows) -> PlayTable | None:
    query = select(PlayTable).where(
        PlayTable.id == sent.id, PlayTable.state == TableState.LEASED.value, PlayTable.lease_token == sent.token
    )
    return session.exec(query).first()


def _replay_rows(session: Session, table: PlayTable, sent: TableRows) -> Standing | RowsRefused:
    """Play the rows that were sent; call it before anything is locked."""
    with standings.lend(session, table) as standing:
        try:
            return take_rows(standing, sent)
        except RowsRefused as refused:
            return refused


def _store_rows(
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
        _end_attempt(session, table, "The bots could not be asked: the machine that plays failed.")
        return TableVerdict.FAILED, shown(sent.failed, limit=REASON_CHARS)
    if played is None or isinstance(played, RowsRefused):
        _end_attempt(session, table, "What the bots answered could not be right.")
        return TableVerdict.REFUSED, shown(str(played), limit=REASON_CHARS)
    add_rows(session, table, sent.first, sent.rows)
    table.state = TableState.PERSON.value if played.outcome is None else TableState.OVER.value
    table.lease_token = table.lease_until = None
    table.attempt, table.active_at = 0, now_s()
    table.differing = [*table.differing, *(at for at in sent.differing if at not in table.differing)]
    session.add(table)
    return TableVerdict.TAKEN, ""


# Hints: asked for by the person, computed by an analysis worker, stored with the table.


class NoHints(ValueError):
    """The table has no hints; the message is for the person."""


class HintBroker(Protocol):
    """What sending hints needs of the broker."""

    def send_hint(self, order: HintOrder) -> None:
        """Send an order to the workers that analyze games."""


def check_hint(session: Session, table: PlayTable, number: int) -> None:
    """Check that a hint can be asked for at question `number`; call it before anything is locked.

    Raises:
        NoHints: it is no practice table, or its game has no reference player.
        NotOpen: that question is not open.
    """
    setup = setup_of(table)
    if not table.practice or not has_reference(setup.game):
        raise NoHints("There are hints at practice tables alone.")
    if table.state != TableState.PERSON:
        raise NotOpen("no question is open")
    with standings.lend(session, table) as standing:
        open_question = standing.open_question(*setup.persons)
    if open_question.number != number:
        raise NotOpen(f"question {number} is not open, question {open_question.number} is")


def ask_hint(session: Session, table: PlayTable, number: int) -> None:
    """Have the reference player asked about a question, unless it is or was already.

    If the question was answered meanwhile, `send_hints` deletes its hint.
    """
    hint = find_hint(session, table, number)
    if hint is None:
        try:
            with session.begin_nested():
                session.add(PlayHint(table_id=table.id, number=number, token=secrets.token_hex(TOKEN_BYTES)))
                session.flush()
        except IntegrityError:  # asked twice at the same moment
            session.expire_all()
    elif hint.state == HintState.FAILED:
        hint.state, hint.attempt = HintState.WAITING.value, 0
        session.add(hint)
        session.flush()


def find_hint(session: Session, table: PlayTable, number: int) -> PlayHint | None:
    """Return the hint that was asked for at question `number`, or None."""
    return session.get(PlayHint, (table.id, number))


def options_of(hint: PlayHint) -> list[HintOption]:
    """Return the options of a hint, best first; none while it is not computed."""
    return msgspec.convert(hint.options or [], list[HintOption])


def send_hints(database: Database, broker: HintBroker) -> int:
    """Send the hints that wait to a worker; return how many.

    A hint whose question is no longer open is deleted.
    """
    with database.read() as session:
        if session.exec(_waiting_hints().limit(1)).first() is None:
            return 0
    with database.write() as session:
        if maintenance(session) is not None:
            return 0
        leased = [_lease_hint(session, hint) for hint in session.exec(_waiting_hints()).all()]
    sent = [order for order in leased if order is not None]
    for order in sent:
        broker.send_hint(order)
    return len(sent)


def _waiting_hints() -> Any:
    waiting = select(PlayHint).where(PlayHint.state == HintState.WAITING.value)
    return waiting.order_by(col(PlayHint.table_id), col(PlayHint.number))


def _lease_hint(session: Session, hint: PlayHint) -> HintOrder | None:
    """Lease a hint by a conditional update; None if another process was faster or its question is not open any more."""
    number = stored(hint.number)
    this_one = (col(PlayHint.table_id) == hint.table_id, col(PlayHint.number) == number)
    until = now_s() + HINT_LEASE_S
    with _standing_at(session, session.get_one(PlayTable, hint.table_id), number) as standing:
        if standing is None:
            session.connection().execute(delete(table_of(PlayHint)).where(*this_one))
            return None
        seat = standing.setup.persons[0]
        order = hint_order(standing, seat, id=stored(hint.table_id), token=hint.token, until=until)
    values: dict[str, Any] = {"state": HintState.LEASED.value, "lease_until": until}
    values["attempt"] = col(PlayHint.attempt) + 1
    waiting = col(PlayHint.state) == HintState.WAITING.value
    leased = session.connection().execute(update(table_of(PlayHint)).where(*this_one, waiting).values(**values))
    return order if leased.rowcount == 1 else None


@contextmanager
def _standing_at(session: Session, table: PlayTable, number: int) -> Iterator[Standing | None]:
    """Lend the standing of a table if question `number` is open, else None."""
    if table.state != TableState.PERSON:
        yield None
        return
    with standings.lend(session, table) as standing:
        question = standing.find_question(standing.setup.persons[0])
        yield standing if question is not None and question.number == number else None


def sweep_hints(database: Database) -> int:
    """Take back silent leases: the hint waits again, or has failed; return how many."""
    ended = has_ended(col(PlayHint.lease_until), now_s(), HINT_LEASE_S)
    silent = select(PlayHint).where(PlayHint.state == HintState.LEASED.value, ended)
    with database.read() as session:
        if session.exec(silent.limit(1)).first() is None:
            return 0
    with database.write() as session:
        taken = session.exec(silent).all()
        for hint in taken:
            _end_hint(session, hint, HintState.WAITING if hint.attempt < TABLE_ATTEMPTS else HintState.FAILED)
    return len(taken)


def _end_hint(session: Session, hint: PlayHint, state: HintState, options: Sequence[HintOption] | None = None) -> None:
    hint.state, hint.lease_until = state.value, None
    hint.options = None if options is None else msgspec.to_builtins(options)
    session.add(hint)
    session.flush()


def record_hint(database: Database, text: str) -> RecordedTable:
    """Record a worker's answer: decode it strictly, check its decisions, and store it while its question is open.

    An answer after the end of its lease counts, too: the worker gives way to all other work, and may have had to wait.
    """
    try:
        answer = decode_answer(text)
    except HintRefused as refused:
        return RecordedTable(TableVerdict.REFUSED, None, str(refused))
    if answer.release != this_release():
        return RecordedTable(TableVerdict.REFUSED, answer.id, f"it is of release {answer.release[:40]!r}")
    with database.read() as session:
        table = session.get(PlayTable, answer.id)
        kind, why, options = (
            _verdict_on(session, table, answer) if table is not None else (TableVerdict.STALE, "", None)
        )
    with database.write() as session:
        this_hint = (PlayHint.table_id == answer.id, PlayHint.number == answer.number, PlayHint.token == answer.token)
        hint = session.exec(select(PlayHint).where(*this_hint, PlayHint.state != HintState.DONE.value)).first()
        if hint is None:
            return RecordedTable(TableVerdict.STALE, answer.id)
        if kind is TableVerdict.STALE:
            session.delete(hint)
        else:
            _end_hint(session, hint, HintState.FAILED if options is None else HintState.DONE, options)
    return RecordedTable(kind, answer.id, why)


def _verdict_on(
    session: Session, table: PlayTable, answer: HintAnswer
) -> tuple[TableVerdict, str, Sequence[HintOption] | None]:
    """Return the verdict on an answer, the reason, and its options; call it before anything is locked."""
    with _standing_at(session, table, answer.number) as standing:
        if standing is None:
            return TableVerdict.STALE, "", None
        if answer.failed:
            return TableVerdict.FAILED, shown(answer.failed, limit=REASON_CHARS), None
        try:
            return TableVerdict.TAKEN, "", checked_options(standing, standing.setup.persons[0], answer)
        except HintRefused as refused:
            return TableVerdict.REFUSED, shown(str(refused), limit=REASON_CHARS), None
