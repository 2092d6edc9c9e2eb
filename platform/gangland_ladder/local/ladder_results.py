"""What a local ladder has come to: its standings, how sure they are, who met whom, and how long bots think."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from msgspec.structs import replace

from gangland_ladder.documents.ladders import LadderRow, Pair, RankRange
from gangland_ladder.local.matches import MatchCame, quantile_ms
from gangland_ladder.matches.match_orders import Order
from gangland_ladder.rating.bradley_terry import BlockResult
from gangland_ladder.rating.final_standings import FinalStandings, Row, standings
from gangland_ladder.rating.standings import Row as Line
from gangland_ladder.rating.standings import Standings
from gangland_ladder.rating.standings_document import StandingsDocument

P99 = 0.99


@dataclass(frozen=True, slots=True)
class Meeting:
    """The games of one bot against another, at whatever table, from its side."""

    ahead: int
    level: int
    behind: int

    @property
    def games(self) -> int:
        """How many there were."""
        return self.ahead + self.level + self.behind

    @property
    def share(self) -> float:
        """The share of games in which it was ahead, level ones as half; 0 to 1."""
        return (self.ahead + self.level / 2) / self.games

    def turned(self) -> Meeting:
        """Return the same from the other side."""
        return Meeting(self.behind, self.level, self.ahead)


class LadderResults:
    """A ladder of local bots as far as it is played; entries are indexes of names.

    Attributes:
        table: ranks by mean place, and ratings.
        blocks: of all matches that count.
        times: of each entry, how many decisions took how long, by class.
    """

    def __init__(self, game: str, names: Sequence[str], seats: int) -> None:
        self.game = game
        self.names = list(names)
        self.seats = seats
        self.table = Standings(game, names)
        self.blocks: list[BlockResult] = []
        self.games = 0
        self.times: list[Counter[int]] = [Counter() for _ in names]
        self._met: dict[tuple[int, int], Meeting] = {}
        self._ranges: FinalStandings | None = None

    def add(self, order: Order, came: MatchCame) -> None:
        """Count one match.  Matches have to be added in canonical order, for the ratings' sake."""
        entries = tuple(seat.entry for seat in order.seats)
        self.table.add(came.scores(order))
        self.blocks += [BlockResult(entries, places) for places in came.block_places()]
        self.games += came.entries[0].games
        self._ranges = None
        for entry, each in zip(entries, came.entries, strict=True):
            self.times[entry].update(each.times)
        for pair, (ahead, level, behind) in zip(combinations(entries, 2), came.pairs, strict=True):
            before = self._met.get(pair, Meeting(0, 0, 0))
            self._met[pair] = Meeting(before.ahead + ahead, before.level + level, before.behind + behind)

    def ranges(self) -> FinalStandings:
        """Return what is known of the order: the final standings of all blocks (docs/standings.md)."""
        if self._ranges is None:
            self._ranges = standings(self.blocks, range(len(self.names)))
        return self._ranges

    def p99_ms(self, entry: int) -> float | None:
        """Return within how many milliseconds of CPU 99% of an entry's decisions were given; None without any."""
        return quantile_ms(self.times[entry], P99)

    def meeting(self, one: int, other: int) -> Meeting | None:
        """Return the games of one entry against another; None if they never met."""
        if (one, other) in self._met:
            return self._met[one, other]
        met = self._met.get((other, one))
        return met and met.turned()

    def order(self) -> list[int]:
        """Return the entries, the first of the table first."""
        return [self.names.index(row.bot) for _, row in self.table.ranked()]

    def meetings(self) -> dict[tuple[str, str], Meeting]:
        """Return the games of each two bots that met, by name, those higher in the table first."""
        return {
            (self.names[one], self.names[other]): met
            for one, other in combinations(self.order(), 2)
            if (met := self.meeting(one, other)) is not None
        }

    def head_to_head(self) -> list[Pair]:
        """Return the same as lines of a document."""
        return [
            Pair(bot, other, met.games, met.ahead, met.level, met.behind, round(met.share, 6))
            for (bot, other), met in self.meetings().items()
        ]

    def rows(self) -> list[LadderRow]:
        """Return a line for each bot, the first of the table first."""
        ranges = {row.entry: row for row in self.ranges().rows}
        return [
            self._row(rank, line, ranges[entry])
            for (rank, line), entry in zip(self.table.ranked(), self.order(), strict=True)
        ]

    def _row(self, rank: int | None, line: Line, range_: Row) -> LadderRow:
        return LadderRow(
            rank=rank,
            bot=line.bot,
            games=line.games,
            wins=line.wins,
            win_share=_rounded(line.win_share),
            mean_place=_rounded(line.mean_place),
            mu=round(line.rating.mu, 6),
            sigma=round(line.rating.sigma, 6),
            faults=sum(line.faults.values()),
            fault_kinds=dict(sorted(line.faults.items())),
            score=None if range_.against_all is None else range_.against_all.interval,
            ranks=RankRange(range_.rank_low, range_.rank_high) if range_.blocks else None,
        )

    def named_ranges(self) -> StandingsDocument:
        """Return the ranges as a document, each row with its bot's name."""
        document = self.ranges().document()
        return replace(document, rows=[replace(row, bot=self.names[row.entry]) for row in document.rows])


def _rounded(figure: Fraction | None) -> float | None:
    return None if figure is None else round(float(figure), 6)
