"""What the clock does to a tournament: deadlines, the moves that they make, and how they may change.

Times are Unix seconds, so they mean UTC wherever they are read.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import isfinite
from typing import Final

from gangland_ladder.tournaments.lifecycle import State, may_edit_rules, may_move, move

NEVER: Final = 253_402_300_799.0
"""The end of the year 9999: an embargo that no clock ends."""
LINE: Final = ("opens_at", "freezes_at", "starts_at", "reveals_at")
"""The deadlines that make a move, in the order of their moves."""


@dataclass(frozen=True, slots=True)
class Deadlines:
    """When the clock moves a tournament, in Unix seconds; None is a move left to an organiser.

    Attributes:
        opens_at: announced becomes open.
        freezes_at: open becomes frozen.
        starts_at: frozen becomes playing.
        embargo_until: before that only organisers see results, and the secret stays where it is.
        reveals_at: finished becomes revealed, at the end of the embargo at the earliest.
    """

    opens_at: float | None = None
    freezes_at: float | None = None
    starts_at: float | None = None
    embargo_until: float | None = None
    reveals_at: float | None = None

    def __post_init__(self) -> None:
        for name in (*LINE, "embargo_until"):
            value = getattr(self, name)
            if value is not None and not isfinite(value):
                raise ValueError(f"{name} is a time in Unix seconds, not {value!r}")
        line = [(name, getattr(self, name)) for name in LINE if getattr(self, name) is not None]
        for (earlier, first), (later, second) in pairwise(line):
            if second < first:
                raise ValueError(f"{later} ({second!r}) comes before {earlier} ({first!r})")
        if self.opens_at is not None and self.opens_at == self.freezes_at:
            raise ValueError(f"opens_at and freezes_at are both {self.opens_at!r}: nobody could enter")
        if self.reveals_at is not None and self.embargo_until is not None and self.reveals_at < self.embargo_until:
            raise ValueError(f"reveals_at ({self.reveals_at!r}) lies within the embargo until {self.embargo_until!r}")


@dataclass(frozen=True, slots=True)
class DueMove:
    """A move that the clock makes, and when it was to be made."""

    after: State
    due_at: float


_BY_CLOCK: Final = {
    State.ANNOUNCED: (State.OPEN, "opens_at"),
    State.OPEN: (State.FROZEN, "freezes_at"),
    State.FROZEN: (State.PLAYING, "starts_at"),
    State.FINISHED: (State.REVEALED, "reveals_at"),
}


def due_moves(state: State, deadlines: Deadlines, now: float) -> list[DueMove]:
    """Return the moves that the clock makes by now, in their order.

    After an outage there may be several.  A second call in the state that they lead to gives
    none, and a later `now` never gives fewer.  A move that waits for an organiser holds back
    those after it; what is paused, in draft or over is left alone.
    """
    moves: list[DueMove] = []
    while (due := next_deadline(state, deadlines)) is not None and now >= due.due_at:
        moves.append(due)
        state = due.after
    return moves


def next_deadline(state: State, deadlines: Deadlines) -> DueMove | None:
    """Return the next move that the clock will make, due or not; None if it waits for somebody."""
    if state not in _BY_CLOCK:
        return None
    after, name = _BY_CLOCK[state]
    due_at = getattr(deadlines, name)
    return None if due_at is None else DueMove(move(state, after), due_at)


def past_deadlines(deadlines: Deadlines, now: float) -> list[str]:
    """Return the names of the deadlines that are over already."""
    times = {name: getattr(deadlines, name) for name in (*LINE, "embargo_until")}
    return [name for name, at in times.items() if at is not None and at <= now]


def may_reveal(state: State, deadlines: Deadlines, now: float) -> bool:
    """Tell whether an organiser may reveal the secret now: finished, and no embargo any more."""
    embargo = deadlines.embargo_until
    return may_move(state, State.REVEALED) and (embargo is None or now >= embargo)


def check_change(state: State, old: Deadlines, new: Deadlines, now: float) -> None:
    """Refuse a change of deadlines that breaks what was announced.

    A draft's may be anything.  After that a deadline may be put off as long as its move has not
    been made, never brought forward: somebody may rely on it.  One that is set later needs to lie
    ahead; one may not be taken away.  The embargo is a rule and stays.

    Raises:
        ValueError: names the deadline and what is allowed.
    """
    if may_edit_rules(state):
        return
    if new.embargo_until != old.embargo_until:
        raise ValueError(f"the embargo is one of the rules, which no longer change when a tournament is {state}")
    ahead = still_ahead(state)
    for name in LINE:
        before, after = getattr(old, name), getattr(new, name)
        if before == after:
            continue
        if name not in ahead:
            raise ValueError(f"{name} no longer changes when a tournament is {state}")
        if after is None:
            raise ValueError(f"{name} has been announced as {before!r} and can only be postponed, not removed")
        earliest = now if before is None else max(before, now)
        if after < earliest:
            raise ValueError(f"{name} can only be postponed: {after!r} comes before {earliest!r}")


def still_ahead(state: State) -> tuple[str, ...]:
    """Return the deadlines of an announced tournament whose moves have not been made, in their order."""
    return LINE[_MADE.get(state, len(LINE)) :]


_MADE: Final = {
    State.ANNOUNCED: 0,
    State.OPEN: 1,
    State.FROZEN: 2,
    State.PLAYING: 3,
    State.PAUSED: 3,
    State.FINISHED: 3,
}
"""How many deadlines of the line have had their move."""
