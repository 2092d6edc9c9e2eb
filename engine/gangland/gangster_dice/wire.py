"""Indices into a view's tuple of plain values, and into its public part."""

from __future__ import annotations

SEAT, TABLE, DEFAULTING, HAND, LOCKED, ANSWERS, PAIR, HISTORY = range(8)
OPTIONS, CHARACTERS, ROUND, STASHES, FACES, SYMBOLS, HAND_LIMITS, HAND_SIZES, SPECIALS_HELD, OPENING = range(10)
BONUS, CONTROL, DICE, DECK, DISCARDS, SPECIALS, BIDS, WINNERS, EVENTS, EFFECTS_OPEN = range(10, 20)
