"""The states of a table at which a person plays."""

from enum import StrEnum
from typing import Final


class TableState(StrEnum):
    """Where a table stands: the bots and the person by turns, until the game is over or the table is ended.

    `bots`: bots are to be asked; `leased`: a worker asks them; `person`: the person is asked.  A lease that runs out
    goes back to `bots`.
    """

    BOTS = "bots"
    LEASED = "leased"
    PERSON = "person"
    OVER = "over"
    ENDED = "ended"


class TableVerdict(StrEnum):
    """What became of a worker's message about a table."""

    TAKEN = "taken"
    ALIVE = "alive"
    ENDED = "ended"
    FAILED = "failed"
    REFUSED = "refused"
    STALE = "stale"


class HintState(StrEnum):
    """Where a hint stands: waiting -> leased -> done or failed.

    A lease that runs out goes back to waiting, at last to failed; what has failed waits again when it is asked for.
    """

    WAITING = "waiting"
    LEASED = "leased"
    DONE = "done"
    FAILED = "failed"


OPEN: Final = (TableState.BOTS, TableState.LEASED, TableState.PERSON)
"""A table in one of these states takes a place."""
MOST_TABLES: Final = 50
"""How many tables can be open: while a person thinks, a table takes no CPU."""
MOST_OF_VISITORS: Final = MOST_TABLES // 2
"""How many of them people without an account can have, so that whoever has one finds a seat."""
ATTEMPTS: Final = 3
"""A table of which a worker said so often in a row that nothing came is ended."""
LEASE_S: Final = 15.0
"""So long a worker may be silent once it has spoken; each of its messages prolongs the lease."""
SENT_S: Final = 30.0
"""So long an order may wait and be worked on unsaid: a worker that plays matches, too, takes it after its match."""
AWAY_S: Final = 180.0
"""A table whose person gave no sign of life for so long is ended when somebody else needs its place."""
SEEN_EVERY_S: Final = 45.0
"""A sign of life is noted at most so often; the page's script gives one each minute."""
HINT_LEASE_S: Final = 60.0
"""So long an order for a hint may wait and be worked on: up to 4 s of CPU, after the game that is being analysed."""
