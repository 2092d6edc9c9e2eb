"""Find a package's submodule for a game, which has the same name as the game's package."""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from gangland.games import GAME_NAMES, package_of


def module_of(package: str, game: str) -> ModuleType | None:
    """Return a package's submodule for a game, or None."""
    return _module_of(package, game) if game in GAME_NAMES else None  # unknown names must not fill the cache


@cache
def _module_of(package: str, game: str) -> ModuleType | None:
    name = f"{package}.{package_of(game)}"
    return None if find_spec(name) is None else import_module(name)
