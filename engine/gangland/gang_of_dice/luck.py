"""Luck in Gang of Dice: the value of each seat's dice beyond their expected value, in dice won from the table.

A roll is worth the better of two choices: to stop, or to reroll all dice.  A valid final roll that leads is worth the
dice on the table, times the chance that no later seat beats it with one roll.  A seat's luck is the worth of its rolls
minus their mean worth just before, given the stake and the dice that were kept.  So its mean is 0 for any decisions.
Cards do not count, because they are the same for all seats.

Sums are computed in a fixed order, so the result is the same to the last bit on all machines and Python versions.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from gangland.game import Event
from gangland.gang_of_dice.state import POOLS, ROLLS
from gangland.gang_of_dice.warnings import FACES, NUMBER_OF, NUMBERS, WARNINGS, Condition, WarningCard

# Turns with more dice do not count, which limits the computation.  A bot that wants to win seldom stakes more than 8.
_MAX_STAKE: Final = 16
# A larger table counts as this number of dice; otherwise a few huge tables would outweigh all other luck.
_MAX_TABLE: Final = 16
_MAX_TOTAL: Final = _MAX_STAKE * max(NUMBERS)
"""The highest total of a turn that counts."""
_MAX_RIVAL_DICE: Final = 8
"""The maximum number of dice in the assumed roll of a later seat."""

Shape = tuple[int, ...]
"""The part of a set of dice that matters to a warning's condition."""
Chances = Sequence[float]
"""For each sum of the rolled dice, its chance without a trigger; they add up to 1 minus the chance of a trigger."""
Leader = tuple[int, bool]
"""The total to beat, -1 for none, and whether more dice would win a tie (D15)."""


def course(seats: int, events: Iterable[Event]) -> Iterator[tuple[float, ...]]:
    """Yield all seats' luck, in dice won from the table, after each event since the start of a game."""
    luck = [0.0] * seats
    turns = _Turns()
    for event in events:
        kind = event[0]
        if kind == "rolled":
            luck[event[1]] += turns.roll(*event[2:])
        elif kind == "round":
            turns.begin_round(*event[2:])
        elif kind == "stood":
            turns.stand(event[2])
        elif kind == "busted":
            turns.later -= 1
        yield tuple(luck)


class _Turns:
    """The turns of a round; `later` is the number of seats whose turn comes after the current one."""

    __slots__ = ("best", "dice", "later", "odds", "on_table")

    def begin_round(self, card: str, order: Sequence[int], carried: int, bonus: int) -> None:
        self.odds = _odds(WARNINGS[NUMBER_OF[card]])
        self.on_table = carried + bonus
        self.later = len(order) - 1
        self.best = (-1, 0)
        self.dice: Sequence[int] = ()

    def roll(self, number: int, rerolled: Sequence[int], drawn: Sequence[int], dice: Sequence[int]) -> float:
        stake = len(dice)
        if number == 1:
            self.on_table += stake
            others = []
        else:
            others = list(self.dice)
            for face in rerolled:
                others.remove(face)
        self.dice = dice
        if stake > _MAX_STAKE:
            return 0.0
        total, best_stake = self.best
        situation = ((min(total, _MAX_TOTAL), stake > best_stake), self.later, stake, ROLLS - number)
        expected = self.odds.expected(*situation, self.odds.shape(tuple(others)), sum(others), len(drawn))
        luck = self.odds.worth(*situation, dice) - expected
        return min(self.on_table + self.later, _MAX_TABLE) * luck  # a later seat stakes at least one die

    def stand(self, total: int) -> None:
        self.best = max(self.best, (total, len(self.dice)))
        self.later -= 1


class _Odds:
    """The odds under one warning, cached; for all 24 warnings this takes less than 30 MB."""

    def __init__(self, card: WarningCard) -> None:
        self.card = card
        self.limit = card.condition.number if card.condition.kind == "total" else _MAX_TOTAL + 1
        self.relevant_counts = _relevant_counts(card.condition)
        self.shape = lru_cache(1_500)(self._shape)
        self.chances = lru_cache(3_000)(self._chances)
        self.unbeaten_chance = lru_cache(_MAX_TOTAL + 1)(self._unbeaten_chance)
        self.hold_chances = lru_cache(max(POOLS))(self._hold_chances)
        self.reroll_worth = lru_cache(500)(self._reroll_worth)
        self.expected = lru_cache(1_000)(self._expected)

    def _shape(self, dice: tuple[int, ...]) -> Shape | None:
        """Return the part of the dice that matters, or None if they trigger the warning."""
        if self.card.triggered_by(dice):
            return None
        return tuple([face for face in FACES for _ in range(min(dice.count(face), self.relevant_counts[face]))])

    def _chances(self, shape: Shape | None, count: int) -> Chances:
        """Return the chances of `count` dice, rolled with other dice of this shape, without a limit on the total."""
        if shape is None:
            return ()
        if not count:
            return (1.0,)
        chances = [0.0] * (count * max(NUMBERS) + 1)
        for face in FACES:
            joined = self.shape(tuple(sorted((*shape, face))))
            for added, chance in enumerate(self.chances(joined, count - 1)):
                chances[added + face] += chance
        return array("d", [chance / len(FACES) for chance in chances])  # a quarter of the memory of a tuple

    def _unbeaten_chance(self, total: int) -> float:
        best_chance = 0.0
        for dice in range(1, _MAX_RIVAL_DICE + 1):
            chance = 0.0
            for chance_of_total in self.chances((), dice)[total + 1 : self.limit]:
                chance += chance_of_total
            best_chance = max(best_chance, chance)
        return 1 - best_chance

    def _hold_chances(self, later: int) -> tuple[float, ...]:
        chances = [1.0] * (_MAX_TOTAL + 1)
        for _ in range(later):
            chances = [chance * self.unbeaten_chance(total) for total, chance in enumerate(chances)]
        return tuple(chances)

    def _reroll_worth(self, leader: Leader, later: int, stake: int, rerolls_left: int) -> float:
        """Return the worth of rerolling all dice, as a share of the table; 0 if no reroll is left."""
        return self.expected(leader, later, stake, rerolls_left - 1, (), 0, stake) if rerolls_left else 0.0

    def worth(self, leader: Leader, later: int, stake: int, rerolls_left: int, dice: Sequence[int]) -> float:
        """Return the worth of a roll as a share of the table, with `rerolls_left` rerolls left."""
        reroll, total = self.reroll_worth(leader, later, stake, rerolls_left), sum(dice)
        if self.card.triggered_by(dice):
            return 0.0 if self.card.yellow else reroll  # yellow: the turn ends even with rerolls left (D11)
        return max(reroll, self.hold_chances(later)[total]) if total >= _leading_total(leader) else reroll

    def _expected(
        self, leader: Leader, later: int, stake: int, rerolls_left: int, shape: Shape | None, base: int, count: int
    ) -> float:
        """Return the mean worth of a roll of `count` dice, with other dice of this shape and total `base`."""
        reroll, hold_chances, leading_total = (
            self.reroll_worth(leader, later, stake, rerolls_left),
            self.hold_chances(later),
            _leading_total(leader),
        )
        valid = mean = 0.0
        for total, chance in enumerate(self.chances(shape, count)[: max(0, self.limit - base)], base):
            valid += chance
            mean += chance * (max(reroll, hold_chances[total]) if total >= leading_total else reroll)
        return mean + (1 - valid) * (0.0 if self.card.yellow else reroll)


def _leading_total(leader: Leader) -> int:
    best, ties = leader
    return best if ties else best + 1


@lru_cache(100)
def _odds(card: WarningCard) -> _Odds:
    return _Odds(card)


def _relevant_counts(condition: Condition) -> tuple[int, ...]:
    """Return the maximum number of dice of each face that matter to a condition; "total" uses only the sum."""
    if condition.kind == "among":
        return tuple([condition.number if face in condition.faces else 0 for face in FACES])
    limit = {"total": 0, "equal": condition.number, "pairs": 2}.get(condition.kind, 1)
    return tuple([limit if face in NUMBERS else 0 for face in FACES])
