"""Folding ratings over matches in match number: never in the order in which they happened to finish."""

from collections.abc import Sequence
from fractions import Fraction

from sqlmodel import Session, col, select

from gangland_ladder.ratings import Rating, rate
from gangland_web.matches.lifecycle import MatchState
from gangland_web.matches.models import Match, MatchSeat
from gangland_web.tournaments.models import Entry, Tournament

BATCH = 200


def fold(session: Session, tournament: Tournament) -> int:
    """Take in every match whose lower numbers are all done or void; return how far the cursor went."""
    began = tournament.cursor
    while _fold_batch(session, tournament) == BATCH:
        continue
    session.add(tournament)
    session.flush()
    return tournament.cursor - began


def _fold_batch(session: Session, tournament: Tournament) -> int:
    chosen = select(Match).where(Match.tournament_id == tournament.id, col(Match.number) >= tournament.cursor)
    folded = 0
    for match in session.exec(chosen.order_by(col(Match.number)).limit(BATCH)).all():
        ready = match.state in (MatchState.DONE.value, MatchState.VOID.value)
        if match.number != tournament.cursor or not ready:
            break
        if match.state == MatchState.DONE.value:
            _fold_match(session, tournament.game, match)
        tournament.cursor += 1
        folded += 1
    return folded


def _fold_match(session: Session, game: str, match: Match) -> None:
    chosen = (
        select(MatchSeat, Entry)
        .join(Entry, col(Entry.id) == MatchSeat.entry_id)
        .where(MatchSeat.match_id == match.id)
        .order_by(col(MatchSeat.entry_id))
    )
    pairs = session.exec(chosen).all()
    before = [Rating(entry.mu, entry.sigma) for _, entry in pairs]
    for (seat, entry), old, new in zip(pairs, before, _rated(game, before, pairs), strict=True):
        seat.mu_before, seat.sigma_before = old.mu, old.sigma
        seat.mu_after, seat.sigma_after = new.mu, new.sigma
        entry.mu, entry.sigma, entry.rating = new.mu, new.sigma, new.shown
        session.add_all((seat, entry))
    session.flush()


def _rated(game: str, before: list[Rating], pairs: Sequence[tuple[MatchSeat, Entry]]) -> list[Rating]:
    """The ratings after the match; unchanged where they lie too far apart for the method to say anything."""
    places = [Fraction(seat.mean_place_num or 0, seat.mean_place_den or 1) for seat, _ in pairs]
    try:
        return rate(game, before, places)
    except ValueError:
        return before
