"""Seasons of ladders: announcing them, starting and ending them at midnight UTC, and storing their final standings.

The standings become final ("fixed") when all matches are over, rated and public.  At the start and the end of a season,
every bot on the ladder gets a new entry: ratings, meetings and conduct are reset, and matches that were planned earlier
are played between the old entries.  So a match counts for the season on whose day it was planned, even if it is sent or
played later.  Ratings still depend only on all matches in rating order.
"""

import logging
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import insert, update
from sqlmodel import Session, col, or_, select

from gangland_ladder.rating.trueskill import Rating
from gangland_web.base.formats import day_text, now_s
from gangland_web.base.text import normal_name
from gangland_web.models import tournaments
from gangland_web.models.bots import Bot, Version
from gangland_web.models.columns import add_row, row_id
from gangland_web.models.matches import Match
from gangland_web.models.organizing import RECORD_WORKER, Actor, log_action
from gangland_web.models.tournaments import Entry, LadderDay, Season, SeasonPlace, Tournament
from gangland_web.services import entries, ladder_days, matches

log = logging.getLogger(__name__)

NAME_CHARS = 60


class SeasonRefused(ValueError):
    """A season cannot be announced or called off; the message explains why, and what would help."""


# Announcing seasons and calling them off.


def announce_season(
    session: Session, ladder: Tournament, first_day: int, last_day: int, *, name: str = "", actor: Actor = RECORD_WORKER
) -> Season:
    """Announce a ladder's next season; its first and last day are counted from 1970-01-01.  Raises SeasonRefused."""
    tournaments.lock_tournaments(session, Tournament.id == ladder.id)
    name = normal_name(name)
    if len(name) > NAME_CHARS:
        raise SeasonRefused(f"a season's name must have at most {NAME_CHARS} characters, not {len(name)}")
    if first_day <= ladder_days.today():
        soonest = day_text(ladder_days.today() + 1)
        raise SeasonRefused(f"a season must be announced at least a day ahead: it can begin on {soonest} or later")
    if last_day < first_day:
        raise SeasonRefused(f"it cannot end on {day_text(last_day)}, before it begins on {day_text(first_day)}")
    latest = seasons_of(session, ladder.id, 1)
    if latest and first_day <= latest[0].last_day:
        last = day_text(latest[0].last_day)
        raise SeasonRefused(f"season {latest[0].number} ends on {last}: the next one must begin after that day")
    season = Season(
        tournament_id=row_id(ladder.id),
        number=latest[0].number + 1 if latest else 1,
        name=name,
        first_day=first_day,
        last_day=last_day,
        announced_at=now_s(),
    )
    add_row(session, season)
    _log_season(session, ladder, season, "announced a season", actor)
    return season


def call_off_season(session: Session, ladder: Tournament, number: int, *, actor: Actor = RECORD_WORKER) -> None:
    """Call off a ladder's latest season.  Raises SeasonRefused: the season is not the latest, or it has begun."""
    tournaments.lock_tournaments(session, Tournament.id == ladder.id)
    latest = seasons_of(session, ladder.id, 1)
    if not latest or latest[0].number != number:
        raise SeasonRefused(f"season {number} is not the latest season of {ladder.name}")
    if latest[0].first_day <= ladder_days.today():
        raise SeasonRefused(f"season {number} has begun, and ends on {day_text(latest[0].last_day)} as announced")
    _log_season(session, ladder, latest[0], "called off a season", actor)
    session.delete(latest[0])
    session.flush()


def seasons_of(session: Session, ladder_id: int | None, limit: int | None = None) -> Sequence[Season]:
    """Return the seasons of a ladder, newest first."""
    query = select(Season).where(Season.tournament_id == ladder_id).order_by(col(Season.number).desc())
    return session.exec(query.limit(limit)).all()


def _log_season(session: Session, ladder: Tournament, season: Season, action: str, actor: Actor) -> None:
    subject = f"season {season.number} of {ladder.name}"
    first, last = day_text(season.first_day), day_text(season.last_day)
    log_action(session, actor, action, tournament_id=ladder.id, subject=subject, first_day=first, last_day=last)


# Starting and ending seasons, and storing their final standings.


def ladders_at_border(session: Session, day: int) -> set[int]:
    """Return the ids of the ladders with a season whose start or end is due by a day."""
    return set(session.exec(select(Season.tournament_id).where(_due(day))).all())


def advance_seasons(session: Session) -> list[Season]:
    """Start and end seasons that are due, and store final standings; return the seasons whose standings were stored.

    Call this in a transaction of its own, because it locks the versions: no bot may join a ladder in the meantime.
    """
    day = ladder_days.today()
    if session.exec(select(Season).where(_due(day) | _can_be_final()).limit(1)).first() is None:
        return []
    tournaments.lock_versions(session)
    ladders = set(session.exec(select(Season.tournament_id).where(col(Season.fixed_at).is_(None))).all())
    tournaments.lock_tournaments(session, col(Tournament.id).in_(ladders))
    query = select(Season).where(_due(day)).order_by(col(Season.tournament_id), col(Season.number))
    seasons = session.exec(query.execution_options(populate_existing=True)).all()
    for ladder_id, ladder_seasons in groupby(seasons, key=lambda season: season.tournament_id):
        _cross_border(session, session.get_one(Tournament, ladder_id, populate_existing=True), ladder_seasons, day)
    return [
        season
        for season in session.exec(select(Season).where(_can_be_final())).all()
        if _finalize_standings(session, season)
    ]


def _due(day: int) -> Any:
    begins = col(Season.period).is_(None) & (col(Season.first_day) <= day)
    return col(Season.ended_at).is_(None) & or_(begins, col(Season.last_day) < day)


def _cross_border(session: Session, ladder: Tournament, seasons: Iterable[Season], day: int) -> None:
    """End and start a ladder's due seasons; a season that was missed completely does not get entries."""
    has_crossed, new_season = False, None
    for season in seasons:
        if season.last_day < day:
            if season.period is not None:
                _create_places(session, ladder, season)
                has_crossed = True
            season.ended_at = now_s()
        else:
            has_crossed, new_season = True, season
        session.add(season)
    if has_crossed:
        ladder.period += 1
        if new_season is not None:
            new_season.period = ladder.period
        session.add(ladder)
        _renew_entries(session, ladder)


def _create_places(session: Session, ladder: Tournament, season: Season) -> None:
    query = (
        select(col(Entry.id), col(Bot.owner_id), col(Bot.team_id))
        .join(Version, col(Version.id) == Entry.version_id)
        .join(Bot, col(Bot.id) == Version.bot_id)
        .where(Entry.tournament_id == ladder.id, col(Entry.active).is_(True))
    )
    places = [
        {"entry_id": entry, "season_id": season.id, "owner_id": owner, "team_id": team}
        for entry, owner, team in session.exec(query).all()
    ]
    if places:
        session.connection().execute(insert(SeasonPlace), places)


def _renew_entries(session: Session, ladder: Tournament) -> None:
    """Replace each of a ladder's active entries with a new one, which keeps only the old entry's quarantine."""
    conditions = col(Entry.tournament_id) == ladder.id, col(Entry.active).is_(True)
    columns = select(col(Entry.id), col(Entry.version_id), col(Entry.quarantined))
    rows = session.exec(columns.where(*conditions).order_by(col(Entry.id))).all()
    session.exec(update(Entry).where(*conditions).values(active=False).execution_options(synchronize_session=False))
    session.expire_all()
    for entry, version, quarantined in rows:
        session.add(entries.new_entry(ladder, version, former_id=entry, quarantined=quarantined))
    session.flush()


def _can_be_final() -> Any:
    """Return the condition that a season is over, its days' secrets are public, and all its matches are rated.

    The secret of a day is published when the day's matches are over and audited.
    """
    is_season_day = (col(LadderDay.tournament_id) == Season.tournament_id) & col(LadderDay.day).between(
        col(Season.first_day), col(Season.last_day)
    )
    secret = select(LadderDay.id).where(is_season_day, col(LadderDay.revealed_at).is_(None)).correlate(Season).exists()
    unrated = (
        select(Match.id)
        .join(LadderDay, col(LadderDay.id) == Match.ladder_day_id)
        .join(Tournament, col(Tournament.id) == Match.tournament_id)
        .where(is_season_day, col(Match.rating_order) >= col(Tournament.cursor))
        .correlate(Season)
        .exists()
    )
    return col(Season.ended_at).is_not(None) & col(Season.fixed_at).is_(None) & ~secret & ~unrated


def _finalize_standings(session: Session, season: Season) -> bool:
    # Equal ratings share a rank. House bots and bots without a rated match are not ranked.
    if matches.has_doubted_results(session):
        return False
    query = select(SeasonPlace, Entry).join(Entry, col(Entry.id) == SeasonPlace.entry_id)
    rows = session.exec(query.where(SeasonPlace.season_id == season.id)).all()
    start = Rating()
    rank, previous = 0, None
    ordered = sorted(rows, key=lambda row: (-row[1].rating, row_id(row[1].id)))
    ladder = session.get_one(Tournament, season.tournament_id)
    placed = [row for row in ordered if row[1].sigma < start.sigma and not _is_unranked(ladder, row[0])]
    for number, (place, entry) in enumerate(placed, 1):
        rank, previous = rank if entry.rating == previous else number, entry.rating
        place.rank = rank
        for name in ("mu", "sigma", "rating", "games", "wins", "faults"):
            setattr(place, name, getattr(entry, name))
        session.add(place)
    for place, entry in rows:
        if entry.sigma >= start.sigma or _is_unranked(ladder, place):
            session.delete(place)
    season.fixed_at = now_s()
    add_row(session, season)
    _log_season(session, ladder, season, "fixed the standings of a season", RECORD_WORKER)
    log.info("season %d of %s is over, and its standings are final", season.number, ladder.name)
    return True


def _is_unranked(ladder: Tournament, place: SeasonPlace) -> bool:
    return not ladder.house_ranked and place.owner_id is None and place.team_id is None
