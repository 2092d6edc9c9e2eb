"""A ladder, and a page of it, as its files and the API have them."""

from __future__ import annotations

from typing import Any, Final

from flask import url_for
from sqlmodel import Session

from gangland_web.core.formats import GAME_TITLES
from gangland_web.resources.fields import BASE, Count, Game, Model, Path
from gangland_web.resources.ladders.moves import Move, moves_of
from gangland_web.resources.ladders.queries import (
    PROVISIONAL_MATCHES,
    SEATS,
    LadderPage,
    LadderRow,
    LadderState,
    ladder_state,
)
from gangland_web.resources.tables import Column, Kind, Sheet
from gangland_web.store.owners import HOUSE

_KINDS: Final = {
    **dict.fromkeys(("bot", "owner"), Kind.TEXT),
    **dict.fromkeys(("settled", "provisional"), Kind.FLAG),
    **dict.fromkeys(("mu", "sigma", "rating", "points_moved"), Kind.NUMBER),
    "last_match_at": Kind.MOMENT,
}
BOARD: Final = tuple(
    Column(key, key, _KINDS.get(key, Kind.WHOLE))
    for key in (
        *("rank", "entry", "bot_id", "bot", "version", "owner", "mu", "sigma", "rating", "games", "wins", "faults"),
        *("settled", "provisional", "last_match", "last_match_at", "places_moved", "points_moved"),
    )
)
"""The columns of a ladder's page in its files."""


class LadderSummary(Model):
    """A ladder: a game at a table size, and how many of its matches are planned, over and not in the ratings yet."""

    game: Game
    seats: int
    url: Path
    page: Path
    blocks: Count
    matches_planned: Count
    matches_over: Count
    matches_waiting: Count


class Ladders(Model):
    """The ladders of the site."""

    ladders: list[LadderSummary]


def ladder_list(db: Session) -> Ladders:
    """Return all ladders there are, by game and seats."""
    sizes = [(game, seats, ladder_state(db, game, seats)) for game in GAME_TITLES for seats in SEATS]
    return Ladders(ladders=[_summary(game, seats, state) for game, seats, state in sizes if state is not None])


def _summary(game: str, seats: int, state: LadderState) -> LadderSummary:
    return LadderSummary(
        game=game,
        seats=seats,
        url=f"{BASE}/ladders/{game}/{seats}",
        page=url_for("leaderboard.ladder", game=game, seats=seats),
        blocks=state.blocks,
        matches_planned=state.scheduled,
        matches_over=state.over,
        matches_waiting=max(0, state.waiting),
    )


def board_sheet(db: Session, state: LadderState | None, page: LadderPage, seats: int, beyond: str | None) -> Sheet:
    """Return a page of a ladder as its files and the API have it; `beyond` is the address of the next one."""
    moves, enough = page_moves(db, page), settled_games(state, seats)
    rows = [_plain(row, moves.get(row.entry), enough) for row in page.rows]
    return Sheet("leaderboard", "", BOARD, rows, paged=True, next=beyond)


def page_moves(db: Session, page: LadderPage) -> dict[int, Move]:
    """Return the last rated match of each entry of a page, by entry."""
    return moves_of(db, [row.entry for row in page.rows]) if page.rows else {}


def settled_games(state: LadderState | None, seats: int) -> int:
    """Return how many games make a rating no longer provisional."""
    return 0 if state is None else state.blocks * PROVISIONAL_MATCHES * seats


def _plain(row: LadderRow, move: Move | None, provisional_games: int) -> dict[str, Any]:
    return {
        "rank": row.rank,
        "entry": row.entry,
        "bot_id": row.bot_id,
        "bot": row.bot,
        "version": row.version,
        "owner": row.owner or HOUSE,
        "mu": row.mu,
        "sigma": row.sigma,
        "rating": row.rating,
        "games": row.games,
        "wins": row.wins,
        "faults": row.faults,
        "settled": row.settled,
        "provisional": row.games < provisional_games,
        "last_match": move.match if move else None,
        "last_match_at": move.at if move else None,
        "places_moved": move.places if move else None,
        "points_moved": move.points if move else None,
    }
