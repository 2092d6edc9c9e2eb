"""A ladder, and a page of it, as its files and the API have them."""

from __future__ import annotations

from typing import Final

from flask import url_for
from sqlmodel import Session

from gangland_web.base.formats import GAME_TITLES
from gangland_web.models.owners import HOUSE
from gangland_web.resources.fields import BASE, Count, Game, Model, Path, model_from
from gangland_web.resources.ladders.queries import (
    PROVISIONAL_MATCHES,
    SEATS,
    LadderPage,
    LadderState,
    ladder_state,
)
from gangland_web.resources.tables import Column, Kind, TableData

_KINDS: Final = {
    **dict.fromkeys(("bot", "owner"), Kind.TEXT),
    **dict.fromkeys(("settled", "provisional"), Kind.FLAG),
    **dict.fromkeys(("mu", "sigma", "rating", "points_moved", "former_rating"), Kind.NUMBER),
    "last_match_at": Kind.MOMENT,
}
BOARD: Final = tuple(
    Column(key, key, _KINDS.get(key, Kind.WHOLE))
    for key in (
        *("rank", "entry", "bot_id", "bot", "version", "owner", "mu", "sigma", "rating", "games", "wins", "faults"),
        *("settled", "tied_first", "tied_last", "provisional", "last_match", "last_match_at"),
        *("places_moved", "points_moved"),
        *("former_rank", "former_rating"),
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
    return model_from(
        LadderSummary,
        state,
        game=game,
        seats=seats,
        url=f"{BASE}/ladders/{game}/{seats}",
        page=url_for("leaderboard.ladder", game=game, seats=seats),
        matches_planned=state.scheduled,
        matches_over=state.over,
        matches_waiting=max(0, state.waiting),
    )


def board_table(state: LadderState | None, page: LadderPage, seats: int, beyond: str | None) -> TableData:
    """Return a page of a ladder as its files and the API have it; `beyond` is the address of the next one."""
    enough = settled_games(state, seats)
    rows = [{**row._asdict(), "owner": row.owner or HOUSE, "provisional": row.games < enough} for row in page.rows]
    return TableData("leaderboard", "", BOARD, rows, paged=True, next=beyond)


def settled_games(state: LadderState | None, seats: int) -> int:
    """Return how many games make a rating no longer provisional."""
    return 0 if state is None else state.blocks * PROVISIONAL_MATCHES * seats
