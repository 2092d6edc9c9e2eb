"""The doctor: all is well on this machine, and where it is not, that is seen and the mend is named."""

from __future__ import annotations

import errno
import platform
from pathlib import Path
from typing import Any

import pytest

from gangland_sandbox import doctor, jail, runtime, treebuild
from gangland_sandbox.doctor import MENDS, facts, holds, opening_mend, probe
from gangland_sandbox.errors import SandboxError
from gangland_sandbox.seccomp import ALLOW, ARCHES, pack, refuse


def test_every_probe_holds_in_the_real_jail() -> None:
    probes = probe()
    assert [found for found in probes if not found.ok] == []
    assert {found.name for found in probes} == {"jail", *MENDS}
    assert len(probes) >= 12
    assert holds(probes)


def test_every_probe_that_fails_has_a_mend() -> None:
    assert all(MENDS.values())
    assert "0.5 or later" in MENDS["hashing"]


def test_no_probes_are_no_proof() -> None:
    assert not holds([])


EVERYTHING = pack([(0x06, 0, 0, ALLOW)])
WAITING_ALONE_IS_REFUSED = pack(
    [
        (0x20, 0, 0, 0),
        (0x15, 0, 1, ARCHES[platform.machine()][1]["wait4"]),
        (0x06, 0, 0, refuse(errno.EPERM)),
        (0x06, 0, 0, ALLOW),
    ]
)


@pytest.fixture
def unfiltered(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Have jails without a first filter, and another runtime than the others' tests."""
    monkeypatch.setattr(jail, "filter_bytes", lambda _: EVERYTHING)
    monkeypatch.setattr(runtime, "_prepared", {})
    return monkeypatch


def test_a_filter_that_lets_everything_through_opens_no_jail(unfiltered: pytest.MonkeyPatch) -> None:
    unfiltered.setattr(treebuild, "filter_bytes", lambda _: EVERYTHING)
    (found,) = probe()
    assert not found.ok
    assert "could not be set" in found.detail


def test_a_filter_with_holes_is_found_out(unfiltered: pytest.MonkeyPatch) -> None:
    unfiltered.setattr(treebuild, "filter_bytes", lambda _: WAITING_ALONE_IS_REFUSED)
    probes = {found.name: found for found in probe()}
    for name in ("sockets", "filter"):
        assert not probes[name].ok, name
        assert probes[name].mend
    assert probes["host_files"].ok


def test_a_jail_with_the_hosts_files_in_it_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    command = jail.jail_command

    def leaky(runtime: Any) -> list[str]:
        parts = command(runtime)
        at = parts.index("--remount-ro")
        return [*parts[:at], "--tmpfs", "/tmp", "--setenv", "SECRET", "1", *parts[at:]]

    # The tree has no /tmp to mount on, so it lies on a folder that there is.
    monkeypatch.setattr(
        jail, "jail_command", lambda runtime: [p if p != "/tmp" else "/usr/bin/.." for p in leaky(runtime)]
    )
    probes = probe()
    assert not holds(probes)


def test_without_bubblewrap_nothing_holds_and_the_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> str:
        raise SandboxError("bubblewrap is not installed")

    monkeypatch.setattr(jail, "bubblewrap", missing)
    monkeypatch.setattr("gangland_sandbox.doctor.shutil.which", lambda _: None)
    (found,) = probe()
    assert not found.ok
    assert "not installed" in found.detail
    assert "apt install bubblewrap" in found.mend
    assert "dnf install bubblewrap" in found.mend


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"max_user_namespaces": "0"}, "user.max_user_namespaces"),
        ({"unprivileged_userns_clone": "0"}, "kernel.unprivileged_userns_clone=1"),
        ({"apparmor_restrict_unprivileged_userns": "1"}, "Ubuntu 24.04"),
        ({}, "bwrap --unshare-all"),
    ],
)
def test_the_mend_is_that_of_the_machine(
    settings: dict[str, str], words: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(doctor, "_setting", lambda path: settings.get(path.rpartition("/")[2], "not set"))
    monkeypatch.setattr(doctor, "Path", lambda path: tmp_path / "nowhere" / str(path).lstrip("/"))
    assert words in opening_mend()


def test_in_a_container_the_mend_is_the_shipped_profile(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / ".dockerenv").touch()
    monkeypatch.setattr(doctor, "_setting", lambda _: "not set")
    monkeypatch.setattr(doctor, "Path", lambda path: tmp_path / str(path).lstrip("/"))
    assert "docker-compose.yml" in opening_mend()


def test_the_facts_are_told_in_words() -> None:
    told = facts()
    assert {"tier", "kernel", "bubblewrap", "user namespaces", "AppArmor limit", "seccomp", "cgroups"} <= set(told)
    assert all(told.values())
