"""Taking a bot out of play at its owner's wish."""

from sqlmodel import Session, col, select

from gangland_ladder.tournaments.lifecycle import State
from gangland_web.league.versions.activate import retire_active
from gangland_web.league.versions.steps import retire
from gangland_web.league.versions.trials import drop_trials
from gangland_web.store.lifecycles.versions import OPEN
from gangland_web.store.locks import hold_versions
from gangland_web.store.models.bots import Bot, Version
from gangland_web.store.models.tournaments import Entrant, Tournament

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
