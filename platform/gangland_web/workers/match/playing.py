"""Playing an order: begin, fetch the code, check the bot on trial, play, send the result."""

import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256
from typing import Protocol

import msgspec

from gangland_ladder.checking.check import check_bot
from gangland_ladder.common.release import refusal, this_release
from gangland_ladder.matches.orders import CheckReport, Claim, Order, Result, decode_claim, decode_order, sendable
from gangland_ladder.matches.referee import play_match
from gangland_sandbox.errors import SandboxError
from gangland_sandbox.intake import filename_of
from gangland_sandbox.jail import Mode
from gangland_sandbox.limits import Limits
from gangland_sandbox.pool import Pool
from gangland_web.base.clock import now_s
from gangland_web.process import about_order
from gangland_web.workers.match.watchdog import CHECK_BLOCKS, Stage, Watch, WatchdogLost

log = logging.getLogger(__name__)

ANNOUNCE_EVERY_S = 3.0
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
        result = play_match(order, codes, pool=self._pool, mode=Mode.JAIL, tick=self._tick)
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
        if time.monotonic() - self._announced_at >= ANNOUNCE_EVERY_S:
            self._announce()
            self._announced_at = time.monotonic()  # afterwards: a broker that stalls is asked now and then alone

    def _need_release(self, text: str) -> None:
        claim = decode_claim(text)
        if claim is not None and claim.release != this_release() and now_s() <= claim.until:
            self._messages.returned(claim)
            raise OtherRelease(refusal(claim.release))


def _void(order: Order, reason: str) -> Result:
    return Result(id=order.id, token=order.token, games=[], void=sendable(reason))
