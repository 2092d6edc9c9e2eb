"""The parts of each game's decisions: a module named like the game's package, which defines `spelling`.

For a game without a module, each decision is a single part.
"""
