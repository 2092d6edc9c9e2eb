"""Measures ways of playing side by side: in rounds, in each round one after another, and medians count."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gangland
from benchmarks.ways import ENGINE, HAND_TUNED, Way

ROOT = Path(__file__).resolve().parent.parent
PEERS_PYTHON = ROOT / ".venv-bench" / "bin" / "python"
TRIED_GAMES = 2


class Missing(Exception):
    """A framework is not installed."""


@dataclass(frozen=True)
class Batch:
    """What one run of a way took."""

    games: int
    decisions: int
    cpu_s: float

    @property
    def decision_us(self) -> float:
        """Microseconds of CPU a decision."""
        return 1e6 * self.cpu_s / self.decisions


@dataclass(frozen=True)
class Figures:
    """One way at one table size; the ratios are of times a decision, medians over the rounds.

    Attributes:
        of_engine: how many times as long as the engine's bare loop.
        of_hand_tuned: how many times as long as the hand-tuned loop.
    """

    game: str
    seats: int
    way: str
    games_per_s: float
    decision_us: float
    of_engine: float
    of_hand_tuned: float


class Worker:
    """The process of one way."""

    def __init__(self, way: Way) -> None:
        if way.peer and not PEERS_PYTHON.exists():
            raise Missing("its environment .venv-bench is not there; `make bench` makes it")
        package = Path(gangland.__file__).resolve().parent.parent
        self.way = way
        self.numbers = 0
        self.process = subprocess.Popen(
            [PEERS_PYTHON if way.peer else sys.executable, "-m", "benchmarks.worker", way.name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(package)])},
            cwd=ROOT,
            text=True,
        )

    def run(self, game: str, seats: int, games: int) -> Batch:
        """Play so many more games.

        Raises:
            Missing: the framework is not installed.
            RuntimeError: the process ended.
        """
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        question = {"game": game, "seats": seats, "first": self.numbers, "games": games}
        self.numbers += games
        self.process.stdin.write(f"{json.dumps(question)}\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"the process of {self.way.name} ended with {self.process.wait()}")
        answer: dict[str, Any] = json.loads(line)
        if "missing" in answer:
            raise Missing(answer["missing"])
        return Batch(games, answer["decisions"], answer["cpu_s"])

    def close(self) -> None:
        """End the process."""
        self.process.communicate()


@contextmanager
def workers(ways: Sequence[Way], missing: dict[str, str]) -> Iterator[list[Worker]]:
    """Start a process for each way; those that cannot be are left out and noted with the reason."""
    with ExitStack() as stack:
        started = []
        for way in ways:
            try:
                worker = Worker(way)
                stack.callback(worker.close)
                worker.run("gang-of-dice", 2, 1)
            except Missing as reason:
                missing[way.name] = str(reason)
            else:
                started.append(worker)
        yield started


def measure(started: Sequence[Worker], game: str, seats: int, rounds: int, round_s: float) -> list[Figures]:
    """Measure all ways at one table, each for about `round_s` a round."""
    games = {worker.way.name: _games_in(worker, game, seats, round_s) for worker in started}
    batches: dict[str, list[Batch]] = {worker.way.name: [] for worker in started}
    for _ in range(rounds):
        for worker in started:
            batches[worker.way.name].append(worker.run(game, seats, games[worker.way.name]))
    return [_figures(game, seats, name, batches) for name in batches]


def _games_in(worker: Worker, game: str, seats: int, round_s: float) -> int:
    """Return how many games a way plays in so many seconds; this warms it up, too."""
    worker.run(game, seats, TRIED_GAMES)
    tried = worker.run(game, seats, TRIED_GAMES)
    return max(1, round(TRIED_GAMES * round_s / tried.cpu_s))


def _figures(game: str, seats: int, way: str, batches: dict[str, list[Batch]]) -> Figures:
    own = batches[way]
    return Figures(
        game=game,
        seats=seats,
        way=way,
        games_per_s=statistics.median([batch.games / batch.cpu_s for batch in own]),
        decision_us=statistics.median([batch.decision_us for batch in own]),
        of_engine=_ratio(own, batches[ENGINE]),
        of_hand_tuned=_ratio(own, batches[HAND_TUNED]),
    )


def _ratio(own: Sequence[Batch], base: Sequence[Batch]) -> float:
    """Return the median over rounds, in each of which both ran within seconds of each other."""
    return statistics.median([one.decision_us / other.decision_us for one, other in zip(own, base, strict=True)])
