"""What a table with persons is, and what was decided at it: all that it takes to set it up again anywhere."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from gangland_ladder.common.names import distinct


class TableSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """Who sits in a seat.

    Attributes:
        code: the SHA-256 of the bot's code in hexadecimal; None where a person sits.
    """

    name: str
    code: str | None = None


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """What is fixed before the first die.

    Attributes:
        options: those that differ from the game's defaults.
        seed, rng_key: of the dice, and of the bots' own generators, in hexadecimal; no person may see them in play.
        seats: in seat order.
    """

    game: str
    options: dict[str, Any]
    seed: str
    rng_key: str
    seats: tuple[TableSeat, ...]

    @property
    def persons(self) -> tuple[int, ...]:
        """The seats of persons, upward."""
        return tuple(seat for seat, each in enumerate(self.seats) if each.code is None)

    @property
    def bots(self) -> tuple[int, ...]:
        """The seats of bots, upward."""
        return tuple(seat for seat, each in enumerate(self.seats) if each.code is not None)

    @property
    def names(self) -> tuple[str, ...]:
        """What the seats are called, in seat order; a name that stands there twice has a number."""
        return tuple(distinct([each.name for each in self.seats]))


class Failure(Struct, frozen=True, forbid_unknown_fields=True):
    """How a bot failed.  The message may tell what its seat alone could know: no person may see it in play."""

    kind: str
    message: str


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    """One decision.  A table's rows stand in the order in which they were made, and are only ever added.

    Seats that decide at the same time may do so in any order; nothing of it happens before the last one's row.

    Attributes:
        decision: in canonical form, or "fault".
        fault: how the bot failed, if it did.
        opening: whether it failed before the game began; such rows come first, and answer no question.
        hint: whether the person had asked for a hint.
    """

    seat: int
    decision: Any
    fault: Failure | None = None
    opening: bool = False
    hint: bool = False
