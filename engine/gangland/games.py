"""The registered games, by name."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from gangland.game import Game

GAME_NAMES = ("gangster-dice", "gang-of-dice")
"""The games, in the order in which pages list them.  A game's rules are `GAME` in `gangland.<package>.rules`."""

FIRST_GAME = "gang-of-dice"
"""The simplest game, which is the default of forms and commands."""


def package_of(name: str) -> str:
    """Return the name of a game's packages and folders."""
    return name.replace("-", "_")


@cache
def game_named(name: str) -> Game[Any]:
    """Return the game of this name.  Raises ValueError: there is no such game; the message lists all."""
    if name not in GAME_NAMES:
        raise ValueError(f"unknown game {str(name)[:80]!r}; the games are {', '.join(GAME_NAMES)}")
    rules = import_module(f"gangland.{package_of(name)}.rules")
    game: Game[Any] = rules.GAME
    return game
