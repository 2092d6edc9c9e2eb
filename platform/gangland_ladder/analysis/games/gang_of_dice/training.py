"""Makes the tables of Gang of Dice.

The recipe: the plans' chances are worked out exactly (`plans.solved_ends`).  Then, from round 12 back to round 1 and
for two, three and four seats in play, random positions are drawn, even and uneven ones, some with dice carried over.
One warning is turned up in each, the round is solved by the networks of the round after it (`rounds`; the first turn
exactly), and a network is fitted to what came out.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np

from gangland.gang_of_dice.state import BONUS, POOLS, ROUNDS, Options
from gangland.gang_of_dice.warnings import NUMBERS, WARNINGS
from gangland_ladder.analysis.games.gang_of_dice.endings import Field, RoundEnd
from gangland_ladder.analysis.games.gang_of_dice.multisets import MOST_DICE, Floats, Ints
from gangland_ladder.analysis.games.gang_of_dice.network import Network, chances_of, fitted
from gangland_ladder.analysis.games.gang_of_dice.plans import Plans, solved_ends
from gangland_ladder.analysis.games.gang_of_dice.rounds import Turns
from gangland_ladder.analysis.games.gang_of_dice.tables import FILE, saved
from gangland_ladder.analysis.games.gang_of_dice.turns import Turn

SAMPLES: Final = {2: 4_000, 3: 2_500, 4: 1_000}
"""Positions a round, by seats in play."""
_EPOCHS: Final = {2: 900, 3: 900, 4: 1_500}
_CHECKED: Final = 10
"""One position of so many is kept to measure the error."""
_CARRIED: Final = (0.8, 0.15, 0.05)
"""How often no dice are carried over, a few, and many."""
_SPREADS: Final = {200.0: 0.25, 20.0: 0.4, 5.0: 0.25, 1.5: 0.1}
"""How even the pools are, and how often."""


def train(seed: int, folder: Path, say: Callable[[str], None]) -> None:
    """Work everything out anew and write the file into a folder; takes about an hour of CPU.

    Args:
        say: told what is done, with the errors.
    """
    ends = np.array([solved_ends(card) for card in range(len(WARNINGS))])
    plans = [Plans(each) for each in ends]
    networks: dict[tuple[int, int], Network] = {}
    for number in range(ROUNDS, 0, -1):
        for seats in SAMPLES:
            say(learn(seats, number, plans, networks, np.random.default_rng((seed, seats, number))))
    np.savez_compressed(folder / FILE, **saved(ends, solved_reach(), networks))


def learn(
    seats: int, number: int, plans: list[Plans], networks: dict[tuple[int, int], Network], rng: np.random.Generator
) -> str:
    """Add the network of a number of seats and a round, from those of the round after it; return its errors in words."""
    dice, carried = positions(seats, number, SAMPLES[seats], rng)
    warnings, shares = [], []
    for held, on_table in zip(dice.tolist(), carried.tolist(), strict=True):
        seen = tuple(rng.permutation(len(WARNINGS))[:number].tolist())
        field = Field(Options(), networks, (0,) * seats, frozenset(), seen)
        warnings.append(chances_of(seen[-1:], (*seen[-1:], *field.unseen)))
        shares.append(solved(plans[seen[-1]], field, number, tuple(held), on_table + BONUS.get(number, 0)))
    known, wanted = np.array(warnings), np.array(shares)
    checked = np.arange(len(dice)) % _CHECKED == 0
    learned = ~checked
    network = fitted(dice[learned], carried[learned], known[learned], wanted[learned], _EPOCHS[seats], rng)
    networks[seats, number] = network
    errors = np.abs(network.shares(dice[checked], carried[checked], known[checked]) - wanted[checked])
    usual = errors[carried[checked] == 0]
    return (
        f"{seats} seats, round {number}: mean absolute error {errors.mean():.4f}, with nothing carried over "
        f"{usual.mean():.4f}, 95% within {np.quantile(errors, 0.95):.3f}"
    )


def solved(plans: Plans, field: Field, number: int, dice: tuple[int, ...], on_table: int) -> Floats:
    """Return what a round is worth to the seats in play before its first turn, which is solved exactly."""
    order = tuple(range(len(dice)))
    turns = Turns(plans, (), -1, -1, dice, order, RoundEnd(field, number, order, dice, on_table))
    worths = turns.worths(range(1, min(dice[0], plans.most) + 1))
    starts = [Turn(field.seen[-1], stake, rows).start for stake, rows in worths.items()]
    found: Floats = max(starts, key=lambda start: float(start[0]))[: len(dice)]
    return found


def positions(seats: int, number: int, count: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Return (count, seats) dice by turn and (count,) dice carried over of random positions before a round."""
    tables = [table for table in POOLS if table >= seats]
    all_dice, carried = [], []
    for _ in range(count):
        table = tables[rng.integers(len(tables))]
        total = table * POOLS[table] + sum(bonus for when, bonus in BONUS.items() if when < number)
        carry = int(rng.choice([0, rng.integers(1, 16), rng.integers(1, total // 2)], p=_CARRIED))
        spread = rng.choice(list(_SPREADS), p=list(_SPREADS.values()))
        dice = np.maximum(1, rng.dirichlet([spread] * seats) * (total - carry)).astype(np.int64)
        dice[dice.argmax()] += total - carry - dice.sum()
        all_dice.append(dice)
        carried.append(carry)
    return np.array(all_dice), np.array(carried)


def solved_reach() -> Floats:
    """Return (warnings, MOST_DICE + 1, totals): the best chance of so many dice to end with a total or more."""
    reached = np.zeros((len(WARNINGS), MOST_DICE + 1, MOST_DICE * max(NUMBERS) + 1))
    for card in range(len(WARNINGS)):
        for dice in range(1, MOST_DICE + 1):
            totals = np.arange(dice * max(NUMBERS) + 2)  # the last stands for a bust
            for need in totals[:-1]:
                worths = ((totals >= need) & (totals < len(totals) - 1)).astype(np.float64)[:, None]
                reached[card, dice, need] = Turn(card, dice, worths).start[0]
                if not reached[card, dice, need]:
                    break
    return reached
