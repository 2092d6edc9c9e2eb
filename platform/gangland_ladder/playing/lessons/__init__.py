"""Lessons that teach a game, in a module with the name of the game's package.

Each module defines `LESSON`.  A game without a module has no lesson.
"""
