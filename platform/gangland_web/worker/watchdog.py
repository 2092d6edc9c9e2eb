"""The process beside a match worker that says that it lives, and ends it where it does not come on.

A worker that works on a bot's words may be held up in one call that no signal and no thread of its own interrupts.
So its heartbeat is sent by a process of its own, which also knows how long each step may take.  Past that it answers
for the worker, and kills it; whoever supervises the worker starts it again.
"""

from __future__ import annotations

import logging
import os
import select
import signal
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, NoReturn, Protocol

import msgspec

from gangland_ladder.catalogue import OVERRUN
from gangland_ladder.orders import CheckReport, Claim, Order, Problem, Result
from gangland_sandbox.clock import cpu_clock
from gangland_sandbox.limits import Limits

log = logging.getLogger(__name__)

BEAT_EVERY_S: Final = 3.0
LOOK_EVERY_S: Final = 0.5
STALL_CPU_S: Final = 10.0
"""So much CPU a worker may use without a sign of life; it gives one about once a second, whatever bots do."""
SEND_S: Final = 130.0
"""How long fetching code and sending a result may take, with a broker that is away meanwhile."""
UNDER_LOAD_S: Final = 100.0
"""What a match may take beyond the limits of its bots on a machine under load; less than its lease has over them."""
ANSWER_S: Final = 5.0
"""How long the watchdog tries to answer for a worker before it kills it."""
CHECK_BLOCKS: Final = 12
"""A bot is checked on the banks of a match of so many blocks, in the profile of its match."""
ALIVE: Final = b"."


class Stage(StrEnum):
    """What a worker does for an order."""

    FETCH = "fetching the code"
    CHECK = "checking the bot"
    MATCH = "playing the match"
    SEND = "sending the result"


class Step(msgspec.Struct, frozen=True):
    """What a worker has begun to do.

    Attributes:
        order: None between two orders.
        wall_s: how long it may take.
    """

    order: Claim | None = None
    stage: Stage = Stage.FETCH
    wall_s: float = 0.0


class Beats(Protocol):
    """What a watchdog says for its worker."""

    def beat(self, order: Claim) -> None:
        """Say that the match is still being played."""

    def answer(self, result: Result, within_s: float) -> None:
        """Send a result, trying for so long."""


class Watch(Protocol):
    """Who is told what a worker does."""

    def begin(self, order: Order, stage: Stage) -> None:
        """Take note of a step that begins."""

    def alive(self) -> None:
        """Take note that the step goes on."""

    def rest(self) -> None:
        """Take note that nothing is done for any order."""


class Unwatched:
    """Nobody: for a player that is not a process of its own."""

    def begin(self, order: Order, stage: Stage) -> None:
        """Do nothing."""

    def alive(self) -> None:
        """Do nothing."""

    def rest(self) -> None:
        """Do nothing."""


class WatchdogLost(RuntimeError):
    """The process beside this worker is gone, so that nobody would end this one."""


def wall_s(order: Order, stage: Stage) -> float:
    """Return how long a step may take: what the limits of bots allow, and what starting jails takes under load."""
    limits = Limits.from_dict(order.limits)
    if stage is Stage.MATCH:
        return limits.match_lasts_s(len(order.seats)) + UNDER_LOAD_S
    if stage is Stage.CHECK:
        return Limits.of(limits.profile, CHECK_BLOCKS).check_wall_s
    return SEND_S


class Watchdog:
    """A worker's end of its watchdog."""

    def __init__(self, make_beats: Callable[[], Beats]) -> None:
        """Begin without a process.

        Args:
            make_beats: called in the watchdog's process, for it needs a connection of its own.
        """
        self._make_beats = make_beats
        self._link, self._theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)

    def start(self) -> None:
        """Fork the watchdog of this process, which has no thread and no jail yet and has given root up."""
        worker = os.getpid()
        if os.fork() == 0:
            self._link.close()
            _run_as_child(worker, self._theirs, self._make_beats)
        self._theirs.close()

    def begin(self, order: Order, stage: Stage) -> None:
        """Take note of a step that begins.

        Raises:
            WatchdogLost: there is no watchdog any more.
        """
        self._say(msgspec.json.encode(Step(Claim(order.id, order.token), stage, wall_s(order, stage))))

    def alive(self) -> None:
        """Take note that the step goes on; raises WatchdogLost."""
        self._say(ALIVE)

    def rest(self) -> None:
        """Take note that nothing is done for any order; raises WatchdogLost."""
        self._say(msgspec.json.encode(Step()))

    def _say(self, message: bytes) -> None:
        try:
            self._link.send(message)
        except OSError as error:
            raise WatchdogLost("the watchdog of this worker is gone") from error


@dataclass(slots=True)
class Guard:
    """What the watchdog knows of its worker.

    Args:
        cpu_s: tells how much CPU the worker has used.
        now_s: tells the time.
    """

    cpu_s: Callable[[], float]
    now_s: Callable[[], float] = time.monotonic
    step: Step = field(default_factory=Step)
    _began_s: float = 0.0
    _alive_cpu_s: float = 0.0

    def hear(self, message: bytes) -> None:
        """Take in what the worker says."""
        self._alive_cpu_s = self.cpu_s()
        if message != ALIVE:
            self.step = msgspec.json.decode(message, type=Step)
            self._began_s = self.now_s()

    def overrun(self) -> Result | None:
        """Return what to answer for a worker that does not come on; None if it may go on.

        A worker that is held up by a computation uses CPU, and in a check it has nothing to compute with but the bot on
        trial, so that bot is to blame.  All else, waiting in particular, is nobody's fault.
        """
        order = self.step.order
        if order is None:
            return None
        stalled_s = self.cpu_s() - self._alive_cpu_s
        if stalled_s > STALL_CPU_S:
            words = f"{self.step.stage.value} came to no end within {STALL_CPU_S:.0f} s of CPU"
            if self.step.stage is Stage.CHECK:
                report = CheckReport("", [], [Problem(OVERRUN, words)], 0.0, 0.0, 0)
                return Result(order.id, order.token, [], check=report)
            return Result(order.id, order.token, [], void=words)
        if self.now_s() - self._began_s > self.step.wall_s:
            return Result(order.id, order.token, [], void=f"{self.step.stage.value} took over {self.step.wall_s:.0f} s")
        return None


def _run_as_child(worker: int, link: socket.socket, make_beats: Callable[[], Beats]) -> NoReturn:
    """Watch until the worker is gone, and end."""
    status = 1
    try:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)  # the worker's end is ours, and until then it is watched
        clock = cpu_clock(worker)
        _watch(worker, link, make_beats(), Guard(lambda: time.clock_gettime(clock)))
        status = 0
    except OSError:
        log.exception("the watchdog ends, and its worker with it")
    finally:
        os._exit(status)


def _watch(worker: int, link: socket.socket, beats: Beats, guard: Guard) -> None:
    beaten_s, beaten_for = 0.0, ""
    while True:
        readable, _, _ = select.select([link], [], [], LOOK_EVERY_S)
        if readable:
            message = link.recv(65536)
            if not message:
                return
            guard.hear(message)
        if guard.step.order is None:
            continue
        if (result := guard.overrun()) is not None:
            log.error("match %d: %s; the worker is killed", result.id, _why(result))
            beats.answer(result, ANSWER_S)
            os.kill(worker, signal.SIGKILL)
            return
        if guard.step.order.token != beaten_for:
            beaten_s, beaten_for = time.monotonic(), guard.step.order.token  # that it begins is said by the worker
        elif time.monotonic() - beaten_s >= BEAT_EVERY_S:
            beats.beat(guard.step.order)
            beaten_s = time.monotonic()


def _why(result: Result) -> str:
    return result.void or (result.check.problems[0].message if result.check else "")
