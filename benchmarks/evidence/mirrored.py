"""What mirrored blocks do to the comparison of two bots: the spread with them, and without."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from benchmarks.evidence.comparing import ALL, CARDS, DICE, HALVED, Compared, Pair, words_of
from benchmarks.evidence.players import seed_of
from benchmarks.evidence.stats import Interval, bootstrap_ratio, mean_interval, variance
from benchmarks.evidence.tables import Row, Table, from_to, give_or_take
from gangland.games import game_named

RESAMPLES = 1_000
ROUND_NUMBER = 1_000
EXPECTED = (0.10, 0.25)
"""How many games a rough simulation, made before, saved near-equal bots."""


@dataclass(frozen=True, slots=True)
class Spread:
    """What came out for one pair: both estimates of the mean difference, and the ratios of their variances.

    Attributes:
        ratios: by what the games of a block have in common; none when all separate games end alike.
    """

    pair: Pair
    games: int
    alone: Interval
    mirrored: Interval
    ratios: dict[str, Interval | None]

    @property
    def ratio(self) -> Interval | None:
        """The ratio for blocks as matches have them."""
        return self.ratios[ALL]


def spread(pair: Pair, parts: Sequence[Compared]) -> Spread:
    """Return how much the two estimates spread.  Variances are of the mean over equally many games."""
    alone = [difference / 2 for part in parts for difference in part.alone]
    blocks = {
        common: [total / 2 / pair.seats for part in parts for total in part.blocks[common]]
        for common in parts[0].blocks
    }
    return Spread(
        pair,
        len(alone),
        mean_interval(Counter(alone)),
        mean_interval(Counter(blocks[ALL])),
        {common: _ratio(pair, means, alone, common) for common, means in blocks.items()},
    )


def _ratio(pair: Pair, blocks: Sequence[float], alone: Sequence[float], common: str) -> Interval | None:
    """Return the ratio for equally many games: a block has as many as the table has seats."""
    found = bootstrap_ratio(blocks, alone, variance, seed_of("bootstrap", common, *words_of(pair)), RESAMPLES)
    return found and Interval(found.value * pair.seats, found.low * pair.seats, found.high * pair.seats)


def mirrored_table(name: str, found: Mapping[Pair, Spread]) -> Table:
    """Return a game's comparisons, a row a pair and table size."""
    mine = [each for pair, each in found.items() if pair.game == name]
    rows: tuple[Row, ...] = tuple(
        (
            each.pair.kind,
            f"{each.pair.one} : {each.pair.other}",
            each.pair.seats,
            each.games,
            give_or_take(each.alone),
            give_or_take(each.mirrored),
            _shown(each.ratio),
            f"{each.ratio.value * ROUND_NUMBER:,.0f}" if each.ratio else "",
        )
        for each in mine
    )
    columns = (
        "pair",
        "bots",
        "seats",
        "games each way",
        "difference of place, separate games",
        "in blocks",
        "variance ratio",
        f"games for {ROUND_NUMBER:,} separate ones",
    )
    return Table(f"mirrored-{name}", f"Mirrored blocks, {game_named(name).title}", columns, rows, _said(mine))


def _said(found: Sequence[Spread]) -> str:
    """Say how many games blocks save, and of the saving that was expected what is so."""
    ratios = [each.ratio for each in found if each.ratio]
    low, high = EXPECTED
    fewer = sum(ratio.high < 1 for ratio in ratios)
    more = sum(ratio.low > 1 for ratio in ratios)
    within = sum(ratio.low <= 1 - low and ratio.high >= 1 - high for ratio in ratios)
    beyond = sum(ratio.high < 1 - high for ratio in ratios)
    return (
        f"Of {len(ratios)} comparisons blocks need fewer games beyond doubt (the interval of the ratio below 1) in "
        f"{fewer}, more in {more}; in {len(ratios) - fewer - more} the interval holds 1. A saving of {low:.0%} to "
        f"{high:.0%} agrees with {within} of the intervals, and {beyond} show a greater one."
    )


def _shown(ratio: Interval | None) -> str:
    return from_to(ratio) if ratio else "no spread"


def halves_table(found: Mapping[Pair, Spread]) -> Table:
    """Return what the cards and the dice of a block do apart, a row a game and table size."""
    mine = [each for pair, each in found.items() if pair.kind == HALVED]
    rows: tuple[Row, ...] = tuple(
        (
            game_named(each.pair.game).title,
            f"{each.pair.one} : {each.pair.other}",
            each.pair.seats,
            each.games,
            *(_shown(each.ratios[common]) for common in (CARDS, DICE, ALL)),
        )
        for each in mine
    )
    columns = (
        "game",
        "bots",
        "seats",
        "games each way",
        "the same cards only",
        "the same dice only",
        "both, as in matches",
    )
    games = dict.fromkeys(each.pair.game for each in mine)
    finding = " ".join(_halves_of(name, [each for each in mine if each.pair.game == name]) for name in games)
    return Table("mirrored-halves", "Cards and dice of a block apart", columns, rows, finding)


def _halves_of(name: str, found: Sequence[Spread]) -> str:
    """Say what the halves do in one game, on average over its table sizes."""
    cards, dice, both = (
        fmean([ratio.value for each in found if (ratio := each.ratios[common])] or [0.0])
        for common in (CARDS, DICE, ALL)
    )
    return (
        f"{game_named(name).title}, on average over its tables: {cards:.2f} with the same cards only, {dice:.2f} with "
        f"the same dice only, {both:.2f} with both."
    )
