"""Every way in which the tokens of a round can be won, each played out once."""

from __future__ import annotations

from functools import cached_property, lru_cache
from itertools import product

import numpy as np

from gangland.gangster_dice.cards import LAWYER, TOKENS
from gangland_ladder.analysis.games.gangster_dice.effects import Settled, Settler, round_of
from gangland_ladder.analysis.games.gangster_dice.positions import (
    NOBODY,
    Array,
    Floats,
    Positions,
    Situation,
    scores_of_chances,
)
from gangland_ladder.analysis.games.gangster_dice.values import Net


@lru_cache(maxsize=4)
def ways(seats: int) -> tuple[Array, Array]:
    """Return who may win the tokens together: by row and token a seat or `NOBODY`; and the row of each number.

    Two seats may win two tokens each (G9), others one.  A way's number has a digit for each token, 0 for nobody.
    """
    most = 2 if seats == 2 else 1
    every = product(range(NOBODY, seats), repeat=len(TOKENS))
    found = [way for way in every if all(way.count(seat) <= most for seat in range(seats))]
    row = np.full((seats + 1) ** len(TOKENS), NOBODY)
    winners = np.array(found)
    row[(winners + 1) @ digits(seats)] = np.arange(len(found))
    return winners, row


@lru_cache(maxsize=4)
def digits(seats: int) -> Array:
    """Return what a token's digit counts in the number of a way."""
    return (seats + 1) ** np.arange(len(TOKENS))


class Outcomes:
    """What a round may lead to, from the position before the roll: by way (`ways`).

    Attributes:
        winners: by way and token.
        settled: the position after it, but for the favors drawn.
        special: by way and seat, whether the seat draws a +4 (G27).
        plus, times: by way and seat, the score is `plus` + `times` * the seat's chance to win the game.
    """

    def __init__(self, net: Net, situation: Situation, begun: Positions, specials: int) -> None:
        """Play all ways out; so many +4s lie in their stack."""
        self.situation = situation
        self.settler = Settler(net, situation)
        self.winners, self._row = ways(situation.seats)
        self.settled: Settled = self.settler.settle(round_of(begun, situation.cast, self.winners))
        self.special = special_draws(situation, begun, self.winners, specials)
        # Scores are linear in the chances: what they are at none, and what a whole one adds.
        ends = scores_of_chances(np.zeros((1, situation.seats)), situation.out)[0]
        tops = np.diagonal(scores_of_chances(np.eye(situation.seats), situation.out))
        over = self.settled.over[:, None]
        self.plus = np.where(over, self.settled.scores, ends)
        self.times = np.where(over, 0.0, tops - ends)

    def row_of(self, number: Array) -> Array:
        """Return the way of each number."""
        return self._row[number]

    @cached_property
    def stakes(self) -> Floats:
        """What the ways bring, as the net of ways reads it (`stakes_of`)."""
        return stakes_of(self.settled.values)


def stakes_of(values: Floats) -> Floats:
    """Return what ways bring with average hands, against the one in which nobody wins.

    For two seats by way, for the first seat; for more seats of each token alone, by token, winner and seat.

    Args:
        values: by way and seat.
    """
    seats = values.shape[1]
    row = ways(seats)[1]
    gained = values - values[row[0]]
    if seats == 2:
        return gained[:, 0].astype(np.float32)
    alone = row[digits(seats)[:, None] * (1 + np.arange(seats))]
    return gained[alone].astype(np.float32)


@lru_cache(maxsize=16)
def turned(seats: int, steps: int) -> Array:
    """Return which way each way becomes if every seat is called by a number so many lower."""
    winners, row = ways(seats)
    renamed = np.where(winners == NOBODY, NOBODY, (winners - steps) % seats)
    return row[(renamed + 1) @ digits(seats)]


def special_draws(situation: Situation, begun: Positions, winners: Array, specials: int) -> Array:
    """Return by row and seat whether it draws a +4 (G27)."""
    winner = winners[:, LAWYER, None]
    held = begun.control[0, LAWYER]
    seats = np.arange(situation.seats)
    always = np.array([character.always_special for character in situation.cast])
    draws: Array = (winner == seats) & ((held == seats) | always) & (specials > 0)
    return draws
