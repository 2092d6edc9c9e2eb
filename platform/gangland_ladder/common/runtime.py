"""Helpers for command-line programs: exit codes, write errors, Ctrl-C, and optional extras."""

import os
import re
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

# Exit codes that all commands use.


FINDINGS, USAGE, SERVER, NOT_SIGNED_IN, INTERRUPTED = 1, 2, 3, 4, 130

EXIT_CODE_MEANINGS = {
    0: "success",
    FINDINGS: "findings: a bot at fault in `play` or `check`, a failed check, an invalid record",
    USAGE: "invalid command or settings, or not supported on this machine",
    SERVER: "network or server failed",
    NOT_SIGNED_IN: "no valid token",
    INTERRUPTED: "interrupted by Ctrl-C; results so far are printed",
}


# Context managers: one turns write errors into readable messages, the other delays Ctrl-C.


@contextmanager
def write_errors_as(file: Path, error_type: type[Exception]) -> Iterator[None]:
    """Raise `error_type`, with a message for users, if the file cannot be written."""
    try:
        yield
    except OSError as error:
        raise error_type(f"cannot write {file}: {error.strerror}") from error


@contextmanager
def delayed_interrupt() -> Iterator[None]:
    """Delay Ctrl-C until the end of the block, so that every result is counted completely; then raise the interrupt."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    interrupts: list[int] = []
    previous = signal.signal(signal.SIGINT, lambda number, _: interrupts.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous if previous is not None else signal.default_int_handler)
    if interrupts:
        raise KeyboardInterrupt


# numpy's thread count.


def calculate_on_one_thread() -> None:
    """Limit numpy's math library to one thread, unless the environment sets a number; call before importing numpy."""
    # Our matrices are small, so more threads are not faster: they mostly waste CPU time while they wait.
    for name in ("BLIS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(name, "1")


# Optional extras: checking whether they are installed, and running the site as a separate program.


class ExtraMissing(ImportError):
    """A library that belongs to an extra, such as `gangland[research]`, is not installed."""


def require_modules(*modules: str) -> None:
    """Raise ExtraMissing, with the command that installs the extra, if one of these modules cannot be imported."""
    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        raise ExtraMissing(f"{' and '.join(missing)} is missing: pip install 'gangland[research]'", name=missing[0])


def run_site(module: str, arguments: Sequence[str]) -> NoReturn:
    """Replace this process with one of the site's programs, which this package does not import. Raises ExtraMissing."""
    missing = [name for name in _required_by("site") if not list(metadata.distributions(name=name))]
    if missing:
        raise ExtraMissing(f"{', '.join(missing)} is missing: pip install 'gangland[site]'")
    # Ctrl-C would end the program with a traceback while it is imported, so it waits for `accept_interrupt`.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    os.execv(sys.executable, [sys.executable, "-m", module, *arguments])


def accept_interrupt() -> None:
    """Accept Ctrl-C in a program that `run_site` started; one that was pressed earlier is raised now."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _required_by(extra: str) -> list[str]:
    requirements = [each.partition(";") for each in metadata.requires("gangland") or ()]
    wanted = re.compile(rf"\s*extra\s*==\s*[\"']{extra}[\"']\s*")
    return [re.split(r"[^\w.-]", name.strip())[0] for name, _, marker in requirements if wanted.fullmatch(marker)]
