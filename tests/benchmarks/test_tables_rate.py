"""What results/speed.md says of tables comes from real runs: matches beside persons who answer at once, and without."""

import pytest
from benchmarks.harness import pipes
from benchmarks.platform_rate import RunTime
from benchmarks.processes import JAILS, WORKER
from benchmarks.tables_rate import Round, arguments, falls, measure, section

SIMPLE = ["--bot", "bold_gang", "--bot", "cautious_gang"]


@pytest.mark.long("a benchmark runs")
@pytest.mark.flow
@pytest.mark.slow
def test_the_same_matches_are_played_without_tables_and_beside_a_person_who_is_asked_again_and_again() -> None:
    (one,) = measure(arguments(["--game", "gang-of-dice", "--rounds", "1", "--matches", "4", "--slots", "2", *SIMPLE]))
    assert min(one.without.wall_s, one.with_tables.wall_s) > 0
    assert all(taken.cpu_s[role] > 0 for taken in (one.without, one.with_tables) for role in (WORKER, JAILS))
    assert min(one.took_s) > 0


def test_a_fall_is_of_the_same_round_and_may_be_the_tables_share_of_the_slots() -> None:
    def turn(without: float, with_tables: float, slots: int = 4) -> Round:
        taken = RunTime(without, {WORKER: without}), RunTime(with_tables, {WORKER: 2 * with_tables})
        return Round("gang-of-dice", 2, slots, 10, *taken, 10, [0.1] * 19 + [0.3])

    (row,) = falls([turn(9.0, 10.0), turn(15.0, 20.0), turn(6.0, 10.0)])
    assert [row.lowest, row.fall, row.highest] == pytest.approx([0.1, 0.25, 0.4])
    assert (row.tables, row.share, row.met) == (4, 0.25, True)
    assert (row.with_tables_per_min, row.p50_ms, row.cpu_fall) == (60.0, 100.0, 0.625)
    assert not falls([turn(7.4, 10.0)])[0].met
    (eight,) = falls([turn(7.4, 10.0, 8)])
    assert (eight.tables, eight.share) == (8, 0.25)
    assert "| gang-of-dice | 2 | 4 | 4 |" in section([turn(8.0, 10.0)]).drawn(pipes, "{}")
