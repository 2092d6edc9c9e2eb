"""Bust: what a bot author needs, `from gangland import bust`.

Twelve rounds.  In each, all seats decide at once to roll or to bank, then one die is thrown for all.  Who banks keeps
what it has at risk.  Who rolls adds the die's pips to what it has at risk, but a 1 wipes that out.  Most banked wins.
"""

from gangland.bust.bot import BANK, ROLL, Bot
from gangland.bust.views import View

__all__ = ["BANK", "ROLL", "Bot", "View"]
