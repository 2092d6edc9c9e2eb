"""How each game is shown: a folder a game, named as its package is, and found by that name.

A folder has `PRESENTATION` in its `__init__`, and `table.js` if it draws its table in a browser.  A game without a
folder is shown plainly; see `presentation`.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from gangland.games import game_named
from gangland.replay import FAULT
from gangland_ladder.common.game_modules import module_of
from gangland_ladder.viewer.presentation import Presentation


@cache
def presentation_of(game: str) -> Presentation:
    """Return how a game is shown.

    Raises:
        ValueError: no such game.
    """
    rules, module = game_named(game), module_of(__name__, game)
    if module is None:
        return Presentation(rules)
    shown: type[Presentation] = module.PRESENTATION
    return shown(rules)


def decision_in_words(game: str, kind: str, decision: Any) -> str:
    """Return a decision as what a seat does: "rolls 4 dice".

    Args:
        decision: in canonical form, or "fault".
    """
    return "is at fault" if decision == FAULT else presentation_of(game).decision(kind, decision)
