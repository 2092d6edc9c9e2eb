"""Lessons that teach a game: a module named like the game's package, which defines `LESSON`.

A game without a module has no lesson.
"""
