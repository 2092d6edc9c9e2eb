"""What was learned for each number of seats: what positions between rounds are worth, and how bids come out.

The net of values sees the table from each seat in turn, with the seats in the order from that seat to the left.  It
gives the seat a strength, and a weight of the favors in its hand, whose sum of learned values counts by that weight.
The chances to win are the strengths' softmax.  The net of ways says after a roll how likely each way is in which the
tokens can be won (`outcomes.ways`); it stands in for the solved bids where there is no time for them.  How both were
made: `training`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from gangland_ladder.analysis.games.gangster_dice.positions import (
    FAVOR_VALUES,
    SEAT_TRAITS,
    TABLE_TRAITS,
    Array,
    Floats,
    Positions,
    Situation,
    scores_of_chances,
    seat_traits,
    table_traits,
)

TABLES: Final = Path(__file__).with_name("values-1.npz")
"""What was learned; the number is the version of its form."""
STRENGTHS: Final = 9
"""Strengths of bids that are told apart; stronger ones count as the last."""
HIDDEN: Final = (96, 32)
HIDDEN_OF_WAYS: Final = (160, 96)
_STAKES: Final = 5.0
"""Differences of values are read so many times larger."""
_FAR: Final = -1e9


class Net(NamedTuple):
    """The weights of the net of values.

    Attributes:
        seat: by distance of a seat to the left, trait and unit.
        table: by trait of the table and unit.
        first, second, last: biases of the layers.
        middle, out: weights between them.
        favors: by value, what a favor is worth.
    """

    seat: Floats
    table: Floats
    first: Floats
    middle: Floats
    second: Floats
    out: Floats
    last: Floats
    favors: Floats


class WayNet(NamedTuple):
    """The weights of the net of ways: of each layer, and its biases."""

    start: Floats
    first: Floats
    middle: Floats
    second: Floats
    out: Floats
    last: Floats


def shapes(seats: int) -> dict[str, tuple[int, ...]]:
    """Return the shape of each part of a net of values."""
    units, more = HIDDEN
    return {
        "seat": (seats, SEAT_TRAITS, units),
        "table": (TABLE_TRAITS, units),
        "first": (units,),
        "middle": (units, more),
        "second": (more,),
        "out": (more, 2),
        "last": (2,),
        "favors": (FAVOR_VALUES,),
    }


class Nets(NamedTuple):
    """What was learned for one number of seats."""

    between: Net
    ways: WayNet


@cache
def nets(seats: int) -> Nets:
    """Return what was learned for a table of so many seats."""
    with np.load(TABLES, allow_pickle=False) as stored:
        return nets_of(stored, seats)


def nets_of(stored: Mapping[str, Floats], seats: int) -> Nets:
    """Return the nets of a table size from named arrays, as `named` gives them."""

    def part(name: str) -> Floats:
        return np.asarray(stored[f"{seats}.{name}"], dtype=np.float32)

    between = Net(*[part(f"between.{each}") for each in Net._fields])
    return Nets(between, WayNet(*[part(f"ways.{each}") for each in WayNet._fields]))


def named(seats: int, learned: Nets) -> dict[str, Floats]:
    """Return the arrays of two nets by names of their own."""
    parts = {f"between.{name}": part for name, part in learned.between._asdict().items()}
    parts |= {f"ways.{name}": part for name, part in learned.ways._asdict().items()}
    return {f"{seats}.{name}": part.astype(np.float16) for name, part in parts.items()}


# Between rounds -------------------------------------------------------------------------------------


class Strengths(NamedTuple):
    """What a net gives: by row and seat the seat's strength, and the weight of its favors."""

    base: Floats
    weight: Floats

    def rows(self, which: Array) -> Strengths:
        """Return some of the rows."""
        return Strengths(self.base[which], self.weight[which])


def around(parts: Floats, weights: Floats) -> Floats:
    """Return by row and seat the sum of what each seat adds, by its distance to the left of that seat.

    Args:
        parts: by row, seat and trait.
        weights: by distance, trait and unit.
    """
    total: Floats = parts @ weights[0]
    for distance in range(1, len(weights)):
        total = total + np.roll(parts @ weights[distance], -distance, axis=1)
    return total


def begun(net: Net, situation: Situation, positions: Positions) -> Floats:
    """Return what the first layer gathers of positions alone: by row, seat and unit."""
    gathered = around(seat_traits(situation, positions), net.seat)
    gathered += (table_traits(situation, positions) @ net.table + net.first)[:, None, :]
    return gathered


def ended(net: Net, gathered: Floats) -> Strengths:
    """Return what the net gives for what its first layer gathered."""
    units = np.maximum(gathered, 0.0)
    more = np.maximum(units @ net.middle + net.second, 0.0)
    given = (more @ net.out + net.last).astype(np.float64)
    return Strengths(given[..., 0], soft(given[..., 1]))


def soft(values: Floats) -> Floats:
    """Return log(1 + e^x), which is above 0."""
    smooth: Floats = np.logaddexp(0.0, values)
    return smooth


def chances_of(strengths: Floats, out: frozenset[int]) -> Floats:
    """Return by row and seat the chance to win: the softmax over faultless seats."""
    if out:
        strengths = strengths.copy()
        strengths[..., sorted(out)] = _FAR
    raised = np.exp(strengths - strengths.max(axis=-1, keepdims=True))
    chances: Floats = raised / raised.sum(axis=-1, keepdims=True)
    return chances


def scores_with(situation: Situation, strengths: Strengths, hands: Floats) -> Floats:
    """Return by row and seat the mean score.

    Args:
        hands: by seat (and row, if they differ) what the favors of the hand are worth together.
    """
    return scores_of_chances(chances_of(strengths.base + strengths.weight * hands, situation.out), situation.out)


def strengths_of(net: Net, situation: Situation, positions: Positions) -> Strengths:
    """Return strengths between rounds."""
    return ended(net, begun(net, situation, positions))


# After the roll -------------------------------------------------------------------------------------


def roll_traits(symbols: Array, hands: Array, streets: int, stakes: Floats) -> Floats:
    """Return what the net of ways reads, by row and trait.

    Args:
        symbols: by row, seat and token, what a bid scores without its favor; 0 if none is possible.
        hands: by seat (and row, if they differ), how many favors of each value.
        streets: who controls the Streets; -1 for nobody.
        stakes: what the ways bring (`outcomes.Outcomes.stakes`).
    """
    rows, seats, _ = symbols.shape
    shown = np.eye(STRENGTHS, dtype=np.float32)[np.minimum(symbols, STRENGTHS - 1)].reshape(rows, -1)
    held = np.broadcast_to(np.reshape(hands, (-1, seats * FAVOR_VALUES)), (rows, seats * FAVOR_VALUES))
    control = np.zeros((rows, seats), dtype=np.float32)
    if streets >= 0:
        control[:, streets] = 1
    worth = np.broadcast_to(stakes.reshape(1, -1) * _STAKES, (rows, stakes.size))
    return np.concatenate([shown, held, control, worth], axis=1).astype(np.float32)


def possible(symbols: Array, winners: Array) -> Array:
    """Return by row and way whether all its winners have the symbols for it.

    Args:
        symbols: by row, seat and token.
        winners: by way and token; -1 for nobody.
    """
    rows, seats, tokens = symbols.shape
    able = np.ones((rows, seats + 1, tokens), dtype=bool)  # the last is nobody
    able[:, :seats] = symbols > 0
    found: Array = able[:, winners[:, 0], 0]
    for token in range(1, tokens):
        found = found & able[:, winners[:, token], token]
    return found


def way_chances(net: WayNet, traits: Floats, allowed: Array) -> Floats:
    """Return by row and way how likely it is."""
    units = np.maximum(traits @ net.start + net.first, 0)
    more = np.maximum(units @ net.middle + net.second, 0)
    logits = np.where(allowed, more @ net.out + net.last, np.float32(_FAR))
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    chances: Floats = raised / raised.sum(axis=1, keepdims=True)
    return chances
