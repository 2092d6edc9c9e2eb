"""PettingZoo: both games as one AEC environment, written like its tic-tac-toe and rock-paper-scissors.

A seat that is not asked is never selected.  Seats that are asked together act one after the other, and the
step of the last seat lets the engine resolve all answers, as in the framework's own rock-paper-scissors.

Measured: `reset`, `agent_iter`, `last` (which observes) and `step` of the wrapped environment, the random
choice among legal actions as in the framework's own performance benchmark, and the engine underneath.
"""

import random
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, MultiDiscrete
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from benchmarks.peers.sitting import LENGTH, MAX_DICE, MAX_EXCHANGES, Sitting, proven, vector
from benchmarks.ways import Batch, seed
from gangland.game import Decision, Game

SPACES: dict[str, tuple[str, Any, Any]] = {
    "gangster-dice": (
        "action_mask",
        Box(low=0, high=1, shape=(MAX_EXCHANGES,), dtype=np.int8),
        Discrete(MAX_EXCHANGES),
    ),
    "gang-of-dice": (
        "limits",
        Box(low=0, high=MAX_DICE, shape=(6,), dtype=np.int16),
        MultiDiscrete([MAX_DICE + 1] * 6),
    ),
}
"""By game: the space of the action mask, and the space of actions."""


class GanglandEnv(AECEnv):
    """A game of this project: the engine's state, the agent to act, and rewards at the end."""

    def __init__(self, game: Game[Any], seats: int) -> None:
        super().__init__()
        self.metadata = {"name": f"{game.name}_v1", "render_modes": [], "is_parallelizable": False}
        self.game = game
        self.possible_agents = [f"player_{seat}" for seat in range(seats)]
        self.seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.legal_key, legal, actions = SPACES[game.name]
        numbers = Box(low=-1, high=1000, shape=(LENGTH[game.name](seats),), dtype=np.int16)
        observations = Dict({"observation": numbers, self.legal_key: legal})
        self.observation_spaces = dict.fromkeys(self.possible_agents, observations)
        self.action_spaces = dict.fromkeys(self.possible_agents, actions)

    def observation_space(self, agent: str) -> Any:
        """Return the observation space of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the action space of an agent."""
        return self.action_spaces[agent]

    def reset(self, seed: bytes | None = None, options: Any = None) -> None:
        """Begin a game from a seed."""
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, Any] = {agent: {} for agent in self.agents}
        self.sitting = Sitting(self.game, len(self.agents), seed or random.randbytes(32))
        self._ask()

    def _ask(self) -> None:
        self.questions = list(self.sitting.questions)
        self.decisions: dict[int, Decision] = {}
        self.agent_selection = self.possible_agents[self.questions[0] if self.questions else 0]

    def observe(self, agent: str) -> Any:
        """Return the agent's observation, and its legal actions if it is asked."""
        seat = self.seat_of[agent]
        view = self.sitting.view(seat)
        numbers = np.array(vector(self.game.name, view), dtype=np.int16)
        legal: Any = self.sitting.legal(seat, view) if seat in self.sitting.questions else 0
        if self.sitting.by_index:
            mask = np.zeros(MAX_EXCHANGES, dtype=np.int8)
            mask[:legal] = 1
        else:
            mask = np.array(legal or [0] * 6, dtype=np.int16)
        return {"observation": numbers, self.legal_key: mask}

    def step(self, action: Any) -> None:
        """Apply one agent's action; after the last agent that is asked, the engine resolves all actions."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        seat = self.seat_of[agent]
        self.decisions[seat] = self.sitting.decision(seat, action)
        if len(self.decisions) < len(self.questions):
            self.agent_selection = self.possible_agents[self.questions[len(self.decisions)]]
            return
        self.sitting.go_on(self.decisions)
        self._ask()
        if not self.questions:
            self.rewards = dict(zip(self.agents, self.sitting.utilities(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()


def env(game: Game[Any], seats: int) -> Any:
    """Return an environment in the wrappers that the framework's examples use."""
    environment = GanglandEnv(game, seats)
    by_index = game.name == "gangster-dice"
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(environment) if by_index else environment)


def play_one(game: Game[Any], seats: int, number: int) -> tuple[int, list[float]]:
    """Play one game as the framework's documentation does."""
    playing = env(game, seats)
    playing.reset(seed=seed(number))
    decisions, rewards = 0, {}
    for agent in playing.agent_iter():
        observation, reward, termination, truncation, _ = playing.last()
        if termination or truncation:
            rewards[agent] = reward
            playing.step(None)
            continue
        if "action_mask" in observation:
            action: Any = random.choice(np.flatnonzero(observation["action_mask"]).tolist())
        else:
            action = [random.randint(0, limit) for limit in observation["limits"].tolist()]
        decisions += 1
        playing.step(action)
    return decisions, [rewards[f"player_{seat}"] for seat in range(seats)]


def prepare(name: str, seats: int) -> Batch:
    """Return the adapter's batch function, after a comparison with the engine."""
    return proven(play_one, name, seats)
