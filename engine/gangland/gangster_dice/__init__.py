"""Gangster Dice for bot authors: `from gangland import gangster_dice`.  Win by getting rid of your dice.

A bot imports `Bot`, `Bid`, `Token` and `Colour` from here; its methods get a `View`.
"""

from gangland.gangster_dice.bot import NO_EXCHANGE, Bid, Bot, Die, Exchange
from gangland.gangster_dice.cards import (
    COLOUR_NAMES,
    DECK,
    DIE_FACES,
    EXCHANGE_LIMIT,
    SPECIAL,
    SPECIALS,
    SYMBOL_NAMES,
    TOKEN_NAMES,
    Colour,
    Dice,
    Token,
)
from gangland.gangster_dice.characters import HOUSE_SET, Character
from gangland.gangster_dice.options import Options
from gangland.gangster_dice.rules import GAME
from gangland.gangster_dice.views import Player, ScoredBid, TokenView, View

__all__ = ["COLOUR_NAMES", "DECK", "DIE_FACES", "EXCHANGE_LIMIT", "GAME", "HOUSE_SET", "NO_EXCHANGE", "SPECIAL"]
__all__ += ["SPECIALS", "SYMBOL_NAMES", "TOKEN_NAMES", "Bid", "Bot", "Character", "Colour", "Dice", "Die", "Exchange"]
__all__ += ["Options", "Player", "ScoredBid", "Token", "TokenView", "View"]
