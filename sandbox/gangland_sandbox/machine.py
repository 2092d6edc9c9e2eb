"""Describe this machine, and find out why jails cannot be opened on it."""

import ctypes
import errno
import os
import platform
import re
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from gangland.compiled import engine_kind
from gangland_sandbox import cgroups, runtime
from gangland_sandbox.errors import SandboxError
from gangland_sandbox.privileges import JAIL_ID, drop, is_root

MAX_NAMESPACES: Final = "/proc/sys/user/max_user_namespaces"
DEBIAN_USERNS: Final = "/proc/sys/kernel/unprivileged_userns_clone"
APPARMOR_USERNS: Final = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns"
MIN_VERSION: Final = (0, 5)
"""The first version of bubblewrap with everything that a jail needs."""
CLONE_NEWUSER: Final = 0x10000000
VERSION_TIMEOUT_S: Final = 10.0
"""The timeout for bubblewrap to print its version."""
LIBC: Final = ctypes.CDLL(None, use_errno=True)
CONTAINERS: Final = {"/.dockerenv": "Docker", "/run/.containerenv": "Podman", "/run/systemd/container": "container"}

FIXES: Final = {
    "system": (
        "jails need Linux: on macOS and Windows play in containers (docker-compose.yml), or your own bots with "
        "--trusted"
    ),
    "wsl": (
        "WSL 1 has no namespaces: in PowerShell, `wsl --list --verbose` shows this distribution's name, "
        "and `wsl --set-version DISTRO 2` gives it its own kernel"
    ),
    "bubblewrap": "install bubblewrap: `apt install bubblewrap` (Debian, Ubuntu) or `dnf install bubblewrap` (Fedora)",
    "bubblewrap_version": (
        "the bwrap on the PATH does not work, or is older than 0.5: `apt install --only-upgrade bubblewrap` (Debian 12 "
        "and Ubuntu 22.04 or later) or `dnf upgrade bubblewrap` (Fedora), and remove any other bwrap from the PATH"
    ),
    "seccomp": (
        "the kernel does not accept the system call filter: a kernel with CONFIG_SECCOMP_FILTER is needed (Debian's, "
        "Ubuntu's and Fedora's have it), on x86-64 or aarch64"
    ),
    "user": (
        "cannot drop root privileges: start it as an ordinary user, or as a root user that may switch to user "
        f"{JAIL_ID} (CAP_SETUID and CAP_SETGID; in a user namespace, with that number mapped)"
    ),
    "runtime": "the folder is named above: fix its owner and mode, or remove it to have it rebuilt",
    "namespaces_kernel": "the kernel has no user namespaces: one with CONFIG_USER_NS is needed (Debian's has it)",
    "namespaces_max": (
        "allow user namespaces: `sysctl -w user.max_user_namespaces=15000`, kept as a line "
        "`user.max_user_namespaces = 15000` in /etc/sysctl.d/90-gangland.conf; if it is already above 0, a sandbox "
        "or container around this one has used up its limit: start outside of it"
    ),
    "namespaces_debian": (
        "allow user namespaces (Debian): `sysctl -w kernel.unprivileged_userns_clone=1`, kept as a line "
        "`kernel.unprivileged_userns_clone = 1` in /etc/sysctl.d/90-gangland.conf"
    ),
    "apparmor": (
        "Ubuntu 24.04 denies user namespaces to programs without an AppArmor profile: `apt install apparmor-profiles "
        "&& ln -s /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ && "
        "apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict`"
    ),
    "container": (
        "in a container: run it as docker-compose.yml does, after `docker/prepare`; by hand, `docker run` or "
        "`podman run` with `--security-opt seccomp=docker/worker-seccomp.json`, on AppArmor hosts `--security-opt "
        "apparmor=gangland-worker`, on SELinux hosts `--security-opt label=disable`; never privileged"
    ),
    "selinux": (
        "SELinux (Fedora) may forbid it: `ausearch -m avc -ts recent -c bwrap` shows why; `restorecon -v "
        "/usr/bin/bwrap` fixes a wrong label, `dnf upgrade selinux-policy` an old policy"
    ),
    "unknown": ("run `bwrap --unshare-all --ro-bind / / true` as the worker's user: its output shows the obstacle"),
}
"""Fixes for obstacles to opening a jail, by obstacle."""


def facts() -> dict[str, str]:
    """Return the facts about this machine that matter to jails, as readable text."""
    return {
        "tier": "S (bubblewrap)",
        "kernel": f"{platform.system()} {platform.release()} {platform.machine()}",
        "user": f"{os.getuid()}" + (f", drops to {JAIL_ID} for jails" if is_root() else ""),
        "surroundings": environment(),
        "bubblewrap": _version_line() if shutil.which("bwrap") else "not installed",
        "user namespaces": _namespaces(),
        "AppArmor limit": setting(APPARMOR_USERNS),
        "SELinux": {"1": "enforcing", "0": "permissive"}.get(setting("/sys/fs/selinux/enforce"), "not in use"),
        "seccomp": setting("/proc/sys/kernel/seccomp/actions_avail"),
        "cgroups": cgroups.survey().description,
        "runtime": str(runtime.home()),
        "numeric profile": _numpy(),
        "engine": f"{engine_kind()}; pure Python in jails",
    }


def _numpy() -> str:
    try:
        return f"numpy {version('numpy')}"
    except PackageNotFoundError:
        return "not available: numpy is not installed for this Python"


def environment() -> str:
    """Return the kind of environment: a container, WSL 1 or 2, or neither."""
    wsl, container = _wsl(), _container()
    return container or (f"WSL {wsl}" if wsl else "no container, no WSL")


def obstacle(error: str) -> str:
    """Return the obstacle to opening jails here, a key of FIXES; `error` is the error of the attempt."""
    if sys.platform != "linux":
        return "system"
    if _wsl() == 1:
        return "wsl"
    if shutil.which("bwrap") is None:
        return "bubblewrap"
    if (version := bubblewrap_version()) is None or version < MIN_VERSION:
        return "bubblewrap_version"
    if "cannot become user" in error or "root privileges were not dropped" in error:
        return "user"
    return "seccomp" if "seccomp" in error.lower() else _namespace_obstacle() or "unknown"


def _namespace_obstacle() -> str | None:
    """Return the obstacle to namespaces, or None if it is unknown."""
    error_number = namespace_error()
    if setting(MAX_NAMESPACES) == "0" or error_number == errno.ENOSPC:
        return "namespaces_max"
    if setting(DEBIAN_USERNS) == "0":
        return "namespaces_debian"
    if error_number in (errno.EINVAL, errno.ENOSYS):
        return "namespaces_kernel"
    if setting(APPARMOR_USERNS) == "1" and setting("/proc/self/attr/current") in ("unconfined", "not set"):
        return "apparmor"
    if _container():
        return "container"
    return "selinux" if setting("/sys/fs/selinux/enforce") == "1" else None


def namespace_error() -> int:
    """Return the error number of creating a user namespace as the user that opens jails; 0 on success."""
    child = os.fork()
    if child == 0:
        try:
            drop()
            os._exit(0 if LIBC.unshare(CLONE_NEWUSER) == 0 else min(ctypes.get_errno(), 255))
        except SandboxError:
            os._exit(errno.EPERM)
        finally:
            os._exit(255)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def bubblewrap_version() -> tuple[int, ...] | None:
    """Return the version of bubblewrap on the PATH; None if unknown."""
    match = re.fullmatch(r"bubblewrap (\d+)\.(\d+)[.\d]*", _version_line())
    return tuple(int(part) for part in match.groups()) if match else None


def setting(path: str) -> str:
    """Return the text of a kernel file, or `not set`."""
    try:
        return Path(path).read_text().strip()
    except OSError:
        return "not set"


def _namespaces() -> str:
    error_number = namespace_error()
    state = f"refused ({os.strerror(error_number)})" if error_number else "allowed"
    return f"{state}; max_user_namespaces {setting(MAX_NAMESPACES)}, unprivileged_userns_clone " + setting(
        DEBIAN_USERNS
    )


def _version_line() -> str:
    try:
        command, timeout_s = ["bwrap", "--version"], VERSION_TIMEOUT_S
        result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=timeout_s)
    except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError) as error:
        return f"cannot be run: {error}"
    return result.stdout.strip()[:80] or f"no output, exit status {result.returncode}"


def _wsl() -> int:
    """Return the version of WSL, 1 or 2, or 0 outside it.  WSL 1 has a capitalized release name."""
    release = platform.release()
    if "microsoft" not in release.lower():
        return 0
    return 2 if "microsoft-standard" in release or "WSL2" in release else 1


def _container() -> str:
    """Return the name of the container around this process, or "" without a container."""
    from_variable = os.environ.get("container", "")  # noqa: SIM112  (systemd's spelling)
    return next((name for path, name in CONTAINERS.items() if os.path.exists(path)), from_variable)
