"""What an organiser enters for others: bots of those whose accounts they made, and the house's for free places."""

from __future__ import annotations

from sqlmodel import Session

from gangland_web.league.tournaments.running import EntryRefused, enter_bot, leave
from gangland_web.resources.organising.participants import enterable
from gangland_web.store.activity_log import Actor, note_act
from gangland_web.store.models.bots import Bot
from gangland_web.store.models.tournaments import Tournament


def enter_for(db: Session, actor: Actor, cup: Tournament, bot_id: int) -> Bot:
    """Enter a bot that is offered, without the join code, and return it.

    Raises:
        EntryRefused: it is not offered, or cannot be entered now.
    """
    bot = next((bot for bot, _ in enterable(db, cup, cup.organiser_id) if bot.id == bot_id), None)
    if bot is None:
        raise EntryRefused("choose a bot from the list")
    enter_bot(db, cup, bot, by_organiser=True)
    note_act(db, actor, "entered a bot", tournament_id=cup.id, subject=bot.name)
    return bot


def take_out_for(db: Session, actor: Actor, cup: Tournament, bot_id: int) -> Bot:
    """Take a bot out again while the tournament is open, and return it.

    Raises:
        EntryRefused: it is not in, or the tournament is not open.
    """
    bot = db.get(Bot, bot_id)
    if bot is None or not leave(db, cup, bot):
        raise EntryRefused("choose an entered bot")
    note_act(db, actor, "withdrew a bot", tournament_id=cup.id, subject=bot.name)
    return bot
