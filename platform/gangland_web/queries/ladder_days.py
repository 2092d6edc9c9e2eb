"""Days of ladders: commitments, the matches that depend on them, and secrets once they are public."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import select as select_columns
from sqlmodel import Session, col, func, select

from gangland_web.base.formats import DAY_S, timestamp, written_day
from gangland_web.models.matches import Match, MatchState
from gangland_web.models.tournaments import Epoch, Tournament
from gangland_web.queries.tables import BASE, Column, Count, Day, Hex64, Model, Moment, Number, Path, table_of
from gangland_web.services.ladder_days import today


class LadderDay(Model):
    """A day (UTC) of a ladder: what was promised when, its matches by number, and the secret once it is public.

    `late`: the commitment came after the day began already; `over`: the day is.
    """

    day: Day
    commitment: Hex64
    committed_at: Moment
    late: bool
    over: bool
    revealed_at: Moment | None
    secret: Hex64 | None
    first_number: Number | None
    last_number: Number | None
    matches: Count
    results: Path
    archive: Path | None


DAY_LINES: Final = table_of(
    *("day-lines", LadderDay, "", ""),
    *(Column("", "Day", cell="day", css="nowrap"), Column("", "Commitment", cell="day_commitment", css="hash")),
    *(Column("", "Published", cell="day_published"), Column("", "Matches", cell="day_matches", css="nowrap")),
    Column("", "Secret", cell="day_secret", css="hash"),
    attributes=' id="day-{{ row.day }}"',
)


class Days(Model):
    """Days of a ladder, the newest first."""

    rows: list[LadderDay]
    next: Path | None


def days_of(
    db: Session, ladder: Tournament, limit: int | None = None, *, before: int | None = None, since: int | None = None
) -> list[LadderDay]:
    """Return the latest days of a ladder, newest first, each with its span of match numbers, read off an index.

    Args:
        before: days before this one, counted from 1970-01-01; `since`: this one and later ones.
    """
    spans = [
        select(each(Match.number)).where(Match.epoch_id == Epoch.id, Match.state == state.value).scalar_subquery()
        for each in (func.min, func.max)
        for state in MatchState
    ]
    query = select_columns(Epoch, *spans).where(col(Epoch.tournament_id) == ladder.id)
    if before is not None:
        query = query.where(col(Epoch.day) < before)
    if since is not None:
        query = query.where(col(Epoch.day) >= since)
    rows: Any = db.execute(query.order_by(col(Epoch.day).desc()).limit(limit)).all()
    return [_day(ladder, epoch, [number for number in numbers if number is not None]) for epoch, *numbers in rows]


def _day(ladder: Tournament, epoch: Epoch, numbers: list[int]) -> LadderDay:
    """Return a day; its matches have all numbers from the first to the last, since one plan made them."""
    day, public = written_day(epoch.day), epoch.revealed_at is not None
    where = f"{BASE}/ladders/{ladder.game}/{ladder.seats}/days/{day}"
    first, last = min(numbers, default=None), max(numbers, default=None)
    return LadderDay(
        day=day,
        commitment=epoch.commitment,
        committed_at=timestamp(epoch.committed_at),
        late=epoch.committed_at > epoch.day * DAY_S,
        over=epoch.day < today(),
        revealed_at=timestamp(epoch.revealed_at),
        secret=epoch.secret.hex() if public else None,
        first_number=first,
        last_number=last,
        matches=0 if first is None or last is None else last - first + 1,
        results=f"{where}/results.ndjson",
        archive=f"{where}/archive.tar" if public and numbers else None,
    )
