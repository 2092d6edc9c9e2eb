"""The final table: one more match of the first two to four entries, which decides the order of their places."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final

from msgspec import Meta, Struct

from gangland_ladder.matches.match_jobs import NO_NUL
from gangland_ladder.pairing import demand, permitted_tables
from gangland_sandbox.limits import Limits

# The final table is announced with the rules, and scheduled once, after the round robin and the settling rounds. It is
# the last match, with a number of seats and blocks of its own; its dice follow from the same secret.
SEATS: Final = (2, 4)
BLOCKS: Final = (1, 60)  # With more blocks at four seats, a match would exceed the broker's message timeout.
DEFAULT_BLOCKS: Final = 3  # With fewer blocks, luck would decide.
# The effect on the official order, as the published text that the commitment covers.
EFFECT: Final = (
    "The bots at the final table play once more for the places that they hold. A better mean place over its blocks"
    " comes first; bots with equal means keep their order. All other places stay. If bots share a rank, lots drawn from"
    " the schedule's seed decide who plays, and the others keep that rank."
)


class FinalTerms(Struct, frozen=True, forbid_unknown_fields=True):
    """The terms of the final table, announced before the entries freeze. Raises ValueError: out of bounds."""

    seats: Annotated[int, Meta(ge=SEATS[0], le=SEATS[1])]
    blocks: Annotated[int, Meta(ge=BLOCKS[0], le=BLOCKS[1])]  # number of blocks, each in all rotations of the seats
    effect: Annotated[str, Meta(max_length=400, pattern=NO_NUL)] = EFFECT  # on the official order

    def __post_init__(self) -> None:
        for name, (lowest, highest) in {"seats": SEATS, "blocks": BLOCKS}.items():
            value = getattr(self, name)
            if not lowest <= value <= highest:
                raise ValueError(f"final table: {name} must be a number from {lowest} to {highest}, not {value!r}")

    @property
    def weight(self) -> str:
        """The weight of its games compared with all others, as a sentence."""
        games = self.blocks * self.seats
        return f"Its {games} games alone decide the order of these {self.seats} bots."

    def limits(self, limits: Mapping[str, object]) -> dict[str, float | int | str]:
        """Return a tournament's limits with time banks for this number of blocks."""
        return Limits.from_dict(limits).for_blocks(self.blocks).to_dict()


def seating_order(ranks: Mapping[int, int], seed: str) -> list[int]:
    """Return the order of invitations to the final table: by rank; the secret seed draws lots for equal ranks."""
    return sorted(ranks, key=lambda entry: (ranks[entry], demand.lot(seed, 0, entry)))


def finalists(order: Sequence[int], entrants: Sequence[permitted_tables.Entrant], seats: int) -> tuple[int, ...]:
    """Return the entries at the final table, best first and one per owner; no entries if there are too few owners."""
    owner = {entrant.entry: entrant.owner for entrant in entrants}
    seated: list[int] = []
    for entry in order:  # an owner's second bot keeps its place, but the next bot gets the seat
        if entry in owner and (owner[entry] is None or all(owner[entry] != owner[other] for other in seated)):
            seated.append(entry)
        if len(seated) == seats:
            return tuple(seated)
    return ()
