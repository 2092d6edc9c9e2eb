"""Tables where people play against bots: opening them, answers, jobs for workers, results and hints."""

import logging
import secrets
from collections import OrderedDict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Raw
from sqlalchemy import delete, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from gangland.games import game_named
from gangland_ladder.analysis.games import has_reference
from gangland_ladder.common.texts import distinct_names
from gangland_ladder.matches.judging import JudgedMatch, judge, views_digest
from gangland_ladder.matches.match_jobs import FaultRecord, GameRecord, MatchJob, Result, Seat
from gangland_ladder.playing.hints import HintJob, HintOption, HintRefused, checked_options, decode_answer, hint_job
from gangland_ladder.playing.table_jobs import IDLE_S, RowsRefused, TableJob, TableRows, apply_rows, decode_rows
from gangland_ladder.playing.table_state import LiveTable, NotOpen, Row, Setup, TableSeat
from gangland_sandbox.limits import Limits
from gangland_web.base.formats import now_s
from gangland_web.base.text import normal_name, problem_with_name, shown
from gangland_web.broker.names import QUEUE_SOON, QUEUE_TABLES
from gangland_web.models import jobs
from gangland_web.models.bots import Bot, Version
from gangland_web.models.columns import row_id, table_of
from gangland_web.models.database import Database
from gangland_web.models.matches import MatchSeat, PrivatePurpose
from gangland_web.models.site import maintenance
from gangland_web.models.tournaments import lock_versions
from gangland_web.services.jobs import FatalError, JobFailed, JobGone, Kind, ResultRefused, add_job, drop_jobs, register
from gangland_web.services.match_jobs import sources_of
from gangland_web.services.matches import drop_private_matches, public_quarantine, store_private
from gangland_web.services.tournaments import profile_of

log = logging.getLogger("gangland_web.play")


# Opening a table, answering, leaving and sharing.


PLAYER_NAME: Final = "Person"  # the player's name at the table
TOKEN_BYTES: Final = 16
SHARED_NAME_CHARS: Final = 40
NO_WORKER: Final = "No game can start now, because no match worker is running."
LEFT_REASON: Final = "You left this table."
AWAY_REASON: Final = "You were away for 3 minutes, and another player needed the table."
ROUND_LIMIT: Final = 100  # maximum number of rounds, since any visitor may play, and a longer game costs more to show


class TableOwner(NamedTuple):
    """The owner of a table: an account, or a browser (identified by the SHA-256 of its cookie)."""

    owner_id: int | None
    visitor: str | None

    def owns(self, table: jobs.PlayTable) -> bool:
        """Return whether the table is this player's."""
        if table.owner_id is not None:
            return table.owner_id == self.owner_id
        return self.visitor is not None and table.visitor == self.visitor


def table_owner(owner_id: int | None, browser: str | None) -> TableOwner:
    """Return the owner of a visitor's tables: the account if the visitor is signed in, or else the browser."""
    return TableOwner(owner_id, browser if owner_id is None else None)


class TableRefused(ValueError):
    """A table cannot be opened or shared; the message explains why, for the user."""


def opponents_of(
    session: Session, game: str, *, bot_ids: Collection[int] | None = None, limit: int | None = None
) -> list[tuple[Bot, Version]]:
    """Return a game's bots that play against people, house bots first, then by name, at most `limit` of them."""
    query = (
        select(Bot, Version)
        .join(Version, col(Version.id) == Bot.active_version_id)
        .where(Bot.game == game, col(Bot.plays_persons).is_(True), col(Version.id).not_in(public_quarantine(session)))
        .order_by(col(Bot.is_house).desc(), col(Bot.name_key), col(Bot.id))
        .limit(limit)
    )
    return list(session.exec(query if bot_ids is None else query.where(col(Bot.id).in_(bot_ids))).all())


def open_table(
    session: Session,
    owner: TableOwner,
    game: str,
    bot_ids: Sequence[int],
    *,
    slots: int,
    seat: int | None = None,
    options: Mapping[str, object] | None = None,
    practice: bool = False,
) -> jobs.PlayTable:
    """Open a table against these bots, in order, and end the player's open table, if any.  Raises TableRefused.

    `slots`: the number of matches that can be played at a time now.  `seat`: the player's seat, from 0, or None for a
    random one.  `options`: those that differ from the game's defaults.  `practice`: whether the player may request
    hints.
    """
    sizes = game_named(game).table_sizes
    if len(bot_ids) + 1 not in sizes:
        raise TableRefused(f"Choose {min(sizes) - 1} to {max(sizes) - 1} opponents, not {len(bot_ids)}.")
    rounds = (options or {}).get("round_limit", 0)
    if not isinstance(rounds, int) or rounds > ROUND_LIMIT:
        raise TableRefused(f"The round limit must be at most {ROUND_LIMIT}, not {rounds}.")
    lock_versions(session)  # so that no bot leaves meanwhile, and simultaneous requests are all counted
    if maintenance(session) is not None:
        raise TableRefused("The site is under maintenance, so no game can start.")
    opponents = {row_id(bot.id): (bot, version) for bot, version in opponents_of(session, game, bot_ids=bot_ids)}
    if missing := [bot_id for bot_id in bot_ids if bot_id not in opponents]:
        raise TableRefused(f"Bot {missing[0]} is not available as an opponent now. Choose another one.")
    for table in open_tables_of(session, owner):
        end_table(session, table, LEFT_REASON)
    if not slots:
        raise TableRefused(NO_WORKER)
    _make_room(session, owner)
    seats = [TableSeat(opponents[bot_id][0].name, opponents[bot_id][1].code_sha256) for bot_id in bot_ids]
    seats.insert(secrets.randbelow(len(seats) + 1) if seat is None else seat, TableSeat(PLAYER_NAME))
    setup = Setup(game, dict(options or {}), secrets.token_hex(32), secrets.token_hex(32), tuple(seats))
    now = now_s()
    table = jobs.PlayTable(
        token=secrets.token_urlsafe(TOKEN_BYTES),
        owner_id=owner.owner_id,
        visitor=None if owner.owner_id is not None else owner.visitor,
        setup=msgspec.to_builtins(setup),
        limits=Limits.of(profile_of(session, game), 1).to_dict(),
        practice=practice,
        opened_at=now,
        active_at=now,
    )
    session.add(table)
    session.flush()
    add_job(session, TABLE, row_id(table.id))
    return table


def open_tables_of(session: Session, owner: TableOwner) -> Sequence[jobs.PlayTable]:
    """Return a player's open tables; a player can have only one."""
    if owner == TableOwner(None, None):
        return ()
    return session.exec(select(jobs.PlayTable).where(is_open(), _owner_condition(owner))).all()


def games_of(session: Session, owner: TableOwner, game: str, limit: int) -> Sequence[jobs.PlayTable]:
    """Return the tables of a player's latest completed games, newest first."""
    if owner == TableOwner(None, None):
        return ()
    ended = (jobs.PlayTable.state == jobs.TableState.OVER.value, col(jobs.PlayTable.setup)["game"].as_string() == game)
    latest = select(jobs.PlayTable).where(_owner_condition(owner), *ended).order_by(col(jobs.PlayTable.id).desc())
    return session.exec(latest.limit(limit)).all()


def _owner_condition(owner: TableOwner) -> Any:
    of_account = owner.owner_id is not None
    return jobs.PlayTable.owner_id == owner.owner_id if of_account else jobs.PlayTable.visitor == owner.visitor


def _make_room(session: Session, owner: TableOwner) -> None:
    """Make room for a table, if necessary by ending a table whose player is away.  Raises TableRefused."""
    open_tables = session.exec(select(jobs.PlayTable).where(is_open()).order_by(col(jobs.PlayTable.active_at))).all()
    of_visitors = [table for table in open_tables if table.owner_id is None]
    if owner.owner_id is None and len(of_visitors) >= jobs.MAX_VISITOR_TABLES:
        tables, text = of_visitors, f"All {jobs.MAX_VISITOR_TABLES} tables for people without an account are taken."
    elif len(open_tables) >= jobs.MAX_OPEN_TABLES:
        tables, text = list(open_tables), f"All {jobs.MAX_OPEN_TABLES} tables are taken."
    else:
        return
    if tables[0].active_at >= now_s() - jobs.AWAY_S:
        raise TableRefused(f"{text} Try again in a few minutes.")
    end_table(session, tables[0], AWAY_REASON)


def rematch(session: Session, owner: TableOwner, table: jobs.PlayTable, *, slots: int) -> jobs.PlayTable:
    """Open a table with the same bots and options, with all players moved by one seat.  Raises TableRefused."""
    setup = setup_of(table)
    by_code = {version.code_sha256: row_id(bot.id) for bot, version in opponents_of(session, setup.game)}
    rotated = [setup.seats[-1], *setup.seats[:-1]]
    bots = [by_code.get(seat.code or "") for seat in rotated if seat.code is not None]
    if any(bot is None for bot in bots):
        raise TableRefused("A bot at this table has changed. Choose your opponents again.")
    seat = next(index for index, each in enumerate(rotated) if each.code is None)
    opponents = [bot for bot in bots if bot is not None]
    settings: dict[str, Any] = {"options": setup.options, "practice": table.practice}
    return open_table(session, owner, setup.game, opponents, slots=slots, seat=seat, **settings)


def record_presence(session: Session, table: jobs.PlayTable) -> None:
    """Record that the player has the table's page open."""
    conditions = (col(jobs.PlayTable.id) == table.id, is_open())
    session.connection().execute(update(table_of(jobs.PlayTable)).where(*conditions).values(active_at=now_s()))


class Answer(NamedTuple):
    """A player's legal answer; `question` is the question's number among the player's questions."""

    seat: int
    question: int
    decision: Any
    row: int  # the answer's row number, unless another row is added first


def checked_answer(table: jobs.PlayTable, live_table: LiveTable, number: int, decision: Any) -> Answer:
    """Check a player's answer (decoded JSON) to the open question.  Raises NotOpen or IllegalDecision.

    Do not call this while holding a lock, because it may replay a long game.
    """
    if table.state != jobs.TableState.PERSON:
        raise NotOpen("no question is open")
    (seat,) = live_table.setup.humans
    return Answer(seat, number, live_table.check_human(seat, number, decision), len(live_table.rows))


def store_answer(session: Session, table: jobs.PlayTable, answer: Answer) -> None:
    """Store a player's answer and queue the bots' turn.  Raises NotOpen: the question has already been answered."""
    values = {"state": jobs.TableState.BOTS.value, "active_at": now_s()}
    waiting = (col(jobs.PlayTable.id) == table.id, col(jobs.PlayTable.state) == jobs.TableState.PERSON.value)
    updated = session.connection().execute(update(table_of(jobs.PlayTable)).where(*waiting).values(**values))
    if updated.rowcount != 1:
        raise NotOpen(f"question {answer.question} has already been answered")
    hint = find_hint(session, table, answer.question)
    had_hint = hint is not None and hint.state == jobs.HintState.DONE
    try:
        add_rows(session, table, answer.row, [Row(answer.seat, answer.decision, hint=had_hint)])
    except IntegrityError as error:
        raise NotOpen(f"question {answer.question} has already been answered") from error
    add_job(session, TABLE, row_id(table.id))


def add_rows(session: Session, table: jobs.PlayTable, first: int, rows: Sequence[Row]) -> None:
    """Add rows, numbered from `first`.  Raises IntegrityError: a number is taken."""
    now = now_s()
    for number, row in enumerate(rows, first):
        session.add(jobs.PlayRow(table_id=table.id, number=number, content=msgspec.to_builtins(row), at=now))
    session.flush()


def end_table(session: Session, table: jobs.PlayTable, reason: str) -> None:
    """End a table before its game is over; has no effect on a table that is not open."""
    values = {"state": jobs.TableState.ENDED.value, "ended_for": reason}
    session.connection().execute(
        update(table_of(jobs.PlayTable)).where(col(jobs.PlayTable.id) == table.id, is_open()).values(**values)
    )
    session.expire(table)


def is_open() -> Any:
    """Return the SQL condition that a table is open."""
    return col(jobs.PlayTable.state).in_([state.value for state in jobs.OPEN_TABLES])


def set_sharing(session: Session, table: jobs.PlayTable, *, is_shared: bool, name: str = "") -> None:
    """Share a completed game with anyone who has the link, or stop sharing it.  Raises TableRefused.

    `name` is the player's name on the shared page, or "" for "Person".
    """
    name = normal_name(name)
    if len(name) > SHARED_NAME_CHARS:
        raise TableRefused(f"A name must have at most {SHARED_NAME_CHARS} characters, not {len(name)}.")
    if problem := problem_with_name(name):
        raise TableRefused(f"The name {problem}.")
    if table.state == jobs.TableState.OVER:
        table.shared_at = now_s() if is_shared else None
        table.shared_name = name or None if is_shared else None
        session.add(table)
        session.flush()
        names = distinct_names(
            [(table.shared_name or PLAYER_NAME) if seat.code is None else seat.name for seat in setup_of(table).seats]
        )
        for position, unique_name in enumerate(names):
            session.get_one(MatchSeat, (table.match_id, position)).name = unique_name
        session.flush()


# Live tables: the states of open tables in memory, so that requests do not have to replay games from the start.


MAX_LIVE_TABLES: Final = 64  # per process; more than the maximum number of open tables


@dataclass(slots=True)
class _CachedTable:
    lock: Lock = field(default_factory=Lock)
    live_table: LiveTable | None = None


class LiveTables:
    """A process's cache of live tables, ordered by last use."""

    def __init__(self, limit: int = MAX_LIVE_TABLES) -> None:
        self._limit = limit
        self._cache: OrderedDict[tuple[int, float], _CachedTable] = OrderedDict()
        self._lock = Lock()

    @contextmanager
    def lend(self, session: Session, table: jobs.PlayTable) -> Iterator[LiveTable]:
        """Lend the live table with all rows that the session can see; other threads wait until it is returned.

        Call `forget` if rows were added to the live table but not stored in the end.
        """
        with self._lock:
            cached = self._cache.setdefault(_key(table), _CachedTable())
            self._cache.move_to_end(_key(table))
            while len(self._cache) > self._limit:
                self._cache.popitem(last=False)
        with cached.lock:
            # The latest row is reloaded, because this session may not see it.
            known = [] if cached.live_table is None else cached.live_table.rows
            first = max(len(known) - 1, 0)
            rows = rows_of(session, table, first)
            if cached.live_table is None or rows[:1] != known[first:]:
                cached.live_table = None
                cached.live_table = LiveTable(setup_of(table), rows_of(session, table) if first else rows)
            else:
                for row in rows[1:]:
                    cached.live_table.apply(row)
            yield cached.live_table

    def forget(self, table: jobs.PlayTable) -> None:
        """Remove a live table from the cache, so that the next `lend` rebuilds it from its rows."""
        with self._lock:
            self._cache.pop(_key(table), None)

    def forget_id(self, table_id: int) -> None:
        """Remove a live table from the cache, like `forget`, if the table itself may have been deleted."""
        with self._lock:
            for key in [key for key in self._cache if key[0] == table_id]:
                del self._cache[key]


def _key(table: jobs.PlayTable) -> tuple[int, float]:
    return row_id(table.id), table.opened_at


live_tables: Final = LiveTables()


def setup_of(table: jobs.PlayTable) -> Setup:
    """Return a table's setup, which is fixed before the first die is rolled."""
    return msgspec.convert(table.setup, Setup)


def rows_of(session: Session, table: jobs.PlayTable, first: int = 0) -> list[Row]:
    """Return a table's stored rows in order, from number `first` on."""
    query = select(jobs.PlayRow.content).where(jobs.PlayRow.table_id == table.id, col(jobs.PlayRow.number) >= first)
    return [msgspec.convert(content, Row) for content in session.exec(query.order_by(col(jobs.PlayRow.number))).all()]


# Idle and old tables.


RETENTION_S: Final = 30 * 86_400.0  # storage time of a completed game that is not shared
ENDED_RETENTION_S: Final = 86_400.0  # storage time of a table that ended before its game was over
IDLE_REASON: Final = "No decision was made for 15 minutes."


def sweep_tables(database: Database) -> None:
    """End idle tables and delete old ones."""
    now = now_s()
    decisions = select(jobs.PlayRow.table_id).where(
        jobs.PlayRow.table_id == jobs.PlayTable.id, col(jobs.PlayRow.at) >= now - IDLE_S
    )
    no_decision = (col(jobs.PlayTable.opened_at) < now - IDLE_S) & ~decisions.exists()
    idle = select(jobs.PlayTable).where(is_open(), (col(jobs.PlayTable.active_at) < now - IDLE_S) | no_decision)
    state, active_at = col(jobs.PlayTable.state), col(jobs.PlayTable.active_at)
    over, ended = state == jobs.TableState.OVER.value, state == jobs.TableState.ENDED.value
    old = select(jobs.PlayTable.id).where(
        col(jobs.PlayTable.shared_at).is_(None),
        (over & (active_at < now - RETENTION_S)) | (ended & (active_at < now - ENDED_RETENTION_S)),
    )
    with database.read() as session:
        if not any(session.exec(query.limit(1)).first() for query in (idle, old)):
            return
    with database.write() as session:
        for table in session.exec(idle).all():
            end_table(session, table, IDLE_REASON)
        drop_tables(session, session.exec(old).all())


def drop_tables(session: Session, ids: Sequence[int | None]) -> None:
    """Delete tables with their rows, jobs and games."""
    drop_jobs(session, TABLE.name, ids)
    _drop_rows(session, ids)
    matches = session.exec(select(jobs.PlayTable.match_id).where(col(jobs.PlayTable.id).in_(ids))).all()
    session.connection().execute(delete(table_of(jobs.PlayTable)).where(col(jobs.PlayTable.id).in_(ids)))
    drop_private_matches(session, matches)


def _drop_rows(session: Session, ids: Sequence[int | None]) -> None:
    drop_jobs(
        session, HINT.name, session.exec(select(jobs.PlayHint.id).where(col(jobs.PlayHint.table_id).in_(ids))).all()
    )
    for model, key in ((jobs.PlayHint, jobs.PlayHint.table_id), (jobs.PlayRow, jobs.PlayRow.table_id)):
        session.connection().execute(delete(table_of(model)).where(col(key).in_(ids)))


# The bots' turns: the job for a worker, and the checks of the rows that the worker returns.


LEASE_MARGIN_S: Final = 120.0


def _table_of(session: Session, job: jobs.Job) -> jobs.PlayTable:
    table = session.get(jobs.PlayTable, job.subject)
    if table is None or table.state != jobs.TableState.BOTS.value:
        raise JobGone
    return table


def _table_job(session: Session, job: jobs.Job) -> TableJob:
    table = _table_of(session, job)
    open_tables = [row_id(number) for number in session.exec(select(jobs.PlayTable.id).where(is_open())).all()]
    return TableJob(row_id(table.id), setup_of(table), table.limits, rows_of(session, table), open_tables)


def _lease_s(session: Session, job: jobs.Job) -> float:
    table = session.get_one(jobs.PlayTable, job.subject)
    return Limits.from_dict(table.limits).max_match_s(len(setup_of(table).seats)) + LEASE_MARGIN_S


def _codes(session: Session, table_job: TableJob) -> Mapping[str, bytes]:
    return sources_of(session, {seat.code for seat in table_job.setup.seats if seat.code is not None})


class CompletedGame(NamedTuple):
    """A completed game at a table: its match job, its judged result, and the numbers of the decisions with hints."""

    match_job: MatchJob
    judged: JudgedMatch
    hints: list[int]


class _Turn(NamedTuple):
    sent: TableRows
    live_table: LiveTable | None  # None if the bots cannot continue
    played: CompletedGame | None = None


def _check_rows(session: Session, job: jobs.Job, body: Raw, _is_result: bool) -> _Turn:
    table = _table_of(session, job)
    try:
        sent = decode_rows(bytes(body))
        if sent.failed:
            raise JobFailed("The bots could not answer, because a worker failed.", sent.failed)
        if sent.ended:
            return _Turn(sent, None)
        with live_tables.lend(session, table) as live_table:
            advanced = apply_rows(live_table, sent)
            return _Turn(sent, advanced, None if advanced.outcome is None else _judge_game(table, advanced))
    except RowsRefused as error:
        raise ResultRefused("The bots' answers were not valid.", str(error)) from error


def _store_rows(session: Session, job: jobs.Job, turn: _Turn) -> None:
    table, sent = session.get_one(jobs.PlayTable, job.subject), turn.sent
    if turn.live_table is None:
        log.warning("table %d ends: %s", job.subject, shown(sent.ended, limit=300))
        end_table(session, table, "A bot could not continue the game.")
        return
    if turn.played is None:
        add_rows(session, table, sent.first, sent.rows)
        table.state = jobs.TableState.PERSON.value
    else:
        _store_game(session, table, turn.played)
    table.active_at = now_s()
    table.differing = [*table.differing, *(number for number in sent.differing if number not in table.differing)]
    session.add(table)


def _judge_game(table: jobs.PlayTable, live_table: LiveTable) -> CompletedGame:
    setup, played = live_table.setup, live_table.played()
    replay = played.replay
    faults = [FaultRecord(f.seat, f.kind, f.message, f.round, f.decision) for f in played.faults]
    record = GameRecord(0, 0, list(range(replay.seats)), replay.to_json(), views_digest(replay), faults, [])
    seats = [Seat(index, seat.name, seat.code or "") for index, seat in enumerate(setup.seats)]
    match_job = MatchJob(row_id(table.id), setup.game, setup.options, [setup.seed], setup.rng_key, seats, table.limits)
    numbers = zip(live_table.decisions, live_table.rows, strict=True)
    hints = [number for number, row in numbers if row.hint and number is not None]
    return CompletedGame(match_job, judge(match_job, Result([record]), rotations=1), hints)


def _store_game(session: Session, table: jobs.PlayTable, played: CompletedGame) -> None:
    names, match_job = setup_of(table).names, played.match_job
    table.match_id = store_private(session, PrivatePurpose.TABLE, match_job, names, played.judged, key=table.token)
    table.hints, table.state = played.hints, jobs.TableState.OVER.value
    _drop_rows(session, [table.id])


def store_game(session: Session, table: jobs.PlayTable, live_table: LiveTable) -> None:
    """Store a table's completed game as a match."""
    _store_game(session, table, _judge_game(table, live_table))


TABLE: Final = register(
    Kind(
        name="table",
        queue=QUEUE_TABLES,
        payload=_table_job,
        check=_check_rows,
        store=_store_rows,
        give_up=lambda session, job, reason: end_table(session, _table_of(session, job), reason),
        lease_s=_lease_s,
        silence_reason="The bots could not answer, because a worker failed.",
        discard=lambda job: live_tables.forget_id(job.subject),
        codes=_codes,
    )
)


# Hints, which a player requests, an analysis worker computes, and the database stores with the table.


class HintsUnavailable(ValueError):
    """No hints are available at a table; the message is for the user."""


def check_hint(session: Session, table: jobs.PlayTable, number: int) -> None:
    """Check that a question can have a hint; call this before locking.  Raises HintsUnavailable or NotOpen."""
    setup = setup_of(table)
    if not table.practice or not has_reference(setup.game):
        raise HintsUnavailable("Hints are available only at practice tables.")
    if table.state != jobs.TableState.PERSON:
        raise NotOpen("no question is open")
    with live_tables.lend(session, table) as live_table:
        open_question = live_table.open_question(*setup.humans)
    if open_question.number != number:
        raise NotOpen(f"question {number} is not open; question {open_question.number} is")


def request_hint(session: Session, table: jobs.PlayTable, number: int) -> None:
    """Queue a hint for a question, unless the question already has one."""
    hint = find_hint(session, table, number)
    if hint is None:
        try:
            with session.begin_nested():
                hint = jobs.PlayHint(table_id=row_id(table.id), number=number)
                session.add(hint)
                session.flush()
        except IntegrityError:  # another request was faster
            session.expire_all()
            return
    elif hint.state == jobs.HintState.FAILED:
        hint.state = jobs.HintState.OPEN.value
        session.add(hint)
        session.flush()
    if hint.state == jobs.HintState.OPEN:
        add_job(session, HINT, row_id(hint.id))


def find_hint(session: Session, table: jobs.PlayTable, number: int) -> jobs.PlayHint | None:
    """Return the hint requested for question `number`, or None."""
    return session.exec(
        select(jobs.PlayHint).where(jobs.PlayHint.table_id == table.id, jobs.PlayHint.number == number)
    ).first()


def options_of(hint: jobs.PlayHint) -> list[HintOption]:
    """Return the options of a hint, best first; empty until the hint is computed."""
    return msgspec.convert(hint.options or [], list[HintOption])


@contextmanager
def _live_table_at(session: Session, table: jobs.PlayTable, number: int) -> Iterator[LiveTable | None]:
    if table.state != jobs.TableState.PERSON:
        yield None
        return
    with live_tables.lend(session, table) as live_table:
        question = live_table.find_question(live_table.setup.humans[0])
        yield live_table if question is not None and question.number == number else None


def _hint_of(session: Session, job: jobs.Job) -> jobs.PlayHint:
    hint = session.get(jobs.PlayHint, job.subject)
    if hint is None:
        raise JobGone
    return hint


def _delete_hint(session: Session, job: jobs.Job) -> None:
    session.connection().execute(delete(table_of(jobs.PlayHint)).where(col(jobs.PlayHint.id) == job.subject))


def _hint_job(session: Session, job: jobs.Job) -> HintJob:
    hint = _hint_of(session, job)
    with _live_table_at(session, session.get_one(jobs.PlayTable, hint.table_id), hint.number) as live_table:
        if live_table is None:  # the question has been answered in the meantime
            raise JobGone
        return hint_job(live_table, live_table.setup.humans[0])


def _check_answer(session: Session, job: jobs.Job, body: Raw, _is_result: bool) -> list[HintOption]:
    hint = _hint_of(session, job)
    with _live_table_at(session, session.get_one(jobs.PlayTable, hint.table_id), hint.number) as live_table:
        if live_table is None:
            raise JobGone
        try:
            answer = decode_answer(bytes(body))
            if answer.failed:
                raise FatalError(answer.failed)
            return checked_options(live_table, live_table.setup.humans[0], hint.number, answer)
        except HintRefused as error:
            raise ResultRefused(str(error)) from error


def _end_hint(
    session: Session, job: jobs.Job, state: jobs.HintState, options: Sequence[HintOption] | None = None
) -> None:
    hint = _hint_of(session, job)
    hint.state, hint.options = state.value, None if options is None else msgspec.to_builtins(options)
    session.add(hint)
    session.flush()


HINT_LEASE_S: Final = 300.0
HINT_SILENCE_S: Final = 60.0  # a hint takes up to 4 s of CPU, at the lowest priority
HINT: Final = register(
    Kind(
        name="hint",
        queue=QUEUE_SOON,
        payload=_hint_job,
        check=_check_answer,
        store=lambda session, job, options: _end_hint(session, job, jobs.HintState.DONE, options),
        give_up=lambda session, job, _reason: _end_hint(session, job, jobs.HintState.FAILED),
        delete_subject=_delete_hint,
        lease_s=lambda _session, _job: HINT_LEASE_S,
        silence_s=HINT_SILENCE_S,
    )
)
