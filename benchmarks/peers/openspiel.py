"""OpenSpiel: both games as Python games of pyspiel, written like its iterated prisoner's dilemma and Liar's Poker.

If several seats are asked together, the node is simultaneous (a seat that is not asked has only the action 0).  If
one seat is asked, the node belongs to that player.  Dice and cards are sampled: the only chance node, at the start,
draws the seed.  A Gang of Dice reroll is made face by face, with one small action for each face, because an index of
rerolls would need hundreds of thousands of actions.  These actions count as one decision.

Measured: legal actions, the observation tensor of every player that decides, `apply_action(s)` and `returns`
through pyspiel, the random choice, and the engine underneath.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.observation import make_observation

from benchmarks.peers.sitting import LENGTH, MAX_DICE, MAX_EXCHANGES, Sitting, proven, vector
from benchmarks.ways import Batch, seed
from gangland.games import GAME_NAMES, game_named

MAX_SEATS = 4
LONGEST = 10_000
FACES = 6
ACTIONS = {"gangster-dice": MAX_EXCHANGES, "gang-of-dice": MAX_DICE + 1}
DYNAMICS = pyspiel.GameType.Dynamics


def _game_type(name: str) -> Any:
    return pyspiel.GameType(
        short_name=f"python_{name.replace('-', '_')}",
        long_name=f"Python {game_named(name).title}",
        dynamics=DYNAMICS.SIMULTANEOUS if name == "gangster-dice" else DYNAMICS.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=MAX_SEATS,
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": 2},
    )


TYPES = {name: _game_type(name) for name in GAME_NAMES}


class GanglandGame(pyspiel.Game):
    """The base class of both games."""

    name: str
    state_class: type[GanglandState]

    def __init__(self, params: Any = None) -> None:
        seats = dict(params or {}).get("players", 2)
        information = pyspiel.GameInfo(
            num_distinct_actions=ACTIONS[self.name],
            max_chance_outcomes=1,
            num_players=seats,
            min_utility=-(seats - 1) / 2,
            max_utility=(seats - 1) / 2,
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        super().__init__(TYPES[self.name], information, params or {})
        self.engine: Any = game_named(self.name)
        self.next_seed: bytes | None = None

    def new_initial_state(self) -> GanglandState:
        """Return the start, before dice and cards are drawn."""
        return self.state_class(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> GanglandObserver:
        """Return the observer of states for players."""
        return GanglandObserver(LENGTH[self.name](self.num_players()))


class GanglandState(pyspiel.State):
    """The base class of both games' states: the engine's position, None before dice and cards are drawn."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.engine, self.seats = game.engine, game.num_players()
        self.seed = game.next_seed or random.randbytes(32)
        self.sitting: Sitting | None = None

    def pending(self) -> None:
        """Record the pending questions."""

    def begin(self) -> Sitting:
        """Draw dice and cards."""
        sitting = self.sitting = Sitting(self.engine, self.seats, self.seed)
        self.pending()
        return sitting

    def go_on(self, sitting: Sitting, actions: dict[int, Any]) -> None:
        """Let the engine resolve the actions."""
        sitting.go_on({seat: sitting.decision(seat, action) for seat, action in actions.items()})
        self.pending()

    def current_player(self) -> Any:
        """Return the player to move."""
        if self.sitting is None:
            return pyspiel.PlayerId.CHANCE
        if self.sitting.outcome is not None:
            return pyspiel.PlayerId.TERMINAL
        return next(iter(self.sitting.questions)) if len(self.sitting.questions) == 1 else pyspiel.PlayerId.SIMULTANEOUS

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the one outcome of the chance node, which samples."""
        return [(0, 1.0)]

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.sitting is not None and self.sitting.outcome is not None

    def returns(self) -> list[float]:
        """Return each player's distance from the middle place, positive if better."""
        return self.sitting.utilities() if self.sitting and self.sitting.outcome else [0.0] * self.seats

    def _action_to_string(self, player: int, action: int) -> str:
        return f"{player}:{action}"

    def __str__(self) -> str:
        return f"round {self.engine.round(self.sitting.state) if self.sitting else 0}"


class GangsterDiceState(GanglandState):
    """A position of Gangster Dice: an action is the index of a legal answer."""

    def _legal_actions(self, player: int) -> list[int]:
        choices = self.sitting.choices if self.sitting else {}
        return list(range(len(choices[player]))) if player in choices else [0]

    def _apply_action(self, action: int) -> None:
        if self.sitting is None:
            self.begin()
        else:
            self.go_on(self.sitting, dict.fromkeys(self.sitting.questions, action))

    def _apply_actions(self, actions: list[int]) -> None:
        sitting = self.sitting or self.begin()
        self.go_on(sitting, {seat: actions[seat] for seat in sitting.questions})


class GangOfDiceState(GanglandState):
    """A position of Gang of Dice: between two decisions, or between the faces of one reroll."""

    def pending(self) -> None:
        """Set the maximum number of dice of each face for the seat that is asked; skip faces that no die shows."""
        self.named: list[int] = []
        if self.sitting is not None and self.sitting.questions:
            (seat,) = self.sitting.questions
            self.limits = self.sitting.legal(seat, self.sitting.view(seat))
            self._skip()

    def _skip(self) -> None:
        while len(self.named) < FACES and not self.limits[len(self.named)]:
            self.named.append(0)

    def _legal_actions(self, player: int) -> list[int]:
        return list(range(self.limits[len(self.named)] + 1))

    def _apply_action(self, action: int) -> None:
        if self.sitting is None:
            self.begin()
            return
        self.named.append(action)
        self._skip()
        if len(self.named) == FACES:
            self.go_on(self.sitting, dict.fromkeys(self.sitting.questions, self.named))


class GanglandObserver:
    """Observes a state for a player, by the framework's PyObserver interface."""

    def __init__(self, length: int) -> None:
        self.tensor = np.zeros(length, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: Any, player: int) -> None:
        """Fill the tensor; it has no information before the seed is drawn."""
        self.tensor[:] = vector(state.engine.name, state.sitting.view(player)) if state.sitting else 0

    def string_from(self, state: Any, player: int) -> str:
        """Return the observation in words."""
        return repr(state.sitting.view(player)) if state.sitting else ""


class GangsterDiceGame(GanglandGame):
    """Gangster Dice."""

    name, state_class = "gangster-dice", GangsterDiceState


class GangOfDiceGame(GanglandGame):
    """Gang of Dice."""

    name, state_class = "gang-of-dice", GangOfDiceState


for _game in (GangsterDiceGame, GangOfDiceGame):
    pyspiel.register_game(TYPES[_game.name], _game)


def play_one(game: Any, number: int) -> tuple[int, list[float]]:
    """Play one game like the framework's examples, with an observation for every seat that decides."""
    observation = make_observation(game)
    game.next_seed = seed(number)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(random.choice([action for action, _ in state.chance_outcomes()]))
        elif state.is_simultaneous_node():
            actions = []
            for player in range(game.num_players()):
                if player in state.sitting.questions:
                    observation.set_from(state, player)
                actions.append(random.choice(state.legal_actions(player)))
            state.apply_actions(actions)
        else:
            player, pending = state.current_player(), state.sitting.state
            observation.set_from(state, player)
            while not state.is_terminal() and state.sitting.state is pending:
                state.apply_action(random.choice(state.legal_actions(player)))
    return state.sitting.counted, list(state.returns())


def prepare(name: str, seats: int) -> Batch:
    """Return the adapter's batch function, after a comparison with the engine."""
    game = pyspiel.load_game(f"python_{name.replace('-', '_')}", {"players": seats})

    def play_by(engine: Any, _seats: int, number: int) -> tuple[int, list[float]]:
        game.engine = engine
        return play_one(game, number)

    return proven(play_by, name, seats)
