"""Deleting versions that never played, at their author's wish."""

from __future__ import annotations

from sqlmodel import Session, col, delete, func, select

from gangland_web.models.accounts import Follow
from gangland_web.models.bots import Bot, Code, Version, VersionState, VersionStep
from gangland_web.models.columns import stored
from gangland_web.models.locks import hold_versions
from gangland_web.models.log import Actor, note_act
from gangland_web.models.matches import Match, MatchSeat, MatchState, Purpose
from gangland_web.models.tournaments import Entrant, Entry, Tournament


class NotDeletable(ValueError):
    """A version has to stay; the message says why."""


def why_kept(session: Session, version: Version) -> str:
    """Return why a version cannot be deleted, in a sentence; empty if it can be."""
    reached = select(VersionStep.id).where(VersionStep.version_id == version.id)
    if session.exec(reached.where(VersionStep.state == VersionState.ACTIVE.value)).first() is not None:
        return "This version has played on the ladders, so it cannot be deleted."
    elsewhere = select(Entry.id).join(Tournament, col(Tournament.id) == Entry.tournament_id)
    if session.exec(elsewhere.where(Entry.version_id == version.id, Tournament.kind != "trials")).first() is not None:
        return "This version is entered in a ladder or a tournament, so it cannot be deleted."
    matches = session.exec(select(Match).where(Match.trial_version_id == version.id)).all()
    if any(match.state == MatchState.LEASED.value for match in matches):
        return "This version is being checked or is on trial. You can delete it afterwards."
    if any(match.state == MatchState.DONE.value and match.purpose != Purpose.CHECK.value for match in matches):
        return "This version has played a trial match, so it cannot be deleted."
    return ""


def delete_version(session: Session, version: Version, actor: Actor) -> None:
    """Delete a version that never played: its row, its steps, its check, and its bot if it was the only version.

    The act is noted in the log.

    Raises:
        NotDeletable: it played, is being tried now, or was deleted by somebody else a moment ago.
    """
    hold_versions(session)
    if session.get(Version, version.id, populate_existing=True) is None:
        raise NotDeletable("This version has been deleted already.")
    if why := why_kept(session, version):
        raise NotDeletable(why)
    bot = session.get_one(Bot, version.bot_id)
    subject = f"{bot.name} v{version.number}"
    note_act(session, actor, "deleted a version", subject=subject, game=bot.game, sha256=version.code_sha256)
    _delete_matches(session, version)
    digest = version.code_sha256
    session.exec(delete(VersionStep).where(col(VersionStep.version_id) == version.id))
    session.delete(version)
    session.flush()
    if session.exec(select(Version.id).where(Version.code_sha256 == digest)).first() is None:
        session.exec(delete(Code).where(col(Code.sha256) == digest))
    _delete_bot_without_versions(session, bot)


def _delete_matches(session: Session, version: Version) -> None:
    """Delete its check and its trials, none of which was played, and its entries for them."""
    matches = select(Match.id).where(Match.trial_version_id == version.id)
    session.exec(delete(MatchSeat).where(col(MatchSeat.match_id).in_(matches)))
    session.exec(delete(Match).where(col(Match.trial_version_id) == version.id))
    session.exec(delete(Entry).where(col(Entry.version_id) == version.id))


def _delete_bot_without_versions(session: Session, bot: Bot) -> None:
    bot_id = stored(bot.id)
    left = session.exec(select(func.count()).select_from(Version).where(Version.bot_id == bot_id)).one()
    entered = session.exec(select(Entrant.bot_id).where(Entrant.bot_id == bot_id)).first()
    if left == 0 and entered is None:
        session.exec(delete(Follow).where(col(Follow.bot_id) == bot_id))
        session.delete(bot)
        session.flush()
