"""Jails kept ready, each with the process of its next bot forked ahead.

Opening a jail and importing in it costs some 25 ms of CPU, forking in one that is open less than a
tenth of that.  So jails are kept, and a bot's process is forked while something else is played.
Between two bots nothing is in a jail but its zygote, which never reads anything of a bot; and a
jail whose bot was at fault in any way is not used again.
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

MOST: Final = 16
"""So many jails of a profile are kept while no bot is in them: as many as a match of four needs."""
USES: Final = 200
"""So many processes are forked in one jail; then it is replaced."""


class Pool:
    """The jails of one process; each holds one bot at a time.  Use it as a context manager, or close it.

    Attributes:
        mode: whether the processes are in jails at all; opened: how many jails were opened so far.
        cpu_s: CPU seconds of all processes that were given back, from fork to end.
    """

    def __init__(
        self, mode: Mode | str = Mode.JAIL, *, most: int = MOST, uses: int = USES, cgroups: Cgroups | None = None
    ) -> None:
        """Begin with no jail.

        Args:
            most: so many jails of a profile are kept while no bot is in them.
            uses: so many processes are forked in one jail.
            cgroups: where each process gets a control group of its own, if this machine grants it.
        """
        self.mode = Mode(mode)
        self._cgroups = cgroups
        self.opened = 0
        self.cpu_s = 0.0
        self._most = most
        self._uses = uses
        self._ahead: dict[Profile, deque[Child]] = {profile: deque() for profile in Profile}
        self._resting: dict[Profile, deque[Child]] = {profile: deque() for profile in Profile}
        self._in_match = False
        self._lent: dict[Child, Profile] = {}
        self._resident = Resident()

    @contextmanager
    def match(self) -> Iterator[None]:
        """Lend no jail twice meanwhile: whatever a jail could tell of its last bot, it tells none of the same match."""
        self._resident.hold()
        self._in_match = True
        try:
            yield
        finally:
            self._in_match = False
            for profile, resting in self._resting.items():
                self._ahead[profile].extend(resting)
                resting.clear()

    def take(self, profile: Profile = Profile.PLAIN) -> Child:
        """Return a fresh process for one bot; it may not have said hello.  Raises SandboxError: no jail starts."""
        child = self._ready(profile) or self._open(profile).fork()
        self._lent[child] = profile
        return child

    def confine(self, child: Child, limits: Limits) -> None:
        """Watch the memory of a process, by a control group if there are any.  Raises SandboxError: it is refused."""
        child.watch(limits)
        if self._cgroups is not None:
            child.confine(self._cgroups.box(limits.memory_bytes, 1))

    def look(self) -> None:
        """End those lent processes that hold too much; whoever waits for one bot looks at the others, too."""
        for child in self._lent:
            child.look()

    def give_back(self, child: Child, *, clean: bool) -> None:
        """Kill a process that was taken; its jail is used again if all was well, and replaced if not.

        Args:
            clean: whether its bot was never at fault.

        Raises SandboxError: no further jail can be started.
        """
        profile = self._lent.pop(child)
        jail = child.jail
        kept = (self._resting if self._in_match else self._ahead)[profile]
        wanted = len(self._ahead[profile]) + len(self._resting[profile]) < self._most
        end = child.kill()
        self.cpu_s += end.cpu_s
        if end.lost or not clean or not wanted or jail.used >= self._uses:
            jail.close()
            jail = self._open(profile) if wanted else jail
        if wanted:
            kept.append(jail.fork())

    def fill(self, count: int, profile: Profile = Profile.PLAIN) -> None:
        """Start as many jails as are missing, without waiting for them.  Raises SandboxError: no jail starts."""
        ahead = self._ahead[profile]
        while len(ahead) < min(count, self._most):
            ahead.append(self._open(profile).fork())

    def close_idle(self) -> None:
        """Close the jails that no bot is in; others are opened once they are needed."""
        for queue in (*self._ahead.values(), *self._resting.values()):
            while queue:
                self._discard(queue.popleft())

    @property
    def idle(self) -> int:
        """How many jails stand ready with no bot in them."""
        return sum(len(kept) for kept in (*self._ahead.values(), *self._resting.values()))

    def close(self) -> None:
        """Close all jails, those that are lent too.  May be called twice."""
        self.close_idle()
        for child in self._lent:
            self._discard(child)
        self._lent.clear()
        self._resident.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, failure: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _ready(self, profile: Profile) -> Child | None:
        ahead = self._ahead[profile]
        while ahead:
            child = ahead.popleft()
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
