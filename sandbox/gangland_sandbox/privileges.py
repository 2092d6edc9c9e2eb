"""Giving root up: a jail opened by root would be root's on the host."""

import json
import os
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NoReturn, TypeVar

from gangland_sandbox.errors import SandboxError
from gangland_sandbox.reach import keep_python

Plain = TypeVar("Plain")

JAIL_ID: Final = 10001
"""The user and group that root becomes for everything that touches a jail; a number of our own, in no passwd."""
STATUS: Final = Path("/proc/self/status")
CAPABILITIES: Final = frozenset({"CapPrm", "CapEff", "CapAmb"})
"""What must be empty in a process that opens jails."""


def is_root() -> bool:
    """Return whether this process is root, or could become it again."""
    return 0 in os.getresuid()


def drop(uid: int = JAIL_ID, gid: int = JAIL_ID, groups: Sequence[int] = ()) -> None:
    """Become this user and group for good; for whoever is not root, see that it holds no power of root's.

    Prepare the runtime and import what is needed first: the host's Python may lie in a folder
    that this user cannot enter.

    Args:
        groups: further groups; whoever opens jails has none.

    Raises SandboxError: root cannot be given up, or would be kept.
    """
    if not is_root():
        _refuse_capabilities()
        return
    if uid == 0 or gid == 0:
        raise SandboxError(f"bots cannot be played as user {uid}, group {gid}: choose ids other than 0")
    try:
        os.setgroups(list(groups))
        os.setresgid(gid, gid, gid)
        os.setresuid(uid, uid, uid)
    except OSError as failure:
        raise SandboxError(f"cannot become user {uid}: {failure}") from failure
    if is_root() or os.getresuid() != (uid, uid, uid) or os.getresgid() != (gid, gid, gid):
        raise SandboxError(f"root was not given up: user {os.getresuid()}, group {os.getresgid()}")
    _refuse_capabilities()


def drop_for_jails(packages: Sequence[str] = ()) -> None:
    """Become the one who opens jails, and go on to import wherever Python lies: also in a home that is root's alone.

    Args:
        packages: imported whole now, where the kernel does not let root keep Python in reach.

    Raises SandboxError: root cannot be given up, or would be kept.
    """
    if is_root():
        try:
            keep_python(packages)
        except OSError as failure:
            raise SandboxError(f"Python cannot be kept in reach of user {JAIL_ID}: {failure}") from failure
    drop()


def _refuse_capabilities() -> None:
    """Refuse what a user without a name may still hold of root's powers: ambient ones, or ones that were to be kept."""
    lines = STATUS.read_text().splitlines()
    held = {name: int(value, 16) for name, _, value in (line.partition(":") for line in lines) if name in CAPABILITIES}
    if set(held) != CAPABILITIES or any(held.values()):
        told = ", ".join(f"{name} {value:x}" for name, value in held.items() if value)
        raise SandboxError(
            f"root was not given up: this process holds capabilities ({told or 'it cannot be told which'})"
        )


def refuse_root() -> None:
    """Refuse to go on as root.  Raises SandboxError: this process is root or could become it."""
    if is_root():
        raise SandboxError("a jail is never opened as root; call privileges.drop() first")


def as_jailer(function: Callable[[], Plain]) -> Plain:
    """Return what a function returns when it is run without root: here, or in a child that has dropped it.

    Args:
        function: returns plain JSON values.

    Raises SandboxError: the function raised it, or the child failed.
    """
    return as_other(function, drop_for_jails)


def as_other(function: Callable[[], Plain], become: Callable[[], object]) -> Plain:
    """Return what a function returns when it is run without root: here, or in a child that has become somebody else.

    Args:
        function: returns plain JSON values.
        become: gives root up in the child; not called where there is none to give up.

    Raises SandboxError: the function raised it, or the child failed.
    """
    if not is_root():
        return function()
    told, telling = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(told)
        _run_and_exit(function, become, telling)
    os.close(telling)
    with open(told, "rb") as answer:
        text = answer.read()
    _, status = os.waitpid(child, 0)
    if status != 0 or not text:
        raise SandboxError(f"the process without root failed: {text.decode('utf-8', 'replace')[-2000:] or status}")
    result: Plain = json.loads(text)
    return result


def _run_and_exit(function: Callable[[], Plain], become: Callable[[], object], telling: int) -> NoReturn:
    """Be the child of `as_other`: give root up, run, tell the result or the failure."""
    status = 1
    try:
        become()
        refuse_root()
        text = json.dumps(function())
        status = 0
    except BaseException:  # noqa: BLE001  (told to the parent, which raises it)
        text = traceback.format_exc()
    with open(telling, "w", encoding="utf-8") as answer:
        answer.write(text)
    os._exit(status)
