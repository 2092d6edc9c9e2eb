"""The parts of each game's decisions: a module with `spelling`, with the name of the game's package.

A game without one has a part for each decision.
"""
