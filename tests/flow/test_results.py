"""The same matches come to the same results, whoever plays them and whatever dies meanwhile."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest
from tests.flow.flow_kit import Up, counted_once, running_up, told, with_known_secrets

pytestmark = [pytest.mark.flow, pytest.mark.slow]


def stop_in_mid_match(up: Up) -> list[int]:
    """Halt every worker at a moment when matches are begun and not answered; return those matches."""
    for _ in range(500):
        workers = up.workers()
        for pid in workers:
            os.kill(pid, signal.SIGSTOP)
        time.sleep(1)  # what was said before the halt is recorded by now
        begun = [match.id for match in up.matches() if match.state == "leased" and match.begun_at is not None]
        if begun and workers:
            return [match or 0 for match in begun]
        for pid in workers:
            os.kill(pid, signal.SIGCONT)
        time.sleep(0.05)
    raise AssertionError("no worker was ever met in the middle of a match")


def test_kills_and_restarts_change_no_result_and_count_nothing_twice(tmp_path: Path) -> None:
    with running_up(with_known_secrets(tmp_path / "calm"), workers=1) as calm:
        calm.wait_until(calm.all_played, "all matches")
        undisturbed = told(calm)
        counted_once(calm)
    assert {state for _, _, _, state, _ in undisturbed["matches"]} == {"done"}

    data = with_known_secrets(tmp_path / "rough")
    with running_up(data, workers=2) as rough:
        killed = stop_in_mid_match(rough)
        for pid in rough.workers():
            os.kill(pid, signal.SIGKILL)
        rough.wait_until(lambda: all(m.attempt >= 2 for m in rough.matches() if m.id in killed), "another attempt")
        before = {match.id: match.digest for match in rough.matches() if match.state == "done"}
    with running_up(data, workers=3) as again:
        again.wait_until(again.all_played, "the rest of the matches")
        assert told(again) == undisturbed
        counted_once(again)
        assert before.items() <= {match.id: match.digest for match in again.matches()}.items()
