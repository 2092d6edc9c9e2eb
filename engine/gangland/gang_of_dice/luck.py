"""What dice brought a seat beyond what it could expect, in dice of the table (Gang of Dice).

Every roll is worth what a plain player makes of it: stop, or roll all dice again, whichever is worth
more; a final roll is worth the dice on the table if it is valid and leads, by the chance that no
later seat beats it with one roll.  A seat's luck is what its rolls are worth less what they were
worth on average before they fell, given its stake and the dice that it kept.  So its mean is 0
whatever a seat decides.  The cards are the same for all seats and nobody's luck.

Sums run in a fixed order, so that all machines and Pythons give the same bits.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from gangland.game import Event
from gangland.gang_of_dice.state import POOLS, ROLLS
from gangland.gang_of_dice.warnings import FACES, NUMBER_OF, NUMBERS, WARNINGS, Condition, WarningCard

_MOST: Final = 16
"""Turns with more dice are left out, to bound the work: a bot that wants to win seldom stakes more than 8."""
_TABLE: Final = 16
"""A table of more dice counts as one of so many: else a few huge tables of wild play outweigh all other luck."""
_CAP: Final = _MOST * max(NUMBERS)
"""No total of a turn that counts is above."""
_ANSWER: Final = 8
"""The most dice that a later seat is thought to answer with."""

Shape = tuple[int, ...]
"""Of some dice, those that matter to a warning's condition."""
Chances = Sequence[float]
"""By sum of the dice rolled, the chance that they have it and trigger nothing; what is missing to 1 triggers."""
Leader = tuple[int, bool]
"""The total to beat, -1 for none, and whether more dice would win a tie (D15)."""


def course(seats: int, events: Iterable[Event]) -> Iterator[tuple[float, ...]]:
    """Yield each seat's luck in dice of the table after every event of a game or of a first part of it."""
    luck = [0.0] * seats
    turn = _Turns()
    for event in events:
        kind = event[0]
        if kind == "rolled":
            luck[event[1]] += turn.roll(*event[2:])
        elif kind == "round":
            turn.begin_round(*event[2:])
        elif kind == "stood":
            turn.stand(event[2])
        elif kind == "busted":
            turn.later -= 1
        yield tuple(luck)


class _Turns:
    """Follows the turns of a round; `later` is how many seats have theirs after the one that plays."""

    __slots__ = ("best", "dice", "later", "odds", "on_table")

    def begin_round(self, card: str, order: Sequence[int], carried: int, bonus: int) -> None:
        self.odds = _odds(WARNINGS[NUMBER_OF[card]])
        self.on_table = carried + bonus
        self.later = len(order) - 1
        self.best = (-1, 0)
        self.dice: Sequence[int] = ()

    def roll(self, number: int, again: Sequence[int], drawn: Sequence[int], dice: Sequence[int]) -> float:
        stake = len(dice)
        if number == 1:
            self.on_table += stake
            kept = []
        else:
            kept = list(self.dice)
            for face in again:
                kept.remove(face)
        self.dice = dice
        if stake > _MOST:
            return 0.0
        total, most = self.best
        place = ((min(total, _CAP), stake > most), self.later, stake, ROLLS - number)
        expected = self.odds.expected(*place, self.odds.shape(tuple(kept)), sum(kept), len(drawn))
        luck = self.odds.worth(*place, dice) - expected
        return min(self.on_table + self.later, _TABLE) * luck  # a later seat stakes one die at least

    def stand(self, total: int) -> None:
        self.best = max(self.best, (total, len(self.dice)))
        self.later -= 1


class _Odds:
    """The odds under one warning, worked out once and kept.

    All 24 warnings together keep less than 30 MB, whatever bots stake; play of house bots fills half of that.
    """

    def __init__(self, card: WarningCard) -> None:
        self.card = card
        self.limit = card.condition.number if card.condition.kind == "total" else _CAP + 1
        self.matters = _matters(card.condition)
        self.shape = lru_cache(1_500)(self._shape)
        self.chances = lru_cache(3_000)(self._chances)
        self.unbeaten = lru_cache(_CAP + 1)(self._unbeaten)
        self.stands = lru_cache(max(POOLS))(self._stands)
        self.again = lru_cache(500)(self._again)
        self.expected = lru_cache(1_000)(self._expected)

    def _shape(self, dice: tuple[int, ...]) -> Shape | None:
        """Return what of the dice matters; None if they trigger the warning."""
        if self.card.triggered_by(dice):
            return None
        return tuple([face for face in FACES for _ in range(min(dice.count(face), self.matters[face]))])

    def _chances(self, shape: Shape | None, count: int) -> Chances:
        """Return the chances of `count` dice rolled beside kept ones of this shape, a limit of the total left out."""
        if shape is None:
            return ()
        if not count:
            return (1.0,)
        chances = [0.0] * (count * max(NUMBERS) + 1)
        for face in FACES:
            joined = self.shape(tuple(sorted((*shape, face))))
            for more, chance in enumerate(self.chances(joined, count - 1)):
                chances[more + face] += chance
        return array("d", [chance / len(FACES) for chance in chances])  # a quarter of the memory of a tuple

    def _unbeaten(self, total: int) -> float:
        beats = 0.0
        for dice in range(1, _ANSWER + 1):
            chance = 0.0
            for each in self.chances((), dice)[total + 1 : self.limit]:
                chance += each
            beats = max(beats, chance)
        return 1 - beats

    def _stands(self, later: int) -> tuple[float, ...]:
        chances = [1.0] * (_CAP + 1)
        for _ in range(later):
            chances = [chance * self.unbeaten(total) for total, chance in enumerate(chances)]
        return tuple(chances)

    def _again(self, leader: Leader, later: int, stake: int, left: int) -> float:
        """Return what it is worth to roll all dice again, as a share of the table; 0 where no reroll is left."""
        return self.expected(leader, later, stake, left - 1, (), 0, stake) if left else 0.0

    def worth(self, leader: Leader, later: int, stake: int, left: int, dice: Sequence[int]) -> float:
        """Return what a roll is worth as a share of the table.

        Args:
            left: rerolls left; a triggered yellow warning ends the turn all the same (D11).
        """
        again, total = self.again(leader, later, stake, left), sum(dice)
        if self.card.triggered_by(dice):
            return 0.0 if self.card.yellow else again
        return max(again, self.stands(later)[total]) if total >= _to_lead(leader) else again

    def _expected(
        self, leader: Leader, later: int, stake: int, left: int, shape: Shape | None, kept: int, count: int
    ) -> float:
        """Return what the roll of `count` dice is worth on average, beside kept ones of this shape and total."""
        again, stands, least = self.again(leader, later, stake, left), self.stands(later), _to_lead(leader)
        valid = mean = 0.0
        for total, chance in enumerate(self.chances(shape, count)[: max(0, self.limit - kept)], kept):
            valid += chance
            mean += chance * (max(again, stands[total]) if total >= least else again)
        return mean + (1 - valid) * (0.0 if self.card.yellow else again)


def _to_lead(leader: Leader) -> int:
    best, ties = leader
    return best if ties else best + 1


@lru_cache(100)
def _odds(card: WarningCard) -> _Odds:
    return _Odds(card)


def _matters(condition: Condition) -> tuple[int, ...]:
    """Return by face up to how many dice of it a condition looks at; "total" looks at the sum alone."""
    if condition.kind == "among":
        return tuple([condition.number if face in condition.faces else 0 for face in FACES])
    most = {"total": 0, "equal": condition.number, "pairs": 2}.get(condition.kind, 1)
    return tuple([most if face in NUMBERS else 0 for face in FACES])
