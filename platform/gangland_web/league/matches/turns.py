"""Whose turn it is among the ladders: newcomers first, then by turns whoever has had the least CPU time.

A ladder's account holds the CPU time of its matches; a match that is out counts with what one takes of late, or with
how long it has been played if that is more.  The next match is one of the ladder with the least on its account, the
fewest seats first where accounts are equal.  A ladder with nothing to play saves nothing up: its account rises with
that of whoever waits and has the least.  So no ladder gets more than another for as long as matches of both wait.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from gangland_ladder.pairing.demand import PLACEMENT

UNKNOWN_CPU_S = 0.1
"""What a match is thought to take before any was played, times the square of the seats: so many bots are started."""
RECENT = 0.25
"""How much the latest match says of what one takes."""
LEAST_CPU_S = 0.001
NEWCOMERS_AHEAD = PLACEMENT
"""A ladder's newcomers go before all other ladders until it has had so many matches more than they."""


@dataclass(slots=True)
class Lane:
    """A ladder that takes its turns, and its matches that wait, by id in the order in which they are sent.

    Attributes:
        spent_s: its account, matches that are out left aside.
        match_cpu_s: what a match takes of late; None before the first was played.
        out_s: for each match that is out, how long it has been played by now.
        again: matches that were sent before; ratings wait for them.
        newcomers: first tables of new bots; `others` are all the rest.
    """

    ladder: int
    seats: int
    spent_s: float = 0.0
    match_cpu_s: float | None = None
    out_s: list[float] = field(default_factory=list)
    again: deque[int] = field(default_factory=deque)
    newcomers: deque[int] = field(default_factory=deque)
    others: deque[int] = field(default_factory=deque)

    @property
    def waits(self) -> bool:
        """Whether anything of it waits to be sent."""
        return bool(self.again or self.newcomers or self.others)

    @property
    def is_unknown(self) -> bool:
        """Whether its first match is out, so that nobody knows yet what one takes."""
        return self.match_cpu_s is None and bool(self.out_s)


def take_turns(lanes: Sequence[Lane], *, free: int, slots: int) -> list[int]:
    """Return the matches to send now, by id; they leave their lanes, and count there as being out.

    What keeps ratings waiting comes first, then newcomers' tables, then all others.  Newcomers go before other ladders
    until theirs is some matches ahead, so that a stream of uploads stops no ladder.

    Args:
        free: so many may be sent.
        slots: so many are played at a time; what is sent beyond waits at the workers.
    """
    chosen: list[int] = []
    while len(chosen) < free:
        waiting = [(account(lane, lanes), lane.seats, lane.ladder, lane) for lane in lanes if lane.waits]
        if not waiting:
            break
        least = min(waiting)[0]
        *_, lane = min(waiting, key=lambda one: (*_urgency(one[-1], one[0] - least, lanes), *one[:-1]))
        if _can_wait(lane, lanes, slots):
            break
        chosen.append((lane.again or lane.newcomers or lane.others).popleft())
        lane.out_s.append(0.0)
    return chosen


def _urgency(lane: Lane, ahead_s: float, lanes: Sequence[Lane]) -> tuple[int, int]:
    """Return how late a ladder is in line before its account is looked at.

    A ladder of which nobody knows what a match takes comes last while one of it is out, the fewer are out the sooner.

    Args:
        ahead_s: how much more is on its account than on that of the ladder with the least.
    """
    if lane.again:
        return 0, 0
    if lane.is_unknown:
        return 3, len(lane.out_s)
    return (1 if lane.newcomers and ahead_s < NEWCOMERS_AHEAD * takes_s(lane, lanes) else 2), 0


def _can_wait(lane: Lane, lanes: Sequence[Lane], slots: int) -> bool:
    """Whether a match should wait until the first of another ladder is over, since no worker is idle without it."""
    if not lane.out_s or lane.again or lane.is_unknown:
        return False
    return any(one.is_unknown for one in lanes) and sum(len(one.out_s) for one in lanes) >= slots


def takes_s(lane: Lane, lanes: Sequence[Lane]) -> float:
    """Return the CPU seconds that a ladder's match is thought to take: as of late, else by what others take."""
    if lane.match_cpu_s is not None:
        return lane.match_cpu_s
    known = [one.match_cpu_s / one.seats**2 for one in lanes if one.match_cpu_s is not None]
    return max(known, default=UNKNOWN_CPU_S) * lane.seats**2


def account(lane: Lane, lanes: Sequence[Lane]) -> float:
    """Return the CPU seconds that a ladder has had, with what its matches that are out are thought to take."""
    one_s = takes_s(lane, lanes)
    return lane.spent_s + sum(max(one_s, played_s) for played_s in lane.out_s)


def raise_idle(lanes: Sequence[Lane]) -> list[Lane]:
    """Raise the accounts of ladders with nothing to send to the least of those that wait; return those that rose."""
    waiting = [account(lane, lanes) for lane in lanes if lane.waits]
    risen = []
    for lane in lanes:
        behind_s = min(waiting, default=0.0) - account(lane, lanes)
        if not lane.waits and behind_s > 0:
            lane.spent_s += behind_s
            risen.append(lane)
    return risen
