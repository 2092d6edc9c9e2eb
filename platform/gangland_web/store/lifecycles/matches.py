"""The states of a match; the row is the truth, a message merely carries it out."""

from enum import StrEnum


class MatchState(StrEnum):
    """Where a match stands: scheduled -> leased -> done or void; an expired lease goes back to scheduled."""

    SCHEDULED = "scheduled"
    LEASED = "leased"
    DONE = "done"
    VOID = "void"


PENDING = (MatchState.SCHEDULED.value, MatchState.LEASED.value)
"""States of a match that is still to be played or recorded."""
OVER = (MatchState.DONE.value, MatchState.VOID.value)
"""States of a match that is not."""


class Purpose(StrEnum):
    """Why a match is played; the order is that in which they are sent when several wait."""

    CHECK = "check"
    """Nothing is played: a worker imports a new version and asks it for decisions, before any trial is planned."""
    TRIAL = "trial"
    CHALLENGE = "challenge"
    TOURNAMENT = "tournament"
    LADDER = "ladder"
    AUDIT = "audit"
    """Played again to be compared: nobody sees it, and it changes no result."""


RATED = (Purpose.TOURNAMENT, Purpose.LADDER)
"""Purposes of matches that are rated; they are sent after trials and challenges."""

ATTEMPTS = 3
"""A match that was begun this often without a result is void."""

SILENCE_S = 15.0
"""A begun match of which nothing was heard for so long is taken back."""


class End(StrEnum):
    """How a match came to an end: played, or void and why."""

    DONE = "done"
    NOT_PASSED = "void_check"
    WITHDRAWN = "void_withdrawn"
    QUARANTINE = "void_quarantine"
    PLATFORM = "void_platform"


class Verdict(StrEnum):
    """What became of a result."""

    RECORDED = "recorded"
    STALE = "stale"
    REFUSED = "refused"
    VOID = "void"
    OTHER_RELEASE = "of another release"
