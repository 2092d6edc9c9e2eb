"""Fit the nets of the Gangster Dice boss to the net of values of the analysis's reference.

`python -m benchmarks.training.boss` replaces the texts at the end of the boss's file; it takes less than a minute.

The boss's net has the first layer of the reference's net, and little of the second one, so that plain Python can
compute it: at two seats half of the first layer, at larger tables a few units of the second layer.

1. The reference plays games with itself.  Each round gives the positions after all ways of winning the tokens, and the
   reference's strength and weight of favors for each seat.
2. Least squares fits both outputs to the units of the first layer.  Only differences between seats matter for the
   strength; a row counts as much as the chance of winning depends on it.
3. The units of the first layer that matter least are left out, a few at a time, or units of the second layer are added
   that matter most.
4. A unit's weights are stored as multiples of a 127th of the largest one; base 85 makes them text.
"""

import argparse
import struct
from base64 import b85encode
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np

from benchmarks.harness import seed_of
from gangland.chance import SeededChance
from gangland.games import game_named
from gangland_ladder.analysis.games import reference_of
from gangland_ladder.analysis.games.gangster_dice.bids import Outcomes
from gangland_ladder.analysis.games.gangster_dice.effects import DECK_COUNTS
from gangland_ladder.analysis.games.gangster_dice.positions import (
    Floats,
    Net,
    chances_of,
    first_layer,
    nets,
    position_of,
    situation_of,
)

GAMES: Final = {2: 12, 3: 10, 4: 6}
"""The number of games, by seats."""
UNITS: Final = {2: (48, 0), 3: (96, 4), 4: (96, 4)}
"""By seats, the number of units of the first and of the second layer; the second needs the whole first layer."""
LEFT_OUT: Final = 4
"""The number of units that are left out at once."""
SEAT_ROWS: Final = 50
"""The traits of a seat that the boss knows: its dice and its tokens, without its character."""
HAND: Final = 3
GAME: Final = game_named("gangster-dice")


class Lessons(NamedTuple):
    """Positions, one per row.

    Attributes:
        units, later: by row, seat and unit, the first and the second layer.
        strengths, weights: by row and seat, the reference's output, the first with an average hand.
    """

    units: Floats
    later: Floats
    strengths: Floats
    weights: Floats


def average_hand(net: Net) -> float:
    """Return the mean worth of a hand."""
    return HAND * float(np.array(DECK_COUNTS) @ net.favors) / sum(DECK_COUNTS)


def lessons_of(seats: int, games: int, first: int = 0) -> Lessons:
    """Let the reference play games from this number, and return the positions that its rounds can lead to."""
    net, options, parts = nets(seats).between, GAME.options({}), []
    for number in range(first, first + games):
        reference, rng = reference_of(GAME.name, seats, options, number), Random(f"boss {seats} {number}")
        assert reference is not None
        chance = SeededChance(seed_of("boss", seats, number))
        state, _ = GAME.start(seats, options, chance)
        while GAME.outcome(state) is None:
            questions = GAME.pending(state)
            if questions[0].kind == "bids":
                parts.append(_round(net, state))
            decisions = {each.seat: reference.decide(state, each.seat, rng) for each in questions}
            state, _ = GAME.resolve(state, decisions, chance)
    return Lessons(*[np.concatenate(arrays) for arrays in zip(*parts, strict=True)])


def _round(net: Net, state: Any) -> Lessons:
    situation = situation_of(state, frozenset())
    began = position_of(state, state.public.opening.control)
    settled = Outcomes(net, situation, began, state.public.specials).settled
    settled = settled.rows(np.flatnonzero(~settled.over))
    units = np.maximum(first_layer(net, situation, settled.positions), 0)
    later = np.maximum(units @ net.middle + net.second, 0)
    base, weight = settled.strengths
    return Lessons(units, later, base + weight * average_hand(net), weight)


class Fit(NamedTuple):
    """The units of both layers that are used, and their weights.

    Attributes:
        strength: by unit of the first and then of the second layer.
        weight: by unit of the first layer; `shift` is the constant part.
    """

    units: list[int]
    later: list[int]
    strength: Floats
    weight: Floats
    shift: float


def fitted(lessons: Lessons, count: int, count_later: int) -> Fit:
    """Return the best weights of a number of units of both layers."""
    size = lessons.units.shape[2]
    chances = chances_of(lessons.strengths, frozenset())
    matters = (chances * (1 - chances) + 0.01).reshape(-1, 1)
    inputs = np.concatenate([lessons.units, lessons.later], axis=2)
    apart = _apart(inputs).reshape(-1, inputs.shape[2])
    squares = (apart * matters).T @ apart + 1e-3 * np.eye(inputs.shape[2])
    goal = (apart * matters).T @ _apart(lessons.strengths).reshape(-1)
    used = list(range(size))
    while len(used) > count:
        inverse = np.linalg.inv(squares[np.ix_(used, used)])
        loss = (inverse @ goal[used]) ** 2 / np.diag(inverse)
        gone = np.argsort(loss)[: min(LEFT_OUT, len(used) - count)]
        used = [unit for at, unit in enumerate(used) if at not in gone]

    def explained(units: list[int]) -> float:
        return float(goal[units] @ np.linalg.solve(squares[np.ix_(units, units)], goal[units]))

    for _ in range(count_later):
        others = [unit for unit in range(size, inputs.shape[2]) if unit not in used]
        used.append(max(others, key=lambda unit: explained([*used, unit])))
    strength = np.linalg.solve(squares[np.ix_(used, used)], goal[used])
    flat = lessons.units[..., used[:count]].reshape(-1, count).astype(np.float64)
    flat = np.concatenate([flat, np.ones((len(flat), 1))], axis=1)
    weight = np.linalg.solve(flat.T @ flat + 1e-3 * np.eye(count + 1), flat.T @ lessons.weights.reshape(-1))
    return Fit(used[:count], [unit - size for unit in used[count:]], strength, weight[:-1], float(weight[-1]))


def _apart(values: Floats) -> Floats:
    return (values - values.mean(axis=1, keepdims=True)).astype(np.float64)


def error(lessons: Lessons, fit: Fit) -> float:
    """Return the root mean square error of the chances to win."""
    inputs = np.concatenate([lessons.units[..., fit.units], lessons.later[..., fit.later]], axis=2)
    chances = chances_of(inputs @ fit.strength, frozenset())
    return float(np.sqrt(((chances - chances_of(lessons.strengths, frozenset())) ** 2).mean()))


def text_of(net: Net, fit: Fit) -> str:
    """Return the boss's net as text."""
    table = np.concatenate([net.table[:63], net.table[69:73]])  # without the rounds before the limit
    rows = np.concatenate([*net.seat[:, :SEAT_ROWS], table, net.first[None]])[:, fit.units]
    scale, count = np.abs(rows).max(axis=0) / 127, len(fit.units)
    base = fit.strength[:count] - average_hand(net) * fit.weight
    numbers = [*base * scale, *fit.weight * scale, fit.shift, *net.favors]
    for unit, strength in zip(fit.later, fit.strength[count:], strict=True):
        numbers += [*net.middle[:, unit] * scale, net.second[unit], strength]
    stored = np.round(rows / scale).astype(np.int8).tobytes() + struct.pack(f"<{len(numbers)}f", *numbers)
    return b85encode(bytes([count, len(fit.later)]) + stored).decode()


def with_text(source: str, seats: int, text: str) -> str:
    """Return the boss's source with another text for a number of seats."""
    lines = source.splitlines(keepends=True)
    (at,) = [number for number, line in enumerate(lines) if line.startswith(f'    {seats}: "')]
    lines[at] = f'    {seats}: "{text}",  # noqa: E501\n'
    return "".join(lines)


def main() -> None:
    """Play, fit, and write the boss's file."""
    argparse.ArgumentParser(prog="python -m benchmarks.training.boss", description=__doc__).parse_args()
    path = Path(str(files("gangland_bots") / "gangster_dice" / "boss_gang.py"))
    source = path.read_text(encoding="utf-8")
    for seats, games in GAMES.items():
        lessons, test = lessons_of(seats, games), lessons_of(seats, games // 3, games)
        fit = fitted(lessons, *UNITS[seats])
        print(f"{seats} seats: {len(lessons.units)} positions, error {error(test, fit):.4f}", flush=True)
        source = with_text(source, seats, text_of(nets(seats).between, fit))
    path.write_text(source, encoding="utf-8")


if __name__ == "__main__":
    main()
