"""Measure the rate of the whole platform as a share of the rate of its jailed referee.

    python -m benchmarks.platform_rate                          both games at all table sizes: about ten minutes
    python -m benchmarks.platform_rate --game gangster-dice --seats 2 --rounds 5
    python -m benchmarks.platform_rate --seats 2 --bot bold_gang --bot cautious_gang     only these bots
    python -m benchmarks.platform_rate --into benchmarks/results/speed.md     into the tables of that page

The same matches of house bots are played in turn by the referee only, on every core, and by `gangland up`.  Ends with
status 1 if a table misses its target.
"""

import argparse
import gc
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import asdict, dataclass
from itertools import product
from multiprocessing import active_children
from pathlib import Path
from statistics import median
from typing import NamedTuple

import psycopg
from sqlalchemy import make_url

from benchmarks.fixture import MatchJobs, fill, is_folded, match_jobs_of, played
from benchmarks.harness import Row, Section, Table, parser, publish, say
from benchmarks.processes import (
    BEAT,
    BROKER,
    DATABASE,
    JAILS,
    RECORDER,
    SUPERVISOR,
    WEB,
    WORKER,
    by_role,
    played_s,
    processes,
)
from benchmarks.site import CORES, Up, running
from gangland.games import GAME_NAMES, game_named
from gangland_ladder.local.processes import Tables
from gangland_ladder.matches.match_jobs import Result
from gangland_sandbox.jail import Mode
from gangland_sandbox.pool import Pool
from gangland_web.broker.gate import Message, decode_message
from gangland_web.models.database import Database
from gangland_web.settings import sqlite_url
from gangland_web.workers.players import CodeStore, Player

TARGET = 0.9
"""The target for the platform's share of the referee's own rate."""
MAX_RATIO = 1.1
"""A platform does more than its referee; if it appears faster by this factor, other work disturbed the run."""
MATCHES = {2: 120, 3: 60, 4: 40}
"""By number of seats, the number of measured matches: about ten seconds of an idle machine with two cores."""
WARM_UP_PER_SLOT = 3
NAME = "gangland_platform_rate"
"""The name of the database that is created on a PostgreSQL server."""
ROLES = (WORKER, JAILS, RECORDER, BROKER, DATABASE, BEAT, WEB, SUPERVISOR)


@dataclass(frozen=True, slots=True)
class RunTime:
    """The time of a run: seconds of the clock, and CPU seconds by purpose."""

    wall_s: float
    cpu_s: Mapping[str, float]

    @property
    def all_cpu_s(self) -> float:
        """All CPU seconds together."""
        return sum(self.cpu_s.values())


class _ResultSink:
    """A record worker that only stores the last result."""

    void: str | None = None

    def report_progress(self, message: Message, body: object = None) -> None:
        """Do nothing."""

    def send_result(self, message: Message, result: object, within_s: float = 0.0) -> None:
        """Store the reason of a failed match."""
        self.void = result.void if isinstance(result, Result) else None

    def return_job(self, message: Message) -> None:
        """Do nothing."""


def play_alone(warm_up: MatchJobs, measured: MatchJobs, slots: int) -> RunTime:
    """Play all matches with the match worker's own code, without queue and database; each slot is pinned to a core.

    Raises:
        RuntimeError: a match failed.
    """
    gc.freeze()  # as in a match worker, so that no slot searches this process's objects for cycles
    try:
        with Tables(mode=Mode.JAIL, workers=slots) as tables:
            _raise_void(tables.run(_play, _calls(warm_up)))
            before, began = _spent(), time.monotonic()
            _raise_void(tables.run(_play, _calls(measured)))
            wall_s, after = time.monotonic() - began, _spent()
    finally:
        gc.unfreeze()
    return RunTime(wall_s, {role: after[role] - before[role] for role in after})


def _calls(jobs: MatchJobs) -> list[tuple[str, dict[str, bytes]]]:
    return [(text, jobs.codes) for text in jobs.texts]


def _raise_void(voids: Iterable[str | None]) -> None:
    for void in voids:
        if void is not None:
            raise RuntimeError(f"a match came to nothing: {void}")


def _play(pool: Pool, text: str, codes: dict[str, bytes]) -> str | None:
    if os.getsid(0) != os.getpid():
        os.setsid()  # as the supervisor's children do: kernels share busy cores among sessions
    outcome = _ResultSink()
    Player(outcome, CodeStore(codes.get), lambda: None, lambda: None, pool).play(decode_message(text))
    return outcome.void


def _spent() -> dict[str, float]:
    there = processes()
    parts = [played_s(child.pid, there) for child in active_children() if child.pid is not None]
    return {role: sum(part[role] for part in parts) for role in parts[0]}


def play_through(
    data: Path,
    database: Database,
    tournaments: Sequence[tuple[int, int]],
    slots: int,
    *,
    servers: Sequence[int] = (),
    meanwhile: Callable[[Up], AbstractContextManager[object]] = nullcontext,
    options: Sequence[str] = (),
) -> RunTime:
    """Let the whole platform play tournaments one after the other, and return the time of the last one.

    Args:
        meanwhile: other work with the platform; options: options of its command line.
        tournaments: ids and numbers of matches; those before the last one are for warming up.
        servers: the database's server processes, if any, whose CPU time also counts.

    Raises:
        UpFailed: the platform ended, or made no progress.
    """
    before: dict[str, float] = {}
    with running(data, database, slots, *options) as up:
        up.ready(slots)
        with meanwhile(up):
            for tournament, matches in tournaments:
                before = by_role(up.pid, servers)
                up.play(tournament)
                up.wait_for(lambda: is_folded(database, tournament, matches), "the ratings")  # noqa: B023
            after = by_role(up.pid, servers)
        result = played(database, tournaments[-1][0])
    return RunTime(result.ended_s - result.began_s, {role: after[role] - before.get(role, 0.0) for role in after})


@contextmanager
def fresh_database(data: Path, server: str | None) -> Iterator[tuple[Database, tuple[int, ...]]]:
    """Create a database, and drop it at the end; also yield the server's processes, to count their CPU time.

    Args:
        data: the folder where a file is made, if there is no server.
        server: the address of a database on a PostgreSQL server, whose user may create other databases.
    """
    if server is None:
        database = Database(sqlite_url(data))
        try:
            yield database, ()
        finally:
            database.close()
        return
    plain = make_url(server).set(drivername="postgresql")
    with psycopg.connect(plain.render_as_string(hide_password=False), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {NAME} WITH (FORCE)")  # the name is not user input
        connection.execute(f"CREATE DATABASE {NAME}")
        database = Database(plain.set(database=NAME).render_as_string(hide_password=False))
        try:
            there, backend = processes(), connection.info.backend_pid
            if backend not in there:
                raise RuntimeError("the PostgreSQL server is not on this machine, so its CPU time cannot be counted")
            yield database, (there[backend].parent,)
        finally:
            database.close()
            connection.execute(f"DROP DATABASE {NAME} WITH (FORCE)")


@dataclass(frozen=True, slots=True)
class Round:
    """One round at one table: the same matches by only the referee, and by the platform."""

    game: str
    seats: int
    matches: int
    alone: RunTime
    whole: RunTime

    @property
    def by_clock(self) -> float:
        """The platform's matches per second as a share of the referee's."""
        return self.alone.wall_s / self.whole.wall_s

    @property
    def by_cpu(self) -> float:
        """The referee's CPU seconds as a share of the platform's: the same ratio if cores are never idle."""
        return self.alone.all_cpu_s / self.whole.all_cpu_s

    @property
    def playing(self) -> float:
        """The share of match workers and jails in the platform's CPU seconds, in one run; neighbors affect it least."""
        return self._share(WORKER, JAILS)

    @property
    def recording(self) -> float:
        """The share of the record worker in the platform's CPU seconds."""
        return self._share(RECORDER)

    def _share(self, *roles: str) -> float:
        return sum(self.whole.cpu_s.get(role, 0.0) for role in roles) / self.whole.all_cpu_s


class Rate(NamedTuple):
    """The platform's share at one table, the median over the rounds with the lowest and highest one."""

    game: str
    seats: int
    alone_per_s: float
    whole_per_s: float
    share: float
    lowest: float
    highest: float
    alone_cpu_ms: float
    whole_cpu_ms: float
    cpu_share: float
    cpu_lowest: float
    cpu_highest: float
    playing: float
    recording: float
    met: bool


RATE_COLUMNS = (
    *("game", "seats", "alone, matches/s", "platform, matches/s", "share", "lowest", "highest"),
    *("alone, CPU ms/match", "platform, CPU ms/match", "share by CPU", "lowest by CPU", "highest by CPU"),
    *("playing's part of the platform's CPU", "the record worker's", "met"),
)


def rates(rounds: Sequence[Round]) -> list[Rate]:
    """Return a row for each table."""
    result = []
    for game, seats in dict.fromkeys((one.game, one.seats) for one in rounds):
        those = [one for one in rounds if (one.game, one.seats) == (game, seats)]
        clock, cpu = [one.by_clock for one in those], [one.by_cpu for one in those]
        result.append(
            Rate(
                game,
                seats,
                median([one.matches / one.alone.wall_s for one in those]),
                median([one.matches / one.whole.wall_s for one in those]),
                *(median(clock), min(clock), max(clock)),
                median([1e3 * one.alone.all_cpu_s / one.matches for one in those]),
                median([1e3 * one.whole.all_cpu_s / one.matches for one in those]),
                *(median(cpu), min(cpu), max(cpu)),
                median([one.playing for one in those]),
                median([one.recording for one in those]),
                TARGET <= median(clock) <= MAX_RATIO,
            )
        )
    return result


def _spent_rows(rounds: Sequence[Round]) -> Iterator[Row]:
    """Yield the CPU milliseconds per match of each kind of process at each table, as medians over the rounds."""
    for game, seats in dict.fromkeys((one.game, one.seats) for one in rounds):
        those = [one for one in rounds if (one.game, one.seats) == (game, seats)]
        for role in ROLES:
            alone = [1e3 * one.alone.cpu_s[role] / one.matches for one in those if role in one.alone.cpu_s]
            whole = [1e3 * one.whole.cpu_s.get(role, 0.0) / one.matches for one in those]
            if any(whole):
                yield game, seats, role, median(alone) if alone else None, median(whole)


def section(rounds: Sequence[Round]) -> Section:
    """Return both tables."""
    columns = ("game", "seats", "CPU ms/match", "alone", "platform")
    return Section(
        "platform rate",
        (
            Table("rates", "What is left of the referee's own rate", RATE_COLUMNS, tuple(rates(rounds))),
            Table("spent", "Where the CPU time goes", columns, tuple(_spent_rows(rounds))),
        ),
    )


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    line = parser("benchmarks.platform_rate", "What the whole platform keeps of the jailed referee's own rate.")
    line.add_argument("--game", choices=GAME_NAMES, action="append", help="this game only")
    line.add_argument("--seats", type=int, choices=(2, 3, 4), action="append", help="so many seats only")
    line.add_argument("--bot", action="append", help="this house bot and others so named only, as bold_gang")
    line.add_argument("--rounds", type=int, default=3, help="how often each way is measured (3)")
    line.add_argument("--matches", type=int, help="so many a run (120, 60 and 40 by seats)")
    line.add_argument("--slots", type=int, default=CORES, help="match workers (one a core)")
    line.add_argument(
        "--postgresql", metavar="ADDRESS", help="on this server, where databases may be made; else SQLite"
    )
    return line.parse_args(words)


def measure(options: argparse.Namespace) -> list[Round]:
    """Measure the selected tables, in each round with the referee only and the platform in turn."""
    rounds = []
    for number in range(options.rounds):
        for game, seats in product(options.game or GAME_NAMES, options.seats or (2, 3, 4)):
            if seats in game_named(game).table_sizes:
                one = _one_round(options, game, seats, options.matches or MATCHES[seats])
                rounds.append(one)
                text = f"{one.by_clock:.2f} by the clock, {one.by_cpu:.2f} by CPU time"
                say(f"round {number + 1}: {game}, {seats} seats: {text}")
    return rounds


def _one_round(options: argparse.Namespace, game: str, seats: int, matches: int) -> Round:
    warm_up = WARM_UP_PER_SLOT * options.slots
    with tempfile.TemporaryDirectory(prefix="gangland-rate-") as folder:
        data = Path(folder) / "data"
        data.mkdir()
        with fresh_database(data, options.postgresql) as (database, servers):
            ids = fill(database, game, seats, matches, warm_up, bots=options.bot)
            first, rest = (match_jobs_of(database, tournament) for tournament in ids)
            alone = play_alone(first, rest, options.slots)
            counted = list(zip(ids, (warm_up, matches), strict=True))
            whole = play_through(data, database, counted, options.slots, servers=servers)
    return Round(game, seats, matches, alone, whole)


def main() -> int:
    """Measure, print, and return the exit status."""
    options = arguments()
    rounds = measure(options)
    rows = rates(rounds)
    document = {"aim": TARGET, "rates": [row._asdict() for row in rows], "rounds": [asdict(one) for one in rounds]}
    publish(options, [section(rounds)], document)
    return 0 if all(row.met for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
