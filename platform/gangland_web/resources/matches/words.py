"""What the page of a match says in words: how luck and result go together, why ratings moved, what to type."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from gangland.games import game_named
from gangland_ladder.rating.trueskill import shown
from gangland_web.base.formats import number, signed
from gangland_web.models.matches import Purpose
from gangland_web.resources.matches.queries import MatchPage, SeatRow

_LITTLE = 0.05
"""Luck, in dice or wins a game, and places, below which nothing is made of it."""


@dataclass(frozen=True, slots=True)
class Commands:
    """Lines for a terminal; None where there is none that works."""

    watch: str | None
    reproduce: str | None


class Moved(NamedTuple):
    """What a match did to a bot's rating, and why."""

    before: float
    after: float
    why: str


def luck_summary(page: MatchPage) -> str:
    """Return one or two sentences on luck against result; nothing before it is known."""
    seats = [seat for seat in page.seats if seat.mean_place is not None and seat.seat.luck is not None]
    if len(seats) < 2:
        return ""
    unit = game_named(page.tournament.game).luck_unit
    lucky = max(seats, key=lambda seat: (seat.seat.luck or 0.0, -seat.position))
    best = min(seats, key=lambda seat: (seat.mean_place or 0.0, seat.position))
    fair = min(seats, key=lambda seat: (seat.seat.adjusted or 0.0, seat.position))
    hapless = min(seats, key=lambda seat: (seat.seat.luck or 0.0, seat.position))
    high, low = lucky.seat.luck or 0.0, hapless.seat.luck or 0.0
    first = "All came out even." if _tied(seats) else f"{best.label} came first."
    if high - low < _LITTLE:
        return f"{first} The dice favoured no bot."
    text = f"{first} The best dice went to {lucky.label} ({signed(high)} {unit} a game), "
    text += f"the worst to {hapless.label} ({signed(low)})"
    if _tied(seats):
        return f"{text}."
    still = f"{best.label} is still first" if fair.position == best.position else f"{fair.label} would be first"
    return f"{text}; with luck taken off, {still}."


def _tied(seats: list[SeatRow]) -> bool:
    places = {seat.mean_place for seat in seats}
    return len(places) == 1


def rating_moves(page: MatchPage) -> dict[int, Moved]:
    """Return for each rated seat, by position, how its rating moved, and why."""
    rated = [seat for seat in page.seats if seat.seat.mu_before is not None and seat.seat.mu_after is not None]
    if len(rated) < len(page.seats):
        return {}
    return {seat.position: _moved(seat, rated) for seat in rated}


def _moved(seat: SeatRow, rated: list[SeatRow]) -> Moved:
    its = seat.seat
    before = shown(its.mu_before or 0.0, its.sigma_before or 0.0)
    return Moved(before, shown(its.mu_after or 0.0, its.sigma_after or 0.0), _why(seat, rated))


def _why(seat: SeatRow, rated: list[SeatRow]) -> str:
    others = [each for each in rated if each.position != seat.position]
    text = _against_one(seat, others[0]) if len(others) == 1 else _against_many(seat, others)
    its = seat.seat
    mu = (its.mu_after or 0.0) - (its.mu_before or 0.0)
    sigma = (its.sigma_after or 0.0) - (its.sigma_before or 0.0)
    parts = [f"{text}: its estimate {_went(mu)}"]
    if abs(sigma) >= _SHOWN:
        parts.append(f"Its uncertainty {_went(sigma)}, which counts three times: {signed(-3 * sigma)}")
    if mu * (mu - 3 * sigma) < 0 and abs(mu) >= _SHOWN:
        parts.append(f"That weighs more, so the rating {'fell' if mu > 0 else 'rose'}")
    return f"{'. '.join(parts)}."


def _went(change: float) -> str:
    if abs(change) < _SHOWN:
        return "hardly moved"
    return f"{'rose' if change > 0 else 'fell'} by {number(abs(change))}"


def _against_one(seat: SeatRow, other: SeatRow) -> str:
    place, theirs = seat.mean_place or 0.0, other.mean_place or 0.0
    mu, their_mu = seat.seat.mu_before or 0.0, other.seat.mu_before or 0.0
    came = "Ahead of" if place < theirs else "Behind" if place > theirs else "Level with"
    rated = "higher" if their_mu > mu else "lower" if their_mu < mu else "the same"
    return f"{came} {other.label}, which was rated {rated} before"


def _against_many(seat: SeatRow, others: list[SeatRow]) -> str:
    place = seat.mean_place or 0.0
    better = sum((each.mean_place or 0.0) > place for each in others)
    level = sum(each.mean_place == seat.mean_place for each in others)
    stronger = sum((each.seat.mu_before or 0.0) > (seat.seat.mu_before or 0.0) for each in others)
    whom = "all" if better == len(others) else f"{better or 'none'} of the"
    text = f"Ahead of {whom} {len(others)} others" + (f", level with {level}" if level else "")
    return f"{text}; {stronger or 'none'} of them {'was' if stronger < 2 else 'were'} rated higher before"


_SHOWN = 0.005
"""A smaller change is shown as 0."""


def commands_of(page: MatchPage, block: int | None = None, rotation: int | None = None) -> Commands:
    """Return what to type to watch a game, or a match's games, and to play the match again with one's own bot."""
    match = page.match
    if block is None:
        watch = f"gangland replay gangland-match-{match.id}.ndjson --game 1"
    else:
        watch = f"gangland replay gangland-match-{match.id}-block-{block}-rotation-{rotation}.json"
    reproduce = None
    if match.purpose == Purpose.TOURNAMENT:
        archive = f"gangland-tournament-{page.tournament.id}.tar"
        reproduce = f"gangland reproduce {match.number} my_bot.py --archive {archive}"
    return Commands(watch, reproduce)
