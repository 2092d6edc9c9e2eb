"""One game from start to end by any players: observe all, ask all, resolve, record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from gangland.chance import Chance, SeededChance
from gangland.faults import BotFault, Fault, FaultKind, IllegalDecision
from gangland.game import Decision, Event, Game, Outcome, Question
from gangland.replay import FAULT, Recorded, Replay, played_events, sealed
from gangland.view import View


class Player(Protocol):
    """Whoever decides for a seat."""

    def decide(self, kind: str, view: View, number: int) -> object:
        """Return an answer to the question; `number` counts the game's decisions from 0.

        Raises:
            BotFault: the player failed, and its seat forfeits the game.
        """


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game: how to play it again, how it ended, and who failed."""

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
    failed: Mapping[int, BotFault] | None = None,
) -> Played:
    """Play one game; a seat that fails is played by default from there on (G38, D31).

    Args:
        players: one a seat, in seat order.
        chance: chosen dice and cards in place of the seed's; the replay of such a game does not verify.
        failed: seats that are at fault before the game begins, and why.

    Raises:
        ValueError: a table size or an option that the game does not have.
    """
    table = _Table(game, players, chance or SeededChance(seed), options or {})
    for seat, fault in sorted((failed or {}).items()):
        table.forfeit(seat, fault.kind, fault.message, None)
    outcome = table.play()
    replay = Replay(
        game=game.name,
        rules=game.rules_version,
        seats=len(players),
        options=game.options_dict(table.options),
        seed=seed.hex(),
        decisions=tuple(table.recorded),
        faults=tuple((fault.seat, fault.decision) for fault in table.faults),
        rounds=table.rounds,
        places=outcome.places,
        reason=outcome.reason.value,
    )
    return Played(sealed(replay, table.events), outcome, tuple(table.faults), replay.rounds)


class _Table:
    """The running game."""

    def __init__(
        self, game: Game[Any], players: Sequence[Player], chance: Chance, options: Mapping[str, object]
    ) -> None:
        self.game = game
        self.players = players
        self.chance = chance
        self.options = game.options(options)
        self.state, events = game.start(len(players), self.options, chance)
        self.events: list[Event] = list(events)
        self.rounds = game.round(self.state)
        self.recorded: list[Recorded] = []
        self.faults: list[Fault] = []
        self.defaulting: frozenset[int] = frozenset()
        self.shown: frozenset[int] = frozenset()

    def forfeit(self, seat: int, kind: FaultKind, message: str, decision: int | None) -> None:
        round_number = self.game.round(self.state) if decision is not None else 0
        self.faults.append(Fault(seat, kind, message, round_number, decision))
        self.defaulting |= {seat}

    def play(self) -> Outcome:
        game = self.game
        outcome = game.outcome(self.state, self.defaulting)
        while outcome is None:
            before = self.defaulting
            if not game.half_answered(self.state):
                self.shown = before
            outcome = self._resolve(
                {question.seat: self._ask(question, before) for question in game.pending(self.state)}
            )
        return outcome

    def _resolve(self, decisions: Mapping[int, Decision]) -> Outcome | None:
        before = self.state
        self.state, resolved = self.game.resolve(before, decisions, self.chance)
        outcome = self.game.outcome(self.state, self.defaulting)
        events = played_events(resolved, outcome)
        self.events += events
        if outcome is not None:
            self.rounds = self.game.round(self.state if events == resolved else before)
        return outcome

    def _ask(self, question: Question, defaulting: frozenset[int]) -> Decision:
        game, seat = self.game, question.seat
        if seat in defaulting:
            return game.default(self.state, seat)
        number = len(self.recorded)
        try:
            view = game.observe(self.state, seat, self.shown)
            decision = game.check(self.state, seat, self.players[seat].decide(question.kind, view, number))
        except IllegalDecision as refused:
            self.forfeit(seat, FaultKind.ILLEGAL, f"choose_{question.kind}(): {refused}", number)
        except BotFault as fault:
            self.forfeit(seat, fault.kind, fault.message, number)
        else:
            self.recorded.append(decision)
            return decision
        self.recorded.append(FAULT)
        return game.default(self.state, seat)
