"""Sensible: bases its stake on the kind of warning, and chooses rerolls by simulation.

Teaches: simulation.  To judge a reroll, roll it two dozen times with `self.rng` and check each result against
the card.  This needs no table of odds, and works for new warnings.
"""

from math import fsum

from gangland import gang_of_dice

SIMULATIONS = 24  # simulated rolls for each candidate
MIN_POOL = 3  # dice to keep in the pool


class SensibleGang(gang_of_dice.Bot):
    """Stake a number of dice that suits the warning, and stop when no reroll looks better."""

    def choose_dice(self, view):
        stake = safe_stake(view.card)
        if view.best_total > 4 * stake:  # the leader is too strong: risk little
            stake = 1
        if view.table > 9 and view.card.black:
            stake += 1
        return max(1, min(stake, view.pool - MIN_POOL))

    def choose_reroll(self, view):
        best, best_worth = [], 0.0
        if not view.triggered:
            best_worth = self.worth(view, view.dice)
        for reroll in candidates(view):
            worth = self.simulate(view, reroll)
            if worth > best_worth:
                best, best_worth = reroll, worth
        return best

    def simulate(self, view, reroll):
        """Return the mean worth of a reroll."""
        others = list(view.dice)
        for face in reroll:
            others.remove(face)
        rolls = ([*others, *self.rng.choices(gang_of_dice.FACES, k=len(reroll))] for _ in range(SIMULATIONS))
        return fsum(self.worth(view, roll) for roll in rolls) / SIMULATIONS

    def worth(self, view, dice):
        """Return the worth of final dice: 0 for a bust, little if behind, more if ahead, and most if ahead for good."""
        if view.card.triggered_by(dice):
            return 0.0
        total = sum(dice)
        if not view.would_lead(total, len(dice)):
            return 0.01 * total
        return 10 + total if view.later_seats else 30 + 0.01 * total


def safe_stake(card):
    """Return a number of dice that suits the warning; a die shows 2.5 on average, and more after rerolls."""
    condition = card.condition
    if condition.kind == "total":
        return 1 + condition.number // 5
    if condition.kind == "among":
        return condition.number + 1 if card.yellow else 4
    return condition.number + 1


def candidates(view):
    """Yield promising rerolls: the lowest dice, all dice of a face, and the highest dice if a warning is triggered."""
    dice = view.dice
    for count in range(1, len(dice) + 1):
        yield dice[:count]
        if view.triggered:
            yield dice[-count:]
    for face in set(dice):
        yield (face,) * dice.count(face)
