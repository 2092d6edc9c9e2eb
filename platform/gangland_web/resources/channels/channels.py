"""The channels that there are: of the ladders, of a tournament, of an event.  All are for everybody alike."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import Session

from gangland_web.base.formats import GAME_TITLES
from gangland_web.models.tournaments import Tournament
from gangland_web.resources.ladders.queries import SEATS, ladder_of
from gangland_web.resources.tournaments.visible import found_tournament, visible_event
from gangland_web.resources.visibility import results_visible


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel.

    Attributes:
        key: its name in `store.models.channels`.
        about: the ladders or tournaments that it is about, as a stranger may know of them.
        shown: those of them whose games may be shown.
    """

    key: str
    title: str
    about: tuple[Tournament, ...]

    @property
    def shown(self) -> tuple[Tournament, ...]:
        """Those whose results everybody may see now."""
        return tuple(each for each in self.about if results_visible(each, None))


def ladders_channel(db: Session, game: str | None = None) -> Channel:
    """Return the channel of all ladders, or of those of one game."""
    games = list(GAME_TITLES) if game is None else [game]
    ladders = [ladder_of(db, each, seats) for each in games for seats in SEATS]
    key, title = ("ladders", "All ladders") if game is None else (f"ladders-{game}", GAME_TITLES[game])
    return Channel(key, title, tuple(ladder for ladder in ladders if ladder is not None))


def channel_of(db: Session, key: str) -> Channel:
    """Return the channel of a key.  Raises NotVisible."""
    kind, _, which = key.partition("-")
    if kind == "ladders":
        return ladders_channel(db, which or None)
    return (event_channel if kind == "event" else tournament_channel)(db, int(which))  # a premiere is its tournament's


def tournament_channel(db: Session, tournament_id: int) -> Channel:
    """Return the channel of a tournament.  Raises NotVisible."""
    found = found_tournament(db, tournament_id, None)
    return Channel(f"tournament-{found.id}", found.name, (found,))


def event_channel(db: Session, event_id: int) -> Channel:
    """Return the channel of all tournaments of an event.  Raises NotVisible."""
    found, tournaments = visible_event(db, event_id, None)
    return Channel(f"event-{found.id}", found.name, tuple(tournaments))
