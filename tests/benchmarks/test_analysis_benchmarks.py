"""The measurements of the analysis: their statistics are right, and every part plays and prints."""

import json
import math
import time
from pathlib import Path

import numpy as np
import pytest
from benchmarks.analysis import __main__, bounded, calibration, games
from benchmarks.harness import keys_of

from gangland.games import GAME_NAMES

PAGE = Path(__file__).resolve().parents[2] / "benchmarks" / "results" / "analysis.md"


def rows_of(predicted: np.ndarray, observed: np.ndarray) -> np.ndarray:
    rows = np.zeros(len(predicted), calibration.ROW)
    rows["game"], rows["round"] = np.arange(len(rows)), 1
    rows["predicted"], rows["observed"] = predicted, observed
    return rows


def test_positions_of_one_game_count_as_one_observation() -> None:
    apart = bounded.Sum.of([1.0, 3.0, 2.0])
    together = bounded.Sum.of([1.0, 1.0, 3.0, 3.0, 2.0, 2.0], [7, 7, 9, 9, 8, 8])
    assert (together.value, together.games) == (2.0, 3)
    assert apart.error == pytest.approx(math.sqrt(1 / 3))
    assert together.error == pytest.approx(apart.error)


def test_values_that_are_too_sure_have_a_slope_below_one_and_are_off_at_both_ends() -> None:
    rng = np.random.default_rng(3)
    predicted = rng.random(20_000)
    observed = rng.random(20_000) < 0.5 + 0.6 * (predicted - 0.5)
    rows = rows_of(predicted, observed)
    slope = calibration.slope(rows)
    lowest, *_, highest = [calibration.difference(part) for part in calibration.parts(rows)]
    assert abs(slope.value - 0.6) < 4 * slope.error < 0.1
    assert lowest.value == pytest.approx(0.18, abs=0.05)
    assert highest.value == pytest.approx(-0.18, abs=0.05)


def test_the_guess_by_dice_count_finds_the_curve_of_other_games() -> None:
    rng = np.random.default_rng(4)
    ahead = rng.normal(size=20_000)
    likely = 1 / (1 + np.exp(-0.3 - 1.2 * ahead))
    rows = rows_of(likely, rng.random(20_000) < likely)
    rows["ahead"] = ahead
    assert np.abs(calibration.guessed(rows[::2], rows[1::2]) - likely[1::2]).max() < 0.03


@pytest.mark.long("a benchmark runs")
@pytest.mark.parametrize("game", GAME_NAMES)
def test_a_game_of_the_reference_gives_one_row_for_each_position_and_seat(game: str) -> None:
    later = time.monotonic() + 3600
    (rows,) = calibration.played(game, 2, range(4, 5), later)
    assert (calibration.played(game, 2, range(4, 5), later)[0] == rows).all()
    assert calibration.played(game, 2, range(9), time.monotonic() - 1) == []
    begun = rows[~rows["decides"]]
    assert begun["round"].tolist() == [number for number in range(1, begun["round"].max() + 1) for _ in range(2)]
    assert rows["predicted"].reshape(-1, 2).sum(axis=1) == pytest.approx(1.0)
    assert set(rows["observed"].reshape(-1, 2).sum(axis=1)) == {1.0}
    assert rows["ahead"].reshape(-1, 2).sum(axis=1) == pytest.approx(0.0)


def test_ranks_that_are_turned_round_are_correlated_the_other_way() -> None:
    assert games.rank_correlation([1, 2, 3, 9], [2, 4, 5, 6]) == pytest.approx(1.0)
    assert games.rank_correlation([1, 2, 3, 9], [6, 4, 5, 2]) == pytest.approx(-0.8)


@pytest.mark.long("a benchmark runs")
def test_a_boss_that_stakes_double_on_yellow_cards_is_told_so() -> None:
    (found,) = games.of_planted("gang-of-dice", 2, [1], time.monotonic() + 3600)
    assert found.bots == ("Doubling", "boss")
    assert not found.broken
    assert found.cost(0) > found.cost(1)
    assert games.planted_row([found])[4] is True, "the theme stands first"


@pytest.mark.long("a benchmark runs")
def test_bids_are_named_after_the_favors_where_these_cost_more_than_the_tokens() -> None:
    (found,) = games.of_planted("gangster-dice", 2, [1], time.monotonic() + 3600)
    named = [each for each in found.figures.decisions if each.theme == games.PLANTED["gangster-dice"][1]]
    assert any({token for token, _ in each.chosen} != {token for token, _ in each.best} for each in named)


@pytest.mark.long("a benchmark runs")
def test_every_part_prints_what_its_games_came_to(capsys: pytest.CaptureFixture[str]) -> None:
    __main__.main(["--game", "gang-of-dice", "--seats", "2", "--games", "2", "--json"])
    tables = {table["key"]: table for table in json.loads(capsys.readouterr().out)["tables"]}
    assert {"calibration", "tenths", "slopes", "house", "account", "error", "time", "planted"} == set(tables)
    assert [row["seat"] for row in tables["account"]["rows"]] == [1, 2]
    assert {row["do not add up"] for row in tables["account"]["rows"]} == {0}
    assert sum(row["games"] for row in tables["house"]["rows"]) == 2 * 2


def test_the_page_has_a_place_for_every_part() -> None:
    assert keys_of(PAGE) == list(__main__.PARTS)
