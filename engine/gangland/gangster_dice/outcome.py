"""The outcome of a game: places, winners and the reason (G32, G33, G37, G38)."""

from __future__ import annotations

from gangland.game import EndReason, Outcome
from gangland.gangster_dice.state import State


def outcome(state: State, defaulting: frozenset[int]) -> Outcome | None:
    """Return the outcome, or None while the game is in progress."""
    # Faults of one simultaneous stage are counted together, so a half-answered stage does not end the game (G38).
    if state.rare.half_answered or (state.rare.end is None and not defaulting):
        return None
    seats = range(len(state.stashes))
    faultless = [seat for seat in seats if seat not in defaulting]
    if not faultless:
        return Outcome((1,) * len(seats), (), EndReason.ALL_AT_FAULT)
    if len(faultless) == 1:
        return _outcome_of(faultless, faultless, state, EndReason.LAST_FAULTLESS)
    if state.rare.end is None:
        return None
    dice_left = {seat: sum(state.stashes[seat]) for seat in faultless}
    fewest = min(dice_left.values())
    winners = [seat for seat in faultless if dice_left[seat] == fewest]
    if state.rare.end is EndReason.COMPLETED and fewest > 0:
        return _outcome_of(winners, faultless, state, EndReason.DEFAULT_EMPTY)
    return _outcome_of(winners, faultless, state, state.rare.end)


def _outcome_of(winners: list[int], faultless: list[int], state: State, reason: EndReason) -> Outcome:
    """Return an outcome: winners first, other faultless seats next, seats at fault last (G37, G38)."""
    places = [
        1 if seat in winners else 1 + len(winners) if seat in faultless else 1 + len(faultless)
        for seat in range(len(state.stashes))
    ]
    return Outcome(tuple(places), tuple(winners), reason)
