"""The live fold: what every recorded match does to the ratings, in their order, whatever finished first.

Each call costs a handful of queries and the matches that it takes in, however many others wait behind a gap.
It holds the tournament's row, so no two transactions fold one tournament at once.
"""

from typing import Any, Final

from sqlalchemy import bindparam, delete, select
from sqlalchemy.orm.attributes import set_committed_value
from sqlmodel import Session, col, func

from gangland_ladder.rating.folding import Folding
from gangland_ladder.rating.trueskill import Rating
from gangland_web.league.ratings.settled import (
    BATCH,
    fold_batch,
    forget,
    know,
    read_settled,
    settled_end,
    write_cursor,
    write_entries,
)
from gangland_web.league.records.counting import count_again
from gangland_web.models.columns import stored
from gangland_web.models.matches import Match, MatchSeat
from gangland_web.models.tournaments import RATED_KINDS, Entry, StoredStandings, Tournament


def fold(session: Session, tournament: Tournament) -> int:
    """Take in every match before which all others are done or void; return how far the cursor went.

    Trials and challenges are not rated, so there is nothing to take in.
    """
    if tournament.kind not in RATED_KINDS:
        return 0
    session.flush()
    tournament_id = stored(tournament.id)
    cursor = _hold(session, tournament_id)
    folding = _fold_from(session, tournament, cursor)
    _refresh(session, tournament, folding.cursor)
    return folding.cursor - cursor


def fold_again(session: Session, tournament: Tournament, place: int | None) -> int:
    """Go back to a match that was taken in and is void now, or other than it was, and fold again from there.

    What the matches from there on had done is taken back first, and standings that are kept are dropped.  A match
    beyond the cursor changes nothing that was folded, so then this is `fold`.

    Args:
        place: of the match in the rating order; None if it was never sent.

    Returns:
        The cursor: lower than before if the match, or a later one, is now to be played again.
    """
    session.flush()
    tournament_id = stored(tournament.id)
    cursor = _hold(session, tournament_id)
    session.connection().execute(delete(StoredStandings).where(col(StoredStandings.tournament_id) == tournament_id))
    if place is not None and place < cursor:
        write_entries(session, _before(session, tournament_id, place))
        cursor = place
        write_cursor(session, tournament_id, cursor)
    if tournament.kind == "ladder":
        count_again(session, tournament_id)
    folding = _fold_from(session, tournament, cursor)
    forget(session, tournament_id, folding.cursor)
    _refresh(session, tournament, folding.cursor)
    return folding.cursor


def _hold(session: Session, tournament_id: int) -> int:
    """Keep other writers off the tournament until the transaction ends, and return its cursor as it is then."""
    cursor: int = session.connection().execute(_CURSOR, {"its_id": tournament_id}).scalar_one()
    return cursor


_CURSOR: Final = (
    select(col(Tournament.cursor)).where(col(Tournament.id) == bindparam("its_id")).with_for_update(key_share=True)
)


def _fold_from(session: Session, tournament: Tournament, cursor: int) -> Folding:
    tournament_id = stored(tournament.id)
    folding = Folding(tournament.game, tournament.seats, tournament.blocks, cursor=cursor)
    end = settled_end(session, tournament_id, cursor)
    while folding.cursor < end:
        first = folding.cursor
        matches = list(read_settled(session, tournament_id, first, min(first + BATCH, end)))
        know(session, folding, matches)
        fold_batch(session, folding, matches)
        if folding.cursor == first:
            break
    if folding.cursor > cursor:
        write_entries(session, ((int(entry), rating) for entry, rating in folding.ratings().items()))
        write_cursor(session, tournament_id, folding.cursor)
    return folding


def _before(session: Session, tournament_id: int, place: int) -> list[tuple[int, Rating]]:
    """Return the ratings that entries had before a match, of all whom it or a later one moved."""
    moved = (
        select(col(MatchSeat.entry_id), func.min(Match.rating_order).label("place"))
        .join(Match, col(Match.id) == MatchSeat.match_id)
        .where(
            col(Match.tournament_id) == tournament_id,
            col(Match.rating_order) >= place,
            col(MatchSeat.mu_before).is_not(None),
        )
        .group_by(col(MatchSeat.entry_id))
        .subquery()
    )
    chosen = (
        select(col(MatchSeat.entry_id), col(MatchSeat.mu_before), col(MatchSeat.sigma_before))
        .join(Match, col(Match.id) == MatchSeat.match_id)
        .join(moved, (moved.c.entry_id == MatchSeat.entry_id) & (moved.c.place == Match.rating_order))
        .where(col(Match.tournament_id) == tournament_id)
    )
    rows: Any = session.connection().execute(chosen)
    return [(entry, Rating(mu, sigma)) for entry, mu, sigma in rows]


def _refresh(session: Session, tournament: Tournament, cursor: int) -> None:
    """Let objects that the session has loaded show what was written beside them."""
    set_committed_value(tournament, "cursor", cursor)
    for loaded in list(session.identity_map.values()):
        if isinstance(loaded, Entry | MatchSeat):
            session.expire(loaded)
