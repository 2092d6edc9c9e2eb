"""Where the engine's time goes: what one decision of the bare loop costs, call by call.

Games are played once; then each kind of call is made again on their positions, all of one kind in a row.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.peers.vectors import vector
from benchmarks.playing import random_players, seed
from gangland.chance import Chance, SeededChance
from gangland.game import Decision, Game
from gangland.games import game_named

GAMES = 40


@dataclass(frozen=True)
class Part:
    """What one kind of call takes, in microseconds a decision of the game."""

    game: str
    seats: int
    part: str
    decision_us: float


@dataclass(frozen=True)
class Ply:
    """One position of a game and what was decided there."""

    number: int
    state: Any
    asked: tuple[int, ...]
    decisions: Mapping[int, Decision]


class NotingChance:
    """Chance that notes what it is asked for, to be asked again."""

    def __init__(self, number: int, asked: list[tuple[str, int, tuple[Any, ...]]]) -> None:
        self._chance = SeededChance(seed(number))
        self._number = number
        self._asked = asked

    def faces(self, *where: int) -> tuple[int, ...]:
        """Note the call and make it."""
        self._asked.append(("faces", self._number, where))
        return self._chance.faces(*where)

    def shuffle(self, *where: Any) -> tuple[int, ...]:
        """Note the call and make it."""
        self._asked.append(("shuffle", self._number, where))
        return self._chance.shuffle(*where)

    def below(self, *where: Any) -> int:
        """Note the call and make it."""
        self._asked.append(("below", self._number, where))
        return self._chance.below(*where)


@dataclass(frozen=True)
class Played:
    """Games whose calls are made again."""

    game: Game[Any]
    seats: int
    plies: Sequence[Ply]
    draws: Sequence[tuple[str, int, tuple[Any, ...]]]

    @property
    def decisions(self) -> int:
        """How many decisions they have."""
        return sum(len(ply.asked) for ply in self.plies)


def played(name: str, seats: int) -> Played:
    """Play some games at random."""
    game, players = game_named(name), random_players(seats)
    plies: list[Ply] = []
    draws: list[tuple[str, int, tuple[Any, ...]]] = []
    for number in range(GAMES):
        chance: Chance = NotingChance(number, draws)
        state, _ = game.start(seats, game.options({}), chance)
        while asked := tuple([question.seat for question in game.pending(state)]):
            decisions = {}
            for seat in asked:
                choices = game.choices(state, seat)
                decisions[seat] = choices[players[seat](None, len(choices))]
            plies.append(Ply(number, state, asked, decisions))
            state, _ = game.resolve(state, decisions, chance)
    return Played(game, seats, plies, draws)


def _start_and_resolve(games: Played) -> None:
    game, options, number, chance = games.game, games.game.options({}), -1, SeededChance(seed(0))
    for ply in games.plies:
        if ply.number != number:
            number = ply.number
            chance = SeededChance(seed(number))
            game.start(games.seats, options, chance)
        game.resolve(ply.state, ply.decisions, chance)


def _draw(games: Played) -> None:
    number, chance = -1, SeededChance(seed(0))
    for kind, of, where in games.draws:
        if of != number:
            number = of
            chance = SeededChance(seed(number))
        getattr(chance, kind)(*where)


def _pending(games: Played) -> None:
    for ply in games.plies:
        games.game.pending(ply.state)


def _observe(games: Played) -> None:
    for ply in games.plies:
        for seat in ply.asked:
            games.game.observe(ply.state, seat)


def _read(games: Played) -> None:
    for ply in games.plies:
        for seat in ply.asked:
            vector(games.game.name, games.game.observe(ply.state, seat))


def _choices(games: Played) -> None:
    for ply in games.plies:
        for seat in ply.asked:
            games.game.choices(ply.state, seat)


def _check(games: Played) -> None:
    for ply in games.plies:
        for seat in ply.asked:
            games.game.check(ply.state, seat, ply.decisions[seat])


_CALLS: dict[str, Callable[[Played], None]] = {
    "resolve, with start and dice": _start_and_resolve,
    "of which dice and cards": _draw,
    "observe": _observe,
    "choices": _choices,
    "pending": _pending,
    "besides: check of an answer": _check,
    "besides: view as numbers, for peers": _read,
}


def measure(name: str, seats: int, rounds: int) -> list[Part]:
    """Measure each kind of call in turn, several times over; medians count."""
    games = played(name, seats)
    took: dict[str, list[float]] = {part: [] for part in _CALLS}
    for _ in range(rounds):
        for part, call in _CALLS.items():
            began = time.process_time()
            call(games)
            took[part].append(time.process_time() - began)
    return [Part(name, seats, part, 1e6 * statistics.median(times) / games.decisions) for part, times in took.items()]
