"""A site to be visited: a database with people, ladders and a tournament that is played, served by `gangland up`."""

from __future__ import annotations

import secrets
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlmodel import col, func, select

import benchmarks.fill.site as filling
from benchmarks.platform_rate.fixture import begin, fill
from benchmarks.platform_rate.whole import answers, free_port, running, slots_of, wait_for
from gangland_web.app import create_app
from gangland_web.broker.names import QUEUE_RECORDS, TASK_SCHEDULE
from gangland_web.broker.server import plan_broker
from gangland_web.ops.supervisor.house import secret_key_file
from gangland_web.people.accounts import sign_up
from gangland_web.people.signins import begin as begin_sign_in
from gangland_web.people.tokens import USUAL, make
from gangland_web.settings.config import Settings, sqlite_url
from gangland_web.store.columns import stored
from gangland_web.store.database import Database
from gangland_web.store.lifecycles.matches import ATTEMPTS, MatchState
from gangland_web.store.models.accounts import User
from gangland_web.store.models.matches import Match
from gangland_web.workers.celery_app import make_celery, send

GAME: Final = "gang-of-dice"
SEATS: Final = 2
AUTHORS: Final = 12
WAITING: Final = 20
"""So many matches that nobody comes to play are watched by those who wait for theirs."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How large a site is.

    Attributes:
        bots, played: of the ladder as it was before; it rests while the tournament is on.
        matches: of the tournament, which has to last for the whole run.
    """

    bots: int = 300
    played: int = 5000
    matches: int = 5000


@dataclass(frozen=True, slots=True)
class Visited:
    """A site that runs, and what its visitors need."""

    up: subprocess.Popen[bytes]
    data: Path
    port: int
    database: Database
    tournament: int
    cookies: Sequence[str]
    tokens: Sequence[str]
    waiting: Sequence[str]
    since: float

    def done(self, since: float, until: float) -> int:
        """Return how many matches of every kind were recorded in a time."""
        over = (col(Match.done_at) >= since) & (col(Match.done_at) < until)
        with self.database.read() as session:
            chosen = select(func.count()).select_from(Match).where(Match.state == MatchState.DONE.value, over)
            return int(session.exec(chosen).one())

    def void(self) -> list[str]:
        """Return a sentence for each match that was begun as often as may be since the site runs, and came to nothing.

        Matches of versions that were replaced are void as well, as they should be.
        """
        vain = (col(Match.state) == MatchState.VOID.value) & (col(Match.done_at) >= self.since)
        vain &= col(Match.attempt) >= ATTEMPTS
        with self.database.read() as session:
            found = session.exec(select(Match).where(vain).order_by(col(Match.id))).all()
        return [f"match {match.id} came to nothing: {match.void_reason}" for match in found]

    def left(self) -> int:
        """Return how many matches are still to be given out."""
        with self.database.read() as session:
            chosen = select(func.count()).select_from(Match).where(Match.state == MatchState.SCHEDULED.value)
            return int(session.exec(chosen).one())


@contextmanager
def visited(folder: Path, shape: Shape, slots: int, *more: str) -> Iterator[Visited]:
    """Fill a site, run it with so many match workers, and stop it at the end.

    Args:
        more: options of `gangland up`.
    """
    data = folder / "data"
    data.mkdir(mode=0o700)
    database = Database(sqlite_url(data))
    try:
        if shape.played:
            filling.fill(
                database, filling.Wanted(shape.bots, shape.played, waiting=0, with_games=min(300, shape.played))
            )
        _, tournament = fill(database, GAME, SEATS, shape.matches, 1)
        cookies, tokens = _authors(database, data)
        waiting = _last(database, tournament)
        port = free_port()
        with running(data, database, slots, port, *more) as up:
            redis_url = plan_broker(data).redis_url
            wait_for(up, data, lambda: slots_of(redis_url) == slots, "the match workers")
            wait_for(up, data, lambda: answers(port), "the site")
            since = time.time()
            begin(database, tournament)
            with closing(make_celery(redis_url)) as app:
                send(app, TASK_SCHEDULE, [], QUEUE_RECORDS)
            yield Visited(up, data, port, database, tournament, cookies, tokens, waiting, since)
    finally:
        database.close()


def _authors(database: Database, data: Path) -> tuple[list[str], list[str]]:
    """Sign up authors; return a cookie and a token of each."""
    secret = secret_key_file(data).read_text().strip()
    settings = Settings(data, database.url, None, None, secret)
    app = create_app(settings, database=database)
    signer = app.session_interface.get_signing_serializer(app)  # type: ignore[attr-defined]
    cookies, tokens = [], []
    for number in range(AUTHORS):
        user: User = sign_up(database, f"author{number}", secrets.token_hex(16))
        key = begin_sign_in(database, stored(user.id), "127.0.0.1", "a browser")
        cookies.append(f"{app.config['SESSION_COOKIE_NAME']}={signer.dumps({'key': key, '_permanent': True})}")
        tokens.append(make(database, stored(user.id), "for uploads", USUAL, 1))
    return cookies, tokens


def _last(database: Database, tournament: int) -> list[str]:
    """Return the pages of the matches that are played last."""
    with database.read() as session:
        chosen = select(Match.id).where(Match.tournament_id == tournament).order_by(col(Match.number).desc())
        return [f"/matches/{number}" for number in session.exec(chosen.limit(WAITING)).all()]
