"""Protect a process's secrets: private files in the data folder, memory, and the environment."""

import ctypes
import os
import secrets
import sys
from collections.abc import MutableMapping
from pathlib import Path
from typing import Final

# Files in the data folder that no other user can read.


def write_private(path: Path, text: str) -> None:
    """Atomically write a file that only its owner can read."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def stored_secret(path: Path) -> str:
    """Return the secret that is stored in a file with mode 0600; the first call generates it (256 bits)."""
    if not path.exists():
        write_private(path, secrets.token_hex(32) + "\n")
    return path.read_text(encoding="utf-8").strip()


# The memory and the environment, which other processes of the same user must not read.

# settings that no other process may read
SECRETS: Final = tuple(
    "ANALYSIS_REDIS_URL DATABASE_URL METRICS_TOKEN OIDC_CLIENT_SECRET REDIS_URL SECRET_KEY SMTP_PASSWORD SMTP_URL "
    "WORKER_REDIS_URL".split()
)

_PR_GET_DUMPABLE = 3
_PR_SET_DUMPABLE = 4
# Indices, counted after the program's name, of the fields in /proc/self/stat with the bounds of the environment.
_ENV_START, _ENV_END = 47, 48


def keep_private() -> None:
    """Make this process private: only root can read its memory, and its initial environment has no more secrets.

    `os.environ` keeps its values.  Call this function when a program starts, and once more after changing the user.
    Then the kernel does not allow processes of the same user to trace this process or to read /proc/PID/environ, mem,
    maps or fd, and it writes no core dump.  Programs started by this process are not private.  Does nothing outside
    of Linux.  Raises OSError: the kernel refuses.
    """
    blank_environment()
    if not sys.platform.startswith("linux"):
        return
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0) != 0 or libc.prctl(_PR_GET_DUMPABLE, 0, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "the kernel refuses to hide this process from other processes of its user")


def forget_secrets(environ: MutableMapping[str, str] = os.environ) -> None:
    """Remove the secrets from the environment once they have been read, so that child processes do not inherit them."""
    for name in SECRETS:
        environ.pop(name, None)
        environ.pop(f"{name}_FILE", None)


def blank_environment() -> None:
    """Overwrite the values of secrets in the memory behind /proc/self/environ; does nothing outside of Linux."""
    if not sys.platform.startswith("linux"):
        return
    fields = Path("/proc/self/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    start, end = int(fields[_ENV_START]), int(fields[_ENV_END])
    if not 0 < start < end:
        return
    at = start
    for entry in ctypes.string_at(start, end - start).split(b"\0"):
        name, equals, value = entry.partition(b"=")
        if equals and name.decode("ascii", "replace") in SECRETS:
            ctypes.memset(at + len(name) + 1, 0, len(value))
        at += len(entry) + 1
