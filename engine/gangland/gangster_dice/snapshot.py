"""From the table to a state, and to what all seats see of it."""

from __future__ import annotations

from operator import methodcaller, sub
from typing import Any, Final

from gangland.gangster_dice.cards import SPECIAL
from gangland.gangster_dice.rounds import Kept
from gangland.gangster_dice.state import Public, State, Table

_COUNT_SPECIALS: Final = methodcaller("count", SPECIAL)


def freeze(table: Table) -> State:
    """Return the table as it stands."""
    values = (
        table.setting,
        table.step,
        public_of(table, table.kept()),
        table.locked,
        table.hands,
        table.deck,
        table.answers,
        table.last_asked,
        table.rare,
    )
    return named(State, values)


def public_of(table: Table, kept: Kept) -> Public:
    """Return what all seats see of the table.

    Hidden are the hands but for the +4s that were won in public, and the order of the deck (G5).
    """
    setting, hands, unseen = table.setting, table.hands, table.rare.unseen_specials
    values: tuple[Any, ...] = (
        setting.shown,
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
        kept,
    )
    return named(Public, values)


named: Final = tuple.__new__
"""Makes a named tuple of its class and a plain one; its own constructor takes twice as long."""


def _specials_seen(hands: tuple[tuple[int, ...], ...], unseen: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(map(sub, map(_COUNT_SPECIALS, hands), unseen))
