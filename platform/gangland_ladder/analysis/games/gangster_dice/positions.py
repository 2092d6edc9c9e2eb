"""Positions of Gangster Dice as arrays: the dice on the table, the scores of finished games, and values from nets.

A *position* is the table between two rounds, or after the rest of a round has been played out. It does not include
hands: their worth is added for each seat (`HandWorths`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from math import comb, prod
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gangland.gangster_dice.cards import (
    COLORS,
    DECK,
    DIE_FACES,
    EXCHANGE_LIMIT,
    INVESTIGATOR,
    SPEAKEASY,
    SPECIAL,
    STREETS,
    TOKENS,
)
from gangland.gangster_dice.characters import HOUSE_SET, PLAIN, Character
from gangland.gangster_dice.options import Options
from gangland.gangster_dice.state import State

# Positions.

Array: TypeAlias = npt.NDArray[Any]
Floats: TypeAlias = npt.NDArray[np.floating[Any]]

NOBODY: Final = -1
FAVOR_VALUES: Final = 5
DECK_COUNTS: Final = tuple(map(DECK.count, range(FAVOR_VALUES)))
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
    faces = np.array([[DIE_FACES[colour].count(token) for token in TOKENS] for colour in COLORS]) / len(DIE_FACES[0])
    lacking = np.prod((1 - faces) ** counts[:, :, None], axis=1)  # by token, the probability that no die shows it
    parts += [1 - lacking, counts @ faces / 2]
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
_THREATS: Final = 8  # Number of traits of a seat's chances to win at once (`_threats`).
SEAT_TRAITS: Final = STASH_TABLE.shape[1] + len(TOKENS) + 1 + _THREATS + len(HOUSE_SET)
TABLE_TRAITS: Final = 2 * TOKEN_TABLE.shape[1] + _STREETS_SIZES + 1 + _VISIBLE_ROUNDS + len(TOKENS) + 2


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
    holds = traits[:, :, end : end + len(TOKENS)] > 0
    end += len(TOKENS)
    traits[:, :, end] = np.array(situation.hand_limits, dtype=np.float32) - 3
    end += 1
    traits[:, :, end : end + _THREATS] = _threats(positions, holds)
    end += _THREATS
    for seat, character in enumerate(situation.cast):
        if character is not PLAIN:
            traits[:, seat, end + _CHARACTER_NUMBERS[character.key]] = 1
    return traits


def _threats(positions: Positions, holds: Array) -> Floats:
    """Return by row, seat and trait how near each seat is to getting rid of its last dice.

    `holds` is by row, seat and token, whether the seat controls the token.
    """
    totals = positions.stashes.sum(axis=2)
    others = totals[:, :, None] - positions.stashes  # by color, the dice that remain after this color is dumped
    changeable = (others <= EXCHANGE_LIMIT) & (positions.speakeasy[:, None, :] >= others)  # for dice of this color
    dumps = (positions.control[:, INVESTIGATOR] != NOBODY)[:, None] & ~holds[:, :, INVESTIGATOR]
    exchanges = changeable.any(axis=2)
    stakes = holds[:, :, STREETS]
    traits = (
        dumps,
        dumps & (others == 0).any(axis=2),
        dumps & (others == 1).any(axis=2) & stakes,
        dumps & exchanges & holds[:, :, SPEAKEASY],
        exchanges,
        (totals == 1) & stakes,
        (positions.streets / 4)[:, None] * stakes,
        (positions.investigator.sum(axis=1) / 4)[:, None] * holds[:, :, INVESTIGATOR],
    )
    return np.stack(np.broadcast_arrays(*traits), axis=2).astype(np.float32)


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
    at += len(TOKENS)
    traits[:, at] = situation.options.investigator_colour == "held"
    traits[:, at + 1] = situation.options.win_check == "win_first"
    return traits


# Nets, which `benchmarks/training` trains for each number of seats.
#
# The value net evaluates the table from each seat in turn, with the other seats in clockwise order. Its output for the
# seat is a strength, and a weight for each learned worth of its hand. The probabilities of winning are the softmax of
# the strengths. After a roll, the net of ways estimates the probability of each way of winning the tokens
# (`bids.ways`); it replaces the solved bids when there is no time for them.

# The learned weights; the number in the name is the version of the file format.
TABLES: Final = Path(__file__).with_name("values-2.npz")
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
    hands: Floats  # by trait of a hand (`hand_traits`) and worth


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
    worths: HandWorths


@cache
def nets(seats: int) -> Nets:
    """Return the nets for a number of seats."""
    with np.load(TABLES, allow_pickle=False) as stored:

        def part(name: str) -> Floats:
            return np.asarray(stored[f"{seats}.{name}"], dtype=np.float32)

        between = Net(*[part(f"between.{field}") for field in Net._fields])
        way_net = WayNet(*[part(f"ways.{field}") for field in WayNet._fields])
        return Nets(between, way_net, worths_of(between))


# Values of positions between rounds.


class Strengths(NamedTuple):
    """The output of a value net."""

    base: Floats  # by row and seat, the strength without the hand
    weights: Floats  # by row, seat and worth, the effect of the hand's worths

    def rows(self, which: Array) -> Strengths:
        """Return some of the rows."""
        return Strengths(self.base[which], self.weights[which])

    def with_hands(self, worths: Floats) -> Floats:
        """Return the strengths with hands; `worths` has the worths of each hand, by seat (and row)."""
        strengths: Floats = self.base + (self.weights * worths).sum(axis=-1)
        return strengths


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


def strengths_of(net: Net, situation: Situation, positions: Positions) -> Strengths:
    """Return the net's output for positions between rounds."""
    gathered = weighted_sum(seat_traits(situation, positions), net.seat)
    gathered += (table_traits(situation, positions) @ net.table + net.first)[:, None, :]
    units = np.maximum(gathered, 0.0)
    hidden = np.maximum(units @ net.middle + net.second, 0.0)
    output = (hidden @ net.out + net.last).astype(np.float64)
    return Strengths(output[..., 0], output[..., 1:])


def chances_of(strengths: Floats, out: frozenset[int]) -> Floats:
    """Return by row and seat the probability of winning: the softmax over seats without a fault."""
    if out:
        strengths = strengths.copy()
        strengths[..., sorted(out)] = _MASKED
    raised = np.exp(strengths - strengths.max(axis=-1, keepdims=True))
    chances: Floats = raised / raised.sum(axis=-1, keepdims=True)
    return chances


def scores_with(situation: Situation, strengths: Strengths, worths: Floats) -> Floats:
    """Return by row and seat the mean score; `worths` has the worths of each hand, by seat (and row)."""
    return scores_of_chances(chances_of(strengths.with_hands(worths), situation.out), situation.out)


# Hands.

_MAX_HAND: Final = 6  # Maximum number of favors in a hand, with a pair of which one is kept.
_PLACES: Final = (_MAX_HAND + 1) ** np.arange(FAVOR_VALUES)  # the weight of each value in a hand's code
_HANDS: Final = np.array(
    [
        np.bincount(values, minlength=FAVOR_VALUES)
        for size in range(_MAX_HAND + 1)
        for values in combinations_with_replacement(range(FAVOR_VALUES), size)
    ]
)  # all hands, in the order of their sizes
_ROW_OF: Final = np.zeros((_MAX_HAND + 1) ** FAVOR_VALUES, dtype=np.int64)  # by code, the row of the hand
_ROW_OF[_HANDS @ _PLACES] = np.arange(len(_HANDS))
_MAX_POOLS: Final = 64  # Number of pools whose draws are kept in memory.
_HIGHEST: Final = 4  # Number of favors of a hand, from the highest one, that are traits by themselves.
HAND_TRAITS: Final = (FAVOR_VALUES + _HIGHEST) * (FAVOR_VALUES - 1)


def hand_traits(hands: Array) -> Floats:
    """Return the traits of hands; the last axis of `hands` is the number of favors of each value.

    The traits are for each value whether there are 1, 2, 3 or 4 such favors, and for the four highest favors whether
    they are at least 1, 2, 3 or 4.
    """
    levels = np.arange(1, FAVOR_VALUES)
    counted = hands[..., :, None] >= levels
    at_least = np.cumsum(hands[..., ::-1], axis=-1)[..., ::-1][..., 1:]  # by value, the favors of this value or higher
    ordered = at_least[..., None, :] > np.arange(_HIGHEST)[:, None]
    return np.concatenate([part.reshape(*hands.shape[:-1], -1) for part in (counted, ordered)], axis=-1).astype(float)


class HandWorths:
    """The learned worths of all hands, which may be about to draw favors."""

    def __init__(self, table: Floats) -> None:
        """Use a table of the worths by a hand's row (`_HANDS`) and worth; see `worths_of`."""
        self._table = table
        self._drawing: dict[tuple[tuple[int, ...], int], HandWorths] = {}
        self._discards: dict[int, Floats] = {}

    def of(self, hands: Array) -> Floats:
        """Return the worths of hands; the last axis of `hands` is the number of favors of each value."""
        worths: Floats = self._table[_ROW_OF[hands @ _PLACES]]
        return worths

    def drawing(self, pool: Sequence[int] | Array, count: int) -> HandWorths:
        """Return the mean worths of hands after each draws favors from a pool, which has the number of each value."""
        key = tuple(map(int, pool)), int(count)
        if key not in self._drawing:
            if len(self._drawing) >= _MAX_POOLS:
                self._drawing.clear()
            self._drawing[key] = HandWorths(self._after(*key))
        return self._drawing[key]

    def _after(self, pool: tuple[int, ...], count: int) -> Floats:
        count = min(count, sum(pool))
        table = np.zeros_like(self._table)
        hands = _HANDS[: comb(_MAX_HAND - count + FAVOR_VALUES, FAVOR_VALUES)]  # that can draw as many
        for values in combinations_with_replacement(range(FAVOR_VALUES), count):
            drawn = np.bincount(values, minlength=FAVOR_VALUES)
            chance = prod(map(comb, pool, drawn.tolist())) / comb(sum(pool), count)
            if chance:
                table[: len(hands)] += chance * self.of(hands + drawn)
        return table

    def of_size(self, size: int, pool: Sequence[int] | Array = DECK_COUNTS, known: int = 0) -> Floats:
        """Return the mean worths of a hand of this size with some known +4s; the others are from the pool."""
        hand = np.zeros(FAVOR_VALUES, dtype=np.int64)
        hand[SPECIAL] = known
        return self.drawing(pool, size - known).of(hand)

    def of_discard(self, size: int) -> Floats:
        """Return the mean change in the worths when a random hand of this size loses its lowest favor."""
        if size in self._discards:
            return self._discards[size]
        change = np.zeros(self._table.shape[1])
        for values in combinations_with_replacement(range(FAVOR_VALUES), size):
            hand = np.bincount(values, minlength=FAVOR_VALUES)
            chance = prod(map(comb, DECK_COUNTS, hand.tolist())) / comb(len(DECK), size)
            change += chance * (self.of(hand - np.eye(FAVOR_VALUES, dtype=np.int64)[values[0]]) - self.of(hand))
        self._discards[size] = change
        return change


def worths_of(net: Net) -> HandWorths:
    """Return the worths of hands that a net has learned."""
    return HandWorths(hand_traits(_HANDS) @ net.hands.astype(np.float64))


# The probability of each way of winning the tokens after a roll.


def roll_traits(symbols: Array, hands: Array, streets: int, stakes: Floats) -> Floats:
    """Return the input of the net of ways, by row and trait.

    Args:
        symbols: by row, seat and token, the score of a bid without its favor; 0 if the seat cannot bid on the token.
        hands: by seat (and row, if they differ), the number of favors of each value.
        streets: the seat that controls the Streets; -1 if no seat does.
        stakes: the gains of the ways (`bids.stakes_of`).
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
