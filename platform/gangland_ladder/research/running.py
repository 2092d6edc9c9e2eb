"""One game that agents play: the engine's own table, with answers put in from outside."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from hashlib import sha256
from operator import index
from typing import Any

from gangland.game import ROUND_BEGAN, Decision, Game, Question
from gangland.games import game_named
from gangland.match import Played, Table
from gangland.view import View
from gangland_ladder.local.matches import options_of
from gangland_ladder.research.encoding import AgentState, Encoding
from gangland_ladder.research.games import encoding_of


class Held:
    """A player of the engine that answers what it was told before."""

    answer: object = None

    def decide(self, kind: str, view: View, number: int) -> object:
        """Return the answer held."""
        return self.answer


class Setup:
    """A game, a table size and options: what all games of an environment have in common.

    Attributes:
        options: those that differ from the game's defaults.
    """

    def __init__(self, game: str, seats: int, options: Mapping[str, object] | None) -> None:
        """Check them.

        Raises:
            ValueError: a game, a table size or an option that there is not; the message says what there is.
        """
        self.game: Game[Any] = game_named(game)
        if seats not in self.game.table_sizes:
            raise ValueError(f"{self.game.title} has tables of {self.game.table_sizes}, not {seats!r}")
        self.seats = seats
        self.options = options_of(game, seats, options or {})
        self.encoding: Encoding = encoding_of(self.game.name)(seats)


def seed_of(seed: int, episode: int) -> bytes:
    """Return the 32 bytes that give a game's dice, from the seed of an environment and how often it was reset since."""
    return sha256(f"gangland research|{seed}|{episode}".encode()).digest()


class Running:
    """A game that is being played by agents, each of which is a seat."""

    def __init__(self, setup: Setup, seed: bytes) -> None:
        self.setup = setup
        self.encoding = setup.encoding
        self._players = [Held() for _ in range(setup.seats)]
        self.table = Table(setup.game, self._players, seed, options=setup.options)
        self._ask()

    def _ask(self) -> None:
        self.questions: dict[int, Question] = {question.seat: question for question in self.table.asked()}
        self._waiting: list[int] = list(self.questions)
        self._parts: dict[int, tuple[int, ...]] = {}
        self._agents: dict[int, tuple[Any, AgentState]] = {}

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.table.outcome is not None

    def waiting(self) -> list[int]:
        """Return the seats that still have to act before the game goes on, upward."""
        return list(self._waiting)

    def agent(self, seat: int) -> AgentState:
        """Return what a seat sees, and what it is asked; the same until it acts, or the game goes on."""
        state = self.table.state
        of_state, agent = self._agents.get(seat, (None, None))
        if agent is None or of_state is not state:
            view = self.table.view(seat)
            if seat in self._waiting:
                choices, parts = self.setup.game.choices(state, seat), self._parts.get(seat, ())
                agent = AgentState(view, self.questions[seat].kind, choices, parts)
            else:
                agent = AgentState(view)
            self._agents[seat] = state, agent
        return agent

    def act(self, seat: int, action: object) -> None:
        """Take an action of a seat that has to act; what the mask forbids makes it forfeit the game.

        An action of any other seat is let be.

        Raises:
            ValueError: no action of the action space.
        """
        number = self._number(seat, action)
        if seat not in self._waiting:
            return
        agent = self.agent(seat)
        if number not in agent.allowed(self.encoding):
            self._answer(seat, f"action {number}, which the mask forbids")
            return
        agent.act(number)
        if self.encoding.is_whole(agent):
            self._answer(seat, self.encoding.decision(agent))
        else:
            self._parts[seat] = agent.parts

    def _number(self, seat: int, action: object) -> int:
        wanted = f"seat {seat} has the actions 0 to {self.encoding.actions - 1}"
        try:
            number = index(action)  # type: ignore[arg-type]
        except TypeError as error:
            raise ValueError(f"{wanted}, not {action!r:.80}") from error
        if not 0 <= number < self.encoding.actions:
            raise ValueError(f"{wanted}, not {number}")
        return number

    def _answer(self, seat: int, answer: object) -> None:
        self._players[seat].answer = answer
        self._waiting.remove(seat)
        del self._agents[seat]

    def go_on(self) -> None:
        """Apply the decisions if every seat that is asked has made its own."""
        if not self._waiting:
            self.table.ply()
            self._ask()

    def rewards(self) -> list[float]:
        """Return one a seat: 1 for the first place, -1 for the last, evenly between them, and together always 0."""
        outcome = self.table.outcome
        if outcome is None:
            return [0.0] * self.setup.seats
        seats = self.setup.seats
        return [float((Fraction(seats + 1, 2) - place) * 2 / (seats - 1)) for place in outcome.mean_places()]

    def info(self, seat: int) -> dict[str, Any]:
        """Return what else an agent is told: what it is asked, its fault; at the end its place and why it ended."""
        faults = self.table.faults
        fault = next((fault.message for fault in faults if fault.seat == seat), "") if faults else ""
        facts: dict[str, Any] = {"asked": self.questions[seat].kind if seat in self._waiting else "", "fault": fault}
        if (outcome := self.table.outcome) is not None:
            facts |= {"place": outcome.places[seat], "reason": outcome.reason.value}
        return facts

    def actions_for(self, seat: int, decision: object) -> tuple[int, ...]:
        """Return the actions that make a decision, as a bot's method returns it, of a seat that has to act.

        Raises:
            ValueError: the seat is asked nothing, or the decision is not legal.
        """
        if seat not in self.waiting():
            raise ValueError(f"seat {seat} is asked nothing now")
        game, kind = self.setup.game, self.questions[seat].kind
        try:
            plain = game.bot_class.encode(kind, decision)
        except TypeError as error:
            raise ValueError(str(error)) from error
        legal: Decision = game.check(self.table.state, seat, plain)
        return self.encoding.actions_for(self.agent(seat), legal)

    def played(self) -> Played:
        """Return the finished game; ValueError while it goes on."""
        return self.table.played()

    def story(self, names: tuple[str, ...]) -> str:
        """Return what has happened in this round as a spectator would be told it, a sentence a line."""
        events = self.table.events
        began = max((at for at, event in enumerate(events) if event[0] == ROUND_BEGAN), default=0)
        sentences = [self.setup.game.sentence(event, names) for event in events[began:]]
        lines = [f"Round {self.table.game.round(self.table.state)}", *[f"  {each}" for each in sentences if each]]
        if (outcome := self.table.outcome) is not None:
            places = ", ".join(f"{name} {place}" for name, place in zip(names, outcome.places, strict=True))
            lines.append(f"Over ({outcome.reason.value.replace('_', ' ')}). Places: {places}")
        return "\n".join(lines)
