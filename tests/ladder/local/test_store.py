"""Runs that are killed go on where they were, and come to what they would have come to."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.kits.bots_kit import bots_in
from tests.kits.command_kit import gangland, parsed, undated

from gangland_ladder.local import matches
from gangland_ladder.local.bots import LocalBot
from gangland_ladder.local.store import MAX_RUNS, RunStore, StoreError, default_folder, delete_old, last_dice, path_of
from gangland_ladder.matches import match_jobs, referee
from gangland_sandbox.jail import Mode
from gangland_sandbox.pool import Pool

BOT = """
from gangland import gang_of_dice

class Chancy(gang_of_dice.Bot):
    def choose_dice(self, view):
        return self.rng.randint(1, min({most}, view.pool))
"""
WHAT: dict[str, object] = {"command": "ladder", "bots": [["a", "1"], ["b", "2"]], "seed": 7}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return bots_in(tmp_path, **{name: BOT.format(most=most) for name, most in {"few": 2, "some": 4, "many": 9}.items()})


def started(tmp_path: Path, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "gangland_ladder.cli", *map(str, arguments)],
        env={**os.environ, "GANGLAND_RUNS": str(tmp_path / "runs")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finished(tmp_path: Path, *arguments: object, code: int = 0) -> str:
    run = gangland(*arguments, env={"GANGLAND_RUNS": str(tmp_path / "runs")})
    assert run.code == code, run.err
    return run.out


def lines_kept(tmp_path: Path) -> int:
    """Return the number of lines written: one for the run, one per match."""
    return sum(file.read_bytes().count(b"\n") for file in (tmp_path / "runs").glob("*.ndjson"))


def wait_for_lines(tmp_path: Path, wanted: int, run: subprocess.Popen[str]) -> None:
    while lines_kept(tmp_path) < wanted:
        assert run.poll() is None, "it ended before it could be killed"
        time.sleep(0.005)


def descendants_of(pid: int) -> Iterator[int]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, IndexError):
                continue
            if parent == pid:
                yield int(entry.name)


def test_a_ladder_that_is_killed_again_and_again_comes_to_the_same_table(folder: Path, tmp_path: Path) -> None:
    (folder / "more.py").write_text(BOT.format(most=6))
    arguments = ("ladder", folder, "--blocks", 12, "--seed", 7, "--json")
    alone = undated(finished(tmp_path / "alone", *arguments))
    for lines in (1, 4):
        run = started(tmp_path, *arguments, "--resume")
        wait_for_lines(tmp_path, lines, run)
        children = list(descendants_of(run.pid))
        run.send_signal(signal.SIGKILL)
        run.communicate(timeout=60)
        while any(Path(f"/proc/{child}/exe").exists() for child in children):
            time.sleep(0.01)  # what a killed run leaves behind ends by itself
    assert lines_kept(tmp_path) >= 4
    assert undated(finished(tmp_path, *arguments, "--resume")) == alone
    assert lines_kept(tmp_path) == 1 + 6


def test_what_a_kill_left_half_written_is_cut_off_and_played_again(folder: Path, tmp_path: Path) -> None:
    arguments = ("ladder", folder / "few.py", folder / "many.py", "--blocks", 1, "--seed", 3, "--trusted", "--json")
    alone = undated(finished(tmp_path, *arguments))
    (kept,) = (tmp_path / "runs").glob("*.ndjson")
    whole = kept.read_bytes()
    for broken in (b"", whole[:10], whole[:-1], whole[: len(whole) // 2], whole + b'{"match":"x"', whole + b"\0" * 99):
        kept.write_bytes(broken)
        assert undated(finished(tmp_path, *arguments, "--resume")) == alone
        assert sorted(kept.read_bytes().splitlines()) == sorted(whole.splitlines()) or b"times" in kept.read_bytes()


def test_a_longer_ladder_resumes_a_shorter_one(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "MATCH_BLOCKS", 1)
    call = ("ladder", folder / "few.py", folder / "many.py", "--trusted", "--seed", 3, "--blocks")
    finished(tmp_path, *call, 1)
    before = lines_kept(tmp_path)
    longer = undated(finished(tmp_path, *call, 2, "--resume", "--json"))
    assert (before, lines_kept(tmp_path)) == (1 + 1, 1 + 2)
    assert longer == undated(finished(tmp_path / "alone", *call, 2, "--json"))


def test_an_archive_goes_on_where_it_was_and_is_whole(folder: Path, tmp_path: Path) -> None:
    whole, again = tmp_path / "whole.tar", tmp_path / "again.tar"
    call = ("ladder", folder, "--blocks", 1, "--seed", 3, "--trusted", "--archive")
    finished(tmp_path, *call, whole)
    (kept,) = (tmp_path / "runs").glob("*.ndjson")
    lines = kept.read_bytes().splitlines(keepends=True)
    kept.write_bytes(b"".join(lines[:3]))
    finished(tmp_path, *call, again, "--resume")
    assert kept.read_bytes().startswith(b"".join(lines[:3]))
    assert lines_kept(tmp_path) == 1 + 3
    assert whole.read_bytes() == again.read_bytes()


def test_a_changed_bot_is_another_bot_and_nothing_of_it_is_resumed(folder: Path, tmp_path: Path) -> None:
    call = ("ladder", folder / "few.py", folder / "many.py", "--blocks", 1, "--seed", 3, "--trusted")
    finished(tmp_path, *call)
    (folder / "few.py").write_text(BOT.format(most=3))
    run = gangland(*call, "--resume", "--json", env={"GANGLAND_RUNS": str(tmp_path / "runs")})
    assert "starting a new one" in run.err
    assert undated(run.out)["games"] == 2


def test_an_interrupted_ladder_prints_what_it_has_and_how_to_go_on(folder: Path, tmp_path: Path) -> None:
    run = started(tmp_path, "ladder", folder, "--blocks", 40, "--seed", 3, "--json")
    wait_for_lines(tmp_path, 2, run)
    run.send_signal(signal.SIGINT)
    out, output = run.communicate(timeout=100)
    assert run.returncode == 130
    assert parsed(out)["games"] == 80 * (lines_kept(tmp_path) - 1) < 240
    (again,) = [line for line in output.splitlines() if line.startswith("continue: ")]
    assert again == f"continue: gangland ladder {folder} --game gang-of-dice --seats 2 --seed 3 --blocks 40 --resume"


def test_two_processes_cannot_play_one_run(tmp_path: Path) -> None:
    path = path_of(tmp_path, WHAT)
    hold = "import sys; from pathlib import Path; from gangland_ladder.local.store import RunStore; "
    hold += (
        f"store = RunStore(Path({str(path)!r}), {WHAT!r}, resume=False); print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen([sys.executable, "-c", hold], stdin=-1, stdout=-1) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(StoreError, match="another process"):
            RunStore(path, WHAT, resume=True)
        other.communicate()
    RunStore(path, WHAT, resume=True).close()


def test_a_run_is_found_without_its_seed_and_old_ones_are_forgotten(tmp_path: Path) -> None:
    for seed in range(MAX_RUNS + 3):
        path = path_of(tmp_path, {**WHAT, "seed": seed})
        with closing(RunStore(path, {**WHAT, "seed": seed, "salt": "aa"}, resume=False)) as store:
            store.put("k", {"of": seed})
        os.utime(path, ns=(seed, seed))
    assert last_dice(tmp_path, WHAT, None, None) == (MAX_RUNS + 2, b"\xaa")
    assert last_dice(tmp_path, WHAT, 50, b"\xaa") == (50, b"\xaa")
    assert last_dice(tmp_path, WHAT, 50, b"\xbb") is None
    assert last_dice(tmp_path, {**WHAT, "bots": []}, None, None) is None
    delete_old(tmp_path)
    assert len(list(tmp_path.iterdir())) == MAX_RUNS
    what = {**WHAT, "seed": 50, "salt": "aa"}
    with closing(RunStore(path_of(tmp_path, {**WHAT, "seed": 50}), what, resume=True)) as store:
        assert store.results == {"k": b'{"of":50}'}


def test_runs_are_kept_where_the_environment_says(tmp_path: Path) -> None:
    assert default_folder({"GANGLAND_RUNS": "/somewhere"}) == Path("/somewhere")
    assert default_folder({"XDG_STATE_HOME": str(tmp_path)}) == tmp_path / "gangland" / "runs"


def job_and_codes(seats: int) -> tuple[match_jobs.MatchJob, dict[str, bytes]]:
    bots = [LocalBot(f"b{most}", f"b{most}.py", BOT.format(most=most).encode()) for most in (2, 3, 5, 8)[:seats]]
    wanted = matches.LocalRun("gang-of-dice", bots, len(bots), 1, b"").job(range(seats), number=1, blocks=3)
    return wanted, {bot.sha256: bot.source for bot in bots}


@pytest.mark.parametrize("seats", [3, *[pytest.param(seats, marks=pytest.mark.long("all sizes")) for seats in (2, 4)]])
def test_a_match_at_home_comes_to_what_a_judge_finds(seats: int) -> None:
    wanted, codes = job_and_codes(seats)
    with Pool(Mode.TRUSTED) as pool:
        match = referee.play_locally(wanted, codes, pool)
    from gangland_ladder.matches.judging import judge

    judged = judge(wanted, match.result)
    came = matches.summary_of(wanted, match)
    for score, mine, again in zip(judged.scores, match.scores, came.scores(wanted), strict=True):
        score.luck = None
        assert score == mine == again
    assert came.block_places() == list(zip(*(score.block_places for score in judged.scores), strict=True))
    assert [sum(pair) for pair in came.pairs] == [3 * seats] * (seats * (seats - 1) // 2)
    decisions = sum(len(game.replay.decisions) for game in judged.games)
    assert sum(sum(entry.times.values()) for entry in came.entries) == decisions


def test_a_match_comes_to_the_same_whether_its_games_are_kept_or_not() -> None:
    wanted, codes = job_and_codes(3)
    with Pool(Mode.TRUSTED) as pool:
        kept, bare = (matches.play_job(pool, wanted, codes, keep) for keep in (True, False))
    assert isinstance(kept, matches.MatchSummary)
    assert isinstance(bare, matches.MatchSummary)
    assert kept.played is not None
    assert bare.played is None
    assert bare.pairs == kept.pairs
    for one, other in zip(kept.entries, bare.entries, strict=True):
        assert replace(one, times={}) == replace(other, times={})
        assert sum(one.times.values()) == sum(other.times.values())


def test_times_are_told_within_five_percent() -> None:
    from gangland_ladder.local.matches import quantile_ms

    times = {matches.time_class(ms / 1000): 1 for ms in range(1, 101)}
    counted = {matches.time_class(0.001): 98, matches.time_class(0.5): 2}
    assert quantile_ms({}, 0.99) is None
    assert quantile_ms(counted, 0.99) == pytest.approx(500, rel=0.05)
    assert quantile_ms(counted, 0.5) == pytest.approx(1, rel=0.05)
    assert max(times) == matches.time_class(0.1)
