"""What a package has for one game: a module or folder, named as the game's package is."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from gangland.games import GAME_NAMES, package_of


def module_of(package: str, game: str) -> ModuleType | None:
    """Return what a package has for a game, None if that is nothing or there is no such game."""
    return _module_of(package, game) if game in GAME_NAMES else None  # a cache of whatever is asked for would only grow


@cache
def _module_of(package: str, game: str) -> ModuleType | None:
    name = f"{package}.{package_of(game)}"
    return None if find_spec(name) is None else import_module(name)
