"""A simulated ladder keeps what benchmarks/results/pairing.md promises."""

import pytest
from benchmarks.ladder import Ladder, ladders_table, simulate

from gangland_ladder.pairing.demand import PACE, SHARE


@pytest.mark.parametrize("ladder", [Ladder(52, 2, 14, 2), Ladder(52, 4, 14, 2)], ids=str)
def test_a_ladder_bounds_shares_waits_for_nobody_and_holds_up_who_keeps_failing(ladder: Ladder) -> None:
    seen = simulate(ladder)
    assert seen.largest_share <= SHARE
    assert max(bot.longest_wait for bot in seen.bots.values()) < PACE.idle_rounds
    assert seen.fewest_tables >= 0.8 * seen.most_tables, "a newcomer takes the others' tables"
    good = sorted(bot.appearances for entry, bot in seen.bots.items() if ladder.faulters <= entry < ladder.bots)
    assert all(seen.bots[entry].appearances < good[0] for entry in range(ladder.faulters))
    middle = [bot for entry, bot in seen.bots.items() if ladder.faulters <= entry < ladder.bots]
    middle = sorted(middle, key=lambda bot: bot.mu)[10:-10]
    above, below = sum(bot.above for bot in middle), sum(bot.below for bot in middle)
    assert 0.45 <= above / (above + below) <= 0.55
    assert seen.sigmas[3] < seen.sigmas[1] < 0.5 * seen.sigmas[0]


def test_the_table_of_a_ladder_has_a_row_each() -> None:
    table = ladders_table([Ladder(14, 2, 10, 1)])
    assert [row[:2] for row in table.rows] == [(14, 2)]
    assert len(table.rows[0]) == len(table.columns)
