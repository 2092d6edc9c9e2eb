"""Messages between the keeper of a table's rows and the process that asks its bots, as JSON.

What comes back is input from a stranger: it is decoded strictly here, and `take_rows` lets in only rows of bots that
the rules allow, and only where they go on from the rows that are kept.
"""

from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from gangland_ladder.common.documents import decoded
from gangland_ladder.matches.match_orders import MESSAGE_CHARS, Count, Message
from gangland_ladder.playing.table_state import LiveTable, Row, RowError, Setup

MOST_CHARS: Final = 4 * 1024 * 1024
"""Far more than the rows between two answers of a person, or a whole game of them, come to."""
MOST_ROWS: Final = 20_000
IDLE_S: Final = 900.0
"""A table at which no person has decided for this long is ended."""


class RowsRefused(ValueError):
    """What was sent cannot follow the rows of its table; the message says why."""


class TableOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """A table whose bots are to be asked until the person is asked, or the game is over.

    Attributes:
        id: of the table; rows: all that are kept.
        open: the tables that have not ended, by id; the bots of others need not be kept.
    """

    id: int
    setup: Setup
    limits: dict[str, Any]
    rows: list[Row]
    open: list[int]


class TableRows(Struct, frozen=True, forbid_unknown_fields=True):
    """What came of an order.

    Attributes:
        first: the number of the first of these rows, from 0.
        differing: addresses at which a bot that was brought back answered otherwise than its row says.
        ended: why the table has to end, by its bots; failed: why nothing came of it, by nobody's fault.
    """

    first: Count = 0
    rows: Annotated[list[Row], Meta(max_length=MOST_ROWS)] = []
    differing: Annotated[list[Annotated[str, Meta(max_length=32)]], Meta(max_length=MOST_ROWS)] = []
    ended: Message = ""
    failed: Message = ""


def decode_rows(text: bytes) -> TableRows:
    """Read what a worker sent.  Raises RowsRefused: it has not that form."""
    return decoded(text, TableRows, most_chars=MOST_CHARS, refused=RowsRefused)


def take_rows(live_table: LiveTable, sent: TableRows) -> LiveTable:
    """Return where a table stands after the rows that a worker sent; the live table before takes them, or is spoiled.

    Raises RowsRefused: they do not go on from those taken, are not all of bots, or leave a bot's question open.
    """
    bots, taken = live_table.setup.bots, len(live_table.rows)
    if sent.first != taken:
        raise RowsRefused(f"they begin at row {sent.first}, and {taken} are kept")
    for row in sent.rows:
        if row.seat not in bots:
            raise RowsRefused(f"no bot sits in seat {row.seat + 1}")
        if row.hint or (row.fault is not None and len(row.fault.message) > MESSAGE_CHARS):
            raise RowsRefused("a row has what no bot's row has")
    try:
        if taken:
            for row in sent.rows:
                live_table.take(row)
        else:  # bots may be at fault before the game begins
            live_table = LiveTable(live_table.setup, sent.rows)
    except (RowError, ValueError) as error:
        raise RowsRefused(str(error)) from error
    if any(question.seat in bots for question in live_table.open_questions()):
        raise RowsRefused("a bot has not answered yet")
    return live_table
