"""The days of a ladder: what was promised when, which matches hang on it, and the secret once it is public."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import select as select_columns
from sqlmodel import Session, col, func, select

from gangland_web.league.tournaments.epochs import DAY_S, today
from gangland_web.store.lifecycles.matches import MatchState
from gangland_web.store.models.matches import Match
from gangland_web.store.models.tournaments import Epoch, Tournament


@dataclass(frozen=True, slots=True)
class Day:
    """One day of a ladder; `first` and `last` are numbers of its matches, None if it has none.

    `late`: the commitment came after the day began already.
    """

    number: int
    name: str
    commitment: str
    committed_at: float
    late: bool
    secret: str | None
    over: bool
    first: int | None
    last: int | None


def days_of(db: Session, ladder: Tournament, limit: int, *, before: int | None = None) -> list[Day]:
    """Return the latest days of a ladder, each with its span of match numbers, read off an index."""
    spans = [
        select(each(Match.number)).where(Match.epoch_id == Epoch.id, Match.state == state.value).scalar_subquery()
        for each in (func.min, func.max)
        for state in MatchState
    ]
    chosen = select_columns(Epoch, *spans).where(col(Epoch.tournament_id) == ladder.id)
    if before is not None:
        chosen = chosen.where(col(Epoch.day) < before)
    rows: Any = db.execute(chosen.order_by(col(Epoch.day).desc()).limit(limit)).all()
    return [_day(epoch, numbers) for epoch, *numbers in rows]


def _day(epoch: Epoch, numbers: list[int | None]) -> Day:
    known = [number for number in numbers if number is not None]
    return Day(
        number=epoch.day,
        name=datetime.fromtimestamp(epoch.day * DAY_S, UTC).strftime("%Y-%m-%d"),
        commitment=epoch.commitment,
        committed_at=epoch.committed_at,
        late=epoch.committed_at > epoch.day * DAY_S,
        secret=epoch.secret.hex() if epoch.revealed_at is not None else None,
        over=epoch.day < today(),
        first=min(known, default=None),
        last=max(known, default=None),
    )
