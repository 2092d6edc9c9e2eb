"""Hoarding: collects dice of one color at the Speakeasy, then puts all of them on the Investigator at once.

Teaches: a plan over several rounds, and its choices: which dice to exchange, stake and take.
The view always shows how far the plan has come, so the bot needs no memory.
"""

from gangland import gangster_dice
from gangland.gangster_dice import Bid, Colour, Exchange, Token


class HoardingGang(gangster_dice.Bot):
    """Collect one color, then dump it."""

    def choose_bids(self, view):
        tokens = sorted(view.legal_tokens, key=lambda token: self.rate(view, token), reverse=True)
        favors = sorted(view.hand, reverse=True)
        first, second = favors[0], favors[-1]  # the best favor for the first choice, the worst for the second
        return [Bid(token, favor) for token, favor in zip(tokens[: view.bids_required], (first, second), strict=False)]

    def rate(self, view, token):
        return self.usefulness(view)[token] + 0.5 * view.strength(token)

    def usefulness(self, view):
        """Return the current usefulness of each token."""
        total, hoard = sum(view.dice), max(view.dice)
        elsewhere = view.investigator.holder not in (None, view.seat)
        chased = view.investigator.holder == view.seat and any(view.investigator.dice)
        return {
            Token.INVESTIGATOR: hoard if elsewhere else 2 if chased else 1,
            Token.SPEAKEASY: 0.5 * (total - hoard),
            Token.STREETS: 2.5 if total - hoard == 1 or total == 1 else 1,
            Token.LAWYER: 1.5 if chased else 0.5,
        }

    def choose_exchange(self, view):
        color = max(Colour, key=lambda color: view.dice[color] + view.speakeasy.dice[color])
        others = [other for other in Colour for _ in range(view.dice[other]) if other != color]
        count = min(3, len(others), view.speakeasy.dice[color])
        return Exchange.of(others[:count], [color] * count)

    def choose_stake(self, view):
        hoard = max(Colour, key=lambda color: view.spare[color])
        others = [color for color in Colour if color != hoard and view.spare[color]]
        if others:
            return min(others, key=lambda color: view.spare[color])
        return hoard if sum(view.spare) <= 2 else None  # a large hoard stays together

    def choose_take(self, view):
        if view.protected:
            return None
        return max(view.take_colours, key=lambda color: view.dice[color])  # the die adds to the hoard
