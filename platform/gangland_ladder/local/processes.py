"""Many matches at once on one machine: one process a table, each pinned to a core of its own.

The processes are forked before they give up root; orders and codes come over a pipe, and Python stays in reach
also where others cannot enter the folder that it lies in.
"""

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

_IMPORTED_LATE = ("gangland", "gangland_ladder.checking", "gangland_ladder.local")
"""What jobs may import while they run, where Python is out of reach by then."""


class TableFailed(RuntimeError):
    """A table's process broke off; the message has its own account."""


Job = Callable[..., Any]
"""Called with the pool of jails of its process, and the arguments of its call."""
Received = Callable[[int, Any], None]
"""Called with the number of a call and its result as soon as it is there, in no certain order."""


COLLECTED_AFTER = (20_000, 20, 20)
"""Python looks for cycles after 700 new objects, a few questions: that took a twentieth of a referee's time."""
LOOK_S = 0.25
"""How often a caller that waits for tables can look how far they are."""
_own_count: list[tuple[memoryview, int]] = []
"""In a table's process: the counts, in memory that it shares with its parent, and the place of its own there."""


def count_games(games: int) -> None:
    """Say in a table's process how many more games are over; a negative number takes back those of a void match."""
    for counts, place in _own_count:
        counts[place] += games


class Tables:
    """Processes that run jobs in the jail's reach; use it as a context manager.

    Args:
        workers: how many processes; one a core if None. They take neighboring cores from one by chance on, so that
            commands with few tables each, at work at once, do not all meet on the first core while others idle.
        profile: of the matches that will be played; a numeric one takes more to get ready.
    """

    def __init__(self, *, mode: Mode = Mode.JAIL, workers: int | None = None, profile: Profile = Profile.PLAIN) -> None:
        cores = sorted(os.sched_getaffinity(0))
        self.mode = mode
        self.profile = profile
        first = secrets.randbelow(len(cores))
        self.cores = [cores[(first + index) % len(cores)] for index in range(workers or len(cores))]
        self._ends: dict[Connection, BaseProcess] = {}
        self._counts = memoryview(mmap(-1, 8 * len(self.cores))).cast("q")  # shared with the children of a fork

    def __enter__(self) -> Self:
        for name in GAME_NAMES:
            game_named(name)
        entries()  # read here, for a job may have no way to the file
        prepare(trusted=self.mode is Mode.TRUSTED)
        if self.profile is Profile.NUMERIC:
            prepare_numeric()
        context = get_context("fork")
        for place, core in enumerate(self.cores):
            ours, theirs = context.Pipe()
            others = [*self._ends, ours]
            counted = (self._counts, place)
            process = context.Process(
                target=_table, args=(theirs, others, self.mode, core, os.getpid(), counted), daemon=True
            )
            process.start()
            theirs.close()
            self._ends[ours] = process
        return self

    def __exit__(self, *failure: object) -> None:
        for end, process in self._ends.items():
            end.close()
            process.join(timeout=0.5)
            if process.is_alive():
                process.kill()
                process.join()
        self._ends.clear()

    @property
    def games(self) -> int:
        """How many games are over by now at all tables, those of matches under way among them."""
        return sum(self._counts)

    def run(
        self,
        job: Job,
        calls: Iterable[tuple[Any, ...]],
        received: Received | None = None,
        looking: Callable[[], None] | None = None,
    ) -> Iterator[Any]:
        """Yield what the job returns for each call, in the order of the calls, which are taken as they are needed.

        Raises TableFailed: a job raised, or its process died.
        """
        waiting = enumerate(calls)
        busy: dict[Connection, int] = {}
        done: dict[int, Any] = {}
        for end in self._ends:
            self._give(end, job, waiting, busy)
        wanted = 0
        while busy or done:
            while wanted not in done:
                ready = wait(list(busy), None if looking is None else LOOK_S)
                if looking is not None:
                    looking()
                for end in [end for end in busy if end in ready]:
                    number = busy.pop(end)
                    try:
                        good, value = end.recv()
                    except EOFError:
                        raise TableFailed("a table's process died; this is no bot's doing") from None
                    if not good:
                        raise TableFailed(value)
                    done[number] = value
                    if received is not None:
                        received(number, done[number])
                    self._give(end, job, waiting, busy)
            yield done.pop(wanted)
            wanted += 1

    @staticmethod
    def _give(
        end: Connection, job: Job, waiting: Iterator[tuple[int, tuple[Any, ...]]], busy: dict[Connection, int]
    ) -> None:
        if (call := next(waiting, None)) is not None:
            number, arguments = call
            end.send((job, arguments))
            busy[end] = number


def _table(
    pipe: Connection, others: list[Connection], mode: Mode, core: int, parent: int, counted: tuple[memoryview, int]
) -> None:
    """Run in the child: give up root, take a core, and do jobs until the pipe closes or the parent is gone."""
    _own_count[:] = [counted]
    for end in others:  # inherited by the fork: while a child holds another's end, that one never sees its pipe close
        end.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides; closing the pipe ends this process
    os.sched_setaffinity(0, {core})
    gc.freeze()  # what the fork came with stays
    gc.set_threshold(*COLLECTED_AFTER)
    cgroups = None
    if mode is Mode.JAIL:
        cgroups = Cgroups.find()
        privileges.drop_for_jails(_IMPORTED_LATE)
    die_with(parent)
    with Pool(mode, cgroups=cgroups) as pool, suppress(EOFError, ConnectionResetError):
        while True:
            job, arguments = pipe.recv()
            try:
                answer = (True, job(pool, *arguments))
            except Exception:  # noqa: BLE001 (every failure is carried to the parent, with its traceback)
                answer = (False, traceback.format_exc())
            with suppress(BrokenPipeError):  # nobody waits any more: the next look at the pipe ends this process
                pipe.send(answer)
