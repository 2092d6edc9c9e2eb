"""The jailed referee alone: the match worker's own playing code on every core, without queue and database."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from multiprocessing import active_children

from benchmarks.platform_rate.cpu import played_s, processes
from benchmarks.platform_rate.fixture import Orders
from gangland_ladder.local.processes import Tables
from gangland_ladder.matches.orders import Claim, Order, Result
from gangland_sandbox.jail import Mode
from gangland_sandbox.pool import Pool
from gangland_web.workers.match.playing import CodeStore, Player


@dataclass(frozen=True, slots=True)
class Taken:
    """What a run took: seconds of the clock, and CPU seconds by what they were for."""

    wall_s: float
    cpu_s: Mapping[str, float]


class _Nobody:
    """Hears what a player says to the record worker, and keeps the last result."""

    void: str | None = None

    def begun(self, order: Order) -> None:
        """Do nothing."""

    def beat(self, order: Order) -> None:
        """Do nothing."""

    def progress(self, order: Order, stage: str) -> None:
        """Do nothing."""

    def result(self, result: Result) -> None:
        """Keep why it came to nothing, if it did."""
        self.void = result.void

    def returned(self, order: Claim | Order) -> None:
        """Do nothing."""


def play_alone(warm_up: Orders, measured: Orders, slots: int) -> Taken:
    """Play all orders on so many slots, each pinned to a core, once their jails are warm.

    Raises:
        RuntimeError: a match came to nothing.
    """
    gc.freeze()  # as a match worker does, and so that no slot looks for cycles in what it has from this process
    try:
        with Tables(mode=Mode.JAIL, workers=slots) as tables:
            _see(tables.run(_play, _calls(warm_up)))
            before, began = _spent(), time.monotonic()
            _see(tables.run(_play, _calls(measured)))
            wall_s, after = time.monotonic() - began, _spent()
    finally:
        gc.unfreeze()
    return Taken(wall_s, {role: after[role] - before[role] for role in after})


def _calls(orders: Orders) -> list[tuple[str, dict[str, bytes]]]:
    return [(text, orders.codes) for text in orders.texts]


def _see(voids: Iterable[str | None]) -> None:
    for void in voids:
        if void is not None:
            raise RuntimeError(f"a match came to nothing: {void}")


def _play(pool: Pool, text: str, codes: dict[str, bytes]) -> str | None:
    if os.getsid(0) != os.getpid():
        os.setsid()  # as the supervisor's children do: kernels share busy cores among sessions
    said = _Nobody()
    Player(said, CodeStore(codes.get), lambda: None, lambda: None, pool).play(text)
    return said.void


def _spent() -> dict[str, float]:
    there = processes()
    parts = [played_s(child.pid, there) for child in active_children() if child.pid is not None]
    return {role: sum(part[role] for part in parts) for role in parts[0]}
