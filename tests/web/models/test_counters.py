"""The counters of tournaments: kept by the database, whoever writes."""

import pytest
from sqlalchemy import text
from tests.kits.core_kit import BOTH, Platform, a_platform, void
from tests.kits.models import Bot, Match, Session, Team, Tournament, col, func, select

from gangland_web.services.entries import withdraw_version

platform = pytest.fixture(a_platform, params=BOTH)


def counted(session: Session) -> dict[int, tuple[int, int]]:
    over = func.count().filter(col(Match.state).in_(["done", "void"]))
    rows = session.exec(select(Match.tournament_id, func.count(), over).group_by(col(Match.tournament_id))).all()
    return {tournament: (planned, ended) for tournament, planned, ended in rows}


def kept(session: Session) -> dict[int, tuple[int, int]]:
    rows = session.exec(select(Tournament.id, Tournament.matches_planned, Tournament.matches_over)).all()
    return {tournament or 0: (planned, over) for tournament, planned, over in rows if planned}


def revision(platform: Platform, seats: int = 2) -> int:
    chosen = select(Tournament.revision).where(Tournament.kind == "ladder", Tournament.game == "gang-of-dice")
    return platform.row(chosen.where(Tournament.seats == seats))


def test_matches_are_counted_whatever_becomes_of_them(platform: Platform) -> None:
    platform.upload("ann")
    platform.play_all()
    platform.recorder.schedule()
    for _ in range(3):
        platform.finish(platform.take())
    platform.finish(match_job := platform.take(), void(match_job))
    with platform.database.write() as session:
        version = session.exec(select(Bot.active_version_id).where(col(Bot.is_house).is_(True))).first()
        withdraw_version(session, version or 0, "taken out", everywhere=True)
    with platform.database.write() as session:
        assert kept(session) == counted(session)
        assert sum(over for _, over in kept(session).values()) > 4
        session.connection().execute(text("DELETE FROM games"))
        session.connection().execute(text("DELETE FROM match_seats"))
        session.connection().execute(text("DELETE FROM matches WHERE number > 2"))
        assert kept(session) == counted(session)


SHOWN = {
    "a rating": "UPDATE entries SET rating = rating + 1", "a counter": "UPDATE entries SET faults = faults + 1",
    "who plays": "UPDATE entries SET active = NOT active",
    "a match that is over": "UPDATE matches SET state = 'void', done_at = 1, void_reason = 'so', sent_at = NULL",
    "how far ratings are": "UPDATE tournaments SET cursor = cursor + 1",
    "an author's name": "UPDATE users SET name = 'somebody else'",
    "a bot's name": "UPDATE bots SET name = name || '!'",
}  # fmt: skip
HIDDEN = {
    "a lease": "UPDATE matches SET sent_at = sent_at + 1 WHERE state = 'leased'",
    "what matchmaking knows": "UPDATE entries SET round_mu = 1, appearances = 7, strikes = 1",
    "the same values again": "UPDATE entries SET rating = rating, active = active",
}


def test_only_what_a_leaderboard_shows_changes_the_revision(platform: Platform) -> None:
    platform.upload("ann")
    platform.recorder.schedule()
    before = revision(platform)
    for change, statement in (HIDDEN | SHOWN).items():
        platform.execute(text(statement))
        after = revision(platform)
        assert (after > before) is (change in SHOWN), change
        before = after


SEASON = (
    "INSERT INTO seasons (tournament_id, number, name, first_day, last_day, announced_at)"
    " SELECT id, 1, '', 30000, 30001, 0 FROM tournaments WHERE kind = 'ladder'"
)


def test_a_change_of_team_a_season_and_a_result_change_the_revision(platform: Platform) -> None:
    platform.upload("ann")
    with platform.database.write() as session:
        bot = session.exec(select(Bot).where(col(Bot.owner_id).is_not(None))).one()
        teams = [Team(name=n, name_key=n, captain_id=bot.owner_id or 0, created_at=0.0) for n in ("aces", "twos")]
        session.add_all(teams)
        session.flush()
        bot.owner_id, bot.team_id, bot.owner_group = None, teams[0].id, "t1"
    before = revision(platform)
    for act in (
        "UPDATE bots SET team_id = team_id + 1 WHERE team_id IS NOT NULL", SEASON,
        "UPDATE seasons SET ended_at = 1, fixed_at = 2", "DELETE FROM seasons",
    ):  # fmt: skip
        platform.execute(text(act))
        assert revision(platform) > before, act
        before = revision(platform)
    platform.recorder.schedule()
    match_job = next(job for _, job in platform.post.sent if len(job.seats) == 2 and not job.check_only)
    both = revision(platform), revision(platform, 3)
    platform.finish(match_job)
    assert revision(platform) > both[0]
    assert revision(platform, 3) == both[1]
