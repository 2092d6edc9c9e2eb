"""The bids of a round of Gangster Dice as they are turned up, and what they win."""

from __future__ import annotations

from dataclasses import dataclass, field

from gangland.gangster_dice.cards import INVESTIGATOR
from gangland.gangster_dice.events import Moved, Revealed, Took, TypedEvent, Won


@dataclass(slots=True)
class Bidding:
    """What is turned up after the bids, told by the events that follow them.

    Attributes:
        bids: by seat from 0, its bids: token, favor and score each; empty as long as none is turned up.
        won: by token, the seat that influences it; a token that nobody does is missing.
        took: by token, the seat that has it from now on; a token that stays where it was is missing.
    """

    bids: dict[int, tuple[tuple[int, int, int], ...]] = field(default_factory=dict)
    won: dict[int, int] = field(default_factory=dict)
    took: dict[int, int] = field(default_factory=dict)

    def hear(self, event: TypedEvent) -> None:
        """Keep what an event tells of bids."""
        if isinstance(event, Revealed):
            self.bids[event.seat] = event.bids
        elif isinstance(event, Won):
            self.won[event.token] = event.seat
        elif isinstance(event, Took):
            self.took[event.token] = event.seat
        elif isinstance(event, Moved):
            self.took[INVESTIGATOR] = event.seat
