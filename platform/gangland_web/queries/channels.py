"""Read the channels of ladders, tournaments and events: the games that they show, and premieres."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from sqlalchemy import bindparam, select
from sqlalchemy.orm import defer
from sqlmodel import Session, col, func
from sqlmodel import select as select_models
from sqlmodel.sql.expression import SelectOfScalar

from gangland.game import ROUND_BEGAN
from gangland.games import game_named
from gangland.replay import Replay, ReplayError, expand, load
from gangland.words import join_and
from gangland_ladder.analysis.account import Analysis
from gangland_ladder.analysis.transfer import UnreadableAnalysis, unpack
from gangland_ladder.tournaments.lifecycle import NO_END, State
from gangland_ladder.viewer.timeline_data import Broadcast, broadcast_of
from gangland_web.base.formats import GAME_TITLES
from gangland_web.models.columns import row_id
from gangland_web.models.jobs import AnalysisState, GameAnalysis
from gangland_web.models.matches import Match, MatchState, PlayedGame
from gangland_web.models.tournaments import ChannelItem, Tournament
from gangland_web.queries.ladders import SEATS, ladder_of
from gangland_web.queries.match_lists import ListedMatch, unshown_matches, upset_of
from gangland_web.queries.matches import MatchPage, visible_game
from gangland_web.queries.tournament_pages import Premiere, item_of_premiere, premiere_of, premiered_game
from gangland_web.queries.tournaments import get_tournament, visible_event
from gangland_web.queries.visibility import NotVisible, results_visible
from gangland_web.services.channels import NextItem
from gangland_web.services.final_tables import premiere_is_over
from gangland_web.services.retention import Trim

# Channels of ladders, tournaments and events; they are the same for all visitors.


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel, which shows games of its ladders or tournaments one after another."""

    key: str  # its name (`ChannelItem.channel`)
    title: str
    tournaments: tuple[Tournament, ...]  # its public ladders or tournaments

    @property
    def public_tournaments(self) -> tuple[Tournament, ...]:
        """The ladders or tournaments whose results are public now."""
        return tuple(tournament for tournament in self.tournaments if results_visible(tournament, None))


def ladders_channel(db: Session, game: str | None = None) -> Channel:
    """Return the channel of all ladders, or of those of one game."""
    games = list(GAME_TITLES) if game is None else [game]
    ladders = [ladder_of(db, each, seats) for each in games for seats in SEATS]
    key, title = ("ladders", "All ladders") if game is None else (f"ladders-{game}", GAME_TITLES[game])
    return Channel(key, title, tuple(ladder for ladder in ladders if ladder is not None))


def channel_of(db: Session, key: str) -> Channel:
    """Return the channel with this key.  Raises NotVisible."""
    kind, _, subject = key.partition("-")
    if kind == "ladders":
        return ladders_channel(db, subject or None)
    # A premiere is shown on its tournament's channel.
    return (event_channel if kind == "event" else tournament_channel)(db, int(subject))


def tournament_channel(db: Session, tournament_id: int) -> Channel:
    """Return the channel of a tournament.  Raises NotVisible."""
    tournament = get_tournament(db, tournament_id, None)
    return Channel(f"tournament-{tournament.id}", tournament.name, (tournament,))


def event_channel(db: Session, event_id: int) -> Channel:
    """Return the channel of all tournaments of an event.  Raises NotVisible."""
    event, tournaments = visible_event(db, event_id, None)
    return Channel(f"event-{event.id}", event.name, tuple(tournaments))


# Scores of games; a channel shows the game with the highest score.

MANY_LEADS: Final = 5  # further lead changes do not raise the score
LONG_GAME: Final = 160  # a game with more decisions takes long to show, so its score is halved
_CLOSE_MARGIN: Final = 2.0  # a margin of this many dice counts half as much as a margin of 0


@dataclass(frozen=True, slots=True)
class GameScore:
    """The reasons for showing a game, each from 0 to 1."""

    close: float  # how close the finish was, by the dice of the first two
    leads: float  # changes of the lead
    upset: float  # whether a bot finished the match ahead of one that was rated clearly higher
    strength: float  # of the best two bots, relative to the other games to choose from
    drama: float  # how far behind the winner was at some point; 0 if the game is not analyzed
    has_fault: bool  # whether a seat was at fault
    is_long: bool  # whether the game takes long to show

    @property
    def reasons(self) -> tuple[str, ...]:
        """The reasons as phrases; show them only after the game, because they reveal how it ended."""
        phrases = {
            "a close finish": self.close >= 1 / 2,
            "many lead changes": self.leads >= 3 / MANY_LEADS,
            "an upset in the match": self.upset > 0,
            "highly rated bots": self.strength >= 3 / 4,
            "a comeback": self.drama >= 1 / 2,
        }
        return tuple(phrase for phrase, holds in phrases.items() if holds)

    @property
    def total(self) -> float:
        """The overall score; a close finish has the most weight, because screens do not reveal the end in advance."""
        good = 2 * self.close + 1.5 * self.leads + self.upset + 1.5 * self.strength + self.drama
        return good * (0.3 if self.has_fault else 1.0) * (0.5 if self.is_long else 1.0)


def strength(match: ListedMatch) -> float:
    """Return the lower one of the ratings before a match of its best two bots; a bot without a rating counts as 0."""
    return min((seat.mu or 0.0) - 3 * (seat.sigma or 0.0) for seat in match.bots[:2])


def match_score(match: ListedMatch, shares: float) -> float:
    """Return the score of a match without reading its games; `shares`: its rank by strength, from 0 (weakest) to 1."""
    gap = match.bots[1].mean_place - match.bots[0].mean_place
    return 2 / (1 + 2 * gap) + (1.0 if upset_of(match) else 0.0) + 1.5 * shares


def game_score(replay: Replay, match: ListedMatch, shares: float, analysis: Analysis | None = None) -> GameScore:
    """Return the score of a game of a match.  Raises ReplayError."""
    game = game_named(replay.game)
    steps = list(expand(replay))
    dice = [game.held(step.after) for step in steps if any(event[0] == ROUND_BEGAN for event in step.events)]
    dice.append(game.held(steps[-1].after))
    ranked = sorted(dice[-1], reverse=game.unit.more_is_better)
    best = max if game.unit.more_is_better else min
    leaders = [counts.index(best(counts)) for counts in dice if counts.count(best(counts)) == 1]
    changes = sum(before != after for before, after in pairwise(leaders))
    return GameScore(
        close=1 / (1 + abs(ranked[0] - ranked[1]) / _CLOSE_MARGIN),
        leads=min(MANY_LEADS, changes) / MANY_LEADS,
        upset=1.0 if upset_of(match) else 0.0,
        strength=shares,
        drama=0.0 if analysis is None else _drama(analysis, replay.places),
        has_fault=bool(replay.faults),
        is_long=len(replay.decisions) > LONG_GAME,
    )


def _drama(analysis: Analysis, places: tuple[int, ...]) -> float:
    winner = places.index(1) if 1 in places else None
    if winner is None or not analysis.moments:
        return 0.0
    lowest = min(moment.values[winner] for moment in analysis.moments)
    return max(0.0, min(1.0, 1 - 2 * lowest))


# Choosing the next game: the best game of the latest matches that the channel has not shown.

MAX_UNSHOWN: Final = 40  # the next game is from one of this many latest matches that have not been shown
_MATCHES, _GAMES = 3, 24  # the maximum number of matches that are read, and of games per match


def choose_game(db: Session, channel: Channel) -> NextItem | None:
    """Return the best game of the latest matches; if all have been shown, the game that was shown longest ago."""
    matches = [
        match
        for tournament in channel.public_tournaments
        for match in unshown_matches(db, row_id(tournament.id), channel.key, MAX_UNSHOWN)
        if len(match.bots) > 1
    ]
    matches = sorted(matches, key=lambda match: (-(match.done_at or 0.0), -match.id))[:MAX_UNSHOWN]
    shares = _shares(matches)
    ordered = sorted(matches, key=lambda match: (-match_score(match, shares[match.id]), -match.id))
    candidates = [(score, match, game) for match in ordered[:_MATCHES] for score, game in _games(db, match, shares)]
    for score, match, game in sorted(candidates, key=lambda each: (-each[0].total, -each[1].id, row_id(each[2].id))):
        if planned := _plan_of(game, match, score):
            return planned
    return _least_recent(db, channel)


def _shares(matches: Sequence[ListedMatch]) -> dict[int, float]:
    order = sorted(matches, key=lambda match: (strength(match), match.id))
    return {match.id: at / max(1, len(order) - 1) for at, match in enumerate(order)}


def _games(db: Session, match: ListedMatch, shares: dict[int, float]) -> list[tuple[GameScore, PlayedGame]]:
    parameters: Any = {"match": match.id, "limit": _GAMES}
    games = list(db.execute(_MATCH_GAMES, parameters).scalars())
    analyses = _analyses(db, [row_id(game.id) for game in games])
    rated_games = []
    for game in games:
        try:
            score = game_score(load(game.replay), match, shares[match.id], analyses.get(row_id(game.id)))
        except ReplayError:  # the rules of this replay are no longer known
            continue
        rated_games.append((score, game))
    return rated_games


def _analyses(db: Session, games: Sequence[int]) -> dict[int, Analysis]:
    analyses: dict[int, Analysis] = {}
    for number, course in db.execute(_ANALYZED, {"games": list(games)}).all() if games else ():
        try:
            analyses[number] = unpack(course, Analysis)
        except UnreadableAnalysis:
            continue
    return analyses


def _plan_of(game: PlayedGame, match: ListedMatch, score: GameScore) -> NextItem | None:
    bots = {seat.position: seat.bot for seat in match.bots}
    try:
        broadcast = broadcast_of(game.replay, tuple(bots[position] for position in game.seating))
    except ReplayError:
        return None
    if not broadcast.timeline.frames:  # the game ended before any decision
        return None
    return NextItem(game.match_id, game.block, game.rotation, broadcast.seconds, False, join_and(score.reasons))


def _least_recent(db: Session, channel: Channel) -> NextItem | None:
    allowed = [row_id(tournament.id) for tournament in channel.public_tournaments]
    last = (
        select(col(ChannelItem.match_id), func.max(col(ChannelItem.number)).label("number"))
        .where(col(ChannelItem.channel) == channel.key)
        .group_by(col(ChannelItem.match_id))
        .subquery()
    )
    query = (
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
        .where(col(Match.trimmed) < Trim.REPLAYS, col(Match.tournament_id).in_(allowed))
        .order_by(col(ChannelItem.number))
        .limit(1)
    )
    item = db.execute(query).scalars().first()
    if item is None:
        return None
    return NextItem(item.match_id, item.block, item.rotation, item.ends_at - item.starts_at, True, item.why)


_LOGS: Any = PlayedGame.logs
_MATCH_GAMES: Any = (
    select(PlayedGame)
    .options(defer(_LOGS))
    .where(col(PlayedGame.match_id) == bindparam("match"))
    .order_by(col(PlayedGame.block), col(PlayedGame.rotation))
    .limit(bindparam("limit"))
)
_ANALYZED: Any = select(col(GameAnalysis.game_id), col(GameAnalysis.course)).where(
    col(GameAnalysis.game_id).in_(bindparam("games", expanding=True)),
    col(GameAnalysis.state) == AnalysisState.DONE.value,
    col(GameAnalysis.course).is_not(None),
)


# The schedule: the current and the next item.


@dataclass(frozen=True, slots=True)
class Schedule:
    """A channel's current and next items, if planned; `next` without `now` if the current item no longer counts."""

    now: ChannelItem | None
    next: ChannelItem | None


def schedule_at(db: Session, channel: Channel, at: float) -> Schedule:
    """Return the current and the next item of a channel, without items whose match no longer counts."""
    unfinished = _public_items(channel).where(col(ChannelItem.ends_at) > at)
    query = unfinished.order_by(col(ChannelItem.number).desc()).limit(4)
    items = sorted(db.exec(query).all(), key=lambda item: item.number)
    now = next((item for item in items if item.starts_at <= at), None)
    upcoming = next((item for item in items if now is None or item.number > now.number), None)
    return Schedule(now, upcoming)


def next_item(db: Session, channel: Channel, item: ChannelItem) -> ChannelItem | None:
    """Return the item after this one, even if it is over; None for the last one and in premieres."""
    if is_premiered(item):
        return None
    later = _public_items(channel).where(col(ChannelItem.number) > item.number)
    query = later.order_by(col(ChannelItem.number)).limit(1)
    return db.exec(query).first()


def _public_items(channel: Channel) -> SelectOfScalar[ChannelItem]:
    allowed = [row_id(tournament.id) for tournament in channel.public_tournaments]
    return (
        select_models(ChannelItem)
        .join(Match, col(Match.id) == col(ChannelItem.match_id))
        .where(ChannelItem.channel == channel.key)
        .where(Match.state == MatchState.DONE.value, col(Match.tournament_id).in_(allowed))
    )


def is_premiered(item: ChannelItem) -> bool:
    """Return whether an organizer shows the item's game in a premiere."""
    return item.channel.startswith("premiere-")


def get_item(db: Session, item_id: int) -> ChannelItem:
    """Return an item.  Raises NotVisible."""
    item = db.get(ChannelItem, item_id)
    if item is None:
        raise NotVisible
    return item


def game_of_item(db: Session, item: ChannelItem) -> tuple[MatchPage, PlayedGame, Broadcast]:
    """Return the public part of an item's game.  Raises NotVisible; ReplayError if its rules or its replay are gone."""
    if is_premiered(item):
        game = premiered_game(db, item.match_id, item.block, item.rotation, NO_END)  # even while it is being shown
        if game is None:
            raise NotVisible
        page, played = game
    else:
        page, played = visible_game(db, item.match_id, item.block, item.rotation, None)
    return page, played, broadcast_of(played.replay, tuple(page.seats[position].bot for position in played.seating))


# Premieres: the game that the organizer has just started to show, as if it were live, or the podium.
#
# A game starts when the organizer takes a step, so all screens show the same decision at the same time. Until the game
# has ended on screen, the score covers only the games before it.

PODIUM_S: Final = 600.0  # how long the podium is shown after the last step, before the premiere ends


@dataclass(frozen=True, slots=True)
class RunningPremiere:
    """A running premiere."""

    tournament: Tournament
    item: ChannelItem | None  # the game now playing; None during the introduction and the podium
    public_part: Premiere

    @property
    def game(self) -> int:
        """The number of the game now playing, from 1; 0 if no game is playing."""
        return 0 if self.item is None else self.public_part.playing or len(self.public_part.games)


def running_premiere(db: Session, channel: Channel, at: float) -> RunningPremiere | None:
    """Return the premiere that a channel shows at a time; for an event, the one with the latest step."""
    for tournament in sorted(channel.tournaments, key=lambda each: each.premiered_at or 0.0, reverse=True):
        premiere = premiere_of(db, tournament, at) if _is_on(tournament, at) else None
        if premiere is not None:
            has_game = bool(premiere.playing or premiere.games) and premiere.place is None and not premiere.is_over
            return RunningPremiere(tournament, item_of_premiere(db, tournament) if has_game else None, premiere)
    return None


def screen_schedule(db: Session, channel: Channel, at: float) -> Schedule:
    """Return the current and the next item of a channel; during a premiere, only the premiere."""
    premiere = running_premiere(db, channel, at)
    return schedule_at(db, channel, at) if premiere is None else Schedule(premiere.item, None)


def _is_on(tournament: Tournament, at: float) -> bool:
    if not tournament.has_premiere or not tournament.premiered:
        return False
    if not premiere_is_over(tournament):
        return tournament.state == State.FINISHED.value
    return at < (tournament.embargo_until or 0.0) + PODIUM_S
