"""Lessons that teach a game by playing it: a module a game, named as its package is, with `LESSON`.

A game without one has no lesson, and no page links to it.
"""
