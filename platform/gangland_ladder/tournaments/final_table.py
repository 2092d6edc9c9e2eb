"""The final table: the first two to four of the order meet once more, and it decides who of them has which place.

It is announced with the rules, scheduled once, when round robin and settling are over, and played as one match of its
own number of seats and blocks, so that its dice follow from the same secret as all others.  Nothing is played after it.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final

from msgspec import Meta, Struct

from gangland_ladder.matches.match_orders import NO_NUL
from gangland_ladder.pairing.demand import lot
from gangland_ladder.pairing.permitted_tables import Entrant
from gangland_sandbox.limits import Limits

SEATS: Final = (2, 4)
BLOCKS: Final = (1, 60)
"""More blocks at four seats take longer than a message may wait on the broker."""
USUAL_BLOCKS: Final = 3
"""With fewer, luck decides."""
EFFECT: Final = (
    "The final table decides which of its bots has which of the places that they hold: by their mean place over its"
    " blocks, equal ones in the order before it. All other places stay. Of bots that share a rank, lots drawn from the"
    " seed of the schedule decide who sits down first; whoever is left out keeps the rank."
)
"""What it does to the official order, in the words that everybody reads and that the commitment binds."""


class FinalTerms(Struct, frozen=True, forbid_unknown_fields=True):
    """The final table as it is announced before the entries freeze.

    Attributes:
        seats: how many bots sit at it; blocks: how many it plays, each in all rotations of its seats.
        effect: what it does to the official order.

    Raises:
        ValueError: a figure out of its bounds.
    """

    seats: Annotated[int, Meta(ge=SEATS[0], le=SEATS[1])]
    blocks: Annotated[int, Meta(ge=BLOCKS[0], le=BLOCKS[1])]
    effect: Annotated[str, Meta(max_length=400, pattern=NO_NUL)] = EFFECT

    def __post_init__(self) -> None:
        for name, (least, most) in {"seats": SEATS, "blocks": BLOCKS}.items():
            value = getattr(self, name)
            if not least <= value <= most:
                raise ValueError(f"final table: {name} is a number from {least} to {most}, not {value!r}")

    @property
    def weight(self) -> str:
        """What its games weigh against all others, in a sentence."""
        games = self.blocks * self.seats
        return f"Its {games} games alone decide the order of these {self.seats} bots, whatever all games before say."

    def limits(self, limits: Mapping[str, object]) -> dict[str, float | int | str]:
        """Return a tournament's limits with the banks for so many blocks."""
        return Limits.from_dict(limits).for_blocks(self.blocks).to_dict()


def seating_order(ranks: Mapping[int, int], seed: str) -> list[int]:
    """Return the order in which entries are asked to the final table: by rank, of equal ones by lot.

    Args:
        seed: the one of the schedule, which nobody knows before the freeze.
    """
    return sorted(ranks, key=lambda entry: (ranks[entry], lot(seed, 0, entry)))


def finalists(order: Sequence[int], entrants: Sequence[Entrant], seats: int) -> tuple[int, ...]:
    """Return who sits at the final table, best first; nobody where fewer owners than seats are left.

    Of two bots of one owner the lower one gives its seat to the next bot, and keeps its place.
    """
    owner = {each.entry: each.owner for each in entrants}
    seated: list[int] = []
    for entry in order:
        if entry in owner and (owner[entry] is None or all(owner[entry] != owner[other] for other in seated)):
            seated.append(entry)
        if len(seated) == seats:
            return tuple(seated)
    return ()
