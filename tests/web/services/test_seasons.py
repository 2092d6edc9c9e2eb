"""Seasons of ladders: every bot begins anew at a day's border; standings are fixed when all is played and public."""

from collections.abc import Callable, Iterator

import pytest
import time_machine
from sqlmodel import Session, col, select
from tests.kits.core_kit import GAME, KINDS, ON_POSTGRESQL, Platform, a_small_platform
from tests.kits.ladder_kit import BORDER, a_ladder, announce, next_day, play_days, rebuilt
from time_machine import Traveller

from gangland_ladder.rating.trueskill import Rating
from gangland_ladder.rating.updater import FinishedMatch, RatingUpdater
from gangland_web.base.formats import DAY_S
from gangland_web.models.columns import row_id
from gangland_web.models.matches import ATTEMPTS, Match, MatchSeat, MatchState
from gangland_web.models.tournaments import Entry, LadderDay, Season, SeasonPlace, Tournament
from gangland_web.queries.ladders import get_ladder
from gangland_web.services import corrections, trials
from gangland_web.services.ladder_days import today
from gangland_web.services.seasons import SeasonRefused, announce_season, call_off_season

platform = pytest.fixture(a_small_platform, params=KINDS)
START = Rating()


@pytest.fixture
def clock() -> Iterator[Traveller]:
    with time_machine.travel(BORDER + 10, tick=False) as traveller:
        yield traveller


def seasons(platform: Platform) -> list[Season]:
    return platform.rows(select(Season).order_by(col(Season.number)))


def places(platform: Platform, number: int) -> list[SeasonPlace]:
    chosen = select(SeasonPlace).join(Season, col(Season.id) == SeasonPlace.season_id).where(Season.number == number)
    return platform.rows(chosen.order_by(col(SeasonPlace.rank), col(SeasonPlace.entry_id)))


def active(platform: Platform) -> list[Entry]:
    return [entry for entry in platform.entries() if entry.active]


def test_a_season_begins_and_ends_at_a_days_border_and_all_begin_anew(platform: Platform, clock: Traveller) -> None:
    announce(platform, (1, 2), (3, 3))
    platform.recorder.schedule()
    platform.play_all()
    before = platform.entries()
    assert all(entry.sigma < START.sigma for entry in before)
    next_day(platform, clock)
    assert [(e.former_id, e.version_id, e.period, e.mu, e.sigma, e.games) for e in active(platform)] == [
        (was.id, was.version_id, 1, START.mu, START.sigma, 0) for was in before
    ]
    platform.play_all()
    play_days(platform, clock, 1)
    first_season = active(platform)
    assert {entry.period for entry in first_season} == {1}
    assert seasons(platform)[0].ended_at is None
    next_day(platform, clock)
    ended, running = seasons(platform)
    assert (ended.period, ended.ended_at, ended.fixed_at) == (1, BORDER + 3 * DAY_S + 10, None)
    assert (running.period, running.ended_at) == (2, None)
    platform.recorder.schedule()  # the last day's secret was published by the schedule before it
    assert seasons(platform)[0].fixed_at is not None
    standings = places(platform, 1)
    ranked = sorted(first_season, key=lambda entry: (-entry.rating, entry.id))
    assert [(p.entry_id, p.mu, p.sigma, p.rating, p.games) for p in standings] == [
        (e.id, e.mu, e.sigma, e.rating, e.games) for e in ranked
    ]
    assert [place.rank for place in standings] == [1 + sum(x.rating > entry.rating for x in ranked) for entry in ranked]
    platform.play_all()
    play_days(platform, clock, 1)
    assert {entry.period for entry in active(platform)} == {3}, "without a season the ladder goes on, from the start"
    assert all(one.differed is False for one in rebuilt(platform))


def test_matches_of_the_last_day_count_for_the_season_whenever_over(platform: Platform, clock: Traveller) -> None:
    """Matches of the last day are played among and after those of the next day."""
    platform.post.slot_count = 1
    announce(platform, (1, 1), (2, 5))
    next_day(platform, clock)
    platform.recorder.schedule()
    platform.recorder.sweep()
    late = [job for _, job in platform.post.sent if platform.match(job.id).tournament_id == a_ladder(platform).id]
    assert late
    next_day(platform, clock)
    waiting = platform.matches(tournament_id=a_ladder(platform).id, state=MatchState.SCHEDULED.value)
    assert len({match.ladder_day_id for match in waiting}) == 2
    platform.recorder.schedule()
    assert seasons(platform)[0].fixed_at is None, "a season with matches to be played is open"
    platform.play_all()
    old, new = ({e.id for e in platform.entries() if e.period == period} for period in (1, 2))
    rows = platform.rows(
        select(MatchSeat, Match.rating_order, LadderDay.day)
        .join(Match, col(Match.id) == MatchSeat.match_id)
        .join(LadderDay, col(LadderDay.id) == Match.ladder_day_id)
        .where(Match.tournament_id == a_ladder(platform).id)
    )
    days = {day: {seat.entry_id for seat, _, its in rows if its == day} for _, _, day in rows}
    assert days == {today() - 1: old, today(): new}
    platform.recorder.schedule()
    platform.recorder.schedule()
    assert seasons(platform)[0].fixed_at is not None
    assert {p.entry_id: (p.mu, p.sigma) for p in places(platform, 1)} == folded(platform, today() - 1)
    assert all(one.differed is False for one in rebuilt(platform))


def folded(platform: Platform, day: int) -> dict[int, tuple[float, float]]:
    """Return the ratings from one day's matches only, in the order of sending."""
    with platform.database.read() as session:
        ladder = get_ladder(session, GAME, 2)
        chosen = select(Match).join(LadderDay, col(LadderDay.id) == Match.ladder_day_id)
        chosen = chosen.where(
            Match.tournament_id == ladder.id, LadderDay.day == day, Match.state == MatchState.DONE.value
        )
        updater = RatingUpdater(ladder.game, ladder.seats, ladder.blocks)
        for number, match in enumerate(session.exec(chosen.order_by(col(Match.rating_order))).all(), 1):
            seats = select(MatchSeat).where(MatchSeat.match_id == match.id).order_by(col(MatchSeat.entry_id))
            seated = session.exec(seats).all()
            means = tuple((seat.mean_place_num or 0, seat.mean_place_den or 1) for seat in seated)
            list(updater.apply([FinishedMatch(number, tuple(seat.entry_id for seat in seated), means)]))
    return {int(entry): (rating.mu, rating.sigma) for entry, rating in updater.ratings().items()}


def test_fixed_standings_stay_when_a_result_is_taken_back(platform: Platform, clock: Traveller) -> None:
    announce(platform, (1, 1))
    play_days(platform, clock, 2)
    platform.recorder.schedule()
    fixed = [place.model_dump() for place in places(platform, 1)]
    assert fixed
    with platform.database.write() as session:
        ladder = corrections.locked_tournament(session, row_id(a_ladder(platform).id))
        entries = select(MatchSeat.match_id).where(MatchSeat.entry_id == fixed[0]["entry_id"])
        match = session.exec(select(Match).where(col(Match.id).in_(entries)).order_by(col(Match.id)).limit(1)).one()
        assert corrections.remove_results(session, ladder, [match], "its host was stopped") == 0, (
            "its secret is public: it is void"
        )
    assert platform.get(Entry, fixed[0]["entry_id"]).mu != fixed[0]["mu"]
    platform.recorder.schedule()
    assert [place.model_dump() for place in places(platform, 1)] == fixed
    assert all(one.differed is False for one in rebuilt(platform))


def test_who_has_no_rated_match_has_no_place(platform: Platform, clock: Traveller) -> None:
    announce(platform, (1, 1))
    next_day(platform, clock)
    platform.play_all()
    platform.upload("ann")
    clock.shift(DAY_S - 20)  # she comes onto the ladder on the last day, and no round is planned for her any more
    while platform.post.sent or not any(e.games == 0 for e in active(platform)):
        platform.recorder.sweep()
        platform.finish(platform.take())
    newcomer = max(active(platform), key=lambda entry: entry.id or 0)
    clock.shift(20)
    platform.recorder.schedule()
    platform.recorder.schedule()
    assert newcomer.id not in {place.entry_id for place in places(platform, 1)}
    assert len(places(platform, 1)) == 4


@ON_POSTGRESQL
def test_a_version_in_quarantine_stays_so_next_season_and_is_tried(platform: Platform, clock: Traveller) -> None:
    announce(platform, (1, 1), (2, 5))
    next_day(platform, clock)
    with platform.database.write() as session:
        match = a_match(session)
        match.attempt = ATTEMPTS
        trials.quarantine(session, match)
    next_day(platform, clock)
    assert sorted(entry.quarantined for entry in active(platform)) == [False, False, True, True]
    with platform.database.write() as session:
        old = a_match(session)  # one of last season, that brings the same bots down
        old.attempt = ATTEMPTS
        trials.quarantine(session, old)
    platform.play_all()
    assert not any(entry.quarantined for entry in platform.entries()), "a solo trial ends it for all its entries"


def a_match(session: Session) -> Match:
    ladder = get_ladder(session, GAME, 2)
    return session.exec(select(Match).where(Match.tournament_id == ladder.id).order_by(col(Match.id))).first()  # type: ignore[return-value]


def test_a_site_that_was_down_for_seasons_goes_on_with_this_one(platform: Platform, clock: Traveller) -> None:
    announce(platform, (1, 1), (2, 2), (3, 9))
    platform.recorder.schedule()
    clock.shift(4 * DAY_S)
    platform.recorder.schedule()
    platform.recorder.schedule()
    assert [season.period for season in seasons(platform)] == [None, None, 1]
    assert [season.fixed_at is not None for season in seasons(platform)] == [True, True, False]
    assert places(platform, 1) == places(platform, 2) == []


def refused(platform: Platform, act: Callable[[Session, Tournament], object]) -> str:
    with pytest.raises(SeasonRefused) as caught, platform.database.write() as session:
        act(session, get_ladder(session, GAME, 2))
    return str(caught.value)


@ON_POSTGRESQL
def test_a_season_is_announced_a_day_ahead_and_called_off_before(platform: Platform, clock: Traveller) -> None:
    def announced(first: int, last: int) -> str:
        return refused(platform, lambda db, ladder: announce_season(db, ladder, today() + first, today() + last))

    assert "at least a day ahead" in announced(0, 5)
    assert "cannot end" in announced(2, 1)
    announce(platform, (1, 3))
    assert "season 1 ends on" in announced(3, 9)
    announce(platform, (4, 4))
    assert "not the latest" in refused(platform, lambda db, ladder: call_off_season(db, ladder, 1))
    with platform.database.write() as session:
        call_off_season(session, get_ladder(session, GAME, 2), 2)
    next_day(platform, clock)
    assert "has begun" in refused(platform, lambda db, ladder: call_off_season(db, ladder, 1))
    assert [season.number for season in seasons(platform)] == [1]


def test_nothing_is_planned_at_a_border_before_the_season_has_turned(platform: Platform, clock: Traveller) -> None:
    """The day may end between two transactions."""
    announce(platform, (1, 1))
    platform.recorder.schedule()
    platform.play_all()
    clock.shift(DAY_S)
    platform.recorder._schedule()
    of_today = [m for m in platform.matches(tournament_id=a_ladder(platform).id) if m.created_at >= BORDER + DAY_S]
    assert of_today == []
    platform.recorder.schedule()
    assert [m for m in platform.matches(tournament_id=a_ladder(platform).id) if m.created_at >= BORDER + DAY_S]
