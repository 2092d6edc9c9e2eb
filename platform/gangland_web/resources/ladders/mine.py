"""Where a visitor's own bots stand on a ladder."""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import Integer, bindparam, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, func

from gangland_web.models.bots import Bot, Version
from gangland_web.models.owners import Party
from gangland_web.models.tournaments import Entry
from gangland_web.resources.ladders.paging import Key, Window


class Mine(NamedTuple):
    """A visitor's bot on a ladder, its rank, and the window that begins with it."""

    bot_id: int
    bot: str
    rank: int
    window: Window


def mine_on(db: Session, ladder_id: int, game: str, party: Party) -> list[Mine]:
    """Return where the bots stand on a ladder that a person may act for."""
    chosen = _MINE.where(party.theirs())
    found: Any = db.connection().execute(chosen, {"ladder": ladder_id, "game": game})
    return [
        Mine(bot_id, bot, better + 1, Window(Key(rating, entry + 1))) for bot_id, bot, entry, rating, better in found
    ]


_other = aliased(Entry)
ABOVE: Any = (
    select(func.count())
    .select_from(_other)
    .where(col(_other.tournament_id) == col(Entry.tournament_id), col(_other.active).is_(True))
    .where(col(_other.rating) > col(Entry.rating))
    .correlate(Entry)
    .scalar_subquery()
)
"""How many stand above an entry on its ladder."""
_MINE: Any = (
    select(
        *(col(column) for column in (Bot.id, Bot.name, Entry.id, Entry.rating)),
        ABOVE,
    )
    .select_from(Bot)
    .join(Version, col(Version.id) == Bot.active_version_id)
    .join(Entry, col(Entry.version_id) == Version.id)
    .where(col(Bot.game) == bindparam("game"))
    .where(col(Entry.tournament_id) == bindparam("ladder", type_=Integer), col(Entry.active).is_(True))
    .order_by(col(Entry.rating).desc())
)
