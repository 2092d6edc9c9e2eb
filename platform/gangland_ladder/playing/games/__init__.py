"""The parts of each game's decisions, in a module with the name of the game's package.

Each module defines `spelling`.  For a game without a module, each decision is a single part.
"""
