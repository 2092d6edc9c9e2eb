"""How much a game is worth watching, in figures from what is recorded; nothing is played or sampled for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from gangland.game import ROUND_BEGAN
from gangland.games import game_named
from gangland.replay import Replay, expand
from gangland_ladder.analysis.account import Analysis
from gangland_web.resources.matches.lists import ListedMatch
from gangland_web.resources.matches.upsets import upset_of

MANY_LEADS: Final = 5
"""So many lead changes count in full; more add nothing."""
LONG: Final = 160
"""A game of more decisions takes long to show, and counts half."""
_NEAR: Final = 2.0
"""A margin of so many dice counts half as much as none."""


@dataclass(frozen=True, slots=True)
class Merit:
    """What speaks for showing a game, each figure from 0 to 1.

    Attributes:
        close: how close it was at the end, by the dice of the first two.
        leads: how often another seat came to lead alone.
        upset: whether a bot finished the match ahead of one that was rated clearly higher.
        strength: how strong the best two are among those of the games to choose from.
        drama: how far behind the winner once was, by the stored analysis; 0 where there is none.
        spoilt: whether a seat was at fault; long: whether it takes long.
    """

    close: float
    leads: float
    upset: float
    strength: float
    drama: float
    spoilt: bool
    long: bool

    @property
    def words(self) -> tuple[str, ...]:
        """Why the game was chosen, for those who have seen its end."""
        phrases = {
            "a close finish": self.close >= 1 / 2,
            "many changes of the lead": self.leads >= 3 / MANY_LEADS,
            "an outsider that beat a favourite in the match": self.upset > 0,
            "bots rated higher than in most other games to choose from": self.strength >= 3 / 4,
            "a comeback": self.drama >= 1 / 2,
        }
        return tuple(words for words, holds in phrases.items() if holds)

    @property
    def total(self) -> float:
        """What is compared: how it ended first, for that is what a screen withholds; then leads and strength."""
        good = 2 * self.close + 1.5 * self.leads + self.upset + 1.5 * self.strength + self.drama
        return good * (0.3 if self.spoilt else 1.0) * (0.5 if self.long else 1.0)


def strength(match: ListedMatch) -> float:
    """Return the lower of the ratings that a match's best two had before it; a bot without one counts as new."""
    return min((seat.mu or 0.0) - 3 * (seat.sigma or 0.0) for seat in match.bots[:2])


def match_merit(match: ListedMatch, shares: float) -> float:
    """Return how promising a match is before its games are read; `shares`: its strength among the others, 0 to 1."""
    gap = match.bots[1].mean_place - match.bots[0].mean_place
    return 2 / (1 + 2 * gap) + (1.0 if upset_of(match) else 0.0) + 1.5 * shares


def game_merit(replay: Replay, match: ListedMatch, shares: float, analysis: Analysis | None = None) -> Merit:
    """Return the merit of a game of a match.  Raises ReplayError."""
    game = game_named(replay.game)
    steps = list(expand(replay))
    held = [game.held(step.after) for step in steps if any(event[0] == ROUND_BEGAN for event in step.events)]
    held.append(game.held(steps[-1].after))
    ranked = sorted(held[-1], reverse=game.unit.more)
    return Merit(
        close=1 / (1 + abs(ranked[0] - ranked[1]) / _NEAR),
        leads=min(MANY_LEADS, _lead_changes(held, max if game.unit.more else min)) / MANY_LEADS,
        upset=1.0 if upset_of(match) else 0.0,
        strength=shares,
        drama=0.0 if analysis is None else _drama(analysis, replay.places),
        spoilt=bool(replay.faults),
        long=len(replay.decisions) > LONG,
    )


def _lead_changes(held: Sequence[tuple[int, ...]], best: Callable[[tuple[int, ...]], int]) -> int:
    """Return how often another seat was alone in the lead than the last that was."""
    alone = [counts.index(best(counts)) for counts in held if counts.count(best(counts)) == 1]
    return sum(before != after for before, after in pairwise(alone))


def _drama(analysis: Analysis, places: tuple[int, ...]) -> float:
    """Return how far the winner's value fell, from an even share on."""
    winner = places.index(1) if 1 in places else None
    if winner is None or not analysis.moments:
        return 0.0
    lowest = min(moment.values[winner] for moment in analysis.moments)
    return max(0.0, min(1.0, 1 - 2 * lowest))
