"""Makes the tables of Gang of Dice.

Those of version 1 were learned when the seats of rounds 1 to 11 staked no more dice than help to reach a total, so
they say too much of who begins a round: by 0.004 on average, by up to 0.1 where the dice on the table decide.

The recipe: the plans' chances are worked out exactly (`turns.solved_ends`).  Then, from round 12 back to round 1 and
for two, three and four seats in play, random positions are drawn, even and uneven ones, some with dice carried over.
One warning is turned up in each, the round is solved by the networks of the round after it (`rounds`; the first turn
exactly), and a network is fitted to what came out.

Measured in games of house bots: the mean absolute sum of the reference's own error for a seat is 0.023 of a win at two
seats (60 games) and 0.045 at three and four (12 games each); most of it comes from the last five rounds, in which a
die more or less decides.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from gangland.gang_of_dice.state import BONUS, POOLS, ROUNDS, Options
from gangland.gang_of_dice.warnings import NUMBERS, WARNINGS
from gangland_ladder.analysis.games.gang_of_dice.positions import (
    BATCH,
    CLOSE_RACE,
    Network,
    Networks,
    RoundEnd,
    Setting,
    chances_of,
    fitted,
)
from gangland_ladder.analysis.games.gang_of_dice.rounds import FILE, Turns, saved
from gangland_ladder.analysis.games.gang_of_dice.turns import MOST_DICE, Floats, Ints, Plans, Turn, solved_ends

SAMPLES: Final = {2: 5_000, 3: 4_000, 4: 1_500}
"""Positions a round, by seats in play."""
_MORE: Final = {12: 4, 11: 2.5, 10: 1.5}
"""So many times more positions are drawn of rounds in which a die more or less decides."""
_STEPS: Final = 15_000
"""About so many steps of a fit."""
_DRAWS: Final = 2
"""The warnings to come are drawn so often for each close race of two."""
_CHECKED: Final = 10
"""One position of so many is kept to measure the error."""
_CARRIED: Final = (0.8, 0.15, 0.05)
"""How often no dice are carried over, a few, and many."""
_SPREADS: Final = {200.0: 0.25, 20.0: 0.4, 5.0: 0.25, 1.5: 0.1}
"""How even the pools are, and how often."""


def train(seed: int, folder: Path, say: Callable[[str], None]) -> None:
    """Work everything out anew and write the file into a folder; takes about two hours of CPU.

    Args:
        say: told what is done, with the errors.
    """
    ends = np.array([solved_ends(card) for card in range(len(WARNINGS))])
    reached = solved_reach()
    plans = [Plans(card, *each) for card, each in enumerate(zip(ends, reached, strict=True))]
    networks: dict[tuple[int, int], Network] = {}
    for number in range(ROUNDS, 0, -1):
        for seats in SAMPLES:
            say(learn(seats, number, plans, networks, np.random.default_rng((seed, seats, number))))
    np.savez_compressed(folder / FILE.name, **saved(ends, reached, networks))


def learn(
    seats: int, number: int, plans: list[Plans], networks: dict[tuple[int, int], Network], rng: np.random.Generator
) -> str:
    """Add the network of a number of seats and a round, from those of the round after it; return its errors."""
    dice, carried = positions(seats, number, int(SAMPLES[seats] * _MORE.get(number, 1)), rng)
    known, wanted = looked_ahead(number, dice, carried, rng.permuted(_decks(len(dice)), axis=1), plans, networks)
    checked = np.arange(len(dice)) % _CHECKED == 0
    learned = ~checked
    epochs = _STEPS * BATCH // len(dice)
    upcoming = networks.get((seats, number + 1))
    network = fitted(dice[learned], carried[learned], known[learned], wanted[learned], epochs, rng, upcoming)
    if seats == 2:
        network = closer(network, number, plans, networks, rng)
    networks[seats, number] = network
    errors = np.abs(network.shares(dice[checked], carried[checked], known[checked]) - wanted[checked])
    usual = errors[carried[checked] == 0]
    return (
        f"{seats} seats, round {number}: mean absolute error {errors.mean():.4f}, with nothing carried over "
        f"{usual.mean():.4f}, 95% within {np.quantile(errors, 0.95):.3f}"
    )


def looked_ahead(
    number: int, dice: Ints, carried: Ints, decks: Ints, plans: list[Plans], networks: Networks
) -> tuple[Floats, Floats]:
    """Return what positions with a warning turned up are worth by the networks of the round after it.

    Args:
        decks: (positions, warnings), in their order; that of the round is the one at its number.

    Returns:
        (positions, 2, warnings), `chances_of` for each, and (positions, seats), the shares.
    """
    known, shares = [], []
    for held, on_table, deck in zip(dice.tolist(), carried.tolist(), decks.tolist(), strict=True):
        drawn = tuple(deck[:number])
        setting = Setting(Options(), networks, (0,) * len(held), frozenset(), drawn)
        known.append(chances_of(drawn[-1:], (*drawn[-1:], *setting.left_over)))
        shares.append(solved(plans[drawn[-1]], setting, number, tuple(held), on_table + BONUS.get(number, 0)))
    return np.array(known), np.array(shares)


def closer(network: Network, number: int, plans: list[Plans], networks: Networks, rng: np.random.Generator) -> Network:
    """Return the network with what it misses in close races of two, for every lead and warning."""
    before = sum(bonus for when, bonus in BONUS.items() if when < number)
    totals = np.array(sorted({table * dice + before for table, dice in POOLS.items()}))
    close = np.zeros((len(totals), 2 * CLOSE_RACE + 1, len(WARNINGS)))
    for place, total in enumerate(totals):
        for lead in range(-CLOSE_RACE + (total - CLOSE_RACE) % 2, CLOSE_RACE + 1, 2):
            decks = rng.permuted(_decks(len(WARNINGS) * _DRAWS), axis=1)
            cards = np.tile(np.arange(len(WARNINGS)), _DRAWS)
            rows, at = np.arange(len(decks)), np.nonzero(decks == cards[:, None])[1]
            decks[rows, at], decks[rows, number - 1] = decks[rows, number - 1], cards
            dice = np.tile([(total + lead) // 2, (total - lead) // 2], (len(decks), 1))
            nothing = np.zeros(len(decks), dtype=np.int64)
            known, shares = looked_ahead(number, dice, nothing, decks, plans, networks)
            missed = (shares - network.shares(dice, nothing, known))[:, 0]
            close[place, lead + CLOSE_RACE] = missed.reshape(_DRAWS, -1).mean(axis=0)
    return replace(network, totals=totals, close=close)


def _decks(count: int) -> Ints:
    return np.tile(np.arange(len(WARNINGS)), (count, 1))


def solved(plans: Plans, setting: Setting, number: int, dice: tuple[int, ...], on_table: int) -> Floats:
    """Return what a round is worth to the seats in play before its first turn, which is solved exactly."""
    order = tuple(range(len(dice)))
    turns = Turns(plans, (), -1, -1, dice, order, RoundEnd(setting, number, order, dice, on_table), number == ROUNDS)
    worths = turns.worths(turns.stakes(0))
    starts = [Turn(setting.drawn[-1], stake, rows).start for stake, rows in worths.items()]
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
