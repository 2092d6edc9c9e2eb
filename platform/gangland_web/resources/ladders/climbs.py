"""Who climbed on a ladder since yesterday, among those who stand there now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Integer, bindparam, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, func

from gangland_ladder.rating.trueskill import SIGMA
from gangland_web.models.matches import Match, MatchSeat, MatchState
from gangland_web.models.tournaments import Entry, Epoch
from gangland_web.resources.ladders.order import order_of
from gangland_web.resources.ladders.queries import LadderRow, LadderState
from gangland_web.services.ladder_days import today


def climbs(db: Session, ladder: LadderState, rows: Sequence[LadderRow]) -> dict[int, int]:
    """Return by entry how many ranks it has risen since yesterday began (UTC), below 0 for a fall; moves alone.

    As with a bot's last change, its rating of then is put among the ratings of now.  Who was new then is left out.
    """
    first = db.connection().execute(_FIRST, {"ladder": ladder.id, "day": today() - 1}).scalar_one()
    if first is None or not rows:
        return {}
    given = {"first": first, "entries": [row.entry for row in rows]}
    then: Any = db.connection().execute(_THEN, given).all()
    ratings = {entry: mu - 3 * sigma for entry, mu, sigma in then if sigma != SIGMA}
    order = order_of(db, ladder.id, ladder.revision)
    moves = {row.entry: order.passed(ratings[row.entry], row.rating) for row in rows if row.entry in ratings}
    return {entry: places for entry, places in moves.items() if places}


_numbers = [
    select(func.min(col(Match.number)))
    .where(col(Match.epoch_id) == col(Epoch.id), col(Match.state) == state.value)
    .correlate(Epoch)
    .scalar_subquery()
    for state in MatchState
]
_FIRST: Any = (
    select(func.min(col(Match.id)))
    .select_from(Epoch)
    .join(Match, (col(Match.tournament_id) == col(Epoch.tournament_id)) & col(Match.number).in_(_numbers))
    .where(col(Epoch.tournament_id) == bindparam("ladder", type_=Integer), col(Epoch.day) >= bindparam("day"))
)
"""The first match of the days from one on: as its numbers, ids rise with time."""
_seat, _earliest = aliased(MatchSeat), aliased(MatchSeat)
_since = (
    select(col(_earliest.match_id))
    .where(col(_earliest.entry_id) == col(Entry.id), col(_earliest.match_id) >= bindparam("first", type_=Integer))
    .where(col(_earliest.mu_before).is_not(None))
    .order_by(col(_earliest.match_id))
    .limit(1)
    .correlate(Entry)
    .scalar_subquery()
)
_THEN: Any = (
    select(col(Entry.id), col(_seat.mu_before), col(_seat.sigma_before))
    .select_from(Entry)
    .join(_seat, (col(_seat.entry_id) == col(Entry.id)) & (col(_seat.match_id) == _since))
    .where(col(Entry.id).in_(bindparam("entries", expanding=True)))
)
"""What each entry was rated before the first of those matches: a look into an index for each."""
