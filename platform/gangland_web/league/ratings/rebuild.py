"""Every rating computed again from the recorded matches, by the fold that the live site uses.

One transaction that holds what the record worker holds, in its order: the trials tournaments, then all others.
Results that come meanwhile wait until it is over.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlmodel import Session, col, func
from sqlmodel import select as select_model

from gangland_ladder.rating.folding import Folding
from gangland_ladder.rating.trueskill import Rating, shown
from gangland_web.league.ratings.pairs import fold_pairs
from gangland_web.league.ratings.settled import (
    BATCH,
    fold_batch,
    forget,
    read_settled,
    settled_end,
    write_cursor,
    write_entries,
)
from gangland_web.league.records.counting import count_again
from gangland_web.models.columns import stored
from gangland_web.models.locks import hold_tournaments, hold_versions
from gangland_web.models.matches import Match
from gangland_web.models.site import Import
from gangland_web.models.tournaments import RATED_KINDS, Entry, Tournament


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What computing a tournament's ratings again came to.

    Attributes:
        folded: matches that were taken in, void ones among them.
        waiting: matches that lie beyond the first one that is not settled.
        cursor_was: how far the matches were taken in before; `cursor` is how far they are now.
        seats_changed: seats of matches that had kept other ratings.
        entries_changed: entries that had another rating.
        largest: the largest change of an entry's mu, in points.
    """

    id: int
    name: str
    kind: str
    game: str
    seats: int
    folded: int
    waiting: int
    cursor_was: int
    cursor: int
    seats_changed: int
    entries_changed: int
    largest: float

    @property
    def differed(self) -> bool:
        """Whether anything that was kept was not what comes out."""
        return bool(self.seats_changed or self.entries_changed or self.cursor != self.cursor_was)


def rebuild(session: Session) -> Iterator[Rebuilt]:
    """Compute all ratings again, write what differs, and yield what each ladder and tournament came to."""
    hold_versions(session)
    hold_tournaments(session, which=True)
    chosen = select_model(Tournament).where(col(Tournament.kind).in_(RATED_KINDS)).order_by(col(Tournament.id))
    chosen = chosen.where(col(Tournament.id).not_in(select(col(Import.tournament_id))))  # proven when they came
    chosen = chosen.execution_options(populate_existing=True)
    for tournament in session.exec(chosen).all():
        yield _rebuild(session, tournament)


def _rebuild(session: Session, tournament: Tournament) -> Rebuilt:
    tournament_id, cursor_was = stored(tournament.id), tournament.cursor
    folding = Folding(tournament.game, tournament.seats, tournament.blocks)
    end = settled_end(session, tournament_id, 1)
    fold_all = fold_pairs if tournament.seats == 2 else _fold_tables
    seats_changed = fold_all(session, folding, tournament_id, end)
    seats_changed += forget(session, tournament_id, folding.cursor)
    moved = _write_entries(session, tournament_id, folding)
    if seats_changed and tournament.kind == "ladder":
        count_again(session, tournament_id)
    if folding.cursor != cursor_was:
        write_cursor(session, tournament_id, folding.cursor)
    return Rebuilt(
        id=tournament_id,
        name=tournament.name,
        kind=tournament.kind,
        game=tournament.game,
        seats=tournament.seats,
        folded=folding.cursor - 1,
        waiting=_beyond(session, tournament_id, folding.cursor),
        cursor_was=cursor_was,
        cursor=folding.cursor,
        seats_changed=seats_changed,
        entries_changed=len(moved),
        largest=max(moved, default=0.0),
    )


def _fold_tables(session: Session, folding: Folding, tournament_id: int, end: int) -> int:
    """Take in all matches before place `end`; return how many seats kept other ratings."""
    seats_changed = 0
    while (first := folding.cursor) < end:
        matches = list(read_settled(session, tournament_id, first, min(first + BATCH, end)))
        seats_changed += fold_batch(session, folding, matches)
        if folding.cursor == first:
            break
    return seats_changed


def _write_entries(session: Session, tournament_id: int, folding: Folding) -> list[float]:
    """Write the ratings of the entries that had others, and return how far the mu of each moves."""
    columns = select(col(Entry.id), col(Entry.mu), col(Entry.sigma), col(Entry.rating))
    kept: Any = session.connection().execute(columns.where(col(Entry.tournament_id) == tournament_id)).all()
    changed: list[tuple[int, Rating]] = []
    moved = []
    for entry, mu, sigma, figure in kept:
        rating = folding.rating(entry)
        if (mu, sigma, figure) != (rating.mu, rating.sigma, shown(rating.mu, rating.sigma)):
            changed.append((entry, rating))
            moved.append(abs(rating.mu - mu))
    write_entries(session, changed)
    return moved


def _beyond(session: Session, tournament_id: int, cursor: int) -> int:
    there = col(Match.tournament_id) == tournament_id, col(Match.rating_order) >= cursor
    count: int = session.connection().execute(select(func.count()).select_from(Match).where(*there)).scalar_one()
    return count
