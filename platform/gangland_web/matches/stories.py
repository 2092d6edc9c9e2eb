"""A replay as the page shows it: rounds, and in each round the stops at which something was decided."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from gangland.game import ROUND_BEGAN
from gangland.games import game_named
from gangland.replay import Replay, Step, expand
from gangland.story import tell

_AIMS = {"gangster-dice": "the first without dice wins", "gang-of-dice": "the most dice win"}


@dataclass(slots=True)
class Stop:
    """What followed from one step of a game: an item of the log with an address of its own.

    `decisions` are numbered within the round from 1; the address names the last of them.
    """

    round: int
    decisions: list[int] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    faults: list[dict[str, Any]] = field(default_factory=list)

    @property
    def last(self) -> int:
        """The last decision's number, 0 at a stop where nothing was decided."""
        return self.decisions[-1] if self.decisions else 0

    @property
    def id(self) -> str:
        """The stop's address in the page."""
        return f"r{self.round}.d{self.last}"

    @property
    def anchors(self) -> list[str]:
        """Addresses of the other decisions that led here."""
        return [f"r{self.round}.d{number}" for number in self.decisions[:-1]]


@dataclass(slots=True)
class Round:
    """One round of the log; `dice` are each seat's at its beginning, empty where the round had no decision."""

    number: int
    stops: list[Stop]
    dice: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Story:
    """The whole log and its last sentence; `aim` says which way of the dice is better."""

    rounds: list[Round]
    ending: str
    aim: str


def story_of(replay: Replay, names: Sequence[str], faults: Iterable[dict[str, Any]] = ()) -> Story:
    """Return the log of a replay.

    Args:
        names: what to call the seats, in seat order.
        faults: the game's recorded faults; each is shown at the stop of its decision.

    Raises:
        ReplayError: the replay cannot be played.
    """
    writer = _Writer(replay, tuple(names))
    for step in expand(replay):
        writer.take(step)
    for fault in faults:
        writer.stop_of(fault.get("decision")).faults.append(fault)
    *_, ending = tell(replay, names)
    return Story(writer.finished(), ending.text, _AIMS[replay.game])


def _dice(game: str, state: Any) -> tuple[int, ...]:
    """Return how many dice each seat has."""
    if game == "gang-of-dice":
        return tuple(state.pools)
    return tuple(sum(stash) for stash in state.stashes)


class _Writer:
    """Writes a log step by step."""

    def __init__(self, replay: Replay, names: tuple[str, ...]) -> None:
        self.game = game_named(replay.game)
        self.names = names
        self.stop = Stop(1)
        self.rounds = [Round(1, [self.stop])]
        self.where: dict[int, Stop] = {}
        self.in_round = 0

    def take(self, step: Step) -> None:
        """Write one step: a new stop if something was decided, then what happened."""
        numbers = [answer.number for answer in step.answers if answer.number is not None]
        if numbers:
            self._decided(numbers)
        for event in step.events:
            if event[0] == ROUND_BEGAN and event[1] != self.stop.round:
                self._begin(event[1])
            text = self.game.sentence(event, self.names)
            if text is not None:
                self.stop.lines.append(text)
        newest = self.rounds[-1]
        if step.before is None or step.round != newest.number:
            newest.dice = _dice(self.game.name, step.after)

    def _decided(self, numbers: list[int]) -> None:
        """Open a stop for decisions, unless the open one has decisions and nothing to tell yet."""
        if self.stop.lines or not self.stop.decisions:
            self.stop = Stop(self.stop.round)
            self.rounds[-1].stops.append(self.stop)
        for number in numbers:
            self.in_round += 1
            self.stop.decisions.append(self.in_round)
            self.where[number] = self.stop

    def _begin(self, number: int) -> None:
        self.stop, self.in_round = Stop(number), 0
        self.rounds.append(Round(number, [self.stop]))

    def stop_of(self, decision: object) -> Stop:
        """Return the stop at which a decision of the replay shows; the first for a fault before the game."""
        found = self.where.get(decision) if isinstance(decision, int) else None
        return found or self.rounds[0].stops[0]

    def finished(self) -> list[Round]:
        """Return the rounds without stops that tell nothing."""
        for each in self.rounds:
            each.stops = [stop for stop in each.stops if stop.lines or stop.faults or stop.decisions]
        return [each for each in self.rounds if each.stops]
