"""The premiere of a final table at the organiser's word: its bots, game after game, the podium from the last up.

Until its last step all results of the tournament are under embargo; that step ends it.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from sqlmodel import Session, col, func, select

from gangland.replay import ReplayError
from gangland_ladder.rating.final_standings.table import PODIUM
from gangland_ladder.tournaments.deadlines import NEVER
from gangland_ladder.tournaments.lifecycle import State
from gangland_ladder.viewer.reels import reel_of
from gangland_web.base.clock import now_s
from gangland_web.league.channels import add_premiered
from gangland_web.league.matches.final_match import final_match, size_of
from gangland_web.league.tournaments.final import stored_standings
from gangland_web.league.tournaments.running import EntryRefused
from gangland_web.league.tournaments.seating import outside_ranking
from gangland_web.models.columns import stored
from gangland_web.models.matches import Match, MatchState, PlayedGame
from gangland_web.models.tournaments import Entry, Tournament

log = logging.getLogger("gangland_web.tournaments")

PREMIERE: Final = "premiere"
"""What stands in an order in place of a state: show the next step."""
_NAMELESS: Final = ("", "", "", "")
"""How long a game is shown does not depend on what its bots are called."""


@dataclass(frozen=True, slots=True)
class Programme:
    """What a premiere shows, in its order.

    Attributes:
        final: the final table that was played, None if there was none or it is void.
        games: how many it has: after its bots are presented, each is a step.
        podium: ranks and the entries that have them, the first one first.
        places: how many steps the podium has, one for each place from the last up, also where nobody has it because
            others share a better one: the number and the names of the steps are the same for every result.
    """

    final: Match | None
    games: int
    podium: tuple[tuple[int, tuple[int, ...]], ...]
    places: int

    @property
    def steps(self) -> int:
        """How many steps there are."""
        return (self.final is not None) + self.games + self.places

    def step(self, number: int) -> str:
        """Return a step's name, such as "game 3 of 9"; they count from 0."""
        presented = self.final is not None
        if presented and number == 0:
            return "the bots of the final table"
        game = number - presented
        if game < self.games:
            return f"game {game + 1} of {self.games}"
        left = self.steps - number
        if left < 1:
            return "all results"  # of a final table that was made void meanwhile
        return "first place" if left == 1 else f"place {left}"

    def shown_games(self, premiered: int) -> int:
        """Return how many games so many steps have shown."""
        return max(0, min(premiered - (self.final is not None), self.games))

    def game_of(self, premiered: int) -> int:
        """Return the number of the game, from 1, that the last of so many steps shows; 0 if it shows none."""
        games = self.shown_games(premiered)
        return games if games > self.shown_games(premiered - 1) else 0

    def shown_place(self, premiered: int) -> int | None:
        """Return the place that the last of so many steps showed, None before the podium."""
        hidden = max(0, self.steps - premiered)
        return hidden + 1 if hidden < self.places else None

    def shown_podium(self, premiered: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """Return of the podium what so many steps have shown, the best rank of it first."""
        place = self.shown_place(premiered)
        return tuple(each for each in self.podium if place is not None and each[0] >= place)


def is_over(tournament: Tournament) -> bool:
    """Tell whether the last step of a premiere was shown, which ended the embargo."""
    return tournament.embargo_until is None or tournament.embargo_until < NEVER


def programme_of(session: Session, tournament: Tournament, standings: dict[str, Any]) -> Programme:
    """Return what there is to premiere of a tournament that is over.

    Args:
        standings: its final ones.
    """
    ranks = {row["entry"]: row["rank"] for row in standings["rows"]}
    podium = tuple((rank, tuple(entries)) for rank, entries in groupby(standings["podium"], key=ranks.__getitem__))
    entered = session.exec(select(func.count()).where(Entry.tournament_id == tournament.id)).one()
    ranked = entered - len(outside_ranking(session, tournament))
    return Programme(*_final_of(session, tournament), podium, min(PODIUM, ranked))


def show_next(session: Session, tournament: Tournament, after: int) -> str:
    """Show the next step of a premiere and return what it showed; the caller holds the tournament.

    Args:
        after: how many steps whoever asks has seen, so that an order given twice shows one.

    Raises:
        EntryRefused: it has no premiere, is not finished, the step was shown already, or all were.
    """
    if not tournament.has_premiere:
        raise EntryRefused(f"{tournament.name} was announced without a premiere, so nothing is kept back for one")
    if tournament.state != State.FINISHED.value:
        raise EntryRefused(f"a premiere begins when all is played and audited; {tournament.name} is {tournament.state}")
    if is_over(tournament):
        raise EntryRefused(f"the premiere of {tournament.name} is over")
    standings = stored_standings(session, stored(tournament.id))
    if standings is None:
        raise EntryRefused(f"the standings of {tournament.name} are being calculated; try again in a few seconds")
    programme = programme_of(session, tournament, standings)
    if after != tournament.premiered:
        raise EntryRefused(f"step {after + 1} was shown already, or is not the next one")
    tournament.premiered += 1
    tournament.premiered_at = now_s()
    _put_on_screens(session, tournament, programme)
    if tournament.premiered >= programme.steps:
        tournament.embargo_until = now_s()
    session.add(tournament)
    session.flush()
    log.info("%s: step %d of %d of its premiere", tournament.name, tournament.premiered, programme.steps)
    return programme.step(after)


def hide_podium(session: Session, void: Match) -> None:
    """Go back in a premiere to before its podium, since a match became void; without a final table to its beginning.

    Else a step that showed a place would show another bot's, or one place more.  The caller holds the tournament.
    """
    tournament = session.get_one(Tournament, void.tournament_id)
    if tournament.has_premiere and not is_over(tournament):
        _, games = _final_of(session, tournament)
        tournament.premiered = min(tournament.premiered, 1 + games if games else 0)
        session.add(tournament)


def _final_of(session: Session, tournament: Tournament) -> tuple[Match | None, int]:
    """Return the final table that was played, and how many games it has; None and 0 if there was none or it is void."""
    final = final_match(session, tournament)
    if final is None or final.state != MatchState.DONE.value:
        return None, 0
    size = size_of(tournament, final)
    return final, size.blocks * size.seats


def _put_on_screens(session: Session, tournament: Tournament, programme: Programme) -> None:
    """Begin the game that the step just taken shows, if it shows one, on all screens at once."""
    number = programme.game_of(tournament.premiered)
    if programme.final is None or not number:
        return
    chosen = select(PlayedGame).where(PlayedGame.match_id == programme.final.id)
    ordered = chosen.order_by(col(PlayedGame.block), col(PlayedGame.rotation))
    game = session.exec(ordered.offset(number - 1).limit(1)).first()
    if game is not None:
        add_premiered(session, stored(tournament.id), game, now_s(), _seconds(game))


def _seconds(game: PlayedGame) -> float:
    """Return after how many seconds screens show a game's result: one, if it cannot be drawn."""
    try:
        return reel_of(game.replay, _NAMELESS[: len(game.seating)]).end_s
    except ReplayError:
        return 1.0
