"""Lessons that teach a game by playing it: a module a game, named as its package is, with `LESSON`.

A game without one has no lesson, and no page links to it.
"""

from __future__ import annotations

from gangland_ladder.common.game_modules import module_of
from gangland_ladder.playing.lessons.lesson import Lesson


def lesson_of(game: str) -> Lesson | None:
    """Return the lesson of a game, None if it has none or there is no such game."""
    module = module_of(__name__, game)
    found: Lesson | None = None if module is None else module.LESSON
    return found
