"""Run a site for visitors with `gangland up`: its database has people, ladders and a tournament in progress."""

import os
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from sqlmodel import col, func, select

from benchmarks import fixture
from benchmarks.fill.site import SiteSize, fill
from benchmarks.processes import TICKS_PER_SECOND, WEB, by_role
from benchmarks.site import CORES, Up, running
from gangland_web.app import create_app
from gangland_web.models.accounts import User
from gangland_web.models.columns import row_id
from gangland_web.models.database import Database
from gangland_web.models.matches import ATTEMPTS, Match, MatchState
from gangland_web.ops.users import secret_key_file
from gangland_web.services.accounts import begin_sign_in, sign_up
from gangland_web.services.tokens import DEFAULT_SCOPES, create_token
from gangland_web.settings import Settings, sqlite_url

GAME: Final = "gang-of-dice"
SEATS: Final = 2
AUTHORS: Final = 12
WAITING: Final = 20
"""The number of matches without a worker, whose pages are open in the browsers of waiting visitors."""
GENERATOR: Final = "generator"
OTHERS: Final = "neighbors"


@dataclass(frozen=True, slots=True)
class Shape:
    """The size of a site.

    Attributes:
        bots, played: the bots and played matches of the ladder, which pauses during the tournament.
        matches: the matches of the tournament, which must last for the whole run.
    """

    bots: int = 300
    played: int = 5000
    matches: int = 5000


@dataclass(frozen=True, slots=True)
class Visited:
    """A running site, and the data for its visitors."""

    up: Up
    tournament: int
    cookies: Sequence[str]
    tokens: Sequence[str]
    waiting: Sequence[str]
    since: float

    def done(self, since: float, until: float) -> int:
        """Return the number of matches of every kind that were recorded in a period."""
        over = (col(Match.done_at) >= since) & (col(Match.done_at) < until)
        return self._count((col(Match.state) == MatchState.DONE.value) & over)

    def left(self) -> int:
        """Return the number of matches that are not dispatched yet."""
        return self._count(col(Match.state) == MatchState.SCHEDULED.value)

    def _count(self, condition: object) -> int:
        with self.up.database.read() as session:
            return int(session.exec(select(func.count()).select_from(Match).where(condition)).one())  # type: ignore[arg-type]

    def void(self) -> list[str]:
        """Return a sentence for each match that failed in all its attempts since the site was started.

        Matches of versions that were replaced are void as well, as they should be.
        """
        vain = (col(Match.state) == MatchState.VOID.value) & (col(Match.done_at) >= self.since)
        vain &= col(Match.attempt) >= ATTEMPTS
        with self.up.database.read() as session:
            matches = session.exec(select(Match).where(vain).order_by(col(Match.id))).all()
        return [f"match {match.id} came to nothing: {match.void_reason}" for match in matches]


@contextmanager
def visited(folder: Path, shape: Shape, slots: int, *more: str) -> Iterator[Visited]:
    """Fill a site, run it with a number of match workers, and stop it at the end.

    Args:
        more: options of `gangland up`.
    """
    data = folder / "data"
    data.mkdir(mode=0o700)
    database = Database(sqlite_url(data))
    try:
        if shape.played:
            fill(database, SiteSize(shape.bots, shape.played, waiting=0, with_games=min(300, shape.played)))
        _, tournament = fixture.fill(database, GAME, SEATS, shape.matches, 1)
        cookies, tokens = _authors(database, data)
        waiting = _last(database, tournament)
        with running(data, database, slots, *more) as up:
            up.ready(slots)
            since = time.time()
            up.play(tournament)
            yield Visited(up, tournament, cookies, tokens, waiting, since)
    finally:
        database.close()


def _authors(database: Database, data: Path) -> tuple[list[str], list[str]]:
    """Sign up authors; return a cookie and a token for each."""
    secret = secret_key_file(data).read_text().strip()
    settings = Settings(data, database.url, None, None, secret)
    app = create_app(settings, database=database)
    signer = app.session_interface.get_signing_serializer(app)  # type: ignore[attr-defined]
    cookies, tokens = [], []
    for number in range(AUTHORS):
        user: User = sign_up(database, f"author{number}", secrets.token_hex(16))
        key = begin_sign_in(database, row_id(user.id), "127.0.0.1", "a browser")
        cookies.append(f"{app.config['SESSION_COOKIE_NAME']}={signer.dumps({'key': key, '_permanent': True})}")
        tokens.append(create_token(database, row_id(user.id), "for uploads", DEFAULT_SCOPES, 1))
    return cookies, tokens


def _last(database: Database, tournament: int) -> list[str]:
    """Return the pages of the matches that are played last."""
    with database.read() as session:
        query = select(Match.id).where(Match.tournament_id == tournament).order_by(col(Match.number).desc())
        return [f"/matches/{number}" for number in session.exec(query.limit(WAITING)).all()]


@dataclass(frozen=True, slots=True)
class Moment:
    """The counters at one time."""

    at: float
    cpu_s: Mapping[str, float]
    busy_s: float


@dataclass(frozen=True, slots=True)
class Stretch:
    """One or several periods.

    Attributes:
        cpu_s: CPU seconds by purpose; `neighbors` are the processes of other users of the machine.
        load: the machine's load average at the end.
    """

    seconds: float
    matches: int
    cpu_s: Mapping[str, float] = field(default_factory=dict)
    load: float = 0.0

    @property
    def a_second(self) -> float:
        """Matches per second."""
        return self.matches / self.seconds

    @property
    def left_s(self) -> float:
        """The CPU seconds that web, generator and neighbors did not use."""
        used_s = sum(self.cpu_s.get(role, 0.0) for role in (WEB, GENERATOR, OTHERS))
        return max(1e-9, CORES * self.seconds - used_s)

    def share(self, *roles: str) -> float:
        """Return the share of all cores that these roles used."""
        return sum(self.cpu_s.get(role, 0.0) for role in roles) / (CORES * self.seconds)


def now(site: Visited) -> Moment:
    """Read all counters now."""
    spent = by_role(site.up.pid)
    own = os.times()
    spent[GENERATOR] = own.user + own.system
    fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
    user, nice, system, _idle, _waiting, hard, soft, stolen = (int(ticks) for ticks in fields[:8])
    return Moment(time.time(), spent, (user + nice + system + hard + soft + stolen) / TICKS_PER_SECOND)


def since(site: Visited, first: Moment) -> Stretch:
    """Return the differences of all counters since an earlier moment."""
    last = now(site)
    spent = {role: seconds - first.cpu_s.get(role, 0.0) for role, seconds in last.cpu_s.items()}
    spent[OTHERS] = max(0.0, last.busy_s - first.busy_s - sum(spent.values()))
    return Stretch(last.at - first.at, site.done(first.at, last.at), spent, os.getloadavg()[0])


def together(*stretches: Stretch) -> Stretch:
    """Return the sum of several stretches."""
    roles = {role for one in stretches for role in one.cpu_s}
    spent = {role: sum(one.cpu_s.get(role, 0.0) for one in stretches) for role in roles}
    seconds = sum(one.seconds for one in stretches)
    return Stretch(seconds, sum(one.matches for one in stretches), spent, max(one.load for one in stretches))
