"""Tables of a ladder's records: the best of each kind, and what is counted on from."""

from enum import StrEnum
from typing import Any

from sqlalchemy import UniqueConstraint
from sqlmodel import Field

from gangland_web.store.columns import Table, json_column, one_of


class RecordKind(StrEnum):
    """What there are records of."""

    REIGN = "reign"
    UPSET = "upset"
    STREAK = "streak"
    LONGEST = "longest"
    CLOSEST = "closest"
    LUCK = "luck"


class LadderRecords(Table, table=True):
    """How far a ladder's records are counted: all matches before the place `cursor` of its rating order.

    `leader_id` is the bot that was first when somebody last looked, and `leads_since` when that was seen first.
    """

    __tablename__ = "ladder_records"

    tournament_id: int = Field(primary_key=True, foreign_key="tournaments.id")
    cursor: int = Field(default=1)
    leader_id: int | None = Field(default=None, foreign_key="bots.id")
    leads_since: float | None = Field(default=None)


class Record(Table, table=True):
    """One of the best of a kind on a ladder, one a bot; the highest score is the record, of equal ones the earliest.

    `match_id`, `block` and `rotation` are what it is proven by, as far as it is about one; `at` is when it came.
    `about` has what else there is to say (`gangland_web.league.records.offers`).
    """

    __tablename__ = "records"
    __table_args__ = (UniqueConstraint("tournament_id", "kind", "bot_id"), one_of("kind", RecordKind, "kind"))

    id: int | None = Field(default=None, primary_key=True)
    tournament_id: int = Field(foreign_key="tournaments.id")
    kind: str = Field(max_length=16)
    bot_id: int = Field(foreign_key="bots.id", index=True)
    score: float
    at: float
    match_id: int | None = Field(default=None, foreign_key="matches.id")
    block: int | None = Field(default=None)
    rotation: int | None = Field(default=None)
    about: dict[str, Any] = Field(sa_column=json_column())


class Streak(Table, table=True):
    """How many blocks an entry of a ladder has won in a row of late, and the match with the first of them."""

    __tablename__ = "streaks"

    entry_id: int = Field(primary_key=True, foreign_key="entries.id")
    blocks: int
    first_match_id: int = Field(foreign_key="matches.id")
