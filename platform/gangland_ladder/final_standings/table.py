"""The standings of a finished tournament: one fit to all blocks, rank ranges, ties, the first k."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import exp, inf, log, sqrt
from statistics import NormalDist

import numpy as np

from gangland_ladder.final_standings.counts import BlockResult, Counts, counted
from gangland_ladder.final_standings.fit import Fit, fit
from gangland_ladder.final_standings.ranks import DIGITS, Ranks, ranks
from gangland_ladder.final_standings.settling import TopK, top

LEVEL = 0.95
SHOWN_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Share:
    """A share of games with its interval, each 0 to 1."""

    value: float
    low: float
    high: float

    def to_json(self) -> dict[str, float]:
        """Return the figures, rounded."""
        return {name: round(getattr(self, name), SHOWN_DIGITS) for name in ("value", "low", "high")}


@dataclass(frozen=True, slots=True)
class Row:
    """One entry's line.

    Attributes:
        rank: by strength; equal strengths share it, and entries without a block share the last.
        rank_low, rank_high: the ranks that it may have in truth, for all entries at once at the level.
        group_low, group_high: the ranks shared by its group: all whose ranges overlap, directly or in a chain.
        blocks: how many it played.
        won, tied, lost: against how many others of its tables it had the better mean place of a block.
        block_score: the mean over its blocks of the share of the table that it was ahead of, ties as half.
        against_all: the block score to be expected against every other entry once, whoever was met.
        strength, error: the logit of the fit and its standard error.
    """

    entry: int
    rank: int
    rank_low: int
    rank_high: int
    group_low: int
    group_high: int
    blocks: int
    won: int
    tied: int
    lost: int
    block_score: Fraction | None
    against_all: Share | None
    strength: float
    error: float

    @property
    def range(self) -> str:
        """The range of ranks in words: "3", or "2-4"."""
        return _from_to(self.rank_low, self.rank_high)

    @property
    def group(self) -> str:
        """The ranks of its group in words."""
        return _from_to(self.group_low, self.group_high)

    def to_json(self) -> dict[str, object]:
        """Return the line, rounded."""
        return {
            "entry": self.entry,
            "rank": self.rank,
            "range": self.range,
            "group": self.group,
            "blocks": self.blocks,
            "won": self.won,
            "tied": self.tied,
            "lost": self.lost,
            "block_score": None if self.block_score is None else round(float(self.block_score), SHOWN_DIGITS),
            "against_all": self.against_all and self.against_all.to_json(),
            "strength": round(self.strength, SHOWN_DIGITS),
            "error": round(self.error, SHOWN_DIGITS),
        }


@dataclass(frozen=True, slots=True)
class FinalStandings:
    """All that is known of the order of a tournament's entries.

    Attributes:
        level: at which all rank ranges hold at once, and each interval for itself.
    """

    level: float
    counts: Counts
    fitted: Fit
    ranks: Ranks

    @property
    def rows(self) -> tuple[Row, ...]:
        """The lines, best first; of equal strengths the lower entry is listed first, at the same rank."""
        shares = self._against_all()
        lines = [self._row(index, shares[index]) for index in range(len(self.counts.entries))]
        return tuple(sorted(lines, key=lambda row: (row.rank, row.entry)))

    def expected(self, entry: int, other: int) -> Share | None:
        """Return in what share of games one entry is expected to be ahead of another, with an interval for it alone.

        None if no chain of blocks joins them.

        Raises:
            ValueError: no such entry, or twice the same.
        """
        one, two = self._position(entry), self._position(other)
        if one == two:
            raise ValueError(f"two entries can be compared, not {entry!r} with itself")
        variance = float(self.fitted.variance[one, two])
        if variance == inf:
            return None
        return self._share(float(self.fitted.strength[one] - self.fitted.strength[two]), sqrt(variance))

    def told_apart(self, entry: int, other: int) -> bool:
        """Whether it is beyond doubt which of two is better, among all pairs at once.

        Raises:
            ValueError: no such entry.
        """
        one, two = self._position(entry), self._position(other)
        return bool(self.ranks.ahead[one, two] or self.ranks.ahead[two, one])

    def top(self, k: int) -> TopK:
        """Return what is known of who is among the first k.

        Raises:
            ValueError: more than there are entries, or none.
        """
        return top(k, self.counts.entries, self.fitted, self.ranks, self.level, self.counts.games)

    def to_json(self, first: Iterable[int] = (1, 3)) -> dict[str, object]:
        """Return the standings as in the schema gangland/standings/1.

        Args:
            first: of which first k it is said whether they are settled; more than there are entries are left out.
        """
        tops = [self.top(k) for k in first if k <= len(self.counts.entries)]
        return {
            "schema": "gangland/standings/1",
            "level": self.level,
            "blocks": sum(kind.blocks for kind in self.counts.kinds),
            "games": self.counts.games,
            "rows": [row.to_json() for row in self.rows],
            "top": [
                {
                    "k": each.k,
                    "settled": each.settled,
                    "inside": list(each.inside),
                    "open": list(each.open),
                    "games_needed": each.games_needed,
                }
                for each in tops
            ],
        }

    def _position(self, entry: int) -> int:
        if entry not in self.counts.entries:
            raise ValueError(f"there is no entry {entry!r} in these standings")
        return self.counts.entries.index(entry)

    def _row(self, index: int, against_all: Share | None) -> Row:
        tally = self.counts.tallies[index]
        return Row(
            self.counts.entries[index],
            self.ranks.rank[index],
            self.ranks.low[index],
            self.ranks.high[index],
            *self.ranks.group[index],
            tally.blocks,
            tally.won,
            tally.tied,
            tally.lost,
            tally.mean_score,
            against_all,
            round(float(self.fitted.strength[index]), DIGITS) + 0.0,
            sqrt(max(0.0, float(self.fitted.spread[index, index]))),
        )

    def _against_all(self) -> list[Share | None]:
        """Return each entry's expected share of blocks against the others of its part, by the delta method."""
        strength, part = self.fitted.strength, self.fitted.part
        others = part[:, None] == part[None, :]
        np.fill_diagonal(others, False)
        met = others.sum(axis=1)
        share = (1 + np.tanh((strength[:, None] - strength[None, :]) / 2)) / 2
        mean = np.divide((share * others).sum(axis=1), met, out=np.full(len(met), 0.5), where=met > 0)
        slope = np.divide(share * (1 - share) * others, met[:, None], out=np.zeros(others.shape), where=others)
        slope = np.diag(slope.sum(axis=1)) - slope
        variance = ((slope @ self.fitted.spread) * slope).sum(axis=1)
        steep = mean * (1 - mean)
        return [
            self._share(log(mean[i] / (1 - mean[i])), sqrt(max(0.0, variance[i])) / steep[i]) if met[i] else None
            for i in range(len(met))
        ]

    def _share(self, logit: float, error: float) -> Share:
        margin = NormalDist().inv_cdf((1 + self.level) / 2) * error
        value, low, high = (_expit(logit + by) for by in (0.0, -margin, margin))
        return Share(value, low, high)


def standings(blocks: Iterable[BlockResult], entries: Iterable[int] = (), *, level: float = LEVEL) -> FinalStandings:
    """Return the standings of all blocks that count, the same to the last bit in any order of the input.

    Args:
        blocks: of every match that is done; a void match has none.
        entries: those that take part even if none of their blocks counts.
        level: between 0 and 1.

    Raises:
        ValueError: a block that cannot be one, or no such level.
    """
    counts = counted(blocks, entries)
    fitted = fit(counts)
    return FinalStandings(level, counts, fitted, ranks(fitted, level))


def _expit(logit: float) -> float:
    return 1 / (1 + exp(-logit)) if logit > 0 else exp(max(logit, -700.0)) / (1 + exp(max(logit, -700.0)))


def _from_to(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}-{high}"
