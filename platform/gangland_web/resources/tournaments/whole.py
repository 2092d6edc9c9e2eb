"""All that a tournament's page shows to whoever looks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sqlmodel import Session

from gangland_ladder.tournaments.deadlines import DueMove, next_deadline
from gangland_ladder.tournaments.lifecycle import State, versions_are_pinned
from gangland_web.base.clock import now_s
from gangland_web.models.matches import Match
from gangland_web.models.tournaments import Tournament
from gangland_web.resources.tournaments.board import Board, board, shown_standings
from gangland_web.resources.tournaments.cross import Cell, cross_table, crossed, progress_of
from gangland_web.resources.tournaments.models import LeftOut, left_out
from gangland_web.resources.tournaments.premiere import Premiere, premiere_of
from gangland_web.resources.tournaments.queries import Amendment, Part, amendments_of, parts_of
from gangland_web.resources.tournaments.so_far import SoFar, so_far
from gangland_web.resources.visibility import CurrentUser, results_come_at_once, results_visible
from gangland_web.services.matches import final_match
from gangland_web.services.tournaments import deadlines_of


@dataclass(frozen=True, slots=True)
class Whole:
    """All that a tournament's page shows; results only where whoever looks may see them."""

    tournament: Tournament
    state: State
    next_move: DueMove | None
    shown: bool
    parts: tuple[Part, ...]
    board: Board | None = None
    standings: dict[str, Any] | None = None
    cross: dict[int, dict[int, Cell]] = field(default_factory=dict)
    progress: tuple[tuple[float, int], ...] = ()
    amendments: tuple[Amendment, ...] = ()
    so_far: tuple[SoFar, ...] = ()
    has_cross: bool = False
    final: Match | None = None
    """The match of the final table, as far as whoever looks may know of it."""
    premiere: Premiere | None = None
    left_out: tuple[LeftOut, ...] = ()

    @property
    def is_settled(self) -> bool:
        """Whether all that is left to change is what an organiser changes."""
        return self.state is State.CANCELLED or (self.board is not None and self.state is State.REVEALED)

    @property
    def pinned(self) -> bool:
        """Whether the parts are frozen entries."""
        return versions_are_pinned(self.state) or bool(self.tournament.roster_digest)


def whole_of(db: Session, found: Tournament, who: CurrentUser | None) -> Whole:
    """Return all that a tournament's page shows to whoever looks."""
    state, parts = State(found.state), parts_of(db, found)
    shown, at_once, goes_on = (
        results_visible(found, who),
        results_come_at_once(found, who),
        state is not State.CANCELLED,
    )
    standings = shown_standings(db, found, who)
    ranked = board(standings, parts) if standings else None
    if ranked is not None:  # who is ahead stands first in the cross table too, who is disqualified last
        ahead = [*(row.part for row in ranked.rows), *(part for part, _ in ranked.outside)]
        parts = [*ahead, *(part for part in parts if part not in ahead)]
    return Whole(
        tournament=found,
        state=state,
        next_move=next_deadline(state, deadlines_of(found)),
        shown=shown,
        parts=tuple(parts),
        board=ranked,
        standings=standings,
        cross=cross_table(db, found) if shown and crossed(found, len(parts)) else {},
        amendments=tuple(amendments_of(db, found)) if shown and found.announced_at is not None else (),
        progress=tuple(progress_of(db, found)) if shown and found.matches_over else (),
        so_far=so_far(db, found, parts, shown=shown) if ranked is None and at_once and goes_on else (),
        final=final_match(db, found) if shown else None,
        premiere=premiere_of(db, found, now_s()),
        left_out=tuple(left_out(db, found)),
        has_cross=at_once and (goes_on or bool(found.matches_over)) and crossed(found, len(parts)),
    )
