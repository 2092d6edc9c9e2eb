"""What the ladders want played."""

from collections import Counter
from itertools import combinations

import pytest
import time_machine
from tests.kits.core_kit import GAME, KINDS, Platform, a_small_platform
from tests.kits.ladder_kit import FORTY, a_ladder, crowd
from tests.kits.models import LadderDay, LadderRound, Match, MatchSeat, Tournament, col, select

from gangland.faults import BotFault, FaultKind
from gangland_ladder.matches import match_jobs, seeds
from gangland_web.queries.ladders import ladder_page, ladder_state
from gangland_web.services import schedules as planning
from gangland_web.services.match_jobs import build_match_job

small = pytest.fixture(a_small_platform, params=KINDS)


def tables_of(platform: Platform, seats: int) -> list[tuple[int, ...]]:
    chosen = (
        select(Match.number, MatchSeat.entry_id)
        .join(Tournament, col(Tournament.id) == Match.tournament_id)
        .join(MatchSeat, col(MatchSeat.match_id) == Match.id)
        .where(Tournament.kind == "ladder", Tournament.game == GAME, Tournament.seats == seats)
        .order_by(col(Match.number), col(MatchSeat.position))
    )
    found: dict[int, list[int]] = {}
    for number, entry in platform.rows(chosen):
        found.setdefault(number, []).append(entry)
    assert list(found) == list(range(1, len(found) + 1))
    return [tuple(table) for table in found.values()]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_round_has_every_table_once_while_they_are_few(platform: Platform, seats: int) -> None:
    platform.recorder.schedule()
    entries = [entry.id for entry in platform.entries(seats)]
    assert tables_of(platform, seats) == list(combinations(entries, seats))


def test_rounds_follow_one_another_up_to_a_bound_and_a_new_day_begins_their_count_anew(small: Platform) -> None:
    small.recorder.rounds = 3
    with time_machine.travel(86_400 * 20_000 + 10, tick=False) as clock:
        for _ in range(6):
            small.recorder.schedule()
            small.play_all()
        assert Counter(tables_of(small, 2)) == dict.fromkeys(set(tables_of(small, 2)), 3)
        assert len(rounds_of(small, 2)) == 3
        clock.move_to(86_400 * 20_001 + 10)
        small.recorder.schedule()
    assert len(rounds_of(small, 2)) > 3


def test_a_new_bot_meets_all_others_before_they_meet_each_other_again(small: Platform) -> None:
    small.recorder.schedule()
    small.play_all()
    version = small.upload("ann")
    small.play_all()
    before = len(tables_of(small, 2))
    small.recorder.schedule()
    fresh = tables_of(small, 2)[before:]
    newcomer = next(entry.id for entry in small.entries() if entry.version_id == version)
    assert len(fresh) == 4
    assert all(newcomer in table for table in fresh)
    small.play_all()
    small.recorder.schedule()
    assert len(tables_of(small, 2)) == before + 4 + 10


def rounds_of(platform: Platform, seats: int) -> list[LadderRound]:
    chosen = select(LadderRound).join(Tournament, col(Tournament.id) == LadderRound.tournament_id)
    chosen = chosen.where(Tournament.game == GAME, Tournament.seats == seats).order_by(col(LadderRound.number))
    return list(platform.rows(chosen))


@pytest.mark.parametrize("seats", [2, 4])
def test_among_many_everybody_is_placed_with_a_dozen_tables(platform: Platform, seats: int) -> None:
    crowd(platform, FORTY, seats)
    platform.recorder.schedule()
    counted = Counter(entry for table in tables_of(platform, seats) for entry in table)
    assert len(counted) == 44
    assert min(counted.values()) >= 11
    assert sum(counted.values()) <= 44 * 14
    assert all(len(set(table)) == seats for table in tables_of(platform, seats))


def test_a_newcomer_among_many_plays_at_once_and_the_others_do_not_for_its_sake(platform: Platform) -> None:
    crowd(platform, FORTY, 4)
    platform.recorder.schedule()
    before = len(tables_of(platform, 4))
    [newcomer] = crowd(platform, ["late"], 4)
    platform.recorder.schedule()
    fresh = tables_of(platform, 4)[before:]
    assert len(fresh) == 12
    assert all(newcomer in table for table in fresh)
    assert [one.placement for one in rounds_of(platform, 4)] == [False, True]


def test_a_newcomers_tables_are_sent_before_those_that_waited_longer(platform: Platform) -> None:
    crowd(platform, FORTY, 2)
    platform.recorder.schedule()
    waited = {match_job.id for _, match_job in platform.post.sent}
    [newcomer] = crowd(platform, ["late"], 2)
    platform.recorder.schedule()
    for _ in waited:
        platform.finish(platform.take())
    sent = [match_job for _, match_job in platform.post.sent if match_job.id not in waited]
    assert len(sent) >= len(waited)
    assert all(newcomer in [seat.entry for seat in match_job.seats] for match_job in sent)


def test_two_rounds_may_be_under_way_and_no_third_until_matches_are_over_or_void(small: Platform) -> None:
    small.recorder.rounds = 10
    for _ in range(5):
        small.recorder.schedule()
    assert [one.number for one in rounds_of(small, 2)] == [1, 2]
    small.play_all()
    small.recorder.schedule()
    small.recorder.schedule()
    assert [one.number for one in rounds_of(small, 2)] == [1, 2, 3, 4]
    with small.database.write() as session:
        for match in session.exec(select(Match).where(Match.purpose == "ladder", Match.state != "done")).all():
            match.state, match.void_reason, match.done_at = "void", "a bot left", 1.0
            match.sent_at = None
            session.add(match)
    small.recorder.schedule()
    assert [one.number for one in rounds_of(small, 2)] == [1, 2, 3, 4, 5]


def test_matches_take_their_dice_from_the_day_on_which_they_were_planned(small: Platform) -> None:
    small.recorder.rounds = 1
    with time_machine.travel(86_400 * 20_000 + 10, tick=False) as clock:
        small.recorder.schedule()
        today, tomorrow = days_of(small)
        assert (today.day, tomorrow.day) == (20_000, 20_001)
        assert seeds.commitment(today.secret) == today.commitment != tomorrow.commitment
        clock.move_to(86_400 * 20_001 + 10)
        small.recorder.schedule()
        assert [one.revealed_at for one in days_of(small)] == [None, None, None]
        assert days_of(small)[1].commitment == tomorrow.commitment
        with small.database.write() as session:
            first = session.exec(select(Match).where(Match.ladder_day_id == today.id).limit(1)).one()
            first.state, first.sent_at = "leased", 1.0
            session.flush()
            ladder = session.get_one(Tournament, first.tournament_id)
            match_job = build_match_job(session, first, ladder)
            expected = seeds.block_seed(today.secret, bytes.fromhex(first.seed_digest), first.number, 0).hex()
            session.rollback()
        assert match_job.blocks[0] == expected
        small.play_all()
        small.recorder.schedule()
        revealed = days_of(small)
    assert [one.revealed_at is not None for one in revealed] == [True, False, False]


def test_no_match_is_planned_under_a_secret_that_is_public(small: Platform, caplog: pytest.LogCaptureFixture) -> None:
    planning._warn_secrets_public.cache_clear()
    with time_machine.travel(86_400 * 20_000 + 10, tick=False) as clock:
        small.recorder.schedule()
        small.play_all()
        clock.move_to(86_400 * 20_001 + 10)
        small.recorder.rounds = 0
        small.recorder.schedule()
        assert days_of(small)[0].revealed_at is not None
        clock.move_to(86_400 * 20_000 + 20)
        small.recorder.rounds = 10
        before = rounds_of(small, 2)
        for _ in range(3):
            small.recorder.schedule()
            small.play_all()
        assert rounds_of(small, 2) == before
        assert len([output for output in caplog.messages if "clock ran fast" in output]) == 1
        clock.move_to(86_400 * 20_001 + 20)
        small.recorder.schedule()
        assert len(rounds_of(small, 2)) > len(before)


def days_of(platform: Platform) -> list[LadderDay]:
    chosen = select(LadderDay).where(LadderDay.tournament_id == a_ladder(platform).id).order_by(col(LadderDay.day))
    return platform.rows(chosen)


def test_who_keeps_failing_is_put_on_probation(small: Platform) -> None:
    def fails(match_job: match_jobs.MatchJob, index: int) -> BotFault | None:
        mine = match_job.seats[index].entry == min(seat.entry for seat in match_job.seats) and len(match_job.seats) == 2
        return BotFault(FaultKind.CRASHED, "down") if mine and match_job.check is None else None

    small.recorder.rounds = 10
    for _ in range(6):
        small.recorder.schedule()
        small.play_all(failing=fails)
    assert small.entries(2)[0].probation
    assert not small.entries(2)[-1].probation


def test_a_leaderboard_lists_active_entries_by_rating_and_says_what_waits(small: Platform) -> None:
    small.recorder.schedule()
    small.play_all()
    with small.database.read() as session:
        ladder = ladder_state(session, GAME, 2)
        assert ladder is not None
        rows = ladder_page(session, ladder).rows
    assert [row.rating for row in rows] == sorted((row.rating for row in rows), reverse=True)
    assert {row.bot for row in rows} == {"house0", "house1", "house2", "house3"}
    assert {row.owner for row in rows} == {None}
    assert {row.games for row in rows} == {6}
    assert all(abs(row.rating - (row.mu - 3 * row.sigma)) < 1e-12 for row in rows)
    assert (ladder.scheduled, ladder.over, ladder.waiting) == (6, 6, 0)
