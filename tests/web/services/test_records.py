"""Records of ladders: the best of rated matches in their order, whatever is voided later and whoever is first."""

from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
from sqlmodel import col, select
from tests.kits.core_kit import KINDS, Platform, a_platform_after

from gangland.replay import load
from gangland_ladder.viewer.timeline import timeline_of
from gangland_web.models.accounts import User
from gangland_web.models.bots import Bot, Version
from gangland_web.models.matches import Match, MatchSeat, PlayedGame
from gangland_web.models.tournaments import Entry, LadderRecords, Record, RecordKind, Tournament
from gangland_web.services import corrections, hall_of_fame


def two_rounds(platform: Platform) -> None:
    """Play two rounds of every ladder, with random places: all bots here play alike."""
    for _ in range(2):
        platform.recorder.schedule()
        platform.play_all()
    chance = Random(5)
    with platform.database.write() as session:
        for game in session.exec(select(PlayedGame)):
            game.places = chance.sample(range(1, len(game.seating) + 1), len(game.seating))
        for seat in session.exec(select(MatchSeat)):
            seat.mean_place_num, seat.mean_place_den = chance.randint(2, 8), 2
        for bot in session.exec(select(Bot)).all():  # house bots hold no record
            user = User(name=bot.name, name_key=bot.name, password_hash="", created_at=0.0)
            session.add(user)
            session.flush()
            bot.is_house, bot.owner_id, bot.owner_group = False, user.id, f"p{user.id}"


platform = pytest.fixture(a_platform_after(two_rounds), params=KINDS)


def kept(platform: Platform) -> list[tuple[object, ...]]:
    records = platform.rows(select(Record).where(Record.kind != RecordKind.REIGN.value))
    rows: list[tuple[object, ...]] = [
        (r.tournament_id, r.kind, r.bot_id, r.score, r.match_id, r.block, r.rotation, tuple(sorted(r.about.items())))
        for r in records
    ]
    return sorted(rows, key=repr)


def count_all(platform: Platform) -> None:
    while hall_of_fame.count_records(platform.database):
        pass


def counted_afresh(platform: Platform) -> list[tuple[object, ...]]:
    with platform.database.write() as session:
        for table in (Record, LadderRecords):
            for row in session.exec(select(table)):
                session.delete(row)
    count_all(platform)
    return kept(platform)


def test_matches_counted_singly_come_to_the_same_records(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = counted_afresh(platform)
    assert {row[1] for row in whole} == {"upset", "closest"}
    monkeypatch.setattr(hall_of_fame, "BATCH", 1)
    assert counted_afresh(platform) == whole
    assert hall_of_fame.count_records(platform.database) == 0, "nothing is new"


def test_a_record_is_the_best_of_all_games_and_a_match_that_is_void_holds_none(platform: Platform) -> None:
    counted_afresh(platform)
    with platform.database.read() as session:
        for record in session.exec(select(Record).where(Record.kind == RecordKind.CLOSEST.value)):
            leads = select(PlayedGame.leads).join(Match, col(Match.id) == PlayedGame.match_id)
            best = max(
                session.exec(leads.where(Match.tournament_id == record.tournament_id)).all(), key=lambda n: n or 0
            )
            assert record.score <= (best or 0)
        held = session.exec(select(Record).where(Record.kind == RecordKind.CLOSEST.value).limit(1)).one()
    with platform.database.write() as session:
        ladder = session.get_one(Tournament, held.tournament_id)
        corrections.void_match(session, ladder, session.get_one(Match, held.match_id), "not to be trusted")
    count_all(platform)
    after = kept(platform)
    assert not [row for row in after if row[4] == held.match_id]
    assert after == counted_afresh(platform)


def test_who_leaves_makes_room_and_is_in_no_count_again(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hall_of_fame, "MAX_RECORDS", 1)
    counted_afresh(platform)
    with platform.database.write() as session:
        held = session.exec(select(Record).where(Record.kind == RecordKind.CLOSEST.value).limit(1)).one()
        gone = session.get_one(Bot, held.bot_id)
        session.add(user := User(name="Gone", name_key="gone", password_hash="", created_at=0.0, deleted_at=1.0))
        session.flush()
        gone.is_house, gone.owner_id, gone.owner_group = False, user.id, f"p{user.id}"
        at_it = select(MatchSeat.match_id).join(Entry).join(Version, col(Version.id) == Entry.version_id)
        theirs = set(session.exec(at_it.where(Version.bot_id == gone.id)))
        # A random game may have no change of lead, and then it is no record.
        others = select(Match.tournament_id).join(PlayedGame).where(col(PlayedGame.leads) > 0)
        ladders = set(session.exec(others.where(Match.purpose == "ladder", col(Match.id).not_in(theirs))))
    count_all(platform)
    after = kept(platform)
    assert not [row for row in after if row[2] == gone.id or row[4] in theirs]
    assert {row[0] for row in after if row[1] == "closest"} == ladders != set(), "others hold them now"
    assert after == counted_afresh(platform)
    assert hall_of_fame.count_records(platform.database) == 0, "and that is all"


def test_changes_of_lead_are_those_that_the_replay_shows(platform: Platform) -> None:
    games = platform.rows(select(PlayedGame).limit(60))
    assert any(game.leads for game in games)
    for game in games:
        leaders = [
            dice.index(max(dice)) for _, dice in timeline_of(load(game.replay)).counts if dice.count(max(dice)) == 1
        ]
        changes = sum(one != other for one, other in pairwise(leaders))
        assert game.leads == changes, game.id


def test_a_reign_lasts_until_somebody_else_is_first(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hall_of_fame, "now_s", lambda: 4600.0)
    count_all(platform)
    with platform.database.write() as session:
        ladder = session.exec(select(LadderRecords).where(col(LadderRecords.leader_id).is_not(None)).limit(1)).one()
        ladder.leads_since = 1000.0
        ladder_id, first = ladder.tournament_id, ladder.leader_id
        last = session.exec(
            select(Entry).where(Entry.tournament_id == ladder_id).order_by(col(Entry.rating)).limit(1)
        ).one()
        last.rating = 99.0
    hall_of_fame.count_records(platform.database)
    hall_of_fame.count_records(platform.database)
    reign = platform.row(select(Record).where(Record.kind == RecordKind.REIGN.value))
    assert (reign.bot_id, reign.score, reign.about) == (first, 3600.0, {"since": 1000.0})
    assert platform.get(LadderRecords, ladder_id).leader_id != first


def test_of_each_bot_the_best_is_kept_and_who_lost_a_place_comes_back(platform: Platform) -> None:
    with platform.database.write() as session:
        ladder = session.exec(select(Tournament.id).where(Tournament.kind == "ladder")).first() or 0
        made = [
            Bot(game="gang-of-dice", name=name, name_key=name, owner_id=1, owner_group=f"p{name}0", created_at=0.0)
            for name in map(str, range(hall_of_fame.MAX_RECORDS + 2))
        ]
        for record in session.exec(select(Record)):
            session.delete(record)
        session.add_all(made)
        session.flush()
        best, (first, second, *_) = hall_of_fame.BestRecords(session, ladder), [bot.id or 0 for bot in made]
        for bot in [first, second] * hall_of_fame.MAX_RECORDS:
            hall_of_fame.BestRecords(session, ladder).offer(hall_of_fame.Offer(RecordKind.UPSET, bot, 3.0, 7.0))
        hall_of_fame.BestRecords(session, ladder).offer(hall_of_fame.Offer(RecordKind.UPSET, second, 4.0, 8.0))
        hall_of_fame.BestRecords(session, ladder).offer(hall_of_fame.Offer(RecordKind.UPSET, first, 2.0, 9.0))
        for score in (1.0, 2.0, 3.0):
            for each in made:
                best.offer(hall_of_fame.Offer(RecordKind.CLOSEST, each.id or 0, score + (each.id or 0) / 100, 7.0))
        expected = {bot.id for bot in made[2:]}
    rows = platform.rows(select(Record).where(Record.tournament_id == ladder))
    upsets, closest = ([row for row in rows if row.kind == kind] for kind in ("upset", "closest"))
    assert {(row.bot_id, row.score, row.at) for row in upsets} == {(first, 3.0, 7.0), (second, 4.0, 8.0)}
    assert {row.bot_id for row in closest} == expected
    assert min(row.score for row in closest) > 3


def rated(mu: float, sigma: float = 1.0) -> hall_of_fame.Seat:
    return hall_of_fame.Seat(1, 1, Fraction(1), mu, sigma, 0)


def test_the_chance_of_an_upset_follows_from_the_ratings() -> None:
    assert hall_of_fame.chance_of(rated(25), rated(25)) == 0.5
    assert hall_of_fame.chance_of(rated(20), rated(30)) + hall_of_fame.chance_of(rated(30), rated(20)) == pytest.approx(
        1
    )
    assert hall_of_fame.chance_of(rated(20), rated(30)) < hall_of_fame.chance_of(rated(20, 8), rated(30, 8)) < 0.5
