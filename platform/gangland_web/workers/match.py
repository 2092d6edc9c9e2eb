"""The match worker: plays jailed matches and knows the broker alone (`python -m gangland_web.workers.match`)."""

from __future__ import annotations

import gc
import importlib
import logging
import os
import pkgutil
import sys
import time
import traceback
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, NoReturn, Protocol

import msgspec
from celery import Celery, bootsteps
from celery.exceptions import WorkerShutdown
from celery.signals import worker_shutting_down
from celery.worker import state
from kombu.exceptions import OperationalError
from redis.exceptions import AuthenticationError, RedisError

from gangland.games import GAME_NAMES, game_named
from gangland_ladder.checking.check import check_bot
from gangland_ladder.common.release import refusal, this_release
from gangland_ladder.matches.contender import Contender
from gangland_ladder.matches.match_orders import (
    CheckReport,
    Claim,
    Order,
    Result,
    decode_claim,
    decode_order,
    encode,
    fitted,
    sendable,
)
from gangland_ladder.matches.referee import play_match
from gangland_ladder.playing.hosting import HostedTable, TableEnded
from gangland_ladder.playing.table_orders import IDLE_S, TableOrder, TableRows
from gangland_ladder.playing.table_state import Row
from gangland_sandbox import doctor, machine
from gangland_sandbox.cgroups import Cgroups
from gangland_sandbox.doctor import ALL_MENDS, own_namespaces
from gangland_sandbox.errors import SandboxError
from gangland_sandbox.intake import filename_of
from gangland_sandbox.jail import Mode
from gangland_sandbox.limits import Limits
from gangland_sandbox.orphans import sweep
from gangland_sandbox.pool import Pool
from gangland_sandbox.privileges import drop, is_root
from gangland_sandbox.runtime import prepare, prepare_numeric
from gangland_web.base.clock import now_s
from gangland_web.base.secrecy import forget_secrets, keep_private
from gangland_web.broker.access import credential_of
from gangland_web.broker.link import (
    RELEASE,
    WORKER_WAIT_S,
    ClockError,
    SlotKey,
    announce_slot,
    announce_stopped,
    check_clock,
    connect,
    site_release,
    withdraw_slot,
    withdraw_stopped,
)
from gangland_web.broker.names import (
    QUEUE_CHECKS,
    QUEUE_DRAFT_CHECKS,
    QUEUE_TABLES,
    TASK_BEAT,
    TASK_BEGUN,
    TASK_PLAY,
    TASK_PROGRESS,
    TASK_RESULT,
    TASK_RETURNED,
    TASK_TABLE,
    TASK_TABLE_ROWS,
    checkers_key,
    code_key,
    play_queues,
    queue_of,
    slots_key,
    table_workers_key,
)
from gangland_web.process import about_order, die_with_parent, set_up_logging
from gangland_web.settings import ConfigError, read_settings
from gangland_web.workers.celery_app import SEND_AGAIN_S, SENDS_FOR_S, make_celery, prepared_worker, send
from gangland_web.workers.watchdog import CHECK_BLOCKS, UNDER_LOAD_S, Stage, Step, Watch, Watchdog, WatchdogLost

log = logging.getLogger("gangland_web.workers.match")


# The environment: what a worker must not have, and its core.


FORBIDDEN = ("DATABASE_URL", "SECRET_KEY", "REDIS_URL", "ANALYSIS_REDIS_URL")
"""Settings of other processes: the database, the site's secret, the broker's own user."""


AND_TABLES = "+tables"
"""What ends the slot (GANGLAND_SLOT) of a worker that asks the bots of tables between two matches."""


class NotForWorkers(RuntimeError):
    """A match worker was given what it must not have."""


def check_environment(environ: Mapping[str, str]) -> None:
    """Refuse an environment that holds another process's credentials.

    Raises:
        NotForWorkers: it does; the message names them.
    """
    found = [name for plain in FORBIDDEN for name in (plain, f"{plain}_FILE") if environ.get(name)]
    if found:
        raise NotForWorkers(f"a match worker must not be given {', '.join(found)}; it needs WORKER_REDIS_URL alone")


def pin_to_core(environ: Mapping[str, str]) -> None:
    """Keep this process and its jails on one core, if the supervisor says which.

    Referee and bots take turns, so one core serves them, and a message between two processes on
    one core takes less than half the time.
    """
    slot = environ.get("GANGLAND_SLOT", "").removesuffix(AND_TABLES)
    if slot.isdigit():
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[int(slot) % len(cores)]})


# Imports: all that playing can ever need, while the host's Python can still be read.


PACKAGES = ("gangland", "gangland_sandbox", "celery.worker", "redis._parsers")
"""Imported whole, with all modules below them."""

MODULES = ("_sha2", "celery.concurrency.solo", "encodings.idna", "encodings.utf_8_sig", "importlib.readers")
"""Found by watching what a worker imports late (a test watches on)."""

NEVER = ("gangland_sandbox.inside_code", "gangland_sandbox.probes")
"""Modules that are programs of the jail, never of the worker."""


def preload() -> int:
    """Import everything in PACKAGES that can be imported here; return how many modules those are.

    Once root is dropped, the Python that runs this may lie in a folder that can no longer be
    read, so that nothing can be imported late.
    """
    for game in GAME_NAMES:
        game_named(game)
    traceback.format_exc()
    names = [*MODULES, *(name for package in PACKAGES for name in _below(package))]
    return sum(_imported(name) for name in names)


def _below(package: str) -> list[str]:
    paths = importlib.import_module(package).__path__
    found = [module.name for module in pkgutil.walk_packages(paths, f"{package}.", onerror=lambda _package: None)]
    return [name for name in found if name not in NEVER and not name.endswith("__main__")]


def _imported(name: str) -> bool:
    """Whether a module can be imported; a part that lacks an optional library cannot."""
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True


# Fitness: whether jails hold here, looked at before the first match and every so often, and shown to the site.


PROBE_EVERY_S = 600.0
REFUSES_TO_PLAY = 3
"""Exit status of a worker that could not play safely here."""


class UnfitError(SandboxError):
    """Jails do not hold here; `cause` is why, in the doctor's terms."""

    def __init__(self, cause: str, message: str) -> None:
        """Name the cause, a key of `stopped.CAUSES`."""
        super().__init__(message)
        self.cause = cause


def look() -> int:
    """Try the real jail from all sides; return how many probes passed.

    Raises:
        UnfitError: one did not, or the trying itself failed: what is not proven does not hold.
    """
    try:
        probes = doctor.probe()
    except Exception as bug:  # whatever it is: a match may not be played on the strength of it
        log.exception("the probes of the jail broke off")
        raise UnfitError("unknown", f"the probes of the jail broke off: {type(bug).__name__}: {bug}") from bug
    if doctor.holds(probes):
        return len(probes)
    failed = [found for found in probes if not found.ok]
    reasons = "; ".join(f"{found.name}: {found.detail} ({found.mend})" for found in failed)
    raise UnfitError(failed[0].cause if failed else "unknown", reasons or "no probe of the jail answered")


class Fitness:
    """What this worker's place knows of its jails, and tells the site."""

    def __init__(self, client: Any, host: str, place: str) -> None:
        """Speak for a place of a host, which keeps its name when a worker is started anew there."""
        self._client = client
        self._host = host
        self._place = place
        self._looked_at = time.monotonic()
        self._is_of_the_sites_release = False

    def refuse(self, failure: SandboxError) -> None:
        """Let the site know that nothing is played at this place, and why."""
        cause = failure.cause if isinstance(failure, UnfitError) else machine.obstacle(str(failure))
        try:
            announce_stopped(self._client, self._host, self._place, cause)
        except RedisError as error:
            log.warning("the site could not be told: %s", error)

    def refuse_release(self, why: str) -> None:
        """Let the log and the site know that this place is of another release than the site; play no further match."""
        failure = UnfitError(RELEASE, why)
        log.error("this worker plays no further match: %s", failure)
        self.refuse(failure)
        state.should_stop = REFUSES_TO_PLAY

    def confirm_release(self) -> None:
        """Let the site know that this place is of its release: an order of that release was taken."""
        if self._is_of_the_sites_release:
            return
        self._withdraw([RELEASE])
        self._is_of_the_sites_release = True

    def confirm(self) -> None:
        """Look, and let the site know that jails hold at this place; its release is found out with an order alone.

        Raises:
            UnfitError: jails do not hold.
        """
        passed = look()
        self._looked_at = time.monotonic()
        log.info("%d probes of the jail passed", passed)
        self._withdraw(ALL_MENDS)

    def look_again(self) -> None:
        """Look if it is time; where jails do not hold any more, end before another match is taken.

        Called between matches.  Whoever starts the worker again has everything looked at afresh.
        """
        if time.monotonic() - self._looked_at < PROBE_EVERY_S:
            return
        try:
            self.confirm()
        except UnfitError as failure:
            self._end(failure)

    def _withdraw(self, causes: Iterable[str]) -> None:
        try:
            withdraw_stopped(self._client, self._host, self._place, causes)
        except RedisError as error:
            log.warning("the site could not be told: %s", error)

    def _end(self, failure: UnfitError) -> NoReturn:
        log.error("this worker plays no further match: %s", failure)
        self.refuse(failure)
        raise WorkerShutdown(REFUSES_TO_PLAY)


# Messages to the record worker.


class Messenger:
    """Sends a worker's messages; a result waits for a broker that is away, a beat does not."""

    def __init__(self, app: Celery) -> None:
        """Send through an application."""
        self._app = app
        self._queue = app.conf.task_default_queue

    def begun(self, order: Order) -> None:
        """Say that the match has begun."""
        send(self._app, TASK_BEGUN, [order.id, order.token], self._queue)

    def beat(self, order: Claim | Order) -> None:
        """Say that the match is still being played."""
        self._at_once(TASK_BEAT, [order.id, order.token])

    def progress(self, order: Order, stage: str) -> None:
        """Say that the bot on trial passed a stage of its check."""
        self._at_once(TASK_PROGRESS, [order.id, order.token, stage])

    def result(self, result: Result) -> None:
        """Send what came of the match."""
        send(self._app, TASK_RESULT, [encode(fitted(result)).decode()], self._queue)

    def answer(self, result: Result, within_s: float) -> None:
        """Send a result, trying for so long."""
        try:
            send(self._app, TASK_RESULT, [encode(fitted(result)).decode()], self._queue, within_s=within_s)
        except OperationalError as error:
            log.warning("the result of match %d could not be sent: %s", result.id, error)

    def returned(self, order: Claim | Order) -> None:
        """Say that the match was cut off here or never begun, by nobody's fault, and is to be played by another."""
        send(self._app, TASK_RETURNED, [order.id, order.token], self._queue)

    def _at_once(self, task: str, args: list[object]) -> None:
        try:
            send(self._app, task, args, self._queue, within_s=0.0)
        except OperationalError as error:
            log.warning("%s could not be sent: %s", task, error)


class TableMessenger:
    """Sends what a worker says of tables."""

    def __init__(self, app: Celery) -> None:
        """Send through an application."""
        self._app = app
        self._queue = app.conf.task_default_queue

    def rows(self, rows: TableRows) -> None:
        """Send what came of a table's order, waiting for a broker that is away."""
        self._send(rows, None)

    def beat(self, order: Claim) -> None:
        """Say that the bots of a table are being asked."""
        self._send(TableRows(order.id, order.token, done=False), 0.0)

    def answer(self, result: Result, within_s: float) -> None:
        """Say that nothing came of it, trying for so long."""
        self._send(TableRows(result.id, result.token, failed=result.void or "held up"), within_s)

    def _send(self, rows: TableRows, within_s: float | None) -> None:
        text = msgspec.json.encode(rows).decode()
        if within_s is None:
            send(self._app, TASK_TABLE_ROWS, [text], self._queue)
            return
        try:
            send(self._app, TASK_TABLE_ROWS, [text], self._queue, within_s=within_s)
        except OperationalError as error:
            log.warning("word of table %d could not be sent: %s", rows.id, error)


class WatchdogMessenger:
    """Says for a worker what its watchdog has to say, of a match or of a table."""

    def __init__(self, app: Celery) -> None:
        """Send through an application."""
        self._matches, self._tables = Messenger(app), TableMessenger(app)

    def beat(self, stage: Stage, order: Claim) -> None:
        """Say that an order is still worked on."""
        (self._tables if stage is Stage.TABLE else self._matches).beat(order)

    def answer(self, stage: Stage, result: Result, within_s: float) -> None:
        """Send a result, trying for so long."""
        (self._tables if stage is Stage.TABLE else self._matches).answer(result, within_s)


# Matches: begin, fetch the code, check the bot on trial, play, send the result.


ANNOUNCE_IN_MATCH_S = 3.0
REST_SHARE = 1 / 3
"""How long a match that rests between games rests, as a part of the time that it plays."""
REST_AT_MOST_S = 5.0
SHORT_CHECK_S = 3.0
"""So long after its import a check alone is broken off, for others wait; the rest of it comes with the trial."""
KEPT_BYTES = 64 * 1024 * 1024
"""Of bots' code in memory: 64 zips as large as may be, or some ten thousand plain files."""


class Messages(Protocol):
    """What a player says to the record worker."""

    def begun(self, order: Order) -> None:
        """Say that the match has begun."""

    def progress(self, order: Order, stage: str) -> None:
        """Say that the bot on trial passed a stage of its check."""

    def result(self, result: Result) -> None:
        """Send what came of the match."""

    def returned(self, order: Claim | Order) -> None:
        """Say that the match was cut off here or never begun, by nobody's fault, and is to be played by another."""


class OtherRelease(RuntimeError):
    """An order is of another release than this worker; the message names both."""


class CutOff(Exception):  # nothing failed
    """This worker has to end, and the match did not."""


class CodeMissing(RuntimeError):
    """A bot's source is not on the broker, or is not what its hash says."""


class CodeStore:
    """Bots' sources by hash: fetched from the broker once, checked, kept in memory."""

    def __init__(self, fetch: Callable[[str], bytes | None]) -> None:
        """Fetch what is not in memory yet with a function from hash to source."""
        self._fetch = fetch
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._kept_bytes = 0

    def get(self, digest: str) -> bytes:
        """Return the source with this SHA-256.

        Raises:
            CodeMissing: it is not to be had.
        """
        if digest not in self._kept:
            source = self._fetch(digest)
            if source is None or sha256(source).hexdigest() != digest:
                raise CodeMissing(f"the broker has no code {digest[:12]}, or another than its hash says")
            self._kept[digest] = source
            self._kept_bytes += len(source)
            while self._kept_bytes > KEPT_BYTES and len(self._kept) > 1:
                _, dropped = self._kept.popitem(last=False)
                self._kept_bytes -= len(dropped)
        self._kept.move_to_end(digest)
        return self._kept[digest]


class Rests:
    """Leaves this worker's core to others between games; no question is open then, so no bot's time runs."""

    def __init__(
        self,
        tick: Callable[[], None],
        now: Callable[[], float] = time.monotonic,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        """Note the start of the first game; `tick` is called about once a second meanwhile."""
        self._tick, self._now, self._wait = tick, now, wait
        self._played_from = now()

    def rest(self) -> None:
        """Wait for a part of the time that the game before took."""
        until = self._now() + min(REST_AT_MOST_S, REST_SHARE * (self._now() - self._played_from))
        while (left_s := until - self._now()) > 0:
            self._wait(min(left_s, 1.0))
            self._tick()
        self._played_from = self._now()


class Player:
    """Plays orders one after the other."""

    def __init__(
        self,
        messages: Messages,
        codes: CodeStore,
        announce: Callable[[], None],
        on_void: Callable[[], None],
        pool: Pool | None = None,
        has_to_end: Callable[[], bool] = lambda: False,
        watch: Watch | None = None,
    ) -> None:
        """Speak through `messages`.

        Args:
            announce: says every few seconds that this slot is there.
            pool: the jails to play in; if None, each match has jails of its own.
            has_to_end: whether this worker may not finish its match any more.
            watch: who says that a match is still being played, and ends a step that does not end by itself.
            on_void: called after a match that came to nothing by our fault, for we may be broken for good.

        Raises:
            SandboxError: the pool is of plain processes; the server plays in jails alone.
        """
        if pool is not None and pool.mode is not Mode.JAIL:
            raise SandboxError(f"the server plays in jails alone, never in mode {pool.mode.value!r}")
        self._messages = messages
        self._codes = codes
        self._announce = announce
        self._on_void = on_void
        self._pool = pool
        self._has_to_end = has_to_end
        self._watch = watch or Watch()
        self._announced_at = 0.0

    def play(self, text: str) -> None:
        """Play an order and send its result; drop one whose lease has run out.

        Raises:
            OtherRelease: it is of another release; it was given back, and nothing was begun.
        """
        self._need_release(text)
        order = decode_order(text)
        if now_s() > order.until:
            with about_order(order):
                log.warning("match %d came after its lease had ended; dropped", order.id)
            return
        with about_order(order):
            self._begin_and_end(order)

    def _begin_and_end(self, order: Order) -> None:
        log.debug("match %d is begun", order.id)
        self._watch.begin(order, Stage.FETCH)
        try:
            self._messages.begun(order)
            self._announced_at = time.monotonic()
            result = self._result(order)
            self._watch.begin(order, Stage.SEND)
            self._messages.result(result)
        except (CutOff, WatchdogLost) as cut:
            log.warning("match %d is given back: %s", order.id, cut)
            self._messages.returned(order)
            if isinstance(cut, WatchdogLost):
                self._on_void()
            return
        finally:
            self._rest()
        log.debug("match %d is played in %.3f s", order.id, result.seconds)
        if result.void is not None:
            self._on_void()

    def _rest(self) -> None:
        try:
            self._watch.rest()
        except WatchdogLost as lost:
            log.error("%s", lost)
            self._on_void()

    def _result(self, order: Order) -> Result:
        try:
            return self._played(order)
        except (SandboxError, CodeMissing) as failure:
            log.warning("match %d is void: %s", order.id, failure)
            return _void(order, str(failure))
        except (CutOff, WatchdogLost):
            raise
        except Exception as bug:  # a bug of ours costs no bot anything: the match is void and the log says why
            log.exception("match %d failed", order.id)
            return _void(order, f"{type(bug).__name__}: {bug}")

    def _played(self, order: Order) -> Result:
        codes = {seat.code: self._codes.get(seat.code) for seat in order.seats}
        opened, began = self._opened, time.monotonic()
        report = self._checked(order, codes)
        if report is not None and (report.problems or order.check_only):
            return Result(
                id=order.id,
                token=order.token,
                games=[],
                check=report,
                seconds=time.monotonic() - began,
                jails=self._opened - opened,
            )
        self._watch.begin(order, Stage.MATCH)
        over = Rests(self._tick).rest if order.rests else None
        result = play_match(order, codes, pool=self._pool, mode=Mode.JAIL, tick=self._tick, over=over)
        return msgspec.structs.replace(result, check=report, jails=self._opened - opened)

    @property
    def _opened(self) -> int:
        """How many jails the pool has opened so far; 0 where each match has jails of its own."""
        return 0 if self._pool is None else self._pool.opened

    def _checked(self, order: Order, codes: dict[str, bytes]) -> CheckReport | None:
        if order.check is None:
            return None
        self._watch.begin(order, Stage.CHECK)
        seat = order.seats[order.check]
        return check_bot(
            codes[seat.code],
            filename_of(seat.name, codes[seat.code]),
            order.game,
            limits=Limits.of(Limits.from_dict(order.limits).profile, CHECK_BLOCKS),
            salt=sha256(f"{order.rng_key}|{order.token}".encode()).digest(),  # another one in every lease
            pool=self._pool,
            mode=Mode.JAIL,
            on_stage=lambda stage: self._messages.progress(order, stage),
            tick=self._tick,
            within_s=SHORT_CHECK_S if order.check_only else None,
        )

    def _tick(self) -> None:
        if self._has_to_end():
            raise CutOff("this worker was told to end and it takes longer")
        self._watch.alive()
        if time.monotonic() - self._announced_at >= ANNOUNCE_IN_MATCH_S:
            self._announce()
            self._announced_at = time.monotonic()  # afterwards: a broker that stalls is asked now and then alone

    def _need_release(self, text: str) -> None:
        claim = decode_claim(text)
        if claim is not None and claim.release != this_release() and now_s() <= claim.until:
            self._messages.returned(claim)
            raise OtherRelease(refusal(claim.release))


def _void(order: Order, reason: str) -> Result:
    return Result(id=order.id, token=order.token, games=[], void=sendable(reason))


# Tables of people: their bots are asked, and kept at the table while a person thinks.


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
        if time.monotonic() - self._announced_at >= ANNOUNCE_IN_MATCH_S:
            self._announce()
            self._announced_at = time.monotonic()


# The process.


ANNOUNCE_EVERY_S = 5.0
SITE_SAYS_S = 10.0
"""So long after its own start a worker waits for a site that still says another release."""
GRACE_S = 20.0
"""How long a match may take to its end when its worker is told to end; whoever tells it kills it after 30 s."""
MISCONFIGURED = 2
CHECKS_ALONE, TABLES_ALONE = "checks", "tables"
"""The slots (GANGLAND_SLOT) of workers that take checks alone, so that no match keeps an upload waiting, and tables of
persons alone, whose bots it keeps at the table."""


class Slot:
    """This worker's place in the counts of matches, checks and tables that can be done at a time."""

    def __init__(self, client: Any, host: str, name: str, keys: Sequence[SlotKey]) -> None:
        """Announce `name` for a host, in each of the counts, through a connection of its own."""
        self._client = client
        self._host = host
        self._keys = keys
        self.name = name

    def announce(self) -> None:
        """Count for a while longer; a broker that is away hears of it the next time."""
        try:
            check_clock(self._client)
            for key_of in self._keys:
                announce_slot(self._client, self._host, self.name, key_of)
        except RedisError as error:
            log.warning("the slot could not be announced: %s", error)
        except ClockError as error:
            log.error("this worker refuses to play on: %s", error)
            state.should_stop = REFUSES_TO_PLAY

    def withdraw(self) -> None:
        """Count no longer."""
        try:
            for key_of in self._keys:
                withdraw_slot(self._client, self._host, self.name, key_of)
        except RedisError as error:
            log.warning("the slot could not be withdrawn: %s", error)


class Grace:
    """How long a match may go on once this worker was told to end."""

    def __init__(self) -> None:
        """Wait to be told."""
        self._ends_at: float | None = None
        worker_shutting_down.connect(self._start_grace, weak=False)

    def is_over(self) -> bool:
        """Whether the match that is on has to be given back."""
        return self._ends_at is not None and time.monotonic() >= self._ends_at

    def _start_grace(self, **_facts: object) -> None:
        if self._ends_at is None:
            self._ends_at = time.monotonic() + GRACE_S


def main() -> int:
    """Play matches until told to stop; return the exit status."""
    own_namespaces()  # the probes of the jail need them, and a closed process cannot read its own
    keep_private()
    set_up_logging()
    die_with_parent()
    try:
        check_environment(os.environ)
        url = read_settings().need_worker_redis_url()
        forget_secrets()
        return _serve(url)
    except (NotForWorkers, ConfigError) as error:
        log.error("%s", error)
        return MISCONFIGURED
    except AuthenticationError as error:
        log.error("the broker does not let this worker host in, it may be revoked: %s", error)
        return MISCONFIGURED
    except (SandboxError, ClockError) as error:
        log.error("this worker refuses to play: %s", error)
        return REFUSES_TO_PLAY


def _serve(url: str) -> int:
    """Get all ready as whoever started us, look whether jails hold, give root up, and take orders."""
    pin_to_core(os.environ)
    preload()
    log.info("release %s", this_release())  # read once, while the host's Python can be
    client = connect(url, wait_s=WORKER_WAIT_S)
    check_clock(client)
    host, _ = credential_of(url)
    machine = os.uname().nodename
    kind = os.environ.get("GANGLAND_SLOT", "")
    fitness = Fitness(client, host, f"{machine}:{kind}")
    watchdog = Watchdog(lambda: WatchdogMessenger(make_celery(url, plays=True)))
    queues, keys = work_of(kind, host)
    slot = Slot(client, host, f"{machine}:{os.getpid()}:{int(time.time())}", keys)
    app = _make_app(url, client, slot, fitness, watchdog)
    worker = prepared_worker(app, queues, f"play-{os.getpid()}")
    was_root = is_root()
    _prepare_numeric()
    try:
        _need_release(client)
        fitness.confirm()
        drop()
    except SandboxError as failure:
        fitness.refuse(failure)
        raise
    keep_private()  # a change of user lets the kernel forget it
    die_with_parent()
    watchdog.start()
    if left := sweep(prepare()):
        log.warning("ended %d half-opened jails whose worker was killed", left)
    log.info("ready to play as user %d%s", os.getuid(), ", root given up" if was_root else "")
    gc.freeze()  # all is imported that ever will be, and a look for cycles need not go through it
    worker.start()
    return int(worker.exitcode or 0)


def _need_release(client: Any) -> None:
    """See that the site is of this release, before its first order; one that has just been upgraded says so soon.

    Raises:
        UnfitError: it is of another one, as far as it says.
    """
    until = time.monotonic() + SITE_SAYS_S
    while (theirs := site_release(client)) not in (None, this_release()):
        if time.monotonic() >= until:
            raise UnfitError(RELEASE, refusal(theirs or ""))
        time.sleep(1)


def work_of(kind: str, host: str) -> tuple[list[str], list[SlotKey]]:
    """Return the queues from which a worker takes, first come first, and where its slot counts.

    A worker that also asks the bots of tables does so between two matches: a person waits for a match at most, and a
    whole game of a bot at a table has no more CPU than one of its games in a match.
    """
    if kind == CHECKS_ALONE:
        return [queue_of(queue, host) for queue in (QUEUE_CHECKS, QUEUE_DRAFT_CHECKS)], [checkers_key]
    if kind == TABLES_ALONE:
        return [queue_of(QUEUE_TABLES, host)], [table_workers_key]
    if kind.endswith(AND_TABLES):
        return [queue_of(QUEUE_TABLES, host), *play_queues(host)], [slots_key, table_workers_key]
    return list(play_queues(host)), [slots_key]


def _prepare_numeric() -> None:
    """Get the numeric profile ready while the host's Python can be read; without numpy the plain one is played."""
    try:
        prepare_numeric()
    except SandboxError as lack:
        log.warning("matches of the numeric profile cannot be played here: %s", lack)


def _make_app(url: str, client: Any, slot: Slot, fitness: Fitness, watchdog: Watchdog) -> Celery:
    app = make_celery(url, plays=True)
    codes = CodeStore(lambda digest: _fetched(client, digest))
    pool = Pool(Mode.JAIL, cgroups=Cgroups.find())
    player = Player(Messenger(app), codes, slot.announce, _end_soon, pool, Grace().is_over, watchdog)
    tables = TablePlayer(TableMessenger(app), codes, slot.announce, _end_soon, pool, watchdog)

    def heed(act: Callable[[str], None]) -> Callable[[str], None]:
        def task(text: str) -> None:
            try:
                act(text)
            except OtherRelease as other:
                slot.withdraw()
                fitness.refuse_release(str(other))
            else:
                fitness.confirm_release()

        return task

    app.task(heed(player.play), name=TASK_PLAY)
    app.task(heed(tables.play), name=TASK_TABLE)
    app.steps["consumer"].add(_announcing(slot, fitness, tables.forget_idle))
    return app


def _fetched(client: Any, digest: str) -> bytes | None:
    """Return a bot's source from the broker, waiting for one that is away: a match is not void for that."""
    deadline = time.monotonic() + SENDS_FOR_S
    while True:
        try:
            source: bytes | None = client.get(code_key(digest))
        except RedisError as error:
            if time.monotonic() >= deadline:
                raise CodeMissing(f"the broker is not reachable: {error}") from error
            time.sleep(SEND_AGAIN_S)
        else:
            return source


def _end_soon() -> None:
    """End after a match that we made void: whoever starts us again has the jail probed before the next."""
    log.error("a match came to nothing by our fault; this worker ends, to be started and probed afresh")
    state.should_stop = REFUSES_TO_PLAY


def _announcing(slot: Slot, fitness: Fitness, forget_idle: Callable[[], None]) -> type[bootsteps.StartStopStep]:
    """Return a step of Celery's consumer for what is done between matches: the slot kept announced, the jail probed."""

    def between_matches() -> None:
        fitness.look_again()
        forget_idle()
        slot.announce()

    class Announcing(bootsteps.StartStopStep):
        requires = ("celery.worker.consumer.tasks:Tasks",)

        def start(self, consumer: Any) -> None:
            slot.announce()
            self.repeated = consumer.timer.call_repeatedly(ANNOUNCE_EVERY_S, between_matches)

        def stop(self, consumer: Any) -> None:
            self.repeated.cancel()
            slot.withdraw()

    return Announcing


if __name__ == "__main__":
    sys.exit(main())
