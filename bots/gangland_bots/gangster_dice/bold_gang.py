"""Bold: after the Investigator with all it has, and never mind what it costs.

Teaches: `view.strength`, and that a bot needs no more than bids; for all else the defaults of
the base class do.
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
        """Return how much a token is wanted: by what it does, and by how well it can be bid on."""
        wanted = APPETITE[token]
        if token == Token.INVESTIGATOR and view.investigator.holder == view.seat:
            wanted = 3 if any(view.investigator.dice) else 0  # pass it on before it gives dice back
        return wanted + view.strength(token)
