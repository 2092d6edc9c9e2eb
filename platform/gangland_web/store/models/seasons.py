"""Tables of the seasons of ladders and of the standings that they ended with."""

from sqlalchemy import CheckConstraint, Index, UniqueConstraint
from sqlmodel import Field

from gangland_web.store.columns import Table

_FIGURES = ("mu", "sigma", "rating", "games", "wins", "faults")


class Season(Table, table=True):
    """A season of a ladder: the days (UTC) from `first_day` to `last_day`, both counted from 1970-01-01.

    Its entries are those of its `period` of the ladder, which it has from its first day on; never, if nothing was
    planned on any of its days.  At its end (`ended_at`) it is settled who is in the standings; they are fixed
    (`fixed_at`) when all its matches are over and rated and the secrets of all its days are public.
    """

    __tablename__ = "seasons"
    __table_args__ = (
        UniqueConstraint("tournament_id", "number"),
        UniqueConstraint("tournament_id", "period"),
        CheckConstraint("number >= 1", name="number_from_one"),
        CheckConstraint("first_day <= last_day", name="days"),
        CheckConstraint("period >= 1", name="period"),
        CheckConstraint("fixed_at IS NULL OR ended_at IS NOT NULL", name="fixed_at"),
    )

    id: int | None = Field(default=None, primary_key=True)
    tournament_id: int = Field(foreign_key="tournaments.id")
    number: int
    name: str = Field(default="", max_length=60)
    first_day: int
    last_day: int
    announced_at: float
    period: int | None = Field(default=None)
    ended_at: float | None = Field(default=None)
    fixed_at: float | None = Field(default=None)


class SeasonPlace(Table, table=True):
    """An entry's place in a season's standings, written when they are fixed and never again.

    Owner or team are those of the season's end, by number: what they are called is what they are called now.
    """

    __tablename__ = "season_places"
    __table_args__ = (
        CheckConstraint(" AND ".join(f"(rank IS NULL) = ({name} IS NULL)" for name in _FIGURES), name="fixed"),
        CheckConstraint("rank >= 1", name="rank"),
        Index("ix_season_places_season_id", "season_id", "rank"),
    )

    entry_id: int = Field(primary_key=True, foreign_key="entries.id")
    season_id: int = Field(foreign_key="seasons.id")
    owner_id: int | None = Field(default=None, foreign_key="users.id")
    team_id: int | None = Field(default=None, foreign_key="teams.id")
    rank: int | None = Field(default=None)
    mu: float | None = Field(default=None)
    sigma: float | None = Field(default=None)
    rating: float | None = Field(default=None)
    games: int | None = Field(default=None)
    wins: int | None = Field(default=None)
    faults: int | None = Field(default=None)
