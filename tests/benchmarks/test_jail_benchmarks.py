"""What jails cost is measured as it is said, and that many matches leave nothing behind is seen."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from benchmarks.jails import aims, decisions, side_by_side, starts

from benchmarks import harness, load, matches, soak
from gangland_ladder.local.processes import Tables
from gangland_sandbox import privileges, runtime

GAME = "gang-of-dice"


@pytest.mark.long("a benchmark runs")
def test_starts_are_measured_beside_a_bare_python_and_the_harness_without_a_jail() -> None:
    runtime.prepare()
    rows = privileges.run_as_jail_user(lambda: starts.measure(1, numeric=False))
    measured = {start.start: start for start in (starts.Start(*row) for row in rows)}
    assert {starts.BARE, starts.HARNESS, starts.COLD, starts.HANDED_BOT, starts.KILL, starts.CLOSE} <= set(measured)
    assert measured[starts.BARE].of_bare == 1
    assert measured[starts.HARNESS].of_harness == 1
    assert all(0 < row.median_ms <= row.p95_ms for row in measured.values())
    assert all(row.cpu_ms for name, row in measured.items() if name in (starts.COLD, starts.HANDED_BOT))


@pytest.mark.long("a benchmark runs")
def test_decisions_are_measured_over_a_pipe_asked_and_in_matches() -> None:
    runtime.prepare()
    loops = [decisions.Loop(*row) for row in privileges.run_as_jail_user(lambda: decisions.measure(GAME, 2, 1))]
    assert [row.loop for row in loops] == [
        decisions.RAW, decisions.BARE, decisions.JAILED, decisions.CHECKED, decisions.ENGINE, decisions.BARE_MATCH,
        decisions.JAILED_MATCH,
    ]  # fmt: skip
    assert all(row.cpu_us > 0 for row in loops)
    assert [row.loop for row in loops if row.of_unjailed is not None] == list(decisions.BASES)


@pytest.mark.long("a benchmark runs")
def test_two_tables_are_measured_beside_one() -> None:
    with Tables(workers=1) as one, Tables(workers=2) as two:
        *_, alone, together, times = side_by_side(GAME, 2, 1, one, two)
    assert isinstance(alone, float)
    assert isinstance(together, float)
    assert alone > 0
    assert times == pytest.approx(together / alone)


def start(name: str, median_ms: float, of_harness: float = 1.0) -> starts.Start:
    return starts.Start(name, 1, median_ms, median_ms, median_ms, 1.0, of_harness)


def test_of_several_tables_the_worst_is_held_against_the_aim() -> None:
    started = [start(starts.COLD, 40, 1.4), start(starts.HANDED_BOT, 1.5), start(starts.KILL, 0.5)]
    requested = [
        decisions.Loop(GAME, seats, loop, us, us, us / 18, us / 25)
        for seats, us in ((2, 26.0), (4, 30.0))
        for loop in (decisions.JAILED, decisions.CHECKED)
    ]
    seated: list[harness.Row] = [(GAME, 2, 100, 190, 1.9), (GAME, 4, 100, 150, 1.5)]
    found = {aim: (measured, met) for aim, _, measured, met in aims(started, requested, seated)}
    assert found["cold jail, x the harness without it"] == (1.4, True)
    assert found["decision in a jail, checked, CPU us (45 at the worst)"] == (30.0, False)
    assert found["decision in a jail, x without"] == (1.2, False)
    assert found["two tables, x one"] == (1.5, False)


@pytest.mark.long("a benchmark runs")
def test_sixty_matches_with_faulty_bots_among_them_leave_nothing() -> None:
    result = soak.soaked(64, samples=8)
    assert result.problems == []
    assert result.faults.keys() == set(soak.FAULTY)
    assert sum(result.faults.values()) == 2 * 64 // soak.FAULTY_EVERY
    first, *between, last = [asdict(sample) for sample in result.samples]
    assert len(between) == 8
    assert all(sample["processes"] == 3 * sample["jails"] > 0 for sample in between)
    assert all(sample["namespaces"] > 0 for sample in between)
    for name in ("processes", "descriptors", "mounts", "namespaces"):
        assert first[name] == last[name]


CLEAN = soak.Sample(0, 0, 0, 6, 20, 0, 100_000, 20_000, 0)


def a_run(change: Callable[[soak.Sample], soak.Sample] = lambda sample: sample) -> list[soak.Sample]:
    """Return the samples of a thousand matches; `change` applies to those between the first and the last."""
    between = [
        replace(
            CLEAN, matches=n, jails=2, processes=6, descriptors=17, namespaces=14, blocks=101_000, zygote_kib=12_000
        )
        for n in range(100, 1001, 100)
    ]
    return [CLEAN, *map(change, between), replace(CLEAN, matches=1000)]


LEAKS: dict[str, Callable[[soak.Sample], soak.Sample]] = {
    "processes": lambda sample: replace(sample, processes=7),
    "descriptors": lambda sample: replace(sample, descriptors=17 + sample.matches // 100),
    "mounts": lambda sample: replace(sample, mounts=21), "namespaces": lambda sample: replace(sample, namespaces=15),
    "blocks": lambda sample: replace(sample, blocks=101_000 + 10 * sample.matches),
    "kib": lambda sample: replace(sample, kib=20_000 + 10 * sample.matches),
    "zygote_kib": lambda sample: replace(sample, zygote_kib=12_000 + 10 * sample.matches),
}  # fmt: skip


@pytest.mark.parametrize("name", LEAKS)
def test_what_stays_from_match_to_match_is_found(name: str) -> None:
    assert soak.leftovers(a_run()) == []
    assert any(name in problem for problem in soak.leftovers(a_run(LEAKS[name])))


@pytest.mark.parametrize("name", ["processes", "descriptors", "mounts", "namespaces"])
def test_what_is_there_after_the_last_match_is_found(name: str) -> None:
    *run, last = a_run()
    found = soak.leftovers([*run, replace(last, **{name: getattr(last, name) + 1})])
    assert len(found) == 1
    assert found[0].startswith(name)


@pytest.mark.parametrize(("point", "more"), [("/run/netns", 0), ("/run/netns/gangland-1", 0), ("/run/netnsx", 1)])
def test_network_namespaces_that_others_name_are_no_leftovers(
    point: str, more: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, mounted = soak.mounts(), Path("/proc/self/mountinfo").read_text()
    monkeypatch.setattr(Path, "read_text", lambda _: f"{mounted}90 1 254:0 / {point} rw - ext4 /dev/vda rw\n")
    assert soak.mounts() == before + more


def test_busy_loops_are_ended_whatever_happens() -> None:
    def fails() -> None:
        with load.busy(2) as started:
            observed.extend(started)
            raise RuntimeError

    observed: list[subprocess.Popen[bytes]] = []
    with pytest.raises(RuntimeError):
        fails()
    assert [process.returncode for process in observed] == [-9, -9]


def test_a_busy_loop_whose_program_is_killed_ends_by_itself() -> None:
    program = (
        "import os, subprocess, sys\nsubprocess.Popen([sys.executable, '-S', '-c', sys.argv[1], str(os.getpid())])\n"
    )
    subprocess.run(
        [sys.executable, "-S", "-c", program, load.LOOP], check=True, timeout=60, stdout=subprocess.PIPE
    )  # until it ends, too


@pytest.mark.long("a benchmark runs")
def test_cpu_charged_and_forfeits_of_honest_bots_are_measured_among_busy_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "BLOCKS", 1)
    found = load.measure(loops=1, games=2, rounds=1)
    assert (found.faults, found.voids) == ({}, 0)
    assert found.games >= 2
    assert found.quiet_us > 0 < found.loaded_us
    assert ("forfeits of honest bots (none)", "none") in load.section(found).tables[0].rows


@pytest.mark.parametrize(
    ("found", "held"),
    [({}, True), ({"drift": 0.2}, False), ({"faults": {"wall_time": 1}}, False), ({"voids": 1}, False)],
)
def test_drift_forfeits_and_voids_are_failures(found: dict[str, object], held: bool) -> None:
    good = load.Loaded(6, 500.0, 510.0, 0.02, 3.0, 1000, {}, 0)
    assert replace(good, **found).held is held  # type: ignore[arg-type]
