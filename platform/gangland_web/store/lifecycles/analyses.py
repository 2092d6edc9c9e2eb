"""The states of an analysis of a game, and why one is made."""

from enum import StrEnum
from typing import Final


class AnalysisState(StrEnum):
    """Where an analysis stands: waiting -> leased -> done or failed; one whose lease runs out or that gives way waits
    again.

    What is done or has failed goes back to waiting where the reference is of another version now; what is known stays
    until it is known anew.
    """

    WAITING = "waiting"
    LEASED = "leased"
    DONE = "done"
    FAILED = "failed"


class RequestedBy(StrEnum):
    """Why a game is analysed; the order is that in which they are sent."""

    OPENED = "opened"
    """Somebody opened its page."""
    SAMPLE = "sample"
    """It is one of a few games of each version, or known by another version of the reference: nobody waits for it, and
    it gives way."""


class AnalysisVerdict(StrEnum):
    """What became of a worker's message about a game."""

    DONE = "done"
    PART = "part"
    ALIVE = "alive"
    RETURNED = "returned"
    FAILED = "failed"
    REFUSED = "refused"
    STALE = "stale"


ATTEMPTS: Final = 3
"""An analysis that was begun this often without a result has failed."""
LEASE_S: Final = 120.0
"""So long a worker may be silent: it stands back for everybody, and is at times kept waiting."""
MOST_OPENED: Final = 200
"""So many games that people opened wait at most."""
