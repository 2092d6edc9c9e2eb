"""JSON messages between the process that stores a table's rows and the worker that runs the table's bots.

Messages from workers are untrusted: they are decoded strictly, and `apply_rows` accepts only legal decisions of bots,
and only if they follow the stored rows.
"""

from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from gangland_ladder.common.documents import decode_json
from gangland_ladder.matches.match_jobs import MESSAGE_CHARS, Count, Message
from gangland_ladder.playing.table_state import LiveTable, Row, RowError, Setup

MAX_CHARS: Final = 4 * 1024 * 1024  # Far more characters than the rows of a whole game need.
MAX_ROWS: Final = 20_000
IDLE_S: Final = 900.0  # A table ends if no human has decided for this long.


class RowsRefused(ValueError):
    """The sent rows cannot follow the table's rows; the message has the reason."""


class TableJob(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to ask a table's bots for decisions until a human must decide or the game is over."""

    id: int
    setup: Setup
    limits: dict[str, Any]
    rows: list[Row]  # all stored rows
    open: list[int]  # the ids of all open tables; the bots of other tables can be ended


class TableRows(Struct, frozen=True, forbid_unknown_fields=True):
    """The result of a table job."""

    first: Count = 0  # the number of the first row, from 0
    rows: Annotated[list[Row], Meta(max_length=MAX_ROWS)] = []
    # The addresses of decisions at which a restored bot's answer differs from its row.
    differing: Annotated[list[Annotated[str, Meta(max_length=32)]], Meta(max_length=MAX_ROWS)] = []
    ended: Message = ""  # why a bot's faults ended the table, or ""
    failed: Message = ""  # why the job failed without a bot's fault, or ""


def decode_rows(text: bytes) -> TableRows:
    """Decode a worker's message.  Raises RowsRefused: the message is malformed."""
    return decode_json(text, TableRows, max_chars=MAX_CHARS, error_type=RowsRefused)


def apply_rows(live_table: LiveTable, sent: TableRows) -> LiveTable:
    """Apply a worker's rows, and return the table.  `live_table` is changed; after an error, it is unusable.

    Raises RowsRefused: the rows do not follow the table's, include a human's row, or leave a bot's question open.
    """
    bots, count = live_table.setup.bots, len(live_table.rows)
    if sent.first != count:
        raise RowsRefused(f"expected rows from row {count} on, not from row {sent.first}")
    for row in sent.rows:
        if row.seat not in bots:
            raise RowsRefused(f"no bot sits in seat {row.seat + 1}")
        if row.hint or (row.fault is not None and len(row.fault.message) > MESSAGE_CHARS):
            raise RowsRefused("a row has a hint or too long a message, which a bot's row cannot have")
    try:
        if count:
            for row in sent.rows:
                live_table.apply(row)
        else:  # bots can fail before the game begins
            live_table = LiveTable(live_table.setup, sent.rows)
    except (RowError, ValueError) as error:
        raise RowsRefused(str(error)) from error
    if any(question.seat in bots for question in live_table.open_questions()):
        raise RowsRefused("a bot has not answered yet")
    return live_table
