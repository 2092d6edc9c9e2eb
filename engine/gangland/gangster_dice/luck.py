"""What dice brought a seat beyond what it could expect, in wins (Gangster Dice).

A symbol is worth what it does for winning its token: little as a rule, and a game where a win of the
token would end it.  A seat's luck is the worth of the symbols that it rolled less their worth on
average before they fell, given all stashes and tokens.  So its mean is 0 whatever a seat decides.
Two tokens count, the Investigator and the Streets: only by them do dice leave a stash.

Sums run in a fixed order and need no function that machines round differently.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import Final

from gangland.game import Event
from gangland.gangster_dice.cards import COLOURS, DIE_FACES, INVESTIGATOR, NO_DICE, STREETS, TOKENS, Dice
from gangland.gangster_dice.rounds import Faces


@dataclass(frozen=True, slots=True)
class Worth:
    """What the chance to win a token is worth, in wins; a token that ends the game counts as one.

    Attributes:
        investigator: as a rule; denied: more, where a rival would end the game by winning the Investigator.
        streets: as a rule; last_die: for a seat that holds the Streets and has one die left, to place there.
    """

    investigator: float
    denied: float
    streets: float
    last_die: float


WORTH: Final = {
    2: Worth(investigator=0.09, denied=0.66, streets=0.15, last_die=0.37),
    3: Worth(investigator=0.13, denied=0.27, streets=0.07, last_die=0.92),
    4: Worth(investigator=0.09, denied=0.13, streets=0.06, last_die=1.2),
}
"""By the number of seats: fitted to the places of 4,000 games of house bots each, in which a win is 1."""

Aim = tuple[int, int, float]
"""A token, how many symbols it takes (times 6), and what winning it is worth."""

_ENDS: Final = 1.0
_SPREAD: Final = 1.8
"""How many symbols more or fewer make a win likely or unlikely: favors and rivals' dice blur it."""
_STEPS: Final = 6
"""What a rival may expect is a multiple of 1/6 of a symbol."""
_CHANCE: Final = tuple([tuple([faces.count(token) / len(faces) for token in TOKENS]) for faces in DIE_FACES])
"""By colour and token, the chance that a die shows the symbol."""
_SIXTHS: Final = tuple([tuple([faces.count(token) for token in TOKENS]) for faces in DIE_FACES])


def course(seats: int, events: Iterable[Event]) -> Iterator[tuple[float, ...]]:
    """Yield each seat's luck in wins after every event of a game or of a first part of it."""
    luck = [0.0] * seats
    table = _Seen(seats)
    for event in events:
        kind = event[0]
        if kind == "rolled":
            table.rolled(event[1], event[2])
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


class _Seen:
    __slots__ = ("aims", "holders", "on_streets", "stashes", "symbols")

    def __init__(self, seats: int) -> None:
        self.holders: list[int | None] = [None] * len(TOKENS)
        self.on_streets = 0
        self.stashes: list[Dice] = [NO_DICE] * seats
        self.symbols: list[tuple[int, ...]] = [()] * seats
        self.aims: list[tuple[Aim, Aim]] = []

    def rolled(self, seat: int, faces: Faces) -> None:
        white, red, blue = faces
        up = white + red + blue
        self.stashes[seat] = (len(white), len(red), len(blue))
        self.symbols[seat] = (up.count(INVESTIGATOR), up.count(STREETS))

    def roll(self) -> list[float]:
        self.aims = self._aims()
        lucks = []
        for stash, symbols, aims in zip(self.stashes, self.symbols, self.aims, strict=True):
            luck = 0.0
            for (token, needed, worth), shown in zip(aims, symbols, strict=True):
                luck += worth * (_chance_to_win(shown, needed) - _expected(stash, token, needed))
            lucks.append(luck)
        return lucks

    def reroll(self, seat: int, colour: int, old: int, new: int) -> float:
        luck, after = 0.0, []
        for (token, needed, worth), shown in zip(self.aims[seat], self.symbols[seat], strict=True):
            kept = shown - (old == token)
            without, with_it = _chance_to_win(kept, needed), _chance_to_win(kept + 1, needed)
            chance = _CHANCE[colour][token]
            came = with_it if new == token else without
            luck += worth * (came - (chance * with_it + (1 - chance) * without))
            after.append(kept + (new == token))
        self.symbols[seat] = tuple(after)
        return luck

    def _aims(self) -> list[tuple[Aim, Aim]]:
        """Return by seat what it takes to win the Investigator and the Streets and what that is worth."""
        worth, holder, streets = WORTH[len(self.stashes)], self.holders[INVESTIGATOR], self.holders[STREETS]
        ends = [self._may_end(seat, holder) for seat in range(len(self.stashes))]
        finding, placing = self._needed(INVESTIGATOR, streets), self._needed(STREETS, streets)
        aims: list[tuple[Aim, Aim]] = []
        for seat, stash in enumerate(self.stashes):
            found = _ENDS if ends[seat] else worth.investigator
            if sum(ends) > ends[seat]:
                found += worth.denied
            placed = worth.last_die if streets == seat and sum(stash) == 1 else worth.streets
            aims.append(((INVESTIGATOR, finding[seat], found), (STREETS, placing[seat], placed)))
        return aims

    def _may_end(self, seat: int, holder: int | None) -> bool:
        """Return whether the seat wins the game if it wins the Investigator: another holds it, one colour is left."""
        return holder is not None and holder != seat and max(self.stashes[seat]) == sum(self.stashes[seat])

    def _needed(self, token: int, streets: int | None) -> list[int]:
        """Return by seat how many symbols the strongest rival may expect, the bonus of the Streets in, times 6."""
        bonus = [_STEPS * self.on_streets if seat == streets else 0 for seat in range(len(self.stashes))]
        expected = [_sixths(stash, token) + more for stash, more in zip(self.stashes, bonus, strict=True)]
        return [max(expected[:seat] + expected[seat + 1 :]) - more for seat, more in enumerate(bonus)]


@lru_cache(10_000)
def _sixths(stash: Dice, token: int) -> int:
    return sum([count * _SIXTHS[colour][token] for colour, count in enumerate(stash)])


@lru_cache(10_000)
def _chance_to_win(shown: int, needed: int) -> float:
    """Return about how likely so many symbols win a token; none cannot (G6)."""
    if not shown:
        return 0.0
    ahead = (shown - needed / _STEPS) / _SPREAD
    return 0.5 + 0.5 * ahead / sqrt(1 + ahead * ahead)


@lru_cache(50_000)
def _expected(stash: Dice, token: int, needed: int) -> float:
    mean = 0.0
    for shown, chance in enumerate(_counts(stash, token)):
        mean += chance * _chance_to_win(shown, needed)
    return mean


@lru_cache(10_000)
def _counts(stash: Dice, token: int) -> Sequence[float]:
    counts = [1.0]
    for colour in COLOURS:
        chance = _CHANCE[colour][token]
        for _ in range(stash[colour]):
            with_it = [0.0, *[each * chance for each in counts]]
            without = [*[each * (1 - chance) for each in counts], 0.0]
            counts = [one + other for one, other in zip(with_it, without, strict=True)]
    return counts
