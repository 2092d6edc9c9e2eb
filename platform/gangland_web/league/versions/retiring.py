"""Taking a bot out of play at its owner's or an administrator's wish, and putting it back."""

from sqlmodel import Session, col, select, update

from gangland_ladder.tournaments.lifecycle import State
from gangland_web.league.entries import enter
from gangland_web.league.setup import tournaments_of
from gangland_web.league.versions.activate import retire_active
from gangland_web.league.versions.steps import reinstate, retire
from gangland_web.league.versions.trials import drop_trials
from gangland_web.models.bots import OPEN, Bot, Version, VersionState
from gangland_web.models.locks import hold_versions
from gangland_web.models.moderation import Measure, Moderation
from gangland_web.models.owners import in_play
from gangland_web.models.tournaments import Entrant, Entry, Tournament

BY_OWNER = "its owner retired the bot"


def retire_bot(session: Session, bot: Bot) -> bool:
    """Take a bot out at its owner's word, as `take_out` does; False if it was not in play."""
    hold_versions(session)
    session.refresh(bot)
    return take_out(session, bot, BY_OWNER)


def take_out(session: Session, bot: Bot, reason: str) -> bool:
    """Take a bot out of ladders and open tournaments, and its versions off their trials; False if it was not in play.

    What a frozen tournament has pinned plays on there.  The caller holds the versions.
    """
    entered = select(Entrant).join(Tournament).where(Entrant.bot_id == bot.id, Tournament.state == State.OPEN.value)
    for entrant in session.exec(entered).all():
        session.delete(entrant)
    trying = col(Version.state).in_([state.value for state in OPEN])
    waiting = session.exec(select(Version).where(Version.bot_id == bot.id, trying)).all()
    for version in waiting:
        retire(session, version, reason)
        drop_trials(session, version, reason)
    if bot.active_version_id is None:
        return bool(waiting)
    retire_active(session, bot, reason)
    return True


def put_back(session: Session, version_id: int) -> bool:
    """Make a version active that was taken out, with the ratings that it had; False if its owner has another in play.

    The caller holds the versions.
    """
    version = session.get_one(Version, version_id)
    bot = session.get_one(Bot, version.bot_id)
    group = bot.owner_group
    if version.state != VersionState.RETIRED or group is None or in_play(session, group, bot.game):
        return False
    if is_held(session, bot) is not None:
        return False
    reinstate(session, version)
    bot.active_version_id = version.id
    session.add(bot)
    session.flush()
    for ladder in tournaments_of(session, "ladder", bot.game):
        enter(session, ladder, version_id)
    present = select(Tournament.id).where(Tournament.kind != "tournament", Tournament.period == Entry.period)
    theirs = (col(Entry.version_id) == version_id) & col(Entry.tournament_id).in_(present.correlate(Entry))
    session.exec(update(Entry).where(theirs).values(active=True))
    return True


def is_held(session: Session, bot: Bot) -> str | None:
    """Return why no version of a bot may play, by an administrator's word; None if one may."""
    whose = (col(Moderation.bot_id) == bot.id) | (col(Moderation.user_id) == bot.owner_id)
    held = col(Moderation.kind).in_([Measure.HIDE.value, Measure.SUSPEND.value])
    chosen = select(Moderation.reason).where(whose, held, col(Moderation.undone_at).is_(None))
    return session.exec(chosen.order_by(col(Moderation.id).desc())).first()
