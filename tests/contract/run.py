"""Any registered game played by any decisions, through the Game interface alone."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from gangland.chance import SEED_BYTES, Chance, Faces, SeededChance
from gangland.game import Decision, Event, Game, Outcome, Question
from gangland.games import game_named

MANY_PLIES = 20_000  # a game of random decisions is never this long unless it is endless


@dataclass(frozen=True)
class Table:
    game: str
    seats: int
    options: Mapping[str, object]

    @property
    def rules(self) -> Game[Any]:
        return game_named(self.game)


class Passing:
    def __init__(self, chance: Chance) -> None:
        self.chance = chance

    def faces(self, round: int, seat: int, roll: int, count: int) -> Faces:
        return self.chance.faces(round, seat, roll, count)

    def shuffle(self, purpose: str, number: int, cards: Sequence[int]) -> tuple[int, ...]:
        return self.chance.shuffle(purpose, number, cards)

    def below(self, purpose: str, bound: int) -> int:
        return self.chance.below(purpose, bound)


class Remembering(Passing):
    """A chance that stores every shuffle by purpose and number."""

    def __init__(self, chance: Chance) -> None:
        super().__init__(chance)
        self.shuffles: dict[tuple[str, int], tuple[int, ...]] = {}

    def shuffle(self, purpose: str, number: int, cards: Sequence[int]) -> tuple[int, ...]:
        shuffled = self.shuffles[purpose, number] = self.chance.shuffle(purpose, number, cards)
        return shuffled

    def shuffled(self, purpose: str) -> list[tuple[int, ...]]:
        return [self.shuffles[key] for key in sorted(self.shuffles) if key[0] == purpose]


class Run:
    """A game with its history; `decisions` lead from each state to the next, `happened` are the events before each."""

    def __init__(self, table: Table, chance: Chance) -> None:
        self.table = table
        self.game = table.rules
        self.chance = chance if isinstance(chance, Remembering) else Remembering(chance)
        state, events = self.game.start(table.seats, self.game.options(table.options), self.chance)
        self.states = [state]
        self.decisions: list[dict[int, Decision]] = []
        self.happened: list[tuple[Event, ...]] = [events]
        self.told: list[Event] = list(events)

    @property
    def state(self) -> Any:
        return self.states[-1]

    @property
    def seats(self) -> range:
        return range(self.table.seats)

    @property
    def pending(self) -> tuple[Question, ...]:
        return self.game.pending(self.state)

    def outcome(self, defaulting: frozenset[int] = frozenset()) -> Outcome | None:
        return self.game.outcome(self.state, defaulting)

    def resolve(self, decisions: dict[int, Decision]) -> None:
        state, events = self.game.resolve(self.state, decisions, self.chance)
        self.states.append(state)
        self.decisions.append(decisions)
        self.happened.append(events)
        self.told += events

    def step(self, decide: Callable[[Question], Decision], defaulting: frozenset[int] = frozenset()) -> None:
        decisions: dict[int, Decision] = {}
        for question in self.pending:
            failed = question.seat in defaulting
            decisions[question.seat] = self.game.default(self.state, question.seat) if failed else decide(question)
        self.resolve(decisions)
        assert len(self.states) < MANY_PLIES, f"{self.table} goes on after {MANY_PLIES} plies"

    def told_by(self, ply: int) -> list[Event]:
        """Return all events up to state number `ply`."""
        return [event for events in self.happened[: ply + 1] for event in events]


def seed_of(number: int) -> bytes:
    return Random(number).randbytes(SEED_BYTES)


def a_choice(choices: Sequence[Decision], rng: Random, timid: bool) -> Decision:
    """Return a choice; the timid prefer the first ones: few dice, no reroll, nothing given away."""
    if timid:
        return choices[min(int(rng.expovariate(0.4)), len(choices) - 1)]
    return choices[rng.randrange(len(choices))]


class AtRandom:
    """Decides for all seats at random; every other number plays a timid game."""

    def __init__(self, run: Run, number: int) -> None:
        self.run, self.rng, self.timid = run, Random(f"decisions {number}"), number % 2 == 0

    def __call__(self, question: Question) -> Decision:
        return a_choice(self.run.game.choices(self.run.state, question.seat), self.rng, self.timid)


def begun(table: Table, number: int) -> tuple[Run, AtRandom]:
    run = Run(table, SeededChance(seed_of(number)))
    return run, AtRandom(run, number)


def played(table: Table, number: int) -> Run:
    run, decide = begun(table, number)
    while run.outcome() is None:
        run.step(decide)
    return run
