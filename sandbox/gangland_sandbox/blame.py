"""Determine the kind and message of a bot's fault by observing the bot from outside.

Text from the bot appears only in the message to its author; it cannot change the kind to one that spares the seat.
"""

from typing import Final

from gangland.faults import FaultKind
from gangland_sandbox.inside_waits import WAIT_PREFIX
from gangland_sandbox.jail import End
from gangland_sandbox.limits import Limits, Profile

MEMORY_SHARE: Final = 0.9
"""If a bot fails while it uses this share of its memory limit, memory counts as the cause."""

Blame = tuple[FaultKind, str]
WAIT_ERROR: Final = (
    "waited for time to pass or a signal: bots may not sleep, use timers, or locks and polls with a timeout"
)
"""The message for a process that the filter ended, and for a wait that the harness reports."""

HINTS: Final = (
    ("ModuleNotFoundError", "the jail has Python's standard library{numpy} and gangland, and nothing else"),
    ("MemoryError", "a bot has {memory_mib} MiB of memory"),
    ("can't start new thread", "a bot has no threads and no processes"),
    ("BlockingIOError", "a bot has no threads and no processes"),
    ("PermissionError", "a bot has no network and no files; it reads the files of its zip with self.data(name)"),
    ("Read-only file system", "a bot has no network, and cannot write to files"),
)
"""Hints for the author about the jail's limits, by the error in the last line of the message."""


def lateness_blame(kind: FaultKind, limits: Limits, *, loading: bool, method: str) -> Blame:
    """Return the blame for an exceeded time limit; `method` is the bot's method, such as "choose_dice()"."""
    if loading:
        wall = f"{limits.import_wall_s:g} s in all"
        return FaultKind.IMPORT_TIME, f"was not loaded within {limits.import_cpu_s:g} s of CPU and {wall}"
    messages = {
        FaultKind.DECISION_TIME: f"{method} used more than the allowed {limits.decision_cpu_s:g} s of CPU",
        FaultKind.BANK_TIME: f"{method} used up the {limits.bank_cpu_s:g} s of CPU that one process has for all "
        "its decisions; see view.clock",
        FaultKind.WALL_TIME: f"{method} kept the table waiting (asleep?) beyond the {limits.bank_wall_s:g} s that all "
        "decisions in one process share",
    }
    return kind, messages[kind]


def death_blame(end: End, limits: Limits, *, loading: bool, jailed: bool, printed: str) -> Blame:
    """Return the blame for a dead process, determined by its end and its memory."""
    message = end.summary + (f"; it had printed: {printed}" if printed else "")
    last_line = printed.rpartition("\n")[2]  # a bot can imitate the harness's output, which changes only the message
    call_site = last_line.removeprefix(WAIT_PREFIX) if last_line.startswith(WAIT_PREFIX) else ""
    if end.waited and (jailed or call_site):
        return FaultKind.FORBIDDEN_SYSCALL, f"{WAIT_ERROR}\n({call_site})" if call_site else WAIT_ERROR
    if end.forbidden and jailed:
        return FaultKind.FORBIDDEN_SYSCALL, "was killed for a system call that the jail forbids"
    if end.out_of_memory or is_memory_exhausted(end.peak_bytes, limits):
        return FaultKind.MEMORY, f"used its {limits.memory_mib} MiB of memory; {message}"
    return (FaultKind.IMPORT_ERROR if loading else FaultKind.CRASHED), message


def verdict_blame(hint: str, message: str, limits: Limits, *, loading: bool, peak_bytes: int) -> Blame:
    """Return the blame for a failure that the harness reports."""
    if is_memory_exhausted(peak_bytes, limits):
        return FaultKind.MEMORY, f"used its {limits.memory_mib} MiB of memory\n{message}"
    message = add_hint(message, limits)
    if loading:
        return FaultKind.IMPORT_ERROR, message
    if hint == "illegal":
        return FaultKind.ILLEGAL, message
    return FaultKind.CRASHED, message


def add_hint(message: str, limits: Limits) -> str:
    """Return the message, with a hint about the jail's limits if its last line matches one."""
    last_line = message.rpartition("\n")[2]
    for pattern, hint in HINTS:
        if pattern in last_line:
            numpy = ", numpy" if limits.profile is Profile.NUMERIC else ""
            return f"{message}\n({hint.format(memory_mib=limits.memory_mib, numpy=numpy)})"
    return message


def is_memory_exhausted(peak_bytes: int, limits: Limits) -> bool:
    """Return whether a bot was so close to its memory limit that memory counts as the cause of its failure."""
    return peak_bytes >= MEMORY_SHARE * limits.memory_bytes
