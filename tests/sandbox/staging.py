"""Machines on which jails do not hold, staged for real: a bubblewrap that is bent, user namespaces that are off."""

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

BUBBLEWRAP = shutil.which("bwrap") or "/usr/bin/bwrap"
UNUSED = f"/usr/lib/python{sys.version_info.major}.{sys.version_info.minor}/unittest"
"""A folder of the jail's Python that no harness and no probe imports from."""

_WALK = """#!/bin/sh
# Hand every argument on, some of them bent.
left=$#
while [ "$left" -gt 0 ]; do
    given=$1; shift; left=$((left - 1))
    case $given in
        --seccomp) BENT ;;
        *) set -- "$@" "$given" ;;
    esac
done
exec REAL "$@"
"""
BENT = {
    "broken": "#!/bin/sh\nexit 1\n",
    "too old": (
        "#!/bin/sh\n"
        'if [ "$1" = --version ]; then echo bubblewrap 0.4.1; exit 0; fi\n'
        'echo "bwrap: Unknown option --clearenv" >&2; exit 1\n'
    ),
    "writable": _WALK.replace("BENT", f'set -- "$@" --tmpfs {UNUSED} --seccomp'),
    "host's settings": _WALK.replace("BENT", 'set -- "$@" --setenv SECRET 1 --seccomp'),
    # The real program is given garbage for a filter; it and what it tells lie at numbers above 2.
    "bad filter": _WALK.replace("BENT", 'shift; left=$((left - 1)); exec 9</bin/sh; set -- "$@" --seccomp 9'),
    "shares the network": _WALK.replace("BENT", 'set -- "$@" --share-net --seccomp'),
    "no filter": _WALK.replace("BENT", "shift; left=$((left - 1))"),
    "well": _WALK.replace("BENT", 'set -- "$@" --seccomp'),
}


@dataclass(frozen=True)
class Machine:
    """A fault of a machine, and the expected message; `bwrap` names a script of BENT, None for no program."""

    bwrap: str | None
    probe: str
    fix: str
    lacks: str = ""


MACHINES = {
    "no bubblewrap": Machine(None, "jail", "apt install bubblewrap"),
    "a bubblewrap that is too old": Machine("too old", "jail", "older than 0.5"),
    "a bubblewrap that does not work": Machine("broken", "jail", "older than 0.5"),
    "user namespaces off": Machine("", "jail", "sysctl -w user.max_user_namespaces=15000", "namespaces"),
    "root privileges that cannot be dropped": Machine("", "jail", "CAP_SETUID", "users"),
    "a filter that does not load": Machine("bad filter", "jail", "CONFIG_SECCOMP_FILTER"),
    "a jail without its filter": Machine("no filter", "bounds", "CONFIG_SECCOMP_FILTER"),
    "a jail on the host's network": Machine("shares the network", "bounds", "the distribution's bwrap"),
    "a jail that can be written to": Machine("writable", "mounts", "it is rebuilt"),
    "a jail with the host's settings": Machine("host's settings", "environment", "0.5 or later"),
}


def bend(folder: Path, name: str | None) -> str:
    """Put such a bubblewrap into a folder; return a PATH with it, or with none."""
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)
    if name is None:
        return str(folder)
    if name:
        fresh = folder / "bwrap.fresh"
        fresh.write_text(BENT[name].replace("REAL", BUBBLEWRAP))
        fresh.chmod(0o755)
        fresh.rename(folder / "bwrap")
    return f"{folder}:{os.environ['PATH']}"


def reachable(folder: Path) -> Path:
    for above in (folder, *folder.parents):
        if above.stat().st_uid == os.geteuid() and above.name.startswith(("pytest-", "popen-", "test_")):
            above.chmod(above.stat().st_mode | 0o011)
    return folder


_WITHOUT = """
import ctypes, os, sys
lacks, is_root = sys.argv[1], os.geteuid() == 0
(made, tell_made), (mapped, tell_mapped) = os.pipe(), os.pipe()
child = os.fork()
if child == 0:
    assert ctypes.CDLL(None).unshare(0x10000000) == 0
    os.write(tell_made, b".")
    os.read(mapped, 1)
    if lacks == "namespaces":
        with open("/proc/sys/user/max_user_namespaces", "w") as file:
            file.write("0")
    os.execv(sys.argv[2], sys.argv[2:])
os.read(made, 1)
if not is_root:
    with open(f"/proc/{child}/setgroups", "w") as file:
        file.write("deny")
for name, own in (("uid_map", os.geteuid()), ("gid_map", os.getegid())):
    with open(f"/proc/{child}/{name}", "w") as file:
        file.write(f"0 {own} 1" if lacks == "users" else "0 0 65536" if is_root else f"{own} {own} 1")
os.write(tell_mapped, b".")
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
"""Runs a program in a user namespace that lacks something; the numbers of users stay the same."""


def started_on(machine: Machine, *arguments: str) -> list[str]:
    command = [sys.executable, *arguments]
    return [sys.executable, "-c", _WITHOUT, machine.lacks, *command] if machine.lacks else command
