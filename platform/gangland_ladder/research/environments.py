"""The environments: agents are seats, `seat_0` the first; each acts by numbers and sees numbers."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv

from gangland.bot import BaseBot, DecisionRequest
from gangland.match import Played
from gangland.view import View
from gangland_ladder.research.running import Running, Setup, seed_of

Observation = dict[str, Any]
_RENDER_MODES = ("ansi", "human")


def env(
    game: str, *, seats: int = 2, options: Mapping[str, object] | None = None, render_mode: str | None = None
) -> GameEnv:
    """Return an environment in which one agent acts at a time, PettingZoo's AEC.

    Seats that decide at the same time act one after the other, and none sees what another has chosen.

    Args:
        game: its name, one of `gangland.games.GAME_NAMES`.
        seats: 2 to 4, each an agent.
        options: of the game, such as {"deck": "box18"}.
        render_mode: "ansi", `render` returns text; "human", it prints it; None, there is nothing to render.

    Raises:
        ValueError: a game, a table size, an option or a mode that there is not; the message says what there is.
    """
    return GameEnv(game, seats=seats, options=options, render_mode=render_mode)


def parallel_env(
    game: str, *, seats: int = 2, options: Mapping[str, object] | None = None, render_mode: str | None = None
) -> ParallelGameEnv:
    """Return an environment in which all agents act at once, PettingZoo's parallel API; arguments as of `env`.

    An agent that is asked nothing passes: 0 is then the only action that its mask allows.
    """
    return ParallelGameEnv(game, seats=seats, options=options, render_mode=render_mode)


class _Common:
    """What both kinds of environment are made of.

    Attributes:
        layout: names the columns of an observation, with their bounds.
    """

    def __init__(
        self, game: str, *, seats: int = 2, options: Mapping[str, object] | None = None, render_mode: str | None = None
    ) -> None:
        if render_mode is not None and render_mode not in _RENDER_MODES:
            raise ValueError(f"render_mode is None or one of {', '.join(_RENDER_MODES)}, not {render_mode!r}")
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
        self._running: Running | None = None

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def view(self, agent: str) -> View:
        """Return the view that a bot in this seat would be given now."""
        return self._game.table.view(self._seat(agent))

    def question(self, agent: str) -> str:
        """Return the kind of decision that an agent has to make now, as in `choose_<kind>`; empty for none."""
        return self._game.agent(self._seat(agent)).kind

    def actions_for(self, agent: str, decision: object) -> tuple[int, ...]:
        """Return the actions, to be given one after the other, that make a decision as a bot's method returns it.

        Raises:
            ValueError: the agent is asked nothing, or the decision is not legal; the message says what is.
        """
        return self._game.actions_for(self._seat(agent), decision)

    def actions_of(self, agent: str, bot: BaseBot) -> tuple[int, ...]:
        """Ask a bot what it would do in this seat now, and return the actions that do it; see `actions_for`."""
        return self.actions_for(agent, bot.act(DecisionRequest(self.question(agent), self.view(agent))))

    def played(self) -> Played:
        """Return the finished game, with a replay that `gangland replay` reads.

        Raises:
            ValueError: the game is not over.
        """
        return self._game.played()

    def render(self) -> str | None:
        """Tell what has happened in this round, as a spectator sees it: return it, or print it if it is for humans."""
        if self.render_mode is None:
            return None
        text = self._game.story(tuple(self.possible_agents))
        if self.render_mode == "ansi":
            return text
        sys.stdout.write(text + "\n")
        return None

    def close(self) -> None:
        """There is nothing to release."""

    @property
    def _game(self) -> Running:
        if self._running is None:
            raise RuntimeError("call reset() before anything else")
        return self._running

    def _seat(self, agent: str) -> int:
        try:
            return self._seats[agent]
        except KeyError:
            raise ValueError(f"no agent {agent!r}; there are {', '.join(self.possible_agents)}") from None

    def _begin(self, seed: int | None) -> Running:
        """Begin the next game: the first of this seed, else one more of the seed before, drawn if there is none."""
        if seed is not None or self._seed is None:
            self._seed, self._episode = secrets.randbits(64) if seed is None else int(seed), 0
        self._running = Running(self.setup, seed_of(self._seed, self._episode))
        self._episode += 1
        self.agents = list(self.possible_agents)
        return self._running

    def _observed(self, agent: str) -> Observation:
        encoding, state = self.setup.encoding, self._game.agent(self._seat(agent))
        return {"observation": self.layout.observation(state), "action_mask": encoding.mask(state)}

    def _infos(self) -> dict[str, dict[str, Any]]:
        return {agent: self._game.info(self._seat(agent)) for agent in self.agents}

    def _rewards(self) -> dict[str, float]:
        return dict(zip(self.possible_agents, self._game.rewards(), strict=True))


class GameEnv(_Common, AECEnv):
    """A game in which one agent acts at a time; made by `env`."""

    def reset(self, seed: int | None = None, options: Mapping[str, object] | None = None) -> None:
        """Begin a game; the same seed gives the same dice.

        Args:
            seed: of this and of all games until another is given.
            options: not used: a game's options belong to the environment.
        """
        self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._select()

    def _select(self) -> None:
        self.infos = self._infos()
        waiting = self._game.waiting()
        self.agent_selection = self.possible_agents[waiting[0]] if waiting else self.agents[0]

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees, and the mask of what it may do."""
        return self._observed(agent)

    def step(self, action: Any) -> None:
        """Let the agent whose turn it is act; None once the game is over.

        Raises:
            ValueError: no action of the action space.
        """
        game = self._game
        if self.agents and self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if not self.agents:
            raise ValueError("the game is over: call reset()")
        self._cumulative_rewards[self.agent_selection] = 0.0
        game.act(self._seat(self.agent_selection), action)
        game.go_on()
        if game.is_over:
            self.rewards = self._rewards()
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()
        self._select()


class ParallelGameEnv(_Common, ParallelEnv):
    """A game in which all agents act at once; made by `parallel_env`."""

    def reset(
        self, seed: int | None = None, options: Mapping[str, object] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a game and return what each agent sees, and is told; arguments as of `GameEnv.reset`."""
        self._begin(seed)
        return {agent: self._observed(agent) for agent in self.agents}, self._infos()

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Let all agents act; what one does that is asked nothing is let be.

        Raises:
            ValueError: an agent that is asked something has no action, or one that there is not.
        """
        game = self._game
        if not self.agents:
            raise ValueError("the game is over: call reset()")
        for seat in game.waiting():
            agent = self.possible_agents[seat]
            if agent not in actions:
                raise ValueError(f"{agent} is asked to act ({self.question(agent)}), but no action of it was given")
            game.act(seat, actions[agent])
        game.go_on()
        acted, over = self.agents, game.is_over
        observations = {agent: self._observed(agent) for agent in acted}
        infos, rewards = self._infos(), self._rewards()
        if over:
            self.agents = []
        return observations, rewards, dict.fromkeys(acted, over), dict.fromkeys(acted, False), infos
