"""One jail: bubblewrap around a Python that holds nothing but the engine and the harness."""

from __future__ import annotations

import json
import os
import resource
import select
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Final

from gangland_sandbox.clock import cpu_clock
from gangland_sandbox.errors import SandboxError
from gangland_sandbox.privileges import refuse_root
from gangland_sandbox.runtime import Runtime
from gangland_sandbox.seccomp import SIGSYS_STATUS, filter_bytes
from gangland_sandbox.treebuild import APP_MOUNT, HARNESS, LIBRARIES, PYTHON

INSIDE_ID: Final = "65534"
PYTHON_FLAGS: Final = ("-S", "-s", "-P", "-B", "-c", f"import gc; gc.disable(); from {HARNESS} import main; main()")
Spawned = tuple[subprocess.Popen[bytes], int]
"""The process that is reaped, and the pid of the bot."""

GONE_S: Final = 5.0
"""How long a killed jail may take to be gone before its keeper is killed as well."""


@dataclass(frozen=True, slots=True)
class End:
    """How a jail ended.

    Attributes:
        status: exit status; 128 + n when signal n killed it.
        cpu_s: CPU seconds of the bot's process in all its life.
        peak_bytes: the most memory that it held.
        keeper_signal: the signal that killed bubblewrap itself, 0 if none did; no bot can send one.
    """

    status: int
    cpu_s: float
    peak_bytes: int
    keeper_signal: int = 0

    @property
    def forbidden(self) -> bool:
        """Whether the system call filter killed it."""
        return self.status == SIGSYS_STATUS

    @property
    def summary(self) -> str:
        """How it ended, in words."""
        if self.status > 128:
            name = signal.Signals(self.status - 128).name if self.status - 128 in set(signal.Signals) else "a signal"
            return f"its process ended with status {self.status} ({name})"
        return f"its process ended with status {self.status}"


class Child:
    """A bot's process as its referee holds it: two pipes, what it prints, and its end.

    A jail dies with the thread that opened it, not with the process alone: open it on a
    thread that lives as long as the jail.
    """

    def __init__(self, command: list[str], environment: dict[str, str], *, jailed: bool) -> None:
        self.jailed = jailed
        self.end: End | None = None
        self._handles: list[int] = []
        ours: list[int] = []
        theirs: list[int] = []
        try:
            for mine in (1, 0, 0):
                pair = os.pipe()
                ours.append(pair[mine])
                theirs.append(pair[1 - mine])
            self.requests, self.answers, self.errors = ours
            for descriptor in ours:
                os.set_blocking(descriptor, False)
            self._process, self.pid = (_spawn_jail if jailed else _spawn_plain)(command, environment, theirs)
        except BaseException as failure:
            said = _last_words(ours[-1]) if isinstance(failure, SandboxError) and len(ours) == 3 else ""
            for descriptor in ours:
                os.close(descriptor)
            if said:
                raise SandboxError(f"{failure}: {said}") from failure
            raise
        finally:
            for descriptor in theirs:
                os.close(descriptor)
        self._open = ours
        self._hold()

    def _hold(self) -> None:
        """Take handles that name these processes for good, whatever becomes of their numbers."""
        try:
            for pid in dict.fromkeys((self._process.pid, self.pid)):
                self._handles.append(os.pidfd_open(pid))
        except OSError as failure:
            self._process.kill()
            self._process.wait()
            for descriptor in (*self._open, *self._handles):
                os.close(descriptor)
            raise SandboxError(f"the jail ended before it had begun: {failure}") from failure

    def kill(self) -> End:
        """Kill the bot, wait until it is gone, and give back all that it held.  May be called twice."""
        if self.end is None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._handles[-1], signal.SIGKILL)
                if not self.jailed:
                    os.killpg(self.pid, signal.SIGKILL)  # root's bots can have children
            self.end = self._reap(GONE_S)
            for descriptor in (*self._open, *self._handles):
                os.close(descriptor)
        return self.end

    def wait(self, timeout_s: float) -> End:
        """Give the bot this long to end by itself, then kill it."""
        if self.end is None:
            self._gone(timeout_s)
        return self.kill()

    def _gone(self, timeout_s: float) -> bool:
        poll = select.poll()
        poll.register(self._handles[0], select.POLLIN)
        return bool(poll.poll(timeout_s * 1000))

    def _reap(self, timeout_s: float) -> End:
        """Wait for the keeper (bubblewrap, or the bot itself) and return what it says of the bot."""
        ended = self._gone(timeout_s)
        if not ended:
            self._process.kill()
        keeper = self._process.pid
        os.waitid(os.P_PID, keeper, os.WEXITED | os.WNOWAIT)
        own_s = time.clock_gettime(cpu_clock(keeper)) if self.jailed else 0.0
        _, raw, usage = os.wait4(keeper, 0)
        code = os.waitstatus_to_exitcode(raw)
        self._process.returncode = code
        return End(
            status=code if code >= 0 else 128 - code,
            cpu_s=max(0.0, usage.ru_utime + usage.ru_stime - own_s),
            peak_bytes=_peak_of_its_own(usage.ru_maxrss),
            keeper_signal=-code if code < 0 and self.jailed and ended else 0,
        )


def _peak_of_its_own(peak_kib: int) -> int:
    """Return the peak of a process that has ended, 0 if it may be ours.

    A process that is started counts from its parent's peak on, so that only what lies above
    this process's own peak is surely the bot's.
    """
    return peak_kib * 1024 if peak_kib > resource.getrusage(resource.RUSAGE_SELF).ru_maxrss else 0


def open_jail(runtime: Runtime, game: str) -> Child:
    """Start a harness in a jail, with no bot in it yet.

    Raises:
        SandboxError: as root, without bubblewrap, or when the jail cannot be built.
    """
    refuse_root()
    if runtime.python is None:
        raise SandboxError("this runtime was prepared for trusted bots alone")
    return Child([*jail_command(runtime), *PYTHON_FLAGS, game], {}, jailed=True)


def open_trusted(runtime: Runtime, game: str) -> Child:
    """Start a harness in a plain process: for an author's own bots alone."""
    environment = {"PYTHONHASHSEED": "0", "PYTHONPATH": str(runtime.app)}
    return Child([sys.executable, *PYTHON_FLAGS, game], environment, jailed=False)


def jail_command(runtime: Runtime) -> list[str]:
    """Return the command line of bubblewrap up to Python's own arguments."""
    assert runtime.python is not None
    settings = {
        "LD_LIBRARY_PATH": f"/{LIBRARIES}",
        "PYTHONHASHSEED": "0",
        "PYTHONHOME": "/usr",
        "PYTHONPATH": f"/{APP_MOUNT}",
    }
    return [
        bubblewrap(),
        *("--unshare-all", "--unshare-user", *(("--disable-userns",) if can_disable_userns() else ())),
        *("--uid", INSIDE_ID, "--gid", INSIDE_ID, "--hostname", "jail"),
        *("--as-pid-1", "--die-with-parent", "--new-session", "--clearenv", "--cap-drop", "ALL"),
        *("--ro-bind", str(runtime.python), "/", "--ro-bind", str(runtime.app), f"/{APP_MOUNT}"),
        *("--remount-ro", "/", "--chdir", "/"),
        *(part for name, value in settings.items() for part in ("--setenv", name, value)),
        *("--seccomp", "{seccomp}", "--info-fd", "{info}", "--", f"/{PYTHON}"),
    ]


@cache
def bubblewrap() -> str:
    """Return the path of bwrap.

    Raises:
        SandboxError: it is not installed.
    """
    found = shutil.which("bwrap")
    if found is None:
        raise SandboxError("bubblewrap is not installed (apt install bubblewrap, dnf install bubblewrap)")
    return found


@cache
def can_disable_userns() -> bool:
    """Return whether bubblewrap can close user namespaces inside.

    Containers mount /proc/sys read-only, and versions before 0.8 do not know how; there the
    filter alone denies them, and a probe proves it.
    """
    try:
        if os.statvfs("/proc/sys").f_flag & os.ST_RDONLY:
            return False
    except OSError:
        return False
    helped = subprocess.run([bubblewrap(), "--help"], capture_output=True, text=True, check=False)
    return "--disable-userns" in helped.stdout + helped.stderr


def _spawn_jail(command: list[str], environment: dict[str, str], ends: list[int]) -> Spawned:
    """Start bubblewrap; return it and the pid of the process inside."""
    rules, rules_in = os.pipe()
    info, info_out = os.pipe()
    try:
        os.write(rules_in, filter_bytes())
        os.close(rules_in)
        named = [part.format(seccomp=rules, info=info_out) if part[:1] == "{" else part for part in command]
        process = _popen(named, environment, ends, (rules, info_out))
    except BaseException:
        os.close(info)
        raise
    finally:
        os.close(rules)
        os.close(info_out)
    with open(info, "rb") as told:
        text = told.read()
    try:
        return process, int(json.loads(text)["child-pid"])
    except (ValueError, KeyError, TypeError) as failure:
        process.wait()
        raise SandboxError("bubblewrap cannot build a jail (`gangland doctor` says what is missing)") from failure


def _spawn_plain(command: list[str], environment: dict[str, str], ends: list[int]) -> Spawned:
    process = _popen(command, environment, ends, ())
    return process, process.pid


def _popen(
    command: list[str], environment: dict[str, str], ends: list[int], passed: tuple[int, ...]
) -> subprocess.Popen[bytes]:
    """Start a program in a process group of its own: Ctrl-C is for the referee, not for its bots."""
    try:
        return subprocess.Popen(
            command,
            stdin=ends[0],
            stdout=ends[1],
            stderr=ends[2],
            env=environment,
            pass_fds=passed,
            process_group=0,
        )
    except OSError as failure:
        raise SandboxError(f"cannot start {command[0]}: {failure}") from failure


def _last_words(errors: int) -> str:
    """Return what a program that could not start wrote to its stderr."""
    try:
        return os.read(errors, 1000).decode("utf-8", "replace").strip()
    except BlockingIOError:
        return ""
