"""The cost of a jail over its bare limits: starts, decisions, and two tables on two cores."""

import os
import time
from collections.abc import Callable, Sequence
from functools import partial
from statistics import median
from typing import Any

from benchmarks.harness import Row, Section, Table, ratio, run_in_turn, say
from benchmarks.jails import decisions, starts
from benchmarks.jails.decisions import QUICK_BOTS, Loop
from benchmarks.jails.starts import Start
from benchmarks.matches import one_match, play_match_in
from gangland.games import GAME_NAMES, game_named
from gangland_ladder.local.processes import Tables
from gangland_sandbox.errors import SandboxError
from gangland_sandbox.jail import Mode
from gangland_sandbox.privileges import run_as_jail_user
from gangland_sandbox.runtime import prepare, prepare_numeric

STARTS_A_ROUND = 10


def measure(at_tables: Sequence[tuple[str, int]], rounds: int) -> Section:
    """Measure everything; parts that cannot be measured here are noted with the reason."""
    for name in GAME_NAMES:
        game_named(name)
    prepare()
    missing = _numeric_missing()
    say("starts")
    started = [
        Start(*row) for row in _on_one_core(partial(starts.measure, STARTS_A_ROUND * rounds, numeric=not missing))
    ]
    questions: list[Loop] = []
    for name, seats in at_tables:
        say(f"{name}, {seats} seats: decisions in and out of jails")
        questions += [Loop(*row) for row in _on_one_core(partial(decisions.measure, name, seats, 2 * rounds))]
    with Tables(mode=Mode.JAIL, workers=1) as one, Tables(mode=Mode.JAIL, workers=2) as two:
        seated = [side_by_side(name, seats, 2 * rounds, one, two) for name, seats in at_tables]
    return Section(
        "jails",
        (
            Table("aims", "What was aimed at", AIMS, tuple(aims(started, questions, seated))),
            Table(
                "starts",
                "Starts and ends of a bot's process (wall time; CPU of all who take part)",
                starts.COLUMNS,
                tuple(started),
            ),
            Table("decisions", "A decision, on one core (ratios of CPU time)", decisions.COLUMNS, tuple(questions)),
            Table("tables", "Two tables on two cores", SEATED, tuple(seated)),
        ),
        missing,
    )


def _numeric_missing() -> tuple[str, ...]:
    """Prepare the numeric profile; return the reason if it is not available here."""
    try:
        prepare_numeric()
    except SandboxError as failure:
        return (f"Not measured: numeric profile ({failure}).",)
    return ()


def _on_one_core(measure_it: Callable[[], Any]) -> Any:
    """Measure as the user that opens jails, with all child processes on one core, like a table."""

    def pinned() -> Any:
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
        return measure_it()

    return run_as_jail_user(pinned)


AIMS = ("aim", "at most", "measured", "met")
SEATED = ("game", "seats", "games/s, one table", "games/s, two tables", "x one table")


def side_by_side(name: str, seats: int, rounds: int, one: Tables, two: Tables) -> Row:
    """Measure jailed matches at one table and at two, to see whether tables slow each other down."""
    say(f"{name}, {seats} seats: one table and two")
    call = one_match(name, [QUICK_BOTS[name]] * seats)

    def games_per_s(tables: Tables, count: int) -> float:
        began = time.perf_counter()
        games = sum(len(result.games) for result in tables.run(play_match_in, [call] * count))
        return games / (time.perf_counter() - began)

    rates = run_in_turn({"one": partial(games_per_s, one, 1), "two": partial(games_per_s, two, 2)}, rounds)
    return name, seats, median(rates["one"]), median(rates["two"]), ratio(rates["two"], rates["one"])


def aims(started: Sequence[Start], questions: Sequence[Loop], seated: Sequence[Row]) -> list[Row]:
    """Return the targets and results; among several tables, the worst counts."""
    start = {row.start: row for row in started}
    handed = start[starts.HANDED_BOT]
    assert handed.cpu_ms is not None
    checked = [row for row in questions if row.loop == decisions.CHECKED]
    jailed = [row.of_unjailed for row in questions if row.loop == decisions.JAILED and row.of_unjailed is not None]
    pairs = min([float(row[-1] or 0) for row in seated], default=0.0)
    results = [
        ("cold jail, x the harness without it", 1.5, start[starts.COLD].of_harness),
        ("from the pool with its bot, median ms", 2.0, handed.median_ms),
        ("from the pool with its bot, p95 ms", 5.0, handed.p95_ms),
        ("kill to gone, median ms", 5.0, start[starts.KILL].median_ms),
        ("CPU a start, all in, ms", 20.0, handed.cpu_ms),
        ("decision in a jail, x without", 1.1, max(jailed)),
        ("decision in a jail, checked, CPU us (45 at the worst)", 27.0, max(row.cpu_us for row in checked)),
        ("decision in a jail, checked, x bare pipe", 1.5, max(row.of_raw for row in checked)),
    ]
    rows: list[Row] = [(aim, f"{limit:g}", measured, measured <= limit) for aim, limit, measured in results]
    return [*rows, ("two tables, x one", "1.8 or more", pairs, pairs >= 1.8)]
