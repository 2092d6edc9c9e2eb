"""What happens where a filter of system calls is not what it should be."""

from __future__ import annotations

import errno
import platform

import pytest

from gangland_sandbox import jail, runtime, treebuild
from gangland_sandbox.doctor import probe
from gangland_sandbox.seccomp import ALLOW, ARCHES, pack, refuse

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
    (found,) = [found for found in probe() if "could not be set" in found.detail]
    assert not found.ok


def test_a_filter_with_holes_is_found_out(unfiltered: pytest.MonkeyPatch) -> None:
    unfiltered.setattr(treebuild, "filter_bytes", lambda _: WAITING_ALONE_IS_REFUSED)
    probes = {found.name: found for found in probe()}
    for name in ("sockets", "filter"):
        assert not probes[name].ok, name
        assert probes[name].mend
    assert probes["host_files"].ok
