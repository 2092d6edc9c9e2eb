"""A program that is killed, as nobody can prepare for, and what becomes of what it has started."""

import os
import select
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

PATIENCE_S = 60
"""A guard against waiting for ever; nothing is measured by it."""
_ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Killed:
    """A program that was killed, and whether what it had started ended then by itself."""

    pid: int
    what_it_started_has_ended: bool


def killed(program: str) -> Killed:
    """Run a Python program that prints the pid of something that it has started; kill it, and look after the other."""
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
