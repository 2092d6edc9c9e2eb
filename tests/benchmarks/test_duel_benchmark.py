"""What benchmarks/results/duel.md says of error rates is measured by a command that runs."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from benchmarks.duel import COLUMNS, PAIRS, SHAPES, Pair, play_pair, real_row


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: str(shape.name))
@pytest.mark.parametrize("score", [0.5, 0.55])
def test_planted_blocks_have_the_mean_that_they_are_to_have(shape: object, score: float) -> None:
    chances = shape.chances(score)  # type: ignore[attr-defined]
    assert chances.min() >= 0
    assert chances.sum() == pytest.approx(1)
    assert chances @ np.arange(5) / 4 == pytest.approx(score)


@pytest.mark.parametrize("pair", [PAIRS[0], PAIRS[-1]], ids=str)
def test_real_bots_make_a_row(pair: Pair) -> None:
    pool = play_pair(pair, range(3))
    row = real_row(pair, pool, 1)
    assert {block.seats for block in pool} == {pair.seats}
    assert len(row) == len(COLUMNS)
    assert row[1] == pair.seats


def test_a_bot_against_itself_is_even_however_few_blocks_were_played() -> None:
    assert real_row(PAIRS[0], play_pair(PAIRS[0], range(5)), 1)[2] == "50.0%"


def test_pairs_cover_both_games_at_every_table_size() -> None:
    assert Counter((pair.game, pair.seats) for pair in PAIRS) == Counter(
        {(game, seats): 2 for game in ("gang-of-dice", "gangster-dice") for seats in (2, 3, 4)}
    )


def test_the_page_has_a_place_for_both_tables(root: Path) -> None:
    page = (root / "benchmarks" / "results" / "duel.md").read_text(encoding="utf-8")
    for key in ("simulated", "real"):
        assert page.index(f"<!-- {key} -->") < page.index(f"<!-- end of {key} -->")
