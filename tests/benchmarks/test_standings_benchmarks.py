"""What results/standings.md says of ranges and blocks is measured by commands that run, and ranges keep their word."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from benchmarks.mirrored import Both, everywhere_played, games_in_blocks, mirrored_table, play_both
from benchmarks.standings import (
    DRAWN,
    FIELDS,
    STEPS,
    Field,
    Kept,
    calibration,
    keeps,
    played,
    rounds,
    settle,
    settling,
    times,
)

from gangland.games import game_named
from gangland_ladder.rating.final_standings import BlockResult, standings
from gangland_ladder.tournaments.settling_rounds import Terms

CHEAP = (("gangster-dice", 2), ("gang-of-dice", 4))
TOURNAMENTS = 60


@cache
def kept(field: Field) -> list[Kept]:
    """Return what simulated tournaments of a field kept of their word."""
    rng, found = np.random.default_rng(11), []
    for _ in range(TOURNAMENTS):
        true = field.true(rng)
        found.append(keeps(standings(played(field, true, rng), range(field.bots)), field, true))
    return found


@pytest.mark.parametrize(
    "field",
    [Field(4, 2, 2), Field(8, 2, 1), Field(8, 2, 12), Field(8, 2, 12, DRAWN, 0.3), Field(6, 3, 4), Field(5, 4, 6)],
    ids=str,
)
def test_ranges_hold_as_often_as_they_say_and_separations_are_seldom_wrong(field: Field) -> None:
    found = kept(field)
    said, held = (float(np.mean([getattr(each, name) for each in found])) for name in ("said", "held"))

    assert held >= said - 0.03 - 2 * sqrt(said * (1 - said) / TOURNAMENTS / field.bots)
    assert sum(each.wrong for each in found) <= 0.05 * sum(each.separated for each in found) + 2
    assert all(each.monotone for each in found)


def test_with_twelve_blocks_the_range_of_a_hopeless_bot_leaves_out_the_first_rank() -> None:
    assert all(each.spared for each in kept(Field(8, 2, 12)))


def test_settling_puts_seldom_two_in_the_wrong_order_though_it_looks_often() -> None:
    rng, field, terms = np.random.default_rng(13), Field(6, 2, 6, DRAWN), Terms(2, 5, 60)
    found = [settle(field, terms, field.true(rng), rng) for _ in range(30)]

    assert sum(each.wrong for each in found) <= 0.05 * sum(each.order for each in found)
    assert any(each.rounds for each in found)
    assert all(each.rounds <= terms.rounds(field.blocks) for each in found)


def test_ranges_that_were_half_as_wide_would_not_hold() -> None:
    field, rng = Field(6, 2, 12, DRAWN, 2.0), np.random.default_rng(12)
    held = []
    for _ in range(TOURNAMENTS):
        true = field.true(rng)
        held.append(keeps(standings(played(field, true, rng), level=0.4), field, true).held)

    assert float(np.mean(held)) < 0.9


@pytest.mark.parametrize("field", [field for field in FIELDS if field.tables], ids=str)
def test_bots_play_equally_often_in_a_sample_of_tables(field: Field) -> None:
    met = [sum(bot in table for table in field.met()) for bot in range(field.bots)]

    assert len(set(field.met())) == len(field.met()) == field.tables
    assert max(met) - min(met) <= 1


def test_the_short_forms_make_their_tables() -> None:
    field = Field(4, 2, 12, STEPS)
    short = Terms(2, 5, 24)
    tables = (
        calibration([field], 2),
        settling([replace(field, blocks=48)], 3),
        rounds([field], 2, short),
        times(bots=6, rounds=2),
    )

    assert [table.key for table in tables] == ["calibration", "settling", "rounds", "time"]
    assert all(table.rows and table.finding for table in tables)
    assert {row[-1] for row in tables[-1].rows} == {"yes"}


def test_blocks_and_separate_games_are_played_and_compared() -> None:
    fields = [where for where in everywhere_played() if (where.game, where.seats) in CHEAP]
    found = {(where, table): [play_both(where, table, range(2))] for where in fields for table in where.tables}
    table = mirrored_table(found)

    assert [row[:3] for row in table.rows] == [(game_named(w.game).title, w.field, w.seats) for w in fields]
    assert all(len(both.alone[0]) == where.seats for (where, _), (both,) in found.items())


def comparison(*blocks: str) -> Both:
    """Return blocks of two games, and the same games as if each had been played alone: W, L for the first bot."""
    games = {"W": BlockResult((0, 1), (1, 2)), "L": BlockResult((0, 1), (2, 1))}
    sums = [
        tuple(Fraction(sum(games[game].mean_places[bot] for game in block), 2) for bot in (0, 1)) for block in blocks
    ]
    return Both([BlockResult((0, 1), places) for places in sums], [[games[game] for game in block] for block in blocks])


def test_blocks_need_fewer_games_where_luck_cancels_and_more_where_it_adds_up() -> None:
    cancels = games_in_blocks([comparison(*["WL"] * 60, *["WW"] * 30, *["LL"] * 6)])
    adds_up = games_in_blocks([comparison(*["WW"] * 60, *["LL"] * 36)])

    assert cancels.high < 1 < adds_up.low


def test_the_page_has_a_place_for_every_table(root: Path) -> None:
    page = (root / "benchmarks" / "results" / "standings.md").read_text(encoding="utf-8")

    for key in ("calibration", "settling", "rounds", "time", "mirrored"):
        assert f"<!-- {key} -->" in page
        assert f"<!-- end of {key} -->" in page
