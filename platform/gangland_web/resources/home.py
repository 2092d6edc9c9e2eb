"""What the home page asks: few statements, each off an index, however much was played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import bindparam, literal_column, select
from sqlmodel import Session, col
from sqlmodel import select as select_model

from gangland_ladder.tournaments.lifecycle import State
from gangland_web.base.clock import now_s
from gangland_web.models.bots import Bot, Version
from gangland_web.models.columns import stored
from gangland_web.models.tournaments import Entry, StoredStandings, Tournament
from gangland_web.resources.ladders.climbs import climbs
from gangland_web.resources.ladders.queries import LadderRow, LadderState
from gangland_web.resources.matches.lists import ListedMatch, latest_matches
from gangland_web.resources.visibility import results_visible

LATEST = 40
"""Among so many of the latest ladder matches the upsets are chosen."""
_RUNNING = (State.PLAYING.value, State.PAUSED.value, State.FROZEN.value)
_COMING = (State.OPEN.value, State.ANNOUNCED.value)
_OVER = (State.FINISHED.value, State.REVEALED.value)
RESULT_SHOWN_S = 14 * 86_400.0
"""So long the latest event that is over is told of."""


@dataclass(frozen=True, slots=True)
class Result:
    """A tournament that is over; `winners` as (number, name) of the bots in the first place, none under an embargo."""

    event: Tournament
    is_shown: bool
    winners: tuple[tuple[int, str], ...]


class Climber(NamedTuple):
    """A bot that rose on a ladder since yesterday began, and by how many ranks."""

    game: str
    row: LadderRow
    places: int


def events(db: Session) -> tuple[Tournament | None, Tournament | None]:
    """Return the tournament that is on now, the newest of them, and the one that begins next."""
    found = db.exec(_EVENTS).all()
    running = [event for event in found if event.state in _RUNNING]
    coming = [event for event in found if event.state in _COMING]
    now = max(running, key=lambda event: (event.state == State.PLAYING, event.id), default=None)
    following = min(coming, key=lambda event: (event.starts_at or float("inf"), event.id), default=None)
    return now, following


def latest_results(db: Session) -> list[Result]:
    """Return what was over last, within two weeks: a tournament, with the others of its event that are over."""
    found = db.exec(_FINISHED.where(col(Tournament.finished_at) >= now_s() - RESULT_SHOWN_S)).all()
    last = max(found, key=lambda event: (event.finished_at or 0.0, event.id), default=None)
    if last is None:
        return []
    together = [event for event in found if event.event_id == last.event_id] if last.event_id is not None else [last]
    return [_result(db, event) for event in sorted(together, key=lambda event: stored(event.id))]


def _result(db: Session, event: Tournament) -> Result:
    shown = results_visible(event, None)
    kept = db.get(StoredStandings, event.id) if shown else None
    first = [row["entry"] for row in kept.body["rows"] if row["rank"] == 1] if kept is not None else []
    winners: Any = db.connection().execute(_BOTS, {"entries": first}).all() if first else ()
    return Result(event, shown, tuple((number, name) for number, name in winners))


def recent(db: Session) -> tuple[ListedMatch, ...]:
    """Return the latest finished ladder matches, latest first."""
    return tuple(match for match in latest_matches(db, LATEST) if len(match.bots) > 1)


def climbers(db: Session, game: str, state: LadderState, rows: Sequence[LadderRow]) -> list[Climber]:
    """Return who rose on a ladder since yesterday, of some of its rows, the widest climb first."""
    moved = climbs(db, state, rows)
    found = [Climber(game, row, moved[row.entry]) for row in rows if moved.get(row.entry, 0) > 0]
    return sorted(found, key=lambda each: (-each.places, each.row.rank))


_PUBLIC = select_model(Tournament).where(
    col(Tournament.kind) == literal_column("'tournament'"),
    col(Tournament.announced_at).is_not(None),
    col(Tournament.rehearsal_of).is_(None),
)
_EVENTS = _PUBLIC.where(col(Tournament.state).in_([literal_column(f"'{state}'") for state in (*_RUNNING, *_COMING)]))
_FINISHED = _PUBLIC.where(col(Tournament.state).in_([literal_column(f"'{state}'") for state in _OVER]))
_BOTS: Any = (
    select(col(Bot.id), col(Bot.name))
    .join(Version, col(Version.bot_id) == Bot.id)
    .join(Entry, col(Entry.version_id) == Version.id)
    .where(col(Entry.id).in_(bindparam("entries", expanding=True)))
    .order_by(col(Entry.id))
)
