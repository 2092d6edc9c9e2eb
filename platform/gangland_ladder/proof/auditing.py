"""Audits: compare two plays of the same match, and decide when differences count against a host."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import exp, fsum, log
from typing import Final

from gangland.faults import FaultKind
from gangland_ladder.matches.first_difference import Difference, RecordedGame, Stage, by_rotation, first_difference
from gangland_ladder.matches.match_jobs import GameRecord, Seat

# Comparing two plays of the same match: the codes, seats and dice are the same, but the times or hosts differ.
#
# A bot keeps its memory during a rotation, so the rest of a rotation cannot be compared after the first difference.
# Time and memory faults depend on the machine: after such a fault in either play, the rest of the rotation is skipped.


# The kinds of faults that depend on the machine and are not compared.
MACHINE_FAULTS: Final = frozenset(
    kind.value
    for kind in (
        FaultKind.IMPORT_TIME,
        FaultKind.DECISION_TIME,
        FaultKind.BANK_TIME,
        FaultKind.WALL_TIME,
        FaultKind.MEMORY,
    )
)

# A point in a rotation: the block, and either the number of a decision, or `BEFORE` or `AFTER` for all decisions.
Point = tuple[int, int]
BEFORE: Final = -1
AFTER: Final = 2**31


@dataclass(frozen=True, slots=True)
class ComparedRotation:
    """The comparison of one rotation in two plays."""

    rotation: int
    difference: Difference | None  # the first difference, which ends the comparison, or None
    games: int  # number of games that were compared to their end
    left_out: int  # number of games that were not compared
    end: Point | None  # the plays are known to be equal before this point; None if they are equal to the end

    def is_equal_at(self, point: Point) -> bool:
        """Return whether the two plays are known to be equal at this point."""
        return self.end is None or self.end > point


def point_of(difference: Difference) -> Point:
    """Return the point of a difference in its rotation."""
    if difference.when is Stage.START:
        return difference.block, BEFORE
    return difference.block, AFTER if difference.decision is None else difference.decision


def compare_plays(
    seats: Sequence[Seat], first: Iterable[GameRecord], second: Iterable[GameRecord]
) -> tuple[ComparedRotation, ...]:
    """Return the comparison of two plays of a match, by rotation. Raises ValueError: the plays have different games."""
    before, again = by_rotation(first), by_rotation(second)
    if set(before) != set(again):
        raise ValueError(
            f"the plays have different games: {sorted(set(before) ^ set(again))!r} are only in one of them"
        )
    faulty: set[int] = set()
    blocks = sorted({block for block, _ in before})
    return tuple(
        _compare_rotation(
            seats, rotation, [(before[block, rotation], again[block, rotation]) for block in blocks], faulty
        )
        for rotation in sorted({rotation for _, rotation in before})
    )


def _compare_rotation(
    seats: Sequence[Seat], rotation: int, games: Sequence[tuple[RecordedGame, RecordedGame]], faulty: set[int]
) -> ComparedRotation:
    difference, end, compared = None, None, 0
    for before, again in games:
        if end is not None:
            _add_machine_faults(faulty, before, again)
            continue
        first = first_difference(seats, before, again)
        limit = _first_machine_fault(before, again)
        is_first = first is not None and (limit is None or point_of(first) < limit)
        if first is not None and is_first and not _may_have_forfeited(first, before, faulty):
            difference, end = first, point_of(first)
        elif limit is not None or first is not None:
            end = limit or (before.record.block, BEFORE)
        else:
            compared += 1
        _add_machine_faults(faulty, before, again)
    return ComparedRotation(rotation, difference, compared, len(games) - compared - (difference is not None), end)


def _first_machine_fault(before: RecordedGame, again: RecordedGame) -> Point | None:
    points = [
        (game.record.block, _decision_number(game, at, fault.decision))
        for game in (before, again)
        for at, fault in enumerate(game.record.faults)
        if fault.kind in MACHINE_FAULTS
    ]
    return min(points, default=None)


def _decision_number(game: RecordedGame, at: int, decision: int | None) -> int:
    if decision is not None:
        return decision
    return BEFORE if at < len(game.replay.faults) else AFTER


def _add_machine_faults(faulty: set[int], before: RecordedGame, again: RecordedGame) -> None:
    for game in (before, again):
        faulty.update(game.record.seating[fault.seat] for fault in game.record.faults if fault.kind in MACHINE_FAULTS)


def _may_have_forfeited(difference: Difference, game: RecordedGame, faulty: set[int]) -> bool:
    """Return whether a bot that failed before a game may have forfeited the match because of time or memory faults."""
    if difference.when is not Stage.START or difference.seat is None:
        return False
    return game.record.seating[difference.seat] in faulty


# Verdicts: a third play shows whether the bot or one of the two hosts caused a difference.


class Verdict(StrEnum):
    """The cause of a difference."""

    OPEN = "open"  # there is no third play yet
    BOT = "bot"  # the bot decided differently, or there is no evidence against a host
    RECORDED = "recorded"  # the recorded play contradicts two plays that agree
    AGAIN = "again"  # the audit's play contradicts two plays that agree
    UNCLEAR = "unclear"  # the third play differed earlier, or a time or memory fault ended it


@dataclass(frozen=True, slots=True)
class Hosts:
    """The ids of the hosts of the three plays; None for a play that was not on a separate host."""

    recorded: int | None
    again: int | None
    third: int | None


def verdict_of(
    difference: Difference,
    hosts: Hosts,
    with_recorded: Sequence[ComparedRotation],
    with_again: Sequence[ComparedRotation],
) -> Verdict:
    """Return the cause of a difference between a recorded play and an audit's play, by comparing both with a third."""
    # Only a play on another host is evidence against a play. If two plays on one host differ, or only one host has
    # played, the bot counts as not deterministic.
    as_recorded = _decided_equally(difference, with_recorded)
    as_again = _decided_equally(difference, with_again)
    if as_recorded is False and as_again is False:
        return Verdict.BOT
    if as_again and as_recorded is False:
        return Verdict.BOT if hosts.recorded in (None, hosts.third, hosts.again) else Verdict.RECORDED
    if as_recorded and as_again is False:
        return Verdict.BOT if hosts.again in (None, hosts.third, hosts.recorded) else Verdict.AGAIN
    return Verdict.UNCLEAR


def _decided_equally(difference: Difference, compared: Sequence[ComparedRotation]) -> bool | None:
    """Return whether the bot in a difference made the same decision in two other plays; None if unknown."""
    rotation = next(rotation for rotation in compared if rotation.rotation == difference.rotation)
    if rotation.difference is not None and rotation.difference.entry == difference.entry:
        return False
    return True if rotation.is_equal_at(point_of(difference)) else None


# Evidence against a host: a sequential test over the owners of the bots.
#
# An owner's bots may intentionally depend on the clock or on memory addresses, so each owner counts once, no matter how
# often its bots differ. `BASE` is an upper bound for the share of owners whose bots ever differ on an honest host. The
# evidence is the likelihood ratio of a forging host to an honest one, averaged over `ALTERNATIVES`. For an honest host,
# it is a martingale, so the probability that it ever reaches 1/`FALSE_STOP` is at most `FALSE_STOP` (Ville's
# inequality), regardless of how often it is checked. It increases with each differing owner, so if an owner's
# difference is counted late, the evidence is only lower.


# Shares of owners whose bots may differ on a forging host, each equally likely.
ALTERNATIVES: Final = (0.05, 0.1, 0.2, 0.4, 0.8)
BASE: Final = 0.02  # Share of owners whose bots may differ on an honest host.
PRIOR: Final = 50  # Weight of `BASE` when that share is estimated, as a number of owners on other hosts.
# Probability that an honest host is ever stopped after its creation or its last release by the operator.
FALSE_STOP: Final = 0.001
MIN_OWNERS: Final = 3  # Minimum number of owners with differing bots for stopping a host.
SUSPECT_RATIO: Final = 1.0  # Likelihood ratio at which a host becomes suspect, and more of its results are audited.


def base_share(owners: int, differing: int) -> float:
    """Return the share of owners whose bots may differ on an honest host, at least `BASE`."""
    return max(BASE, (BASE * PRIOR + differing) / (PRIOR + owners))


def evidence(owners: int, differing: int, base: float = BASE) -> float:
    """Return the likelihood ratio of a forging host to an honest one, by the numbers of compared and differing owners.

    Raises ValueError: a number is negative, or more owners differ than were compared.
    """
    if not 0 <= differing <= owners:
        raise ValueError(f"expected 0 to {owners} differing owners, not {differing}")
    ratios = [_ratio(owners, differing, base, share) if share > base else 0.0 for share in ALTERNATIVES]
    return fsum(ratios) / len(ratios)


def is_forging(owners: int, differing: int, base: float = BASE) -> bool:
    """Return whether to stop a host because it forges results."""
    return differing >= MIN_OWNERS and evidence(owners, differing, base) >= 1 / FALSE_STOP


def is_suspect(owners: int, differing: int, base: float = BASE) -> bool:
    """Return whether more of a host's results should be audited."""
    return differing > 0 and evidence(owners, differing, base) > SUSPECT_RATIO


def _ratio(owners: int, differing: int, base: float, share: float) -> float:
    power = differing * log(share / base) + (owners - differing) * log((1 - share) / (1 - base))
    return exp(min(power, 600.0))
