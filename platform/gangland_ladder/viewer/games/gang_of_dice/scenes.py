"""What a view of Gang of Dice shows, as a scene."""

from __future__ import annotations

from gangland.gang_of_dice.views import Turn, View
from gangland_ladder.viewer.scenes import Scene


def scene_of(view: View) -> Scene:
    """Return what a view shows."""
    turns = {turn.seat: turn for turn in view.turns}
    return {
        "card": {"id": view.card.id, "colour": str(view.card.colour), "words": view.card.words},
        "left": view.carried,
        "bonus": view.bonus,
        "table": view.table,
        "best": view.best_seat,
        "order": list(view.order),
        "seats": {str(seat): _seat(view, seat, turns.get(seat)) for seat in range(view.seats)},
    }


def _seat(view: View, seat: int, turn: Turn | None) -> Scene:
    state = "out" if seat in view.eliminated else ""
    if turn is not None:
        state = "bust" if turn.bust else "stands" if turn.final else f"roll {len(turn.rolls)}"
    return {
        "dice": view.pools[seat],
        "roll": [] if turn is None else list(turn.dice),
        "total": None if turn is None else turn.total,
        "bust": turn is not None and turn.bust,
        "state": state,
        "fault": seat in view.defaulting,
    }
