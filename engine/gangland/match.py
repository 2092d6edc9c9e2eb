"""Play one game, ply by ply: show each seat its view, collect the decisions, resolve them, and record the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from gangland.chance import Chance, SeededChance
from gangland.faults import BotFault, Fault, FaultKind, IllegalDecision
from gangland.game import Decision, Event, Game, Outcome, Question
from gangland.replay import FAULT, RecordedDecision, Replay, played_events, with_digest
from gangland.view import View, unchangeable


class Player(Protocol):
    """The player of a seat."""

    def decide(self, kind: str, view: View, number: int) -> object:
        """Return the answer to the game's decision `number` (from 0).  Raises BotFault: the seat forfeits the game."""


Seal = Callable[[Replay, list[Event]], Replay]
"""A function that adds a digest of the events to a replay, like `gangland.replay.with_digest`."""


@unchangeable
@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A finished game: its replay, outcome and faults."""

    replay: Replay
    outcome: Outcome
    faults: tuple[Fault, ...]
    rounds: int


def play(
    game: Game[Any],
    players: Sequence[Player],
    seed: bytes,
    *,
    options: Mapping[str, object] | None = None,
    chance: Chance | None = None,
    early_faults: Mapping[int, BotFault] | None = None,
    seal: Seal = with_digest,
) -> FinishedGame:
    """Play one game; after a fault, default decisions replace the seat's own (G38, D31).

    Args:
        players: one per seat, in seat order.
        chance: replaces the seed's dice and cards; the replay of such a game does not verify.
        early_faults: faults from before the game, by seat.

    Raises ValueError: the game has no such table size or option.
    """
    table = Table(game, players, seed, options=options, chance=chance, early_faults=early_faults)
    while table.outcome is None:
        table.play_ply()
    return table.finished_game(seal)


class Table:
    """A running game, played ply by ply; see `play` for the arguments and errors."""

    def __init__(
        self,
        game: Game[Any],
        players: Sequence[Player],
        seed: bytes,
        *,
        options: Mapping[str, object] | None = None,
        chance: Chance | None = None,
        early_faults: Mapping[int, BotFault] | None = None,
    ) -> None:
        self.game = game
        self.players = players
        self.seed = seed
        self.chance = chance or SeededChance(seed)
        self.options = game.options(options or {})
        self.state, events = game.start(len(players), self.options, self.chance)
        self.events: list[Event] = list(events)  # all events so far
        self.rounds = game.round(self.state)
        self.recorded: list[RecordedDecision] = []  # the decisions so far, as in a replay
        self.faults: list[Fault] = []  # in the order of the failures
        self.defaulting: frozenset[int] = frozenset()  # the seats at fault
        for seat, fault in sorted((early_faults or {}).items()):
            self._forfeit(seat, fault.kind, fault.message, None)
        self.shown = self.defaulting  # seats that views show as at fault; updated when a stage is complete
        self.outcome = game.outcome(self.state, self.defaulting)  # None while the game goes on

    def _forfeit(self, seat: int, kind: FaultKind, message: str, decision: int | None) -> None:
        round_number = self.game.round(self.state) if decision is not None else 0
        self.faults.append(Fault(seat, kind, message, round_number, decision))
        self.defaulting |= {seat}

    def questions(self) -> tuple[Question, ...]:
        """Return the questions of the next ply, in seat order; seats at fault are not asked."""
        if self.outcome is not None:
            return ()
        return tuple([each for each in self.game.pending(self.state) if each.seat not in self.defaulting])

    def view(self, seat: int) -> View:
        """Return the seat's current view, equal to the one that its player gets."""
        return self.game.observe(self.state, seat, self.shown)

    def play_ply(self) -> None:
        """Ask seats due to decide, unless at fault; apply all decisions at once.  Raises ValueError: it is over."""
        if self.outcome is not None:
            raise ValueError(f"the game is over ({self.outcome.reason})")
        defaulting, before = self.defaulting, self.state
        decisions = {question.seat: self._ask(question, defaulting) for question in self.game.pending(before)}
        self.state, resolved = self.game.resolve(before, decisions, self.chance)
        self.outcome = self.game.outcome(self.state, self.defaulting)
        events = played_events(resolved, self.outcome)
        self.events += events
        if self.outcome is not None:
            self.rounds = self.game.round(self.state if events == resolved else before)
        if self.shown is not self.defaulting and not self.game.half_answered(self.state):
            self.shown = self.defaulting

    def finished_game(self, seal: Seal = with_digest) -> FinishedGame:
        """Return the finished game, with the digest from `seal`.  Raises ValueError: the game is not over."""
        if self.outcome is None:
            raise ValueError("the game is not over")
        game, outcome = self.game, self.outcome
        replay = Replay(
            game=game.name,
            rules=game.rules_version,
            seats=len(self.players),
            options=game.options_dict(self.options),
            seed=self.seed.hex(),
            decisions=tuple(self.recorded),
            faults=tuple((fault.seat, fault.decision) for fault in self.faults),
            rounds=self.rounds,
            places=outcome.places,
            reason=outcome.reason.value,
        )
        return FinishedGame(seal(replay, self.events), outcome, tuple(self.faults), replay.rounds)

    def _ask(self, question: Question, defaulting: frozenset[int]) -> Decision:
        game, seat = self.game, question.seat
        if seat in defaulting:
            return game.default(self.state, seat)
        number = len(self.recorded)
        try:
            view = game.observe(self.state, seat, self.shown)
            decision = game.check(self.state, seat, self.players[seat].decide(question.kind, view, number))
        except IllegalDecision as error:
            self._forfeit(seat, FaultKind.ILLEGAL, f"choose_{question.kind}(): {error}", number)
        except BotFault as fault:
            self._forfeit(seat, fault.kind, fault.message, number)
        else:
            self.recorded.append(decision)
            return decision
        self.recorded.append(FAULT)
        return game.default(self.state, seat)
