"""What results/speed.md says of the platform's rate comes from real runs of the same matches, all CPU time counted."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.platform_rate import Round, RunTime, play_alone, play_through, rates, section
from benchmarks.processes import BEAT, BROKER, JAILS, RECORDER, WEB, WORKER, processes, tree_s
from benchmarks.site import UpFailed, running
from tests.kits.processes_kit import killed

from benchmarks import fixture, harness, site
from gangland_ladder.matches.match_jobs import decode_match_job
from gangland_web.broker.gate import decode_message
from gangland_web.models.database import Database
from gangland_web.settings import sqlite_url

BUSY = "import time\nuntil = time.process_time() + 0.2\nwhile time.process_time() < until: pass"


@pytest.mark.long("a benchmark runs")
@pytest.mark.flow
@pytest.mark.slow
def test_the_same_matches_are_played_alone_and_on_the_whole_platform_and_all_are_counted(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    database = Database(sqlite_url(data))
    warm, measured = fixture.fill(database, "gang-of-dice", 2, 4, 2, blocks=2)
    first, rest = fixture.match_jobs_of(database, warm), fixture.match_jobs_of(database, measured)
    alone = play_alone(first, rest, 1)
    whole = play_through(data, database, [(warm, 2), (measured, 4)], 1)
    database.close()
    assert set(alone.cpu_s) == {WORKER, JAILS}
    assert set(whole.cpu_s) >= {WORKER, JAILS, RECORDER, BROKER, BEAT, WEB}
    assert all(alone.cpu_s[role] > 0 and whole.cpu_s[role] > 0 for role in (WORKER, JAILS))
    assert whole.cpu_s[RECORDER] > 0
    assert min(alone.wall_s, whole.wall_s) > 0


KILLED = """
import sys, time
from pathlib import Path
from benchmarks.site import running
from gangland_web.settings import sqlite_url
from gangland_web.models.database import Database
data = Path({data!r})
with running(data, Database(sqlite_url(data)), 0) as up:
    print(up.pid, flush=True)
    time.sleep(600)
"""


@pytest.mark.long("a benchmark runs")
def test_the_platform_does_not_outlive_the_run_that_measures_it(tmp_path: Path) -> None:
    assert killed(KILLED.format(data=str(tmp_path))).what_it_started_has_ended


@pytest.mark.long("a benchmark runs")
def test_a_platform_that_does_not_stop_is_killed_and_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site, "STOP_TIMEOUT_S", 0.1)
    masked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})  # as whoever is started does, too, from then on
    database = Database(sqlite_url(tmp_path))
    try:
        with pytest.raises(UpFailed, match="did not stop"), running(tmp_path, database, 0) as up:
            os.kill(up.pid, signal.SIGSTOP)
    finally:
        database.close()
        signal.pthread_sigmask(signal.SIG_SETMASK, masked)
    assert up.process.returncode == -signal.SIGKILL


@pytest.mark.long("a benchmark runs")
def test_the_same_fixed_set_is_made_each_time(tmp_path: Path) -> None:
    result = []
    for name in ("one", "other"):
        database = Database(f"sqlite:///{tmp_path / name}")
        ids = fixture.fill(database, "gangster-dice", 4, 7, 1)
        jobs = [decode_match_job(decode_message(text).body) for text in fixture.match_jobs_of(database, ids[1]).texts]
        result.append([(job.blocks, job.rng_key, [seat.code for seat in job.seats]) for job in jobs])
        database.close()
    assert result[0] == result[1]
    assert len({tuple(codes) for _, _, codes in result[0]}) == 7
    assert len(result[0][0][0]) == 12


@pytest.mark.long("a benchmark runs")
def test_a_set_of_chosen_bots_has_them_alone(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'chosen'}")
    ids = fixture.fill(database, "gang-of-dice", 2, 3, 1, bots=["bold_gang", "cautious_gang"])
    names = {
        seat.name
        for text in fixture.match_jobs_of(database, ids[1]).texts
        for seat in decode_match_job(decode_message(text).body).seats
    }
    with pytest.raises(ValueError, match="2 seats need as many house bots of gang-of-dice, not 1"):
        fixture.fill(database, "gang-of-dice", 2, 3, 1, bots=["bold_gang"])
    database.close()
    assert names == {"bold_gang", "cautious_gang"}


def test_every_table_comes_in_turn() -> None:
    tables = fixture.tables_of([1, 2, 3, 4, 5], 4, 7)
    assert len(set(tables[:5])) == 5
    assert tables[5:] == tables[:2]


@pytest.mark.long("a benchmark runs")
def test_cpu_time_of_children_counts_whether_they_have_ended_or_not() -> None:
    before = tree_s(os.getpid(), processes())
    subprocess.run([sys.executable, "-c", BUSY], check=True)
    ended = tree_s(os.getpid(), processes())
    assert ended - before >= 0.15  # of 0.2 s; the kernel counts in hundredths, user and system apart
    program = f"{BUSY}\nprint('done', flush=True)\ninput()"
    running = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert running.stdout is not None
    running.stdout.readline()
    assert (
        tree_s(os.getpid(), processes()) - ended >= 0.15
    )  # of 0.2 s; the kernel counts in hundredths, user and system apart
    running.communicate(b"\n")


def test_a_share_is_of_the_same_round_and_the_median_counts_with_its_spread() -> None:
    def turn(alone: float, whole: float) -> Round:
        return Round("gang-of-dice", 2, 10, RunTime(alone, {WORKER: alone}), RunTime(whole, {WORKER: 2 * whole}))

    (row,) = rates([turn(9.0, 10.0), turn(16.0, 20.0), turn(5.0, 5.0)])
    assert (row.lowest, row.share, row.highest) == (0.8, 0.9, 1.0)
    assert (row.cpu_lowest, row.cpu_share, row.cpu_highest) == (0.4, 0.45, 0.5)
    assert row.met
    assert not rates([turn(8.9, 10.0)])[0].met
    assert not rates([turn(19.0, 10.0)])[0].met
    assert row.playing == 1.0
    recorded = RunTime(1.0, {WORKER: 1.0, JAILS: 2.0, RECORDER: 1.0})
    (shared,) = rates([Round("gang-of-dice", 2, 10, RunTime(1.0, {WORKER: 1.0}), recorded)])
    assert (shared.playing, shared.recording) == (0.75, 0.25)
    assert "| gang-of-dice | 2 |" in section([turn(8.0, 10.0)]).drawn(harness.pipes, "{}")
