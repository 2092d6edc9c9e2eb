"""Root privileges are dropped for good, or nothing is played."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.sandbox.trial import apart, raised

from gangland_sandbox import errors, privileges
from gangland_sandbox.privileges import JAIL_ID, drop, is_root, refuse_root, run_as_jail_user


def test_whoever_plays_holds_no_root_and_cannot_take_it_back() -> None:
    def ids() -> list[Any]:
        refuse_root()
        held = [*os.getresuid(), *os.getresgid()], os.getgroups()
        return [*held, raised(lambda: os.setuid(0)), raised(lambda: os.setgroups([0]))]

    numbers, groups, becoming, joining = apart(ids)
    assert 0 not in numbers
    if is_root():
        assert (numbers, groups) == ([JAIL_ID] * 6, [])
    assert (becoming, joining) == ("PermissionError", "PermissionError")


@pytest.mark.parametrize(("uid", "gid"), [(0, 10001), (10001, 0)])
def test_root_is_not_given_up_for_root(uid: int, gid: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(privileges, "is_root", lambda: True)
    with pytest.raises(errors.SandboxError, match="nonzero ids"):
        drop(uid, gid)


def refuse(*ids: Any) -> None:
    raise PermissionError(1, "Operation not permitted")


@pytest.mark.parametrize(
    ("calls", "words"),
    [
        ({"setgroups": refuse}, "cannot become user 10001"),
        (dict.fromkeys(("setgroups", "setresgid", "setresuid"), lambda *_: None), "were not dropped"),
    ],
)
def test_a_drop_that_fails_stops_everything(calls: dict[str, Any], words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(privileges, "is_root", lambda: True)
    for name, call in calls.items():
        monkeypatch.setattr(f"gangland_sandbox.privileges.os.{name}", call)
    with pytest.raises(errors.SandboxError, match=words):
        drop()


KEPT = """
import ctypes, os, sys
from gangland_sandbox import privileges
from gangland_sandbox.errors import SandboxError
libc = ctypes.CDLL(None)
if sys.argv[1] == "kept":
    libc.prctl(28, 1 << 2, 0, 0, 0)  # PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP: powers stay with whoever was root
elif privileges.is_root():
    libc.prctl(8, 1, 0, 0, 0)  # PR_SET_KEEPCAPS
    os.setresuid(1, 1, 1)
try:
    privileges.drop()
    print("dropped")
except SandboxError as failure:
    print(failure)
"""


@pytest.mark.parametrize("how", ["kept", "held by an ordinary user"])
def test_powers_of_root_that_outlive_it_are_noticed(how: str) -> None:
    ran = subprocess.run([sys.executable, "-c", KEPT, how], capture_output=True, text=True, check=True)
    held = "root privileges were not dropped: capabilities remain (Cap"
    assert ran.stdout.startswith(held if is_root() else "dropped")  # who is not root has none to keep


@pytest.mark.parametrize("name", ["CapPrm", "CapEff", "CapAmb"])
@pytest.mark.parametrize("value", ["0000000000200000", None])
def test_a_power_left_stops_all(name: str, value: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = {"CapPrm": "0", "CapEff": "0", "CapAmb": "0", "CapBnd": "1ffff"}
    monkeypatch.setattr(privileges, "is_root", lambda: False)
    monkeypatch.setattr(privileges, "STATUS", tmp_path / "status")

    def shown(powers: dict[str, str | None]) -> None:
        lines = [f"{name}:\t{power}" for name, power in powers.items() if power is not None]
        (tmp_path / "status").write_text("\n".join(["Name:\tpython", *lines]))

    shown({**result})
    drop()
    shown({**result, name: value})
    with pytest.raises(errors.SandboxError, match=f"capabilities remain .{name} 200000." if value else "unknown"):
        drop()


def test_root_that_could_be_taken_back_counts_as_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gangland_sandbox.privileges.os.getresuid", lambda: (10001, 10001, 0))
    assert is_root()
    with pytest.raises(errors.SandboxError, match="as root"):
        refuse_root()


def test_what_fails_without_root_is_told_where_it_was_asked_for() -> None:
    def fails() -> int:
        raise errors.SandboxError("no jail today")

    with pytest.raises(errors.SandboxError, match="no jail today"):
        run_as_jail_user(fails)
    assert run_as_jail_user(lambda: [1, "two"]) == [1, "two"]
