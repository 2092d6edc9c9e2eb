"""Check the real jail on this machine with probes, and suggest a fix for each failure."""

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
from gangland_sandbox.privileges import run_as_jail_user
from gangland_sandbox.treebuild import APP_MOUNT, NUMERIC_MOUNT

MIN_CHARGED_S: Final = 0.04  # of the 0.05 s that the prober uses
PROBER_SOURCE: Final = (Path(__file__).parent / "probes.py").read_bytes()
"""The file is read at import, because it may be inaccessible after root privileges are dropped."""

_FILTER_FIX: Final = "the system call filter is not in force; report this machine's kernel and `uname -m`"
_MOUNTS_FIX: Final = "remove the runtime folder that `gangland doctor` shows and restart; it is rebuilt"
FIXES: Final = {
    "sockets": _FILTER_FIX,
    "processes": _FILTER_FIX,
    "programs": _FILTER_FIX,
    "signals": _FILTER_FIX,
    "filter": _FILTER_FIX,
    "host_files": _FILTER_FIX,
    "writing": _FILTER_FIX,
    "mounts": _MOUNTS_FIX,
    "bounds": (
        "bubblewrap gives a bot's process more access than it should: put the distribution's bwrap, 0.5 or later, "
        "first on the PATH, and make sure that the kernel has every namespace and CONFIG_SECCOMP_FILTER"
    ),
    "memory": "the kernel does not enforce RLIMIT_AS; play in a container or machine whose kernel does",
    "descriptors": "a library has opened files that bots inherit; start the worker with a clean environment",
    "identity": "start the worker as an ordinary user, or as root with user 10001 free",
    "environment": "bubblewrap is too old to clear the environment; version 0.5 or later is needed",
    "hashing": "PYTHONHASHSEED does not reach the jail; bubblewrap 0.5 or later is needed",
    "cpu_clock": "this kernel does not show one process's CPU time to another; use a machine with its own Linux kernel",
    "gone": "a killed jail keeps running; update the kernel and bubblewrap",
}
"""Fixes for a jail that opens but is not safe, by the name of the failed probe."""
NAMESPACES: Final = ("user", "pid", "mnt", "net", "ipc", "uts", "cgroup")
CAPABILITY_SETS: Final = ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")
FILTER_COUNT: Final = 2
"""The number of additional system call filters of a bot's process: the jail's, and its own."""
MOUNT_POINTS: Final = frozenset({"/", f"/{APP_MOUNT}", f"/{NUMERIC_MOUNT}"})
"""The allowed mount points in a jail."""
JAIL: Final = "jail"
"""The first probe: whether a jail can be opened."""
ALL_FIXES: Final = {**machine.FIXES, **FIXES}
"""Fixes by a probe's cause."""


@dataclass(frozen=True, slots=True)
class Probe:
    """The result of one probe."""

    name: str
    ok: bool
    detail: str  # a description of the observation
    cause: str = ""  # the cause of a failure, a key of ALL_FIXES; "" on success

    @property
    def fix(self) -> str:
        """The fix for a failure; "" on success."""
        return ALL_FIXES[self.cause] if self.cause else ""


def probe() -> list[Probe]:
    """Return the results of all probes in the real jail; the first probe opens it.

    If called as root, the probes run in a child process that drops root privileges.
    """
    try:
        runtime.prepare()
    except SandboxError as error:
        return [_failed_probe(str(error), "runtime")]
    try:
        own_namespaces()
        results = run_as_jail_user(lambda: [asdict(result) for result in _probe_here()])
    except (OSError, SandboxError) as error:
        return [_failed_probe(str(error))]
    return [Probe(**result) for result in results]


def probe_of(cause: str) -> str:
    """Return the name of the probe that fails for a cause."""
    return cause if cause in FIXES else JAIL


def is_safe(probes: list[Probe]) -> bool:
    """Return whether bots may play here."""
    return bool(probes) and all(result.ok for result in probes)


def _failed_probe(error: str, cause: str = "") -> Probe:
    lines = error.strip().splitlines() or [""]
    detail = re.sub(r"^[\w.]+Error: ", "", lines[-1]) if "Traceback" in error else " ".join(lines)
    return Probe(JAIL, False, detail, cause or machine.obstacle(error))


def _probe_here() -> list[Probe]:
    limits = Limits.plain(12)
    try:
        bot = BotProcess.open(PROBER_SOURCE, filename="prober.py", game=FIRST_GAME, limits=limits)
    except BotFault as error:
        return [_failed_probe(error.message)]
    results = [Probe(JAIL, True, "a jail opens, and a bot is loaded in it")]
    results += [check_bounds(bot.pid), check_mounts(bot.pid)]
    try:
        bot.start_game(seat=0, seats=2, options={}, rng_seed=bytes(32))
        results += [_parse_probe(line) for line in bot.take_log().splitlines()]
        results += _probe_end(bot)
    except BotFault as error:
        results.append(Probe("prober", False, f"{error.kind}: {error.message}", "filter"))
    finally:
        bot.close()
    return results + _missing_probes(results)


def check_bounds(pid: int) -> Probe:
    """Check namespaces, capabilities, filters and user of a bot's process from outside."""
    try:
        own = own_namespaces()
        shared = [name for name in own if os.readlink(f"/proc/{pid}/ns/{name}") == own[name]]
        own_status, bot_status = _status("self"), _status(str(pid))
        granted = [name for name in CAPABILITY_SETS if int(bot_status[name], 16)]
        filters = int(bot_status.get("Seccomp_filters", FILTER_COUNT)) - int(own_status.get("Seccomp_filters", 0))
        is_confined = bot_status["NoNewPrivs"] == "1" and bot_status["Seccomp"] == "2"
        is_unprivileged = "0" not in bot_status["Uid"].split()
    except (OSError, KeyError, ValueError) as error:
        return Probe("bounds", False, f"the bot's process cannot be inspected: {error!r}", "bounds")
    ok = not shared and not granted and filters >= FILTER_COUNT and is_confined and is_unprivileged
    holdings = ", ".join(granted) or "no capability"
    detail = f"shares {', '.join(shared) or 'no namespace'}; holds {holdings}; {filters} filters"
    return Probe("bounds", ok, detail, "" if ok else "bounds")


def check_mounts(pid: int) -> Probe:
    """Check the mounts of a bot's process from outside: only the trees of the jail, all read-only."""
    try:
        rows = [line.split() for line in Path(f"/proc/{pid}/mountinfo").read_text().splitlines()]
    except OSError as error:
        return Probe("mounts", False, f"the bot's mounts cannot be inspected: {error!r}", "mounts")
    mount_points = [row[4] for row in rows]
    writable = [row[4] for row in rows if "ro" not in row[5].split(",")]
    ok = bool(mount_points) and not writable and set(mount_points) <= MOUNT_POINTS
    detail = f"mounted: {', '.join(mount_points)}; writable: {', '.join(writable) or 'none'}"
    return Probe("mounts", ok, detail, "" if ok else "mounts")


@cache
def own_namespaces() -> dict[str, str]:
    """Return this process's own namespaces by kind, for the kinds that the kernel has.

    They are read once, because a process cannot read them after dropping root privileges or becoming undumpable.  Call
    it before that, in the same process or its parent.

    Raises OSError: they cannot be read.
    """
    namespaces = {}
    for name in NAMESPACES:
        with suppress(FileNotFoundError):
            namespaces[name] = os.readlink(f"/proc/self/ns/{name}")
    if not namespaces:
        raise OSError("this kernel shows no namespaces under /proc")
    return namespaces


def _status(pid: str) -> dict[str, str]:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def _missing_probes(results: list[Probe]) -> list[Probe]:
    names = {probe.name for probe in results}
    return [Probe(name, False, "this probe did not report", name) for name in FIXES if name not in names]


def _probe_end(bot: BotProcess) -> list[Probe]:
    """Let the prober use CPU and make a forbidden call; check that the CPU is charged and the process is killed."""
    pid, before_s = bot.pid, bot.cpu_s
    try:
        bot.end_game(GameEnd((1, 2), (), "completed"))
        killed = Probe("filter", False, "a forbidden call did nothing", "filter")
    except BotFault as fault:
        ok = fault.kind is FaultKind.FORBIDDEN_SYSCALL
        killed = Probe("filter", ok, f"a forbidden call ends as {fault.kind}", "" if ok else "filter")
    bot.close()
    charged_s = bot.cpu_s - before_s
    is_charged, is_gone = charged_s >= MIN_CHARGED_S, not Path(f"/proc/{pid}").exists()
    detail = f"{charged_s * 1000:.0f} ms were charged for 50 ms of work"
    left = "the killed jail is gone" if is_gone else f"process {pid} is left"
    return [
        killed,
        Probe("cpu_clock", is_charged, detail, "" if is_charged else "cpu_clock"),
        Probe("gone", is_gone, left, "" if is_gone else "gone"),
    ]


def _parse_probe(line: str) -> Probe:
    name, _, rest = line.partition("    ")
    verdict, _, detail = rest.partition("    ")
    ok = verdict == "ok"
    return Probe(name, ok, detail, "" if ok else name if name in FIXES else "filter")
