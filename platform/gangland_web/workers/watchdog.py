"""The watchdog of a match worker: a separate process that sends the worker's heartbeat and ends a worker that hangs.

A worker may hang in a call on a bot's data that neither a signal nor another thread can interrupt.  So a separate
process sends the heartbeat and knows the time limit of each step.  When a worker exceeds a limit, the watchdog sends a
result on its behalf and kills it, and the supervisor restarts it.

If the watchdog ends before its worker, the kernel kills the worker, so no worker runs without a watchdog.
"""

import fcntl
import logging
import os
import select
import signal
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, NoReturn, Protocol

import msgspec

from gangland_ladder.errors import OVERRUN
from gangland_ladder.matches.match_jobs import CheckReport, MatchJob, Problem, Result
from gangland_ladder.playing.table_jobs import TableRows
from gangland_sandbox.clock import cpu_clock, run_delay_s
from gangland_sandbox.limits import Limits
from gangland_web.broker.gate import Message

log = logging.getLogger(__name__)

HEARTBEAT_INTERVAL_S: Final = 3.0
POLL_INTERVAL_S: Final = 0.5
# CPU seconds that a worker may use without a heartbeat; it sends one about once a second, whether or not bots answer.
STALL_CPU_S: Final = 10.0
SILENCE_S: Final = 30.0  # the longest time without a heartbeat from a runnable worker
TRANSFER_S: Final = 130.0  # for fetching code or sending a result, including time in which the broker is not reachable
LOAD_MARGIN_S: Final = 100.0  # added to the limits of a match's bots, for a machine under load; the lease is longer
RESULT_TIMEOUT_S: Final = 5.0  # how long the watchdog tries to send a result on a worker's behalf before killing it
CHECK_BLOCKS: Final = 12  # a bot is checked with the time banks of a match of 12 blocks, in the profile of its match
ALIVE: Final = b"."


class Stage(StrEnum):
    """The stages of a worker's job."""

    FETCH = "fetching the code"
    CHECK = "checking the bot"
    MATCH = "playing the match"
    TABLE = "asking the bots of a table"
    SEND = "sending the result"


STOPPED_STATES: Final = frozenset({b"T", b"t"})
NOT_RUNNABLE: Final = STOPPED_STATES | {b"D"}  # states of a process that cannot run: stopped, or waiting for a disk
# The stages in which a worker sends heartbeats to its watchdog.
HEARTBEAT_STAGES: Final = frozenset({Stage.CHECK, Stage.MATCH, Stage.TABLE})


class Step(msgspec.Struct, frozen=True):
    """The current step of a worker."""

    message: Message | None = None  # a reply to the message that started the job; None between two jobs
    stage: Stage = Stage.FETCH
    time_limit_s: float = 0.0  # the time limit
    on_trial: bool = False  # whether a bot is on trial, and so is to blame if the worker hangs on its data


class ReplySender(Protocol):
    """Sends messages on behalf of a watchdog's worker."""

    def report_progress(self, message: Message) -> None:
        """Report that a job is in progress."""

    def send_result(self, message: Message, result: Any, within_s: float) -> None:
        """Send the result of a job, retrying for `within_s`."""


class Watch:
    """Receives a worker's progress; this base class does nothing, for players without a watchdog."""

    def begin_step(self, step: Step) -> None:
        """Record that a step begins."""

    def report_progress(self) -> None:
        """Record that the step is in progress."""

    def end_job(self) -> None:
        """Record that no job is in progress any more."""


class WatchdogLost(RuntimeError):
    """The watchdog of this worker has ended, so a hang would not be detected."""


def time_limit_s(job: MatchJob, stage: Stage) -> float:
    """Return a step's time limit in seconds; for a match, the bots' limits plus a margin for a machine under load."""
    limits = Limits.from_dict(job.limits)
    if stage is Stage.MATCH:
        return limits.max_match_s(len(job.seats)) + LOAD_MARGIN_S
    if stage is Stage.CHECK:
        return Limits.of(limits.profile, CHECK_BLOCKS).check_wall_s
    return TRANSFER_S


class Watchdog(Watch):
    """The worker's side of its watchdog."""

    def __init__(self, make_sender: Callable[[], ReplySender]) -> None:
        """Only create the pipes; the watchdog's process calls `make_sender`, since it needs its own connection."""
        self._make_sender = make_sender
        self._worker_socket, self._watchdog_socket = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._worker_pipe, self._watchdog_pipe = os.pipe()

    def start(self) -> None:
        """Fork the watchdog; this process must not have threads, jails or root."""
        worker = os.getpid()
        if os.fork() == 0:
            self._worker_socket.close()
            os.close(self._worker_pipe)
            _run_as_child(worker, self._watchdog_socket, self._make_sender)
        self._watchdog_socket.close()
        os.close(self._watchdog_pipe)
        _die_when_closed(self._worker_pipe)

    def begin_step(self, step: Step) -> None:
        """Record that a step begins.  Raises WatchdogLost: the watchdog has ended."""
        self._send(msgspec.json.encode(step))

    def report_progress(self) -> None:
        """Record that the step is in progress.  Raises WatchdogLost."""
        self._send(ALIVE)

    def end_job(self) -> None:
        """Record that no job is in progress.  Raises WatchdogLost."""
        self._send(msgspec.json.encode(Step()))

    def _send(self, message: bytes) -> None:
        try:
            self._worker_socket.send(message)
        except OSError as error:
            raise WatchdogLost("the watchdog of this worker has ended") from error


def _die_when_closed(pipe: int) -> None:
    """Make the kernel kill this process, whatever it is doing, when the other end of a pipe is closed.

    No process writes to the pipe, so its only event is that the writing end was closed.
    """
    fcntl.fcntl(pipe, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(pipe, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) | os.O_ASYNC)


class RunTimer:
    """Measures how long a process was runnable, that is, not stopped and not waiting for a core or a disk."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._checked_s = time.monotonic()
        self._delay_s = run_delay_s(pid)
        self._runnable_s = 0.0
        self.is_stopped = False  # whether the process was stopped at the last check

    def runnable_s(self) -> float:
        """Check the process, and return the seconds in which it has been runnable so far."""
        now_s, delay_s, state = time.monotonic(), run_delay_s(self._pid), _state(self._pid)
        if state not in NOT_RUNNABLE:
            self._runnable_s += max(0.0, now_s - self._checked_s - max(0.0, delay_s - self._delay_s))
        self._checked_s, self._delay_s, self.is_stopped = now_s, delay_s, state in STOPPED_STATES
        return self._runnable_s


def _state(pid: int) -> bytes:
    """Return the letter of a process's state, as in `ps`; X (dead) if the process does not exist."""
    try:
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0]
    except (OSError, IndexError):
        return b"X"


@dataclass(slots=True)
class Guard:
    """The state of a worker as its watchdog sees it."""

    cpu_s: Callable[[], float]  # returns the CPU seconds that the worker has used
    now_s: Callable[[], float] = time.monotonic
    runnable_s: Callable[[], float] = time.monotonic  # returns the seconds in which the worker was runnable
    step: Step = field(default_factory=Step)
    _step_start_s: float = 0.0
    _alive_cpu_s: float = 0.0
    _alive_s: float = 0.0

    def record(self, message: bytes) -> None:
        """Record a message from the worker."""
        self._alive_cpu_s, self._alive_s = self.cpu_s(), self.runnable_s()
        if message != ALIVE:
            self.step = msgspec.json.decode(message, type=Step)
            self._step_start_s = self.now_s()

    def overrun_result(self) -> Result | TableRows | None:
        """Return the result to send for a worker that hangs, or None if the worker may continue.

        A runnable worker without heartbeats hangs on its input.  If a bot is on trial, all input is from this bot,
        which is to blame.  A step that exceeds its time limit is a platform fault: the bots have clocks of their own,
        so the machine was too slow.
        """
        step = self.step
        if step.message is None:
            return None
        reason = self._stall_reason()
        if reason and step.on_trial and step.stage in HEARTBEAT_STAGES:
            problem = Problem(OVERRUN, f"{step.stage.value} {reason}")
            return Result([], check=CheckReport("", [], [problem], 0.0, 0.0, 0))
        if not reason and self.now_s() - self._step_start_s > step.time_limit_s:
            reason = f"took over {step.time_limit_s:.0f} s"
        if not reason:
            return None
        message = f"{step.stage.value} {reason}"
        return TableRows(failed=message) if step.stage is Stage.TABLE else Result([], void=message)

    def _stall_reason(self) -> str:
        runnable_s = self.runnable_s()
        if self.cpu_s() - self._alive_cpu_s > STALL_CPU_S:
            return f"did not finish within {STALL_CPU_S:.0f} s of CPU"
        silent_s = runnable_s - self._alive_s if self.step.stage in HEARTBEAT_STAGES else 0.0
        return f"showed no progress for {SILENCE_S:.0f} s" if silent_s > SILENCE_S else ""


def _run_as_child(worker: int, connection: socket.socket, make_sender: Callable[[], ReplySender]) -> NoReturn:
    status = 1
    try:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)  # the watchdog ends when the worker ends, and watches it until then
        clock, timer = cpu_clock(worker), RunTimer(worker)
        guard = Guard(lambda: time.clock_gettime(clock), runnable_s=timer.runnable_s)
        _watch(os.pidfd_open(worker), connection, make_sender(), guard, timer)
        status = 0
    except OSError:
        log.exception("the watchdog ends, and its worker with it")
    finally:
        os._exit(status)


def _watch(worker: int, connection: socket.socket, sender: ReplySender, guard: Guard, timer: RunTimer) -> None:
    """Send heartbeats for a worker that is not stopped, and end a worker that hangs; `worker` is a pidfd."""
    heartbeat_s = time.monotonic()
    while True:
        readable, _, _ = select.select([connection], [], [], POLL_INTERVAL_S)
        if readable:
            data = connection.recv(65536)
            if not data:
                return
            guard.record(data)
        message = guard.step.message
        if message is None:
            heartbeat_s = time.monotonic()  # a worker reports the start of a job itself
            continue
        if (result := guard.overrun_result()) is not None:
            log.error("%s, job %d: %s; the worker is killed", message.kind, message.job, _reason(result))
            signal.pidfd_send_signal(worker, signal.SIGSTOP)  # so that the worker cannot send its own result meanwhile
            sender.send_result(message, result, RESULT_TIMEOUT_S)
            signal.pidfd_send_signal(worker, signal.SIGKILL)
            return
        if time.monotonic() - heartbeat_s >= HEARTBEAT_INTERVAL_S and not timer.is_stopped:
            sender.report_progress(message)
            heartbeat_s = time.monotonic()


def _reason(result: Result | TableRows) -> str:
    if isinstance(result, TableRows):
        return result.failed
    return result.void or (result.check.problems[0].message if result.check else "")
