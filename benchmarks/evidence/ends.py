"""The ends of games between equal players: their lengths, and the worth of seats and characters."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from benchmarks.evidence.census import WHOLE_WIN, Cell, Counts, Result
from benchmarks.evidence.players import ANY
from benchmarks.evidence.stats import (
    LIKELY,
    NO_TEST,
    ChiSquare,
    Interval,
    give_or_take,
    mean_interval,
    p_value,
    quantile,
    wilson,
)
from benchmarks.harness import Row, Table
from gangland.games import game_named
from gangland.gang_of_dice.state import ROUNDS

Played = Mapping[Cell, Counts]

PASSED = 75
"""By ruling G33, no sensible or random game has passed this round."""
QUANTILES = (0.5, 0.95, 0.99, 0.999)
LENGTH_COLUMNS = ("seats", "players", "options", "games", "median", "95%", "99%", "99.9%", "longest")
CLAIMED = (0.83, 1.11)
"""The range of the characters' results when the set was made."""
NAMES = {
    "nancy": "Nancy Hughs",
    "bobby": "Bobby Washington",
    "eddie": "Eddie Vandenburg",
    "franky": "Franky",
    "roberts": "Roberts",
    "silvio": "Silvio",
    "timmy": "Timmy Green",
    "don": "Don Ciaperinelli",
    "liza": "Liza Bruno",
}


def gangster_dice_lengths(played: Played) -> Table:
    """Return the lengths of Gangster Dice, a row per cell, and a check of the claim in G33."""
    mine = {cell: counts for cell, counts in played.items() if cell.game == "gangster-dice"}
    rows = tuple(
        (*_lengths(cell, counts), passed(counts, PASSED), counts["limited"][True]) for cell, counts in mine.items()
    )
    columns = (*LENGTH_COLUMNS, f"past {PASSED}", "at the limit")
    return Table("lengths-gangster-dice", "Rounds of Gangster Dice", columns, rows, _claim(mine))


def gang_of_dice_lengths(played: Played) -> Table:
    """Return the lengths of Gang of Dice, a row per cell."""
    mine = {cell: counts for cell, counts in played.items() if cell.game == "gang-of-dice"}
    rows = tuple((*_lengths(cell, counts), early(counts)) for cell, counts in mine.items())
    games, ended = sum(counts["rounds"].total() for counts in mine.values()), sum(map(early, mine.values()))
    finding = f"{ended:,} of {games:,} games ended before round {ROUNDS}: one player or none was left."
    columns = (*LENGTH_COLUMNS, f"over before round {ROUNDS}")
    return Table("lengths-gang-of-dice", "Rounds of Gang of Dice", columns, rows, finding)


def _lengths(cell: Cell, counts: Counts) -> Row:
    rounds = counts["rounds"]
    quantiles = [quantile(rounds, share) for share in QUANTILES]
    return (cell.seats, cell.stem, cell.variant, rounds.total(), *quantiles, max(rounds))


def early(counts: Counts) -> int:
    """Return the number of games of Gang of Dice that ended before the last round."""
    return counts["rounds"].total() - counts["rounds"][ROUNDS]


def passed(counts: Counts, rounds: int) -> int:
    """Return the number of games that lasted longer than `rounds` rounds."""
    return sum(games for length, games in counts["rounds"].items() if length > rounds)


def _claim(played: Played) -> str:
    """Return a check of the claim in G33, for random play and for house bots."""
    text = []
    for who, random in (("Random play", True), ("House bots", False)):
        mine = [counts for cell, counts in played.items() if (cell.stem == ANY) is random]
        games, over = sum(counts["rounds"].total() for counts in mine), sum(passed(counts, PASSED) for counts in mine)
        share, limited = wilson(over, games), sum(counts["limited"][True] for counts in mine)
        text.append(
            f"{who}: {over:,} of {games:,} games passed {PASSED} rounds (95% interval of the share: {share.low:.3%} "
            f"to {share.high:.3%}), the limit ended {limited:,}, and the longest had "
            f"{max(max(counts['rounds']) for counts in mine)}."
        )
    return " ".join(text)


@dataclass(frozen=True, slots=True)
class SeatsFound:
    """The worth of the seats of a table.

    Attributes:
        order: "seat", or "turn" with the seats counted from the first player.
        places: each seat's mean place, in order.
        wins: each seat's share of the wins; joint winners share one.
        test: Friedman's test for equal mean places.
    """

    cell: Cell
    order: str
    games: int
    places: tuple[Interval, ...]
    wins: tuple[Interval, ...]
    test: ChiSquare

    @property
    def gap(self) -> float:
        """The difference between the best and the worst mean place."""
        values = [place.value for place in self.places]
        return max(values) - min(values)

    @property
    def most(self) -> float:
        """The largest distance of a mean place from even, up to the end of its interval."""
        fair = (self.cell.seats + 1) / 2
        return max(max(abs(place.low - fair), abs(place.high - fair)) for place in self.places)


def look(cell: Cell, cell_counts: Counts, order: str) -> SeatsFound:
    """Return the worth of the seats of a cell."""
    turned: Counter[Result] = Counter()
    doubled: Counter[tuple[int, ...]] = Counter()
    for result, games in cell_counts["result"].items():
        counts = _from_first(result) if order == "turn" else result
        turned[counts] += games
        doubled[counts.doubled] += games

    def by_seat(value: Callable[[Result, int], float]) -> tuple[Interval, ...]:
        intervals = []
        for seat in range(cell.seats):
            counts: Counter[float] = Counter()
            for result, games in turned.items():
                counts[value(result, seat)] += games
            intervals.append(mean_interval(counts))
        return tuple(intervals)

    places = by_seat(lambda result, seat: result.doubled[seat] / 2)
    wins = by_seat(lambda result, seat: 1 / len(result.winners) if seat in result.winners else 0.0)
    return SeatsFound(cell, order, turned.total(), places, wins, friedman(doubled))


def _from_first(result: Result) -> Result:
    seats, first = len(result.doubled), result.first
    doubled = result.doubled[first:] + result.doubled[:first]
    return Result(0, doubled, tuple(sorted((seat - first) % seats for seat in result.winners)))


def friedman(doubled: Mapping[tuple[int, ...], int]) -> ChiSquare:
    """Test for equal mean places of all seats, by doubled places of games; ties are allowed."""
    games = sum(doubled.values())
    if not games:
        return NO_TEST
    seats = len(next(iter(doubled)))
    fair = seats + 1
    sums = [sum((places[seat] - fair) * count for places, count in doubled.items()) for seat in range(seats)]
    spread = sum((place - fair) ** 2 * count for places, count in doubled.items() for place in places)
    if not spread:
        return ChiSquare(0.0, seats - 1, games)
    return ChiSquare((seats - 1) * sum(total * total for total in sums) / spread, seats - 1, games)


def seats_table(name: str, played: Played) -> Table:
    """Return a game's seats, a row per cell and order: by seat, and in games with turns also by the order of play."""
    orders = {"seat": "seat", "turn": "order of play"} if name == "gang-of-dice" else {"seat": "seat"}
    mine = {cell: results for cell, results in played.items() if cell.game == name and not cell.options}
    results = [look(cell, counts, order) for order in orders for cell, counts in mine.items()]
    line = LIKELY / len(results)
    rows = tuple(
        (
            *(each.cell.seats, each.cell.stem, orders[each.order], each.games),
            *(_listed(each.places), f"{each.places[0].reach:.3f}", _listed(each.wins), f"{each.wins[0].reach:.3f}"),
            *(f"{each.gap:.3f}", p_value(each.test.p), each.test.p < line),
        )
        for each in results
    )
    columns = (
        *("seats", "players", "by", "games", "mean places", "± place", "shares of wins", "± share"),
        *("gap", "p", "differ"),
    )
    text = [_text([each for each in results if each.order == order], line, orders[order]) for order in orders]
    return Table(f"seats-{name}", f"Seats of {game_named(name).title}", columns, rows, " ".join(text))


def _listed(intervals: tuple[Interval, ...]) -> str:
    return " ".join(f"{interval.value:.3f}" for interval in intervals)


def _text(results: list[SeatsFound], line: float, order: str) -> str:
    differ = [seats for seats in results if seats.test.p < line]
    same = [seats for seats in results if seats.test.p >= line]
    parts = [f"By {order} {len(differ)} of {len(results)} tables differ beyond chance (p below {line:.5f})"]
    if differ:
        widest = max(differ, key=lambda seats: seats.gap)
        parts.append(
            f"the widest gap there is {widest.gap:.3f} places "
            f"({widest.cell.stem} at {widest.cell.seats} seats), with an interval of ± {widest.places[0].reach:.3f}"
        )
    if same:
        parts.append(
            f"in the others no seat's interval ends further than {max(seats.most for seats in same):.3f} places "
            f"from the fair mean, which is all that so many games can say"
        )
    return f"{'; '.join(parts)}."


def characters_table(dealt: Played) -> Table:
    """Return each character's wins at every table size, relative to an equal share."""
    cells = sorted(dealt, key=lambda cell: cell.seats)
    results = {key: [_against_fair_share(dealt[cell], key, cell.seats) for cell in cells] for key in NAMES}
    rows: tuple[Row, ...] = tuple(
        (NAMES[key], *(give_or_take(one, 2) for one in worth)) for key, worth in results.items()
    )
    columns = ("character", *(f"{cell.seats} seats, {dealt[cell]['rounds'].total():,} games" for cell in cells))
    everything = [each for worth in results.values() for each in worth]
    low, high = CLAIMED
    beyond = [
        f"{NAMES[key]} at {cell.seats} seats"
        for key, worth in results.items()
        for cell, each in zip(cells, worth, strict=True)
        if each.high < low or each.low > high
    ]
    finding = (
        f"All in all {min(each.value for each in everything):.2f} to {max(each.value for each in everything):.2f}. "
        f"When the set was made, {low} to {high} was measured with another bot; beyond that by more than the interval: "
        f"{', '.join(beyond) or 'none'}."
    )
    return Table("characters", "Characters", columns, rows, finding)


def _against_fair_share(counts: Counts, character: str, seats: int) -> Interval:
    share = wilson(counts["won"][character] / WHOLE_WIN, counts["dealt"][character])
    return Interval(share.value * seats, share.low * seats, share.high * seats)


def each_seat_first(cell: Cell, counts: Counts) -> Iterator[int]:
    """Yield each seat's number of first turns."""
    for seat in range(cell.seats):
        yield sum(games for result, games in counts["result"].items() if result.first == seat)
