"""Making a version the one that plays, and retiring those that it replaces."""

from sqlmodel import Session, col, select

from gangland_web.league.entries import enter, withdraw
from gangland_web.league.setup import tournaments_of
from gangland_web.league.versions.steps import advance, retire
from gangland_web.models.bots import Bot, Version, VersionState
from gangland_web.models.columns import stored


def activate(session: Session, version: Version, message: str = "") -> None:
    """Make a version active and enter it in its game's ladders; the owner's former bot there retires."""
    bot = session.get_one(Bot, version.bot_id)
    for former in _playing(session, bot):
        retire_active(session, former, f"replaced by {bot.name} v{version.number}")
    advance(session, version, VersionState.ACTIVE, message)
    bot.active_version_id = version.id
    session.add(bot)
    session.flush()
    for ladder in tournaments_of(session, "ladder", bot.game):
        enter(session, ladder, stored(version.id))


def retire_active(session: Session, bot: Bot, reason: str) -> None:
    """Retire a bot's active version: it plays no match that has not begun."""
    version = session.get_one(Version, bot.active_version_id)
    retire(session, version, reason)
    withdraw(session, stored(version.id), reason)
    bot.active_version_id = None
    session.add(bot)
    session.flush()


def _playing(session: Session, bot: Bot) -> list[Bot]:
    """The bots whose place the bot takes: itself, and whatever else its owner has playing in the game."""
    chosen = select(Bot).where(Bot.game == bot.game, col(Bot.active_version_id).is_not(None))
    same = Bot.id == bot.id if bot.owner_group is None else Bot.owner_group == bot.owner_group
    return list(session.exec(chosen.where(same)).all())
