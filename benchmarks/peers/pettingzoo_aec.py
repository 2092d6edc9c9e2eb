"""PettingZoo: both games as AEC environments, written after its tic-tac-toe and rock-paper-scissors.

A seat that is not asked is never selected.  Of seats that are asked together each acts in its turn, and the
last one's step lets the engine resolve them all, as the framework's own rock-paper-scissors does.

In the time: `reset`, `agent_iter`, `last` (which observes) and `step` of the wrapped environment, the random
choice among legal actions as in the framework's own performance benchmark, and the engine underneath.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, MultiDiscrete
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from benchmarks.peers.proof import proven
from benchmarks.peers.vectors import LENGTH, MOST_DICE, MOST_EXCHANGES, dice_decision, limits, vector
from benchmarks.playing import Batch, seed, utilities
from gangland.chance import SeededChance
from gangland.game import Decision, Game


class GanglandEnv(AECEnv):
    """What both games share: the engine's state, whose turn it is, rewards at the end."""

    legal_key: str

    def __init__(self, game: Game[Any], seats: int) -> None:
        super().__init__()
        self.metadata = {"name": f"{game.name}_v1", "render_modes": [], "is_parallelizable": False}
        self.game = game
        self.possible_agents = [f"player_{seat}" for seat in range(seats)]
        self.seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        length = LENGTH[game.name](seats)
        legal, actions = self.spaces()
        numbers = Box(low=-1, high=1000, shape=(length,), dtype=np.int16)
        observations = Dict({"observation": numbers, self.legal_key: legal})
        self.observation_spaces = dict.fromkeys(self.possible_agents, observations)
        self.action_spaces = dict.fromkeys(self.possible_agents, actions)

    def spaces(self) -> tuple[Any, Any]:
        """Return the spaces of what is legal and of the actions."""
        raise NotImplementedError

    def legal_actions(self, seat: int, view: Any) -> Any:
        """Return what is legal."""
        raise NotImplementedError

    def decision(self, seat: int, action: Any) -> Decision:
        """Return an action as the engine's decision."""
        raise NotImplementedError

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
        self.chance = SeededChance(seed or random.randbytes(32))
        self.state_, _ = self.game.start(len(self.agents), self.game.options({}), self.chance)
        self._ask()

    def _ask(self) -> None:
        self.asked = [question.seat for question in self.game.pending(self.state_)]
        self.decisions: dict[int, Decision] = {}
        self.legal = {seat: self.game.choices(self.state_, seat) for seat in self.asked}
        self.agent_selection = self.possible_agents[self.asked[0] if self.asked else 0]

    def observe(self, agent: str) -> Any:
        """Return what the agent may know, and what it may do if it is asked."""
        seat = self.seat_of[agent]
        view = self.game.observe(self.state_, seat)
        numbers = np.array(vector(self.game.name, view), dtype=np.int16)
        return {"observation": numbers, self.legal_key: self.legal_actions(seat, view)}

    def step(self, action: Any) -> None:
        """Take one agent's action; the last one that is asked lets the game go on."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        seat = self.seat_of[agent]
        self.decisions[seat] = self.decision(seat, action)
        if len(self.decisions) < len(self.asked):
            self.agent_selection = self.possible_agents[self.asked[len(self.decisions)]]
            return
        self.state_, _ = self.game.resolve(self.state_, self.decisions, self.chance)
        self._ask()
        outcome = None if self.asked else self.game.outcome(self.state_)
        if outcome is not None:
            self.rewards = dict(zip(self.agents, utilities(outcome), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()


class GangsterDiceEnv(GanglandEnv):
    """Gangster Dice: an action is the index of a legal answer."""

    legal_key = "action_mask"

    def spaces(self) -> tuple[Any, Any]:
        """Return the spaces of the action mask and of the actions."""
        return Box(low=0, high=1, shape=(MOST_EXCHANGES,), dtype=np.int8), Discrete(MOST_EXCHANGES)

    def legal_actions(self, seat: int, view: Any) -> Any:
        """Return 1 for each legal action."""
        mask = np.zeros(MOST_EXCHANGES, dtype=np.int8)
        if seat in self.asked:
            mask[: len(self.legal[seat])] = 1
        return mask

    def decision(self, seat: int, action: Any) -> Decision:
        """Return the legal answer of this index."""
        decision: Decision = self.legal[seat][action]
        return decision


class GangOfDiceEnv(GanglandEnv):
    """Gang of Dice: an action is six numbers of dice; rerolls by index would be hundreds of thousands."""

    legal_key = "limits"

    def spaces(self) -> tuple[Any, Any]:
        """Return the spaces of the limits and of the actions."""
        return Box(low=0, high=MOST_DICE, shape=(6,), dtype=np.int16), MultiDiscrete([MOST_DICE + 1] * 6)

    def legal_actions(self, seat: int, view: Any) -> Any:
        """Return the most that each of the six numbers may be."""
        return np.array(limits(view) if seat in self.asked else [0] * 6, dtype=np.int16)

    def decision(self, seat: int, action: Any) -> Decision:
        """Return the dice that the six numbers stand for."""
        (question,) = self.game.pending(self.state_)
        return dice_decision(action, rerolls=question.kind == "reroll")


def env(game: Game[Any], seats: int) -> Any:
    """Return an environment in the wrappers that the framework's examples use."""
    if game.name == "gangster-dice":
        return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(GangsterDiceEnv(game, seats)))
    return wrappers.OrderEnforcingWrapper(GangOfDiceEnv(game, seats))


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
            action = [random.randint(0, most) for most in observation["limits"].tolist()]
        decisions += 1
        playing.step(action)
    return decisions, [rewards[f"player_{seat}"] for seat in range(seats)]


def prepare(name: str, seats: int) -> Batch:
    """Return the way, proven against the engine."""
    return proven(play_one, name, seats)
