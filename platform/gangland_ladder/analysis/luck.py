"""Adjust places for luck: the effect of the dice is subtracted, so that results vary less.

Luck has mean 0 for any bot (`gangland.luck`), so the adjusted place has the same mean as the place: it is a control
variate. The ratio between luck and places was measured on house bots (`games.Measurements`), so the figure of a match
does not depend on other matches. Ratings and standings use the places themselves.

All arithmetic is exact: luck is converted from floats to fractions. So copies of one bot, which tie over every block,
also tie in adjusted places.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from gangland_ladder.analysis.games import measurements_of


@dataclass(frozen=True, slots=True)
class SeatLuck:
    """One seat's luck and place in a game, or an entry's means over the games of a match."""

    luck: Fraction  # in the game's unit (`Game.luck_unit`): the worth of the dice received minus its expectation
    net: Fraction  # luck minus the mean of the table, in the same unit; adds up to 0 over a table
    place: Fraction  # lower is better; tied seats get the average of the places that they cover
    adjusted: Fraction  # the place without net luck; may be below 1 or above the number of seats


def seat_luck(game: str, luck: Sequence[float], mean_places: Sequence[Fraction]) -> tuple[SeatLuck, ...]:
    """Return each seat's luck and adjusted place in a game.

    Args:
        luck: by seat, from `gangland.luck`.
        mean_places: by seat, from `Outcome.mean_places`.

    Raises ValueError: the lengths differ, or the ratio for the table is unknown.
    """
    seats = len(mean_places)
    if len(luck) != seats:
        raise ValueError(f"expected the luck of {seats} seats, not of {len(luck)}")
    return _adjusted_places(game, [Fraction(each) for each in luck], mean_places)


def match_luck(game: str, luck: Sequence[Sequence[float]], mean_places: Sequence[Fraction]) -> tuple[SeatLuck, ...]:
    """Return each entry's means over all games of a match: the same values as `mean_luck`, but faster.

    Args:
        luck: for each entry, its luck in every game; all entries play in all games.
        mean_places: for each entry, its mean place over all games.

    Raises ValueError: there is no game, entries have different numbers of games, or the table's ratio is unknown.
    """
    games = {len(of_entry) for of_entry in luck}
    if len(luck) != len(mean_places) or len(games) != 1 or games == {0}:
        counts = [len(of_entry) for of_entry in luck]
        raise ValueError(f"expected {len(mean_places)} entries with the same number of games, not {counts} games")
    means = [sum(map(Fraction, each), Fraction(0)) / len(each) for each in luck]
    return _adjusted_places(game, means, mean_places)


def _adjusted_places(game: str, luck: Sequence[Fraction], mean_places: Sequence[Fraction]) -> tuple[SeatLuck, ...]:
    seats = len(mean_places)
    table = measurements_of(game, seats)
    if table is None:
        raise ValueError(f"the ratio between luck and places is unknown for {game!r} with {seats} seats")
    rate, common = table.places_per_unit, sum(luck, Fraction(0)) / seats
    return tuple(
        SeatLuck(own, own - common, place, place + rate * (own - common))
        for own, place in zip(luck, mean_places, strict=True)
    )


def mean_luck(games: Iterable[SeatLuck]) -> SeatLuck:
    """Return an entry's means over the games of a block or a match. Raises ValueError: there is no game."""
    rows = list(games)
    if not rows:
        raise ValueError("the mean luck needs at least one game")
    columns = zip(*((row.luck, row.net, row.place, row.adjusted) for row in rows), strict=True)
    return SeatLuck(*(sum(column, Fraction(0)) / len(rows) for column in columns))
