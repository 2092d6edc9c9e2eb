"""Cautious: bids where its lead in symbols is largest, with the cheapest favor that is likely to win.

Teaches: reading the other seats.  `view.opponents` has their rolls; only their favors are hidden.
"""

from gangland import gangster_dice
from gangland.gangster_dice import Bid, Token

WORTH = {Token.LAWYER: 1.5, Token.SPEAKEASY: 0.5, Token.STREETS: 1.0, Token.INVESTIGATOR: 1.2}


class CautiousGang(gangster_dice.Bot):
    """Find the token with the largest lead, and spend no more on it than necessary."""

    def choose_bids(self, view):
        tokens = sorted(view.legal_tokens, key=lambda token: self.worth(view, token), reverse=True)
        favors = list(view.hand)
        bids = []
        for token in tokens[: view.bids_required]:
            favor = self.cheapest(view, token, favors)
            favors.remove(favor)
            bids.append(Bid(token, favor))
        return bids

    def worth(self, view, token):
        worth = WORTH[token]
        if token == Token.INVESTIGATOR and view.investigator.holder != view.seat:
            worth = 0.5 * max(view.dice)
        return worth + self.lead(view, token)

    def lead(self, view, token):
        """Return the bot's lead over the strongest rival on this token, without favors."""
        bonus = sum(view.streets.dice)
        rivals = [
            player.symbols[token] + (bonus if player.seat == view.streets.holder else 0)
            for player in view.opponents
            if player.symbols[token]
        ]
        return view.strength(token) - max(rivals, default=0)

    def cheapest(self, view, token, favors):
        """Return the lowest favor that makes the lead 2 or more, or else the lowest favor."""
        needed = 2 - self.lead(view, token)
        return min((favor for favor in favors if favor >= needed), default=min(favors))
