"""The games there are, by name."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from gangland.game import Game

GAME_NAMES = ("gangster-dice", "gang-of-dice")
"""In the order in which pages list them; the rules of each are `GAME` in `gangland.<its package>.rules`."""

FIRST_GAME = "gang-of-dice"
"""The simplest: what a form or a command begins with."""


def package_of(name: str) -> str:
    """Return what the packages and folders of a game are called."""
    return name.replace("-", "_")


@cache
def game_named(name: str) -> Game[Any]:
    """Return the game of this name.  Raises ValueError: no such game; the message lists those there are."""
    if name not in GAME_NAMES:
        raise ValueError(f"no game {str(name)[:80]!r}; there are {', '.join(GAME_NAMES)}")
    rules = import_module(f"gangland.{package_of(name)}.rules")
    game: Game[Any] = rules.GAME
    return game
