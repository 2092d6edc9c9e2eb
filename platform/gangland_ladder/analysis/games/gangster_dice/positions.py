"""Positions of Gangster Dice as arrays: the dice on the table, the scores of finished games, and values from nets.

A *position* is the table between two rounds, or after the rest of a round has been played out. It does not include
hands: their values are added for each seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gangland.gangster_dice.cards import COLORS, INVESTIGATOR, SPEAKEASY, STREETS, TOKENS
from gangland.gangster_dice.characters import HOUSE_SET, PLAIN, Character
from gangland.gangster_dice.options import Options
from gangland.gangster_dice.state import State

# Positions.

Array: TypeAlias = npt.NDArray[Any]
Floats: TypeAlias = npt.NDArray[np.floating[Any]]

NOBODY: Final = -1
FAVOR_VALUES: Final = 5
_COLOUR_COUNTS: Final = 10  # The maximum number of dice of one color in a seat's stash, plus 1.
_VISIBLE_ROUNDS: Final = 6  # Number of rounds before the last one (G33) in which the nets consider the end of the game.


class Situation(NamedTuple):
    """The facts that all positions of one round share."""

    options: Options
    cast: tuple[Character, ...]
    hand_limits: tuple[int, ...]  # by seat
    rounds_left: int  # rounds after this one
    out: frozenset[int]  # seats at fault

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.cast)


def situation_of(state: State, out: frozenset[int]) -> Situation:
    """Return the situation in a state's round."""
    setting, public = state.setting, state.public
    left = setting.options.round_limit - public.opening.round
    return Situation(setting.options, setting.cast, public.hand_limits, left, out)


@dataclass(frozen=True, slots=True)
class Positions:
    """Positions, one per row."""

    stashes: Array  # by row, seat and color, number of dice
    control: Array  # by row and token, the seat that controls it; -1 if no seat does
    # speakeasy, investigator: number of dice there, by row and color
    speakeasy: Array
    streets: Array  # number of dice there, by row
    investigator: Array

    def __len__(self) -> int:
        return len(self.streets)

    def rows(self, which: Array) -> Positions:
        """Return some of the rows as a copy."""
        return Positions(*(getattr(self, name)[which] for name in self.__dataclass_fields__))


def position_of(state: State, control: Sequence[int | None]) -> Positions:
    """Return the dice of a state as a single row."""
    public = state.public
    return Positions(
        np.array([public.stashes], dtype=np.int64),
        np.array([[NOBODY if holder is None else holder for holder in control]], dtype=np.int64),
        np.array([public.dice[SPEAKEASY]], dtype=np.int64),
        np.array([sum(public.dice[STREETS])], dtype=np.int64),
        np.array([public.dice[INVESTIGATOR]], dtype=np.int64),
    )


# Scores of finished games.


def final_scores(totals: Array, out: frozenset[int]) -> Floats:
    """Return by row and seat the score if the game ends with these numbers of dice (G32, G33, G37, G38)."""
    # Among the seats without a fault, those with the fewest dice win, and the others share the next place. Seats at
    # fault are last.
    seats = totals.shape[1]
    faultless = np.array([seat not in out for seat in range(seats)])
    count = int(faultless.sum())
    if not count:
        return np.full(totals.shape, 0.5)
    counted = np.where(faultless, totals, 1_000)
    wins = counted == counted.min(axis=1, keepdims=True)
    winners = wins.sum(axis=1, keepdims=True)
    places = np.where(wins, (winners + 1) / 2, (winners + 1 + count) / 2)
    places = np.where(faultless, places, (seats + 1 + count) / 2)
    scores: Floats = (seats - places) / (seats - 1)
    return scores


def scores_of_chances(chances: Floats, out: frozenset[int]) -> Floats:
    """Return by row and seat the mean score, given each seat's probability of being the only winner.

    Seats at fault cannot win.
    """
    seats = chances.shape[-1]
    lost = lost_score(seats, seats - len(out))
    scores = lost + (1.0 - lost) * chances
    if out:
        scores[..., sorted(out)] = (len(out) - 1) / 2 / (seats - 1)
    return scores


def lost_score(seats: int, faultless: int) -> float:
    """Return the score of a seat without a fault that did not win, if there is one winner (G37)."""
    return (seats - 1 - faultless / 2) / (seats - 1)


# Traits: the input of the value net.


def _one_hot(values: Array, size: int) -> Floats:
    return np.eye(size, dtype=np.float32)[np.minimum(values, size - 1)]


def _dice_table() -> Floats:
    counts = np.indices((_COLOUR_COUNTS,) * 3).reshape(3, -1).T
    total, main = counts.sum(axis=1), counts.max(axis=1)
    parts = [_one_hot(counts[:, colour], 6) for colour in COLORS]
    parts += [_one_hot(total, 13), _one_hot(total - main, 7), _one_hot((counts > 0).sum(axis=1), 4)]
    parts += [counts / 6, (total / 10)[:, None]]
    return np.concatenate(parts, axis=1).astype(np.float32)


def _token_table() -> Floats:
    counts = np.indices((_COLOUR_COUNTS,) * 3).reshape(3, -1).T
    total = counts.sum(axis=1)
    parts = [_one_hot(counts[:, colour], 5) for colour in COLORS]
    parts += [_one_hot(total, 8), counts / 4, (total / 6)[:, None]]
    return np.concatenate(parts, axis=1).astype(np.float32)


STASH_TABLE: Final = _dice_table()
TOKEN_TABLE: Final = _token_table()  # the input for the dice on a token
_STREETS_SIZES: Final = 8
_CHARACTER_NUMBERS: Final = {character.key: number for number, character in enumerate(HOUSE_SET)}
SEAT_TRAITS: Final = STASH_TABLE.shape[1] + len(TOKENS) + 1 + len(HOUSE_SET)
TABLE_TRAITS: Final = 2 * TOKEN_TABLE.shape[1] + _STREETS_SIZES + 1 + _VISIBLE_ROUNDS + 4


def table_indexes(dice: Array) -> Array:
    """Return the indexes of sets of dice in the net's tables; the last axis of `dice` is the color."""
    clipped = np.clip(dice, 0, _COLOUR_COUNTS - 1)
    number: Array = (clipped[..., 0] * _COLOUR_COUNTS + clipped[..., 1]) * _COLOUR_COUNTS + clipped[..., 2]
    return number


def seat_traits(situation: Situation, positions: Positions) -> Floats:
    """Return the net's input for each seat: by row, seat and trait."""
    rows, seats = len(positions), situation.seats
    traits = np.zeros((rows, seats, SEAT_TRAITS), dtype=np.float32)
    end = STASH_TABLE.shape[1]
    traits[:, :, :end] = STASH_TABLE[table_indexes(positions.stashes)]
    traits[:, :, end : end + len(TOKENS)] = positions.control[:, None, :] == np.arange(seats)[None, :, None]
    traits[:, :, end + len(TOKENS)] = np.array(situation.hand_limits, dtype=np.float32) - 3
    for seat, character in enumerate(situation.cast):
        if character is not PLAIN:
            traits[:, seat, end + len(TOKENS) + 1 + _CHARACTER_NUMBERS[character.key]] = 1
    return traits


def table_traits(situation: Situation, positions: Positions) -> Floats:
    """Return the net's input for the table: by row and trait."""
    traits = np.zeros((len(positions), TABLE_TRAITS), dtype=np.float32)
    width = TOKEN_TABLE.shape[1]
    traits[:, :width] = TOKEN_TABLE[table_indexes(positions.speakeasy)]
    traits[:, width : 2 * width] = TOKEN_TABLE[table_indexes(positions.investigator)]
    at = 2 * width
    traits[np.arange(len(positions)), at + np.minimum(positions.streets, _STREETS_SIZES - 1)] = 1
    at += _STREETS_SIZES
    traits[:, at] = positions.streets / 5
    at += 1
    if situation.rounds_left <= _VISIBLE_ROUNDS:
        traits[:, at + max(0, situation.rounds_left - 1)] = 1
    at += _VISIBLE_ROUNDS
    traits[:, at : at + len(TOKENS)] = positions.control == NOBODY
    return traits


# Nets, which `benchmarks/training` trains for each number of seats.
#
# The value net evaluates the table from each seat in turn, with the other seats in clockwise order. Its output for the
# seat is a strength, and a weight by which the learned values of the favors in its hand are multiplied. The
# probabilities of winning are the softmax of the strengths. After a roll, the net of ways estimates the probability of
# each way of winning the tokens (`bids.ways`); it replaces the solved bids when there is no time for them.

# The learned weights; the number in the name is the version of the file format.
TABLES: Final = Path(__file__).with_name("values-1.npz")
STRENGTHS: Final = 9  # Number of distinct strengths of bids; higher strengths count as the highest.
_STAKES: Final = 5.0  # Factor for the gains of the ways in the net's input.
_MASKED: Final = -1e9  # Strength of a seat that cannot win, and logit of an impossible way.


class Net(NamedTuple):
    """The weights of the value net."""

    seat: Floats  # by distance to the left, trait of the seat and unit
    table: Floats  # by trait of the table and unit
    # first, second, last: the biases of the layers
    first: Floats
    # middle, out: the weights between the layers
    middle: Floats
    second: Floats
    out: Floats
    last: Floats
    favors: Floats  # the value of each favor


class WayNet(NamedTuple):
    """The weights and biases of each layer of the net of ways."""

    start: Floats
    first: Floats
    middle: Floats
    second: Floats
    out: Floats
    last: Floats


class Nets(NamedTuple):
    """The nets for one number of seats."""

    between: Net
    ways: WayNet


@cache
def nets(seats: int) -> Nets:
    """Return the nets for a number of seats."""
    with np.load(TABLES, allow_pickle=False) as stored:

        def part(name: str) -> Floats:
            return np.asarray(stored[f"{seats}.{name}"], dtype=np.float32)

        between = Net(*[part(f"between.{field}") for field in Net._fields])
        return Nets(between, WayNet(*[part(f"ways.{field}") for field in WayNet._fields]))


# Values of positions between rounds.


class Strengths(NamedTuple):
    """The output of a value net: by row and seat, the seat's strength and the weight of its favors."""

    base: Floats
    weight: Floats

    def rows(self, which: Array) -> Strengths:
        """Return some of the rows."""
        return Strengths(self.base[which], self.weight[which])


def weighted_sum(parts: Floats, weights: Floats) -> Floats:
    """Return by row, seat and unit the weighted sum of all seats' parts.

    Args:
        parts: by row, seat and trait.
        weights: by distance to the left, trait and unit.
    """
    total: Floats = parts @ weights[0]
    for distance in range(1, len(weights)):
        total = total + np.roll(parts @ weights[distance], -distance, axis=1)
    return total


def first_layer(net: Net, situation: Situation, positions: Positions) -> Floats:
    """Return the sums in the first layer of the net: by row, seat and unit."""
    gathered = weighted_sum(seat_traits(situation, positions), net.seat)
    gathered += (table_traits(situation, positions) @ net.table + net.first)[:, None, :]
    return gathered


def net_output(net: Net, gathered: Floats) -> Strengths:
    """Return the net's output, given the sums in its first layer."""
    units = np.maximum(gathered, 0.0)
    hidden = np.maximum(units @ net.middle + net.second, 0.0)
    output = (hidden @ net.out + net.last).astype(np.float64)
    return Strengths(output[..., 0], np.logaddexp(0.0, output[..., 1]))  # log(1 + e^x), which is always above 0


def chances_of(strengths: Floats, out: frozenset[int]) -> Floats:
    """Return by row and seat the probability of winning: the softmax over seats without a fault."""
    if out:
        strengths = strengths.copy()
        strengths[..., sorted(out)] = _MASKED
    raised = np.exp(strengths - strengths.max(axis=-1, keepdims=True))
    chances: Floats = raised / raised.sum(axis=-1, keepdims=True)
    return chances


def scores_with(situation: Situation, strengths: Strengths, hands: Floats) -> Floats:
    """Return by row and seat the mean score; `hands` has the value of the favors in each hand, by seat (and row)."""
    return scores_of_chances(chances_of(strengths.base + strengths.weight * hands, situation.out), situation.out)


def strengths_of(net: Net, situation: Situation, positions: Positions) -> Strengths:
    """Return the net's output for positions between rounds."""
    return net_output(net, first_layer(net, situation, positions))


# The probability of each way of winning the tokens after a roll.


def roll_traits(symbols: Array, hands: Array, streets: int, stakes: Floats) -> Floats:
    """Return the input of the net of ways, by row and trait.

    Args:
        symbols: by row, seat and token, the score of a bid without its favor; 0 if the seat cannot bid on the token.
        hands: by seat (and row, if they differ), the number of favors of each value.
        streets: the seat that controls the Streets; -1 if no seat does.
        stakes: the gains of the ways (`bids.Outcomes.stakes`).
    """
    rows, seats, _ = symbols.shape
    one_hot = np.eye(STRENGTHS, dtype=np.float32)[np.minimum(symbols, STRENGTHS - 1)].reshape(rows, -1)
    held = np.broadcast_to(np.reshape(hands, (-1, seats * FAVOR_VALUES)), (rows, seats * FAVOR_VALUES))
    control = np.zeros((rows, seats), dtype=np.float32)
    if streets >= 0:
        control[:, streets] = 1
    worth = np.broadcast_to(stakes.reshape(1, -1) * _STAKES, (rows, stakes.size))
    return np.concatenate([one_hot, held, control, worth], axis=1).astype(np.float32)


def possible_ways(symbols: Array, winners: Array) -> Array:
    """Return by row and way whether each seat that wins a token has its symbol.

    `symbols` is by row, seat and token; `winners` is by way and token, with -1 for a token that no seat wins.
    """
    rows, seats, tokens = symbols.shape
    able = np.ones((rows, seats + 1, tokens), dtype=bool)  # the last column means no seat
    able[:, :seats] = symbols > 0
    flags: Array = able[:, winners[:, 0], 0]
    for token in range(1, tokens):
        flags = flags & able[:, winners[:, token], token]
    return flags


def way_chances(net: WayNet, traits: Floats, allowed: Array) -> Floats:
    """Return by row and way the probability of the way."""
    units = np.maximum(traits @ net.start + net.first, 0)
    hidden = np.maximum(units @ net.middle + net.second, 0)
    logits = np.where(allowed, hidden @ net.out + net.last, np.float32(_MASKED))
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    chances: Floats = raised / raised.sum(axis=1, keepdims=True)
    return chances
