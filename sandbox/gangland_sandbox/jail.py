"""One jail: a Python interpreter inside bubblewrap.

It can import only the standard library, the engine, the harness and, in the numeric profile, numpy.  A jail has a
zygote and at most one bot's process, which the zygote forks and which is killed after its games.  A bot's process never
serves a second bot.
"""

from __future__ import annotations

import marshal
import os
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final

from gangland.games import GAME_NAMES
from gangland_sandbox import numeric, zygote
from gangland_sandbox.cgroups import Box
from gangland_sandbox.errors import SandboxError
from gangland_sandbox.layout import same_addresses
from gangland_sandbox.limits import Limits, Profile
from gangland_sandbox.memory import Watch
from gangland_sandbox.niceness import set_session_niceness
from gangland_sandbox.privileges import refuse_root
from gangland_sandbox.runtime import Runtime, prepare_numeric
from gangland_sandbox.seccomp import Stage, filter_bytes
from gangland_sandbox.treebuild import APP_MOUNT, LIBRARIES, NUMERIC_MOUNT, PYTHON, STDLIB

INSIDE_ID: Final = "65534"
PYTHON_FLAGS: Final = (
    *("-S", "-s", "-P", "-B", "-c"),
    "import gc; gc.disable(); from gangland_sandbox.zygote import main; main()",
)
EXTRA_MODULES: Final = {Profile.PLAIN: (), Profile.NUMERIC: numeric.MODULES}
"""Modules that a zygote imports in addition to the games."""
EXIT_TIMEOUT_S: Final = 5.0
"""The timeout for a killed process to disappear, in seconds."""
_UCRED: Final = struct.Struct("3i")
"""The kernel's identification of a message's sender: process, user, group."""


class Mode(StrEnum):
    """The confinement of a bot: a jail, or a plain process for an author's own bots."""

    JAIL = "jail"
    TRUSTED = "trusted"


@dataclass(frozen=True, slots=True)
class End:
    """The end of a bot's process."""

    status: int  # from waitpid
    cpu_s: float  # all CPU seconds that the process used
    peak_bytes: int
    out_of_memory: bool = False  # killed for using too much memory, by the kernel or the referee
    lost: bool = False  # whether the jail ended too, so the end of the process is unknown; no bot can cause that

    @property
    def forbidden(self) -> bool:
        """Whether the system call filter killed it."""
        return os.WIFSIGNALED(self.status) and os.WTERMSIG(self.status) == signal.SIGSYS

    @property
    def waited(self) -> bool:
        """Whether it was killed because it waited: the jail turns a system call that waits into SIGTRAP."""
        return os.WIFSIGNALED(self.status) and os.WTERMSIG(self.status) == signal.SIGTRAP

    @property
    def summary(self) -> str:
        """A one-line description of the end."""
        if os.WIFSIGNALED(self.status):
            number = os.WTERMSIG(self.status)
            name = signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"
            return f"its process was ended by {name}"
        return f"its process ended with status {os.waitstatus_to_exitcode(self.status)}"


LOST: Final = End(status=0, cpu_s=0.0, peak_bytes=0, lost=True)


class Jail:
    """A jail with its zygote, which forks processes for bots, one after the other.

    A jail dies with the thread that opened it, even if the process continues, so open it on a thread that lives at
    least as long as the jail.
    """

    def __init__(self, command: list[str], environment: dict[str, str], setup: bytes, *, jailed: bool) -> None:
        """Start the jail, without waiting for it to be ready.

        Args:
            command: a command line, with `{control}` for the zygote's socket and `{seccomp}` for the jail's filter.
            setup: the first message to the zygote.

        Raises SandboxError: its program cannot be started.
        """
        self.jailed = jailed
        self.uses = 0
        self.closed = False
        self._niceness_set = False
        self._zygote: int | None = None
        self._control, zygote_socket = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self._output, output = os.pipe()
        os.set_blocking(self._output, False)
        try:
            self._process = _start(command, environment, zygote_socket.fileno(), output)
        except BaseException:
            self._control.close()
            os.close(self._output)
            raise
        finally:
            zygote_socket.close()
            os.close(output)
        with suppress(OSError):  # if it has already ended, the wait for its first message reports that
            self._control.send(setup)

    @property
    def alive(self) -> bool:
        """Whether the jail is open and still running."""
        return not self.closed and self._process.poll() is None

    def fork(self) -> Child:
        """Fork a process for the next bot, without waiting for it."""
        own_ends: list[int] = []
        child_ends: list[int] = []
        try:
            for own_index in (1, 0, 0):
                pair = os.pipe()
                own_ends.append(pair[own_index])
                child_ends.append(pair[1 - own_index])
            for descriptor in own_ends:
                os.set_blocking(descriptor, False)
            with suppress(OSError):
                socket.send_fds(self._control, [zygote.FORK], child_ends)
        except BaseException:
            for descriptor in own_ends:
                os.close(descriptor)
            raise
        finally:
            for descriptor in child_ends:
                os.close(descriptor)
        self.uses += 1
        return Child(self, own_ends)

    def wait_for(self, message: bytes, timeout_s: float) -> int | None:
        """Wait for this message, and return the process id of its sender, or None on timeout.

        Raises SandboxError: the jail ended, or sent a different message.
        """
        if not self._has_message(timeout_s):
            return None
        try:
            received, extra, _, _ = self._control.recvmsg(zygote.MESSAGE_BYTES, socket.CMSG_SPACE(_UCRED.size))
        except ConnectionError:
            received, extra = b"", []
        if received != message:
            raise self.close_with_error(received.decode("utf-8", "replace"))
        pid: int = _UCRED.unpack(extra[0][2])[0]
        return pid

    def wait_until_ready(self, timeout_s: float) -> bool:
        """Return whether the zygote is ready.  Raises SandboxError: the jail ended, or sent a different message."""
        if self._zygote is None:
            pid = self.wait_for(zygote.READY, timeout_s)
            self._zygote = None if pid is None else self.handle(pid)
            self._niceness_set = pid is None or set_session_niceness(pid)
        return self._zygote is not None

    def copy_niceness(self, pid: int) -> None:
        """Give the session of a jailed process the referee's niceness, unless it already has it."""
        self._niceness_set = self._niceness_set or set_session_niceness(pid)

    def handle(self, pid: int) -> int:
        """Return a pidfd of a process that has sent a message.  Raises SandboxError: the process and the jail ended."""
        try:
            return os.pidfd_open(pid)
        except ProcessLookupError as error:
            raise self.close_with_error("it was killed from outside the jail") from error

    def end_of_child(self) -> End:
        """Return the end of the last process, which has exited."""
        with suppress(OSError):
            self._control.send(zygote.WAIT)
            if self._has_message(EXIT_TIMEOUT_S):
                message = self._control.recv(zygote.END.size)
                if len(message) == zygote.END.size:
                    status, cpu_s, peak_kib = zygote.END.unpack(message)
                    return End(status, cpu_s, peak_kib * 1024)
        return LOST

    def close_with_error(self, message: str = "") -> SandboxError:
        """Close the jail and return the error to raise."""
        with suppress(BlockingIOError):
            self._is_gone(EXIT_TIMEOUT_S if not message else 0)
            message = os.read(self._output, 1000).decode("utf-8", "replace").strip() or message
        self.close()
        is_built = self._zygote is not None or not self.jailed
        summary = "the harness did not start" if is_built else "the jail could not be built"
        return SandboxError(f"{summary} (`gangland doctor` shows what is missing): {message or 'no output'}")

    def close(self) -> None:
        """Kill all processes of the jail, and wait until they are gone.  May be called twice."""
        if self.closed:
            return
        self.closed = True
        if self._zygote is not None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._zygote, signal.SIGKILL)
            os.close(self._zygote)
        self._control.close()  # ends a zygote that is not ready yet
        if not self._is_gone(EXIT_TIMEOUT_S):
            self._process.kill()
            self._process.wait()
        os.close(self._output)

    def _has_message(self, timeout_s: float) -> bool:
        return _readable(self._control.fileno(), timeout_s)

    def _is_gone(self, timeout_s: float) -> bool:
        try:
            self._process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            return False
        return True


class Child:
    """The referee's handle on a bot's process: its pipes, its printed output and its end."""

    def __init__(self, jail: Jail, pipes: list[int]) -> None:
        self.jail = jail
        self.end: End | None = None
        self.pid = 0
        self.requests, self.answers, self.errors = pipes
        self._handle = -1
        self._box: Box | None = None
        self._watch: Watch | None = None
        self._is_over_limit = False

    @property
    def jailed(self) -> bool:
        """Whether it is in a jail."""
        return self.jail.jailed

    def wait_for_hello(self, timeout_s: float) -> bool:
        """Return whether the process has sent its hello; it then has a `pid`.  Raises SandboxError: the jail failed."""
        if not self.pid and self.jail.wait_until_ready(timeout_s):
            pid = self.jail.wait_for(zygote.HELLO, timeout_s)
            if pid is not None:
                self.pid, self._handle = pid, self.jail.handle(pid)
                self.jail.copy_niceness(pid)
        return bool(self.pid)

    def confine(self, box: Box) -> None:
        """Move the process into a control group that is removed later.  Raises SandboxError: the kernel refuses."""
        self._box = box
        box.add(self.pid)

    def watch(self, limits: Limits) -> None:
        """Set the memory limit that `check_memory` enforces."""
        self._watch = Watch(self.pid, limits)

    def check_memory(self) -> None:
        """Kill the process if it exceeds its limit of memory and page tables; the referee then sees a closed pipe."""
        if self._watch is not None and self.end is None and not self._is_over_limit and self._watch.is_exceeded():
            self._is_over_limit = True
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)

    def kill(self) -> End:
        """Kill the process, wait until it is gone, and release its resources.  May be called twice."""
        if self.end is None:
            if self.pid:
                with suppress(ProcessLookupError):
                    signal.pidfd_send_signal(self._handle, signal.SIGKILL)
                    if not self.jailed:
                        os.killpg(self.pid, signal.SIGKILL)  # a trusted bot can have children
                _readable(self._handle, EXIT_TIMEOUT_S)
                os.close(self._handle)
            self.end = self.jail.end_of_child() if self.pid and not self.jail.closed else LOST
            if self._is_over_limit:
                self.end = replace(self.end, out_of_memory=True)
            if self._box is not None:
                self.end = replace(self.end, out_of_memory=self._is_over_limit or self._box.out_of_memory())
                self._box.close()
            if self.end.lost:
                self.jail.close()
            for descriptor in (self.requests, self.answers, self.errors):
                os.close(descriptor)
        return self.end

    def pause(self) -> None:
        """Stop the process and all its threads; it uses no CPU until `resume`."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Resume the process if it is paused."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: int) -> None:
        if self.pid and self.end is None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._handle, number)

    def ends_within(self, timeout_s: float) -> bool:
        """Return whether the process exits on its own within this time."""
        return _readable(self._handle, timeout_s)


def open_jail(runtime: Runtime, profile: Profile = Profile.PLAIN) -> Jail:
    """Start a jail without a bot.

    Raises SandboxError: this process is root, bubblewrap or numpy is missing, or the program cannot be started.
    """
    refuse_root()
    extra = prepare_numeric() if profile is Profile.NUMERIC else None
    command = [*jail_command(runtime, extra), *PYTHON_FLAGS, "{control}"]
    return Jail(command, {}, zygote_setup(profile, jailed=True), jailed=True)


def open_trusted(runtime: Runtime, profile: Profile = Profile.PLAIN) -> Jail:
    """Start a zygote without a jail, only for an author's own bots."""
    environment = {"PYTHONHASHSEED": "0", "PYTHONPATH": str(runtime.app)}
    if profile is Profile.NUMERIC:
        environment |= _numeric_settings(prepare_numeric(), environment["PYTHONPATH"])
    command = [sys.executable, *PYTHON_FLAGS, "{control}"]
    return Jail(command, environment, zygote_setup(profile, jailed=False), jailed=False)


def zygote_setup(profile: Profile, *, jailed: bool) -> bytes:
    """Return the first message to a zygote: imports, folders of modules, and whether to filter bots."""
    numeric = (f"/{NUMERIC_MOUNT}",) if profile is Profile.NUMERIC else ()
    trees = (f"/{STDLIB}", f"/{APP_MOUNT}", *numeric)
    return marshal.dumps((GAME_NAMES, EXTRA_MODULES[profile], trees, (f"/{STDLIB}/lib-dynload", *numeric), jailed))


def _numeric_settings(tree: Path, modules: str, libraries: str = "") -> dict[str, str]:
    library_path = ":".join(filter(None, (libraries, f"{tree}/{numeric.LIBRARIES}")))
    return {**numeric.ONE_THREAD, "LD_LIBRARY_PATH": library_path, "PYTHONPATH": f"{modules}:{tree}"}


def jail_command(runtime: Runtime, extra: Path | None = None) -> list[str]:
    """Return the command line of bubblewrap up to Python's own arguments; `extra` is the tree for numeric jails.

    Raises SandboxError: the runtime has no Python for jails, or bubblewrap is missing.
    """
    if runtime.python is None:
        raise SandboxError("this runtime was prepared only for trusted bots")
    settings = {
        "LD_LIBRARY_PATH": f"/{LIBRARIES}",
        "PYTHONHASHSEED": "0",
        "PYTHONHOME": "/usr",
        "PYTHONPATH": f"/{APP_MOUNT}",
    }
    mounts = {runtime.python: "/", runtime.app: f"/{APP_MOUNT}"}
    if extra is not None:
        mounts[extra] = f"/{NUMERIC_MOUNT}"
        settings |= _numeric_settings(Path(mounts[extra]), settings["PYTHONPATH"], settings["LD_LIBRARY_PATH"])
    return [
        bubblewrap(),
        *("--unshare-all", "--unshare-user", *(("--disable-userns",) if can_disable_userns() else ())),
        *("--uid", INSIDE_ID, "--gid", INSIDE_ID, "--hostname", "jail"),
        *("--as-pid-1", "--die-with-parent", "--new-session", "--clearenv", "--cap-drop", "ALL"),
        *(part for tree, place in mounts.items() for part in ("--ro-bind", str(tree), place)),
        *("--remount-ro", "/", "--chdir", "/"),
        *(part for name, value in settings.items() for part in ("--setenv", name, value)),
        *("--seccomp", "{seccomp}", "--", f"/{PYTHON}"),
    ]


@cache
def bubblewrap() -> str:
    """Return the path of bwrap.  Raises SandboxError: it is not installed."""
    path = shutil.which("bwrap")
    if path is None:
        raise SandboxError("bubblewrap is not installed (apt install bubblewrap, dnf install bubblewrap)")
    return path


@cache
def can_disable_userns() -> bool:
    """Return whether bubblewrap can forbid creating user namespaces in the jail."""
    # It cannot do so in containers, which mount /proc/sys read-only, or before version 0.8.  There only the filter
    # denies them, which a probe verifies.
    try:
        if os.statvfs("/proc/sys").f_flag & os.ST_RDONLY:
            return False
    except OSError:
        return False
    result = subprocess.run([bubblewrap(), "--help"], capture_output=True, text=True, check=False)
    return "--disable-userns" in result.stdout + result.stderr


def _start(command: list[str], environment: dict[str, str], control: int, output: int) -> subprocess.Popen[bytes]:
    """Start a program in its own process group, so that Ctrl-C reaches only the referee."""
    filter_program = filter_bytes(Stage.ZYGOTE)
    filter_reader, filter_writer = os.pipe()
    try:
        os.write(filter_writer, filter_program)
        os.close(filter_writer)
        arguments = [
            part.format(seccomp=filter_reader, control=control) if part[:1] == "{" else part for part in command
        ]
        with same_addresses():
            return subprocess.Popen(
                arguments,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env=environment,
                pass_fds=(filter_reader, control),
                process_group=0,
            )
    except OSError as error:
        raise SandboxError(f"cannot start {command[0]}: {error}") from error
    finally:
        os.close(filter_reader)


def _readable(descriptor: int, timeout_s: float) -> bool:
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(timeout_s * 1000))
