"""Matches and their games: who sat there, what came of it, and every decision."""

from __future__ import annotations

from typing import Any

from sqlmodel import Session

from gangland_ladder.viewer.turning import result
from gangland_web.api.calls.ladders import MatchList
from gangland_web.api.framework.declared import Archive, Stored, call
from gangland_web.models.columns import stored
from gangland_web.queries.analyses import GameAnalysisResponse, analysis_of, analysis_response
from gangland_web.queries.documented import DOCUMENTED
from gangland_web.queries.match_analysis import seats_table
from gangland_web.queries.match_lists import PAGE, MatchDetail, latest_matches, match_detail, match_table, matches_table
from gangland_web.queries.matches import (
    MatchPage,
    ShownGame,
    own_logs,
    replay_file,
    replay_lines,
    shown_game,
    visible,
    visible_game,
)
from gangland_web.queries.tables import BASE, Block, Count, Game, Model, Number, Path, Rotation, model_from, table
from gangland_web.services.tokens import Scope
from gangland_web.web.caching import attachment
from gangland_web.web.requests import settings
from gangland_web.web.sessions import current_user


class FaultResponse(Model):
    """A seat's failure, by its kind; the message is for the bot's owner.

    `at` is the address of its decision, null if it failed before its first or after the game.
    """

    seat: Count
    fault: str
    round: int | None
    where: str
    at: str | None
    title: str | None
    message: str | None


class DecisionResponse(Model):
    """A decision in the order in which the game asked; those of one ply were made at the same time.

    `sentences` is what followed, in sentences; `log` is what the bot wrote meanwhile, for its owner.
    """

    at: str
    round: int
    seat: Count
    kind: str
    ply: Count
    decision: Any
    question: str
    did: str
    failed: bool
    sentences: list[str]
    luck: list[float]
    log: str


class GameResponse(Model):
    """A game: by seat the bots, places and luck, then all decisions."""

    match: Number
    block: Count
    rotation: Count
    game: Game
    names: list[str]
    places: list[int]
    luck: list[float]
    rounds: int
    reason: str
    result: str
    ending: str
    faults: list[FaultResponse]
    decisions: list[DecisionResponse]
    replay: Path


class LogResponse(Model):
    """What a bot of one's own logged in a game: pieces, each with the number of its decision where that is known."""

    seat: Count
    bot: str
    version: Number
    parts: list[LogPart]


class LogPart(Model):
    """A piece of a log."""

    decision: int | None
    text: str


class Logs(Model):
    """The logs of one's own bots in a game."""

    logs: list[LogResponse]


Games: Any = DOCUMENTED["match-games"].model("match-games")
Seats: Any = DOCUMENTED["match-analysis"].model("match-analysis")


@call("GET", "/matches", subject="matches", answer=MatchList)
def matches(db: Session) -> Any:
    """List the latest finished matches of all ladders."""
    return table(matches_table(latest_matches(db, PAGE), caption="Latest first"))


@call("GET", "/matches/{match_id}", subject="matches")
def match(db: Session, match_id: Number) -> MatchDetail:
    """Tell of a match: who played it and what it did to the ratings."""
    return match_detail(db, visible(db, match_id, current_user()))


@call("GET", "/matches/{match_id}/games", subject="matches", answer=Games)
def match_games(db: Session, match_id: Number) -> Any:
    """List every game of a match, a row for each seat."""
    return table(match_table(db, visible(db, match_id, current_user()), "games"))


@call("GET", "/matches/{match_id}/analysis", subject="matches", answer=Seats)
def match_costs(db: Session, match_id: Number) -> Any:
    """List where the result of each seat came from, game by game, where it is analysed."""
    return table(seats_table(db, visible(db, match_id, current_user())))


@call(
    "GET",
    "/matches/{match_id}/replays.ndjson",
    subject="matches",
    kinds=("application/x-ndjson",),
    also=(410,),
)
def match_replays(db: Session, match_id: Number) -> Archive:
    """Return all replays of a match, one a line, by block and rotation."""
    lines = replay_lines(db, match_id, current_user())
    return Archive(attachment(lines, "application/x-ndjson", f"gangland-match-{match_id}.ndjson"))


@call("GET", "/matches/{match_id}/games/{block}/{rotation}", subject="matches", also=(410,))
def game(db: Session, match_id: Number, block: Block, rotation: Rotation) -> GameResponse:
    """Tell a game decision by decision; to the owners of its bots also why they failed, and what they logged."""
    page, played = visible_game(db, match_id, block, rotation, current_user())
    return _game_response(page, shown_game(page, played, current_user()))


@call("GET", "/matches/{match_id}/games/{block}/{rotation}/replay", subject="matches", also=(410,))
def replay(db: Session, match_id: Number, block: Block, rotation: Rotation) -> Stored:
    """Return a game's replay with the names of its bots: what `gangland replay` reads."""
    page, played = visible_game(db, match_id, block, rotation, current_user())
    return Stored(replay_file(page, played), f"match-{match_id}-block-{block}-rotation-{rotation}")


@call("GET", "/matches/{match_id}/games/{block}/{rotation}/analysis", subject="matches", also=(410,))
def analysis(db: Session, match_id: Number, block: Block, rotation: Rotation) -> GameAnalysisResponse:
    """Tell where the analysis of a game stands, and as much of it as is known."""
    page, played = visible_game(db, match_id, block, rotation, current_user())
    return analysis_response(*analysis_of(db, page, played, is_on=settings().analysis_workers > 0))


@call("GET", "/matches/{match_id}/games/{block}/{rotation}/logs", subject="matches", needs=Scope.READ, also=(410,))
def logs(db: Session, match_id: Number, block: Block, rotation: Rotation) -> Logs:
    """Return what bots of one's own logged in a game."""
    page, played = visible_game(db, match_id, block, rotation, current_user())
    return Logs(
        logs=[
            LogResponse(
                seat=log.number,
                bot=log.seat.bot,
                version=log.seat.version,
                parts=[LogPart(decision=decision, text=text) for decision, text in log.parts],
            )
            for log in own_logs(page, played, current_user())
        ]
    )


def _game_response(page: MatchPage, shown: ShownGame) -> GameResponse:
    film, played = shown.film, shown.played
    where = f"{BASE}/matches/{page.match.id}/games/{played.block}/{played.rotation}"
    return model_from(
        GameResponse,
        film,
        match=stored(page.match.id),
        block=played.block,
        rotation=played.rotation,
        result=result(film),
        faults=[model_from(FaultResponse, fault, seat=fault.number) for fault in shown.faults],
        decisions=[model_from(DecisionResponse, stop, failed=stop.fault) for stop in film.stops],
        replay=f"{where}/replay",
    )
