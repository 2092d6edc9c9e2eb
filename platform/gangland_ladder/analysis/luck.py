"""Places adjusted by luck: the effect of the dice is subtracted, so that results scatter less.

Luck has mean 0 for any bot (`gangland.luck`), so the adjusted place has the same mean as the place: a control variate.
The rate between luck and places is measured beforehand on house bots (`games.Measured`), so no match's figure depends
on another match. Ratings and standings use the places themselves.

All arithmetic is exact: floats of luck are converted to fractions, so that copies of one bot, which tie over every
block, tie in adjusted places too.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from gangland_ladder.analysis.games import measured


@dataclass(frozen=True, slots=True)
class SeatLuck:
    """Luck and place of one seat in a game, or their means over the games of a match for one entry."""

    luck: Fraction  # in the game's unit (`Game.luck_unit`): worth of the dice received less its expectation
    net: Fraction  # luck less the mean of the table, in the same unit; adds up to 0 over a table
    place: Fraction  # ties as the average of the places covered; lower is better
    adjusted: Fraction  # the place less net luck, in places; may be outside of 1 to the number of seats


def seat_luck(game: str, luck: Sequence[float], mean_places: Sequence[Fraction]) -> tuple[SeatLuck, ...]:
    """Return luck and adjusted place of each seat of a game.

    Args:
        luck: by seat, from `gangland.luck`; mean_places: by seat, from `Outcome.mean_places`.

    Raises ValueError: the lengths differ, or the rate of the table is unknown.
    """
    seats = len(mean_places)
    if len(luck) != seats:
        raise ValueError(f"luck of {len(luck)} seats, but {seats} places")
    return _adjusted(game, [Fraction(each) for each in luck], mean_places)


def match_luck(game: str, luck: Sequence[Sequence[float]], mean_places: Sequence[Fraction]) -> tuple[SeatLuck, ...]:
    """Return each entry's means over all games of a match: as `mean_luck` of its games, in less time.

    Args:
        luck: of each entry in every game; all play in all games.
        mean_places: of each entry over all games.

    Raises ValueError: entries of different numbers of games, no game, or an unknown rate of the table.
    """
    games = {len(of_entry) for of_entry in luck}
    if len(luck) != len(mean_places) or len(games) != 1 or games == {0}:
        raise ValueError(f"luck of {[len(each) for each in luck]} games, for {len(mean_places)} entries")
    means = [sum(map(Fraction, each), Fraction(0)) / len(each) for each in luck]
    return _adjusted(game, means, mean_places)


def _adjusted(game: str, luck: Sequence[Fraction], mean_places: Sequence[Fraction]) -> tuple[SeatLuck, ...]:
    seats = len(mean_places)
    table = measured(game, seats)
    if table is None:
        raise ValueError(f"no rate of luck is known for {game!r} with {seats} seats")
    rate, common = table.places_per_unit, sum(luck, Fraction(0)) / seats
    return tuple(
        SeatLuck(own, own - common, place, place + rate * (own - common))
        for own, place in zip(luck, mean_places, strict=True)
    )


def mean_luck(games: Iterable[SeatLuck]) -> SeatLuck:
    """Return the means over the games of one entry: of a block, or of a whole match. Raises ValueError: no game."""
    rows = list(games)
    if not rows:
        raise ValueError("no game to take the mean luck of")
    columns = zip(*((each.luck, each.net, each.place, each.adjusted) for each in rows), strict=True)
    return SeatLuck(*(sum(column, Fraction(0)) / len(rows) for column in columns))
