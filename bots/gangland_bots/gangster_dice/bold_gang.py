"""Bold: bids its best favors on the Investigator, at any price.

Teaches: `view.strength`, and that a bot only needs to bid; for all other questions the defaults of
the base class are enough.
"""

from gangland import gangster_dice
from gangland.gangster_dice import Bid, Token

APPETITE = {Token.INVESTIGATOR: 3, Token.STREETS: 2, Token.SPEAKEASY: 1, Token.LAWYER: 0}


class BoldGang(gangster_dice.Bot):
    """Bid the best favors on the tokens that get rid of dice fastest."""

    def choose_bids(self, view):
        tokens = sorted(view.legal_tokens, key=lambda token: self.appetite(view, token), reverse=True)
        favors = sorted(view.hand, reverse=True)
        return [Bid(token, favor) for token, favor in zip(tokens[: view.bids_required], favors, strict=False)]

    def appetite(self, view, token):
        """Return the value of a token: of its effect, and of the chance to win it."""
        value = APPETITE[token]
        if token == Token.INVESTIGATOR and view.investigator.holder == view.seat:
            value = 3 if any(view.investigator.dice) else 0  # pass it on before it returns dice
        return value + view.strength(token)
