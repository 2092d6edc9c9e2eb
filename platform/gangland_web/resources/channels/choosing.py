"""Which game a channel shows next: the newest good one that it has not shown, by `merits`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import bindparam, select
from sqlalchemy.orm import defer
from sqlmodel import Session, col, func

from gangland.replay import ReplayError, load
from gangland.words import listed
from gangland_ladder.analysis.account import Analysis
from gangland_ladder.analysis.kept import NotKept, unpack
from gangland_ladder.viewer.reels import reel_of
from gangland_web.models.columns import stored
from gangland_web.models.jobs import AnalysisState, GameAnalysis
from gangland_web.models.matches import Match, MatchState, PlayedGame
from gangland_web.models.tournaments import ChannelItem
from gangland_web.resources.channels.channels import Channel
from gangland_web.resources.channels.merits import Merit, game_merit, match_merit, strength
from gangland_web.resources.matches.lists import ListedMatch, unshown_matches
from gangland_web.services.channels import Planned
from gangland_web.services.retention import Trimmed

LATEST: Final = 40
"""Among so many of the latest matches that a channel has not shown the next one is."""
_MATCHES, _GAMES = 3, 24
"""Of so many matches so many games each are read."""


def choose(db: Session, channel: Channel) -> Planned | None:
    """Return the game to be shown next; None if nothing may be shown.

    Of the latest matches the three most promising; of their games the one with the most merit.  If the channel has
    shown a game of every match there is, the one that was shown the longest ago.
    """
    matches = [
        match
        for tournament in channel.shown
        for match in unshown_matches(db, stored(tournament.id), channel.key, LATEST)
        if len(match.bots) > 1
    ]
    matches = sorted(matches, key=lambda match: (-(match.done_at or 0.0), -match.id))[:LATEST]
    shares = _shares(matches)
    ordered = sorted(matches, key=lambda match: (-match_merit(match, shares[match.id]), -match.id))
    found = [(merit, match, game) for match in ordered[:_MATCHES] for merit, game in _games(db, match, shares)]
    for merit, match, game in sorted(found, key=lambda each: (-each[0].total, -each[1].id, stored(each[2].id))):
        if planned := _planned(game, _names(match, game), merit):
            return planned
    return _shown_before(db, channel)


def _shares(matches: Sequence[ListedMatch]) -> dict[int, float]:
    """Return of each match which share of the others is weaker, by the lower of its best two's ratings."""
    order = sorted(matches, key=lambda match: (strength(match), match.id))
    return {match.id: at / max(1, len(order) - 1) for at, match in enumerate(order)}


def _games(db: Session, match: ListedMatch, shares: dict[int, float]) -> list[tuple[Merit, PlayedGame]]:
    given: Any = {"match": match.id, "limit": _GAMES}
    games = list(db.execute(_OF_MATCH, given).scalars())
    analyses = _analyses(db, [stored(game.id) for game in games])
    found = []
    for game in games:
        try:
            merit = game_merit(load(game.replay), match, shares[match.id], analyses.get(stored(game.id)))
        except ReplayError:  # of rules that are not known any more
            continue
        found.append((merit, game))
    return found


def _analyses(db: Session, games: Sequence[int]) -> dict[int, Analysis]:
    """Return the analyses that are done of these games, as far as they can be read."""
    found: dict[int, Analysis] = {}
    for number, course in db.execute(_ANALYSED, {"games": list(games)}).all() if games else ():
        try:
            found[number] = unpack(course, Analysis)
        except NotKept:
            continue
    return found


def _names(match: ListedMatch, game: PlayedGame) -> tuple[str, ...]:
    bots = {seat.position: seat.bot for seat in match.bots}
    return tuple(bots[position] for position in game.seating)


def _planned(game: PlayedGame, names: tuple[str, ...], merit: Merit) -> Planned | None:
    try:
        reel = reel_of(game.replay, names)
    except ReplayError:
        return None
    if not reel.film.stops:  # decided before anybody was asked
        return None
    return Planned(game.match_id, game.block, game.rotation, reel.seconds, again=False, why=listed(merit.words))


def _shown_before(db: Session, channel: Channel) -> Planned | None:
    """Return the game that was shown the longest ago, once more."""
    allowed = [stored(tournament.id) for tournament in channel.shown]
    last = (
        select(col(ChannelItem.match_id), func.max(col(ChannelItem.number)).label("number"))
        .where(col(ChannelItem.channel) == channel.key)
        .group_by(col(ChannelItem.match_id))
        .subquery()
    )
    chosen = (
        select(ChannelItem)
        .join(last, (col(ChannelItem.match_id) == last.c.match_id) & (col(ChannelItem.number) == last.c.number))
        .join(Match, col(Match.id) == col(ChannelItem.match_id))
        .join(
            PlayedGame,
            (col(PlayedGame.match_id) == col(Match.id))
            & (col(PlayedGame.block) == col(ChannelItem.block))
            & (col(PlayedGame.rotation) == col(ChannelItem.rotation)),
        )
        .where(col(ChannelItem.channel) == channel.key, col(Match.state) == MatchState.DONE.value)
        .where(col(Match.trimmed) < Trimmed.REPLAYS, col(Match.tournament_id).in_(allowed))
        .order_by(col(ChannelItem.number))
        .limit(1)
    )
    item = db.execute(chosen).scalars().first()
    if item is None:
        return None
    return Planned(item.match_id, item.block, item.rotation, item.ends_at - item.starts_at, True, item.why)


_LOGS: Any = PlayedGame.logs
_OF_MATCH: Any = (
    select(PlayedGame)
    .options(defer(_LOGS))
    .where(col(PlayedGame.match_id) == bindparam("match"))
    .order_by(col(PlayedGame.block), col(PlayedGame.rotation))
    .limit(bindparam("limit"))
)
_ANALYSED: Any = select(col(GameAnalysis.game_id), col(GameAnalysis.course)).where(
    col(GameAnalysis.game_id).in_(bindparam("games", expanding=True)),
    col(GameAnalysis.state) == AnalysisState.DONE.value,
    col(GameAnalysis.course).is_not(None),
)
