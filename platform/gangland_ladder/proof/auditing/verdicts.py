"""Who is behind a difference of two plays: a third play decides between a bot and the two hosts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from gangland_ladder.matches.first_difference import Difference
from gangland_ladder.proof.auditing.comparing import ComparedRotation, point_of


class Verdict(StrEnum):
    """What a difference says."""

    OPEN = "open"
    """The third play is still to come."""
    BOT = "bot"
    """The bot itself decided differently, or nothing speaks for anybody else."""
    RECORDED = "recorded"
    """The recorded play stands alone against two that agree."""
    AGAIN = "again"
    """The play that was made for the audit stands alone."""
    UNCLEAR = "unclear"
    """The third play went another way before, or a fault of time or memory ended it."""


@dataclass(frozen=True, slots=True)
class Hosts:
    """Who made the three plays, by id; None is a play without a host of its own."""

    recorded: int | None
    again: int | None
    third: int | None


def verdict_of(
    difference: Difference,
    hosts: Hosts,
    with_recorded: Sequence[ComparedRotation],
    with_again: Sequence[ComparedRotation],
) -> Verdict:
    """Return who is behind a difference between a recorded play and the one made for an audit.

    A play that a host made alone is held against it only by another host: a host that contradicts itself, or that one
    host alone has played, shows a bot that does not decide alike.

    Args:
        with_recorded: the comparison of the recorded play with the third; with_again: of the audit's play with it.
    """
    as_recorded = _agrees(difference, with_recorded)
    as_again = _agrees(difference, with_again)
    if as_recorded is False and as_again is False:
        return Verdict.BOT
    if as_again and as_recorded is False:
        return Verdict.BOT if hosts.recorded in (None, hosts.third, hosts.again) else Verdict.RECORDED
    if as_recorded and as_again is False:
        return Verdict.BOT if hosts.again in (None, hosts.third, hosts.recorded) else Verdict.AGAIN
    return Verdict.UNCLEAR


def _agrees(difference: Difference, compared: Sequence[ComparedRotation]) -> bool | None:
    """Whether the bot of a difference decided alike in two plays; None if that cannot be told."""
    there = next(each for each in compared if each.rotation == difference.rotation)
    if there.difference is not None and there.difference.entry == difference.entry:
        return False
    return True if there.alike_beyond(point_of(difference)) else None
