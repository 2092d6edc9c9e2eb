"""Analysing an order: play the game again beside its reference, and say what is known, at first in parts."""

import logging
import os
import time
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from resource import RUSAGE_CHILDREN, getrusage
from typing import Any, Final

import msgspec

from gangland.replay import Replay, ReplayError, load, verify
from gangland_ladder.analysis.account import Judged, Moment
from gangland_ladder.analysis.analyser import Known, NotAnalysed, analyse, reference_for
from gangland_ladder.analysis.continuation import Continued, OutOfTime, continued, costliest, kept_form
from gangland_ladder.analysis.received import AnalysisOrder, AnalysisResult, GameOf, encode_result
from gangland_ladder.analysis.reference import Reference
from gangland_ladder.common.release import this_release
from gangland_sandbox.parent import die_with
from gangland_web.workers.analysis.niceness import run_idle
from gangland_web.workers.analysis.orders import due_order

log = logging.getLogger("gangland_web.workers.analysis")

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
        self,
        known: Known | None = None,
        *,
        done: bool = False,
        failed: str = "",
        continued: Sequence[Continued] = (),
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
