"""Build the tables of Gang of Dice.

The networks were learned when the seats of rounds 1 to 11 staked only dice that help to reach a total.  So they
overrate the first seat of a round: by 0.004 on average, and by up to 0.1 if the dice on the table decide.

They were also learned with the default options.  With other ones they see changed dice (`changed`): the order of the
turns, for example, is worth more dice if the winner begins the next round.  `--refine` fits only these changes, in less
than ten minutes.  Overnight, networks for each of the options could be learned instead.

The method: the plans' chances are computed exactly (`solved_ends`).  Then, from round 12 back to round 1 and for two,
three and four seats in play, random positions are drawn, both even and uneven, some with carried dice.  Each gets a
warning, the round is solved by the networks of the next round (`rounds`; the first turn exactly), and a network is
fitted to the results.  The changes are fitted in the same way, to fewer positions.

Most of the reference's own error (benchmarks/results/analysis.md) comes from the last five rounds, where single dice
decide.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np

from gangland.gang_of_dice.state import BONUS, POOLS, ROUNDS, Options
from gangland.gang_of_dice.warnings import DECKS, NUMBERS, WARNINGS
from gangland_ladder.analysis.games.gang_of_dice.positions import (
    CLOSE_RACE,
    CURRENT_TRAITS,
    LATER_TRAITS,
    TRAITS,
    Network,
    Networks,
    RoundEnd,
    Setting,
    centered,
    chances_ahead,
    chances_of,
    features_of,
    mean_ahead,
    traits_of,
)
from gangland_ladder.analysis.games.gang_of_dice.rounds import FILE, OTHER_OPTIONS, UNITS, Turns, changes_name, tables
from gangland_ladder.analysis.games.gang_of_dice.turns import MAX_DICE, MAX_STAKED, Floats, Ints, Plans, Turn

SAMPLES: Final = {2: 5_000, 3: 4_000, 4: 1_500}
"""The number of positions per round, by seats in play."""
_MORE: Final = {12: 4, 11: 2.5, 10: 1.5}
"""The factor of the number of positions in late rounds, where single dice decide."""
_STEPS: Final = 15_000
"""The approximate number of steps of a fit."""
_DRAWS: Final = 2
"""The number of draws of the warnings to come, for each close race of two."""
CHANGED: Final = {2: 48, 3: 32, 4: 12}
"""The number of positions per round for the change of dice with each of the other options, by seats in play."""
PRIOR: Final = 0.02
"""The squared error that a change of 0.3 in the factor, or one die for a turn, must save."""
_CHECKED: Final = 10
"""One position in this number is held out to measure the error."""
_CARRIED: Final = (0.8, 0.15, 0.05)
"""The shares of positions with no, few and many dice carried over."""
_SPREADS: Final = {200.0: 0.25, 20.0: 0.4, 5.0: 0.25, 1.5: 0.1}
"""The spreads of pools, with their shares."""
HIDDEN: Final = 48
_STRONGER: Final = 3.0
"""The initial factor for the mean of many warnings' numbers, which varies less than each of them."""
_STEP: Final = 0.004
BATCH: Final = 256
HIGHEST: Final = MAX_STAKED * max(NUMBERS)
"""The highest total of `MAX_STAKED` dice."""
LATER: Final = (0.0, 0.5, 1.0, 2.0, 4.0)
"""The plans, by the number of later seats against which a total has to hold."""


def train(seed: int, folder: Path, say: Callable[[str], None], *, refines: bool = False) -> None:
    """Compute everything and write the file into a folder; this takes about two hours of CPU.

    Args:
        say: called with progress and errors.
        refines: keep the networks of the present file, and only fit the changes for other options.
    """
    if refines:
        shipped = tables()
        networks = {key: replace(network, options={}) for key, network in shipped.networks.items()}
        change_all(networks, [shipped.plans(card) for card in range(len(WARNINGS))], seed, say)
        with np.load(FILE, allow_pickle=False) as arrays:
            kept = {name: arrays[name] for name in ("ends", "reached")}
        np.savez_compressed(folder / FILE.name, **saved(kept["ends"] / UNITS, kept["reached"], networks))
        return
    ends = np.array([solved_ends(card) for card in range(len(WARNINGS))])
    reached = solved_reach()
    plans = [Plans(card, *each) for card, each in enumerate(zip(ends, reached, strict=True))]
    networks = {}
    for number in range(ROUNDS, 0, -1):
        for seats in SAMPLES:
            say(learn(seats, number, plans, networks, np.random.default_rng((seed, seats, number))))
    change_all(networks, plans, seed, say)
    np.savez_compressed(folder / FILE.name, **saved(ends, reached, networks))


def learn(
    seats: int, number: int, plans: list[Plans], networks: dict[tuple[int, int], Network], rng: np.random.Generator
) -> str:
    """Add the network of a number of seats and a round, from those of the round after it; return its errors."""
    dice, carried = positions(seats, number, int(SAMPLES[seats] * _MORE.get(number, 1)), rng)
    known, targets = looked_ahead(number, dice, carried, rng.permuted(_decks(len(dice)), axis=1), plans, networks)
    checked = np.arange(len(dice)) % _CHECKED == 0
    learned = ~checked
    epochs = _STEPS * BATCH // len(dice)
    upcoming = networks.get((seats, number + 1))
    network = fitted(dice[learned], carried[learned], known[learned], targets[learned], epochs, rng, upcoming)
    if seats == 2:
        network = closer(network, number, plans, networks, rng)
    networks[seats, number] = network
    errors = np.abs(shares_of(network, dice[checked], carried[checked], known[checked]) - targets[checked])
    without_carry = errors[carried[checked] == 0]
    return (
        f"{seats} seats, round {number}: mean absolute error {errors.mean():.4f}, with nothing carried over "
        f"{without_carry.mean():.4f}, 95% within {np.quantile(errors, 0.95):.3f}"
    )


def looked_ahead(
    number: int, dice: Ints, carried: Ints, decks: Ints, plans: list[Plans], networks: Networks
) -> tuple[Floats, Floats]:
    """Return the worth of positions with a warning turned up, by the networks of the next round.

    Args:
        decks: (positions, warnings), in order; the warning of the round is at the round's number.

    Returns:
        (positions, 2, warnings), `chances_of` for each, and (positions, seats), the shares.
    """
    known, shares = [], []
    for held, on_table, deck in zip(dice.tolist(), carried.tolist(), decks.tolist(), strict=True):
        drawn = tuple(deck[:number])
        setting = Setting(Options(), networks, (0,) * len(held), frozenset(), drawn)
        known.append(chances_of(drawn[-1:], (*drawn[-1:], *setting.remaining)))
        shares.append(solved(plans[drawn[-1]], setting, number, tuple(held), on_table + BONUS.get(number, 0)))
    return np.array(known), np.array(shares)


def change_all(
    networks: dict[tuple[int, int], Network], plans: list[Plans], seed: int, say: Callable[[str], None]
) -> None:
    """Add to all networks the changes of the seats' dice with other options than the defaults (`Network.options`).

    The last rounds come first: each change is fitted to solved rounds that end with the networks of the next round.
    """
    for kind, key in enumerate(OTHER_OPTIONS, 1):
        for number in range(ROUNDS, 0, -1):
            for seats in SAMPLES:
                rng = np.random.default_rng((seed, seats, number, kind))
                change, errors = changed(networks, plans, Options(*key), seats, number, rng)
                network = networks[seats, number]
                networks[seats, number] = replace(network, options={**network.options, key: change})
                say(f"{' '.join(key)}, {seats} seats, round {number}: {change.round(2)}, mean absolute error {errors}")


def changed(
    networks: Networks, plans: list[Plans], options: Options, seats: int, number: int, rng: np.random.Generator
) -> tuple[Floats, str]:
    """Return a change that fits solved rounds, and the mean absolute error before and with it."""
    dice, carried = positions(seats, number, CHANGED[seats], rng)
    network, warnings, targets = networks[seats, number], [], []
    for held, on_table in zip(dice.tolist(), carried.tolist(), strict=True):
        stacks = [rng.permutation(stack.cards)[: stack.rounds].tolist() for stack in DECKS[options.deck]]
        drawn = tuple([card for stack in stacks for card in stack][:number])
        setting = Setting(options, networks, (0,) * seats, frozenset(), drawn)
        warnings.append(replace(setting, drawn=drawn[:-1]).warnings(number, drawn[-1]))
        targets.append(solved(plans[drawn[-1]], setting, number, tuple(held), on_table + BONUS.get(number, 0)))

    def missed(change: Floats) -> Floats:
        rows = zip(dice[:, None], carried[:, None], warnings, targets, strict=True)
        return np.concatenate([network.shares(held, on, known, change)[0] - target for held, on, known, target in rows])

    same, steps = np.array([1.0, *[0.0] * seats]), np.array([0.05, *[0.5] * seats])
    ridge = np.diag(PRIOR / np.array([0.3, *[1.0] * seats]) ** 2)
    change, first = same, missed(same)
    for _ in range(3):
        now = missed(change)
        slopes = np.stack([(missed(change + step) - now) / step.sum() for step in np.diag(steps)], axis=1)
        change = change - np.linalg.solve(slopes.T @ slopes + ridge, slopes.T @ now + ridge @ (change - same))
    before, after = np.abs(first).mean(), np.abs(missed(change)).mean()
    return change, f"{before:.4f} -> {after:.4f}"


def closer(network: Network, number: int, plans: list[Plans], networks: Networks, rng: np.random.Generator) -> Network:
    """Return the network, corrected by its errors in close races of two, for every lead and warning."""
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
            missed = (shares - shares_of(network, dice, nothing, known))[:, 0]
            close[place, lead + CLOSE_RACE] = missed.reshape(_DRAWS, -1).mean(axis=0)
    return replace(network, totals=totals, close=close)


def _decks(count: int) -> Ints:
    return np.tile(np.arange(len(WARNINGS)), (count, 1))


def solved(plans: Plans, setting: Setting, number: int, dice: tuple[int, ...], on_table: int) -> Floats:
    """Return the worth of a round to the seats in play before its first turn, which is solved exactly."""
    order = tuple(range(len(dice)))
    turns = Turns(plans, (), -1, -1, dice, order, RoundEnd(setting, number, order, dice, on_table), number == ROUNDS)
    final_values = turns.final_values(turns.stakes(0))
    starts = [Turn(setting.drawn[-1], stake, rows).start for stake, rows in final_values.items()]
    best: Floats = max(starts, key=lambda start: float(start[0]))[: len(dice)]
    return best


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
    """Return (warnings, MAX_DICE + 1, totals): the best chance of a number of dice to end with a total or more."""
    reached = np.zeros((len(WARNINGS), MAX_DICE + 1, MAX_DICE * max(NUMBERS) + 1))
    for card in range(len(WARNINGS)):
        for dice in range(1, MAX_DICE + 1):
            totals = np.arange(dice * max(NUMBERS) + 2)  # the last total means a bust
            for need in totals[:-1]:
                final_values = ((totals >= need) & (totals < len(totals) - 1)).astype(np.float64)[:, None]
                reached[card, dice, need] = Turn(card, dice, final_values).start[0]
                if not reached[card, dice, need]:
                    break
    return reached


def solved_ends(card: int) -> Floats:
    """Return the exact chances to end with each total under a warning.

    They are (MAX_STAKED + 1, HIGHEST + 2, plans, HIGHEST + 1), by dice, need, plan and final total; the rest to 1 is
    the chance of a bust.
    """
    ends = np.zeros((MAX_STAKED + 1, HIGHEST + 2, len(LATER), HIGHEST + 1))
    reached = np.zeros((MAX_STAKED + 1, HIGHEST + 2))
    for dice in range(1, MAX_STAKED + 1):
        totals = dice * max(NUMBERS) + 1
        for need in range(totals):
            ends[dice, need, 0, :totals] = _ends(card, dice, np.arange(totals) >= need)
            reached[dice, need] = ends[dice, need, 0, need:].sum()
    beaten = reached.max(axis=0)
    for dice in range(1, MAX_STAKED + 1):
        totals = dice * max(NUMBERS) + 1
        for need in range(totals):
            for plan, later in enumerate(LATER[1:], 1):
                holds = (1 - beaten[1 : totals + 1]) ** later
                ends[dice, need, plan, :totals] = _ends(card, dice, np.where(np.arange(totals) >= need, holds, 0.0))
    return ends


def _ends(card: int, dice: int, final_values: Floats) -> Floats:
    """Return (totals,), the chances of each final total under the best play for these final_values of the totals."""
    totals = len(final_values)
    channels = np.zeros((totals + 1, totals + 1))
    channels[:totals, 0] = final_values
    channels[:totals, 1:] = np.eye(totals)
    chances: Floats = Turn(card, dice, channels).start[1:]
    return chances


def saved(ends: Floats, reached: Floats, networks: Networks) -> dict[str, Any]:
    """Return the arrays of a file."""
    arrays: dict[str, Any] = {"ends": np.round(ends * UNITS).astype(np.uint16), "reached": reached}
    for (seats, number), network in networks.items():
        for place, array in enumerate((*network.arrays, network.close)):
            arrays[f"network {seats} {number} {place}"] = array.astype(np.float32)
        arrays[f"totals {seats} {number}"] = network.totals
    for key in OTHER_OPTIONS:
        for seats in SAMPLES:
            changes = [networks[seats, number].options[key] for number in range(1, ROUNDS + 1)]
            arrays[changes_name(*key, seats)] = np.array(changes, dtype=np.float32)
    return arrays


# Fitting a network.


def fitted(
    dice: Ints,
    carried: Ints,
    warnings: Floats,
    shares: Floats,
    epochs: int,
    rng: np.random.Generator,
    upcoming: Network | None,
) -> Network:
    """Return a network that gives positions these shares, by least squares.

    Args:
        dice, carried, warnings: as for `shares_of`.
        shares: (positions, seats).
        upcoming: the network of the next round: its features of warnings are the weights of possible later ones.
    """
    features, seats = features_of(dice, carried), dice.shape[1]
    network = _random(features.shape[1], seats, rng)
    if upcoming is not None:
        later = upcoming.traits[:, :LATER_TRAITS]
        network.traits[:, CURRENT_TRAITS:] = _STRONGER * (later - later.mean(axis=0)) / (later.std(axis=0) + 1e-6)
    first = [np.zeros_like(each) for each in network.arrays]
    second = [np.zeros_like(each) for each in network.arrays]
    steps = epochs * -(-len(features) // BATCH)
    for number, rows in enumerate(_batches(len(features), epochs, rng), 1):
        tried = _Pass(network, features[rows], warnings[rows])
        gradients = tried.gradients((tried.shares - shares[rows]) / len(rows))
        step = _STEP * 0.5 * (1 + np.cos(np.pi * number / steps))
        for array, gradient, mean, square in zip(network.arrays, gradients, first, second, strict=True):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            array -= step * (mean / (1 - 0.9**number)) / (np.sqrt(square / (1 - 0.999**number)) + 1e-8)
    return network


def _batches(count: int, epochs: int, rng: np.random.Generator) -> Iterator[Ints]:
    for _ in range(epochs):
        order = rng.permutation(count)
        for first in range(0, count, BATCH):
            yield order[first : first + BATCH]


def _random(features: int, seats: int, rng: np.random.Generator) -> Network:
    sizes = (features, HIDDEN, HIDDEN, seats * (1 + TRAITS))
    first, second, last = [rng.normal(0, few**-0.5, (few, many)) for few, many in pairwise(sizes)]
    return Network(
        (first, second, last * 0.1),
        (np.zeros(HIDDEN), np.zeros(HIDDEN), np.zeros(sizes[-1])),
        rng.normal(0, 1, (len(WARNINGS), TRAITS)),
        np.zeros(0, dtype=np.int64),
        np.zeros((0, 2 * CLOSE_RACE + 1, len(WARNINGS))),
    )


def shares_of(network: Network, dice: Ints, carried: Ints, warnings: Floats) -> Floats:
    """Return the same as `Network.shares` for positions with different warnings: (positions, 2, warnings)."""
    shares = _Pass(network, features_of(dice, carried), warnings).shares
    return network.corrected(shares, dice, carried, warnings[:, 0])


class _Pass:
    """The network's answer for some positions, with its intermediate values."""

    def __init__(self, network: Network, features: Floats, warnings: Floats) -> None:
        first, second, last = network.weights
        self.network = network
        self.features = features
        self.warnings = warnings
        self.traits = traits_of(network, warnings)
        self.hidden = np.tanh(features @ first + network.biases[0])
        self.deeper = np.tanh(self.hidden @ second + network.biases[1])
        out = self.deeper @ last + network.biases[2]
        seats = out.shape[1] // (1 + TRAITS)
        self.leanings = centered(out[:, seats:].reshape(-1, TRAITS, seats))
        self.ahead = chances_ahead(out[:, :seats])
        self.others = seats - 1
        self.shares: Floats = mean_ahead(self.ahead) + np.einsum("nt,nts->ns", self.traits, self.leanings)

    def gradients(self, wrong: Floats) -> tuple[Floats, ...]:
        """Return the gradients of the sum of `wrong` times the shares, by all learned parameters."""
        steep = self.ahead * (1 - self.ahead)
        of_strengths = (steep * (wrong[:, :, None] - wrong[:, None, :])).sum(axis=2) / self.others
        of_leanings = self.traits[:, :, None] * (wrong - wrong.mean(axis=1, keepdims=True))[:, None, :]
        out = np.concatenate([of_strengths, of_leanings.reshape(len(wrong), -1)], axis=1)
        deeper = (out @ self.network.weights[2].T) * (1 - self.deeper**2)
        hidden = (deeper @ self.network.weights[1].T) * (1 - self.hidden**2)
        weights = (self.features.T @ hidden, self.hidden.T @ deeper, self.deeper.T @ out)
        biases = (hidden.sum(axis=0), deeper.sum(axis=0), out.sum(axis=0))
        known = np.einsum("ns,nts->nt", wrong, self.leanings)
        up, later = self.warnings[:, 0], self.warnings[:, 1]
        traits = np.concatenate([up.T @ known[:, :CURRENT_TRAITS], later.T @ known[:, CURRENT_TRAITS:]], axis=1)
        return (*weights, *biases, traits)
