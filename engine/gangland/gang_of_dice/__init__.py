"""Gang of Dice for bot authors: `from gangland import gang_of_dice`.

Roll dice, and reroll up to twice.  The highest total that does not trigger the warning takes all dice on the table.
The player with the most dice after 12 rounds wins.
"""

from gangland.gang_of_dice.bot import Bot
from gangland.gang_of_dice.rules import GAME
from gangland.gang_of_dice.state import BONUS, POOLS, ROUNDS, Options
from gangland.gang_of_dice.views import RoundResult, Turn, View
from gangland.gang_of_dice.warnings import (
    DECKS,
    FACES,
    GANGSTER,
    NUMBERS,
    WARNINGS,
    Colour,
    Condition,
    Source,
    WarningCard,
)

__all__ = ["BONUS", "DECKS", "FACES", "GAME", "GANGSTER", "NUMBERS", "POOLS", "ROUNDS", "WARNINGS", "Bot", "Colour"]
__all__ += ["Condition", "Options", "RoundResult", "Source", "Turn", "View", "WarningCard"]
