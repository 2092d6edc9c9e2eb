"""Gangland's engine: the rules of two dice games, and the classes that bots import.

It uses only the standard library, and no clock, files or network.  The same inputs always give the same game.
"""

__version__ = "0.1.0"
BOT_API_VERSION = 1
