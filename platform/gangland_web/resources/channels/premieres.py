"""The premiere on a screen: the game that the organiser has just shown as if it were live, or the podium.

A game's time is that of the organiser's step, so it is at the same place on every screen; until it is played out, the
score is that of the games before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlmodel import Session, col, select

from gangland.replay import ReplayError
from gangland_ladder.tournaments.lifecycle import State
from gangland_web.league.channels import premiere_key
from gangland_web.league.tournaments.premiere import is_over
from gangland_web.resources.channels.channels import Channel
from gangland_web.resources.channels.programme import Programme, game_on, programme
from gangland_web.resources.tournaments.premiere import Premiere, premiere_of
from gangland_web.resources.visibility import NotVisible
from gangland_web.store.columns import stored
from gangland_web.store.models.channels import ChannelItem
from gangland_web.store.models.tournaments import Tournament

PODIUM_S: Final = 600.0
"""So long the whole podium stays after the last step, which ends the premiere."""


@dataclass(frozen=True, slots=True)
class OnScreen:
    """A premiere that is on.

    Attributes:
        item: the game on the felt; None while the bots are presented, and for the podium.
        premiere: what screens have shown to its end: without the game that is still played.
        next: the name of the next step, None if there is none.
        game: the number of the game on the felt, from 1; 0 for none.
    """

    tournament: Tournament
    item: ChannelItem | None
    premiere: Premiere
    next: str | None
    game: int


def premiere_on(db: Session, channel: Channel, at: float) -> OnScreen | None:
    """Return the premiere that a channel shows at a time, None if none has begun or all have been over for a while.

    Of an event's tournaments one whose premiere is not over comes first, then the one that was over last.
    """
    for tournament in sorted(channel.about, key=lambda each: each.embargo_until or 0.0, reverse=True):
        found = premiere_of(db, tournament) if _is_on(tournament, at) else None
        if found is None:
            continue
        item = _item(db, tournament) if found.games and not found.podium and not found.is_over else None
        shown = found
        if item is not None and _is_played(db, item, at):
            shown = premiere_of(db, tournament, steps_back=1) or found
        return OnScreen(tournament, item, shown, found.next, len(found.games) if item is not None else 0)
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


def _item(db: Session, tournament: Tournament) -> ChannelItem | None:
    chosen = select(ChannelItem).where(ChannelItem.channel == premiere_key(stored(tournament.id)))
    return db.exec(chosen.order_by(col(ChannelItem.number).desc()).limit(1)).first()


def _is_played(db: Session, item: ChannelItem, at: float) -> bool:
    """Tell whether a game is still played at a time; one that cannot be drawn is over at once."""
    try:
        reel = game_on(db, item)[2]
    except (NotVisible, ReplayError):
        return False
    return at < item.starts_at + reel.end_s
