"""The analysis worker: analyzes games, computes hints, makes clips (`python -m gangland_web.workers.analysis`)."""

import gc
import logging
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, Final

import msgspec
from redis.exceptions import RedisError

from gangland.replay import Replay, ReplayError, load, verify
from gangland_ladder.analysis import account, analyzer, games
from gangland_ladder.analysis.transfer import AnalysisJob, AnalysisResult, rounded
from gangland_ladder.common.release import release_mismatch, this_release
from gangland_ladder.common.runtime import calculate_on_one_thread
from gangland_ladder.playing.hints import HintAnswer, HintJob, answer_job
from gangland_ladder.viewer.clip_jobs import ClipFailed, ClipJob, ClipResult, run_job
from gangland_sandbox.niceness import set_session_niceness
from gangland_sandbox.parent import die_with
from gangland_web.base.secrecy import blank_environment, forget_secrets, keep_private
from gangland_web.broker import gate, names
from gangland_web.broker.link import check_clock, connect
from gangland_web.process import die_with_parent, exit_status, set_up_logging
from gangland_web.settings import ConfigError, read_settings
from gangland_web.workers.celery_app import make_celery, run_worker, send

log = logging.getLogger("gangland_web.workers.analysis")


# Analyses: the reference judges a replay of the game, and the results are sent in parts.

# Seconds until the first part is sent. The time doubles for each later part, because a part repeats the earlier ones.
FIRST_PART_S: Final = 0.8
HEARTBEAT_INTERVAL_S: Final = 20.0
# CPU seconds for continuations from costly decisions, for a game that a user waits for and for a sample.
CONTINUATIONS_CPU_S: Final = 4.0
SAMPLE_CONTINUATIONS_CPU_S: Final = 1.0
POLL_INTERVAL_S: Final = 0.2  # how often the worker checks a running sample for messages, and its queues for other jobs
_FORK: Final = get_context("fork")

SendPart = Callable[[AnalysisResult | None], None]


class AnalysisRun:
    """A run of an analysis job."""

    def __init__(self, job: AnalysisJob, cpu_s: float, send: SendPart) -> None:
        self._job = job
        self._limit_s = cpu_s
        self._send = send
        self._start_cpu_s = time.process_time()
        self._next_part_at_s = time.monotonic() + FIRST_PART_S
        self._part_interval_s = FIRST_PART_S
        self._next_heartbeat_at_s = time.monotonic() + HEARTBEAT_INTERVAL_S

    @property
    def _cpu_s(self) -> float:
        return time.process_time() - self._start_cpu_s

    def run(self) -> AnalysisResult:
        """Send partial results; return the final result, or the reason why there is none."""
        try:
            replay = load(self._job.replay)
            verify(replay)
            analyzer.reference_for(replay, 0)  # reads the tables once per process, not in this game's time
            self._start_cpu_s = time.process_time()
            analysis = analyzer.analyze(replay, has_time=lambda: self._cpu_s < self._limit_s, on_step=self._report)
        except (analyzer.AnalysisUnavailable, ReplayError) as error:
            return AnalysisResult(self._cpu_s, failed=f"{error}."[:400])
        part = analyzer.ReferencePart(analysis.version, analysis.start, analysis.moments, complete=analysis.complete)
        judged = (each for moment in analysis.moments for each in moment.judged)
        costly = analyzer.costliest(judged)
        if costly:
            self._send(AnalysisResult(self._cpu_s, part))  # viewers do not have to wait for the rest
        continuations = list(self._continuations(replay, costly))
        return AnalysisResult(self._cpu_s, part, continued=continuations)

    def _continuations(self, replay: Replay, costly: Sequence[account.Judged]) -> Iterator[analyzer.StoredContinuation]:
        """Yield continuations of the game from costly decisions, costliest first, while there is time."""
        limit_s = SAMPLE_CONTINUATIONS_CPU_S if self._job.gives_way else CONTINUATIONS_CPU_S
        deadline_s = min(self._cpu_s + limit_s, self._limit_s)
        for decision in sorted(costly, key=lambda judged: -judged.cost):
            if decision.number is None or self._cpu_s >= deadline_s:
                return
            try:
                yield analyzer.stored_form(
                    analyzer.continue_game(
                        replay, decision.number, best=decision.best.decision, has_time=lambda: self._cpu_s < deadline_s
                    )
                )
            except analyzer.OutOfTime:
                return

    def _report(self, reference: games.Reference[Any], moments: Sequence[account.Moment]) -> None:
        now = time.monotonic()
        if now >= self._next_part_at_s:
            self._part_interval_s *= 2
            part = analyzer.ReferencePart(reference.version, tuple(reference.start), tuple(moments), complete=False)
            self._send(AnalysisResult(self._cpu_s, part))
            self._next_part_at_s = time.monotonic() + self._part_interval_s
            self._next_heartbeat_at_s = time.monotonic() + HEARTBEAT_INTERVAL_S
        elif now >= self._next_heartbeat_at_s:
            self._send(None)
            self._next_heartbeat_at_s = time.monotonic() + HEARTBEAT_INTERVAL_S


def analyze(job: AnalysisJob, cpu_s: float, send: SendPart, has_jobs: Callable[[], bool]) -> AnalysisResult | None:
    """Analyze a game; return the result, or None for a sample that was stopped for another job.

    `cpu_s`: the limit in CPU seconds; the rest of the game is then not analyzed.  `send`: sends a partial result, or
    only a heartbeat for None.  `has_jobs`: returns whether another job is waiting.
    """
    return _run_apart(job, cpu_s, send, has_jobs) if job.gives_way else AnalysisRun(job, cpu_s, send).run()


def _run_apart(job: AnalysisJob, cpu_s: float, send: SendPart, has_jobs: Callable[[], bool]) -> AnalysisResult | None:
    """Analyze a sample in a child process that uses only idle cores, and kill it when another job is waiting.

    On a busy machine, such a process may take a minute to reach its next step, which is too long for a waiting user.
    Raises RuntimeError: the child process ended early.
    """
    receiver, sender = _FORK.Pipe(duplex=False)
    child = _FORK.Process(target=_run_idle, args=(job, cpu_s, sender, os.getpid()), daemon=True)
    child.start()
    sender.close()
    try:
        while not has_jobs():
            if receiver.poll(POLL_INTERVAL_S):
                is_result, result = msgspec.json.decode(receiver.recv_bytes(), type=tuple[bool, AnalysisResult | None])
                if is_result:
                    return result
                send(result)
    except EOFError as error:
        raise RuntimeError("the process that analyzed a sample ended before it was done") from error
    finally:
        child.kill()
        child.join()
        receiver.close()
    return None


def _run_idle(job: AnalysisJob, cpu_s: float, sender: Connection, parent: int) -> None:
    die_with(parent)
    if hasattr(os, "SCHED_IDLE"):  # lower than any niceness: the process only runs if the core is idle
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))

    def send_to_parent(result: AnalysisResult | None, *, is_result: bool = False) -> None:
        sender.send_bytes(msgspec.json.encode((is_result, rounded(result))))

    send_to_parent(AnalysisRun(job, cpu_s, send_to_parent).run(), is_result=True)


def make_clip(job: ClipJob) -> ClipResult:
    """Return the clip of a job, or the reason why it was not made."""
    try:
        return ClipResult(run_job(job))
    except ClipFailed as error:
        log.error("a clip was not made: %s", error)
        return ClipResult(failed=f"{error}"[:400])


def compute_hint(job: HintJob) -> HintAnswer:
    """Return the reference's answer to a hint job, or the error for which there is none."""
    try:
        return answer_job(job)
    except Exception as bug:  # a bug of ours: the player is told that there is no hint, and the reason is logged
        log.exception("a hint failed")
        return HintAnswer(failed=f"{type(bug).__name__}: {bug}"[:400])


# Niceness: the priority of this process compared with others on the machine.

TRIES, PAUSE_S = 20, 0.15  # the kernel accepts one change of a session every tenth of a second


def apply_niceness_to_session() -> None:
    """Apply this process's niceness to its session."""
    # If the kernel divides cores among sessions, niceness only has an effect within a session. To change the niceness
    # of a session, the process needs its own session.
    if os.getpid() != os.getsid(0):
        with suppress(PermissionError):  # this process already leads a process group
            os.setsid()
    for _ in range(TRIES):
        if set_session_niceness(os.getpid()):
            return
        time.sleep(PAUSE_S)


# The process. It runs no untrusted code, and can only access the broker, with its own user.

FORBIDDEN = ("DATABASE_URL", "SECRET_KEY", "REDIS_URL", "WORKER_REDIS_URL")  # settings of other processes


class Worker:
    """Runs jobs one at a time and reports their results."""

    def __init__(self, send: Callable[[str, gate.Message], None], has_jobs: Callable[[], bool], cpu_s: float) -> None:
        """Report through `send`, which sends a message with a task's name; see `analyze` for the other arguments."""
        self._send = send
        self._has_jobs = has_jobs
        self._cpu_s = cpu_s

    def run(self, text: str) -> None:
        """Run a job.  Drop a job whose lease has ended, and return a job from another release."""
        message = gate.decode_message(text)
        if message.release != this_release():
            log.error("a job was returned without being run: %s", release_mismatch(message.release))
            self._send(names.TASK_RETURNED, message.answer())
            return
        if message.is_late:
            log.warning("a job arrived after the end of its lease and was dropped: %s", message.kind)
            return
        self._send(names.TASK_ALIVE, message.answer())
        result = RUNNERS[message.kind](self, message)
        self._send(names.TASK_RETURNED if result is None else names.TASK_RESULT, message.answer(rounded(result)))

    def hint(self, message: gate.Message) -> HintAnswer:
        """Compute a hint."""
        return compute_hint(msgspec.json.decode(message.body, type=HintJob))

    def clip(self, message: gate.Message) -> ClipResult:
        """Make a clip."""
        return make_clip(msgspec.json.decode(message.body, type=ClipJob))

    def analysis(self, message: gate.Message) -> AnalysisResult | None:
        """Analyze a game."""

        def send_part(part: AnalysisResult | None) -> None:
            self._send(names.TASK_ALIVE, message.answer(rounded(part)))

        return analyze(msgspec.json.decode(message.body, type=AnalysisJob), self._cpu_s, send_part, self._has_jobs)


# Runners by kind of job. A runner returns None if it stopped the job because another one was waiting.
RUNNERS: Final[dict[str, Callable[[Worker, gate.Message], Any]]] = {
    "hint": Worker.hint,
    "clip": Worker.clip,
    "analysis": Worker.analysis,
    "table-analysis": Worker.analysis,
    "draft-analysis": Worker.analysis,
}


def run(url: str, cpu_s: float) -> int:
    """Run jobs until a signal arrives; return the exit status."""
    broker = connect(url)
    check_clock(broker)
    app = make_celery(url, role="analysis")

    def send_message(task: str, message: gate.Message) -> None:
        send(app, task, [gate.encode_message(message)], names.QUEUE_ANALYZED)

    def has_jobs() -> bool:
        try:
            return bool(broker.llen(names.QUEUE_SOON)) or bool(broker.llen(names.QUEUE_ANALYSIS))
        except RedisError:
            return False  # the next report waits for the broker

    app.task(Worker(send_message, has_jobs, cpu_s).run, name=names.TASK_RUN)
    gc.freeze()
    log.info("ready to analyze games, release %s", this_release())
    return run_worker(app, [names.QUEUE_SOON, names.QUEUE_ANALYSIS], f"analysis-{os.getpid()}")


def main() -> int:
    """Run with the environment's settings; return the exit status."""
    die_with_parent()
    calculate_on_one_thread()
    if forbidden := [name for setting in FORBIDDEN for name in (setting, f"{setting}_FILE") if os.environ.get(name)]:
        raise ConfigError(f"the analysis worker must not get {', '.join(forbidden)}; it needs ANALYSIS_REDIS_URL")
    settings = read_settings()
    url = settings.need_analysis_redis_url()
    forget_secrets()
    return run(url, settings.analysis_cpu_s)


if __name__ == "__main__":
    blank_environment()
    apply_niceness_to_session()  # first, because a process closed by `keep_private` cannot write to its own /proc
    keep_private()
    set_up_logging()
    sys.exit(exit_status(main))
