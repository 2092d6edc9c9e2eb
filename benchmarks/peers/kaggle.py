"""kaggle-environments: both games as environments, written like the framework's rock-paper-scissors.

An environment is a specification and an interpreter.  The engine's state is stored next to the environment, as
the framework does with OpenSpiel's; an agent that is not asked is INACTIVE.

The measured time is that of `run` for each game with random agents, as `evaluate` calls it on one environment.  This is
the framework's own loop, with its default schema checks, copies and logs, and the engine.  `make` does not count.
"""

from __future__ import annotations

import random
from typing import Any

import kaggle_environments

from benchmarks.peers.sitting import Sitting, proven, vector
from benchmarks.ways import Batch, seed
from gangland.game import Game
from gangland.games import GAME_NAMES, game_named

ENGINES: dict[str, Any] = {name: game_named(name) for name in GAME_NAMES}
LEGAL = {
    "gangster-dice": {"description": "How many answers are legal.", "type": "integer", "default": 0},
    "gang-of-dice": {"description": "The most of each number.", "type": "array", "default": []},
}
ACTION = {
    "gangster-dice": {"description": "Index of a legal answer.", "type": "integer", "minimum": 0, "default": 0},
    "gang-of-dice": {
        "description": "Dice to roll: how many beside one; to reroll: how many of each face, gangsters first.",
        "type": "array",
        "items": {"type": "integer", "minimum": 0},
        "default": [],
    },
}


def specification(name: str) -> dict[str, Any]:
    """Return the framework's description of a game."""
    return {
        "name": name,
        "title": ENGINES[name].title,
        "description": f"{ENGINES[name].title} by the rules of gangland",
        "version": "1.0.0",
        "agents": [2, 3, 4],
        "configuration": {
            "episodeSteps": 10_000,
            "game": {"description": "Which game this is.", "type": "string", "default": name},
            "number": {"description": "The game's number, which gives its seed.", "type": "integer", "default": 0},
        },
        "reward": {"description": "How far above the middle place.", "type": "number", "default": 0},
        "observation": {
            "numbers": {"description": "What the agent knows.", "type": "array", "default": []},
            "legal": LEGAL[name],
        },
        "action": ACTION[name],
    }


def interpreter(state: Any, env: Any) -> Any:
    """Begin a game, or let the engine resolve the agents' actions."""
    name = env.configuration.game
    if env.done:
        env.sitting = Sitting(ENGINES[name], len(state), seed(env.configuration.number))
    else:
        env.sitting.go_on({seat: env.sitting.decision(seat, state[seat].action) for seat in env.sitting.questions})
    for agent in state:
        agent.status = "INACTIVE"
    for seat in env.sitting.questions:
        view, agent = env.sitting.view(seat), state[seat]
        agent.status = "ACTIVE"
        agent.observation.numbers, agent.observation.legal = vector(name, view), env.sitting.legal(seat, view)
    if not env.sitting.questions:
        for agent, reward in zip(state, env.sitting.utilities(), strict=True):
            agent.status, agent.reward = "DONE", reward
    return state


def renderer(_state: Any, env: Any) -> str:
    """Return the game in words."""
    return f"round {env.sitting.game.round(env.sitting.state)}"


def html_renderer() -> str:
    """Return the page that shows a game, which is empty."""
    return ""


def random_index(observation: Any) -> int:
    """An agent: any legal answer."""
    return random.randrange(observation.legal)


def random_dice(observation: Any) -> list[int]:
    """An agent: any number of each face."""
    return [random.randint(0, limit) for limit in observation.legal]


AGENTS: dict[str, Any] = {"gangster-dice": {"random": random_index}, "gang-of-dice": {"random": random_dice}}

for _name in GAME_NAMES:
    kaggle_environments.register(
        _name,
        {
            "specification": specification(_name),
            "interpreter": interpreter,
            "renderer": renderer,
            "html_renderer": html_renderer,
            "agents": AGENTS[_name],
        },
    )


def prepare(name: str, seats: int) -> Batch:
    """Return the adapter's batch function, after a comparison with the engine."""
    env = kaggle_environments.make(name)

    def play_one(game: Game[Any], seats: int, number: int) -> tuple[int, list[float]]:
        ENGINES[name] = game
        env.configuration.number = number
        last = env.run(["random"] * seats)[-1]
        return env.sitting.counted, [agent.reward for agent in last]

    return proven(play_one, name, seats)
