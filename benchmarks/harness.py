"""Shared parts of the benchmarks: command lines, alternating measurements, work on all cores, tables, result pages."""

import argparse
import json
import os
import platform
import re
import signal
import sys
import time
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any, TypeVar

RESULTS = Path(__file__).resolve().parent / "results"
PROGRESS_S = 10.0
T = TypeVar("T")

Value = str | int | float | bool | None
Row = tuple[Value, ...]
_NUMBER = re.compile(r"[<+-]?[\d.,]*%?")


@dataclass(frozen=True, slots=True)
class Table:
    """One table of findings.

    Attributes:
        key: the name of the table in JSON.
        finding: the conclusion in a sentence or two, made from the figures.
    """

    key: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    finding: str = ""

    def drawn(self, draw: Callable[[list[list[str]]], str]) -> str:
        """Return the table in columns or pipes, with its finding below."""
        table = draw([list(self.columns), *([shown(value) for value in row] for row in self.rows)])
        return f"{table}\n{self.finding}\n" if self.finding else table

    def as_values(self) -> dict[str, object]:
        """Return the table as plain values."""
        rows = [dict(zip(self.columns, row, strict=True)) for row in self.rows]
        return {"key": self.key, "title": self.title, "rows": rows, "finding": self.finding}


@dataclass(frozen=True, slots=True)
class Section:
    """The text between a pair of marks of a page: tables, and sentences after them.

    Attributes:
        dated: whether the figures depend on the machine and the day, so that both are printed.
    """

    key: str
    tables: tuple[Table, ...]
    notes: tuple[str, ...] = ()
    dated: bool = True

    def drawn(self, draw: Callable[[list[list[str]]], str], title: str) -> str:
        """Return the whole text; tables have titles if there are several, or in a terminal."""
        titled = len(self.tables) > 1 or draw is columns
        tables = [f"{title.format(each.title)}\n\n" * titled + each.drawn(draw) for each in self.tables]
        return "\n".join([*[f"{machine()}\n"] * self.dated, *tables, *(f"{note}\n" for note in self.notes)])


def marks(key: str) -> tuple[str, str]:
    """Return the marks of a page before and after the text of a command."""
    return f"<!-- {key} -->", f"<!-- end of {key} -->"


def put(page: Path, key: str, text: str) -> None:
    """Replace a page's text between the marks of a section.

    Raises:
        ValueError: the page has no such marks.
    """
    begin, end = marks(key)
    before, mark, rest = page.read_text(encoding="utf-8").partition(begin)
    _, ended, after = rest.partition(end)
    if not (mark and ended):
        raise ValueError(f"{page} has no marks {begin} and {end}")
    page.write_text(f"{before}{begin}\n{text}{end}{after}", encoding="utf-8")


def keys_of(page: Path) -> list[str]:
    """Return the keys of a page's sections, in their order on the page."""
    return re.findall(r"<!-- end of (.+) -->", page.read_text(encoding="utf-8"))


def parser(module: str, description: str, page: str = "") -> argparse.ArgumentParser:
    """Return a command line parser with the output formats that all commands have.

    Args:
        page: the page in results/ that the command writes with `--write`.
    """
    command_line = argparse.ArgumentParser(prog=f"python -m {module}", description=description)
    form = command_line.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON")
    form.add_argument("--markdown", action="store_true", help="print Markdown")
    form.add_argument("--into", type=Path, metavar="PAGE", help="put the tables into a page, between its marks")
    if page:
        into = {"action": "store_const", "dest": "into", "const": RESULTS / page}
        form.add_argument("--write", **into, help=f"put them into benchmarks/results/{page}")  # type: ignore[arg-type]
    return command_line


def publish(
    options: argparse.Namespace, sections: Sequence[Section], document: Mapping[str, Any] | None = None
) -> None:
    """Print sections, or put them into a page, depending on the command line.

    Args:
        document: the content of the JSON, if it is not only the tables.
    """
    if options.into:
        for section in sections:
            put(options.into, section.key, section.drawn(pipes, "**{}**"))
    elif options.json:
        tables = [table.as_values() for section in sections for table in section.tables]
        notes = [note for section in sections for note in section.notes]
        sys.stdout.write(
            json.dumps(document or {"machine": machine(), "tables": tables, "notes": notes}, indent=2) + "\n"
        )
    else:
        draw, title = (pipes, "## {}") if options.markdown else (columns, "{}")
        sys.stdout.write("\n".join(section.drawn(draw, title) for section in sections))


def count(text: str) -> int:
    """Parse a number of at least 1 from the command line."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"a number from 1, not {text!r}")
    return number


def say(text: str) -> None:
    """Print progress to stderr."""
    print(text, file=sys.stderr, flush=True)


def exit_on_sigterm() -> None:
    """Make SIGTERM end this process like an error, so that all cleanup code runs."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))


def machine() -> str:
    """Return the date and the machine of the figures."""
    today = datetime.now(UTC).date()
    load = ", ".join(f"{load:.1f}" for load in os.getloadavg())
    python = f"Python {platform.python_version()}, {platform.machine()}"
    return f"{today}, {python}, {os.cpu_count()} cores, load {load} (1, 5, 15 minutes)"


def shown(value: Value) -> str:
    """Return a cell as text: with separated thousands, and three digits for fractions."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"
    return f"{value:,}" if isinstance(value, int) else value


def columns(cells: list[list[str]]) -> str:
    """Return rows, whose first row has the headings, as aligned columns."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    numeric = _numeric(cells)
    return "".join(
        "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, numeric, strict=True)
        ).rstrip()
        + "\n"
        for row in cells
    )


def pipes(cells: list[list[str]]) -> str:
    """Return rows, whose first row has the headings, as a Markdown table."""
    heading, *rows = cells
    rule = ["---:" if right else "---" for right in _numeric(cells)]
    return "".join([f"| {' | '.join(row)} |\n" for row in (heading, rule, *rows)])


def _numeric(cells: list[list[str]]) -> list[bool]:
    """Return, by column, whether it contains only numbers."""
    return [all(_NUMBER.fullmatch(cell) for cell in column[1:]) for column in zip(*cells, strict=True)]


def run_in_turn(ways: Mapping[str, Callable[[], T]], rounds: int, *, warm_up: bool = True) -> dict[str, list[T]]:
    """Run all functions in turn for a number of rounds, so that those of a round run within seconds of each other.

    Args:
        warm_up: whether to discard a first round, for imports, caches and the first processes.
    """
    results: dict[str, list[T]] = {way: [] for way in ways}
    for number in range(rounds + warm_up):
        for way, run in ways.items():
            result = run()
            if number >= warm_up:
                results[way].append(result)
    return results


def ratio(own: Sequence[float], base: Sequence[float]) -> float:
    """Return the median over the rounds of the ratio of one function's figure to that of another."""
    return median([one / other for one, other in zip(own, base, strict=True)])


def seed_of(*words: object) -> bytes:
    """Return the 32-byte seed of these words."""
    return sha256("|".join(map(str, ("evidence", *words))).encode()).digest()


@dataclass(frozen=True, slots=True)
class Job:
    """A piece of work.  The results of jobs with the same key are collected together, in the order of the jobs."""

    key: Hashable
    run: Callable[..., Any]
    arguments: tuple[Any, ...]

    def __call__(self) -> Any:
        """Do the work and return its result."""
        return self.run(*self.arguments)


def pieces(count: int, size: int) -> list[range]:
    """Return the numbers 0 to count - 1 in pieces of at most this size."""
    return [range(start, min(start + size, count)) for start in range(0, count, size)]


def run_all(jobs: Sequence[Job], workers: int) -> dict[Any, list[Any]]:
    """Return the results by key, the same for any number of workers; a single worker is this process."""
    pool = ProcessPoolExecutor(workers, get_context("spawn")) if workers > 1 else nullcontext()
    with pool as executor:
        results = _in_pool(executor, jobs) if executor is not None else [job() for job in jobs]
    by_key: dict[Any, list[Any]] = {}
    for job, result in zip(jobs, results, strict=True):
        by_key.setdefault(job.key, []).append(result)
    return by_key


def _in_pool(executor: Executor, jobs: Sequence[Job]) -> list[Any]:
    futures = [executor.submit(job) for job in jobs]
    try:
        _show_progress(as_completed(futures), len(jobs))
        return [future.result() for future in futures]
    finally:
        for future in futures:
            future.cancel()  # useful if another one has failed


def _show_progress(completed: Iterable[Future[Any]], count: int) -> None:
    """Wait for all jobs, and print progress from time to time.  A failure is raised at once."""
    reported_at = time.monotonic()
    for done, future in enumerate(completed, 1):
        future.result()
        if time.monotonic() - reported_at > PROGRESS_S:
            reported_at = time.monotonic()
            say(f"{done} of {count} pieces")
