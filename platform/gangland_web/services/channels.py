"""Items of channels, which store a game and its start time, so that all screens show the same game.

A channel shows recorded games as if they were live.  Only the next item is written in advance, and only while a screen
shows the channel, so that no game is used up without a viewer.
"""

import logging
from collections.abc import Callable
from typing import Final, NamedTuple

from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, col, delete, select, update

from gangland_web.models.database import Database
from gangland_web.models.matches import PlayedGame
from gangland_web.models.tournaments import ChannelItem

log = logging.getLogger(__name__)

MAX_ITEMS: Final = 2_000  # per channel, two days of uninterrupted play; games shown earlier may count as new


class NextItem(NamedTuple):
    """A game to show, the reason, and whether the channel has already shown a game of its match (`is_repeat`)."""

    match_id: int
    block: int
    rotation: int
    seconds: float
    is_repeat: bool
    reason: str


def last_number(session: Session, channel: str) -> int:
    """Return the number of the last item of a channel, or 0."""
    query = select(ChannelItem.number).where(ChannelItem.channel == channel)
    return session.exec(query.order_by(col(ChannelItem.number).desc()).limit(1)).first() or 0


def premiere_key(tournament_id: int) -> str:
    """Return the channel key for the items of a tournament's premiere."""
    return f"premiere-{tournament_id}"


def add_premiere_game(session: Session, tournament_id: int, game: PlayedGame, starts_at: float, seconds: float) -> None:
    """Write the item for a game of a premiere; the result is shown after `seconds` and stays until the next step."""
    key = premiere_key(tournament_id)
    session.add(
        ChannelItem(
            channel=key,
            number=last_number(session, key) + 1,
            match_id=game.match_id,
            block=game.block,
            rotation=game.rotation,
            again=False,
            why="",
            starts_at=starts_at,
            ends_at=starts_at + seconds,
        )
    )


def is_playing(session: Session, tournament_id: int, at: float) -> bool:
    """Return whether screens are still playing a game of a premiere at time `at`."""
    query = select(ChannelItem.id).where(ChannelItem.channel == premiere_key(tournament_id))
    return session.exec(query.where(col(ChannelItem.ends_at) > at).limit(1)).first() is not None


def bring_forward(database: Database, item: ChannelItem, starts_at: float) -> bool:
    """Start an item earlier than planned; return False if another process was faster or the write failed."""
    times = {"starts_at": starts_at, "ends_at": starts_at + item.ends_at - item.starts_at}
    statement = update(ChannelItem).where(col(ChannelItem.id) == item.id, col(ChannelItem.starts_at) == item.starts_at)
    return _write(database, lambda session: session.exec(statement.values(times)).rowcount == 1)


def add_item(database: Database, channel: str, number: int, planned: NextItem, starts_at: float) -> bool:
    """Write an item with the next `number`, and delete old items; return False if the item was not written."""
    item = ChannelItem(
        channel=channel,
        number=number,
        match_id=planned.match_id,
        block=planned.block,
        rotation=planned.rotation,
        again=planned.is_repeat,
        why=planned.reason,
        starts_at=starts_at,
        ends_at=starts_at + planned.seconds,
    )

    def add(session: Session) -> bool:
        if last_number(session, channel) != number - 1:
            return False
        session.add(item)
        old = delete(ChannelItem).where(col(ChannelItem.channel) == channel)
        session.exec(old.where(col(ChannelItem.number) <= number - MAX_ITEMS))
        return True

    return _write(database, add)


def _write(database: Database, action: Callable[[Session], bool]) -> bool:
    try:
        with database.write() as session:
            return action(session)
    except DBAPIError as error:  # another process was faster, or the database is read-only; pages must work anyway
        log.warning("the item was not written: %s", str(error.orig).strip())
        return False
