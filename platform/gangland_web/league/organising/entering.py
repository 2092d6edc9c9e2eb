"""What an organiser enters for others: bots of those whose accounts they made, and the house's for free places."""

from __future__ import annotations

from typing import Any, Final

from sqlmodel import Session, col, or_, select

from gangland_web.league.tournaments.browser_only import from_files
from gangland_web.league.tournaments.running import EntryRefused, enter_bot, leave
from gangland_web.models.accounts import User
from gangland_web.models.bots import Bot
from gangland_web.models.columns import stored
from gangland_web.models.log import Actor, note_act
from gangland_web.models.owners import may_come, owner_shown
from gangland_web.models.tournaments import Entrant, Tournament

MOST: Final = 400
"""So many people and bots are listed at most."""


def enter_for(db: Session, actor: Actor, tournament: Tournament, bot_id: int) -> Bot:
    """Enter a bot that is offered, without the join code, and return it.

    Raises:
        EntryRefused: it is not offered, or cannot be entered now.
    """
    bot = next((bot for bot, _ in enterable(db, tournament, tournament.organiser_id) if bot.id == bot_id), None)
    if bot is None:
        raise EntryRefused("choose a bot from the list")
    enter_bot(db, tournament, bot, by_organiser=True)
    note_act(db, actor, "entered a bot", tournament_id=tournament.id, subject=bot.name)
    return bot


def take_out_for(db: Session, actor: Actor, tournament: Tournament, bot_id: int) -> Bot:
    """Take a bot out again while the tournament is open, and return it.

    Raises:
        EntryRefused: it is not in, or the tournament is not open.
    """
    bot = db.get(Bot, bot_id)
    if bot is None or not leave(db, tournament, bot):
        raise EntryRefused("choose an entered bot")
    note_act(db, actor, "withdrew a bot", tournament_id=tournament.id, subject=bot.name)
    return bot


def enterable(db: Session, tournament: Tournament, organiser_id: int | None) -> list[tuple[Bot, str]]:
    """Return the bots that an organiser may enter, with whose they are: the house's, and their own people's.

    Without those that `enter_bot` would refuse because they are from files.
    """
    entered = select(Entrant.bot_id).where(Entrant.tournament_id == tournament.id)
    own = select(User.id).where(User.made_by == organiser_id) if organiser_id is not None else select(User.id)
    theirs = col(Bot.owner_id).in_(own) & (col(Bot.active_version_id).is_not(None) | may_come())
    house = col(Bot.is_house).is_(True) & col(Bot.active_version_id).is_not(None)
    chosen = select(Bot, owner_shown()).where(Bot.game == tournament.game, col(Bot.id).not_in(entered))
    chosen = chosen.where(theirs if tournament.house_bots else or_(theirs, house))
    rows: Any = db.exec(chosen.order_by(col(Bot.is_house), Bot.name_key, col(Bot.id)).limit(MOST)).all()
    refused = from_files(db, [stored(bot.id) for bot, _ in rows]) if tournament.browser_only else []
    closed = {bot.id for bot, _ in refused}
    return [(bot, owner or "Gangland") for bot, owner in rows if bot.id not in closed]
