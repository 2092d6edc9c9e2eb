"""A platform for tests of its core: a separate database, house bots, and a worker simulated in this process."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pytest
import time_machine
from sqlmodel import Session, col, select, update
from tests.kits import database_kit, postgres_kit, shared_kit

from gangland.blocks import seating
from gangland.faults import BotFault, FaultKind
from gangland.games import game_named
from gangland.match import FinishedGame, play
from gangland.view import View
from gangland_ladder.analysis.transfer import AnalysisJob
from gangland_ladder.matches.judging import views_digest
from gangland_ladder.matches.match_jobs import CheckReport, FaultRecord, GameRecord, MatchJob, Problem, Result
from gangland_ladder.playing.hints import HintJob
from gangland_ladder.playing.table_jobs import TableJob
from gangland_ladder.viewer.clip_jobs import ClipJob
from gangland_web.broker.gate import Message, encode_message
from gangland_web.broker.names import ANALYSIS_SENDER, LOCAL, queue_of
from gangland_web.models import accounts, bots
from gangland_web.models.database import Database, migrate
from gangland_web.models.jobs import Job
from gangland_web.models.matches import Match, MatchSeat
from gangland_web.models.tournaments import Entry, Tournament
from gangland_web.services import jobs, ladder_days, tournaments, uploads, worker_hosts
from gangland_web.settings import sqlite_url
from gangland_web.workers.records import Recorder

GAME = "gang-of-dice"
HOUSE = 4
NOON = 1_728_043_200  # for tests over several days: ladders' dice depend on the day
DICERS = 3
MANY_SLOTS = 16  # the number of slots in `play_all`: with more jobs sent at once, fewer sweeps are necessary


_DAY_SECRET, _TODAY = ladder_days.day_secret, ladder_days.today()

# Days around today count from today, so that tests play the same games on every date; other days are of set clocks.
ladder_days.day_secret = lambda secret, day: _DAY_SECRET(secret, day - _TODAY if abs(day - _TODAY) < 3 else day)


class Dicer:
    def __init__(self, entry: int) -> None:
        self.dice = 1 + entry % DICERS

    def decide(self, kind: str, view: View, number: int) -> object:
        return min(self.dice, view.pool) if kind == "dice" else []  # type: ignore[attr-defined]


Failing = Callable[[MatchJob, int], BotFault | None]
"""Returns the fault of the bot at this index of a match job's seats before its first decision, or None."""


def nobody_fails(match_job: MatchJob, index: int) -> BotFault | None:
    return None


class Breaking(Dicer):
    def decide(self, kind: str, view: View, number: int) -> object:
        if number >= 2:
            raise BotFault(FaultKind.CRASHED, "it broke in mid game")
        return super().decide(kind, view, number)


def play_job_breaking(match_job: MatchJob) -> Result:
    """Return a worker's result for the job if the first bot fails in the middle of a game."""
    return Result(games=[_broken(match_job, at) for at in range(len(match_job.seats))], seconds=1.0)


def _broken(match_job: MatchJob, rotation: int) -> GameRecord:
    sitting = seating(0, rotation, len(match_job.seats))
    players = [(Dicer if index else Breaking)(match_job.seats[index].entry) for index in sitting]
    replay, views, faults = _result(play(game_named(match_job.game), players, bytes.fromhex(match_job.blocks[0])))
    return GameRecord(0, rotation, list(sitting), replay, views, list(faults), ["" for _ in sitting])


def play_job(match_job: MatchJob, *, failing: Failing = nobody_fails) -> Result:
    rounds = [] if match_job.check_only else range(len(match_job.blocks))
    games = [_game(match_job, block, rotation, failing) for block in rounds for rotation in range(len(match_job.seats))]
    report = None
    if match_job.check is not None:
        report = CheckReport("Bot", ["imported", "legal", "timed"], [], 0.01, 0.01, 40)
    return Result(games=games, check=report, seconds=0.5)


def failed_check(match_job: MatchJob, message: str = "choose_dice() returned 99") -> Result:
    report = CheckReport("Bot", ["imported"], [Problem("E203", message, 17)], 0.01, 0.01, 3)
    return Result(games=[], check=report)


def void(match_job: MatchJob, reason: str = "the jail could not be built") -> Result:
    return Result(games=[], void=reason)


def _game(match_job: MatchJob, block: int, rotation: int, failing: Failing) -> GameRecord:
    sitting = seating(block, rotation, len(match_job.seats))
    failed = [(seat, fault) for seat, index in enumerate(sitting) if (fault := failing(match_job, index)) is not None]
    dicers = tuple(match_job.seats[index].entry % DICERS for index in sitting)
    reported = tuple((seat, fault.kind, fault.message) for seat, fault in failed)
    replay, views, faults = _played(match_job.game, match_job.blocks[block], dicers, reported)
    logs = [f"entry {match_job.seats[index].entry} was here" for index in sitting]
    return GameRecord(block, rotation, list(sitting), replay, views, list(faults), logs)


@lru_cache(maxsize=5000)
def _played(
    game: str, seed: str, dicers: tuple[int, ...], reported: tuple[tuple[int, FaultKind, str], ...]
) -> tuple[str, str, tuple[FaultRecord, ...]]:
    """Play a game once per process; three in four were already played by another test or database."""
    players = [Dicer(number) for number in dicers]
    failed = {seat: BotFault(kind, message) for seat, kind, message in reported}
    return _result(play(game_named(game), players, bytes.fromhex(seed), early_faults=failed))


def _result(played: FinishedGame) -> tuple[str, str, tuple[FaultRecord, ...]]:
    faults = [FaultRecord(f.seat, f.kind.value, f.message, f.round, f.decision) for f in played.faults]
    return played.replay.to_json(), views_digest(played.replay), tuple(faults)


class Sent(MatchJob, frozen=True, kw_only=True):
    message: Message

    @property
    def token(self) -> str:
        return self.message.token


@dataclass(frozen=True)
class SentJob:
    message: Message
    payload: Any

    def __getattr__(self, name: str) -> Any:
        return getattr(self.payload, name)


FORMS = {"table": TableJob, "hint": HintJob, "clip": ClipJob}


@dataclass
class FakeBroker:
    """Stores the messages that dispatch sends; those that stay in `sent` are lost."""

    slot_count: int = 2
    checker_count: int = 0
    sent: list[tuple[str, Sent]] = field(default_factory=list)
    codes: dict[str, bytes] = field(default_factory=dict)
    games: list[SentJob] = field(default_factory=list)
    table_worker_count: int = 1
    tables: list[SentJob] = field(default_factory=list)
    hints: list[SentJob] = field(default_factory=list)
    clips: list[SentJob] = field(default_factory=list)

    def slots(self) -> dict[str, int]:
        return {LOCAL: self.slot_count}

    def checkers(self) -> dict[str, int]:
        return {LOCAL: self.checker_count}

    def table_workers(self) -> dict[str, int]:
        return {LOCAL: self.table_worker_count}

    def put_code(self, sha256: str, source: bytes, ttl_s: float) -> None:
        self.codes[sha256] = source

    def send(self, queue: str, message: Message) -> None:
        name = queue.partition(":")[0]
        if name in ("checks", "draft-checks", "trials", "matches"):
            self.sent.append((self._place(queue), as_sent(message)))
            return
        payload = msgspec.json.decode(message.body, type=FORMS.get(message.kind, AnalysisJob))
        {"table": self.tables, "hint": self.hints, "clip": self.clips}.get(message.kind, self.games).append(
            SentJob(message, payload)
        )

    def _place(self, queue: str) -> str:
        return queue.partition(":")[0]

    def waiting(self, queues: Iterable[str]) -> dict[str, int]:
        return {queue: self._waiting(*queue.split(":")) for queue in queues}

    def _waiting(self, kind: str, host: str = "") -> int:
        if kind == "tables":
            return len(self.tables)
        if kind == "analysis":
            return len(self.games)
        return len(self.hints) + len(self.clips) if not host else sum(place == kind for place, _ in self.sent)

    def withdraw(self, queues: Iterable[str]) -> None:
        self.sent = [(place, match_job) for place, match_job in self.sent if queue_of(place, LOCAL) not in queues]


def as_sent(message: Message) -> Sent:
    match_job = msgspec.json.decode(message.body, type=MatchJob)
    return Sent(**{name: getattr(match_job, name) for name in MatchJob.__struct_fields__}, message=message)


@dataclass
class Platform(database_kit.HasDatabase):
    """The record side on a database, with a broker for this test only."""

    database: Database
    post: FakeBroker
    recorder: Recorder

    def take(self) -> Sent:
        return self.post.sent.pop(0)[1]

    def finish(self, match_job: Sent, result: Result | None = None, host: str = LOCAL) -> jobs.Receipt:
        self.begin(match_job, host)
        return self.result(match_job, result, host)

    def begin(self, sent: Sent | SentJob, host: str = LOCAL) -> jobs.Receipt:
        return self.say(jobs.Report.ALIVE, sent, host=host)

    def result(self, match_job: Sent, result: Result | None = None, host: str = LOCAL) -> jobs.Receipt:
        return self.say(jobs.Report.RESULT, match_job, result or play_job(match_job), host)

    def give_back(self, sent: Sent | SentJob, host: str = LOCAL) -> jobs.Receipt:
        return self.say(jobs.Report.RETURNED, sent, host=host)

    def progress(self, match_job: Sent, stage: str) -> jobs.Receipt:
        return self.say(jobs.Report.ALIVE, match_job, {"stage": stage})

    def analyzed(self, sent_job: SentJob, result: object, *, is_result: bool = True) -> jobs.Receipt:
        """Send a result, or a part of it, as a worker for analyses, hints or clips does."""
        return self.say(jobs.Report.RESULT if is_result else jobs.Report.ALIVE, sent_job, result, ANALYSIS_SENDER)

    def say(self, say: jobs.Report, sent: Sent | SentJob, body: object = None, host: str = LOCAL) -> jobs.Receipt:
        return self.recorder.record_message(say, host, encode_message(sent.message.answer(body)))

    def job(self, sent: Sent | SentJob) -> Job:
        return self.get(Job, sent.message.job)

    def job_of(self, match: Match) -> Job | None:
        with self.database.read() as session:
            return session.exec(select(Job).where(Job.kind == match.purpose, Job.subject == match.id)).first()

    def pass_check(self, result: Result | None = None) -> None:
        """Let dispatch send the waiting jobs, and deliver a result for the first check; by default the check passed."""
        self.recorder.sweep()
        at = next(at for at, (_, match_job) in enumerate(self.post.sent) if match_job.check_only)
        self.finish(self.post.sent.pop(at)[1], result)

    def play_all(self, *, failing: Failing = nobody_fails) -> int:
        """Play until no more matches are sent; return the number of matches."""
        played, slots = 0, self.post.slot_count
        self.post.slot_count = max(slots, MANY_SLOTS)
        self.recorder.sweep()
        while self.post.sent:
            match_job = self.take()
            self.finish(match_job, play_job(match_job, failing=failing))
            played += 1
        self.post.slot_count = slots
        return played

    def upload(self, owner: str, name: str = "newcomer", source: bytes = b"print('hello')\n", game: str = GAME) -> int:
        """Submit a version for a user, who is created if necessary; return the id of the version."""
        with self.database.write() as session:
            user = session.exec(select(accounts.User).where(accounts.User.name == owner)).first()
            if user is None:
                user = accounts.User(name=owner, name_key=owner.lower(), password_hash="-", created_at=0.0)
                session.add(user)
                session.flush()
            return uploads.submit_version(session, user, game, name, f"{name}.py", source).id or 0

    def version(self, version_id: int) -> bots.Version:
        return self.get(bots.Version, version_id)

    def steps(self, version_id: int) -> list[tuple[str, bool, str]]:
        chosen = select(bots.VersionStep).where(bots.VersionStep.version_id == version_id)
        steps = self.rows(chosen.order_by(col(bots.VersionStep.id)))
        return [(step.state, step.ok, step.message) for step in steps]

    def matches(self, **having: object) -> list[Match]:
        every = self.rows(select(Match).order_by(col(Match.id)))
        return [match for match in every if all(getattr(match, name) == value for name, value in having.items())]

    def match(self, match_id: int) -> Match:
        return self.get(Match, match_id)

    def match_versions(self, match_id: int) -> list[int]:
        chosen = select(Entry.version_id).join(MatchSeat, col(MatchSeat.entry_id) == Entry.id)
        return self.rows(chosen.where(MatchSeat.match_id == match_id).order_by(col(MatchSeat.position)))

    def entries(self, seats: int = 2) -> list[Entry]:
        chosen = (
            select(Entry)
            .join(Tournament, col(Tournament.id) == Entry.tournament_id)
            .where(Tournament.kind == "ladder", Tournament.game == GAME, Tournament.seats == seats)
        )
        return self.rows(chosen.order_by(col(Entry.id)))

    def seat_of(self, version_id: int) -> Failing:
        code = self.version(version_id).code_sha256

        def fails(match_job: MatchJob, index: int) -> BotFault | None:
            return BotFault(FaultKind.CRASHED, "it broke") if match_job.seats[index].code == code else None

        return fails


def fill(session: Session) -> None:
    """Create the tournaments with the same secrets each time, and some house bots."""
    worker_hosts.ensure_host(session, LOCAL, "the password of this machine")
    count = iter(range(1000))
    tournaments.ensure_tournaments(session, ladder_blocks=1, draw_secret=lambda: sha256(b"%d" % next(count)).digest())
    session.exec(update(Tournament).where(col(Tournament.kind) == "ladder").values(house_ranked=True))
    for number in range(HOUSE):
        source = b"from gangland import gang_of_dice  # %d\n" % number
        uploads.submit_version(session, None, GAME, f"house{number}", f"house{number}.py", source)


@contextmanager
def real_time() -> Iterator[None]:
    """Use the real time for everything that is cached for other tests."""
    if time_machine.escape_hatch.is_travelling():
        with time_machine.travel(time_machine.escape_hatch.time.time()):
            yield
    else:
        yield


@real_time()
def fill_whole(database: Database) -> None:
    migrate(database)
    with database.write() as session:
        fill(session)


Stage = Callable[[Platform], None]
"""A common start of many tests; it runs once per process and kind of database, and the database is then copied."""


@cache
def _fills(stage: Stage | None, rounds: int) -> tuple[Callable[[Database], None], ...]:
    if stage is None:
        return (fill_whole,)
    return fill_whole, real_time()(lambda database: stage(_on(database, rounds=rounds)))


def _on(database: Database, *, slots: int = 2, rounds: int = 1) -> Platform:
    post = FakeBroker(slot_count=slots)
    return Platform(database, post, Recorder(database, post, rounds=rounds))


@cache
def _sqlite_file(*fills: Callable[[Database], None]) -> bytes:
    with TemporaryDirectory() as folder:
        if fills[:-1]:
            (Path(folder) / "gangland.sqlite3").write_bytes(_sqlite_file(*fills[:-1]))
        database = Database(sqlite_url(Path(folder)))
        fills[-1](database)
        shared_kit.close_in_one_file(database)
        return (Path(folder) / "gangland.sqlite3").read_bytes()


def open_platform(kind: str, folder: Path, *, slots: int = 2, rounds: int = 1, stage: Stage | None = None) -> Platform:
    """Open a platform with house bots, with an empty schedule or after a stage."""
    if kind == "sqlite":
        (folder / "gangland.sqlite3").write_bytes(_sqlite_file(*_fills(stage, rounds)))
        database = Database(sqlite_url(folder))
    else:
        database = Database(postgres_kit.new_database(*_fills(stage, rounds)))
    return _on(database, slots=slots, rounds=rounds)


BOTH = ["sqlite", "postgresql"]


def _quick_on(quick: str) -> list[Any]:
    other = pytest.mark.long("the same on the other database")
    return [kind if kind == quick else pytest.param(kind, marks=other) for kind in BOTH]


KINDS = _quick_on("sqlite")
"""The databases of a test of the core: `platform = pytest.fixture(a_platform, params=KINDS)`.

The test must pass on both, and `--long` runs it on both.  The quick suite runs it once: on SQLite, in half the time,
or on PostgreSQL if it is marked ON_POSTGRESQL, because no other quick test sends some of its statements there.  Modules
about locks, constraints and triggers, which differ between the two, have `params=BOTH`.
"""
POSTGRESQL_FIRST = _quick_on("postgresql")
ON_POSTGRESQL = pytest.mark.parametrize("platform", POSTGRESQL_FIRST, indirect=True)


def a_platform_after(stage: Stage | None, *, rounds: int = 1) -> Callable[[pytest.FixtureRequest], Iterator[Platform]]:
    """A fixture function: `platform = pytest.fixture(a_platform_after(stage), params=KINDS)`; 0 rounds: no ladders."""

    def opened(request: pytest.FixtureRequest) -> Iterator[Platform]:
        with TemporaryDirectory() as folder:
            platform = open_platform(request.param, Path(folder), rounds=rounds, stage=stage)
            yield platform
            platform.database.close()

    return opened


a_platform = a_platform_after(None)


def with_small_tables(platform: Platform) -> None:
    """A stage with entries only in ladders of two seats: four seats take eight times as long."""
    larger = select(Tournament.id).where(Tournament.kind == "ladder", Tournament.seats > 2)
    platform.execute(update(Entry).where(col(Entry.tournament_id).in_(larger)).values(active=False))


a_small_platform = a_platform_after(with_small_tables)


def play_a_round(platform: Platform) -> None:
    platform.recorder.schedule()
    platform.play_all()


def bot_named(session: Session, name: str) -> bots.Bot:
    return session.exec(select(bots.Bot).where(bots.Bot.name == name)).one()
