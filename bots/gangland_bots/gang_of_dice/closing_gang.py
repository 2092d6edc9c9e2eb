"""Closing: risks little if it plays early in the round, and stakes just enough to win if it plays late.

Teaches: the order of play.  The last seat knows the total to beat, so it can compute the exact odds of a
roll and stake the fewest dice that are likely to win.
"""

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod

from gangland import gang_of_dice

MAX_STAKE = 5
MIN_CHANCE = 0.4  # minimum chance of winning with the first roll; rerolls increase it
OPENING_DICE = 3


class ClosingGang(gang_of_dice.Bot):
    """Stake little before the others, and just enough after them."""

    def choose_dice(self, view):
        if len(view.later_seats) > 1 or view.best_total < 0:
            stake = 2 if view.card.yellow else OPENING_DICE
            return min(stake, view.pool)
        for dice in range(1, min(MAX_STAKE, view.pool) + 1):
            if chance_to_lead(view.card.id, dice, view.best_total, view.best_stake) >= MIN_CHANCE:
                return dice
        return 1  # the leader is too strong: concede one die

    def choose_reroll(self, view):
        if view.would_lead(view.total, view.stake) and not view.triggered:
            return []
        if view.best_total < 0 and not view.triggered:
            return []  # there is no total to beat yet, so any valid total may win
        return better_reroll(view) or view.dice[:1]


@cache
def chance_to_lead(card_id, dice, best_total, best_stake):
    """Return the chance that one roll of these dice is valid and leads."""
    card = next(card for card in gang_of_dice.WARNINGS if card.id == card_id)
    good = 0
    for faces in combinations_with_replacement(gang_of_dice.FACES, dice):
        if (sum(faces), dice) > (best_total, best_stake) and not card.triggered_by(faces):
            good += ways(faces)
    return good / 6**dice


def ways(faces):
    """Return the number of ways to arrange these faces on the dice."""
    return factorial(len(faces)) // prod(factorial(faces.count(face)) for face in set(faces))


def better_reroll(view):
    """Return the dice to reroll: low dice, and dice that would trigger the warning together with better ones."""
    reroll = list(view.dice)
    for face in sorted(view.dice, reverse=True):
        held = Counter(view.dice) - Counter(reroll)
        if face >= 3 and not view.card.triggered_by([*held.elements(), face]):
            reroll.remove(face)
    return reroll
