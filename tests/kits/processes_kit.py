"""The machine's processes, as /proc shows them."""

import os
import select
import signal
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path


def facts_of(pid: int) -> list[str]:
    """Return the fields of /proc/PID/stat after the name; empty if the process is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def families() -> defaultdict[int, list[int]]:
    found: defaultdict[int, list[int]] = defaultdict(list)
    for folder in Path("/proc").glob("[0-9]*"):
        if facts := facts_of(int(folder.name)):
            found[int(facts[1])].append(int(folder.name))
    return found


def descendants_of(pid: int) -> list[int]:
    by_parent = families()
    below = list(by_parent[pid])
    for child in below:
        below += by_parent[child]
    return below


def is_alive(pid: int) -> bool:
    """Return whether a process is running; a zombie is not."""
    return (facts_of(pid) or ["X"])[0] not in "ZX"


# Kill a program without warning, and check whether its child process ends.


PATIENCE_S = 60  # a timeout that prevents endless waits; no test measures it
_ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Killed:
    pid: int
    what_it_started_has_ended: bool


def killed(program: str) -> Killed:
    """Run a Python program that prints the pid of a child process; kill it, and observe the child."""
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=_ROOT, start_new_session=True) as run:
        assert run.stdout is not None
        started = os.pidfd_open(int(run.stdout.readline()))
        run.kill()
    try:
        ended = bool(select.select([started], [], [], PATIENCE_S)[0])
        if not ended:
            signal.pidfd_send_signal(started, signal.SIGKILL)
    finally:
        os.close(started)
    return Killed(run.pid, ended)
