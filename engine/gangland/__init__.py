"""Gangland's engine: the rules of two dice games, and the classes that bots import.

It uses the standard library only: no clock, no files, no network.  The same inputs always give the same game.
"""

__version__ = "0.1.0"
BOT_API_VERSION = 1
