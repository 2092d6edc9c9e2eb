"""The PettingZoo environments: agents are seats, starting with `seat_0`; actions and observations are numbers."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Mapping
from fractions import Fraction
from hashlib import sha256
from operator import index
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv

from gangland.bot import BaseBot, DecisionRequest
from gangland.game import ROUND_BEGAN, Decision, Game, Question
from gangland.games import game_named
from gangland.match import FinishedGame, Table
from gangland.view import View
from gangland.words import join_or
from gangland_ladder.local.matches import options_of
from gangland_ladder.research.encoding import AgentState, Encoding, encoding_of

# Environments.


Observation = dict[str, Any]
_RENDER_MODES = ("ansi", "human")


def env(
    game: str, *, seats: int = 2, options: Mapping[str, object] | None = None, render_mode: str | None = None
) -> GameEnv:
    """Return an environment where one agent acts at a time (PettingZoo's AEC API); each seat is an agent.

    Seats that decide at the same time act one after the other, and do not see each other's actions.

    Args:
        options: options of the game, such as {"deck": "box18"}.
        render_mode: with "ansi", `render` returns text; with "human", it prints the text; with None, it does nothing.

    Raises ValueError: an invalid game, table size, option or mode; the message lists the valid ones.
    """
    return GameEnv(game, seats=seats, options=options, render_mode=render_mode)


def parallel_env(
    game: str, *, seats: int = 2, options: Mapping[str, object] | None = None, render_mode: str | None = None
) -> ParallelGameEnv:
    """Return an environment where all agents act at once (PettingZoo's parallel API); see `env` for its arguments.

    An agent without a question passes: its mask allows only 0.
    """
    return ParallelGameEnv(game, seats=seats, options=options, render_mode=render_mode)


class _BaseEnv:
    def __init__(
        self, game: str, *, seats: int = 2, options: Mapping[str, object] | None = None, render_mode: str | None = None
    ) -> None:
        if render_mode is not None and render_mode not in _RENDER_MODES:
            raise ValueError(f"render_mode must be None or one of {', '.join(_RENDER_MODES)}, not {render_mode!r}")
        self.setup = Setup(game, seats, options)
        self.layout = self.setup.encoding.layout
        self.render_mode = render_mode
        self.metadata = {
            "name": f"{self.setup.game.name.replace('-', '_')}_v{self.setup.game.rules_version}",
            "render_modes": list(_RENDER_MODES),
            "is_parallelizable": False,
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        actions, columns = self.setup.encoding.actions, (self.layout.low, self.layout.high)
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(*columns, dtype=np.float32),
                    "action_mask": spaces.Box(0, 1, (actions,), dtype=np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._seed: int | None = None
        self._episode = 0
        self._running: RunningGame | None = None

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def view(self, agent: str) -> View:
        return self._game.table.view(self._seat(agent))

    def question(self, agent: str) -> str:
        """Return the kind of an agent's question, as in `choose_<kind>`; empty without a question."""
        return self._game.agent(self._seat(agent)).kind

    def actions_for(self, agent: str, decision: object) -> tuple[int, ...]:
        """Return the actions for a bot's decision, in order. Raises ValueError: no question, or an illegal decision."""
        return self._game.actions_for(self._seat(agent), decision)

    def actions_of(self, agent: str, bot: BaseBot) -> tuple[int, ...]:
        return self.actions_for(agent, bot.act(DecisionRequest(self.question(agent), self.view(agent))))

    def played(self) -> FinishedGame:
        """Return the finished game; `gangland replay` can show its replay. Raises ValueError: the game is not over."""
        return self._game.table.finished_game()

    def render(self) -> str | None:
        """Describe this round as a spectator sees it: return the text, or print it if the mode is "human"."""
        if self.render_mode is None:
            return None
        text = self._game.story(tuple(self.possible_agents))
        if self.render_mode == "ansi":
            return text
        sys.stdout.write(text + "\n")
        return None

    def close(self) -> None:
        """Do nothing, because the environment holds no resources."""

    @property
    def _game(self) -> RunningGame:
        if self._running is None:
            raise RuntimeError("call reset() before anything else")
        return self._running

    def _seat(self, agent: str) -> int:
        try:
            return self._seats[agent]
        except KeyError:
            raise ValueError(f"unknown agent {agent!r}; the agents are {', '.join(self.possible_agents)}") from None

    def _begin(self, seed: int | None) -> RunningGame:
        """Begin the first game with this seed, or for None, the next game with the previous seed."""
        if seed is not None or self._seed is None:
            self._seed, self._episode = secrets.randbits(64) if seed is None else int(seed), 0
        seed_of_game = sha256(f"gangland research|{self._seed}|{self._episode}".encode()).digest()
        self._running = RunningGame(self.setup, seed_of_game)
        self._episode += 1
        self.agents = list(self.possible_agents)
        return self._running

    def _observation(self, agent: str) -> Observation:
        encoding, state = self.setup.encoding, self._game.agent(self._seat(agent))
        return {"observation": self.layout.observation(state), "action_mask": encoding.mask(state)}

    def _infos(self) -> dict[str, dict[str, Any]]:
        return {agent: self._game.info(self._seat(agent)) for agent in self.agents}

    def _rewards(self) -> dict[str, float]:
        return dict(zip(self.possible_agents, self._game.rewards(), strict=True))


class GameEnv(_BaseEnv, AECEnv):
    """A game where one agent acts at a time; created by `env`."""

    def reset(self, seed: int | None = None, options: Mapping[str, object] | None = None) -> None:
        """Begin a game. The seed also determines the dice of later games, up to the next seed; `options` is ignored."""
        self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._select()

    def _select(self) -> None:
        self.infos = self._infos()
        waiting = self._game.waiting
        self.agent_selection = self.possible_agents[waiting[0]] if waiting else self.agents[0]

    def observe(self, agent: str) -> Observation:
        """Return an agent's observation with its action mask."""
        return self._observation(agent)

    def step(self, action: Any) -> None:
        """Act for the agent whose turn it is; None once the game is over. Raises ValueError: no such action."""
        game = self._game
        if self.agents and self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if not self.agents:
            raise ValueError("the game is over: call reset()")
        self._cumulative_rewards[self.agent_selection] = 0.0
        game.act(self._seat(self.agent_selection), action)
        game.advance()
        if game.is_over:
            self.rewards = self._rewards()
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()
        self._select()


class ParallelGameEnv(_BaseEnv, ParallelEnv):
    """A game where all agents act at once; created by `parallel_env`."""

    def reset(
        self, seed: int | None = None, options: Mapping[str, object] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a game and return each agent's observation and info. The arguments are those of `GameEnv.reset`."""
        self._begin(seed)
        return {agent: self._observation(agent) for agent in self.agents}, self._infos()

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Act for all agents that have a question. Raises ValueError: an action is missing or invalid."""
        game = self._game
        if not self.agents:
            raise ValueError("the game is over: call reset()")
        for seat in list(game.waiting):
            agent = self.possible_agents[seat]
            if agent not in actions:
                raise ValueError(f"{agent} must act ({self.question(agent)}), but no action was given for it")
            game.act(seat, actions[agent])
        game.advance()
        agents, is_over = self.agents, game.is_over
        observations = {agent: self._observation(agent) for agent in agents}
        infos, rewards = self._infos(), self._rewards()
        if is_over:
            self.agents = []
        return observations, rewards, dict.fromkeys(agents, is_over), dict.fromkeys(agents, False), infos


# A game that agents play: the engine runs it with answers that the caller provides.


class PreparedPlayer:
    """A player for the engine that returns a prepared answer."""

    answer: object = None

    def decide(self, kind: str, view: View, number: int) -> object:
        """Return the prepared answer."""
        return self.answer


class Setup:
    """The game, table size and options of an environment. Raises ValueError: one of them is invalid."""

    def __init__(self, game: str, seats: int, options: Mapping[str, object] | None) -> None:
        self.game: Game[Any] = game_named(game)
        if seats not in self.game.table_sizes:
            sizes = join_or(tuple(map(str, self.game.table_sizes)))
            raise ValueError(f"{self.game.title} is played with {sizes} seats, not {seats!r}")
        self.seats = seats
        self.options = options_of(game, seats, options or {})
        self.encoding: Encoding = encoding_of(self.game.name)(seats)


class RunningGame:
    """A game that agents play, one per seat; the `waiting` seats must act before it continues."""

    def __init__(self, setup: Setup, seed: bytes) -> None:
        self.setup = setup
        self.encoding = setup.encoding
        self._players = [PreparedPlayer() for _ in range(setup.seats)]
        self.table = Table(setup.game, self._players, seed, options=setup.options)
        self._ask()

    def _ask(self) -> None:
        self.questions: dict[int, Question] = {question.seat: question for question in self.table.questions()}
        self.waiting: list[int] = list(self.questions)
        self._parts: dict[int, tuple[int, ...]] = {}
        self._agents: dict[int, tuple[Any, AgentState]] = {}

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.table.outcome is not None

    def agent(self, seat: int) -> AgentState:
        """Return a seat's view and question; it stays the same until the seat acts or the game continues."""
        state = self.table.state
        known_state, agent = self._agents.get(seat, (None, None))
        if agent is None or known_state is not state:
            view = self.table.view(seat)
            if seat in self.waiting:
                choices, parts = self.setup.game.choices(state, seat), self._parts.get(seat, ())
                agent = AgentState(view, self.questions[seat].kind, choices, parts)
            else:
                agent = AgentState(view)
            self._agents[seat] = state, agent
        return agent

    def act(self, seat: int, action: object) -> None:
        """Record a waiting seat's action; an illegal action forfeits the game. Raises ValueError: no such action."""
        number = self._number(seat, action)
        if seat not in self.waiting:
            return
        agent = self.agent(seat)
        if number not in agent.allowed_actions(self.encoding):
            self._answer(seat, f"action {number}, which the mask forbids")
            return
        agent.act(number)
        if self.encoding.is_complete(agent):
            self._answer(seat, self.encoding.decision(agent))
        else:
            self._parts[seat] = agent.parts

    def _number(self, seat: int, action: object) -> int:
        expected = f"expected an action of seat {seat} from 0 to {self.encoding.actions - 1}"
        try:
            number = index(action)  # type: ignore[arg-type]
        except TypeError as error:
            raise ValueError(f"{expected}, not {action!r:.80}") from error
        if not 0 <= number < self.encoding.actions:
            raise ValueError(f"{expected}, not {number}")
        return number

    def _answer(self, seat: int, answer: object) -> None:
        self._players[seat].answer = answer
        self.waiting.remove(seat)
        del self._agents[seat]

    def advance(self) -> None:
        """Apply the decisions once every seat with a question has decided."""
        if not self.waiting:
            self.table.play_ply()
            self._ask()

    def rewards(self) -> list[float]:
        """Return a reward per seat: from 1 for the first place to -1 for the last, evenly spaced, with sum 0."""
        outcome = self.table.outcome
        if outcome is None:
            return [0.0] * self.setup.seats
        seats = self.setup.seats
        return [float((Fraction(seats + 1, 2) - place) * 2 / (seats - 1)) for place in outcome.mean_places()]

    def info(self, seat: int) -> dict[str, Any]:
        """Return an agent's question and fault; at the end, its place and the reason why the game ended."""
        faults = self.table.faults
        fault = next((fault.message for fault in faults if fault.seat == seat), "") if faults else ""
        info: dict[str, Any] = {"asked": self.questions[seat].kind if seat in self.waiting else "", "fault": fault}
        if (outcome := self.table.outcome) is not None:
            info |= {"place": outcome.places[seat], "reason": outcome.reason.value}
        return info

    def actions_for(self, seat: int, decision: object) -> tuple[int, ...]:
        """Return the actions for a bot's decision. Raises ValueError: no question, or an illegal decision."""
        if seat not in self.waiting:
            raise ValueError(f"seat {seat} has no question")
        game, kind = self.setup.game, self.questions[seat].kind
        try:
            plain = game.bot_class.encode(kind, decision)
        except TypeError as error:
            raise ValueError(str(error)) from error
        legal: Decision = game.check(self.table.state, seat, plain)
        return self.encoding.actions_for(self.agent(seat), legal)

    def story(self, names: tuple[str, ...]) -> str:
        """Return this round as a spectator sees it, one sentence per line."""
        events = self.table.events
        start = max((at for at, event in enumerate(events) if event[0] == ROUND_BEGAN), default=0)
        sentences = [self.setup.game.sentence(event, names) for event in events[start:]]
        lines = [
            f"Round {self.table.game.round(self.table.state)}",
            *[f"  {sentence}" for sentence in sentences if sentence],
        ]
        if (outcome := self.table.outcome) is not None:
            places = ", ".join(f"{name} {place}" for name, place in zip(names, outcome.places, strict=True))
            lines.append(f"Over ({outcome.reason.value.replace('_', ' ')}). Places: {places}")
        return "\n".join(lines)
