"""What a jail costs beside its bare limits: starts, decisions, where a decision's time goes, and two tables."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from benchmarks.jails import aims, decisions, shares, starts, tables
from benchmarks.jails.aims import Aim
from benchmarks.jails.decisions import LoopFigures
from benchmarks.jails.shares import Share
from benchmarks.jails.starts import StartFigures
from benchmarks.jails.tables import TableFigures
from gangland.games import GAME_NAMES, game_named
from gangland_ladder.local.processes import Tables
from gangland_sandbox.errors import SandboxError
from gangland_sandbox.jail import Mode
from gangland_sandbox.privileges import as_jailer
from gangland_sandbox.runtime import prepare, prepare_numeric

STARTS_A_ROUND = 10


def measure(
    at_tables: Sequence[tuple[str, int]], rounds: int, missing: dict[str, str], say: Callable[[str], None]
) -> dict[type, Sequence[Any]]:
    """Measure all of it; what cannot be measured here is noted with the reason."""
    for name in GAME_NAMES:
        game_named(name)
    prepare()
    numeric = _numeric(missing)
    say("starts")
    rows, lacking = as_jailer(partial(_on_one_core, partial(starts.measure, STARTS_A_ROUND * rounds, numeric=numeric)))
    missing |= lacking
    started = [StartFigures(**row) for row in rows]
    asked: list[LoopFigures] = []
    shared: list[Share] = []
    for name, seats in at_tables:
        say(f"{name}, {seats} seats: decisions in and out of jails")
        loops = as_jailer(partial(_on_one_core, partial(decisions.measure, name, seats, 2 * rounds)))
        parts = as_jailer(partial(_on_one_core, partial(shares.measure, name, seats, rounds)))
        asked += [LoopFigures(**row) for row in loops]
        shared += [Share(**row) for row in parts]
    seated = _tables(at_tables, rounds, say)
    return {
        Aim: aims.aims(started, asked, seated),
        StartFigures: started,
        LoopFigures: asked,
        Share: shared,
        TableFigures: seated,
    }


def _numeric(missing: dict[str, str]) -> bool:
    """Return whether there is a numeric profile here, got ready."""
    try:
        prepare_numeric()
    except SandboxError as failure:
        missing["numeric profile"] = str(failure)
        return False
    return True


def _on_one_core(measure_it: Callable[[], Any]) -> Any:
    """Measure with this process and all that it starts on one core, as a table is."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    return measure_it()


def _tables(at_tables: Sequence[tuple[str, int]], rounds: int, say: Callable[[str], None]) -> list[TableFigures]:
    with Tables(mode=Mode.JAIL, workers=1) as one, Tables(mode=Mode.JAIL, workers=2) as two:
        rows = []
        for name, seats in at_tables:
            say(f"{name}, {seats} seats: one table and two")
            rows.append(tables.measure(name, seats, 2 * rounds, one, two))
        return rows
