"""kaggle-environments: both games as environments of its own kind, written after its rock-paper-scissors.

An environment is a specification and an interpreter.  The engine's state lies beside the environment, as
the framework does with OpenSpiel's; an agent that is not asked is INACTIVE.  Gangster Dice is answered with the
index of a legal answer, Gang of Dice with six numbers of dice.

In the time: `run` of each game with random agents, as `evaluate` calls it on one environment; that is the framework's
own loop, schema checks, copies and logs as they come by default, and the engine underneath.  `make` is not.
"""

from __future__ import annotations

import random
from typing import Any

import kaggle_environments

from benchmarks.peers.proof import proven
from benchmarks.peers.vectors import dice_decision, limits, vector
from benchmarks.playing import Batch, seed, utilities
from gangland.chance import SeededChance
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
    """Return what the framework wants to know about a game."""
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
    """Begin a game, or let the engine resolve what the agents did."""
    engine = ENGINES[env.configuration.game]
    if env.done:
        env.chance = SeededChance(seed(env.configuration.number))
        env.gangland, _ = engine.start(len(state), engine.options({}), env.chance)
        env.decisions = 0
    else:
        decisions = {seat: _decision(env, seat, state[seat].action) for seat in env.asked}
        env.gangland, _ = engine.resolve(env.gangland, decisions, env.chance)
    env.asked = {}
    for agent in state:
        agent.status = "INACTIVE"
    for question in engine.pending(env.gangland):
        _show(env, engine, state[question.seat], question.seat)
    env.decisions += len(env.asked)
    if not env.asked:
        _end(state, engine.outcome(env.gangland))
    return state


def _decision(env: Any, seat: int, action: Any) -> Any:
    asked = env.asked[seat]
    if env.configuration.game == "gangster-dice":
        return asked[action]
    return dice_decision(action, rerolls=asked == "reroll")


def _show(env: Any, engine: Any, agent: Any, seat: int) -> None:
    """Give an agent that is asked its observation."""
    view = engine.observe(env.gangland, seat)
    agent.status = "ACTIVE"
    agent.observation.numbers = vector(engine.name, view)
    if engine.name == "gangster-dice":
        env.asked[seat] = engine.choices(env.gangland, seat)
        agent.observation.legal = len(env.asked[seat])
    else:
        env.asked[seat] = view.question
        agent.observation.legal = limits(view)


def _end(state: Any, outcome: Any) -> None:
    for agent, reward in zip(state, utilities(outcome), strict=True):
        agent.status, agent.reward = "DONE", reward


def renderer(_state: Any, env: Any) -> str:
    """Return the game in words."""
    return f"round {ENGINES[env.configuration.game].round(env.gangland)}"


def html_renderer() -> str:
    """Return the page that shows a game: none."""
    return ""


def random_index(observation: Any) -> int:
    """An agent: any legal answer."""
    return random.randrange(observation.legal)


def random_dice(observation: Any) -> list[int]:
    """An agent: any number of each face."""
    return [random.randint(0, most) for most in observation.legal]


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
    """Return the way, proven against the engine."""
    env = kaggle_environments.make(name)

    def play_one(game: Game[Any], seats: int, number: int) -> tuple[int, list[float]]:
        ENGINES[name] = game
        env.configuration.number = number
        last = env.run(["random"] * seats)[-1]
        return env.decisions, [agent.reward for agent in last]

    return proven(play_one, name, seats)
