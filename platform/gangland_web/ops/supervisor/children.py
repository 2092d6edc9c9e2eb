"""Children: started, watched, started again, stopped; each line that they print goes to the log."""

import os
import selectors
import signal
import subprocess
import time
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from gangland_sandbox.reach import OPEN, View
from gangland_web.ops.supervisor.environment import ChildPlan
from gangland_web.ops.supervisor.journal import Journal
from gangland_web.ops.supervisor.ownership import handed_over, without_roots_own
from gangland_web.ops.supervisor.users import user_of
from gangland_web.process import before_exec

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 30.0
SETTLED_S = 30.0
"""A child that lived so long starts again at once when it ends."""
READ_BYTES = 65536


@dataclass(slots=True)
class Child:
    """A running or resting child."""

    plan: ChildPlan
    process: "subprocess.Popen[bytes] | None" = None
    started_at: float = 0.0
    rests_until: float = 0.0
    pause_s: float = FIRST_PAUSE_S
    partial: bytes = b""
    stopping: bool = field(default=False)

    @property
    def running(self) -> bool:
        """Whether its process is there."""
        return self.process is not None and self.process.poll() is None


class Children:
    """All children of the supervisor.

    Everything happens on the caller's one thread: the kernel ties a child to the thread that
    started it.
    """

    def __init__(self, journal: Journal, folder: Path, view: View = OPEN) -> None:
        """Write what children print to the journal; they work in `folder`, and see so much where root is given up."""
        self._journal = journal
        self._folder = folder
        self._view = view
        self._selector = selectors.DefaultSelector()
        self.all: list[Child] = []
        self.hurry = False
        """Set to give no child any more time to end by itself."""

    def start(self, plan: ChildPlan) -> Child:
        """Start a child and keep it from now on."""
        child = Child(plan)
        self.all.append(child)
        self._spawn(child)
        return child

    def watch(self, for_s: float) -> None:
        """Pass on what children print for a while, and start again those that ended."""
        self._read(for_s)
        for child in self.all:
            self._mind(child)

    def stop(self, names: str, *, within_s: float) -> None:
        """Stop the children whose name starts so; kill those that take longer than they may."""
        chosen = [child for child in self.all if child.plan.name.startswith(names)]
        for child in chosen:
            child.stopping = True
            if child.process is not None and child.running:
                child.process.terminate()
        deadline = time.monotonic() + within_s
        while any(child.running for child in chosen) and time.monotonic() < deadline and not self.hurry:
            self._read(0.05)
        for child in chosen:
            if child.process is not None and child.running:
                why = "told to stop at once" if self.hurry else f"did not end within {within_s:.0f} s"
                self._journal.write("supervisor", f"{child.plan.name} {why}; killed")
                _kill_group(child.process)
            self._bury(child)

    def kill_all(self) -> None:
        """Kill whatever is still there, at once."""
        for child in self.all:
            child.stopping = True
            if child.process is not None:
                _kill_group(child.process)
                self._bury(child)

    def _spawn(self, child: Child) -> None:
        user, environment, become = user_of(child.plan.name), child.plan.environment, None
        if user is not None:
            environment = without_roots_own(handed_over(self._folder, user, environment), self._folder)
            become = partial(user.become, self._view)
        child.process = subprocess.Popen(
            child.plan.command,
            env=environment,
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=before_exec(child.plan.nice, become),  # noqa: PLW1509  # it has one thread
        )
        child.started_at = time.monotonic()
        if child.process.stdout is not None:
            os.set_blocking(child.process.stdout.fileno(), False)
            self._selector.register(child.process.stdout, selectors.EVENT_READ, child)

    def _mind(self, child: Child) -> None:
        now = time.monotonic()
        if child.stopping or child.running:
            return
        if child.process is not None:
            status, lived_s = child.process.returncode, now - child.started_at
            self._bury(child)
            child.pause_s = FIRST_PAUSE_S if lived_s > SETTLED_S else min(child.pause_s * 2, LONGEST_PAUSE_S)
            self._rest(child, now, f"ended with status {status}")
        elif now >= child.rests_until:
            try:
                self._spawn(child)
            except (OSError, subprocess.SubprocessError) as error:  # no memory, or too many processes: for now
                child.pause_s = min(child.pause_s * 2, LONGEST_PAUSE_S)
                self._rest(child, now, f"could not be started: {error}")

    def _rest(self, child: Child, now: float, why: str) -> None:
        child.rests_until = now + child.pause_s
        self._journal.write("supervisor", f"{child.plan.name} {why}; starts again in {child.pause_s:g} s")

    def _read(self, for_s: float) -> None:
        if not self._selector.get_map():
            time.sleep(for_s)
            return
        for key, _ in self._selector.select(for_s):
            self._pass_on(key.data)

    def _pass_on(self, child: Child) -> None:
        """Write the whole lines that the child has printed; forget its pipe once that is closed."""
        if child.process is None or child.process.stdout is None:
            return
        try:
            read = os.read(child.process.stdout.fileno(), READ_BYTES)
        except BlockingIOError:
            return
        if not read:
            self._selector.unregister(child.process.stdout)
            child.process.stdout.close()
            child.process.stdout = None
        *lines, child.partial = (child.partial + read).split(b"\n")
        if len(child.partial) > READ_BYTES or (not read and child.partial):
            lines, child.partial = [*lines, child.partial], b""
        for line in filter(None, lines):
            self._journal.write(child.plan.name, line.decode("utf-8", "replace").rstrip())

    def _bury(self, child: Child) -> None:
        """Reap an ended child and write the last that it printed."""
        if child.process is None:
            return
        child.process.wait()
        while child.process.stdout is not None:
            before = child.process.stdout
            self._pass_on(child)
            if child.process.stdout is before and not _readable(before.fileno()):
                self._selector.unregister(before)
                before.close()
                child.process.stdout = None
        child.process = None


def _readable(descriptor: int) -> bool:
    """Whether there is more to read now; a grandchild may hold the pipe open without writing."""
    with selectors.DefaultSelector() as selector:
        selector.register(descriptor, selectors.EVENT_READ)
        return bool(selector.select(0))


def _kill_group(process: "subprocess.Popen[bytes]") -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        process.poll()
