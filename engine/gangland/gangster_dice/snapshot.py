"""From the table to a state, and from a state to what one seat sees of it (G5, G42)."""

from __future__ import annotations

from operator import methodcaller, sub
from typing import Final

from gangland.gangster_dice.cards import SPECIAL
from gangland.gangster_dice.state import EFFECTS, State, Table
from gangland.gangster_dice.views import View

_COUNT_SPECIALS: Final = methodcaller("count", SPECIAL)


def freeze(table: Table) -> State:
    """Return the table as it stands, with what all seats see of it, in the order of `wire`.

    Hidden are the hands but for the +4s that were won in public, and the order of the deck (G5).
    """
    hands, stashes, locked = tuple(table.hands), tuple(table.stashes), tuple(table.locked)
    control, dice, discards = tuple(table.control), tuple(table.dice), tuple(table.discards)
    told, questions = table.public_events(), table.questions
    shown = (
        *table.setting.wire,
        table.round,
        stashes,
        table.faces,
        table.symbols,
        table.hand_limits,
        tuple(map(len, hands)),
        _specials_seen(hands, table.unseen_specials),
        table.opening,
        table.bonus,
        control,
        dice,
        len(table.deck),
        discards,
        table.specials,
        table.bids,
        table.winners,
        told,
        bool(questions) and questions[0].kind in EFFECTS,
    )
    values = (
        table.setting,
        table.round,
        table.step,
        questions,
        table.half_answered,
        table.end,
        table.hand_limits,
        stashes,
        table.faces,
        table.symbols,
        locked,
        hands,
        table.deck,
        table.shuffles,
        discards,
        table.specials,
        table.unseen_specials,
        table.opening,
        table.bonus,
        control,
        dice,
        table.bids,
        table.winners,
        tuple(table.answers),
        table.drawing,
        table.pair,
        table.passed,
        table.spared,
        told,
        table.history,
        tuple(table.last_asked),
        shown,
    )
    return tuple.__new__(State, values)  # a named tuple's own constructor takes twice as long


def _specials_seen(hands: tuple[tuple[int, ...], ...], unseen: tuple[int, ...]) -> tuple[int, ...]:
    held = tuple(map(_COUNT_SPECIALS, hands))
    return tuple(map(sub, held, unseen)) if any(unseen) else held


def observe(state: State, seat: int, defaulting: frozenset[int]) -> View:
    """Return what the seat may know: what all see, its own hand and answers, and what happened in public."""
    history = state.history
    if len(history) > 1:
        history = history[: max(1, state.round - state.last_asked[seat])]
    return View.of(
        (
            seat,
            state.shown,
            tuple(sorted(defaulting)) if defaulting else (),
            state.hands[seat],
            state.locked[seat],
            state.answers[seat],
            state.pair if state.pair and state.drawing[0] == seat else (),
            history,
        )
    )
