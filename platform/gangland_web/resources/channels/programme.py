"""What a channel shows now and what next, as its rows and the clock say it."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from gangland_ladder.tournaments.deadlines import NEVER
from gangland_ladder.viewer.reels import Reel, reel_of
from gangland_web.models.columns import stored
from gangland_web.models.matches import Match, MatchState, PlayedGame
from gangland_web.models.tournaments import ChannelItem
from gangland_web.resources.channels.channels import Channel
from gangland_web.resources.matches.queries import MatchPage
from gangland_web.resources.matches.visibility import visible_game
from gangland_web.resources.tournaments.premiere import premiered_game
from gangland_web.resources.visibility import NotVisible


@dataclass(frozen=True, slots=True)
class Programme:
    """A channel's items at a moment; None for what is not planned.

    There is something next and nothing now if what was on counts no more.
    """

    now: ChannelItem | None
    next: ChannelItem | None


def programme(db: Session, channel: Channel, at: float) -> Programme:
    """Return what a channel shows at a time and what comes then; items whose match counts no more are passed over."""
    chosen = _shown(channel).where(col(ChannelItem.ends_at) > at).order_by(col(ChannelItem.number).desc()).limit(4)
    items = sorted(db.exec(chosen).all(), key=lambda item: item.number)
    now = next((item for item in items if item.starts_at <= at), None)
    then = next((item for item in items if now is None or item.number > now.number), None)
    return Programme(now, then)


def following(db: Session, channel: Channel, item: ChannelItem) -> ChannelItem | None:
    """Return the item that a channel shows after one of its own, also if it is over; None if none is planned.

    Nothing follows a game of a premiere by itself.
    """
    if is_premiered(item):
        return None
    chosen = _shown(channel).where(col(ChannelItem.number) > item.number).order_by(col(ChannelItem.number)).limit(1)
    return db.exec(chosen).first()


def _shown(channel: Channel) -> SelectOfScalar[ChannelItem]:
    """Return the query of a channel's items whose match counts and whose results everybody may see."""
    allowed = [stored(tournament.id) for tournament in channel.shown]
    return (
        select(ChannelItem)
        .join(Match, col(Match.id) == col(ChannelItem.match_id))
        .where(ChannelItem.channel == channel.key)
        .where(Match.state == MatchState.DONE.value, col(Match.tournament_id).in_(allowed))
    )


def is_premiered(item: ChannelItem) -> bool:
    """Tell whether an item is a game that an organiser showed, not one that a channel chose."""
    return item.channel.startswith("premiere-")


def item_of(db: Session, item_id: int) -> ChannelItem:
    """Return an item.  Raises NotVisible."""
    found = db.get(ChannelItem, item_id)
    if found is None:
        raise NotVisible
    return found


def game_on(db: Session, item: ChannelItem) -> tuple[MatchPage, PlayedGame, Reel]:
    """Return the game of an item, as far as everybody may see it.

    Raises:
        NotVisible: nobody may, for the time being or any more.
        ReplayError: its rules are not known any more, or its replay is not kept.
    """
    if is_premiered(item):
        found = premiered_game(db, item.match_id, item.block, item.rotation, NEVER)  # also one that is still played
        if found is None:
            raise NotVisible
        page, played = found
    else:
        page, played = visible_game(db, item.match_id, item.block, item.rotation, None)
    return page, played, reel_of(played.replay, tuple(page.seats[position].bot for position in played.seating))
