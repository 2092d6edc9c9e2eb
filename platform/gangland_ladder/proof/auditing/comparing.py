"""What two plays of one match have in common: the same codes, seats and dice, played at two times or on two hosts.

A bot's memory lasts for a rotation, so after the first difference in a rotation nothing more of it can be compared.
Faults of time and memory depend on the machine: from such a fault on, in either play, the rest of the rotation is
left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from gangland.faults import FaultKind
from gangland_ladder.matches.first_difference import Difference, When, first_difference
from gangland_ladder.matches.orders import GameRecord, Seat
from gangland_ladder.matches.stand_in import RecordedGame, by_place

OF_THE_MACHINE: Final = frozenset(
    kind.value
    for kind in (
        FaultKind.IMPORT_TIME,
        FaultKind.DECISION_TIME,
        FaultKind.BANK_TIME,
        FaultKind.WALL_TIME,
        FaultKind.MEMORY,
    )
)
"""Kinds of faults that are not compared."""

Point = tuple[int, int]
"""Where in a rotation: the block, and the number of the decision; before and after all decisions too."""
BEFORE: Final = -1
AFTER: Final = 2**31


@dataclass(frozen=True, slots=True)
class ComparedRotation:
    """What comparing one rotation of two plays came to.

    Attributes:
        difference: the first, with which the comparison of the rotation ended; None if there was none.
        games: so many were compared to their end; left_out: so many were not.
        end: up to here both are known to be alike; None if they are to the end.
    """

    rotation: int
    difference: Difference | None
    games: int
    left_out: int
    end: Point | None

    def alike_beyond(self, point: Point) -> bool:
        """Tell whether the two plays are alike at a point too."""
        return self.end is None or self.end > point


def point_of(difference: Difference) -> Point:
    """Return where in its rotation a difference is."""
    if difference.when is When.START:
        return difference.block, BEFORE
    return difference.block, AFTER if difference.decision is None else difference.decision


def compare_plays(
    seats: Sequence[Seat], first: Iterable[GameRecord], second: Iterable[GameRecord]
) -> tuple[ComparedRotation, ...]:
    """Compare two plays of a match, one result a rotation.

    Args:
        seats: of the match's order.
        first, second: all games of each play, both found true by `judging.judge`.

    Raises:
        ValueError: the two do not have the same games, or a replay cannot be read.
    """
    before, again = by_place(first), by_place(second)
    if set(before) != set(again):
        raise ValueError(f"the plays have other games: {sorted(set(before) ^ set(again))!r} are in one of them alone")
    strained: set[int] = set()
    blocks = sorted({block for block, _ in before})
    return tuple(
        _compare_rotation(
            seats, rotation, [(before[block, rotation], again[block, rotation]) for block in blocks], strained
        )
        for rotation in sorted({rotation for _, rotation in before})
    )


def _compare_rotation(
    seats: Sequence[Seat], rotation: int, games: Sequence[tuple[RecordedGame, RecordedGame]], strained: set[int]
) -> ComparedRotation:
    """Compare one rotation.

    Args:
        strained: match positions with a fault of the machine in either play so far; it is added to.
    """
    difference, end, compared = None, None, 0
    for before, again in games:
        if end is not None:
            _strain(strained, before, again)
            continue
        found = first_difference(seats, before, again)
        limit = _first_of_the_machine(before, again)
        if found is not None and (limit is None or point_of(found) < limit) and not _worn_out(found, before, strained):
            difference, end = found, point_of(found)
        elif limit is not None or found is not None:
            end = limit or (before.record.block, BEFORE)
        else:
            compared += 1
        _strain(strained, before, again)
    return ComparedRotation(rotation, difference, compared, len(games) - compared - (difference is not None), end)


def _first_of_the_machine(before: RecordedGame, again: RecordedGame) -> Point | None:
    """Return where the first fault of time or memory of either play is in a game, None if there is none."""
    points = [
        (game.record.block, _moment(game, at, fault.decision))
        for game in (before, again)
        for at, fault in enumerate(game.record.faults)
        if fault.kind in OF_THE_MACHINE
    ]
    return min(points, default=None)


def _moment(game: RecordedGame, at: int, decision: int | None) -> int:
    """Return the number of the decision at which a fault of a game came, before or after all of them too."""
    if decision is not None:
        return decision
    return BEFORE if at < len(game.replay.faults) else AFTER


def _strain(strained: set[int], before: RecordedGame, again: RecordedGame) -> None:
    for game in (before, again):
        strained.update(game.record.seating[fault.seat] for fault in game.record.faults if fault.kind in OF_THE_MACHINE)


def _worn_out(difference: Difference, game: RecordedGame, strained: set[int]) -> bool:
    """Whether a bot that failed before a game may have forfeited the rest of the match for faults of the machine."""
    if difference.when is not When.START or difference.seat is None:
        return False
    return game.record.seating[difference.seat] in strained
