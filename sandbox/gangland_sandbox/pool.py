"""A pool of open jails, each with the process of its next bot already forked.

Opening a jail, with its imports, costs about 25 ms of CPU; a fork in an open jail costs less than a tenth of that.  So
jails stay open, and a bot's process is forked while another bot plays.  An idle jail has only that process and its
zygote, which never reads anything from a bot.  A jail is not reused after a bot's fault.
"""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Final, Self

from gangland_sandbox.cgroups import Cgroups
from gangland_sandbox.jail import Child, Jail, Mode, open_jail, open_trusted
from gangland_sandbox.limits import Limits, Profile
from gangland_sandbox.resident import Resident
from gangland_sandbox.runtime import prepare, prepare_numeric

LIMIT: Final = 16
"""The maximum number of idle jails of a profile: the number that a match of four needs."""
MAX_USES: Final = 200
"""The maximum number of processes forked in one jail, which is then replaced."""


class Pool:
    """The jails of one process; each holds one bot at a time.  Use it as a context manager, or close it."""

    def __init__(
        self, mode: Mode | str = Mode.JAIL, *, limit: int = LIMIT, uses: int = MAX_USES, cgroups: Cgroups | None = None
    ) -> None:
        """Create an empty pool.

        Args:
            limit: the maximum number of idle jails of a profile.
            uses: the maximum number of processes forked in one jail.
            cgroups: gives each process its own control group, if this machine allows it.
        """
        self.mode = Mode(mode)
        self._cgroups = cgroups
        self.opened = 0  # the number of jails opened so far
        self.cpu_s = 0.0  # CPU seconds used by all returned processes, from fork to end
        self._limit = limit
        self._uses = uses
        self._idle: dict[Profile, deque[Child]] = {profile: deque() for profile in Profile}
        self._idle_after_match: dict[Profile, deque[Child]] = {profile: deque() for profile in Profile}
        self._in_match = False
        self._in_use: dict[Child, Profile] = {}
        self._resident = Resident()

    @contextmanager
    def match(self) -> Iterator[None]:
        """Use each jail for only one bot in this context, so that it cannot pass information between a match's bots."""
        self._resident.hold()
        self._in_match = True
        try:
            yield
        finally:
            self._in_match = False
            for profile, waiting in self._idle_after_match.items():
                self._idle[profile].extend(waiting)
                waiting.clear()

    def acquire(self, profile: Profile = Profile.PLAIN) -> Child:
        """Return a process for one bot, perhaps before its hello message.  Raises SandboxError: no jail can start."""
        child = self._next_idle(profile) or self._open(profile).fork()
        self._in_use[child] = profile
        return child

    def confine(self, child: Child, limits: Limits) -> None:
        """Limit the memory of a process, in a control group if possible.  Raises SandboxError: the kernel refuses."""
        child.watch(limits)
        if self._cgroups is not None:
            child.confine(self._cgroups.box(limits.memory_bytes, 1))

    def check_memory(self) -> None:
        """Kill processes that use too much memory.  It is called while the referee waits for a bot."""
        for child in self._in_use:
            child.check_memory()

    def release(self, child: Child, *, clean: bool) -> None:
        """Kill a process, and keep, replace or (if the pool is full) close its jail; `clean`: its bot had no fault.

        Raises SandboxError: no new jail can be started.
        """
        profile = self._in_use.pop(child)
        jail = child.jail
        idle = (self._idle_after_match if self._in_match else self._idle)[profile]
        has_room = len(self._idle[profile]) + len(self._idle_after_match[profile]) < self._limit
        end = child.kill()
        self.cpu_s += end.cpu_s
        if end.lost or not clean or not has_room or jail.uses >= self._uses:
            jail.close()
            jail = self._open(profile) if has_room else jail
        if has_room:
            idle.append(jail.fork())

    def fill(self, count: int, profile: Profile = Profile.PLAIN) -> None:
        """Start jails until `count` are available, without waiting for them to be ready.

        Raises SandboxError: a jail could not be started.
        """
        idle = self._idle[profile]
        while len(idle) < min(count, self._limit):
            idle.append(self._open(profile).fork())

    def close_idle(self) -> None:
        """Close all idle jails; new ones are opened when needed."""
        for queue in (*self._idle.values(), *self._idle_after_match.values()):
            while queue:
                self._discard(queue.popleft())

    @property
    def idle(self) -> int:
        """The number of jails without a bot."""
        return sum(len(queue) for queue in (*self._idle.values(), *self._idle_after_match.values()))

    def close(self) -> None:
        """Close all jails, including those in use.  May be called twice."""
        self.close_idle()
        for child in self._in_use:
            self._discard(child)
        self._in_use.clear()
        self._resident.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, failure: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _next_idle(self, profile: Profile) -> Child | None:
        idle = self._idle[profile]
        while idle:
            child = idle.popleft()
            if child.jail.alive:
                return child
            self._discard(child)
        return None

    def _open(self, profile: Profile) -> Jail:
        self.opened += 1
        if self.mode is Mode.TRUSTED:
            return open_trusted(prepare(trusted=True), profile)
        runtime = prepare()
        for tree in (runtime.python, runtime.app, prepare_numeric() if profile is Profile.NUMERIC else None):
            if tree is not None:
                self._resident.add(tree)
        return open_jail(runtime, profile)

    @staticmethod
    def _discard(child: Child) -> None:
        child.kill()
        child.jail.close()
