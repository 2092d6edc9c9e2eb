"""The days of a ladder: what was promised when, which matches hang on it, and the secret once it is public."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from flask import Blueprint, abort, render_template, request
from sqlalchemy import select as select_columns
from sqlmodel import Session, col, func, select

from gangland_web.core.formats import GAME_TITLES
from gangland_web.core.text import shown, whole_number
from gangland_web.http.sessions import reading
from gangland_web.league.tournaments.epochs import DAY_S, today
from gangland_web.resources.ladders.queries import ladder_of
from gangland_web.site.ladders.views import SEATS
from gangland_web.store.lifecycles.matches import MatchState
from gangland_web.store.models.matches import Match
from gangland_web.store.models.tournaments import Epoch, Tournament

pages = Blueprint("days", __name__)

LISTED = 30


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


@pages.get("/ladders/<game>/days")
def days(game: str) -> str:
    """List the days of a ladder, the newest first."""
    seats, before = _asked(game)
    with reading() as db:
        ladder = ladder_of(db, game, seats)
        if ladder is None:
            abort(404)
        found = days_of(db, ladder, LISTED + 1, before=before)
    return render_template(
        "days.html",
        game=game,
        seats=seats,
        sizes=SEATS,
        days=found[:LISTED],
        more=found[LISTED - 1].number if len(found) > LISTED else None,
    )


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


def _asked(game: str) -> tuple[int, int | None]:
    if game not in GAME_TITLES:
        abort(404, f"There is no game of that name; there are {' and '.join(GAME_TITLES)}.")
    seats, before = request.args.get("seats", "2"), request.args.get("before")
    if seats not in [str(size) for size in SEATS]:
        abort(400, f"seats must be 2, 3 or 4, not {shown(seats, limit=20)!r}")
    number = whole_number(before)
    if before is not None and number is None:
        abort(400, f"before must be a day's number, not {shown(before, limit=20)!r}")
    return int(seats), number
