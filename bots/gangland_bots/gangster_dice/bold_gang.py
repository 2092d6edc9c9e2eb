"""Bold: bids its best favors on the tokens that it wants the most, usually the Investigator.

Teaches: how to use `view.strength`.  A bot only has to bid; the base class answers all other questions.
"""

from gangland import gangster_dice
from gangland.gangster_dice import Bid, Token

APPETITE = {Token.INVESTIGATOR: 3, Token.STREETS: 2, Token.SPEAKEASY: 1, Token.LAWYER: 0}


class BoldGang(gangster_dice.Bot):
    """Bid the best favors on tokens that the bot can win and that get rid of dice quickly."""

    def choose_bids(self, view):
        tokens = sorted(view.legal_tokens, key=lambda token: self.appetite(view, token), reverse=True)
        favors = sorted(view.hand, reverse=True)
        return [Bid(token, favor) for token, favor in zip(tokens[: view.bids_required], favors, strict=False)]

    def appetite(self, view, token):
        """Return how much the bot wants a token: the value of its effect plus the bot's strength on it."""
        value = APPETITE[token]
        if token == Token.INVESTIGATOR and view.investigator.holder == view.seat:
            value = 3 if any(view.investigator.dice) else 0  # hand it on before dice must be taken from it
        return value + view.strength(token)
