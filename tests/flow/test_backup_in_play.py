"""A site is backed up while it plays, and another one made of the backup has the same results and plays the next."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.flow.flow_kit import Up, running_up

pytestmark = [pytest.mark.flow, pytest.mark.slow]


def admin(data: Path, *words: object) -> dict[str, Any]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    command = [sys.executable, "-m", "gangland_web.ops.admin", *map(str, words), "--data", str(data), "--json"]
    ran = subprocess.run(command, env=kept, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    result: dict[str, Any] = json.loads(ran.stdout)
    return result


@contextmanager
def held(processes: Sequence[int]) -> Iterator[None]:
    """Let no match come to its end meanwhile."""
    for process in processes:
        os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        for process in processes:
            os.kill(process, signal.SIGCONT)


def over(up: Up) -> int:
    return sum(match.state == "done" for match in up.matches())


def test_a_backup_in_mid_play_restored_elsewhere_has_the_same_results_and_plays_on(tmp_path: Path) -> None:
    first, second, file = tmp_path / "first", tmp_path / "second", tmp_path / "site.backup"
    with running_up(first, workers=1) as up:
        up.wait_until(lambda: over(up) >= 3, "three matches")
        with held(up.workers()):
            up.wait_until(lambda: any(match.state == "leased" for match in up.matches()), "a match under way")
            taken = admin(first, "backup", file)["results"]
        up.wait_until(lambda: over(up) >= taken["matches"] + 2, "two matches more")
        assert "Traceback" not in up.log
    there = admin(first, "digest", "--up-to", taken["up_to"])
    restored = admin(second, "restore", file)
    here = admin(second, "digest", "--up-to", taken["up_to"])
    assert here == there
    assert (here["digest"], here["matches"]) == (taken["sha256"], taken["matches"])
    assert restored["same"]
    assert restored["returned"] > 0  # it was taken while matches were under way
    with running_up(second, workers=1) as again:
        again.wait_until(lambda: over(again) > taken["matches"], "the next match")
        played = {match.number: match.digest for match in again.matches() if match.digest and match.purpose == "ladder"}
    assert played
