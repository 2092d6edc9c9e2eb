"""A page of a ladder as its files and the API have it."""

from __future__ import annotations

from typing import Any, Final

from sqlmodel import Session

from gangland_web.core.text import shown
from gangland_web.resources.exports.rows import moment
from gangland_web.resources.ladders.moves import Move, moves_of
from gangland_web.resources.ladders.queries import PROVISIONAL_MATCHES, LadderPage, LadderRow, LadderState
from gangland_web.resources.tables import Column, Kind

HOUSE = "house"
"""The owner of house bots in files."""
_KINDS: Final = {
    **dict.fromkeys(("bot", "owner", "last_active"), Kind.TEXT),
    **dict.fromkeys(("settled", "provisional"), Kind.FLAG),
    **dict.fromkeys(("mu", "sigma", "rating", "points_moved"), Kind.NUMBER),
}
BOARD: Final = tuple(
    Column(key, key, _KINDS.get(key, Kind.WHOLE))
    for key in (
        *("rank", "bot_id", "bot", "version", "owner", "mu", "sigma", "rating", "games", "wins", "faults"),
        *("settled", "provisional", "last_match", "last_active", "places_moved", "points_moved"),
    )
)
"""The columns of a ladder's page in its files."""


def told_rows(db: Session, state: LadderState | None, page: LadderPage, seats: int) -> list[dict[str, Any]]:
    """Return a page of a ladder as its files have it, by the columns of `BOARD`."""
    moves = page_moves(db, page)
    return [_plain(row, moves.get(row.entry), settled_games(state, seats)) for row in page.rows]


def page_moves(db: Session, page: LadderPage) -> dict[int, Move]:
    """Return the last rated match of each entry of a page, by entry."""
    return moves_of(db, [row.entry for row in page.rows]) if page.rows else {}


def settled_games(state: LadderState | None, seats: int) -> int:
    """Return how many games make a rating no longer provisional."""
    return 0 if state is None else state.blocks * PROVISIONAL_MATCHES * seats


def _plain(row: LadderRow, move: Move | None, provisional_games: int) -> dict[str, Any]:
    return {
        "rank": row.rank,
        "bot_id": row.bot_id,
        "bot": shown(row.bot),
        "version": row.version,
        "owner": HOUSE if row.owner is None else shown(row.owner),
        "mu": row.mu,
        "sigma": row.sigma,
        "rating": row.rating,
        "games": row.games,
        "wins": row.wins,
        "faults": row.faults,
        "settled": row.settled,
        "provisional": row.games < provisional_games,
        "last_match": move.match if move else None,
        "last_active": moment(move.at) if move else None,
        "places_moved": move.places if move else None,
        "points_moved": move.points if move else None,
    }
