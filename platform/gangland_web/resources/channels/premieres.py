"""The premiere on a screen: the game that the organiser has just shown as if it were live, or the podium.

A game's time is that of the organiser's step, so it is at the same place on every screen; until it is played out, the
score is that of the games before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlmodel import Session

from gangland_ladder.tournaments.lifecycle import State
from gangland_web.models.tournaments import ChannelItem, Tournament
from gangland_web.resources.channels.channels import Channel
from gangland_web.resources.channels.programme import Programme, programme
from gangland_web.resources.tournaments.premiere import Premiere, item_of_premiere, premiere_of
from gangland_web.services.final_tables import is_over

PODIUM_S: Final = 600.0
"""So long the whole podium stays after the last step, which ends the premiere."""


@dataclass(frozen=True, slots=True)
class OnScreen:
    """A premiere that is on.

    Attributes:
        item: the game on the felt; None while the bots are presented, and for the podium.
        shown: what everybody may see of it.
    """

    tournament: Tournament
    item: ChannelItem | None
    shown: Premiere

    @property
    def game(self) -> int:
        """The number of the game on the felt, from 1; 0 for none."""
        return 0 if self.item is None else self.shown.playing or len(self.shown.games)


def premiere_on(db: Session, channel: Channel, at: float) -> OnScreen | None:
    """Return the premiere that a channel shows at a time, None if none has begun or all have been over for a while.

    Of an event's tournaments it is the one whose organiser has taken a step last.
    """
    for tournament in sorted(channel.about, key=lambda each: each.premiered_at or 0.0, reverse=True):
        shown = premiere_of(db, tournament, at) if _is_on(tournament, at) else None
        if shown is not None:
            has_game = bool(shown.playing or shown.games) and shown.place is None and not shown.is_over
            return OnScreen(tournament, item_of_premiere(db, tournament) if has_game else None, shown)
    return None


def planned_at(db: Session, channel: Channel, at: float) -> Programme:
    """Return what a channel shows at a time and what comes then; while a premiere is on, that alone."""
    on = premiere_on(db, channel, at)
    return programme(db, channel, at) if on is None else Programme(on.item, None)


def _is_on(tournament: Tournament, at: float) -> bool:
    if not tournament.has_premiere or not tournament.premiered:
        return False
    if not is_over(tournament):
        return tournament.state == State.FINISHED.value
    return at < (tournament.embargo_until or 0.0) + PODIUM_S
