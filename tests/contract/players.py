"""Players for the match loop that decide at random, by a script, or fail."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, cast

from tests.contract.run import Table, a_choice, seed_of

from gangland.chance import Chance
from gangland.faults import BotFault, FaultKind
from gangland.game import Decision, Event, Game
from gangland.match import FinishedGame, play
from gangland.view import View


class Watched:
    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.events: list[Event] = []
        self.asked: tuple[Any, int] = (None, 0)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)

    def start(self, seats: int, options: Any, chance: Chance) -> tuple[Any, tuple[Event, ...]]:
        state, events = self.game.start(seats, options, chance)
        self.events += events
        return state, events

    def observe(self, state: Any, seat: int, defaulting: frozenset[int] = frozenset()) -> View:
        self.asked = (state, seat)
        return self.game.observe(state, seat, defaulting)

    def resolve(self, state: Any, decisions: Mapping[int, Decision], chance: Chance) -> tuple[Any, tuple[Event, ...]]:
        state, events = self.game.resolve(state, decisions, chance)
        self.events += events
        return state, events


class Fallible:
    """Answers at random; sometimes it crashes, or gives an illegal answer."""

    def __init__(self, game: Watched, rng: Random, fails: float) -> None:
        self.game, self.rng, self.fails = game, rng, fails
        self.timid = rng.random() < 0.5
        self.failed: FaultKind | None = None

    def decide(self, kind: str, view: View, number: int) -> object:
        assert self.failed is None, "a seat at fault is asked again"
        state, seat = self.game.asked
        if self.rng.random() < self.fails:
            self.failed = self.rng.choice([FaultKind.CRASHED, FaultKind.ILLEGAL, FaultKind.DECISION_TIME])
            if self.failed is FaultKind.ILLEGAL:
                return "anything"
            raise BotFault(self.failed, "it broke")
        return a_choice(self.game.choices(state, seat), self.rng, self.timid)


class Scripted:
    """Gives these answers in order; the word "fault" is a crash."""

    def __init__(self, answers: Sequence[Any]) -> None:
        self.answers = iter(answers)

    def decide(self, kind: str, view: View, number: int) -> object:
        answer = next(self.answers)
        if answer == "fault":
            raise BotFault(FaultKind.CRASHED, "it broke")
        return answer


def play_watched(table: Table, number: int, fails: Sequence[float]) -> tuple[FinishedGame, Watched, list[Fallible]]:
    """Play one game; `fails` has each seat's probability of a failed decision, above 1 to fail at the start."""
    watched = Watched(table.rules)
    players = [Fallible(watched, Random(f"{number} {seat}"), chance) for seat, chance in enumerate(fails)]
    broken = {seat: BotFault(FaultKind.IMPORT_ERROR, "no module") for seat, chance in enumerate(fails) if chance > 1}
    played = play(cast(Any, watched), players, seed_of(number), options=table.options, early_faults=broken)
    return played, watched, players
