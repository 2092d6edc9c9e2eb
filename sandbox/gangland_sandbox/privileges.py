"""Drop root privileges: a jail opened by root would run as root on the host."""

import json
import os
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NoReturn, TypeVar

from gangland_sandbox.errors import SandboxError
from gangland_sandbox.reach import keep_python

ResultT = TypeVar("ResultT")

JAIL_ID: Final = 10001
"""The id of the user and group that replace root for all work with jails; it has no entry in passwd."""
STATUS: Final = Path("/proc/self/status")
CAPABILITIES: Final = frozenset({"CapPrm", "CapEff", "CapAmb"})
"""The capability sets that must be empty in a process that opens jails."""


def is_root() -> bool:
    """Return whether this process is root, or could become root."""
    return 0 in os.getresuid()


def drop(uid: int = JAIL_ID, gid: int = JAIL_ID, groups: Sequence[int] = ()) -> None:
    """Become this user and group permanently; if this process is not root, only check that it has no capabilities.

    Prepare the runtime and import all modules first: the host's Python may be in a folder that this user cannot enter.

    Args:
        groups: supplementary groups; empty for a process that opens jails.

    Raises SandboxError: root privileges cannot be dropped, or were not.
    """
    if not is_root():
        _refuse_capabilities()
        return
    if uid == 0 or gid == 0:
        raise SandboxError(f"cannot run bots as user {uid}, group {gid}: choose nonzero ids")
    try:
        os.setgroups(list(groups))
        os.setresgid(gid, gid, gid)
        os.setresuid(uid, uid, uid)
    except OSError as error:
        raise SandboxError(f"cannot become user {uid}: {error}") from error
    if is_root() or os.getresuid() != (uid, uid, uid) or os.getresgid() != (gid, gid, gid):
        raise SandboxError(f"root privileges were not dropped: user {os.getresuid()}, group {os.getresgid()}")
    _refuse_capabilities()


def drop_for_jails(packages: Sequence[str] = ()) -> None:
    """Become the user that opens jails, and make sure Python can still be imported, even from root's home directory.

    Args:
        packages: packages to import in full if the kernel does not allow the mounts that keep Python accessible.

    Raises SandboxError: root privileges cannot be dropped, or were not.
    """
    if is_root():
        try:
            keep_python(packages)
        except OSError as error:
            raise SandboxError(f"cannot make Python accessible to user {JAIL_ID}: {error}") from error
    drop()


def _refuse_capabilities() -> None:
    """Raise SandboxError if this process still has root's capabilities, such as ambient ones."""
    lines = STATUS.read_text().splitlines()
    masks = {name: int(value, 16) for name, _, value in (line.partition(":") for line in lines) if name in CAPABILITIES}
    if set(masks) != CAPABILITIES or any(masks.values()):
        names = ", ".join(f"{name} {value:x}" for name, value in masks.items() if value)
        raise SandboxError(f"root privileges were not dropped: capabilities remain ({names or 'unknown'})")


def refuse_root() -> None:
    """Raise SandboxError if this process is root or could become root."""
    if is_root():
        raise SandboxError("a jail is never opened as root; call privileges.drop() first")


def run_as_jail_user(function: Callable[[], ResultT]) -> ResultT:
    """Run a function as an unprivileged user, in a child if necessary, and return its result (plain JSON values).

    Raises SandboxError: the function raised it, or the child failed.
    """
    return run_as_other_user(function, drop_for_jails)


def run_as_other_user(function: Callable[[], ResultT], change_user: Callable[[], object]) -> ResultT:
    """Run a function as another user, in a child if this process is root, and return its result (plain JSON values).

    Args:
        change_user: called in the child to drop root privileges; not called if this process is not root.

    Raises SandboxError: the function raised it, or the child failed.
    """
    if not is_root():
        return function()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _run_and_exit(function, change_user, writer)
    os.close(writer)
    with open(reader, "rb") as answer:
        text = answer.read()
    _, status = os.waitpid(child, 0)
    if status != 0 or not text:
        raise SandboxError(f"the unprivileged process failed: {text.decode('utf-8', 'replace')[-2000:] or status}")
    result: ResultT = json.loads(text)
    return result


def _run_and_exit(function: Callable[[], ResultT], change_user: Callable[[], object], writer: int) -> NoReturn:
    """Run the child of `run_as_other_user`: drop root privileges, run the function, write the result or the failure."""
    status = 1
    try:
        change_user()
        refuse_root()
        text = json.dumps(function())
        status = 0
    except BaseException:  # noqa: BLE001  (the parent raises it)
        text = traceback.format_exc()
    with open(writer, "w", encoding="utf-8") as answer:
        answer.write(text)
    os._exit(status)
