"""Matches and their games: who sat there, what came of it, and every decision."""

from __future__ import annotations

from typing import Any

from sqlmodel import Session

from gangland_ladder.viewer.turning import result
from gangland_web.api.calls.ladders import MatchList
from gangland_web.api.framework.declared import Archive, Stored, call
from gangland_web.api.framework.fields import Block, Count, Game, Hex64, Model, Moment, Number, Path, Rotation
from gangland_web.api.framework.openapi import BASE
from gangland_web.api.framework.sheets import table, table_model
from gangland_web.http.files import attachment
from gangland_web.http.sessions import looker
from gangland_web.people.tokens import Scope
from gangland_web.resources.documented import DOCUMENTED
from gangland_web.resources.exports.rows import moment
from gangland_web.resources.matches.films import ShownGame, own_logs, replay_file, shown_game
from gangland_web.resources.matches.grids import grid_of
from gangland_web.resources.matches.lists import PAGE, latest_matches, matches_sheet
from gangland_web.resources.matches.queries import MatchPage, games_of
from gangland_web.resources.matches.tables import TABLES, match_sheet
from gangland_web.resources.matches.visibility import replay_lines, visible, visible_game
from gangland_web.resources.matches.waiting import dice_of, why_not_played
from gangland_web.store.columns import stored
from gangland_web.store.lifecycles.matches import MatchState


class MatchTold(Model):
    """A match; its dice hang on the secret behind `commitment`.

    `number` is its number in its tournament or ladder; `waits` says what a scheduled match waits for.
    `host` is the worker host that played it, null before it is recorded.
    """

    id: Number
    number: Number
    url: Path
    game: Game
    purpose: str
    tournament: Path | None
    state: str
    waits: str
    why_void: str | None
    created_at: Moment | None
    over_at: Moment | None
    commitment: Hex64 | None
    secret: Hex64 | None
    host: str | None
    seats: list[MatchSeat]


class FaultTold(Model):
    """A seat's failure; the message is for the bot's owner.

    `at` is the address of its decision, null if it failed before its first or after the game.
    """

    seat: Count
    what: str
    round: int | None
    where: str
    at: str | None
    title: str | None
    message: str | None


class DecisionTold(Model):
    """A decision in the order in which the game asked; those of one ply were made at the same time.

    `told` is what followed, in sentences; `log` is what the bot wrote meanwhile, for its owner.
    """

    at: str
    round: int
    seat: Count
    kind: str
    ply: Count
    decision: Any
    asked: str
    did: str
    fault: bool
    told: list[str]
    luck: list[float]
    log: str


class GameTold(Model):
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
    faults: list[FaultTold]
    decisions: list[DecisionTold]
    replay: Path


class LogTold(Model):
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

    logs: list[LogTold]


_Seats: Any = table_model("MatchSeats", DOCUMENTED["match-seats"].about, TABLES["seats"])
MatchSeat: Any = _Seats.__annotations__["rows"].__args__[0]
Latest: Any = MatchList
Games: Any = table_model("MatchGames", DOCUMENTED["match-games"].about, TABLES["games"])


@call("GET", "/matches", subject="matches", answer=Latest)
def matches(db: Session) -> Any:
    """List the latest finished matches of all ladders."""
    return table(matches_sheet(latest_matches(db, PAGE)), next=None)


@call("GET", "/matches/{match_id}", subject="matches")
def match(db: Session, match_id: Number) -> MatchTold:
    """Tell of a match: who sat there and what it did to the ratings."""
    page = visible(db, match_id, looker())
    dice = dice_of(db, page)
    found, seats = page.match, match_sheet(page, (), "seats").plain
    of = page.tournament
    return MatchTold(
        id=match_id,
        number=found.number,
        url=f"{BASE}/matches/{match_id}",
        game=of.game,
        purpose=found.purpose,
        tournament=f"{BASE}/tournaments/{of.id}" if of.kind == "tournament" else None,
        state=found.state,
        waits=why_not_played(db, page),
        why_void=found.void_reason,
        created_at=moment(found.created_at),
        over_at=moment(found.done_at),
        commitment=dice.commitment,
        secret=dice.secret,
        host=page.host,
        seats=seats,
    )


@call("GET", "/matches/{match_id}/games", subject="matches", answer=Games)
def match_games(db: Session, match_id: Number) -> Any:
    """List every game of a match, a row for each seat."""
    page = visible(db, match_id, looker())
    found = games_of(db, match_id) if page.match.state == MatchState.DONE else []
    return table(match_sheet(page, grid_of(page, found), "games"))


@call(
    "GET",
    "/matches/{match_id}/replays.ndjson",
    subject="matches",
    kinds=("application/x-ndjson",),
    also=(410,),
)
def match_replays(db: Session, match_id: Number) -> Archive:
    """Return all replays of a match, one a line, by block and rotation."""
    lines = replay_lines(db, match_id, looker())
    return Archive(attachment(lines, "application/x-ndjson", f"gangland-match-{match_id}.ndjson"))


@call("GET", "/matches/{match_id}/games/{block}/{rotation}", subject="matches", also=(410,))
def game(db: Session, match_id: Number, block: Block, rotation: Rotation) -> GameTold:
    """Tell a game decision by decision; to the owners of its bots also why they failed, and what they logged."""
    page, played = visible_game(db, match_id, block, rotation, looker())
    return _told(page, shown_game(page, played, looker()))


@call("GET", "/matches/{match_id}/games/{block}/{rotation}/replay", subject="matches", also=(410,))
def replay(db: Session, match_id: Number, block: Block, rotation: Rotation) -> Stored:
    """Return a game's replay with the names of its bots: what `gangland replay` reads."""
    page, played = visible_game(db, match_id, block, rotation, looker())
    return Stored(replay_file(page, played), f"match-{match_id}-block-{block}-rotation-{rotation}")


@call("GET", "/matches/{match_id}/games/{block}/{rotation}/logs", subject="matches", needs=Scope.READ, also=(410,))
def logs(db: Session, match_id: Number, block: Block, rotation: Rotation) -> Logs:
    """Return what bots of one's own logged in a game."""
    page, played = visible_game(db, match_id, block, rotation, looker())
    return Logs(
        logs=[
            LogTold(
                seat=log.number,
                bot=log.seat.bot,
                version=log.seat.version,
                parts=[LogPart(decision=decision, text=text) for decision, text in log.parts],
            )
            for log in own_logs(page, played, looker())
        ]
    )


def _told(page: MatchPage, shown: ShownGame) -> GameTold:
    film, played = shown.film, shown.played
    where = f"{BASE}/matches/{page.match.id}/games/{played.block}/{played.rotation}"
    return GameTold(
        match=stored(page.match.id),
        block=played.block,
        rotation=played.rotation,
        game=film.game,
        names=list(film.names),
        places=list(film.places),
        luck=list(film.luck),
        rounds=film.rounds,
        reason=film.reason,
        result=result(film),
        ending=film.ending,
        faults=[
            FaultTold(
                seat=fault.number,
                what=fault.word,
                round=fault.round,
                where=fault.where,
                at=fault.at,
                title=fault.title,
                message=fault.message,
            )
            for fault in shown.faults
        ],
        decisions=[
            DecisionTold(
                at=stop.at,
                round=stop.round,
                seat=stop.seat,
                kind=stop.kind,
                ply=stop.ply,
                decision=stop.decision,
                asked=stop.asked,
                did=stop.did,
                fault=stop.fault,
                told=stop.told,
                luck=list(stop.luck),
                log=stop.log,
            )
            for stop in film.stops
        ],
        replay=f"{where}/replay",
    )
