"""Lessons that teach a game by playing it: a module a game, named as its package is, with `LESSON`.

A game without one has no lesson, and no page links to it.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec

from gangland.games import GAME_NAMES, package_of
from gangland_ladder.playing.lessons.lesson import Lesson


def lesson_of(game: str) -> Lesson | None:
    """Return the lesson of a game, None if it has none or there is no such game."""
    return _lesson_of(game) if game in GAME_NAMES else None


@cache
def _lesson_of(game: str) -> Lesson | None:
    module = f"{__name__}.{package_of(game)}"
    if find_spec(module) is None:
        return None
    found: Lesson = import_module(module).LESSON
    return found
