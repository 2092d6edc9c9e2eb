"""What a tournament costs, told before it starts."""

from dataclasses import replace
from unittest import mock

import pytest

from gangland.games import GAME_NAMES, game_named
from gangland_ladder.analysis.games import UNMEASURED, measurements_of
from gangland_ladder.pairing import costs
from gangland_sandbox.limits import Limits

LIMITS = Limits.plain(12)
EASY = replace(UNMEASURED, match_s=1.0, game_s=0.5, record_s=0.25)


def easy(tables: int) -> costs.Cost:
    """Tables of three at 12 blocks: 36 games, 19 s of CPU and 9 s of recording per match."""
    with mock.patch.object(costs, "measurements_of", return_value=EASY):
        return costs.cost("any", 3, tables, limits=LIMITS, blocks=12)


def test_every_game_and_table_size_has_been_measured() -> None:
    tables = [measurements_of(game, seats) for game in GAME_NAMES for seats in game_named(game).table_sizes]
    assert UNMEASURED not in tables
    for one in (*tables, UNMEASURED):
        assert one is not None
        assert min(one.match_s, one.game_s, one.record_s) > 0


def test_the_cost_counts_tables_matches_games_and_cpu_seconds() -> None:
    found = easy(20)
    assert (found.tables, found.matches, found.games) == (20, 20, 720)
    assert found.core_s == 20 * 19
    assert found.record_s == 20 * 9
    assert found.core_hours == 20 * 28 / 3600


def test_workers_share_the_matches_and_the_last_one_is_waited_for() -> None:
    assert easy(10).expected_s(1) == 190
    assert easy(10).expected_s(2) == 5 * 19
    assert easy(9).expected_s(2) == 5 * 19


def test_more_workers_do_not_outrun_the_one_that_records() -> None:
    assert easy(10).expected_s(1000) == 90


def test_the_worst_case_is_what_the_limits_allow() -> None:
    assert easy(10).max_s(4) == 3 * LIMITS.match_wall_s(3)


def test_the_cost_is_told_in_words() -> None:
    assert easy(1).text(1) == (
        "1 table, 1 match, 36 games: about 28 seconds of CPU, 19 seconds with 1 worker;"
        f" at most {LIMITS.match_wall_s(3) / 60:.1f} minutes if bots use all their time"
    )
    assert "3,000 tables, 3,000 matches, 108,000 games: about 23.3 hours of CPU" in easy(3000).text(2)
    assert easy(0).text(3).startswith("0 tables, 0 matches, 0 games: about 0 seconds")


@pytest.mark.parametrize(
    ("given", "output"),
    [
        ({"tables": -1}, "not -1 and 12"),
        ({"blocks": 0}, "not 1 and 0"),
        ({"seats": 5}, "'gang-of-dice' is not played with 5 seats"),
    ],
)
def test_what_cannot_be_is_refused(given: dict[str, int], output: str) -> None:
    requested = {"seats": 2, "tables": 1, "blocks": 12, **given}
    with pytest.raises(ValueError, match=output):
        costs.cost("gang-of-dice", requested.pop("seats"), requested.pop("tables"), limits=LIMITS, **requested)


def test_no_worker_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one worker, not 0"):
        easy(1).expected_s(0)
