"""A replay as English sentences, for the command line, the site and screen readers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gangland.game import ROUND_BEGAN
from gangland.games import game_named
from gangland.replay import Replay, expand


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence, with its round, and the seat and decision (its index in the replay) that led to it."""

    round: int
    seat: int | None
    decision: int | None
    text: str


def tell(replay: Replay, names: Sequence[str] | None = None) -> Iterator[Line]:
    """Yield a replay's sentences in order.  Raises ReplayError: the replay cannot be played.

    Args:
        names: the seats' names, in seat order; "Seat 1" and so on if None.
    """
    game = game_named(replay.game)
    seat_names = tuple(names) if names is not None else tuple(f"Seat {seat + 1}" for seat in range(replay.seats))
    for seat, decision in replay.faults:
        if decision is None:
            yield Line(0, seat, None, f"{seat_names[seat]} is at fault from the start and plays default decisions.")
    for step in expand(replay):
        asked = [answer for answer in step.answers if answer.number is not None]
        for answer in asked:
            if answer.by_default:
                yield Line(
                    step.round,
                    answer.seat,
                    answer.number,
                    f"{seat_names[answer.seat]} is at fault and plays default decisions from now on.",
                )
        last = max((answer.number for answer in asked if answer.number is not None), default=None)
        only = asked[0].seat if len(asked) == 1 else None
        number = step.round
        for event in step.events:
            if event[0] == ROUND_BEGAN:  # the next events belong to the new round, and to no decision of it yet
                number, last, only = event[1], None, None
            text = game.sentence(event, seat_names)
            if text is not None:
                yield Line(number, only, last, text)
    yield Line(replay.rounds, None, None, _ending_text(replay, seat_names))


def _ending_text(replay: Replay, names: tuple[str, ...]) -> str:
    winners = [names[seat] for seat, place in enumerate(replay.places) if place == 1]
    if replay.reason == "all_at_fault":
        return "Every seat is at fault: nobody wins."
    verb = "wins" if len(winners) == 1 else "win together"
    return f"{' and '.join(winners)} {verb} ({replay.reason.replace('_', ' ')})."
