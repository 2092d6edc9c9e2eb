"""Train the nets of the Gangster Dice boss to give the values of the analysis's reference.

`python -m benchmarks.training.boss` replaces the texts at the end of the boss's file; it takes a few minutes.

The boss's net knows fewer traits than the reference's net and is smaller, so that plain Python can compute it: the
strength is a sum over the first layer and a few units of a second layer.

1. The reference plays games with itself, with some random decisions. Each round gives the positions after all ways of
   winning the tokens, and the reference's chances with random hands.
2. The boss's net learns these chances.
3. A unit's weights are stored as multiples of a 127th of the largest one; base 85 makes them text.
"""

import argparse
import struct
from base64 import b85encode
from functools import partial
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np

from benchmarks.harness import seed_of
from benchmarks.training.gangster_dice import learned
from gangland.chance import SeededChance
from gangland.games import game_named
from gangland.gangster_dice.cards import DECK, TOKENS
from gangland_ladder.analysis.games import reference_of
from gangland_ladder.analysis.games.gangster_dice.bids import Outcomes
from gangland_ladder.analysis.games.gangster_dice.positions import (
    FAVOR_VALUES,
    STASH_TABLE,
    Array,
    Floats,
    Nets,
    chances_of,
    nets,
    position_of,
    seat_traits,
    situation_of,
    table_traits,
    weighted_sum,
)

GAMES: Final = {2: 160, 3: 80, 4: 48}
"""The number of games, by seats."""
KEPT: Final = 0.25
"""The share of a round's ways that are learned from."""
ANY: Final = (0.0, 0.1, 0.3, 0.6)
"""The shares of random decisions, one for each game in turn, so that unusual positions occur."""
EPOCHS: Final = 12
UNITS: Final = {2: (64, 2), 3: (96, 4), 4: (96, 4)}
"""By seats, the number of units of the first and of the second layer."""
HAND: Final = 3
GAME: Final = game_named("gangster-dice")
_STASH: Final = 46  # The boss knows this many traits of a stash.
_SEAT: Final = np.r_[:_STASH, STASH_TABLE.shape[1] : STASH_TABLE.shape[1] + len(TOKENS)]
_TABLE: Final = np.r_[:63, 69:73]  # without the rounds before the limit, and without the options


class Lessons(NamedTuple):
    """Positions, one per row.

    Attributes:
        seats: by row, seat and trait; `table` is by row and trait.
        hands: by row and seat, the number of favors of each value.
        targets: by row and seat, the reference's chance of winning.
    """

    seats: Floats
    table: Floats
    hands: Floats
    targets: Floats


def lessons_of(seats: int, games: int, first: int = 0) -> Lessons:
    """Let the reference play games from this number, and return the positions that its rounds can lead to."""
    options, parts = GAME.options({}), []
    for number in range(first, first + games):
        reference, rng = reference_of(GAME.name, seats, options, number), Random(f"boss {seats} {number}")
        draws, share = np.random.default_rng([7, seats, number]), ANY[number % len(ANY)]
        assert reference is not None
        chance = SeededChance(seed_of("boss", seats, number))
        state, _ = GAME.start(seats, options, chance)
        while GAME.outcome(state) is None:
            questions = GAME.pending(state)
            if questions[0].kind == "bids":
                parts.append(_round(nets(seats), state, draws))
            decisions = {
                each.seat: rng.choice(GAME.choices(state, each.seat))
                if rng.random() < share
                else reference.decide(state, each.seat, rng)
                for each in questions
            }
            state, _ = GAME.resolve(state, decisions, chance)
    return Lessons(*[np.concatenate(arrays) for arrays in zip(*parts, strict=True)])


def _round(learned_nets: Nets, state: Any, rng: np.random.Generator) -> Lessons:
    situation = situation_of(state, frozenset())
    began = position_of(state, state.public.opening.control)
    settled = Outcomes(learned_nets, situation, began, state.public.specials).settled
    rows = np.flatnonzero(~settled.over & (rng.random(len(settled.over)) < KEPT))
    settled = settled.rows(rows)
    hands = np.zeros((len(rows), situation.seats, FAVOR_VALUES), dtype=np.int64)
    favors = np.array(DECK + (4,) * 3)  # some +4s, too
    for hand in hands.reshape(-1, FAVOR_VALUES):
        hand += np.bincount(rng.choice(favors, HAND, replace=False), minlength=FAVOR_VALUES)
    chances = chances_of(settled.strengths.with_hands(learned_nets.worths.of(hands)), frozenset())
    seats = seat_traits(situation, settled.positions)[:, :, _SEAT]
    table = table_traits(situation, settled.positions)[:, _TABLE]
    return Lessons(seats, table, hands.astype(np.float32), chances.astype(np.float32))


class Small(NamedTuple):
    """The weights of the boss's net.

    Attributes:
        seat: by distance to the left, trait and unit; `table` is by trait and unit, and `first` by unit.
        strength, weight: by unit, in the outputs; `shift` is the constant part of the weight.
        middle: between the layers; `second` and `later` are by unit of the second layer: its bias and its weight.
        favors: the worth of a favor, by its value.
    """

    seat: Floats
    table: Floats
    first: Floats
    strength: Floats
    weight: Floats
    shift: Floats
    middle: Floats
    second: Floats
    later: Floats
    favors: Floats


def first_net(seats: int, rng: np.random.Generator) -> Small:
    """Return a net with small random weights."""
    units, later = UNITS[seats]
    shapes = [(seats, len(_SEAT), units), (len(_TABLE), units), units, units, units, 1, (units, later), later, later]
    scales = (0.15, 0.15, 0, 0.1, 0.02, 0, 0.1, 0, 0.1)
    parts = [rng.normal(size=shape) * scale for shape, scale in zip(shapes, scales, strict=True)]
    parts[5] = np.ones(1)
    parts.append(np.array([0, 0.1, 0.2, 0.3, 0.5]))
    return Small(*[part.astype(np.float32) for part in parts])


def gradient(net: Small, lessons: Lessons, batch: Array) -> tuple[Small, Floats]:
    """Return the gradient of the cross-entropy over some rows, and by row and seat the chance of winning."""
    parts, table, hands = lessons.seats[batch], lessons.table[batch], lessons.hands[batch]
    rows, seats = parts.shape[:2]
    gathered = weighted_sum(parts, net.seat) + (table @ net.table + net.first)[:, None]
    units = np.maximum(gathered, 0)
    raw = units @ net.middle + net.second
    weight = units @ net.weight + net.shift
    worth = hands @ net.favors
    strength = units @ net.strength + np.maximum(raw, 0) @ net.later + np.maximum(weight, 0) * worth
    chances = chances_of(strength, frozenset())
    by_strength = ((chances - lessons.targets[batch]) / rows).astype(np.float32)
    by_weight = by_strength * worth * (weight > 0)
    by_raw = by_strength[..., None] * net.later * (raw > 0)
    by_units = by_strength[..., None] * net.strength + by_weight[..., None] * net.weight + by_raw @ net.middle.T
    by_units = by_units * (gathered > 0)
    count, flat = rows * seats, by_units.reshape(rows * seats, -1)
    turns = [np.roll(parts, -distance, axis=1).reshape(count, -1).T @ flat for distance in range(seats)]
    slope = Small(
        seat=np.stack(turns),
        table=table.T @ by_units.sum(axis=1),
        first=flat.sum(axis=0),
        strength=units.reshape(count, -1).T @ by_strength.reshape(-1),
        weight=units.reshape(count, -1).T @ by_weight.reshape(-1),
        shift=by_weight.sum(keepdims=True).reshape(1),
        middle=units.reshape(count, -1).T @ by_raw.reshape(count, -1),
        second=by_raw.sum(axis=(0, 1)),
        later=np.maximum(raw, 0).reshape(count, -1).T @ by_strength.reshape(-1),
        favors=hands.reshape(count, -1).T @ (by_strength * np.maximum(weight, 0)).reshape(-1),
    )
    return slope, chances


def _slope(lessons: Lessons, net: Small, batch: Array) -> Small:
    return gradient(net, lessons, batch)[0]


def error(net: Small, lessons: Lessons) -> float:
    """Return the root mean square error of the chances to win."""
    rows = np.array_split(np.arange(len(lessons.table)), len(lessons.table) // 999 + 1)
    squares = [(gradient(net, lessons, batch)[1] - lessons.targets[batch]) ** 2 for batch in rows]
    return float(np.sqrt(np.concatenate(squares).mean()))


def text_of(net: Small) -> str:
    """Return the boss's net as text."""
    rows = np.concatenate([*net.seat, net.table, net.first[None]])
    scale, count = np.maximum(np.abs(rows).max(axis=0), 1e-9) / 127, len(net.first)
    numbers = [*net.strength * scale, *net.weight * scale, *net.shift, *net.favors]
    for unit, (bias, strength) in enumerate(zip(net.second, net.later, strict=True)):
        numbers += [*net.middle[:, unit] * scale, bias, strength]
    stored = np.round(rows / scale).astype(np.int8).tobytes() + struct.pack(f"<{len(numbers)}f", *numbers)
    return b85encode(bytes([count, len(net.second)]) + stored).decode()


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
        rng = np.random.default_rng([11, seats])
        lessons, test = lessons_of(seats, games), lessons_of(seats, games // 8, games)
        net = learned(
            first_net(seats, rng),
            len(lessons.table),
            EPOCHS,
            rng,
            partial(_slope, lessons),
            rate=4e-3,
            decay=0.02,
        )
        print(f"{seats} seats: {len(lessons.table)} positions, error {error(net, test):.4f}", flush=True)
        source = with_text(source, seats, text_of(net))
    path.write_text(source, encoding="utf-8")


if __name__ == "__main__":
    main()
