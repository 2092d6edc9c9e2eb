"""Many positions at once, as arrays: what lies where, what it leads to at the end, and what the net reads of it.

A *position* is the table between two rounds, or at any time in one with what is known of the rest played out.  Hands
are not part of it: what they are worth is added seat by seat (`values`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gangland.gangster_dice.cards import COLOURS, INVESTIGATOR, SPEAKEASY, STREETS, TOKENS
from gangland.gangster_dice.characters import HOUSE_SET, PLAIN, Character
from gangland.gangster_dice.options import Options
from gangland.gangster_dice.state import State

Array: TypeAlias = npt.NDArray[Any]
Floats: TypeAlias = npt.NDArray[np.floating[Any]]

NOBODY: Final = -1
FAVOR_VALUES: Final = 5
"""Favors are worth 0 to 4."""
_MOST_OF_COLOUR: Final = 10
"""One more than a seat can have of a colour."""
_CAP_SEEN: Final = 6
"""So many rounds before the last (G33) the end is in sight."""


class Situation(NamedTuple):
    """What all positions of one round have in common.

    Attributes:
        hand_limits: by seat.
        rounds_left: rounds after this one.
        out: seats at fault.
    """

    options: Options
    cast: tuple[Character, ...]
    hand_limits: tuple[int, ...]
    rounds_left: int
    out: frozenset[int]

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.cast)


def situation_of(state: State, out: frozenset[int]) -> Situation:
    """Return what the positions of a state's round have in common."""
    setting, public = state.setting, state.public
    left = setting.options.round_limit - public.opening.round
    return Situation(setting.options, setting.cast, public.hand_limits, left, out)


@dataclass(frozen=True, slots=True)
class Positions:
    """Positions, one a row.

    Attributes:
        stashes: by row, seat and colour.
        control: by row and token, the seat; `NOBODY` for none.
        speakeasy, investigator: the dice there, by row and colour.
        streets: how many dice lie there, by row.
    """

    stashes: Array
    control: Array
    speakeasy: Array
    streets: Array
    investigator: Array

    def __len__(self) -> int:
        return len(self.streets)

    def rows(self, which: Array) -> Positions:
        """Return some of the rows, copied."""
        return Positions(
            self.stashes[which],
            self.control[which],
            self.speakeasy[which],
            self.streets[which],
            self.investigator[which],
        )

    def with_control(self, control: Array) -> Positions:
        """Return the same dice under other control."""
        return replace(self, control=control)


def position_of(state: State, control: Sequence[int | None]) -> Positions:
    """Return the dice as they lie now as a single row.

    Args:
        control: by token, who is to have it.
    """
    public = state.public
    return Positions(
        np.array([public.stashes], dtype=np.int64),
        np.array([[NOBODY if holder is None else holder for holder in control]], dtype=np.int64),
        np.array([public.dice[SPEAKEASY]], dtype=np.int64),
        np.array([sum(public.dice[STREETS])], dtype=np.int64),
        np.array([public.dice[INVESTIGATOR]], dtype=np.int64),
    )


def joined(several: Sequence[Positions]) -> Positions:
    """Return all rows one after the other."""
    return Positions(
        np.concatenate([each.stashes for each in several]),
        np.concatenate([each.control for each in several]),
        np.concatenate([each.speakeasy for each in several]),
        np.concatenate([each.streets for each in several]),
        np.concatenate([each.investigator for each in several]),
    )


# How games end --------------------------------------------------------------------------------------


def final_scores(totals: Array, out: frozenset[int]) -> Floats:
    """Return by row and seat the score of a game that ends with these numbers of dice (G32, G33, G37, G38).

    The faultless seats with fewest dice win, the others that are faultless share one place, seats at fault the last.
    """
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
    """Return by row and seat the mean score, where faultless seats win alone with these chances."""
    seats = chances.shape[-1]
    lost = lost_score(seats, seats - len(out))
    scores = lost + (1.0 - lost) * chances
    if out:
        scores[..., sorted(out)] = (len(out) - 1) / 2 / (seats - 1)
    return scores


def lost_score(seats: int, faultless: int) -> float:
    """Return the score of a faultless seat that did not win, where one did (G37)."""
    return (seats - 1 - faultless / 2) / (seats - 1)


# What the net reads ---------------------------------------------------------------------------------


def _one_hot(values: Array, size: int) -> Floats:
    return np.eye(size, dtype=np.float32)[np.minimum(values, size - 1)]


def _dice_table() -> Floats:
    """Return what is read of a stash, by its number."""
    counts = np.indices((_MOST_OF_COLOUR,) * 3).reshape(3, -1).T
    total, main = counts.sum(axis=1), counts.max(axis=1)
    parts = [_one_hot(counts[:, colour], 6) for colour in COLOURS]
    parts += [_one_hot(total, 13), _one_hot(total - main, 7), _one_hot((counts > 0).sum(axis=1), 4)]
    parts += [counts / 6, (total / 10)[:, None]]
    return np.concatenate(parts, axis=1).astype(np.float32)


def _lying_table() -> Floats:
    """Return what is read of dice on a token, by their number."""
    counts = np.indices((_MOST_OF_COLOUR,) * 3).reshape(3, -1).T
    total = counts.sum(axis=1)
    parts = [_one_hot(counts[:, colour], 5) for colour in COLOURS]
    parts += [_one_hot(total, 8), counts / 4, (total / 6)[:, None]]
    return np.concatenate(parts, axis=1).astype(np.float32)


STASH_TABLE: Final = _dice_table()
LYING_TABLE: Final = _lying_table()
_STREETS_SEEN: Final = 8
_CHARACTER_NUMBERS: Final = {character.key: number for number, character in enumerate(HOUSE_SET)}
SEAT_TRAITS: Final = STASH_TABLE.shape[1] + len(TOKENS) + 1 + len(HOUSE_SET)
TABLE_TRAITS: Final = 2 * LYING_TABLE.shape[1] + _STREETS_SEEN + 1 + _CAP_SEEN + 4


def numbers(dice: Array) -> Array:
    """Return the number of some dice in the tables; the last axis is the colour."""
    kept = np.clip(dice, 0, _MOST_OF_COLOUR - 1)
    number: Array = (kept[..., 0] * _MOST_OF_COLOUR + kept[..., 1]) * _MOST_OF_COLOUR + kept[..., 2]
    return number


def seat_traits(situation: Situation, positions: Positions) -> Floats:
    """Return what is read of each seat: by row, seat and trait."""
    rows, seats = len(positions), situation.seats
    traits = np.zeros((rows, seats, SEAT_TRAITS), dtype=np.float32)
    end = STASH_TABLE.shape[1]
    traits[:, :, :end] = STASH_TABLE[numbers(positions.stashes)]
    traits[:, :, end : end + len(TOKENS)] = positions.control[:, None, :] == np.arange(seats)[None, :, None]
    traits[:, :, end + len(TOKENS)] = np.array(situation.hand_limits, dtype=np.float32) - 3
    for seat, character in enumerate(situation.cast):
        if character is not PLAIN:
            traits[:, seat, end + len(TOKENS) + 1 + _CHARACTER_NUMBERS[character.key]] = 1
    return traits


def table_traits(situation: Situation, positions: Positions) -> Floats:
    """Return what is read of the rest: by row and trait."""
    traits = np.zeros((len(positions), TABLE_TRAITS), dtype=np.float32)
    width = LYING_TABLE.shape[1]
    traits[:, :width] = LYING_TABLE[numbers(positions.speakeasy)]
    traits[:, width : 2 * width] = LYING_TABLE[numbers(positions.investigator)]
    at = 2 * width
    traits[np.arange(len(positions)), at + np.minimum(positions.streets, _STREETS_SEEN - 1)] = 1
    at += _STREETS_SEEN
    traits[:, at] = positions.streets / 5
    at += 1
    if situation.rounds_left <= _CAP_SEEN:
        traits[:, at + max(0, situation.rounds_left - 1)] = 1
    at += _CAP_SEEN
    traits[:, at : at + len(TOKENS)] = positions.control == NOBODY
    return traits
