"""Measure the effect of people's games on tournaments: the drop in matches per minute, and the games' CPU share.

    python -m benchmarks.tables_rate                                    both games at two seats: about five minutes
    python -m benchmarks.tables_rate --game gang-of-dice --slots 8 --rounds 5
    python -m benchmarks.tables_rate --into benchmarks/results/speed.md     into the table of that page

`gangland up` plays the same matches in turn without people's games and with the maximum number of them.  At each
table a client answers at once, by the league's own calls, so that no limit of the site slows it down.  Ends with
status 1 if the rate falls by more than the tables' share of the slots.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import product
from pathlib import Path
from random import Random
from statistics import median
from threading import Event
from typing import Any, Final, NamedTuple

from redis.exceptions import RedisError

from benchmarks.fixture import fill, played
from benchmarks.harness import Section, Table, count, parser, publish, say
from benchmarks.platform_rate import MATCHES, WARM_UP_PER_SLOT, RunTime, fresh_database, play_through
from benchmarks.site import CORES, Up
from gangland.games import GAME_NAMES
from gangland_ladder.playing.table_state import LiveTable
from gangland_web.broker.gate import encode_call
from gangland_web.broker.link import connect
from gangland_web.broker.names import QUEUE_RECORDS, TASK_TICK, TICK_DISPATCH
from gangland_web.broker.server import plan_broker
from gangland_web.models.columns import row_id
from gangland_web.models.jobs import OPEN_TABLES, PlayTable, TableState
from gangland_web.ops.children import NICE
from gangland_web.services.dispatch import quarter_limit
from gangland_web.services.play import (
    TableOwner,
    TableRefused,
    checked_answer,
    open_table,
    opponents_of,
    rows_of,
    setup_of,
    store_answer,
)
from gangland_web.workers.players import MAX_TABLES

POLL_S: Final = 0.02
OPPONENTS: Final = ("sensible_gang", "cautious_gang", "bold_gang")
"""The opponents at a table: these bots, up to the number of free seats."""


@dataclass
class QuestionTimes:
    """The times of questions, and their delays after the last decision."""

    waits: list[tuple[float, float]] = field(default_factory=list)


class Sitting:
    """A client that plays one game after the other, and answers every question at once."""

    def __init__(self, up: Up, game: str, slots: int, number: int) -> None:
        self._database, self._game, self._slots = up.database, game, slots
        self._broker = plan_broker(up.data).redis_url
        self._person = TableOwner(None, f"{number:064d}")
        self._rng = Random(number)
        self.question_times = QuestionTimes()
        self._stops = Event()

    def play(self) -> QuestionTimes:
        """Play until the stop event, and return the times."""
        with closing(connect(self._broker)) as broker:
            while not self._stops.is_set():
                self._play(broker)
        return self.question_times

    def stop(self) -> None:
        """Make `play` return soon."""
        self._stops.set()

    def _play(self, broker: Any) -> None:
        try:
            with self._database.write() as session:
                known = {bot.name: row_id(bot.id) for bot, _ in opponents_of(session, self._game)}
                bots = [known[name] for name in OPPONENTS]
                table_id = row_id(open_table(session, self._person, self._game, bots, slots=self._slots).id)
        except TableRefused:  # in the first seconds of the site
            self._stops.wait(POLL_S)
            return
        while not self._stops.is_set() and (waiting := self._next_question(broker, table_id)):
            self._decide(table_id, waiting)

    def _next_question(self, broker: Any, table_id: int) -> PlayTable | None:
        """Ask the bots and wait for the next question; return None if the game is over."""
        began = time.monotonic()
        try:
            broker.lpush(QUEUE_RECORDS, encode_call(TASK_TICK, QUEUE_RECORDS, TICK_DISPATCH))
        except RedisError as error:
            raise RuntimeError("the broker is away") from error
        while not self._stops.wait(POLL_S):
            with self._database.read() as session:
                table = session.get_one(PlayTable, table_id)
                state = TableState(table.state)
            if state not in OPEN_TABLES:
                return None
            if state is TableState.PERSON:
                self.question_times.waits.append((time.time(), time.monotonic() - began))
                return table
        return None

    def _decide(self, table_id: int, table: PlayTable) -> None:
        with self._database.write() as session:
            row = session.get_one(PlayTable, table_id)
            live_table = LiveTable(setup_of(table), rows_of(session, row))
            (seat,) = live_table.setup.humans
            choices = live_table.game.choices(live_table.table.state, seat)
            decision = choices[min(int(self._rng.expovariate(0.3)), len(choices) - 1)]
            store_answer(session, row, checked_answer(row, live_table, live_table.open_question(seat).number, decision))


@contextmanager
def persons(up: Up, game: str, slots: int, question_times: list[QuestionTimes]) -> Iterator[None]:
    """Play at the maximum number of tables, and add the times to `question_times`."""
    sitting = [Sitting(up, game, slots, number) for number in range(MAX_TABLES * quarter_limit(slots))]
    with ThreadPoolExecutor(len(sitting)) as threads:
        playing = [threads.submit(client.play) for client in sitting]
        try:
            up.wait_for(
                lambda: all(client.question_times.waits for client in sitting) or any(map(Future.done, playing)),
                "the bots",
            )
            yield
        finally:
            for client in sitting:
                client.stop()
        question_times += [client.result() for client in playing]


@dataclass(frozen=True, slots=True)
class Round:
    """One round: the same matches without tables, and with the maximum number of tables.

    Attributes:
        decided: the number of decisions of clients in the second part; took_s: their total wait for bots.
    """

    game: str
    seats: int
    slots: int
    matches: int
    without: RunTime
    with_tables: RunTime
    decided: int
    took_s: Sequence[float]

    @property
    def fall(self) -> float:
        """The share by which the matches per minute fall."""
        return 1 - self.without.wall_s / self.with_tables.wall_s

    @property
    def by_cpu(self) -> float:
        """The tables' share of the platform's CPU time: the same as the fall, if cores are never idle."""
        return 1 - self.without.all_cpu_s / self.with_tables.all_cpu_s


class Fall(NamedTuple):
    """The effect of tables: the medians over the rounds, with the minimum and maximum."""

    game: str
    seats: int
    slots: int
    tables: int
    without_per_min: float
    with_tables_per_min: float
    fall: float
    lowest: float
    highest: float
    cpu_fall: float
    cpu_least: float
    cpu_most: float
    share: float
    decisions_per_min: float
    p50_ms: float
    p95_ms: float
    met: bool


COLUMNS = (
    *("game", "seats", "slots", "tables", "matches/min without", "matches/min with tables", "fall", "least", "most"),
    *("fall by CPU", "least by CPU", "most by CPU", "tables' share of the slots", "persons' decisions/min"),
    *("bots answer within ms (median)", "p95", "met"),
)


def falls(rounds: Sequence[Round]) -> list[Fall]:
    """Return a row for each game and number of seats."""
    results = []
    for game, seats in dict.fromkeys((one.game, one.seats) for one in rounds):
        those = [one for one in rounds if (one.game, one.seats) == (game, seats)]
        clock, cpu = [one.fall for one in those], [one.by_cpu for one in those]
        slots, share = those[0].slots, quarter_limit(those[0].slots) / those[0].slots
        took_ms = sorted(1e3 * each for one in those for each in one.took_s)
        results.append(
            Fall(
                *(game, seats, slots, MAX_TABLES * quarter_limit(slots)),
                median([60 * one.matches / one.without.wall_s for one in those]),
                median([60 * one.matches / one.with_tables.wall_s for one in those]),
                *(median(clock), min(clock), max(clock)),
                *(median(cpu), min(cpu), max(cpu)),
                share,
                median([60 * one.decided / one.with_tables.wall_s for one in those]),
                median(took_ms),
                took_ms[len(took_ms) * 19 // 20],
                median(clock) <= share,
            )
        )
    return results


def section(rounds: Sequence[Round]) -> Section:
    """Return the table."""
    table = Table("falls", "What tables take from tournaments", COLUMNS, tuple(falls(rounds)))
    return Section("tables of persons", (table,))


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    line = parser("benchmarks.tables_rate", "What tables of persons take from tournaments.")
    line.add_argument("--game", choices=GAME_NAMES, action="append", help="this game only")
    line.add_argument("--seats", type=int, choices=(2, 3, 4), action="append", help="so many seats a match (2)")
    line.add_argument(
        "--bot", action="append", help="this house bot and others so named play the matches, as bold_gang"
    )
    line.add_argument("--nice", type=int, choices=range(20), default=NICE, help=f"the workers' nice value ({NICE})")
    line.add_argument("--rounds", type=count, default=3, help="how often each way is measured (3)")
    line.add_argument("--matches", type=count, help="so many a run (120, 60 and 40 by seats)")
    line.add_argument("--slots", type=count, default=max(2, CORES), help="match workers (one a core, 2 at least)")
    return line.parse_args(words)


def measure(options: argparse.Namespace) -> list[Round]:
    """Measure the selected tables, both ways in turn; every second round begins with the other way."""
    rounds = []
    for number in range(options.rounds):
        for game, seats in product(options.game or GAME_NAMES, options.seats or (2,)):
            one = _one_round(options, game, seats, options.matches or MATCHES[seats], tables_first=number % 2 == 1)
            rounds.append(one)
            say(f"round {number + 1}: {game}, {seats} seats: falls by {one.fall:.3f}, {one.by_cpu:.3f} by CPU time")
    return rounds


def _one_round(options: argparse.Namespace, game: str, seats: int, matches: int, *, tables_first: bool) -> Round:
    slots, up_options = options.slots, ("--nice", str(options.nice))
    results: dict[bool, RunTime] = {}
    question_times: list[QuestionTimes] = []
    decided = 0
    for tables in (tables_first, not tables_first):
        with tempfile.TemporaryDirectory(prefix="gangland-tables-") as folder:
            data = Path(folder) / "data"
            data.mkdir()
            with fresh_database(data, None) as (database, servers):
                warm_up = WARM_UP_PER_SLOT * slots
                ids = fill(database, game, seats, matches, warm_up, bots=options.bot)
                counted = list(zip(ids, (warm_up, matches), strict=True))
                keywords: dict[str, Any] = {"servers": servers, "options": up_options}
                if tables:
                    keywords["meanwhile"] = partial(persons, game=game, slots=slots, question_times=question_times)
                results[tables] = play_through(data, database, counted, slots, **keywords)
                if tables:
                    result = played(database, ids[1])
                    decided = sum(
                        result.began_s <= at <= result.ended_s for each in question_times for at, _ in each.waits
                    )
    took_s = [seconds for each in question_times for _, seconds in each.waits]
    return Round(game, seats, slots, matches, results[False], results[True], decided, took_s)


def main() -> int:
    """Measure, print, and return the exit status."""
    options = arguments()
    rounds = measure(options)
    rows = falls(rounds)
    document = {"falls": [row._asdict() for row in rows], "rounds": [asdict(one) for one in rounds]}
    publish(options, [section(rounds)], document)
    return 0 if all(row.met for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
