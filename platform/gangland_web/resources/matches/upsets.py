"""Upsets: who finished ahead of whom, though rated clearly lower before the match."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gangland_web.resources.matches.lists import ListedMatch, ListedSeat

UPSETS = 4


@dataclass(frozen=True, slots=True)
class Upset:
    """Who finished ahead of whom in a match, though rated clearly lower before it."""

    match: ListedMatch
    winner: ListedSeat
    loser: ListedSeat
    gap: float


def upsets(matches: Iterable[ListedMatch], most: int = UPSETS) -> list[Upset]:
    """Return the upset of each match that had one (`upset_of`), the widest apart first."""
    found = [upset for match in matches if (upset := upset_of(match)) is not None]
    return sorted(found, key=lambda upset: (-upset.gap, -upset.match.id))[:most]


def upset_of(match: ListedMatch) -> Upset | None:
    """Return where somebody finished ahead of a bot whose rating, less its sigma, was above theirs, plus theirs.

    Of several the widest apart; None if there is none, or ratings are not known.
    """
    best: Upset | None = None
    for at, winner in enumerate(match.bots):
        for loser in match.bots[at + 1 :]:
            if winner.mean_place == loser.mean_place or None in (winner.mu, winner.sigma, loser.mu, loser.sigma):
                continue
            gap = (loser.mu or 0) - (winner.mu or 0)
            if gap > (loser.sigma or 0) + (winner.sigma or 0) and (best is None or gap > best.gap):
                best = Upset(match, winner, loser, gap)
    return best
