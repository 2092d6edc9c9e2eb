"""Match jobs, which are built only from database rows, so that the same match always gets the same job."""

from collections.abc import Collection
from typing import Any, Final

import msgspec
from sqlalchemy import bindparam
from sqlalchemy import select as select_columns
from sqlmodel import Session, col, select

from gangland_ladder.matches.match_jobs import FaultRecord, GameRecord, MatchJob, Seat
from gangland_ladder.matches.seeds import block_seed, rng_key
from gangland_sandbox.intake import stem_of
from gangland_web.models.bots import Bot, Code, Version
from gangland_web.models.columns import row_id
from gangland_web.models.matches import Match, MatchSeat, PlayedGame, Purpose
from gangland_web.models.tournaments import Entry, Tournament
from gangland_web.services.ladder_days import secret_of
from gangland_web.services.matches import size_of

NAME_CHARS = 80
MAX_JOBS = 1000


class SentMatchJobs:
    """A cache of sent match jobs by lease token.  It only saves queries, since a job can be rebuilt from its rows."""

    def __init__(self) -> None:
        self._jobs: dict[str, MatchJob] = {}

    def add(self, token: str, match_job: MatchJob) -> None:
        """Cache a match job, and drop the oldest job if the cache is full."""
        self._jobs[token] = match_job
        if len(self._jobs) > MAX_JOBS:
            del self._jobs[next(iter(self._jobs))]

    def pop(self, token: str) -> MatchJob | None:
        """Return and remove the match job with this token, or None if it is not cached."""
        return self._jobs.pop(token, None)


def build_match_job(session: Session, match: Match, tournament: Tournament) -> MatchJob:
    """Return the job for a match.  An audit gets the job of the match that it replays, without a check."""
    if match.audit_of is None:
        return _match_job(session, match, tournament)
    match_job = _match_job(session, *source_match(session, match))
    return msgspec.structs.replace(match_job, id=row_id(match.id), check=None)


def seat_name(filename: str) -> str:
    """Return a bot's name for match jobs and archives, from its file name."""
    return stem_of(filename)[:NAME_CHARS]


def source_match(session: Session, match: Match) -> tuple[Match, Tournament]:
    """Return the match that supplies the seats, size and dice (for an audit, the audited one), and its tournament."""
    source = match if match.audit_of is None else session.get_one(Match, match.audit_of)
    return source, session.get_one(Tournament, source.tournament_id)


def recorded_games(session: Session, match_id: int) -> list[GameRecord]:
    """Return recorded games in the form of a worker's result, ordered by block and rotation, without logs."""
    columns = (PlayedGame.block, PlayedGame.rotation, PlayedGame.seating, PlayedGame.replay, PlayedGame.views)
    query = select_columns(*map(col, columns), col(PlayedGame.faults)).where(col(PlayedGame.match_id) == match_id)
    rows: Any = session.connection().execute(query.order_by(col(PlayedGame.block), col(PlayedGame.rotation)))
    return [
        GameRecord(block, rotation, seating, replay, views, msgspec.convert(faults, list[FaultRecord]), [])
        for block, rotation, seating, replay, views, faults in rows
    ]


def played_match_job(session: Session, match: Match, tournament: Tournament) -> MatchJob:
    """Return the match job of a finished match, without a check."""
    return msgspec.structs.replace(_match_job(session, match, tournament), check=None)


def _match_job(session: Session, match: Match, tournament: Tournament) -> MatchJob:
    digest = bytes.fromhex(match.seed_digest)
    secret = secret_of(session, tournament, match)
    size = size_of(tournament, match)
    seeds = [block_seed(secret, digest, match.number, block).hex() for block in range(size.blocks)]
    seats = _seats(session, match)
    # A bot on trial is checked again before its two-seat match, because a slow bot may not have finished the short
    # check.
    checked_seat = next((i for i, (version, _) in enumerate(seats) if version == match.trial_version_id), None)
    return MatchJob(
        id=row_id(match.id),
        game=tournament.game,
        options=tournament.options,
        blocks=seeds,
        rng_key=rng_key(secret, match.number).hex(),
        seats=[seat for _, seat in seats],
        limits=size.limits,
        check=checked_seat if tournament.seats == 2 else None,
        check_only=match.purpose == Purpose.CHECK.value,
    )


def _seats(session: Session, match: Match) -> list[tuple[int, Seat]]:
    rows: Any = session.connection().execute(_JOB_SEATS, {"match_id": match.id})
    return [
        (version, Seat(entry=entry, name=seat_name(filename), code=code, bot=bot))
        for entry, version, filename, code, bot in rows
    ]


_JOB_SEATS: Final = (
    select_columns(
        col(MatchSeat.entry_id), col(Version.id), col(Version.filename), col(Version.code_sha256), col(Version.bot_id)
    )
    .join(Entry, col(Entry.id) == MatchSeat.entry_id)
    .join(Version, col(Version.id) == Entry.version_id)
    .join(Bot, col(Bot.id) == Version.bot_id)
    .where(col(MatchSeat.match_id) == bindparam("match_id"))
    .order_by(col(MatchSeat.position))
)


def sources_of(session: Session, hashes: Collection[str]) -> dict[str, bytes]:
    """Return the stored sources with these SHA-256 hashes."""
    if not hashes:
        return {}
    rows = session.exec(select(Code.sha256, Code.source).where(col(Code.sha256).in_(hashes))).all()
    return {sha256: source for sha256, source in rows if source is not None}
