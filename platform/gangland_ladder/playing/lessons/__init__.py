"""The lesson of each game, in a module with the name of the game's package, which defines `LESSON`.

A game without a module has no lesson.
"""
