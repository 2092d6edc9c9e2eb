"""Build a state, or the public part of a state, from the working table."""

from __future__ import annotations

from operator import methodcaller, sub
from typing import Any, Final

from gangland.gangster_dice.cards import SPECIAL
from gangland.gangster_dice.rounds import Cache
from gangland.gangster_dice.state import Public, State, Table

_COUNT_SPECIALS: Final = methodcaller("count", SPECIAL)


def freeze(table: Table) -> State:
    """Return the table's state."""
    values = (
        table.setting,
        table.step,
        public_of(table, table.new_cache()),
        table.locked,
        table.hands,
        table.deck,
        table.answers,
        table.last_asked,
        table.rare,
    )
    return new_tuple(State, values)


def public_of(table: Table, cache: Cache) -> Public:
    """Return the public part: of the deck and hands only their sizes, and the +4s that hands won in public (G5)."""
    setting, hands, unseen = table.setting, table.hands, table.rare.unseen_specials
    values: tuple[Any, ...] = (
        setting.header,
        table.opening,
        table.questions,
        table.stashes,
        table.hand_limits,
        tuple(map(len, hands)),
        tuple(map(_COUNT_SPECIALS, hands)) if unseen is setting.none else _specials_seen(hands, unseen),
        table.control,
        table.dice,
        len(table.deck),
        table.discards,
        table.specials,
        table.bids,
        table.winners,
        table.log,
        table.history,
        cache,
    )
    return new_tuple(Public, values)


new_tuple: Final = tuple.__new__
"""Builds a named tuple from its class and a plain tuple, in half the time that the class's own constructor takes."""


def _specials_seen(hands: tuple[tuple[int, ...], ...], unseen: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(map(sub, map(_COUNT_SPECIALS, hands), unseen))
