"""What is known of each game beyond its rules: a folder a game, named as its package is.

A folder has `MEASURED`, `COLUMNS`, `AMOUNTS` and `row` in its `__init__`, and `reference`, a module with
`reference(seats, options, seed)` and `version()`.  A game without one counts as unmeasured, its decisions have no
columns of their own, and it is not analysed.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from gangland.games import GAME_NAMES, game_named, package_of
from gangland_ladder.analysis.measured import UNMEASURED, Measured
from gangland_ladder.analysis.reference import Reference
from gangland_ladder.common.game_modules import module_of


def analysis_of(game: str) -> ModuleType | None:
    """Return the folder of a game, None if it has none."""
    return module_of(__name__, game)


def measured(game: str, seats: int) -> Measured | None:
    """Return what was measured at a game's table of so many seats, `UNMEASURED` if nothing was; None for no table."""
    if game not in GAME_NAMES or seats not in game_named(game).table_sizes:
        return None
    found = analysis_of(game)
    tables: dict[int, Measured] = {} if found is None else found.MEASURED
    return tables.get(seats, UNMEASURED)


def reference_of(game: str, seats: int, options: Any, seed: int) -> Reference[Any] | None:
    """Return a game's reference for one game at a table, None if it has none.

    Args:
        options: what `Game.options` returned.
        seed: for what it samples.
    """
    if not has_reference(game):
        return None
    made: Reference[Any] | None = _references(game).reference(seats, options, seed)
    return made


def is_amount(game: str, kind: str) -> bool:
    """Tell whether decisions of a kind are an amount of something, so that a mean of them says something."""
    found = analysis_of(game)
    return found is not None and kind in found.AMOUNTS


def has_reference(game: str) -> bool:
    """Tell whether games of this name can be analysed; nothing is loaded for the answer."""
    return analysis_of(game) is not None and find_spec(_module(game)) is not None


def reference_version(game: str) -> str | None:
    """Return the version of a game's reference, None if it has none."""
    return _references(game).version() if has_reference(game) else None


def _references(game: str) -> ModuleType:
    return import_module(_module(game))


def _module(game: str) -> str:
    return f"{__name__}.{package_of(game)}.reference"
