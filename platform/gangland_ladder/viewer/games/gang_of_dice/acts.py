"""What a seat of Gang of Dice did in a round that its dice came or went by, from the events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gangland.game import Event
from gangland.gang_of_dice import events as gang
from gangland.words import listed

_LONGEST: Final = 120
"""A sentence that would be longer with the names of all seats goes without those of the others."""


def telling_of_gain(told: str, events: Sequence[Event], seat: int, gain: int, names: Sequence[str]) -> str:
    """Return a sentence of Gang of Dice, with the roll that won the round and what it won against.

    Args:
        told: the sentence so far, without its full stop.
        events: those of the round; gain: the dice that the seat has more after it.

    Returns:
        The sentence; as it was, but for the full stop, where the round that the seat won does not explain the gain.
    """
    happened = [gang.typed(event) for event in events]
    won = next((event for event in happened if isinstance(event, gang.RoundWon) and event.seat == seat), None)
    if won is None or won.dice - _stake(happened, seat) != gain:
        return f"{told}."
    stood = [event for event in happened if isinstance(event, gang.Stood)]
    equal = [event.seat for event in stood if event.total == won.total]
    if won.tie_break == "turn" and equal[0] != seat:  # it rolled before one of them, and had more dice than another
        return f"{told}."
    others = sorted((event for event in stood if event.seat != seat), key=lambda event: -event.total)
    bust = [names[event.seat] for event in happened if isinstance(event, gang.Busted)]
    called = [f"{event.total} of {names[event.seat]}" for event in others]
    called += [f"{'a bust' if len(bust) == 1 else 'busts'} of {listed(bust)}"] if bust else []
    counted = [str(event.total) for event in others]
    counted += ["a bust" if len(bust) == 1 else f"{len(bust)} busts"] if bust else []
    how = {"": "", "dice": " on more dice", "turn": " rolled first"}[won.tie_break]
    full = f"{told}, with {won.total}{how} against {listed(called)}."
    return full if len(full) <= _LONGEST else f"{told}, with {won.total}{how} against {listed(counted)}."


def telling_of_loss(told: str, events: Sequence[Event], seat: int, loss: int) -> str:
    """Return a sentence of Gang of Dice, with the roll that a seat lost its stake on; see `telling_of_gain`."""
    happened = [gang.typed(event) for event in events]
    if _stake(happened, seat) != loss:
        return f"{told}."
    if any(isinstance(event, gang.Busted) and event.seat == seat for event in happened):
        return f"{told}, staked on a roll that was bust."
    own = [event.total for event in happened if isinstance(event, gang.Stood) and event.seat == seat]
    best = [event.total for event in happened if isinstance(event, gang.RoundWon) and event.seat != seat]
    return f"{told}, staked on {own[0]} against {best[0]}." if own and best else f"{told}."


def _stake(happened: Sequence[gang.TypedEvent], seat: int) -> int:
    """Return how many dice a seat staked in a round, 0 for none."""
    return next((len(event.dice) for event in happened if isinstance(event, gang.Rolled) and event.seat == seat), 0)
