"""Match workers on other machines: cut off in mid-match and back, nothing is lost and nothing counts twice."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path

import pytest
from tests.hosts.cutting import SHORT, cut_off
from tests.hosts.network import PREFIX, RUN, network, remove_left_over, why_not
from tests.hosts.rates import ONE, THREE, WHOLE, Rate, broken
from tests.kits.killed_kit import killed


@pytest.mark.long("a campaign: a host is cut off while a schedule is played")
@pytest.mark.flow
@pytest.mark.slow
def test_a_host_that_is_cut_off_in_mid_match_costs_nobody_anything(tmp_path: Path) -> None:
    if lack := why_not():
        pytest.skip(f"SEVERAL HOSTS WERE NOT TRIED: {lack}")
    cut = cut_off(tmp_path, SHORT, hosts=2)
    assert cut.problems == []
    assert cut.told.committed == cut.told.scheduled > 0
    assert cut.stale >= 1
    assert json.loads(json.dumps(asdict(cut)))["leased_again_s"] > 0
    assert list(RUN.glob(f"{PREFIX}-{os.getpid()}-*")) == []


def test_a_network_is_gone_when_a_run_is_interrupted() -> None:
    if lack := why_not():
        pytest.skip(f"SEVERAL HOSTS WERE NOT TRIED: {lack}")
    visited: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        _interrupted(visited)
    assert visited == ["10.77.0.10", "10.77.0.11", "10.77.0.12"]
    assert list(RUN.glob(f"{PREFIX}-{os.getpid()}-*")) == []


KILLED = """
import subprocess, sys, time
from tests.hosts.network import network
with network(1) as (site, _):
    started = site.start([sys.executable, "-c", "import time; time.sleep(600)"], subprocess.DEVNULL)
    print(started.pid, flush=True)
    time.sleep(600)
"""


def test_nothing_plays_on_when_a_run_is_killed() -> None:
    if lack := why_not():
        pytest.skip(f"SEVERAL HOSTS WERE NOT TRIED: {lack}")
    run = killed(KILLED)
    assert run.what_it_started_has_ended
    remove_left_over()
    assert list(RUN.glob(f"{PREFIX}-{run.pid}-*")) == []


def _interrupted(visited: list[str]) -> None:
    with network(2) as (site, hosts):
        visited += [machine.address for machine in (site, *hosts)]
        assert len(list(RUN.glob(f"{PREFIX}-{os.getpid()}-*"))) == 4
        raise KeyboardInterrupt


def rate(way: str, matches: int, left_s: float = 10.0) -> Rate:
    return Rate(way, 10.0, matches, left_s)


def test_three_hosts_are_held_to_what_there_are_cores_for() -> None:
    found = {ONE.name: rate(ONE.name, 100), WHOLE.name: rate(WHOLE.name, 190), THREE.name: rate(THREE.name, 185)}
    assert broken(found, cores=2) == []
    assert len(broken(found, cores=8)) == 1
    assert broken({**found, THREE.name: rate(THREE.name, 270)}, cores=8) == []
    assert len(broken({**found, THREE.name: rate(THREE.name, 150)}, cores=2)) == 1
    assert broken({**found, THREE.name: rate(THREE.name, 95, left_s=5.0)}, cores=2) == []
