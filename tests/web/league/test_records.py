"""Records of ladders: the best of rated matches in their order, whatever is voided later and whoever is first."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
from sqlmodel import Session, col, select
from tests.kits.core_kit import KINDS, Platform, a_platform_after

from gangland.replay import load
from gangland_ladder.viewer.film import film_of
from gangland_web.league.organising.results import void_match
from gangland_web.league.records import counting
from gangland_web.league.records.counting import Game, Played, Seat, blocks_won, chance_of, count_records
from gangland_web.league.records.offers import KEPT, Best, Offer
from gangland_web.store.models.bots import Bot
from gangland_web.store.models.matches import Match, MatchSeat, PlayedGame
from gangland_web.store.models.records import LadderRecords, Record, RecordKind, Streak
from gangland_web.store.models.tournaments import Entry, Tournament


def two_rounds(platform: Platform) -> None:
    """Play two rounds of every ladder, and draw who came where: all bots here play alike."""
    for _ in range(2):
        platform.recorder.schedule()
        platform.play_all()
    chance = Random(5)
    with platform.database.write() as session:
        for game in session.exec(select(PlayedGame)):
            game.places = chance.sample(range(1, len(game.seating) + 1), len(game.seating))
        for seat in session.exec(select(MatchSeat)):
            seat.mean_place_num, seat.mean_place_den = chance.randint(2, 8), 2


platform = pytest.fixture(a_platform_after(two_rounds), params=KINDS)


def kept(platform: Platform) -> list[tuple[object, ...]]:
    """All records but reigns, and all streaks, in an order of their own."""
    with platform.database.read() as session:
        records = session.exec(select(Record).where(Record.kind != RecordKind.REIGN.value)).all()
        streaks = session.exec(select(Streak)).all()
    rows: list[tuple[object, ...]] = [
        (r.tournament_id, r.kind, r.bot_id, r.score, r.match_id, r.block, r.rotation, tuple(sorted(r.about.items())))
        for r in records
    ]
    return sorted(rows, key=repr) + sorted((s.entry_id, s.blocks, s.first_match_id) for s in streaks)


def count_all(platform: Platform) -> None:
    while count_records(platform.database):
        pass


def counted_afresh(platform: Platform) -> list[tuple[object, ...]]:
    with platform.database.write() as session:
        for table in (Record, Streak, LadderRecords):
            for row in session.exec(select(table)):
                session.delete(row)
    count_all(platform)
    return kept(platform)


def test_matches_counted_one_by_one_come_to_the_same_records(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = counted_afresh(platform)
    assert {row[1] for row in whole if len(row) > 3} == {"upset", "streak", "longest", "closest"}
    monkeypatch.setattr(counting, "BATCH", 1)
    assert counted_afresh(platform) == whole
    assert count_records(platform.database) == 0, "nothing is new"


def test_a_record_is_the_best_of_all_games_and_a_match_that_is_void_holds_none(platform: Platform) -> None:
    counted_afresh(platform)
    with platform.database.read() as session:
        for record in session.exec(select(Record).where(Record.kind == RecordKind.LONGEST.value)):
            games = select(PlayedGame.replay).join(Match, col(Match.id) == PlayedGame.match_id)
            replays = session.exec(games.where(Match.tournament_id == record.tournament_id)).all()
            assert record.score <= max(load(replay).rounds for replay in replays)
        held = session.exec(select(Record).where(Record.kind == RecordKind.LONGEST.value)).first()
    assert held is not None
    with platform.database.write() as session:
        ladder = session.get_one(Tournament, held.tournament_id)
        void_match(session, ladder, session.get_one(Match, held.match_id), "not to be trusted")
    count_all(platform)
    after = kept(platform)
    assert not [row for row in after if len(row) > 3 and row[4] == held.match_id]
    assert after == counted_afresh(platform)


def test_changes_of_lead_are_those_that_the_replay_shows(platform: Platform) -> None:
    with platform.database.read() as session:
        games = session.exec(select(PlayedGame).limit(60)).all()
    assert any(game.leads for game in games)
    for game in games:
        leaders = [dice.index(max(dice)) for _, dice in film_of(load(game.replay)).dice if dice.count(max(dice)) == 1]
        changes = sum(one != other for one, other in pairwise(leaders))
        assert game.leads == changes, game.id


def test_a_reign_lasts_until_somebody_else_is_first(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "now_s", lambda: 4600.0)
    with platform.database.write() as session:
        ladder = session.exec(select(LadderRecords).where(col(LadderRecords.leader_id).is_not(None))).first()
        assert ladder is not None
        ladder.leads_since = 1000.0
        ladder_id, first = ladder.tournament_id, ladder.leader_id
        last = session.exec(
            select(Entry).where(Entry.tournament_id == ladder_id).order_by(col(Entry.rating)).limit(1)
        ).one()
        last.rating = 99.0
    count_records(platform.database)
    count_records(platform.database)
    with platform.database.read() as session:
        reign = session.exec(select(Record).where(Record.kind == RecordKind.REIGN.value)).one()
        assert (reign.bot_id, reign.score, reign.about) == (first, 3600.0, {"since": 1000.0})
        assert session.get_one(LadderRecords, ladder_id).leader_id != first


def bots(session: Session) -> list[int]:
    return [bot.id or 0 for bot in session.exec(select(Bot).order_by(col(Bot.id)))]


def test_of_each_bot_the_best_is_kept_and_of_equals_the_earliest(platform: Platform) -> None:
    with platform.database.write() as session:
        ladder = session.exec(select(Tournament.id).where(Tournament.kind == "ladder")).first() or 0
        for bot in bots(session)[:2] * KEPT:
            Best(session, ladder).offer(Offer(RecordKind.STREAK, bot, 3.0, 7.0))
        first, second = bots(session)[:2]
        Best(session, ladder).offer(Offer(RecordKind.STREAK, second, 4.0, 8.0))
        Best(session, ladder).offer(Offer(RecordKind.STREAK, first, 2.0, 9.0))
    with platform.database.read() as session:
        rows = session.exec(select(Record).where(Record.tournament_id == ladder, Record.kind == "streak")).all()
    assert {(row.bot_id, row.score, row.at) for row in rows} == {(first, 3.0, 7.0), (second, 4.0, 8.0)}


def test_a_bot_that_lost_its_place_among_the_best_comes_back(platform: Platform) -> None:
    with platform.database.write() as session:
        ladder = session.exec(select(Tournament.id).where(Tournament.kind == "ladder")).first() or 0
        made = [
            Bot(game="gang-of-dice", name=name, name_key=name, is_house=True, created_at=0.0)
            for name in map(str, range(KEPT + 2))
        ]
        for record in session.exec(select(Record)):
            session.delete(record)
        session.add_all(made)
        session.flush()
        best = Best(session, ladder)
        for score in (1.0, 2.0, 3.0):
            for bot in made:
                best.offer(Offer(RecordKind.CLOSEST, bot.id or 0, score + (bot.id or 0) / 100, 7.0))
        expected = {bot.id for bot in made[2:]}
    with platform.database.read() as session:
        rows = session.exec(select(Record).where(Record.tournament_id == ladder, Record.kind == "closest")).all()
    assert {row.bot_id for row in rows} == expected
    assert min(row.score for row in rows) > 3


def rated(mu: float, sigma: float = 1.0) -> Seat:
    return Seat(1, 1, Fraction(1), mu, sigma, 0)


def test_a_block_is_won_by_the_best_mean_place_alone_and_chances_make_one() -> None:
    games = [
        Game(0, 0, [0, 1], [1, 2], [], 0, 9),
        Game(0, 1, [1, 0], [1, 1], [], 0, 9),
        Game(1, 0, [0, 1], [1, 2], [], 0, 9),
        Game(1, 1, [1, 0], [1, 2], [], 0, 9),
    ]
    assert blocks_won(Played(1, 0.0, (), games)) == [0, None]
    assert chance_of(rated(25), rated(25)) == 0.5
    assert chance_of(rated(20), rated(30)) + chance_of(rated(30), rated(20)) == pytest.approx(1)
    assert chance_of(rated(20), rated(30)) < chance_of(rated(20, 8), rated(30, 8)) < 0.5
