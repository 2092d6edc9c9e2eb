"""Hoarding: collects dice of one color at the Speakeasy, then puts all of them on the Investigator at once.

Teaches: a plan over several rounds, and its choices: which dice to exchange, stake and take.
The view always shows how far the plan has come, so the bot needs no memory.
"""

from gangland import gangster_dice
from gangland.gangster_dice import Bid, Colour, Exchange, Token


class HoardingGang(gangster_dice.Bot):
    """Collect one color, then dump it."""

    def choose_bids(self, view):
        tokens = sorted(view.legal_tokens, key=lambda token: self.wish(view, token), reverse=True)
        favors = sorted(view.hand, reverse=True)
        first, second = favors[0], favors[-1]  # the best favor for the first choice, the worst for the second
        return [Bid(token, favor) for token, favor in zip(tokens[: view.bids_required], (first, second), strict=False)]

    def wish(self, view, token):
        return self.use(view)[token] + 0.5 * view.strength(token)

    def use(self, view):
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
        colour = max(Colour, key=lambda colour: view.dice[colour] + view.speakeasy.dice[colour])
        others = [other for other in Colour for _ in range(view.dice[other]) if other != colour]
        count = min(3, len(others), view.speakeasy.dice[colour])
        return Exchange.of(others[:count], [colour] * count)

    def choose_stake(self, view):
        hoard = max(Colour, key=lambda colour: view.spare[colour])
        others = [colour for colour in Colour if colour != hoard and view.spare[colour]]
        if others:
            return min(others, key=lambda colour: view.spare[colour])
        return hoard if sum(view.spare) <= 2 else None  # a large hoard stays together

    def choose_take(self, view):
        if view.protected:
            return None
        return max(view.take_colours, key=lambda colour: view.dice[colour])  # the die adds to the hoard
