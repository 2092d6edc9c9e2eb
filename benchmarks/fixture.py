"""A fixed set of matches: a database with tournaments that are ready to be played, and the jobs of their matches."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations, cycle, islice

from msgspec import Raw
from sqlmodel import Session, col, select

from gangland_ladder.matches.match_jobs import encode
from gangland_ladder.matches.seeds import commitment, entries_digest
from gangland_ladder.tournaments.lifecycle import State
from gangland_sandbox.limits import Limits, Profile
from gangland_web.base.formats import now_s
from gangland_web.broker.gate import Message, encode_message
from gangland_web.models.bots import Bot, Code, Version
from gangland_web.models.columns import row_id
from gangland_web.models.database import Database
from gangland_web.models.matches import Match, MatchState, Purpose
from gangland_web.models.tournaments import Tournament
from gangland_web.ops.prepare import prepare
from gangland_web.services.entries import enter
from gangland_web.services.match_jobs import build_match_job
from gangland_web.services.matches import plan_tables

BLOCKS = 12
"""The default number of blocks per match, as in the ladders of every installation."""
TOKEN = "0" * 32
FAR_AHEAD_S = 1e6


@dataclass(frozen=True, slots=True)
class MatchJobs:
    """The data for a worker to play the same matches without a platform: messages with jobs, and sources by hash."""

    texts: tuple[str, ...]
    codes: dict[str, bytes]


def fill(
    database: Database,
    game: str,
    seats: int,
    matches: int,
    warm_up: int,
    *,
    blocks: int = BLOCKS,
    bots: Sequence[str] | None = None,
) -> list[int]:
    """Write two tournaments of the house bots, ready to be played; return their ids.

    The first one is for warming up, the second is measured.  The same call gives the same dice.

    Args:
        bots: the names of the players; None for all of the game's house bots.

    Raises:
        ValueError: there are fewer bots than seats.
    """
    prepare(database)
    with database.write() as session:
        versions = _house(session, game, bots)
        if len(versions) < seats:
            raise ValueError(f"{seats} seats need as many house bots of {game}, not {len(versions)}")
        return [
            _tournament(session, name, game, seats, count, blocks, versions)
            for name, count in (("warm-up", warm_up), ("measured", matches))
        ]


def _house(session: Session, game: str, bots: Sequence[str] | None) -> Sequence[Version]:
    house = select(Version).join(Bot, col(Bot.id) == Version.bot_id)
    house = house.where(Bot.game == game, col(Bot.is_house).is_(True), Bot.active_version_id == Version.id)
    if bots is not None:
        house = house.where(col(Bot.name).in_(bots))
    return session.exec(house.order_by(col(Version.id))).all()


def _tournament(
    session: Session, name: str, game: str, seats: int, matches: int, blocks: int, versions: Sequence[Version]
) -> int:
    secret = sha256(f"{name} {game} {seats}".encode()).digest()
    tournament = Tournament(
        kind="tournament",
        state=State.PAUSED.value,
        name=name,
        game=game,
        seats=seats,
        options={},
        blocks=blocks,
        limits=dict(Limits.of(Profile.PLAIN, blocks).to_dict()),
        secret=secret,
        commitment=commitment(secret),
        entry_rule="open",
        announced_at=now_s(),
        roster_digest=entries_digest([version.code_sha256 for version in versions]).hex(),
        created_at=now_s(),
    )
    session.add(tournament)
    session.flush()
    entries = [row_id(enter(session, tournament, row_id(version.id)).id) for version in versions]
    plan_tables(session, tournament, tables_of(entries, seats, matches), purpose=Purpose.TOURNAMENT)
    return row_id(tournament.id)


def tables_of(entries: Sequence[int], seats: int, matches: int) -> list[tuple[int, ...]]:
    """Return `matches` tables: all combinations in turn, repeatedly."""
    return list(islice(cycle(combinations(entries, seats)), matches))


def match_jobs_of(database: Database, tournament_id: int) -> MatchJobs:
    """Return the jobs of a tournament's matches as dispatch would send them, except for token and time."""
    with database.read() as session:
        rows = session.exec(select(Code)).all()
        codes = {code.sha256: code.source for code in rows if code.source is not None}
        tournament = session.get_one(Tournament, tournament_id)
        query = select(Match).where(Match.tournament_id == tournament_id).order_by(col(Match.number))
        texts = []
        with session.no_autoflush:
            for match in session.exec(query).all():
                body = Raw(encode(build_match_job(session, match, tournament)))
                texts.append(
                    encode_message(Message(match.purpose, row_id(match.id), TOKEN, body, now_s() + FAR_AHEAD_S))
                )
    return MatchJobs(tuple(texts), codes)


def begin(database: Database, tournament_id: int) -> None:
    """Start a tournament."""
    with database.write() as session:
        session.get_one(Tournament, tournament_id).state = State.PLAYING.value


def is_folded(database: Database, tournament_id: int, matches: int) -> bool:
    """Return whether a tournament's ratings contain all its matches."""
    with database.read() as session:
        query = select(Tournament.cursor).where(Tournament.id == tournament_id)
        return session.exec(query).one() > matches


@dataclass(frozen=True, slots=True)
class Played:
    """The results of a tournament: when its first job was sent and its last result recorded, and all digests."""

    began_s: float
    ended_s: float
    digests: tuple[str, ...]


def played(database: Database, tournament_id: int) -> Played:
    """Return the results of a finished tournament.

    Raises:
        RuntimeError: a match is void, or was started more than once, so there is nothing to compare.
    """
    with database.read() as session:
        query = select(Match).where(Match.tournament_id == tournament_id).order_by(col(Match.number))
        matches = session.exec(query).all()
    wrong = [m.number for m in matches if m.state != MatchState.DONE.value or m.attempt > 1]
    if wrong:
        raise RuntimeError(f"the matches {wrong} were not played in one go; nothing can be told from this run")
    sent = [match.sent_at for match in matches if match.sent_at is not None]
    done = [match.done_at for match in matches if match.done_at is not None]
    return Played(min(sent), max(done), tuple([match.digest or "" for match in matches]))
