"""Whether jails hold on this machine: probes in the real jail, and what to do where one fails."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from gangland.bot import GameEnd
from gangland.faults import BotFault, FaultKind
from gangland_sandbox import runtime
from gangland_sandbox.asking import BotProcess
from gangland_sandbox.errors import SandboxError
from gangland_sandbox.limits import Limits
from gangland_sandbox.privileges import as_jailer, is_root

GAME: Final = "gang-of-dice"
BURNT_S: Final = 0.04
PROBER: Final = (Path(__file__).parent / "probes.py").read_bytes()
"""Read when this module is imported: whoever has dropped root may not reach the file any more."""

_FILTER: Final = "the system call filter is not in force; report this machine's kernel and `uname -m`"
_MOUNTS: Final = "remove the runtime folder that `gangland doctor` names and start again; it is built anew"
MENDS: Final = {
    "sockets": _FILTER,
    "processes": _FILTER,
    "threads": _FILTER,
    "signals": _FILTER,
    "filter": _FILTER,
    "host_files": _MOUNTS,
    "writing": _MOUNTS,
    "memory": "the kernel does not keep RLIMIT_AS; play in a container or machine whose kernel does",
    "descriptors": "a library has opened files that bots inherit; start the worker with a clean environment",
    "identity": "start the worker as an ordinary user, or as root with user 10001 free",
    "environment": "bubblewrap is too old to clear the environment; version 0.5 or later is needed",
    "hashing": "PYTHONHASHSEED does not reach the jail; bubblewrap 0.5 or later is needed",
    "cpu_clock": "this kernel does not show one process's CPU time to another; a Linux kernel of its own is needed",
    "gone": "a killed jail stays; update the kernel and bubblewrap",
}
"""What to do, by the name of the probe that failed."""


@dataclass(frozen=True, slots=True)
class Probe:
    """One thing that must hold.

    Attributes:
        detail: what was seen.
        mend: what to do about it; empty when all is well.
    """

    name: str
    ok: bool
    detail: str
    mend: str = ""


def probe() -> list[Probe]:
    """Return what the probes saw in the real jail, the opening of one first.

    Started as root, it drops root in a child of its own for this.
    """
    try:
        runtime.prepare()
        told = as_jailer(lambda: [asdict(found) for found in _probe_here()])
    except SandboxError as failure:
        return [Probe("jail", False, str(failure), opening_mend())]
    return [Probe(**found) for found in told]


def holds(probes: list[Probe]) -> bool:
    """Return whether bots may be played here."""
    return bool(probes) and all(found.ok for found in probes)


def facts() -> dict[str, str]:
    """Return what bears on the jail on this machine, for people."""
    return {
        "tier": "S (bubblewrap, cold jails)",
        "kernel": f"{platform.system()} {platform.release()} {platform.machine()}",
        "user": f"{os.getuid()}" + (", drops to 10001 for jails" if is_root() else ""),
        "bubblewrap": _bubblewrap_version(),
        "user namespaces": _setting("/proc/sys/user/max_user_namespaces"),
        "AppArmor limit": _setting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns"),
        "seccomp": _setting("/proc/sys/kernel/seccomp/actions_avail"),
        "cgroups": "v2" if Path("/sys/fs/cgroup/cgroup.controllers").exists() else "v1 or none (not needed)",
        "runtime": str(runtime.home()),
    }


def opening_mend() -> str:
    """Return what to do on this machine when no jail can be opened."""
    if shutil.which("bwrap") is None:
        return "install bubblewrap: `apt install bubblewrap` (Debian, Ubuntu) or `dnf install bubblewrap` (Fedora)"
    if _setting("/proc/sys/user/max_user_namespaces") == "0":
        return "allow user namespaces: `sysctl -w user.max_user_namespaces=15000` (keep it in /etc/sysctl.d)"
    if _setting("/proc/sys/kernel/unprivileged_userns_clone") == "0":
        return "allow user namespaces (Debian): `sysctl -w kernel.unprivileged_userns_clone=1`"
    if _setting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1":
        return (
            "Ubuntu 24.04 keeps user namespaces from programs without an AppArmor profile: install the package "
            "apparmor-profiles and `ln -s /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ && "
            "apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict`"
        )
    if Path("/.dockerenv").exists() or Path("/run/.containerenv").exists():
        return (
            "in a container: run it as docker-compose.yml does, with the shipped seccomp profile and the AppArmor "
            "profile that allows mounts; never privileged"
        )
    return "run `bwrap --unshare-all --ro-bind / / true` as the worker's user: what it prints names the obstacle"


def _probe_here() -> list[Probe]:
    """Open a jail, let the prober try everything, and look at it from outside."""
    limits = Limits.plain(12)
    try:
        bot = BotProcess.open(PROBER, filename="prober.py", game=GAME, limits=limits)
    except BotFault as failure:
        return [Probe("jail", False, failure.message, opening_mend())]
    found = [Probe("jail", True, "a jail opens, and a bot is loaded in it")]
    try:
        bot.start_game(seat=0, seats=2, options={}, rng_seed=bytes(32))
        found += [_read(line) for line in bot.take_log().splitlines()]
        found += _ending(bot)
    except BotFault as failure:
        found.append(Probe("prober", False, f"{failure.kind}: {failure.message}", MENDS["filter"]))
    finally:
        bot.close()
    return found


def _ending(bot: BotProcess) -> list[Probe]:
    """Let the prober burn CPU and make a deadly call; see that the clock ran, the filter struck and nothing stays."""
    pid, before_s = bot.pid, bot.cpu_s
    try:
        bot.end_game(GameEnd((1, 2), (), "completed"))
        killed = Probe("filter", False, "a forbidden call did nothing", MENDS["filter"])
    except BotFault as fault:
        ok = fault.kind is FaultKind.FORBIDDEN_SYSCALL
        killed = Probe("filter", ok, f"a forbidden call ends as {fault.kind}", "" if ok else MENDS["filter"])
    bot.close()
    burnt_s = bot.cpu_s - before_s
    charged, gone = burnt_s >= BURNT_S, not Path(f"/proc/{pid}").exists()
    seen = f"{burnt_s * 1000:.0f} ms were charged for 50 ms of work"
    left = "nothing is left of a killed jail" if gone else f"process {pid} is left"
    return [
        killed,
        Probe("cpu_clock", charged, seen, "" if charged else MENDS["cpu_clock"]),
        Probe("gone", gone, left, "" if gone else MENDS["gone"]),
    ]


def _read(line: str) -> Probe:
    name, _, rest = line.partition("    ")
    verdict, _, detail = rest.partition("    ")
    return Probe(name, verdict == "ok", detail, "" if verdict == "ok" else MENDS.get(name, _FILTER))


def _bubblewrap_version() -> str:
    found = shutil.which("bwrap")
    if found is None:
        return "not installed"
    return subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout.strip()


def _setting(path: str) -> str:
    try:
        return Path(path).read_text().strip()
    except OSError:
        return "not set"
