"""Run the match worker's jobs: play matches, and run the bots at players' tables."""

import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Protocol

import msgspec
from celery import Celery
from kombu.exceptions import OperationalError

from gangland.games import game_named
from gangland_ladder.checking.check import check_bot
from gangland_ladder.common.release import release_mismatch, this_release
from gangland_ladder.matches.match_jobs import CheckReport, MatchJob, Result, decode_match_job, shrink, to_message
from gangland_ladder.matches.players import JailedPlayer
from gangland_ladder.matches.referee import play_match
from gangland_ladder.playing.hosting import HostedTable, TableEnded
from gangland_ladder.playing.table_jobs import IDLE_S, TableJob, TableRows
from gangland_ladder.playing.table_state import Row
from gangland_sandbox import errors, intake, jail
from gangland_sandbox.limits import Limits
from gangland_sandbox.pool import Pool
from gangland_web.broker.gate import Message, encode_message
from gangland_web.broker.names import TASK_ALIVE, TASK_RESULT, TASK_RETURNED
from gangland_web.process import log_match
from gangland_web.workers.celery_app import SEND_TIMEOUT_S, send
from gangland_web.workers.watchdog import CHECK_BLOCKS, LOAD_MARGIN_S, Stage, Step, Watch, WatchdogLost, time_limit_s

log = logging.getLogger(__name__)


class Messages(Protocol):
    """Sends replies to the message that started a job."""

    def report_progress(self, message: Message, body: object = None) -> None:
        """Report that a job has begun or is in progress, or send a part of its result."""

    def send_result(self, message: Message, result: object, within_s: float = SEND_TIMEOUT_S) -> None:
        """Send the result of a job."""

    def return_job(self, message: Message) -> None:
        """Return an unfinished job to the site, so that another worker runs it; no bot is at fault."""


class Messenger:
    """Sends messages for a worker and its watchdog; retries all but progress reports if the broker is unreachable."""

    def __init__(self, app: Celery) -> None:
        self._app = app

    def report_progress(self, message: Message, body: object = None) -> None:
        """Report the start or progress of a job, or send a part of its result; this may be lost."""
        try:
            self._send(TASK_ALIVE, message.answer(body), 0.0)
        except OperationalError as error:
            log.warning("%s could not be sent: %s", TASK_ALIVE, error)

    def send_result(self, message: Message, result: object, within_s: float = SEND_TIMEOUT_S) -> None:
        """Send the result of a job."""
        self._send(TASK_RESULT, message.answer(shrink(result) if isinstance(result, Result) else result), within_s)

    def return_job(self, message: Message) -> None:
        """Return a job that this worker did not begin or finish, so that another worker runs it; no bot is at fault."""
        self._send(TASK_RETURNED, message.answer())

    def _send(self, task: str, message: Message, within_s: float = SEND_TIMEOUT_S) -> None:
        send(self._app, task, [encode_message(message)], self._app.conf.task_default_queue, timeout_s=within_s)


# The bots' code, and the base class of both players.

ANNOUNCE_INTERVAL_S = 3.0  # interval for announcing the slot during a match or a table's job
MAX_CACHED_BYTES = 64 * 1024 * 1024  # 64 zips of the maximum size, or about ten thousand plain files


class ReleaseMismatch(RuntimeError):
    """A job is not from this worker's release; the message names both releases."""


class CodeMissing(RuntimeError):
    """A bot's source is not on the broker, or does not match its hash."""


class CodeStore:
    """The bots' sources by hash: fetched from the broker, verified, and cached in memory."""

    def __init__(self, fetch: Callable[[str], bytes | None]) -> None:
        self._fetch = fetch
        self._cache: OrderedDict[str, bytes] = OrderedDict()
        self._cached_bytes = 0

    def get(self, digest: str) -> bytes:
        """Return the source with this SHA-256.  Raises CodeMissing: the source is not available."""
        if digest not in self._cache:
            source = self._fetch(digest)
            if source is None or sha256(source).hexdigest() != digest:
                raise CodeMissing(f"the broker has no code {digest[:12]}, or the code does not match this hash")
            self._cache[digest] = source
            self._cached_bytes += len(source)
            while self._cached_bytes > MAX_CACHED_BYTES and len(self._cache) > 1:
                _, dropped = self._cache.popitem(last=False)
                self._cached_bytes -= len(dropped)
        self._cache.move_to_end(digest)
        return self._cache[digest]


class _JobRunner:
    """Base class: sends heartbeats to the watchdog, renews the slot, and drops late jobs."""

    def __init__(
        self,
        messages: Messages,
        codes: CodeStore,
        announce: Callable[[], None],
        on_failure: Callable[[], None],
        pool: Pool | None,
        watch: Watch | None,
    ) -> None:
        if pool is not None and pool.mode is not jail.Mode.JAIL:
            raise errors.SandboxError(f"the server plays only in jails, never in mode {pool.mode.value!r}")
        self._messages = messages
        self._codes = codes
        self._announce = announce
        self._on_failure = on_failure
        self._watch = watch or Watch()
        self._announced_at = 0.0

    def _is_current(self, message: Message) -> bool:
        """Return whether a job's lease is still valid.  Raises ReleaseMismatch, after returning the job to the site."""
        if message.is_late:
            log.warning("%s, job %d, arrived after the end of its lease and was dropped", message.kind, message.job)
            return False
        if message.release != this_release():
            self._messages.return_job(message)
            raise ReleaseMismatch(release_mismatch(message.release))
        return True

    def _tick(self) -> None:
        self._watch.report_progress()
        if time.monotonic() - self._announced_at >= ANNOUNCE_INTERVAL_S:
            self._announce()
            self._announced_at = time.monotonic()  # after the call, so that a slow broker is not called more often


# Matches: fetch the code, check a bot if the job requests it, play, and send the result.

SHORT_CHECK_S = 3.0  # limit of a short check after the import: other uploads are waiting, and the trial covers the rest


class ShutdownInterrupt(Exception):
    """Raised to stop a match because this worker must shut down."""


class Player(_JobRunner):
    """Plays matches one at a time."""

    def __init__(
        self,
        messages: Messages,
        codes: CodeStore,
        announce: Callable[[], None],
        on_void: Callable[[], None],
        pool: Pool | None = None,
        must_stop: Callable[[], bool] = lambda: False,
        watch: Watch | None = None,
    ) -> None:
        """`messages` sends reports, and `announce` renews the slot; without `pool`, each match starts its own jails.

        Args:
            on_void: called after a platform fault or a lost watchdog, since this worker may be broken.
            must_stop: returns whether this worker must shut down now, without finishing the match.
            watch: receives heartbeats during the match; the watchdog kills a worker that hangs.

        Raises SandboxError: the pool does not use jails, which the server requires.
        """
        super().__init__(messages, codes, announce, on_void, pool, watch)
        self._pool = pool
        self._must_stop = must_stop

    def play(self, message: Message) -> None:
        """Play a match and send the result; drop a match whose lease has expired.

        Raises ReleaseMismatch: the job is from another release; it was returned before anything began.
        """
        if self._is_current(message):
            job = decode_match_job(bytes(message.body))
            with log_match(job):
                self._run_match(message, job)

    def _run_match(self, message: Message, job: MatchJob) -> None:
        log.debug("started match %d", job.id)
        self._begin(message, job, Stage.FETCH)
        try:
            self._messages.report_progress(message)
            self._announced_at = time.monotonic()
            result = self._result(message, job)
            self._begin(message, job, Stage.SEND)
            self._messages.send_result(message, result)
        except (ShutdownInterrupt, WatchdogLost) as error:
            log.warning("returned match %d: %s", job.id, error)
            self._messages.return_job(message)
            if isinstance(error, WatchdogLost):
                self._on_failure()
            return
        finally:
            self._end_job()
        log.debug("played match %d in %.3f s", job.id, result.seconds)
        if result.void is not None:
            self._on_failure()

    def _begin(self, message: Message, job: MatchJob, stage: Stage) -> None:
        self._watch.begin_step(Step(message.answer(), stage, time_limit_s(job, stage), job.check is not None))

    def _end_job(self) -> None:
        try:
            self._watch.end_job()
        except WatchdogLost as error:
            log.error("%s", error)
            self._on_failure()

    def _result(self, message: Message, job: MatchJob) -> Result:
        try:
            return self._play(message, job)
        except (errors.SandboxError, CodeMissing) as error:
            log.warning("match %d is void: %s", job.id, error)
            return Result([], void=to_message(str(error)))
        except (ShutdownInterrupt, WatchdogLost):
            raise
        except Exception as error:  # a bug of ours must not count against a bot: void the match, log the error
            log.exception("match %d failed", job.id)
            return Result([], void=to_message(f"{type(error).__name__}: {error}"))

    def _play(self, message: Message, job: MatchJob) -> Result:
        codes = {seat.code: self._codes.get(seat.code) for seat in job.seats}
        jails_before, start_s = self._jails_opened, time.monotonic()
        report = self._check(message, job, codes)
        if report is not None and (report.problems or job.check_only):
            return Result([], check=report, seconds=time.monotonic() - start_s, jails=self._jails_opened - jails_before)
        self._begin(message, job, Stage.MATCH)
        result = play_match(job, codes, pool=self._pool, mode=jail.Mode.JAIL, tick=self._tick)
        return msgspec.structs.replace(result, check=report, jails=self._jails_opened - jails_before)

    @property
    def _jails_opened(self) -> int:
        return 0 if self._pool is None else self._pool.opened

    def _check(self, message: Message, job: MatchJob, codes: dict[str, bytes]) -> CheckReport | None:
        if job.check is None:
            return None
        self._begin(message, job, Stage.CHECK)
        seat = job.seats[job.check]
        return check_bot(
            codes[seat.code],
            intake.filename_of(seat.name, codes[seat.code]),
            job.game,
            limits=Limits.of(Limits.from_dict(job.limits).profile, CHECK_BLOCKS),
            salt=sha256(f"{job.rng_key}|{message.token}".encode()).digest(),  # different for every lease
            pool=self._pool,
            mode=jail.Mode.JAIL,
            on_stage=lambda stage: self._messages.report_progress(message, {"stage": stage}),
            tick=self._tick,
            time_limit_s=SHORT_CHECK_S if job.check_only else None,
        )

    def _tick(self) -> None:
        if self._must_stop():
            raise ShutdownInterrupt("this worker must shut down before the match is over")
        super()._tick()


# Tables where people play: the bots stay in memory, paused, while the player thinks.

# Maximum number of tables with running bots. Only one table is active at a time, and paused bots use memory.
MAX_TABLES: Final = 4
FILE_STEM: Final = "bot"  # stem of a bot's file name: not every bot's name is a valid module name


@dataclass(slots=True)
class _CachedTable:
    table: HostedTable
    used_at_s: float


class TablePlayer(_JobRunner):
    """Runs the bots' turns at tables, one job at a time; a table's bots are paused between two jobs.

    With more than `MAX_TABLES` tables, the bots of the table that has been idle the longest are stopped.  They are
    restored for the table's next job, which contains all of its rows.
    """

    def __init__(
        self,
        messages: Messages,
        codes: CodeStore,
        announce: Callable[[], None],
        on_failure: Callable[[], None],
        pool: Pool,
        watch: Watch | None = None,
    ) -> None:
        """See `Player` for the arguments.  Raises SandboxError: the pool does not use jails."""
        super().__init__(messages, codes, announce, on_failure, pool, watch)
        self._pool = pool
        self._cache: OrderedDict[int, _CachedTable] = OrderedDict()
        self._used_at: float | None = None

    def play(self, message: Message) -> None:
        """Run the bots of a table and send their rows; drop a job whose lease has expired.

        Raises ReleaseMismatch: the job is from another release; it was returned before anything began.
        """
        if not self._is_current(message):
            return
        job = msgspec.json.decode(message.body, type=TableJob)
        limit_s = Limits.from_dict(job.limits).max_match_s(len(job.setup.seats)) + LOAD_MARGIN_S
        try:
            self._watch.begin_step(Step(message.answer(), Stage.TABLE, limit_s))
            self._messages.report_progress(message)
            self._messages.send_result(message, self._run_table(job))
            self._watch.end_job()
        except WatchdogLost as error:
            log.error("%s", error)
            self._on_failure()

    def forget_idle(self) -> None:
        """Stop the bots of idle tables (see `IDLE_S`), and idle jails if no table has been used for as long."""
        now = time.monotonic()
        while self._cache and now - next(iter(self._cache.values())).used_at_s > IDLE_S:
            self._forget(next(iter(self._cache)))
        if self._used_at is not None and now - self._used_at > IDLE_S:
            self._used_at = None
            self._pool.close_idle()

    def _run_table(self, job: TableJob) -> TableRows:
        row_number = len(job.rows)
        self._used_at = time.monotonic()
        for table_id in set(self._cache) - set(job.open):
            self._forget(table_id)
        try:
            table, rows = self._advance(job)
        except TableEnded as ended:
            self._forget(job.id)
            return TableRows(ended=to_message(str(ended)))
        except WatchdogLost:
            raise
        except (errors.SandboxError, CodeMissing) as error:
            return self._fail(job, str(error))
        except Exception as error:  # a bug of ours must not count against a bot: restore the table, log the error
            log.exception("table %d failed", job.id)
            return self._fail(job, f"{type(error).__name__}: {error}")
        if table.live_table.outcome is not None:
            self._forget(job.id)
        return TableRows(row_number, rows, table.differing)

    def _advance(self, job: TableJob) -> tuple[HostedTable, list[Row]]:
        entry = self._cache.get(job.id)
        rows = None
        if entry is not None:
            entry.table.resume()
            rows = entry.table.catch_up(job.rows)
            if rows is None:
                self._forget(job.id)
        if entry is None or rows is None:
            entry = _CachedTable(self._set_up(job), 0.0)
            self._cache[job.id] = entry
            while len(self._cache) > MAX_TABLES:
                self._forget(next(iter(self._cache)))
            rows = entry.table.advance()
        entry.table.pause()
        entry.used_at_s = time.monotonic()
        self._cache.move_to_end(job.id)
        return entry.table, rows

    def _set_up(self, job: TableJob) -> HostedTable:
        game, limits = game_named(job.setup.game), Limits.from_dict(job.limits)
        bots = {
            seat: JailedPlayer(FILE_STEM, self._codes.get(player.code), game, limits, self._pool, self._tick)
            for seat, player in enumerate(job.setup.seats)
            if player.code is not None
        }
        return HostedTable(job.setup, bots, job.rows)

    def _fail(self, job: TableJob, reason: str) -> TableRows:
        log.warning("table %d: %s", job.id, reason)
        self._forget(job.id)
        return TableRows(failed=to_message(reason))

    def _forget(self, table_id: int) -> None:
        entry = self._cache.pop(table_id, None)
        if entry is not None:
            entry.table.close()
