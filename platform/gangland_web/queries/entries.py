"""Entries of tournaments and ladders: the columns that name their bots, and their ratings."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import select
from sqlmodel import Session, col

from gangland_web.base.formats import Row, Value
from gangland_web.models.bots import Bot, Version
from gangland_web.models.owners import HOUSE, owner_shown
from gangland_web.models.tournaments import Entry
from gangland_web.queries.tables import Hex64, Model, Number

WHO: Final[tuple[Any, ...]] = (
    col(Entry.id).label("entry"),
    col(Bot.id).label("bot_id"),
    col(Bot.name).label("bot"),
    col(Version.number).label("version"),
    owner_shown().label("owner"),
)
"""Columns for queries on entries with their versions and bots."""


def who(row: Any) -> dict[str, Value]:
    """Return the shared columns of a row that was read by `WHO`; a house bot's owner is "house"."""
    return {**{name: row[name] for name in ("entry", "bot_id", "bot", "version")}, "owner": row["owner"] or HOUSE}


def read_entries(db: Session, tournament_id: int, *columns: Any) -> Any:
    """Return the entries of a tournament or a ladder by `WHO`, with further columns, the best rating first."""
    query = (
        select(*WHO, *columns)
        .select_from(Entry)
        .join(Version, col(Version.id) == Entry.version_id)
        .join(Bot, col(Bot.id) == Version.bot_id)
        .where(col(Entry.tournament_id) == tournament_id)
        .order_by(col(Entry.rating).desc(), col(Entry.id))
    )
    return db.connection().execute(query).mappings().all()


class EntryRating(Model):
    """An entry's rating; `rank` is among those that still play (`active`), and equal ratings share it."""

    rank: Number | None
    entry: Number
    bot_id: Number
    bot: str
    version: Number
    owner: str
    code_sha256: Hex64
    active: bool
    mu: float
    sigma: float
    rating: float
    games: int
    wins: int
    faults: int


_FIGURES: Final = ("active", "mu", "sigma", "rating", "games", "wins", "faults")


def read_ratings(db: Session, tournament_id: int) -> list[Row]:
    """Return a row for each entry, the best rating first."""
    columns = [col(Version.code_sha256), *(getattr(Entry, name) for name in _FIGURES)]
    rows: list[Row] = []
    rank, place, before = 0, 0, None
    for row in read_entries(db, tournament_id, *columns):
        if row["active"]:
            place += 1
            rank, before = (rank if row["rating"] == before else place), row["rating"]
        figures = {name: row[name] for name in ("code_sha256", *_FIGURES)}
        rows.append({"rank": rank if row["active"] else None, **who(row), **figures})
    return rows
