"""Whether a seat is worth more than another, to players who are otherwise the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from benchmarks.evidence.census import WHOLE_WIN, Cell, Census, Result
from benchmarks.evidence.stats import NO_TEST, ChiSquare, Interval, mean_interval
from benchmarks.evidence.tables import Table, p_value
from gangland.games import game_named

LIKELY = 0.05


@dataclass(frozen=True, slots=True)
class SeatsFound:
    """What the seats of a table are worth.

    Attributes:
        order: "seat", or "turn" with the seats counted from the one that began.
        places: each seat's mean place, in order.
        wins: each seat's share of the wins; joint winners share one.
        test: Friedman's, of whether all have the same mean place.
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
        """How far from even a mean place may be, to the end of its interval."""
        fair = (self.cell.seats + 1) / 2
        return max(max(abs(place.low - fair), abs(place.high - fair)) for place in self.places)


def look(cell: Cell, census: Census, order: str) -> SeatsFound:
    """Return what the seats of a cell are worth."""
    turned: Counter[Result] = Counter()
    for result, count in census.results.items():
        turned[_from_first(result) if order == "turn" else result] += count
    seats = range(cell.seats)
    return SeatsFound(
        cell,
        order,
        census.games,
        tuple(mean_interval(_values(turned, seat, _place)) for seat in seats),
        tuple(mean_interval(_values(turned, seat, _win)) for seat in seats),
        friedman(_doubled(turned)),
    )


def _doubled(results: Counter[Result]) -> Counter[tuple[int, ...]]:
    counts: Counter[tuple[int, ...]] = Counter()
    for result, count in results.items():
        counts[result.doubled] += count
    return counts


def _from_first(result: Result) -> Result:
    seats, first = len(result.doubled), result.first
    doubled = result.doubled[first:] + result.doubled[:first]
    return Result(0, doubled, tuple(sorted((seat - first) % seats for seat in result.winners)))


def _place(result: Result, seat: int) -> float:
    return result.doubled[seat] / 2


def _win(result: Result, seat: int) -> float:
    return WHOLE_WIN // len(result.winners) / WHOLE_WIN if seat in result.winners else 0.0


def _values(results: Counter[Result], seat: int, value: Callable[[Result, int], float]) -> Counter[float]:
    counts: Counter[float] = Counter()
    for result, count in results.items():
        counts[value(result, seat)] += count
    return counts


def friedman(doubled: Mapping[tuple[int, ...], int]) -> ChiSquare:
    """Test whether all seats have the same mean place, given doubled places of games; ties are allowed for."""
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


def found_in(name: str, census: Mapping[Cell, Census]) -> Iterator[SeatsFound]:
    """Yield what there is to say of a game's seats; where turns are taken, of the order of play too."""
    for cell, found in census.items():
        if cell.game == name and not cell.options:
            yield look(cell, found, "seat")
            if name == "gang-of-dice":
                yield look(cell, found, "turn")


def seats_table(name: str, census: Mapping[Cell, Census]) -> Table:
    """Return a game's seats, a row a cell and order."""
    found = sorted(found_in(name, census), key=lambda each: each.order)
    line = LIKELY / len(found)
    orders = {"seat": "seat", "turn": "order of play"}
    rows = tuple(
        (
            each.cell.seats,
            each.cell.stem,
            orders[each.order],
            each.games,
            _listed(each.places),
            f"{each.places[0].reach:.3f}",
            _listed(each.wins),
            f"{each.wins[0].reach:.3f}",
            f"{each.gap:.3f}",
            p_value(each.test.p),
            "yes" if each.test.p < line else "no",
        )
        for each in found
    )
    columns = (
        "seats",
        "players",
        "by",
        "games",
        "mean places",
        "± place",
        "shares of wins",
        "± share",
        "gap",
        "p",
        "differ",
    )
    said = [_said([each for each in found if each.order == order], line, orders[order]) for order in orders]
    return Table(f"seats-{name}", f"Seats of {game_named(name).title}", columns, rows, " ".join(filter(None, said)))


def _listed(intervals: tuple[Interval, ...]) -> str:
    return " ".join(f"{interval.value:.3f}" for interval in intervals)


def _said(found: list[SeatsFound], line: float, order: str) -> str:
    if not found:
        return ""
    differ = [each for each in found if each.test.p < line]
    same = [each for each in found if each.test.p >= line]
    parts = [f"By {order} {len(differ)} of {len(found)} tables differ beyond chance (p below {line:.5f})"]
    if differ:
        widest = max(differ, key=lambda each: each.gap)
        parts.append(
            f"the widest gap there is {widest.gap:.3f} places "
            f"({widest.cell.stem} at {widest.cell.seats} seats), with an interval of ± {widest.places[0].reach:.3f}"
        )
    if same:
        parts.append(
            f"in the others no seat's interval ends further than {max(each.most for each in same):.3f} places "
            f"from the fair mean, which is all that so many games can say"
        )
    return f"{'; '.join(parts)}."
