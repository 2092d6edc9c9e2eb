"""Gangland's engine: the rules of two dice games, and what a bot imports.

Standard library only; no clock, no files, no network.  The same inputs give the same game, for ever.
"""

__version__ = "0.1.0"
BOT_API_VERSION = 1
