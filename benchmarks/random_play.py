"""Compare the ways of random play by CPU time: each way runs in its own process, in turn with the others."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import gangland
from benchmarks.harness import Row, ratio, run_in_turn
from benchmarks.ways import ENGINE, HAND_TUNED, Way

ROOT = Path(__file__).resolve().parent.parent
PEERS_PYTHON = ROOT / ".venv-bench" / "bin" / "python"
TRIAL_GAMES = 2
COLUMNS = ("game", "seats", "way", "games/s", "us/decision", "x engine", "x hand-tuned")


class NotInstalled(Exception):
    """A framework is not installed."""


@dataclass(frozen=True)
class Batch:
    """The results of one run of a way."""

    games: int
    decisions: int
    cpu_s: float

    @property
    def decision_us(self) -> float:
        """Microseconds of CPU per decision."""
        return 1e6 * self.cpu_s / self.decisions


class Worker:
    """The process of one way."""

    def __init__(self, way: Way) -> None:
        if way.peer and not PEERS_PYTHON.exists():
            raise NotInstalled("its environment .venv-bench is not there; `make bench` makes it")
        package = compiled_engine() if way.compiled else Path(gangland.__file__).resolve().parent.parent
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
        """Play this number of games.

        Raises:
            NotInstalled: the framework is not installed.
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
            raise NotInstalled(answer["missing"])
        return Batch(games, answer["decisions"], answer["cpu_s"])


def compiled_engine() -> Path:
    """Return the folder of the checkout's compiled engine; build it if necessary.

    Raises:
        NotInstalled: it cannot be compiled here.
    """
    script = ROOT / "scripts" / "compile_engine.py"
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise NotInstalled(done.stderr.strip().partition("\n")[0])
    return Path(done.stdout.strip())


@contextmanager
def workers(ways: Sequence[Way], missing: dict[str, str]) -> Iterator[list[Worker]]:
    """Start a process for each way; add ways that cannot be started to `missing`, with the reason."""
    with ExitStack() as stack:
        started = []
        for way in ways:
            try:
                worker = Worker(way)
                stack.callback(worker.process.communicate)
                worker.run("gang-of-dice", 2, 1)
            except NotInstalled as reason:
                missing[way.name] = str(reason)
            else:
                started.append(worker)
        yield started


def measure(started: Sequence[Worker], game: str, seats: int, rounds: int, round_s: float) -> list[Row]:
    """Measure all ways at one table, each for about `round_s` per round; return a row of `COLUMNS` for each."""
    runs = {}
    for worker in started:
        worker.run(game, seats, TRIAL_GAMES)
        tried = worker.run(game, seats, TRIAL_GAMES)
        runs[worker.way.name] = partial(worker.run, game, seats, max(1, round(TRIAL_GAMES * round_s / tried.cpu_s)))
    batches = run_in_turn(runs, rounds, warm_up=False)
    times = {way: [batch.decision_us for batch in own] for way, own in batches.items()}
    return [
        (
            *(game, seats, way, median([batch.games / batch.cpu_s for batch in batches[way]]), median(own)),
            *(ratio(own, times[ENGINE]), ratio(own, times[HAND_TUNED])),
        )
        for way, own in times.items()
    ]
