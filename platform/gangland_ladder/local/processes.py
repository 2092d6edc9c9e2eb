"""Run many matches in parallel on one machine: one process per table, each pinned to a core."""

import gc
import os
import secrets
import signal
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from mmap import mmap
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Self

from gangland.games import GAME_NAMES, game_named
from gangland_ladder.errors import entries
from gangland_sandbox import privileges
from gangland_sandbox.cgroups import Cgroups
from gangland_sandbox.jail import Mode
from gangland_sandbox.limits import Profile
from gangland_sandbox.parent import die_with
from gangland_sandbox.pool import Pool
from gangland_sandbox.runtime import prepare, prepare_numeric

# Packages that are imported in advance, because Python's folder may be unreadable while a job runs.
_PRELOADED = ("gangland", "gangland_ladder.checking", "gangland_ladder.local")


class TableFailure(RuntimeError):
    """A job or a table's process failed; the message has the traceback, if there is one."""


Job = Callable[..., Any]  # Called with the pool of jails of its process, and the arguments of the call.
# Called with a call's number and result as soon as the result is ready; calls may finish in any order.
OnResult = Callable[[int, Any], None]


# Thresholds for garbage collection. Python's default of 700 new objects is reached after a few questions, so collection
# took a twentieth of a referee's time.
GC_THRESHOLDS = (20_000, 20, 20)
POLL_S = 0.25  # Seconds between calls of the progress callback while waiting for tables.
# In a table's process: the counters, which are in memory shared with the parent, and the index of its own counter.
_own_count: list[tuple[memoryview, int]] = []


def count_games(games: int) -> None:
    """Add finished games to the count of a table's process; a negative number removes those of a void match."""
    for counts, index in _own_count:
        counts[index] += games


class Tables:
    """Processes, one per core by default, that run jobs with access to jails; use it as a context manager."""

    def __init__(self, *, mode: Mode = Mode.JAIL, workers: int | None = None, profile: Profile = Profile.PLAIN) -> None:
        cores = sorted(os.sched_getaffinity(0))
        self.mode = mode
        self.profile = profile
        # Start at a random core, so that several commands with few tables do not all use the first core.
        first = secrets.randbelow(len(cores))
        self.cores = [cores[(first + index) % len(cores)] for index in range(workers or len(cores))]
        self._pipes: dict[Connection, BaseProcess] = {}
        self._counts = memoryview(mmap(-1, 8 * len(self.cores))).cast("q")  # shared with the children of a fork

    def __enter__(self) -> Self:
        for name in GAME_NAMES:
            game_named(name)
        entries()  # read the error catalog now, because a job may not be able to read the file
        prepare(trusted=self.mode is Mode.TRUSTED)
        if self.profile is Profile.NUMERIC:
            prepare_numeric()
        context = get_context("fork")  # fork while this process is still root, so that Python's files are readable
        for index, core in enumerate(self.cores):
            parent_end, child_end = context.Pipe()
            others = [*self._pipes, parent_end]
            counter = (self._counts, index)
            process = context.Process(
                target=_run_jobs, args=(child_end, others, self.mode, core, os.getpid(), counter), daemon=True
            )
            process.start()
            child_end.close()
            self._pipes[parent_end] = process
        return self

    def __exit__(self, *failure: object) -> None:
        for pipe, process in self._pipes.items():
            pipe.close()
            process.join(timeout=0.5)
            if process.is_alive():
                process.kill()
                process.join()
        self._pipes.clear()

    @property
    def games(self) -> int:
        """The number of games finished at all tables, including those of unfinished matches."""
        return sum(self._counts)

    def run(
        self,
        job: Job,
        calls: Iterable[tuple[Any, ...]],
        on_result: OnResult | None = None,
        on_poll: Callable[[], None] | None = None,
    ) -> Iterator[Any]:
        """Run the calls, read lazily, and yield their results in order. Raises TableFailure: a job or process fails."""
        waiting = enumerate(calls)
        busy: dict[Connection, int] = {}
        done: dict[int, Any] = {}
        for pipe in self._pipes:
            self._send_next(pipe, job, waiting, busy)
        next_number = 0
        while busy or done:
            while next_number not in done:
                ready = wait(list(busy), None if on_poll is None else POLL_S)
                if on_poll is not None:
                    on_poll()
                for pipe in [pipe for pipe in busy if pipe in ready]:
                    number = busy.pop(pipe)
                    try:
                        succeeded, value = pipe.recv()
                    except EOFError:
                        raise TableFailure("a table's process died; no bot caused this") from None
                    if not succeeded:
                        raise TableFailure(value)
                    done[number] = value
                    if on_result is not None:
                        on_result(number, done[number])
                    self._send_next(pipe, job, waiting, busy)
            yield done.pop(next_number)
            next_number += 1

    @staticmethod
    def _send_next(
        pipe: Connection, job: Job, waiting: Iterator[tuple[int, tuple[Any, ...]]], busy: dict[Connection, int]
    ) -> None:
        if (call := next(waiting, None)) is not None:
            number, arguments = call
            pipe.send((job, arguments))
            busy[pipe] = number


def _run_jobs(
    pipe: Connection, others: list[Connection], mode: Mode, core: int, parent: int, counter: tuple[memoryview, int]
) -> None:
    """Run in the child: drop root privileges, pin to a core, and run jobs until the pipe closes or the parent ends."""
    _own_count[:] = [counter]
    for other in others:  # inherited by the fork: a pipe stays open while another child has its end
        other.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl+C; closing the pipe ends this process
    os.sched_setaffinity(0, {core})
    gc.freeze()  # objects from before the fork stay
    gc.set_threshold(*GC_THRESHOLDS)
    cgroups = None
    if mode is Mode.JAIL:
        cgroups = Cgroups.find()
        privileges.drop_for_jails(_PRELOADED)
    die_with(parent)
    with Pool(mode, cgroups=cgroups) as pool, suppress(EOFError, ConnectionResetError):
        while True:
            job, arguments = pipe.recv()
            try:
                answer = (True, job(pool, *arguments))
            except Exception:  # noqa: BLE001 (every failure is carried to the parent, with its traceback)
                answer = (False, traceback.format_exc())
            with suppress(BrokenPipeError):  # the parent has ended: the next read of the pipe ends this process
                pipe.send(answer)
