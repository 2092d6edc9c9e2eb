"""Who plays matches stands back for everybody else on the machine, and jails do as their referee does."""

import os
import subprocess
import sys
import time
from pathlib import Path

from gangland_sandbox import jail, limits
from gangland_sandbox.niceness import lower_priority
from gangland_sandbox.pool import Pool
from gangland_sandbox.privileges import run_as_jail_user  # noqa: F401  # the programs below use it
from gangland_sandbox.runtime import prepare  # noqa: F401  # and this

ROOT = Path(__file__).resolve().parents[2]
HAS_SESSIONS = Path("/proc/self/autogroup").exists()
OWN = os.getpriority(os.PRIO_PROCESS, 0)


def told(pid: int) -> list[object]:
    """Return the niceness of a process, and of its session where the kernel groups by session."""
    session = Path(f"/proc/{pid}/autogroup")
    output = session.read_text().split() if HAS_SESSIONS else []
    of_session = int(output[-1]) if output else None  # what began before the kernel's first session is of none
    return [os.getpriority(os.PRIO_PROCESS, pid), of_session]


def far(niceness: int) -> list[object]:
    return [OWN + niceness, OWN + niceness if HAS_SESSIONS else None]


def in_a_session_of_its_own(program: str) -> str:
    head = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from tests.sandbox.test_niceness import *\n"
    done = subprocess.run(
        [sys.executable, "-c", head + program], capture_output=True, text=True, check=True, start_new_session=True
    )
    return done.stdout.strip()


def test_a_process_stands_back_with_its_session() -> None:
    assert in_a_session_of_its_own("lower_priority(7); print(told(os.getpid()))") == str(far(7))


def test_nobody_stands_back_who_is_not_told_to() -> None:
    assert in_a_session_of_its_own("lower_priority(0); print(told(os.getpid()))") == str(
        [OWN, 0 if HAS_SESSIONS else None]
    )


def test_a_jail_stands_back_as_its_referee_does() -> None:
    assert in_a_session_of_its_own("prepare(); print(run_as_jail_user(jail_of_a_nice_referee))") == str(far(9))


def jail_of_a_nice_referee() -> list[object]:
    lower_priority(9)
    found: list[object] = []
    with Pool(jail.Mode.JAIL) as pool:
        for _ in range(
            100
        ):  # the kernel changes one session in a tenth of a second; the jail's next process asks again
            process = pool.acquire(limits.Profile.PLAIN)
            process.wait_for_hello(60.0)
            found = told(process.pid)
            pool.release(process, clean=True)
            if found == far(9):
                break
            time.sleep(0.1)
    return found
