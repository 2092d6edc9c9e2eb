"""What the ladders want played."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from sqlmodel import col, select
from tests.web.core_kit import GAME, KINDS, Platform, a_platform

from gangland_web.leaderboard.queries import ladder_of, ladder_progress, ladder_rows
from gangland_web.matches.models import Match, MatchSeat
from gangland_web.tournaments.models import Tournament
from gangland_web.tournaments.schedule import Entrant, _apart, newcomers_tables, round_tables

platform = pytest.fixture(a_platform, params=KINDS)


def tables_of(platform: Platform, seats: int) -> list[tuple[int, ...]]:
    """The tables of a ladder in order of their numbers."""
    with platform.database.read() as session:
        chosen = (
            select(Match.number, MatchSeat.entry_id)
            .join(Tournament, col(Tournament.id) == Match.tournament_id)
            .join(MatchSeat, col(MatchSeat.match_id) == Match.id)
            .where(Tournament.kind == "ladder", Tournament.game == GAME, Tournament.seats == seats)
            .order_by(col(Match.number), col(MatchSeat.position))
        )
        found: dict[int, list[int]] = {}
        for number, entry in session.exec(chosen).all():
            found.setdefault(number, []).append(entry)
    assert list(found) == list(range(1, len(found) + 1))
    return [tuple(table) for table in found.values()]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_round_has_every_table_once_while_they_are_few(platform: Platform, seats: int) -> None:
    platform.recorder.schedule()
    entries = [entry.id for entry in platform.entries(seats)]
    assert tables_of(platform, seats) == list(combinations(entries, seats))


def test_nothing_more_is_scheduled_while_a_round_is_under_way(platform: Platform) -> None:
    platform.recorder.schedule()
    before = len(platform.matches())
    platform.recorder.schedule()
    assert len(platform.matches()) == before


def test_rounds_follow_one_another_up_to_a_bound(platform: Platform) -> None:
    platform.recorder.rounds = 3
    for _ in range(6):
        platform.recorder.schedule()
        platform.play_all()
    assert Counter(tables_of(platform, 2)) == dict.fromkeys(set(tables_of(platform, 2)), 3)


def test_a_new_bot_meets_all_others_before_they_meet_each_other_again(platform: Platform) -> None:
    platform.recorder.schedule()
    platform.play_all()
    version = platform.upload("ann")
    platform.play_all()
    before = len(tables_of(platform, 2))
    platform.recorder.schedule()
    fresh = tables_of(platform, 2)[before:]
    newcomer = next(entry.id for entry in platform.entries() if entry.version_id == version)
    assert len(fresh) == 4
    assert all(newcomer in table for table in fresh)
    platform.play_all()
    platform.recorder.schedule()
    assert len(tables_of(platform, 2)) == before + 4 + 10


@pytest.mark.parametrize("seats", [3, 4])
def test_many_entries_meet_in_a_balanced_sample(seats: int) -> None:
    chosen = round_tables(range(1, 31), seats, "seed")
    counted = Counter(entry for table in chosen for entry in table)
    assert len(chosen) <= 30 * 12 // seats + 1
    assert set(counted) == set(range(1, 31))
    assert max(counted.values()) - min(counted.values()) <= 1
    assert all(len(set(table)) == seats for table in chosen)


def test_the_same_roster_and_round_give_the_same_sample() -> None:
    assert round_tables(range(40), 4, "a") == round_tables(range(40), 4, "a")
    assert round_tables(range(40), 4, "a") != round_tables(range(40), 4, "b")


def test_every_newcomer_among_many_gets_a_dozen_tables() -> None:
    chosen = newcomers_tables(range(50), [7, 9], 4, "seed")
    assert Counter(entry for table in chosen for entry in table if entry in (7, 9)) == {7: 12, 9: 12}


def test_no_two_bots_of_one_owner_sit_at_one_table() -> None:
    entrants = [Entrant(1, 10, False), Entrant(2, 10, False), Entrant(3, -1, False)]
    assert _apart([(1, 2), (1, 3), (2, 3)], entrants) == [(1, 3), (2, 3)]


def test_a_leaderboard_lists_active_entries_by_rating_and_says_what_waits(platform: Platform) -> None:
    platform.recorder.schedule()
    platform.play_all()
    with platform.database.read() as session:
        rows = ladder_rows(session, GAME, 2)
        ladder = ladder_of(session, GAME, 2)
        assert ladder is not None
        progress = ladder_progress(session, ladder)
    assert [row.rating for row in rows] == sorted((row.rating for row in rows), reverse=True)
    assert {row.bot for row in rows} == {"house0", "house1", "house2", "house3"}
    assert {row.owner for row in rows} == {None}
    assert {row.games for row in rows} == {6}
    assert all(abs(row.rating - (row.mu - 3 * row.sigma)) < 1e-12 for row in rows)
    assert (progress.scheduled, progress.over, progress.waiting) == (6, 6, 0)
