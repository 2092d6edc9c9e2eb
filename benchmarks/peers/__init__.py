"""Adapters for other frameworks that a user could choose, to play the same games.

Every adapter follows the framework's own examples.  It has no rules, but lets the engine play.  All observations are
the same list of numbers from the engine's view, in the framework's form.  Before an adapter is
measured, `proven` plays a game with it and compares the game with the engine's.
"""
