"""Quarantine: who sat in a match that could not be played plays one solo trial before going on.

A bot that brings workers down would do so at every table.  A platform that fails lets matches of
everybody end so, and must not empty the ladders: a bot is retired only for a fault of its own, or for
a solo trial that could not be played either while something else could.  House bots are never retired.
"""

import logging
from typing import Any

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, select, update

from gangland_web.league.entries import enter, withdraw
from gangland_web.league.held import QUARANTINED, is_public
from gangland_web.league.matches.ending import IN_QUARANTINE, WITHDRAWN, void_waiting
from gangland_web.league.matches.plan import plan_tables
from gangland_web.league.setup import tournaments_of
from gangland_web.league.versions.activate import retire_active
from gangland_web.models.accounts import Membership
from gangland_web.models.bots import Bot, Version, VersionState
from gangland_web.models.columns import stored
from gangland_web.models.matches import ATTEMPTS, PENDING, Match, MatchSeat, MatchState, Purpose
from gangland_web.models.tournaments import Entry, Tournament

log = logging.getLogger("gangland_web.quarantine")

PLAYING = (VersionState.ACTIVE.value, VersionState.RETIRED.value)
"""What a version in quarantine may be: a retired one plays on in a tournament that pinned it."""


def quarantine(session: Session, match: Match) -> None:
    """Take the entries of a match that could not be played out of scheduling, for a solo trial.

    What they were to play besides is void, challenges too; in a tournament it waits.  Of a challenge
    only the challenger's own bots are suspected: nobody may send others to a trial by playing them.
    """
    if match.attempt < ATTEMPTS or match.void_reason in (WITHDRAWN, IN_QUARANTINE):
        return
    seated = _suspects(session, match)
    session.exec(update(Entry).where(col(Entry.id).in_(seated)).values(quarantined=True))
    held: ColumnElement[bool] = col(MatchSeat.entry_id).in_(seated)
    if is_public(session.get_one(Tournament, match.tournament_id)):
        held |= col(MatchSeat.entry_id).in_(_challenging(seated))
    theirs = select(MatchSeat.match_id).where(held)
    void_waiting(session, IN_QUARANTINE, col(Match.id).in_(theirs), col(Match.purpose) != Purpose.TOURNAMENT.value)
    log.warning("match %s could not be played: entries %s are in quarantine", match.id, seated)


def _suspects(session: Session, match: Match) -> list[int]:
    """Return the entries at the match, and those of the same versions that a season has put in their place."""
    seated = _seated_suspects(session, match)
    versions = select(Entry.version_id).where(col(Entry.id).in_(seated))
    same = select(Entry.id).where(Entry.tournament_id == match.tournament_id, col(Entry.version_id).in_(versions))
    return [stored(entry) for entry in session.exec(same.order_by(col(Entry.id))).all()]


def _seated_suspects(session: Session, match: Match) -> list[int]:
    chosen = select(MatchSeat.entry_id).where(MatchSeat.match_id == match.id)
    if match.challenger_id is not None:
        chosen = chosen.join(Entry, col(Entry.id) == MatchSeat.entry_id)
        chosen = chosen.join(Version, col(Version.id) == Entry.version_id).join(Bot, col(Bot.id) == Version.bot_id)
        chosen = chosen.where(_of_challenger(match.challenger_id))
    return list(session.exec(chosen).all())


def _of_challenger(person_id: int) -> Any:
    """The condition that a bot is the challenger's, or a team's that they have been in: they may have left since."""
    teams = select(Membership.team_id).where(Membership.user_id == person_id)
    return (col(Bot.owner_id) == person_id) | col(Bot.team_id).in_(teams)


def _challenging(seated: list[int]) -> Any:
    """The entries in challenges of the same versions."""
    versions = select(Entry.version_id).where(col(Entry.id).in_(seated))
    of_challenges = select(Tournament.id).where(Tournament.kind == "challenges")
    chosen = select(Entry.id).where(col(Entry.version_id).in_(versions))
    return chosen.where(col(Entry.tournament_id).in_(of_challenges))


def is_held(session: Session, version: Version) -> bool:
    """Tell whether a version plays, here or in a tournament that pinned it, but for its quarantine."""
    if version.state == VersionState.ACTIVE.value:
        return True
    return version.state == VersionState.RETIRED.value and session.exec(_held(stored(version.id))).first() is not None


def _held(version_id: Any) -> Any:
    """Its entries in quarantine that play on once it is lifted."""
    chosen = select(Entry.id).where(col(Entry.quarantined).is_(True), col(Entry.active).is_(True))
    return chosen.where(col(Entry.version_id) == version_id)


def plan_solo_trials(session: Session) -> int:
    """Plan a solo trial for every version in quarantine that has none; return how many."""
    waits = select(Match.id).where(Match.trial_version_id == Version.id, col(Match.state).in_(PENDING)).exists()
    held = select(Entry.version_id).where(QUARANTINED, col(Entry.active).is_(True))
    chosen = select(Version).where(col(Version.state).in_(PLAYING), col(Version.id).in_(held), ~waits)
    versions = session.exec(chosen.order_by(col(Version.id))).all()
    return sum(_plan_solo(session, version) for version in versions)


def solo_played(session: Session, version: Version, fault: str | None) -> None:
    """Take in a solo trial: passed, it ends the quarantine; a fault ends the version, unless it is ours."""
    if fault is None:
        _lift(session, version)
    else:
        _condemn(session, version, f"its matches could not be played, and alone it failed: {fault}")


def solo_ended_void(session: Session, match: Match, version: Version) -> None:
    """Take in a solo trial that could not be played either; it is planned again if nothing else was played."""
    if match.attempt < ATTEMPTS or match.void_reason == WITHDRAWN:
        return
    if _others_played(session, match, version):
        _condemn(session, version, f"its matches could not be played, alone neither: {match.void_reason}")


def _plan_solo(session: Session, version: Version) -> int:
    bot = session.get_one(Bot, version.bot_id)
    opponent = _opponent(session, bot, turn=stored(version.id))
    if opponent is None:
        _lift(session, version)
        return 0
    tournament = tournaments_of(session, "trials", bot.game)[0]
    entries = [stored(enter(session, tournament, each).id) for each in (stored(version.id), opponent)]
    plan_tables(session, tournament, [entries], purpose=Purpose.TRIAL, trial_version_id=version.id)
    return 1


def _opponent(session: Session, bot: Bot, *, turn: int) -> int | None:
    """A house version to play against, one out of quarantine if there is one."""
    held = select(Entry.id).where(Entry.version_id == Bot.active_version_id, col(Entry.quarantined).is_(True)).exists()
    chosen = select(Bot.active_version_id, held).where(
        Bot.game == bot.game, col(Bot.is_house).is_(True), col(Bot.active_version_id).is_not(None), Bot.id != bot.id
    )
    house = session.exec(chosen.order_by(col(Bot.id))).all()
    free = [version for version, is_held in house if not is_held] or [version for version, _ in house]
    return free[turn % len(free)] if free else None


def _others_played(session: Session, match: Match, version: Version) -> bool:
    """Whether any match without the version was sent and played since its solo trial was planned."""
    theirs = select(MatchSeat.match_id).join(Entry, col(Entry.id) == MatchSeat.entry_id)
    theirs = theirs.where(MatchSeat.match_id == Match.id, Entry.version_id == version.id)
    sent = (
        col(Match.purpose).in_([purpose for purpose in Purpose if purpose is not Purpose.AUDIT]),
        col(Match.leased_at) > match.created_at,
    )  # off the index ix_matches_sent
    others = select(Match.id).where(Match.state == MatchState.DONE.value, *sent, ~theirs.exists())
    return session.exec(others.limit(1)).first() is not None


def _condemn(session: Session, version: Version, reason: str) -> None:
    bot = session.get_one(Bot, version.bot_id)
    if bot.is_house:
        log.error("house bot %s stays on the ladders, though %s", bot.name, reason)
        _lift(session, version)
        return
    if bot.active_version_id == version.id:
        retire_active(session, bot, reason)
    withdraw(session, stored(version.id), reason, everywhere=True)
    _lift(session, version)


def _lift(session: Session, version: Version) -> None:
    session.exec(update(Entry).where(col(Entry.version_id) == version.id).values(quarantined=False))
