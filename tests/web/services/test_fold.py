"""Ratings on the site: folded in match number, shown with every match, and the same when computed again."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import event
from sqlmodel import Session, col, func, select, update
from tests.kits import command_kit, ladder_kit
from tests.kits.core_kit import GAME, Platform, Sent, open_platform

from gangland_web.base.formats import now_s
from gangland_web.models.matches import Match, MatchSeat, MatchState, Purpose
from gangland_web.models.tournaments import Entry, StoredStandings, Tournament
from gangland_web.queries.ladders import get_ladder
from gangland_web.services import ladder_days, matches, ratings

Seats = list[tuple[float | None, ...]]


def scheduled(platform: Platform) -> list[Sent]:
    platform.post.slot_count = 100
    platform.recorder.schedule()
    return [match_job for _, match_job in platform.post.sent]


def test_every_match_says_what_it_did_to_each_rating_also_played_backwards(platform: Platform) -> None:
    for match_job in reversed(scheduled(platform)):
        platform.finish(match_job)
    chosen = select(MatchSeat).join(Tournament, col(Tournament.seats) == 2).where(col(MatchSeat.mu_after).is_(None))
    assert platform.rows(chosen) == []
    assert platform.row(select(func.count()).select_from(MatchSeat)) > 0
    for entry in platform.entries():
        seats = platform.rows(select(MatchSeat).where(MatchSeat.entry_id == entry.id).order_by(col(MatchSeat.match_id)))
        assert [seat.mu_before for seat in seats[1:]] == [seat.mu_after for seat in seats[:-1]]
        assert seats[-1].mu_after == entry.mu
        assert entry.rating == entry.mu - 3 * entry.sigma


# A ladder of results written down as the record worker leaves them: what rating needs, and nothing played.


def the_ladder(session: Session, seats: int = 2) -> Tournament:
    return get_ladder(session, GAME, seats)


def played(platform: Platform, count: int, *, seats: int = 2, seed: int = 1) -> None:
    chance = Random(seed)
    entries = [entry.id or 0 for entry in platform.entries(seats)]
    with platform.database.write() as session:
        tournament = the_ladder(session, seats)
        tables = [chance.sample(entries, seats) for _ in range(count)]
        ladder_day = ladder_days.ensure_day(session, tournament)
        numbers = matches.plan_tables(session, tournament, tables, purpose=Purpose.LADDER, ladder_day_id=ladder_day.id)
        planned = select(Match).where(Match.tournament_id == tournament.id, col(Match.number) >= numbers.start)
        for match in session.exec(planned.order_by(col(Match.number))).all():
            for seat in session.exec(select(MatchSeat).where(MatchSeat.match_id == match.id)).all():
                seat.mean_place_num, seat.mean_place_den = chance.randint(2, 2 * seats), 2
                seat.luck = seat.adjusted = 0.0
            match.rating_order = match.number
            settle(match)


def settle(match: Match) -> None:
    match.state, match.sent_at, match.done_at, match.digest = MatchState.DONE.value, now_s(), now_s(), "0" * 64


def unsettle(session: Session, number: int, seats: int = 2) -> None:
    there = Match.number == number, Match.tournament_id == the_ladder(session, seats).id
    match = session.exec(select(Match).where(*there)).one()
    match.state, match.sent_at, match.done_at, match.digest = MatchState.SCHEDULED.value, None, None, None
    session.flush()


def spoil(session: Session, number: int, *, seats: int = 2) -> None:
    """Make a finished match void, as an organizer can."""
    void = {"state": MatchState.VOID.value, "sent_at": None, "void_reason": "an organizer said so", "digest": None}
    there = col(Match.tournament_id) == the_ladder(session, seats).id, col(Match.number) == number
    session.exec(update(Match).where(*there).values(**void))


def fold_all(platform: Platform, seats: int = 2) -> int:
    with platform.database.write() as session:
        return ratings.update_ratings(session, the_ladder(session, seats))


def all_seats(platform: Platform) -> Seats:
    seats = platform.rows(select(MatchSeat).order_by(col(MatchSeat.match_id), col(MatchSeat.position)))
    return [(s.match_id, s.position, s.mu_before, s.sigma_before, s.mu_after, s.sigma_after) for s in seats]


def all_ratings(platform: Platform) -> list[tuple[float, float, float]]:
    return [(e.mu, e.sigma, e.rating) for seats in (2, 3, 4) for e in platform.entries(seats)]


@pytest.mark.parametrize(("seats", "batch"), [(2, None), (2, 3), (3, None)])
def test_computing_ratings_again_finds_every_bit_as_the_live_site_left_it(
    platform: Platform, seats: int, batch: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gangland_web.services.ratings.BATCH", batch or ratings.BATCH)
    for seed in range(3):
        played(platform, 7, seats=seats, seed=seed)
        assert fold_all(platform, seats) == 7
    live = all_seats(platform), all_ratings(platform)
    assert not any(one.differed for one in ladder_kit.rebuilt(platform))
    assert (all_seats(platform), all_ratings(platform)) == live


@pytest.mark.parametrize("seats", [2, 3])
def test_computing_ratings_again_fixes_what_was_changed_by_hand_and_says_so(platform: Platform, seats: int) -> None:
    played(platform, 10, seats=seats)
    fold_all(platform, seats)
    live = all_seats(platform), all_ratings(platform)
    with platform.database.write() as session:
        ladder = the_ladder(session, seats)
        session.exec(select(Entry).where(Entry.tournament_id == ladder.id).limit(1)).one().mu += 1e-9
        session.exec(select(MatchSeat).limit(1)).one().sigma_after = 1.0
        ladder.cursor = 3
    [found] = [one for one in ladder_kit.rebuilt(platform) if one.differed]

    assert (found.kind, found.seats, found.folded, found.waiting) == ("ladder", seats, 10, 0)
    assert (found.seats_changed, found.entries_changed, found.cursor_was, found.cursor) == (1, 1, 3, 11)
    assert found.largest == pytest.approx(1e-9, rel=1e-3)
    assert (all_seats(platform), all_ratings(platform)) == live
    assert not any(one.differed for one in ladder_kit.rebuilt(platform))
    with platform.database.write() as session:
        for seat in session.exec(select(MatchSeat)):
            seat.sigma_after = 1.0
    assert [one.seats_changed for one in ladder_kit.rebuilt(platform) if one.differed] == [10 * seats]
    assert all_seats(platform) == live[0]


@pytest.mark.parametrize("number", [1, 4, 12])
def test_a_match_that_becomes_void_leaves_ratings_as_if_it_had_never_counted(platform: Platform, number: int) -> None:
    played(platform, 12)
    fold_all(platform)
    with platform.database.write() as session:
        spoil(session, number)
        assert ratings.update_ratings_from(session, the_ladder(session), number) == 13
    after = all_seats(platform), all_ratings(platform)
    assert [row[2:] for row in after[0] if row[0] == number] == [(None,) * 4] * 2
    assert not any(one.differed for one in ladder_kit.rebuilt(platform))
    assert (all_seats(platform), all_ratings(platform)) == after


def test_a_match_that_is_played_again_takes_back_all_that_came_after_until_it_is_over(platform: Platform) -> None:
    played(platform, 9)
    fold_all(platform)
    whole = all_seats(platform), all_ratings(platform)
    with platform.database.write() as session:
        unsettle(session, 4)
        tournament = the_ladder(session)
        assert (ratings.update_ratings_from(session, tournament, 4), tournament.cursor) == (4, 4)
    assert [row[2] is None for row in all_seats(platform)] == [False] * 6 + [True] * 12
    assert not any(one.differed for one in ladder_kit.rebuilt(platform))
    with platform.database.write() as session:
        settle(session.exec(select(Match).where(Match.number == 4)).one())
        assert ratings.update_ratings(session, the_ladder(session)) == 6
    assert (all_seats(platform), all_ratings(platform)) == whole


def test_going_back_to_a_match_that_was_not_folded_yet_only_folds_and_trials_are_not_rated(platform: Platform) -> None:
    played(platform, 5)
    with platform.database.write() as session:
        assert ratings.update_ratings_from(session, the_ladder(session), 3) == 6
        trials = session.exec(select(Tournament).where(Tournament.kind == "trials").limit(1)).one()
        assert ratings.update_ratings(session, trials) == 0
    assert not any(one.differed for one in ladder_kit.rebuilt(platform))


def test_standings_that_are_stored_are_dropped_when_a_match_is_folded_again(platform: Platform) -> None:
    played(platform, 2)
    fold_all(platform)
    with platform.database.write() as session:
        for seats in (2, 3):
            session.add(StoredStandings(tournament_id=the_ladder(session, seats).id or 0, body={}, made_at=1.0))
    with platform.database.write() as session:
        ratings.update_ratings_from(session, the_ladder(session), 1)
        assert session.exec(select(StoredStandings.tournament_id)).all() == [the_ladder(session, 3).id]


def test_loaded_objects_show_a_fold_and_a_rebuild_goes_by_what_is_stored(platform: Platform) -> None:
    played(platform, 3)
    with platform.database.write() as session:
        tournament = the_ladder(session)
        entries = session.exec(select(Entry).where(Entry.tournament_id == tournament.id)).all()
        assert {entry.sigma for entry in entries} == {25 / 3}
        ratings.update_ratings(session, tournament)
        assert tournament.cursor == 4
        assert {entry.sigma for entry in entries} != {25 / 3}
        session.connection().execute(update(Tournament).where(col(Tournament.id) == tournament.id).values(cursor=7))
        assert [one.cursor_was for one in ratings.rebuild(session) if one.id == tournament.id] == [7]


def statements_of(platform: Platform, act: Callable[[Session], object]) -> int:
    count = 0

    def counted(*_: object) -> None:
        nonlocal count
        count += 1

    with platform.database.write() as session:
        session.connection()
        event.listen(platform.database.engine, "before_cursor_execute", counted)
        act(session)
        event.remove(platform.database.engine, "before_cursor_execute", counted)
    return count


def test_a_fold_costs_a_handful_of_statements_whatever_it_takes_in(platform: Platform) -> None:
    tournament = ladder_kit.a_ladder(platform)
    played(platform, 1)
    one = statements_of(platform, lambda session: ratings.update_ratings(session, tournament))
    played(platform, 60)
    many = statements_of(platform, lambda session: ratings.update_ratings(session, tournament))
    assert one == many <= 8
    assert statements_of(platform, lambda session: ratings.update_ratings(session, tournament)) == 2


@pytest.mark.parametrize(("seats", "count", "gap"), [(2, 30, 1), (3, 5, 4)])
def test_matches_behind_a_gap_wait_also_when_rebuilt(platform: Platform, seats: int, count: int, gap: int) -> None:
    played(platform, count, seats=seats)
    platform.write(unsettle, gap, seats)
    assert fold_all(platform, seats) == gap - 1
    live = all_seats(platform)
    ladders = [one for one in ladder_kit.rebuilt(platform) if one.kind == "ladder" and one.waiting]
    assert [(one.folded, one.waiting, one.differed) for one in ladders] == [(gap - 1, count - gap + 1, False)]
    assert all_seats(platform) == live


def test_nobody_else_folds_while_ratings_are_computed_again(tmp_path: Path) -> None:
    platform = open_platform("postgresql", tmp_path)
    held: list[Any] = []

    def note(_: object, __: object, statement: str, parameters: Any, *___: object) -> None:
        if "FOR NO KEY UPDATE" in statement:
            held.append(parameters)

    event.listen(platform.database.engine, "before_cursor_execute", note)
    free = select(Tournament.id).with_for_update(key_share=True, skip_locked=True)
    with platform.database.write() as session:
        list(ratings.rebuild(session))
        assert [list(parameters.values()) for parameters in held] == [["trials"], []]  # in the order that all hold them
        with platform.database.write() as other:
            assert other.exec(free).all() == []
    with platform.database.write() as other:
        assert len(other.exec(free).all()) == 24
        held.clear()
        ratings.update_ratings(other, the_ladder(other))
        assert len(held) == 1  # and matches can be planned meanwhile: it is no lock on the key
    platform.database.close()


# The command.


def run(*arguments: object, **env: str) -> command_kit.Ran:
    return command_kit.apart("rate", "--rebuild", *arguments, env=env)


def test_gangland_rate_rebuild_says_whether_anything_differed(tmp_path: Path) -> None:
    platform = open_platform("sqlite", tmp_path)
    played(platform, 5)
    fold_all(platform)
    same = run("--data", tmp_path)
    assert (same.code, "nothing changed" in same.err) == (0, True), same.err
    played(platform, 2, seed=2)
    differs = run("--json", DATABASE_URL=platform.database.url)
    result = command_kit.parsed(differs.out)
    assert (differs.code, result["schema"], result["differed"]) == (1, "gangland/rate-rebuild/1", True)
    [row] = [row for row in result["tournaments"] if row["differed"]]
    assert (row["cursor_was"], row["cursor"], row["seats_changed"]) == (6, 8, 4)
    assert run("--data", tmp_path).code == 0
    platform.database.close()


def test_gangland_rate_rebuild_without_a_site_makes_none(tmp_path: Path) -> None:
    missing = run("--data", tmp_path)
    assert (missing.code, missing.out, list(tmp_path.iterdir())) == (2, "", [])
    assert "no site in" in missing.err
    (tmp_path / "gangland.sqlite3").touch()
    empty = run("--data", tmp_path)
    assert empty.code == 3
    assert "no such table" in empty.err
