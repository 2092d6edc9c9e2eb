"""Sensible: a stake for each kind of warning, and rerolls that it has tried out in its head.

Teaches: judging a reroll by rolling it some dozen times with `self.rng` and asking the card
about each result.  No table of odds is needed, and a new warning is no surprise.
"""

from math import fsum

from gangland import gang_of_dice

TRIES = 24  # imagined rolls for each reroll that is looked at
FEWEST_LEFT = 3  # dice to hold back while others are in play


class SensibleGang(gang_of_dice.Bot):
    """Stake what the warning bears, and stop as soon as no reroll looks better."""

    def choose_dice(self, view):
        want = safe_stake(view.card)
        if view.best_total > 4 * want:  # out of reach: give one die away, not more
            want = 1
        if view.table > 9 and view.card.black:
            want += 1
        return max(1, min(want, view.pool - FEWEST_LEFT))

    def choose_reroll(self, view):
        best, best_worth = [], 0.0
        if not view.triggered:
            best_worth = self.worth(view, view.dice)
        for again in candidates(view):
            worth = self.imagine(view, again)
            if worth > best_worth:
                best, best_worth = again, worth
        return best

    def imagine(self, view, again):
        """Return what a reroll is worth on average."""
        kept = list(view.dice)
        for face in again:
            kept.remove(face)
        rolls = ([*kept, *self.rng.choices(gang_of_dice.FACES, k=len(again))] for _ in range(TRIES))
        return fsum(self.worth(view, roll) for roll in rolls) / TRIES

    def worth(self, view, dice):
        """Return what final dice are worth: nothing if bust, less if somebody leads or can still beat them."""
        if view.card.triggered_by(dice):
            return 0.0
        total = sum(dice)
        if not view.would_lead(total, len(dice)):
            return 0.01 * total
        return 10 + total if view.later_seats else 30 + 0.01 * total


def safe_stake(card):
    """Return how many dice the warning bears: an average die shows 2.5, a rerolled one more."""
    condition = card.condition
    if condition.kind == "total":
        want = 1 + condition.number // 5
    elif condition.kind == "among":
        want = condition.number + 1 if card.yellow else 4
    else:
        want = condition.number + 1
    return want


def candidates(view):
    """Yield rerolls worth a look: the lowest dice, the highest dice, and each single face."""
    dice = view.dice
    for count in range(1, len(dice) + 1):
        yield dice[:count]
        if view.triggered:
            yield dice[-count:]
    for face in set(dice):
        yield (face,) * dice.count(face)
