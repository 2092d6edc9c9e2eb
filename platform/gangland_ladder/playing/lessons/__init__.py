"""Lessons that teach a game: a module with `LESSON`, with the name of the game's package.

A game without one has no lesson.
"""
