"""Random games of every registered game, all seats, options and characters: no crash, and no die or card lost.

    python -m tests.contract.campaign [GAMES] [--workers N] [--first NUMBER]

In every fifth game seats fail on the way.  `--first NUMBER` begins with a game.  The exit code is 1 if one went wrong.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import combinations
from multiprocessing import Pool
from random import Random
from traceback import format_exc
from typing import Any, Self

from tests.contract.checks import check_outcome
from tests.contract.games import ADAPTERS, adapter_of
from tests.contract.run import Table, begun

from gangland.games import GAME_NAMES, game_named

GAMES = 50_000
BATCH = 100
HEADS = {"seats": 6, "games": 8, "states": 11, "decisions": 11, "rounds": 8, "most": 6, "faults": 8, "wrong": 7}

Kind = tuple[str, int]  # a game and a number of seats


@dataclass
class Tally:
    """The results of some games; `digest` is the same for every engine with the same rules."""

    games: int = 0
    states: int = 0
    decisions: int = 0
    rounds: int = 0
    longest: int = 0
    faults: int = 0
    questions: Counter[str] = field(default_factory=Counter)
    events: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    pairs: Counter[tuple[str, ...]] = field(default_factory=Counter)
    found: list[str] = field(default_factory=list)
    digest: int = 0

    def add(self, other: Self) -> None:
        for name in vars(self):
            if name == "longest":
                self.longest = max(self.longest, other.longest)
            else:
                setattr(self, name, getattr(self, name) + getattr(other, name))


def play_one(table: Table, number: int, tally: Tally) -> None:
    """Play one game at random and count dice and cards at every state.  Raises AssertionError."""
    adapter = adapter_of(table.game)
    run, decide = begun(table, number)
    rng = Random(f"faults {number}")
    fails = 0.02 if number % 5 == 0 else 0.0
    defaulting: frozenset[int] = frozenset()
    adapter.check_conserved(run)
    while (outcome := run.outcome(defaulting)) is None:
        tally.questions.update([question.kind for question in run.pending])
        defaulting |= {question.seat for question in run.pending if rng.random() < fails}
        run.step(decide, defaulting)
        adapter.check_conserved(run)
    check_outcome(outcome, table.seats, defaulting)
    tally.states += len(run.states)
    tally.decisions += sum(map(len, run.decisions))
    tally.rounds += run.game.round(run.state)
    tally.longest = max(tally.longest, run.game.round(run.state))
    tally.faults += len(defaulting)
    tally.events.update([event[0] for event in run.told])
    tally.reasons[outcome.reason.value] += 1
    played = repr((run.told, run.decisions, outcome.places, outcome.reason.value))
    tally.digest += int.from_bytes(sha256(played.encode()).digest()[:8])
    tally.pairs.update(combinations(sorted(adapter.cast(run)), 2))


def play_batch(batch: tuple[Kind, range]) -> tuple[Kind, Tally]:
    (name, seats), numbers = batch
    tally = Tally()
    for number in numbers:
        table = ADAPTERS[name].table(seats, number)
        tally.games += 1
        try:
            play_one(table, number, tally)
        except Exception:  # noqa: BLE001 (every kind of failure is what is looked for, and it is reported)
            tally.found.append(f"{table}, game {number}:\n{format_exc()}")
    return (name, seats), tally


def batches(games: int, first: int) -> Iterator[tuple[Kind, range]]:
    """Deal games over all games and table sizes, in batches that take turns."""
    kinds = [(name, seats) for name in GAME_NAMES for seats in game_named(name).table_sizes]
    each = -(-games // len(kinds))
    for start in range(first, first + each, BATCH):
        for kind in kinds:
            yield kind, range(start, min(start + BATCH, first + each))


def gathered(results: Iterable[tuple[Kind, Tally]], games: int) -> dict[Kind, Tally]:
    tallies: dict[Kind, Tally] = {}
    played = 0
    for kind, tally in results:
        tallies.setdefault(kind, Tally()).add(tally)
        for found in tally.found:
            print(found, file=sys.stderr)
        if played * 20 // games != (played + tally.games) * 20 // games:
            print(f"{played + tally.games:,} of {games:,} games", file=sys.stderr, flush=True)
        played += tally.games
    return dict(sorted(tallies.items()))


def missing(tallies: dict[Kind, Tally]) -> list[str]:
    """Return the questions, events and pairs of characters that no game had."""
    gaps = []
    for name in sorted({name for name, _ in tallies}):
        whole = Tally()
        for (game, _), tally in tallies.items():
            if game == name:
                whole.add(tally)
        adapter = adapter_of(name)
        wanted: dict[str, tuple[Iterable[Any], Counter[Any]]] = {
            "question": (adapter.game.bot_class.kinds, whole.questions), "event": (adapter.event_kinds, whole.events),
            "pair of characters": (combinations(sorted(adapter.characters), 2), whole.pairs),
        }  # fmt: skip
        for what, (every, met) in wanted.items():
            gaps += [f"{name}: no game had the {what} {one}" for one in every if one not in met]
    return gaps


def lines(tallies: dict[Kind, Tally]) -> Iterator[str]:
    yield "game          " + "".join(f"{head:>{width}}" for head, width in HEADS.items())
    for (name, seats), tally in tallies.items():
        mean = tally.rounds / max(1, tally.games)
        yield (
            f"{name:14}{seats:>6}{tally.games:>8,}{tally.states:>11,}{tally.decisions:>11,}{mean:>8.1f}"
            f"{tally.longest:>6}{tally.faults:>8,}{len(tally.found):>7}"
        )
    for (name, seats), tally in tallies.items():
        ends = ", ".join(f"{reason} {count:,}" for reason, count in sorted(tally.reasons.items()))
        least = min(tally.pairs.values(), default=0)
        pairs = f"; {len(tally.pairs)} pairs of characters, each in {least:,} games or more" if tally.pairs else ""
        yield f"{name}, {seats} seats: {ends}{pairs}; digest {tally.digest % 2**64:016x}"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("games", type=int, nargs="?", default=GAMES, help=f"how many games ({GAMES:,})")
    parser.add_argument("--workers", type=int, default=2, help="processes (2)")
    parser.add_argument("--first", type=int, default=0, help="number of the first game of each kind (0)")
    given = parser.parse_args(arguments)
    work = list(batches(given.games, given.first))
    total = sum(len(numbers) for _, numbers in work)
    with Pool(given.workers) as pool:
        tallies = gathered(pool.imap_unordered(play_batch, work), total)
    print("\n".join(lines(tallies)))
    wrong = sum(len(tally.found) for tally in tallies.values())
    gaps = missing(tallies)
    print("\n".join(gaps) if gaps else "every kind of question and event and every pair of characters was met")
    print(f"{total:,} games, {wrong} of them wrong")
    return 1 if wrong or gaps else 0


if __name__ == "__main__":
    raise SystemExit(main())
