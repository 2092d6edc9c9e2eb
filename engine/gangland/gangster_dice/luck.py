"""Luck in Gangster Dice: the value of each seat's dice beyond their expected value, in wins.

A symbol is worth its share in winning its token: usually little, but a whole game if winning the token would end the
game.  A seat's luck is the worth of the symbols that it rolled, minus their mean worth before the roll, for the same
stashes and tokens.  So its mean is 0, whatever the seats decide.  Only the Investigator and the Streets count, because
dice leave a stash only through these tokens.

Sums are computed in a fixed order, without functions that other machines round differently.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import Final

from gangland.game import Event
from gangland.gangster_dice.cards import COLORS, DIE_FACES, INVESTIGATOR, NO_DICE, STREETS, TOKENS, Dice
from gangland.gangster_dice.rounds import Faces


@dataclass(frozen=True, slots=True)
class Worth:
    """The worth of winning a token, in wins; a token that ends the game is worth 1."""

    investigator: float
    denied: float  # added if a rival would end the game by winning the Investigator
    streets: float
    last_die: float  # for a seat that holds the Streets and has one die left, to place there


WORTH: Final = {
    2: Worth(investigator=0.09, denied=0.66, streets=0.15, last_die=0.37),
    3: Worth(investigator=0.13, denied=0.27, streets=0.07, last_die=0.92),
    4: Worth(investigator=0.09, denied=0.13, streets=0.06, last_die=1.2),
}
"""By number of seats, each fitted to the places in 4,000 games of house bots; a win is 1."""

Aim = tuple[int, int, float]
"""A token, the number of symbols that it takes (times 6), and the worth of winning it."""

_END_WORTH: Final = 1.0
# The difference in symbols that makes a win likely or unlikely; favors and rivals' dice make it uncertain.
_SPREAD: Final = 1.8
_STEPS: Final = 6  # the symbols that a rival can expect are a multiple of 1/6
_CHANCE: Final = tuple([tuple([faces.count(token) / len(faces) for token in TOKENS]) for faces in DIE_FACES])
"""By color and token, the chance that a die shows the symbol."""
_SIXTHS: Final = tuple([tuple([faces.count(token) for token in TOKENS]) for faces in DIE_FACES])


def course(seats: int, events: Iterable[Event]) -> Iterator[tuple[float, ...]]:
    """Yield all seats' luck, in wins, after each event since the start of a game."""
    luck = [0.0] * seats
    table = _LuckTable(seats)
    for event in events:
        kind = event[0]
        if kind == "rolled":
            table.set_roll(event[1], event[2])
            if event[1] == seats - 1:  # the worth of a seat's symbols depends on all stashes
                for seat, worth in enumerate(table.roll()):
                    luck[seat] += worth
        elif kind == "rerolled":
            luck[event[1]] += table.reroll(*event[1:])
        elif kind == "took":
            table.holders[event[1]] = event[2]
        elif kind == "moved":
            table.holders[INVESTIGATOR] = event[2]
        elif kind == "staked" and event[2] is not None:
            table.on_streets += 1
        yield tuple(luck)


class _LuckTable:
    __slots__ = ("aims", "holders", "on_streets", "stashes", "symbols")

    def __init__(self, seats: int) -> None:
        self.holders: list[int | None] = [None] * len(TOKENS)
        self.on_streets = 0
        self.stashes: list[Dice] = [NO_DICE] * seats
        self.symbols: list[tuple[int, ...]] = [()] * seats
        self.aims: list[tuple[Aim, Aim]] = []

    def set_roll(self, seat: int, faces: Faces) -> None:
        white, red, blue = faces
        shown = white + red + blue
        self.stashes[seat] = (len(white), len(red), len(blue))
        self.symbols[seat] = (shown.count(INVESTIGATOR), shown.count(STREETS))

    def roll(self) -> list[float]:
        self.aims = self._aims()
        values = []
        for stash, symbols, aims in zip(self.stashes, self.symbols, self.aims, strict=True):
            luck = 0.0
            for (token, needed, worth), count in zip(aims, symbols, strict=True):
                luck += worth * (_chance_to_win(count, needed) - _expected(stash, token, needed))
            values.append(luck)
        return values

    def reroll(self, seat: int, color: int, old: int, new: int) -> float:
        luck, after = 0.0, []
        for (token, needed, worth), count in zip(self.aims[seat], self.symbols[seat], strict=True):
            others = count - (old == token)
            without, with_it = _chance_to_win(others, needed), _chance_to_win(others + 1, needed)
            chance = _CHANCE[color][token]
            result = with_it if new == token else without
            luck += worth * (result - (chance * with_it + (1 - chance) * without))
            after.append(others + (new == token))
        self.symbols[seat] = tuple(after)
        return luck

    def _aims(self) -> list[tuple[Aim, Aim]]:
        """Return, by seat, the symbols that win the Investigator and the Streets, and the worth of both."""
        worth, holder, streets = WORTH[len(self.stashes)], self.holders[INVESTIGATOR], self.holders[STREETS]
        ends = [self._can_end(seat, holder) for seat in range(len(self.stashes))]
        symbols, streets_symbols = self._needed_symbols(INVESTIGATOR, streets), self._needed_symbols(STREETS, streets)
        aims: list[tuple[Aim, Aim]] = []
        for seat, stash in enumerate(self.stashes):
            investigator_worth = _END_WORTH if ends[seat] else worth.investigator
            if sum(ends) > ends[seat]:
                investigator_worth += worth.denied
            streets_worth = worth.last_die if streets == seat and sum(stash) == 1 else worth.streets
            aims.append(
                ((INVESTIGATOR, symbols[seat], investigator_worth), (STREETS, streets_symbols[seat], streets_worth))
            )
        return aims

    def _can_end(self, seat: int, holder: int | None) -> bool:
        """Return whether winning the Investigator would win the game: another seat holds it, and one color is left."""
        return holder is not None and holder != seat and max(self.stashes[seat]) == sum(self.stashes[seat])

    def _needed_symbols(self, token: int, streets: int | None) -> list[int]:
        """Return, by seat, the strongest rival's expected symbols times 6, including the bonus of the Streets."""
        bonus = [_STEPS * self.on_streets if seat == streets else 0 for seat in range(len(self.stashes))]
        expected = [_sixths(stash, token) + extra for stash, extra in zip(self.stashes, bonus, strict=True)]
        return [max(expected[:seat] + expected[seat + 1 :]) - extra for seat, extra in enumerate(bonus)]


@lru_cache(10_000)
def _sixths(stash: Dice, token: int) -> int:
    return sum([count * _SIXTHS[color][token] for color, count in enumerate(stash)])


@lru_cache(10_000)
def _chance_to_win(symbols: int, needed: int) -> float:
    """Return the approximate chance that a number of symbols wins a token; 0 symbols cannot (G6)."""
    if not symbols:
        return 0.0
    ahead = (symbols - needed / _STEPS) / _SPREAD
    return 0.5 + 0.5 * ahead / sqrt(1 + ahead * ahead)


@lru_cache(50_000)
def _expected(stash: Dice, token: int, needed: int) -> float:
    mean = 0.0
    for symbols, chance in enumerate(_counts(stash, token)):
        mean += chance * _chance_to_win(symbols, needed)
    return mean


@lru_cache(10_000)
def _counts(stash: Dice, token: int) -> Sequence[float]:
    counts = [1.0]
    for color in COLORS:
        chance = _CHANCE[color][token]
        for _ in range(stash[color]):
            with_it = [0.0, *[count * chance for count in counts]]
            without = [*[count * (1 - chance) for count in counts], 0.0]
            counts = [one + other for one, other in zip(with_it, without, strict=True)]
    return counts
