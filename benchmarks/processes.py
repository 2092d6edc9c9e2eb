"""Read processes from /proc: parents and children, and the CPU time of an installation by purpose."""

import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

TICKS_PER_SECOND: Final = os.sysconf("SC_CLK_TCK")

WORKER: Final = "match workers"
JAILS: Final = "jails"
RECORDER: Final = "record worker"
BEAT: Final = "beat"
BROKER: Final = "broker"
WEB: Final = "web"
SUPERVISOR: Final = "supervisor"
DATABASE: Final = "database server"

ROLES: Final = {
    "gangland_web.workers.match": WORKER,
    "gangland_web.workers.records": RECORDER,
    "gangland_web.workers.beat": BEAT,
    "gangland_web.ops.serving": WEB,
    "valkey-server": BROKER,
    "redis-server": BROKER,
}
"""The purpose of a child of the supervisor, by a word of its command."""


@dataclass(frozen=True, slots=True)
class Process:
    """One process in /proc: its parent, its own CPU seconds, and those of its ended children."""

    parent: int
    own_s: float
    ended_s: float


def processes() -> dict[int, Process]:
    """Return all current processes by pid."""
    by_pid = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        user, system, ended_user, ended_system = (int(ticks) / TICKS_PER_SECOND for ticks in fields[11:15])
        by_pid[int(folder.name)] = Process(int(fields[1]), user + system, ended_user + ended_system)
    return by_pid


def below(pid: int, all_processes: Mapping[int, Process]) -> list[int]:
    """Return all descendants of a process."""
    children = [child for child, process in all_processes.items() if process.parent == pid]
    return [*children, *(deeper for child in children for deeper in below(child, all_processes))]


def tree_s(pid: int, all_processes: Mapping[int, Process]) -> float:
    """Return the CPU seconds of a process, of its descendants, and of all ended children that it waited for."""
    return sum(
        all_processes[each_pid].own_s + all_processes[each_pid].ended_s
        for each_pid in (pid, *below(pid, all_processes))
    )


def played_s(pid: int, all_processes: Mapping[int, Process]) -> dict[str, float]:
    """Return the CPU seconds of a process that plays matches, and separately those of its jails."""
    return {WORKER: all_processes[pid].own_s, JAILS: tree_s(pid, all_processes) - all_processes[pid].own_s}


def role_of(pid: int) -> str:
    """Return the purpose of a child of the supervisor.  Raises OSError: it has ended."""
    command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    return next((role for word, role in ROLES.items() if word in command), SUPERVISOR)


def by_role(supervisor: int, servers: Sequence[int] = ()) -> dict[str, float]:
    """Return the CPU seconds of an installation by purpose.

    Args:
        supervisor: the process of `gangland up`.
        servers: additional database servers.
    """
    all_processes = processes()
    spent: dict[str, float] = defaultdict(float)
    spent[SUPERVISOR] = all_processes[supervisor].own_s
    for child in [pid for pid, process in all_processes.items() if process.parent == supervisor]:
        try:
            role = role_of(child)
        except OSError:
            continue  # the process existed only for a moment
        parts = played_s(child, all_processes) if role == WORKER else {role: tree_s(child, all_processes)}
        for part, seconds in parts.items():
            spent[part] += seconds
    for server in servers:
        spent[DATABASE] += tree_s(server, all_processes)
    return dict(spent)
