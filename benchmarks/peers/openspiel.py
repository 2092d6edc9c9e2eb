"""OpenSpiel: both games as Python games of pyspiel, written after its iterated prisoner's dilemma and Liar's Poker.

Where several seats are asked together the node is simultaneous (a seat that is not asked has the one action
0); where one is asked it is that player's node.  Dice and cards are sampled: the one chance node, at the start,
draws the seed.  A Gang of Dice reroll is made face by face, one small action each, for rerolls by index
would be hundreds of thousands of actions; they count as the one decision that they are.

In the time: legal actions, the observation tensor of every player that decides, `apply_action(s)` and `returns`
through pyspiel, the random choice, and the engine underneath.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.observation import make_observation

from benchmarks.peers.proof import proven
from benchmarks.peers.vectors import LENGTH, MOST_DICE, MOST_EXCHANGES, dice_decision, limits, vector
from benchmarks.playing import Batch, seed, utilities
from gangland.chance import SeededChance
from gangland.game import Decision
from gangland.games import game_named

MOST_SEATS = 4
LONGEST = 10_000
FACES = 6


def _game_type(name: str, title: str, dynamics: Any) -> Any:
    return pyspiel.GameType(
        short_name=name,
        long_name=title,
        dynamics=dynamics,
        chance_mode=pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=MOST_SEATS,
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": 2},
    )


GANGSTER_DICE = _game_type("python_gangster_dice", "Python Gangster Dice", pyspiel.GameType.Dynamics.SIMULTANEOUS)
GANG_OF_DICE = _game_type("python_gang_of_dice", "Python Gang of Dice", pyspiel.GameType.Dynamics.SEQUENTIAL)


class GanglandGame(pyspiel.Game):
    """What both games share."""

    def __init__(self, game_type: Any, engine: str, most_actions: int, params: Any) -> None:
        seats = dict(params or {}).get("players", 2)
        information = pyspiel.GameInfo(
            num_distinct_actions=most_actions,
            max_chance_outcomes=1,
            num_players=seats,
            min_utility=-(seats - 1) / 2,
            max_utility=(seats - 1) / 2,
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        super().__init__(game_type, information, params or {})
        self.engine: Any = game_named(engine)
        self.next_seed: bytes | None = None

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> GanglandObserver:
        """Return what observes states for players."""
        return GanglandObserver(LENGTH[self.engine.name](self.num_players()))


class GangsterDiceGame(GanglandGame):
    """Gangster Dice: an action is the index of a legal answer."""

    def __init__(self, params: Any = None) -> None:
        super().__init__(GANGSTER_DICE, "gangster-dice", MOST_EXCHANGES, params)

    def new_initial_state(self) -> GangsterDiceState:
        """Return the start, before dice and cards are drawn."""
        return GangsterDiceState(self)


class GangOfDiceGame(GanglandGame):
    """Gang of Dice: an action is a number of dice."""

    def __init__(self, params: Any = None) -> None:
        super().__init__(GANG_OF_DICE, "gang-of-dice", MOST_DICE + 1, params)

    def new_initial_state(self) -> GangOfDiceState:
        """Return the start, before dice and cards are drawn."""
        return GangOfDiceState(self)


class GanglandState(pyspiel.State):
    """What the states of both games share: the engine's state, which is never changed but replaced."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.engine, self.seats = game.engine, game.num_players()
        self.seed = game.next_seed or random.randbytes(32)
        self.state: Any = None
        self.asked: list[int] = []
        self.outcome: Any = None

    def begin(self) -> None:
        """Draw dice and cards."""
        self.chance = SeededChance(self.seed)
        self.state, _ = self.engine.start(self.seats, self.engine.options({}), self.chance)
        self.ask()

    def go_on(self, decisions: dict[int, Decision]) -> None:
        """Let the engine resolve what was decided."""
        self.state, _ = self.engine.resolve(self.state, decisions, self.chance)
        self.ask()

    def ask(self) -> None:
        """Note who is asked now."""
        self.asked = [question.seat for question in self.engine.pending(self.state)]
        self.outcome = None if self.asked else self.engine.outcome(self.state)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the one outcome of the chance node, which samples."""
        return [(0, 1.0)]

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.outcome is not None

    def returns(self) -> list[float]:
        """Return how far above the middle place each player ended."""
        return utilities(self.outcome) if self.outcome else [0.0] * self.seats

    def _action_to_string(self, player: int, action: int) -> str:
        return f"{player}:{action}"

    def __str__(self) -> str:
        return f"round {self.engine.round(self.state) if self.state else 0}"


class GangsterDiceState(GanglandState):
    """A position of Gangster Dice."""

    def current_player(self) -> Any:
        """Return who moves."""
        if self.outcome is not None:
            return pyspiel.PlayerId.TERMINAL
        if self.state is None:
            return pyspiel.PlayerId.CHANCE
        return self.asked[0] if len(self.asked) == 1 else pyspiel.PlayerId.SIMULTANEOUS

    def ask(self) -> None:
        """Note who is asked now, and what each may answer."""
        super().ask()
        self.choices = {seat: self.engine.choices(self.state, seat) for seat in self.asked}

    def _legal_actions(self, player: int) -> list[int]:
        return list(range(len(self.choices[player]))) if player in self.choices else [0]

    def _apply_action(self, action: int) -> None:
        if self.state is None:
            self.begin()
        else:
            (seat,) = self.asked
            self.go_on({seat: self.choices[seat][action]})

    def _apply_actions(self, actions: list[int]) -> None:
        self.go_on({seat: self.choices[seat][actions[seat]] for seat in self.asked})


class GangOfDiceState(GanglandState):
    """A position of Gang of Dice: between two decisions, or between the faces of one reroll."""

    def current_player(self) -> Any:
        """Return who moves."""
        if self.outcome is not None:
            return pyspiel.PlayerId.TERMINAL
        return pyspiel.PlayerId.CHANCE if self.state is None else self.asked[0]

    def ask(self) -> None:
        """Note who is asked now, and how many dice of each face it may name."""
        super().ask()
        self.named: list[int] = []
        if self.asked:
            view = self.engine.observe(self.state, self.asked[0])
            self.limits, self.rerolls = limits(view), view.question == "reroll"
            self._skip()

    def _skip(self) -> None:
        """Pass over faces that do not show."""
        while len(self.named) < FACES and not self.limits[len(self.named)]:
            self.named.append(0)

    def _legal_actions(self, player: int) -> list[int]:
        return list(range(self.limits[len(self.named)] + 1))

    def _apply_action(self, action: int) -> None:
        if self.state is None:
            self.begin()
            return
        self.named.append(action)
        self._skip()
        if len(self.named) == FACES:
            self.go_on({self.asked[0]: dice_decision(self.named, rerolls=self.rerolls)})


class GanglandObserver:
    """Observes a state for a player, by the framework's PyObserver interface."""

    def __init__(self, length: int) -> None:
        self.tensor = np.zeros(length, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: Any, player: int) -> None:
        """Fill the tensor; nothing is known before the seed is drawn."""
        if state.state is None:
            self.tensor.fill(0)
            return
        self.tensor[:] = vector(state.engine.name, state.engine.observe(state.state, player))

    def string_from(self, state: Any, player: int) -> str:
        """Return the observation in words."""
        return "" if state.state is None else repr(state.engine.observe(state.state, player))


pyspiel.register_game(GANGSTER_DICE, GangsterDiceGame)
pyspiel.register_game(GANG_OF_DICE, GangOfDiceGame)


def play_one(game: Any, number: int) -> tuple[int, list[float]]:
    """Play one game as the framework's examples do, with an observation for everybody who decides."""
    observation = make_observation(game)
    game.next_seed = seed(number)
    state, decisions = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(random.choice([action for action, _ in state.chance_outcomes()]))
        elif state.is_simultaneous_node():
            actions = []
            for player in range(game.num_players()):
                if player in state.choices:
                    observation.set_from(state, player)
                    decisions += 1
                actions.append(random.choice(state.legal_actions(player)))
            state.apply_actions(actions)
        else:
            player, asked = state.current_player(), state.state
            observation.set_from(state, player)
            decisions += 1
            while not state.is_terminal() and state.state is asked:
                state.apply_action(random.choice(state.legal_actions(player)))
    return decisions, list(state.returns())


def prepare(name: str, seats: int) -> Batch:
    """Return the way, proven against the engine."""
    game = pyspiel.load_game(f"python_{name.replace('-', '_')}", {"players": seats})

    def play_by(engine: Any, _seats: int, number: int) -> tuple[int, list[float]]:
        game.engine = engine
        return play_one(game, number)

    return proven(play_by, name, seats)
