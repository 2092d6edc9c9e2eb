"""Work in pieces for all cores; what comes out does not depend on how many there are."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Hashable, Iterable, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from contextlib import nullcontext
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

PROGRESS_S = 10.0


@dataclass(frozen=True, slots=True)
class Job:
    """A piece of work.  Results of jobs with the same key come together, in the order of the jobs."""

    key: Hashable
    run: Callable[..., Any]
    arguments: tuple[Any, ...]

    def __call__(self) -> Any:
        """Do it."""
        return self.run(*self.arguments)


def pieces(count: int, most: int) -> list[range]:
    """Return the numbers 0 to count - 1 in pieces of at most so many."""
    return [range(start, min(start + most, count)) for start in range(0, count, most)]


def run_all(jobs: Sequence[Job], workers: int) -> dict[Hashable, list[Any]]:
    """Return the results by key; with one worker all is done in this process."""
    pool = ProcessPoolExecutor(workers, get_context("spawn")) if workers > 1 else nullcontext()
    with pool as executor:
        results = _in_pool(executor, jobs) if executor is not None else [job() for job in jobs]
    found: dict[Hashable, list[Any]] = {}
    for job, result in zip(jobs, results, strict=True):
        found.setdefault(job.key, []).append(result)
    return found


def _in_pool(executor: Executor, jobs: Sequence[Job]) -> list[Any]:
    futures = [executor.submit(job) for job in jobs]
    try:
        _show_progress(as_completed(futures), len(jobs))
        return [future.result() for future in futures]
    finally:
        for future in futures:
            future.cancel()  # of use when one has failed


def _show_progress(completed: Iterable[Future[Any]], count: int) -> None:
    """Wait for all, and write a line to the standard error now and then.  A failure is raised at once."""
    shown = time.monotonic()
    for done, future in enumerate(completed, 1):
        future.result()
        if time.monotonic() - shown > PROGRESS_S:
            shown = time.monotonic()
            sys.stderr.write(f"{done} of {count} pieces\n")
