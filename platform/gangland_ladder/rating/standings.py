"""The table of a local ladder: scores added up exactly, ratings folded in match order."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from gangland_ladder.matches.judging import EntryScore
from gangland_ladder.rating.trueskill import Rating, rate


@dataclass(slots=True)
class BotTotals:
    """One bot's line so far; sums are exact, so their order cannot matter."""

    bot: str
    games: int = 0
    wins: int = 0
    win_shares: Fraction = Fraction(0)
    places: Fraction = Fraction(0)
    rating: Rating = field(default_factory=Rating)
    faults: dict[str, int] = field(default_factory=dict)

    @property
    def mean_place(self) -> Fraction | None:
        """The mean place over all games; lower is better, None without a game."""
        return self.places / self.games if self.games else None

    @property
    def win_share(self) -> Fraction | None:
        """Games won, shared wins by parts, over all games; None without a game."""
        return self.win_shares / self.games if self.games else None


class Standings:
    """The rows of a ladder of one game, by entry."""

    def __init__(self, game: str, names: Sequence[str]) -> None:
        self.game = game
        self.rows = [BotTotals(name) for name in names]

    def add(self, scores: Sequence[EntryScore]) -> None:
        """Count one match.  Matches have to be added in canonical order, for the ratings' sake."""
        for score in scores:
            row = self.rows[score.entry]
            row.games += score.games
            row.wins += score.wins
            row.win_shares += score.win_share * score.games
            row.places += score.mean_place * score.games
            for kind, count in score.faults.items():
                row.faults[kind] = row.faults.get(kind, 0) + count
        ratings = [self.rows[score.entry].rating for score in scores]
        places, blocks = [score.mean_place for score in scores], scores[0].games // len(scores)
        for score, rating in zip(scores, rate(self.game, ratings, places, blocks=blocks), strict=True):
            self.rows[score.entry].rating = rating

    def ranked(self) -> list[tuple[int | None, BotTotals]]:
        """Return (rank, row) by mean place; equal places share a rank and are listed by name.

        Bots without a game come last and have no rank.
        """
        rows = sorted(self.rows, key=lambda row: (not row.games, row.mean_place or 0, row.bot))
        places = [row.mean_place for row in rows]
        return [(1 + places.index(row.mean_place) if row.games else None, row) for row in rows]
