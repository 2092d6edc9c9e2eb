"""Decisions and situations of Gang of Dice in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from gangland.gang_of_dice.story import dice_in_words
from gangland.gang_of_dice.views import View


def question(view: View, kind: str) -> str:
    """Return a question as people ask it, with what is legal."""
    if kind == "dice":
        return f"How many dice, 1 to {view.pool}?" if view.pool > 1 else "How many dice? It has one."
    state = "The warning is triggered. " if view.triggered else ""
    again = "for the last time" if view.rerolls_left == 1 else "for the first time"
    return f"{state}Which dice of {dice_in_words(view.dice)} to roll again, {again}, or none to stop?"


def situation(view: View, kind: str) -> str:
    """Return of which kind the situation of a question is."""
    parts = [f"{view.card.colour} card"]
    if kind == "dice":
        place = "first" if view.first_seat == view.seat else "between others" if view.later_seats else "last"
        parts.append(f"{place} to roll")
    else:
        parts.append(f"after roll {3 - view.rerolls_left}")
        if view.triggered:
            parts.append("warning triggered")
        elif view.best_seat is None:
            parts.append("nobody leads")
        else:
            parts.append("would lead" if view.would_lead(view.total, view.stake) else "behind")
    return ", ".join(parts)


def seen_in_short(view: View) -> str:
    """Return the chief things that a view shows in one line."""
    parts = [f"card {view.card.id} ({view.card.colour}: {view.card.words})"]
    if view.dice:
        parts.append(f"rolled {dice_in_words(view.dice)}, {view.total} in all, rerolls left: {view.rerolls_left}")
    pools = ", ".join(f"{pool}{' (own)' if seat == view.seat else ''}" for seat, pool in enumerate(view.pools))
    parts.append(f"dice {pools}")
    parts.append(f"{view.table} on the table")
    if view.best_seat is not None:
        parts.append(f"seat {view.best_seat + 1} leads with {view.best_total} on {view.best_stake}")
    return "; ".join(parts)


def _dice(number: int) -> str:
    return f"rolls {number} {'die' if number == 1 else 'dice'}"


def _rolled_again(faces: Sequence[int]) -> str:
    return f"rolls {dice_in_words(faces)} again" if faces else "stops"


DECISIONS: Final[dict[str, Callable[[Any], str]]] = {"dice": _dice, "reroll": _rolled_again}
"""By kind, how a decision in canonical form is told."""
