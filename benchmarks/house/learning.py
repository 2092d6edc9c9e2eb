"""Learn the weights of Gangster Dice's solving_gang from positions and wins in games between house bots.

Each seat's strength is a sum of weights, one for each of its traits, and a weight for each point of favor in
its hand; the chance to win is that of a softmax over the seats.  Some decisions are random, so
that unusual positions occur, too.  The fit uses gradient descent (Adam) with a small ridge penalty.

    python -m benchmarks.house.learning [--seats 2] [--games 2500] [BOT...]
"""

import argparse
import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import product
from math import prod
from random import Random
from typing import Any

import numpy as np

from benchmarks.evidence.players import Player
from benchmarks.harness import seed_of
from gangland.chance import SeededChance
from gangland.games import game_named
from gangland.gangster_dice import Token

Array = Any
"""An array of numpy, whose types are not checked here."""

GAME = game_named("gangster-dice")
SOLVING: Any = import_module("gangland_bots.gangster_dice.solving_gang")  # bots have no type annotations
BOTS = ("solving", "solving", "sensible")
SLIPS = (0.0, 0.05, 0.15, 0.3)
"""The shares of random decisions; each game draws one share."""
STEPS, FAST, SLOW = 400, 0.05, 0.01
RIDGE = 2.0


@dataclass(frozen=True, slots=True)
class Positions:
    """Positions between rounds, one per row.

    Attributes:
        traits: by seat, the numbers of the weights that count.
        hands: by seat, the sum of its favors.
        wins: by seat, its share of the game's win.
    """

    traits: Array
    hands: Array
    wins: Array


@dataclass(frozen=True, slots=True)
class Weights:
    """The learned weights: of the traits' values, in the order of `TRAITS`, and of a point of favor."""

    traits: Array
    favor: float

    def chances(self, positions: Positions) -> Array:
        """Return by position and seat the chance to win."""
        strength = self.traits[positions.traits].sum(axis=2) + self.favor * positions.hands
        grown = np.exp(strength - strength.max(axis=1, keepdims=True))
        chances: Array = grown / grown.sum(axis=1, keepdims=True)
        return chances

    def loss(self, positions: Positions) -> float:
        """Return the mean log loss, in nats; equal chances give the logarithm of the number of seats."""
        return float(-(positions.wins * np.log(self.chances(positions))).sum(axis=1).mean())


def numbers() -> list[dict[tuple[int, ...], int]]:
    """Return by trait the number of the weight of each of its values."""
    weights, first = [], 0
    for sizes in SOLVING.TRAITS:
        weights.append({values: first + at for at, values in enumerate(product(*map(range, sizes)))})
        first += prod(sizes)
    return weights


def positions_of(seats: int, games: int, bots: Sequence[str] = BOTS) -> Positions:
    """Play games and return the positions at the start of all rounds except the first."""
    weight_of, traits, hands, wins = numbers(), [], [], []
    for number in range(games):
        states, won = states_of(seats, number, bots)
        for state in states:
            position = position_of(state)
            traits.append(
                [
                    [weights[value] for weights, value in zip(weight_of, SOLVING.traits(position, seat), strict=True)]
                    for seat in range(seats)
                ]
            )
            hands.append(position.hands)
            wins.append(won)
    return Positions(np.array(traits), np.array(hands), np.array(wins))


def states_of(seats: int, number: int, bots: Sequence[str]) -> tuple[list[Any], list[float]]:
    """Play a game; return the states at the start of all rounds except the first, and the seats' shares of the win."""
    rng = Random(seed_of("learning", seats, number))
    slips = rng.choice(SLIPS)
    seated = [Player(rng.choice(bots), slips).sit(GAME, rng.randbytes(32)) for _ in range(seats)]
    state, _ = GAME.start(seats, GAME.options({}), SeededChance(chance := rng.randbytes(32)))
    states, last = [], 1
    while (outcome := GAME.outcome(state)) is None:
        if GAME.round(state) != last:
            last = GAME.round(state)
            states.append(state)
        decisions = {each.seat: seated[each.seat].decide(state, each.seat, each.kind) for each in GAME.pending(state)}
        state, _ = GAME.resolve(state, decisions, SeededChance(chance))
    return states, [(seat in outcome.winners) / len(outcome.winners) for seat in range(seats)]


def position_of(state: Any) -> Any:
    """Return a state in that bot's form of positions, with all hands known."""
    return SOLVING.Position(
        list(state.stashes),
        list(state.control),
        state.dice[Token.SPEAKEASY],
        sum(state.dice[Token.STREETS]),
        state.dice[Token.INVESTIGATOR],
        [float(sum(hand)) for hand in state.hands],
    )


def learn(positions: Positions) -> Weights:
    """Return the weights that explain the winners best."""
    size, count = sum(map(prod, SOLVING.TRAITS)), len(positions.wins)
    weights, mean, square = np.zeros(size + 1), np.zeros(size + 1), np.zeros(size + 1)
    for step in range(1, STEPS + 1):
        off = (Weights(weights[:-1], float(weights[-1])).chances(positions) - positions.wins) / count
        spread = np.repeat(off.ravel(), positions.traits.shape[2])
        slope = np.bincount(positions.traits.ravel(), weights=spread, minlength=size) + RIDGE / count * weights[:-1]
        slope = np.append(slope, (off * positions.hands).sum())
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
        pace = FAST if step <= STEPS * 5 // 8 else SLOW
        weights -= pace * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    return Weights(weights[:-1], float(weights[-1]))


def lines(weights: Weights) -> Iterator[str]:
    """Yield the weights in the form of that bot's file, in hundredths."""
    words = " ".join([str(round(100 * each)) for each in weights.traits])
    yield f"a point of favor: {weights.favor:.3f}"
    yield from textwrap.wrap(words, 112)


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, learn and print."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.house.learning", description="Learn the weights of solving_gang."
    )
    parser.add_argument("bots", nargs="*", metavar="BOT", help="who plays, without `_gang` (solving solving sensible)")
    parser.add_argument("--seats", type=int, choices=GAME.table_sizes, default=2)
    parser.add_argument("--games", type=int, default=2500)
    options = parser.parse_args(arguments)
    positions = positions_of(options.seats, options.games, options.bots or BOTS)
    weights = learn(positions)
    sys.stdout.write("\n".join(lines(weights)) + "\n")
    sys.stderr.write(f"{len(positions.wins)} positions, log loss {weights.loss(positions):.4f}\n")


if __name__ == "__main__":
    main()
