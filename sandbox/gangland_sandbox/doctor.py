"""Whether jails hold on this machine: probes in the real jail, and what to do where one fails."""

import os
import re
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Final

from gangland.bot import GameEnd
from gangland.faults import BotFault, FaultKind
from gangland.games import FIRST_GAME
from gangland_sandbox import machine, runtime
from gangland_sandbox.asking import BotProcess
from gangland_sandbox.errors import SandboxError
from gangland_sandbox.limits import Limits
from gangland_sandbox.privileges import as_jailer
from gangland_sandbox.treebuild import APP_MOUNT, NUMERIC_MOUNT

BURNT_S: Final = 0.04
PROBER: Final = (Path(__file__).parent / "probes.py").read_bytes()
"""Read when this module is imported: whoever has dropped root may not reach the file any more."""

_FILTER: Final = "the system call filter is not in force; report this machine's kernel and `uname -m`"
_MOUNTS: Final = "remove the runtime folder that `gangland doctor` names and start again; it is built anew"
MENDS: Final = {
    "sockets": _FILTER,
    "processes": _FILTER,
    "programs": _FILTER,
    "signals": _FILTER,
    "filter": _FILTER,
    "host_files": _FILTER,
    "writing": _FILTER,
    "mounts": _MOUNTS,
    "bounds": (
        "bubblewrap gives a bot's process more than it is told to: put the distribution's bwrap, 0.5 or later, first "
        "on the PATH, and see that the kernel has every namespace and CONFIG_SECCOMP_FILTER"
    ),
    "memory": "the kernel does not keep RLIMIT_AS; play in a container or machine whose kernel does",
    "descriptors": "a library has opened files that bots inherit; start the worker with a clean environment",
    "identity": "start the worker as an ordinary user, or as root with user 10001 free",
    "environment": "bubblewrap is too old to clear the environment; version 0.5 or later is needed",
    "hashing": "PYTHONHASHSEED does not reach the jail; bubblewrap 0.5 or later is needed",
    "cpu_clock": "this kernel does not show one process's CPU time to another; a Linux kernel of its own is needed",
    "gone": "a killed jail stays; update the kernel and bubblewrap",
}
"""What to do where a jail opens and does not hold, by the name of the probe that failed."""
NAMESPACES: Final = ("user", "pid", "mnt", "net", "ipc", "uts", "cgroup")
POWERS: Final = ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")
FILTERS: Final = 2
"""System call filters that a bot's process is under beyond ours: the jail's, and its own."""
TREES: Final = frozenset({"/", f"/{APP_MOUNT}", f"/{NUMERIC_MOUNT}"})
"""What a jail may have mounted."""
JAIL: Final = "jail"
"""The first probe: whether one can be opened at all."""
ALL_MENDS: Final = {**machine.MENDS, **MENDS}
"""What to do, by a probe's cause."""


@dataclass(frozen=True, slots=True)
class Probe:
    """One thing that must hold.

    Attributes:
        detail: what was seen.
        cause: why it does not hold, a name of ALL_MENDS; empty when all is well.
    """

    name: str
    ok: bool
    detail: str
    cause: str = ""

    @property
    def mend(self) -> str:
        """What to do about it; empty when all is well."""
        return ALL_MENDS[self.cause] if self.cause else ""


def probe() -> list[Probe]:
    """Return what the probes saw in the real jail, the opening of one first.

    Started as root, it drops root in a child of its own for this.
    """
    try:
        runtime.prepare()
    except SandboxError as failure:
        return [_closed(str(failure), "runtime")]
    try:
        own_namespaces()
        told = as_jailer(lambda: [asdict(found) for found in _probe_here()])
    except (OSError, SandboxError) as failure:
        return [_closed(str(failure))]
    return [Probe(**found) for found in told]


def probe_of(cause: str) -> str:
    """Return the name of the probe that fails for a cause."""
    return cause if cause in MENDS else JAIL


def holds(probes: list[Probe]) -> bool:
    """Return whether bots may be played here."""
    return bool(probes) and all(found.ok for found in probes)


def _closed(said: str, cause: str = "") -> Probe:
    lines = said.strip().splitlines() or [""]
    seen = re.sub(r"^[\w.]+Error: ", "", lines[-1]) if "Traceback" in said else " ".join(lines)
    return Probe(JAIL, False, seen, cause or machine.obstacle(said))


def _probe_here() -> list[Probe]:
    limits = Limits.plain(12)
    try:
        bot = BotProcess.open(PROBER, filename="prober.py", game=FIRST_GAME, limits=limits)
    except BotFault as failure:
        return [_closed(failure.message)]
    found = [Probe(JAIL, True, "a jail opens, and a bot is loaded in it")]
    found += [bounds(bot.pid), mounts(bot.pid)]
    try:
        bot.start_game(seat=0, seats=2, options={}, rng_seed=bytes(32))
        found += [_read(line) for line in bot.take_log().splitlines()]
        found += _ending(bot)
    except BotFault as failure:
        found.append(Probe("prober", False, f"{failure.kind}: {failure.message}", "filter"))
    finally:
        bot.close()
    return found + _unsaid(found)


def bounds(pid: int) -> Probe:
    """Look at a bot's process from outside, where it has no say: namespaces, powers, filters and user."""
    try:
        own = own_namespaces()
        shared = [name for name in own if os.readlink(f"/proc/{pid}/ns/{name}") == own[name]]
        ours, its = _status("self"), _status(str(pid))
        powers = [name for name in POWERS if int(its[name], 16)]
        filters = int(its.get("Seccomp_filters", FILTERS)) - int(ours.get("Seccomp_filters", 0))
        kept = its["NoNewPrivs"] == "1" and its["Seccomp"] == "2" and "0" not in its["Uid"].split()
    except (OSError, KeyError, ValueError) as failure:
        return Probe("bounds", False, f"its process cannot be looked at: {failure!r}", "bounds")
    ok = not shared and not powers and filters >= FILTERS and kept
    seen = (
        f"shares {', '.join(shared) or 'no namespace'}; holds {', '.join(powers) or 'no capability'}; {filters} filters"
    )
    return Probe("bounds", ok, seen, "" if ok else "bounds")


def mounts(pid: int) -> Probe:
    """Look from outside at what a bot's process has mounted: the trees of the jail, all read-only, and no more."""
    try:
        rows = [line.split() for line in Path(f"/proc/{pid}/mountinfo").read_text().splitlines()]
    except OSError as failure:
        return Probe("mounts", False, f"its mounts cannot be looked at: {failure!r}", "mounts")
    places = [row[4] for row in rows]
    writable = [row[4] for row in rows if "ro" not in row[5].split(",")]
    ok = bool(places) and not writable and set(places) <= TREES
    seen = f"mounted: {', '.join(places)}; writable: {', '.join(writable) or 'none'}"
    return Probe("mounts", ok, seen, "" if ok else "mounts")


@cache
def own_namespaces() -> dict[str, str]:
    """Return this process's own namespaces by kind, those that the kernel has.

    They are read once: a process that has given root up, or is closed to others of its user, cannot read them any more.
    Call it before that, in the same process or in the one that it is forked from.

    Raises OSError: they cannot be read.
    """
    found = {}
    for name in NAMESPACES:
        with suppress(FileNotFoundError):
            found[name] = os.readlink(f"/proc/self/ns/{name}")
    if not found:
        raise OSError("this kernel shows no namespaces below /proc")
    return found


def _status(pid: str) -> dict[str, str]:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def _unsaid(found: list[Probe]) -> list[Probe]:
    """Return the probes of which nothing was heard: what is not proven does not hold."""
    heard = {probe.name for probe in found}
    return [Probe(name, False, "nothing was heard of this probe", name) for name in MENDS if name not in heard]


def _ending(bot: BotProcess) -> list[Probe]:
    """Let the prober burn CPU and make a deadly call; see that the clock ran, the filter struck and nothing stays."""
    pid, before_s = bot.pid, bot.cpu_s
    try:
        bot.end_game(GameEnd((1, 2), (), "completed"))
        killed = Probe("filter", False, "a forbidden call did nothing", "filter")
    except BotFault as fault:
        ok = fault.kind is FaultKind.FORBIDDEN_SYSCALL
        killed = Probe("filter", ok, f"a forbidden call ends as {fault.kind}", "" if ok else "filter")
    bot.close()
    burnt_s = bot.cpu_s - before_s
    charged, gone = burnt_s >= BURNT_S, not Path(f"/proc/{pid}").exists()
    seen = f"{burnt_s * 1000:.0f} ms were charged for 50 ms of work"
    left = "nothing is left of a killed jail" if gone else f"process {pid} is left"
    return [
        killed,
        Probe("cpu_clock", charged, seen, "" if charged else "cpu_clock"),
        Probe("gone", gone, left, "" if gone else "gone"),
    ]


def _read(line: str) -> Probe:
    name, _, rest = line.partition("    ")
    verdict, _, detail = rest.partition("    ")
    ok = verdict == "ok"
    return Probe(name, ok, detail, "" if ok else name if name in MENDS else "filter")
