"""The analysis worker: analyzes games, answers hints, makes clips (`python -m gangland_web.workers.analysis`)."""

import gc
import logging
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from resource import RUSAGE_CHILDREN, getrusage
from typing import Any, Final, TypeVar

import msgspec
from redis import Redis
from redis.exceptions import RedisError

from gangland.replay import Replay, ReplayError, load, verify
from gangland_ladder.analysis.account import Judged, Moment
from gangland_ladder.analysis.analyser import (
    Continued,
    Known,
    NotAnalysed,
    OutOfTime,
    analyse,
    continued,
    costliest,
    kept_form,
    reference_for,
)
from gangland_ladder.analysis.games import Reference
from gangland_ladder.analysis.transfer import AnalysisOrder, AnalysisResult, GameOf, encode_result
from gangland_ladder.common.runtime import calculate_on_one_thread, refusal, this_release
from gangland_ladder.playing.hints import HintAnswer, HintOrder, answer_order
from gangland_ladder.viewer.clip_orders import ClipFailed, run_order
from gangland_sandbox.niceness import follow
from gangland_sandbox.parent import die_with
from gangland_web.base.formats import now_s
from gangland_web.base.secrecy import blank_environment, forget_secrets, keep_private
from gangland_web.broker.clips import ClipRequest, send_made
from gangland_web.broker.link import check_clock, connect
from gangland_web.broker.names import (
    QUEUE_ANALYSED,
    QUEUE_ANALYSIS,
    QUEUE_CLIPS,
    TASK_ANALYSE,
    TASK_ANALYSED,
    TASK_CLIP,
    TASK_HINT,
    TASK_HINTED,
)
from gangland_web.process import die_with_parent, exit_status, set_up_logging
from gangland_web.settings import ConfigError, read_settings
from gangland_web.workers.celery_app import make_celery, run_worker, send

log = logging.getLogger("gangland_web.workers.analysis")


# Orders, as they come.


OrderT = TypeVar("OrderT", AnalysisOrder, ClipRequest, HintOrder)


def due_order(text: str, form: type[OrderT]) -> OrderT | None:
    """Return an order; None for one that nobody waits for any more, or of another release: it is dropped."""
    order = msgspec.json.decode(text, type=form)
    if order.release != this_release():
        log.error("nothing is analyzed for the site: %s", refusal(order.release))
        return None
    if now_s() > order.until:
        log.warning("an order came after nobody waited for it any more; dropped: %s", form.__name__)
        return None
    return order


# Analyses: the game played again next to its reference; what is known is sent in parts.


FIRST_PART_S: Final = 0.8
"""After so long the first part is sent; each that follows takes twice as long, for each has all before it."""
BEATS_EVERY_S: Final = 20.0
PLAYS_ON_S: Final = 4.0
SAMPLES_PLAY_ON_S: Final = 1.0
"""So much CPU goes into playing a game on from its costly decisions: one that was opened, and one of a sample."""
LOOKS_EVERY_S: Final = 0.2
"""How often a sample that is worked on is looked at: whether it said something, and whether somebody waits."""
_FORK: Final = get_context("fork")


class Analysing:
    """One order while it is worked on."""

    def __init__(self, order: AnalysisOrder, send: Callable[[AnalysisResult], None]) -> None:
        self._order = order
        self._send = send
        self._began_s = time.process_time()
        self._part_at_s = time.monotonic() + FIRST_PART_S
        self._part_s = FIRST_PART_S
        self._beats_at_s = time.monotonic() + BEATS_EVERY_S

    @property
    def _cpu_s(self) -> float:
        return time.process_time() - self._began_s

    def run(self) -> None:
        """Say that it is begun, then what is known, and last all of it, or why there is nothing."""
        self._say()
        try:
            replay = load(self._order.replay)
            verify(replay)
            reference_for(replay, 0)  # its tables are read once a process, and that is not this game's time
            self._began_s = time.process_time()
            analysis = analyse(replay, in_time=lambda: self._cpu_s < self._order.cpu_s, following=self._following)
        except (NotAnalysed, ReplayError) as failure:
            self._say(done=True, failed=f"{failure}."[:400])
            return
        known = Known(analysis.version, analysis.start, analysis.moments, complete=analysis.complete)
        judged = (each for moment in analysis.moments for each in moment.judged)
        # Pages of what-ifs are there for games of matches alone.
        costly = costliest(judged) if self._order.of is GameOf.MATCH else []
        if costly:
            self._say(known)  # whoever looks need not wait for the rest
        self._say(known, done=True, continued=list(self._played_on(replay, costly)))

    def _played_on(self, replay: Replay, costly: Sequence[Judged]) -> Iterator[Continued]:
        """Yield the game played on from costly decisions, the costliest first, for as long as there is time."""
        most = SAMPLES_PLAY_ON_S if self._order.gives_way else PLAYS_ON_S
        until = min(self._cpu_s + most, self._order.cpu_s)
        for each in sorted(costly, key=lambda judged: -judged.cost):
            if each.number is None or self._cpu_s >= until:
                return
            try:
                yield kept_form(
                    continued(replay, each.number, best=each.best.decision, in_time=lambda: self._cpu_s < until)
                )
            except OutOfTime:
                return

    def _following(self, reference: Reference[Any], moments: Sequence[Moment]) -> None:
        now = time.monotonic()
        if now >= self._part_at_s:
            self._part_s *= 2
            self._say(Known(reference.version, tuple(reference.start), tuple(moments), complete=False))
            self._part_at_s = time.monotonic() + self._part_s
            self._beats_at_s = time.monotonic() + BEATS_EVERY_S
        elif now >= self._beats_at_s:
            self._say()
            self._beats_at_s = time.monotonic() + BEATS_EVERY_S

    def _say(
        self, known: Known | None = None, *, done: bool = False, failed: str = "", continued: Sequence[Continued] = ()
    ) -> None:
        order = self._order
        self._send(
            AnalysisResult(
                id=order.id,
                token=order.token,
                release=this_release(),
                cpu_s=self._cpu_s,
                done=done,
                known=known,
                failed=failed,
                continued=list(continued),
                of=order.of,
            )
        )


def analyse_order(text: str, send: Callable[[AnalysisResult], None], waits: Callable[[], bool]) -> None:
    """Work on an order; one whose lease has run out, or of another release, is dropped.

    Args:
        waits: whether another order waits.
    """
    order = due_order(text, AnalysisOrder)
    if order is None:
        return
    if order.gives_way:
        _run_apart(order, send, waits)
    else:
        Analysing(order, send).run()


def _run_apart(order: AnalysisOrder, send: Callable[[AnalysisResult], None], waits: Callable[[], bool]) -> None:
    """Work on a sample in a process that takes idle cores alone, and is killed once another order waits.

    On a busy machine such a process may not come to its next step for a minute, in which somebody would wait for it.

    Raises:
        RuntimeError: the process ended before it was done.
    """
    ours, theirs = _FORK.Pipe(duplex=False)
    child = _FORK.Process(target=_run_idle, args=(order, theirs, os.getpid()), daemon=True)
    began_s = getrusage(RUSAGE_CHILDREN)
    child.start()
    theirs.close()
    try:
        while not waits():
            if ours.poll(LOOKS_EVERY_S):
                result = msgspec.json.decode(ours.recv_bytes(), type=AnalysisResult)
                send(result)
                if result.done:
                    return
    except EOFError as ended:
        raise RuntimeError(f"the process that analyzed the sample {order.id} ended before it was done") from ended
    finally:
        child.kill()
        child.join()
        ours.close()
    spent = getrusage(RUSAGE_CHILDREN)
    cpu_s = spent.ru_utime + spent.ru_stime - began_s.ru_utime - began_s.ru_stime
    release = this_release()
    send(AnalysisResult(order.id, order.token, release=release, cpu_s=cpu_s, done=True, returned=True, of=order.of))


def _run_idle(order: AnalysisOrder, channel: Connection, parent: int) -> None:
    die_with(parent)
    run_idle()
    Analysing(order, lambda result: channel.send_bytes(encode_result(result).encode())).run()


# Clips.


def make_clip(text: str, broker: Redis) -> None:
    """Carry out an order; one that nobody waits for any more, or of another release, is dropped.

    Raises:
        RedisError: the broker is away.
    """
    request = due_order(text, ClipRequest)
    if request is None:
        return
    try:
        body = run_order(request.order)
    except ClipFailed as failure:
        log.error("a clip was not made: %s", failure)
        body = b""
    send_made(broker, request, body)


# Hints: what the reference would do in a person's place.


def work_out_hint(text: str) -> HintAnswer | None:
    """Return what the reference says of an order; None for one whose lease has run out, or of another release."""
    order = due_order(text, HintOrder)
    if order is None:
        return None
    try:
        return answer_order(order)
    except Exception as bug:  # a bug of ours: the person reads that no hint came, and the log says why
        log.exception("the hint of table %d failed", order.id)
        return HintAnswer(order.id, order.number, order.token, failed=f"{type(bug).__name__}: {bug}"[:400])


# Niceness: how far this process stands back for others on the machine.


TRIES, PAUSE_S = 20, 0.15
"""The kernel changes one session in a tenth of a second."""


def tell_session() -> None:
    """Give this process' session the niceness that the process was started with.

    Where the kernel shares cores among sessions, niceness holds within this session alone; for the session to be told,
    it has to be one of its own.
    """
    if os.getpid() != os.getsid(0):
        with suppress(PermissionError):  # it leads a group of its own already
            os.setsid()
    for _ in range(TRIES):
        if follow(os.getpid()):
            return
        time.sleep(PAUSE_S)


def run_idle() -> None:
    """Have this process run where nobody else wants the core: SCHED_IDLE comes after every niceness, for good."""
    if hasattr(os, "SCHED_IDLE"):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


# The process. It runs no stranger's code, and knows the broker alone, as a user of its own.


FORBIDDEN = ("DATABASE_URL", "SECRET_KEY", "REDIS_URL", "WORKER_REDIS_URL")
"""Settings of other processes."""


def run(url: str) -> int:
    """Analyse games and make clips until told to stop; return the exit status."""
    broker = connect(url)
    check_clock(broker)
    app = make_celery(url, analyses=True)

    def say(result: AnalysisResult) -> None:
        send(app, TASK_ANALYSED, [encode_result(result)], QUEUE_ANALYSED)

    def waits() -> bool:
        try:
            return bool(broker.llen(QUEUE_ANALYSIS)) or bool(broker.llen(QUEUE_CLIPS))
        except RedisError:
            return False  # whoever says something next waits for the broker

    def work(text: str) -> None:
        analyse_order(text, say, waits)

    def hint(text: str) -> None:
        if (found := work_out_hint(text)) is not None:
            send(app, TASK_HINTED, [msgspec.json.encode(found).decode()], QUEUE_ANALYSED)

    def draw(text: str) -> None:
        make_clip(text, broker)

    app.task(work, name=TASK_ANALYSE)
    app.task(draw, name=TASK_CLIP)
    app.task(hint, name=TASK_HINT)
    gc.freeze()
    log.info("ready to analyse games, release %s", this_release())
    return run_worker(app, [QUEUE_CLIPS, QUEUE_ANALYSIS], f"analysis-{os.getpid()}")


def main() -> int:
    """Run by the environment's settings; return the exit status."""
    die_with_parent()
    calculate_on_one_thread()
    if found := [name for plain in FORBIDDEN for name in (plain, f"{plain}_FILE") if os.environ.get(name)]:
        raise ConfigError(f"whoever analyses games must not be given {', '.join(found)}; it needs ANALYSIS_REDIS_URL")
    url = read_settings().need_analysis_redis_url()
    forget_secrets()
    return run(url)


if __name__ == "__main__":
    blank_environment()
    tell_session()  # a process that is closed may not write to its own /proc any more
    keep_private()
    set_up_logging()
    sys.exit(exit_status(main))
