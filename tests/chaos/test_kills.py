"""Each process of a running site is killed once: every match counts once, and a person's game goes on."""

import signal
import time
from functools import partial
from pathlib import Path

import pytest
from tests.chaos import disturbances, fixed, outcome, runs, tables
from tests.chaos.site import Begun, Site, end

from gangland_web.ops.supervisor import count_unrecorded

pytestmark = [pytest.mark.flow, pytest.mark.slow]

SIZE = fixed.Size(bots=0, blocks={3: 4}, tables={3: 4})  # matches long enough to catch two workers in one each
WORKERS = 2
GAME = "gang-of-dice"
SETTLED_S = 2.0  # time for the record worker to record a result from its queue


def test_a_site_whose_processes_are_each_killed_records_each_match_as_undisturbed(tmp_path: Path) -> None:
    calm = runs.undisturbed_here(tmp_path, SIZE)
    with runs.filled_site(tmp_path / "data", partial(fixed.fill, size=SIZE), 1, workers=WORKERS) as site:
        fixed.start(site.database)
        killed, stalled = _halt_in_mid_match(site)
        tokens = {match.token for match in _begun(site)}
        _kill_what_carries_and_serves(site)
        end(killed, signal.SIGKILL)
        site.up.wait_until(site.slots, "another match worker")
        played = _person_whose_bot_is_killed(site)
        site.up.wait_until(lambda: not tokens & {match.token for match in _begun(site)}, "the leases to end")
        end(stalled, signal.SIGCONT)
        site.up.wait_until(lambda: _is_finished(site), "all matches")
        site.up.wait_until(lambda: "result stale" in site.up.log, "the late result of the worker that stood still")
        told = outcome.tell(site.database)
    assert calm.committed == calm.scheduled == 8
    assert runs.problems(runs.Run("sqlite", WORKERS, 1, told, 0.0), calm) == []
    assert told.played >= told.scheduled + WORKERS
    assert (played.problems, played.kills, played.left) == ([], {"tables": 1}, ())


def _halt_in_mid_match(site: Site) -> list[int]:
    (records,), workers = site.pids("records"), site.players()
    site.up.wait_until(lambda: _begun(site), "a match")
    end(records, signal.SIGSTOP)
    site.up.wait_until(lambda: disturbances.result_waits(site), "a result")
    while True:
        for pid in workers:
            end(pid, signal.SIGSTOP)
        if records in site.pids("records"):
            end(records)
            _wait_for_another(site, "records", records)
        with site.client() as client:
            site.up.wait_until(lambda: not count_unrecorded(client), "what the workers had sent")
        time.sleep(SETTLED_S)
        if len(workers) == len(_begun(site)) == WORKERS:
            return workers
        for pid in workers:
            end(pid, signal.SIGCONT)
        site.up.wait_until(
            lambda: len(_begun(site)) == WORKERS or _is_finished(site),
            "a match of each worker",
            max_pause_s=0.01,  # a match is short, and each attempt that comes too late costs two
        )
        assert not _is_finished(site), "all matches were over before the workers were caught in one"


def _kill_what_carries_and_serves(site: Site) -> None:
    before = {kind: site.pids(kind)[0] for kind in ("beat", "web", "broker")}
    with site.client() as client:
        client.flushall()
    for pid in before.values():
        end(pid)
    for kind, pid in before.items():
        _wait_for_another(site, kind, pid)
    site.up.wait_until(site.up.healthy, "the site")


def _wait_for_another(site: Site, kind: str, pid: int) -> None:
    site.up.wait_until(lambda: set(site.pids(kind)) - {pid}, f"another {kind}")


def _person_whose_bot_is_killed(site: Site) -> tables.Played:
    return tables.ScriptedPerson(site, tables.Plan(GAME, tables.BOTS[:1], (tables.Kill("tables", 3, 0.0),))).play()


def _begun(site: Site) -> list[Begun]:
    seen = site.look()
    return [] if seen is None else seen.begun


def _is_finished(site: Site) -> bool:
    seen = site.look()
    return seen is not None and seen.finished
