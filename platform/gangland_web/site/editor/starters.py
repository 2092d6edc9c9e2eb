"""Bots to begin with in the browser: the first bot of `gangland new`, and house bots from random to sensible."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from gangland_ladder.local.bots import first_bot, games_to_start_with, house_bots

FIRST: Final = "first_bot"
NAME: Final = "my_gang"
"""What a new bot is called until its author names it."""
_HOUSE: Final = ("random_gang", "cautious_gang", "bold_gang", "sensible_gang")
"""The house bots to begin with, the weakest first."""


@dataclass(frozen=True, slots=True)
class Starter:
    """A bot to begin with: its name in addresses, what stands on its link, and its source."""

    name: str
    title: str
    text: str


@cache
def starters(game: str) -> tuple[Starter, ...]:
    """Return the bots to begin with in a game, the simplest first; none for a game that has no such bot."""
    first = [Starter(FIRST, "First bot", first_bot(NAME, game))] if game in games_to_start_with() else []
    house = house_bots()[game]
    named = [(name, house[name].read_text(encoding="utf-8")) for name in _HOUSE if name in house]
    return (*first, *(Starter(name, name, text) for name, text in named))
