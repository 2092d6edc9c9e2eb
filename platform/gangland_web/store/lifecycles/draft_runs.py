"""The states of a draft's run, what runs there are, and by which numbers workers know them."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from gangland_ladder.matches.orders import HIGHEST_ID


class RunKind(StrEnum):
    """What is done with a draft."""

    CHECK = "check"
    PLAY = "play"
    """The check, then a match against chosen bots."""
    DUEL = "duel"
    """The check, then a match against its author's active version of that name."""


class RunState(StrEnum):
    """Where a run stands: waiting -> leased -> done or failed; one whose lease runs out waits again."""

    WAITING = "waiting"
    LEASED = "leased"
    DONE = "done"
    FAILED = "failed"


OPEN: Final = (RunState.WAITING.value, RunState.LEASED.value)
ATTEMPTS: Final = 3
"""A run that was begun this often without a result has failed."""
TAKEN_WITHIN_S: Final = 60.0
"""An order that no worker has begun by then is sent again."""
SILENCE_S: Final = 15.0
"""A begun run of which nothing was heard for so long is taken back."""
KEPT_S: Final = 86_400.0
"""So long a run is kept."""
FIRST_ORDER: Final = HIGHEST_ID - 2**27
"""To workers a run is an order like a match's; the numbers from here on are those of runs."""


def order_id(run_id: int) -> int:
    """Return the number of a run's order."""
    return FIRST_ORDER + run_id


def run_of(order: int) -> int | None:
    """Return the run that an order's number is of, None for a match's."""
    return order - FIRST_ORDER if order > FIRST_ORDER else None
