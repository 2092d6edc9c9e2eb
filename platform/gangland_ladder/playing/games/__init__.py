"""Of what the decisions of each game are put together: a module a game, named as its package is, with `spelling`.

Of a game without one, each decision is a part of its own: it is picked from the list.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gangland.game import Decision, Game
from gangland.view import View
from gangland_ladder.common.game_modules import module_of
from gangland_ladder.playing.parts import Enumerated, Part, Spelling
from gangland_ladder.viewer.games import decision_in_words


def legal_of(game: Game[Any], view: View, state: Any) -> Sequence[Decision]:
    """Return every legal decision of a view's question; off its state where a game reads none off a view."""
    try:
        return game.choices_of(view)
    except NotImplementedError:
        return game.choices(state, view.seat)  # type: ignore[attr-defined]


def spelling_of(game: Game[Any], view: View, kind: str, state: Any) -> Spelling:
    """Return how the legal decisions of a view's question are put together; the view was made from the state."""
    module = module_of(__name__, game.name)
    if module is None:
        return plain(game, kind, legal_of(game, view, state))
    found: Spelling = module.spelling(view, kind)
    return found


def plain(game: Game[Any], kind: str, decisions: Sequence[Decision]) -> Spelling:
    """Return decisions as parts of their own, typed as #1 and so on."""
    parts = [
        Part(f"choice:{number}", decision_in_words(game.name, kind, decision), (f"#{number}",))
        for number, decision in enumerate(decisions, 1)
    ]
    return Enumerated(decisions, lambda decision: (parts[decisions.index(decision)].id,), parts)
