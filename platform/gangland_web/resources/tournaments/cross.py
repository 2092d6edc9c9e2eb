"""Who met whom in a tournament, and by when its matches were over: read off indexes, in one statement each."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Float, Integer, bindparam, case, cast, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, func

from gangland_web.models.columns import stored
from gangland_web.models.matches import OVER, Match, MatchSeat, MatchState, Purpose
from gangland_web.models.tournaments import Tournament
from gangland_web.resources.confidence import Lead, lead, share_of

CROSS = 30
"""A cross table of more entries than this is too wide to be read; the list of matches serves."""
CROSS_MATCHES = 4_000
"""Of more matches none is made: it would have to read them all."""
STEPS = 120
"""So many steps a chart of progress has at most."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What an entry's matches against another came to.

    Attributes:
        match_id: the only one, None if there were several.
        matches: that are done; with none of them, `lead` is None and all were void.
    """

    match_id: int | None
    matches: int
    lead: Lead | None

    @property
    def share(self) -> float | None:
        """How far ahead the entry was: at two seats the share of games won, a tie as half; None if all was void."""
        return None if self.lead is None else self.lead.share


def crossed(tournament: Tournament, parts: int) -> bool:
    """Tell whether a tournament of so many entries has a cross table."""
    return parts <= CROSS and tournament.matches_planned <= CROSS_MATCHES


def cross_table(db: Session, tournament: Tournament) -> dict[int, dict[int, Cell]]:
    """Return what is over of all who met: by entry and opponent."""
    rows: Any = db.connection().execute(_PAIRS, {"tournament": stored(tournament.id)})
    cells: dict[int, dict[int, Cell]] = defaultdict(dict)
    for entry, other, done, over, match, place, theirs in rows:
        found = None
        if done:
            share = share_of(place / done, theirs / done, tournament.seats)
            found = lead(share, done * tournament.blocks)
        cells[entry][other] = Cell(match if over == 1 else None, done, found)
    return cells


def progress_of(db: Session, tournament: Tournament) -> list[tuple[float, int]]:
    """Return how many matches were over by when, at `STEPS` moments or fewer, in their order."""
    given = {"tournament": stored(tournament.id)}
    first, last = db.connection().execute(_SPAN, given).one()
    if first is None or first == last:
        return []
    given |= {"first": first, "step": (last - first) / STEPS}
    found, count = [(first, 0)], 0
    for _, many, at in db.connection().execute(_STEPPED, given):
        count += many
        found.append((at, count))
    return found


_me, _them = aliased(MatchSeat), aliased(MatchSeat)
_of: Any = bindparam("tournament", type_=Integer)
_done: Any = case((col(Match.state) == MatchState.DONE.value, 1), else_=0)


def _place(seat: Any) -> Any:
    place = cast(col(seat.mean_place_num), Float) / col(seat.mean_place_den)
    return func.sum(case((col(Match.state) == MatchState.DONE.value, place), else_=0.0))


_PAIRS: Any = (
    select(
        col(_me.entry_id),
        col(_them.entry_id),
        func.sum(_done),
        func.count(),
        func.max(col(Match.id)),
        _place(_me),
        _place(_them),
    )
    .select_from(Match)
    .join(_me, col(_me.match_id) == col(Match.id))
    .join(_them, (col(_them.match_id) == col(_me.match_id)) & (col(_them.position) != col(_me.position)))
    .where(col(Match.tournament_id) == _of, col(Match.state).in_(OVER), col(Match.is_final).is_(False))
    .group_by(col(_me.entry_id), col(_them.entry_id))
)
_OVER = (
    col(Match.tournament_id) == _of,
    col(Match.purpose) == Purpose.TOURNAMENT.value,
    col(Match.done_at).is_not(None),
)
_SPAN: Any = select(func.min(col(Match.done_at)), func.max(col(Match.done_at))).where(*_OVER)
_step: Any = cast((col(Match.done_at) - bindparam("first", type_=Float)) / bindparam("step", type_=Float), Integer)
_stepped = select(_step.label("step"), col(Match.done_at).label("at")).where(*_OVER).subquery()
_STEPPED: Any = (
    select(_stepped.c.step, func.count(), func.max(_stepped.c.at)).group_by(_stepped.c.step).order_by(_stepped.c.step)
)
