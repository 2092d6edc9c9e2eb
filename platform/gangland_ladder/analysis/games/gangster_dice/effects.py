"""Play out a round of Gangster Dice after its tokens are won: the effects, and the Investigator's die.

The reference answers as if all hands were average, seat by seat in the order of the effects (G16). Each answer is the
best one if later answers are chosen the same way. All possible answers are tried, for all rows at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

import numpy as np

from gangland.gangster_dice.cards import COLORS, EXCHANGE_LIMIT, INVESTIGATOR, LAWYER, SPEAKEASY, STREETS
from gangland.gangster_dice.characters import Character
from gangland_ladder.analysis.games.gangster_dice.positions import (
    NOBODY,
    Array,
    Floats,
    Nets,
    Positions,
    Situation,
    Strengths,
    final_scores,
    scores_with,
    strengths_of,
)

OPEN: Final = -2  # Used in place of a color if the question has not been answered yet.
NONE: Final = -1  # Used in place of a color if there is no die.
DIE: Final = -3  # Like `OPEN`, but no favor may be discarded instead of taking a die.
DISCARD: Final = -4  # Used in place of a color if a favor is discarded instead.
# The cost of each of the seat's own dice, so that a game that is won already does not go on without end.
PER_DIE: Final = 0.002


def _exchanges() -> tuple[Array, Array]:
    """Return the dice given and taken, by color, in every exchange that does not give and take the same color.

    The empty exchange is first.
    """
    picks = [dice for dice in product(range(EXCHANGE_LIMIT + 1), repeat=len(COLORS)) if sum(dice) <= EXCHANGE_LIMIT]
    pairs = [
        (given, taken)
        for given, taken in product(picks, picks)
        if sum(given) == sum(taken) and not any(map(min, zip(given, taken, strict=True)))
    ]
    given, taken = zip(*sorted(pairs, key=lambda pair: sum(pair[0])), strict=True)
    return np.array(given), np.array(taken)


GIVEN, TAKEN = _exchanges()
# The dice given and taken, by color: no swap first, then every swap of one die for a die of another color.
_SWAPS: Final = np.stack([GIVEN, TAKEN])[:, GIVEN.sum(axis=1) <= 1]
# One die of each color; the last row, at index `NONE`, has no die.
_DICE: Final = np.concatenate([np.eye(len(COLORS), dtype=np.int64), np.zeros((1, len(COLORS)), dtype=np.int64)])


@lru_cache(maxsize=8)
def _placements(count: int) -> Array:
    return np.array([dice for dice in product(range(count + 1), repeat=len(COLORS)) if sum(dice) == count])


@dataclass(frozen=True, slots=True)
class Round:
    """Rounds after the reveal, one per row, with the known answers to their effects."""

    positions: Positions  # at the start of the round, but with the tokens controlled as after the reveal
    # exchanger, staker, dumper: by row, the seat with that effect; -1 if no seat has it
    exchanger: Array
    staker: Array
    dumper: Array
    exchanged: Array  # by row, whether the exchange is known; `given` and `taken` have the dice by color
    given: Array
    taken: Array
    staked: Array  # by row, a color, `NONE` or `OPEN`
    placed: Array  # by row, whether the dumped dice are known; `dumped` has them by color
    dumped: Array
    dumped_color: Array  # by row, the color whose unlocked dice are all dumped, `NONE` or `OPEN`
    swappers: Array  # by row and seat, whether the seat may still swap a die with the Speakeasy
    locked: Array  # by row, seat and color, dice that may not be given away (G17)
    take: Array  # by row, the color of the die taken, `NONE` for declining, `DISCARD`, `DIE` or `OPEN`


def round_of(begun: Positions, cast: Sequence[Character], winners: Array) -> Round:
    """Return rounds where no effect has been answered yet.

    Args:
        begun: the position before the roll, as a single row.
        cast: the characters by seat.
        winners: by row and token, the seat that influences it (G14 to G16); -1 if no seat does.
    """
    rows, seats = len(winners), begun.stashes.shape[1]
    before = begun.control[0]
    won = winners != NOBODY
    control = np.where(won, winners, before)
    winner, holder = winners[:, INVESTIGATOR], int(before[INVESTIGATOR])
    moves = (winner != NOBODY) & ((holder == NOBODY) | (winner == holder))
    control[:, INVESTIGATOR] = np.where(moves, (winner + 1) % seats, holder)
    positions = replace(begun.rows(np.zeros(rows, dtype=np.int64)), control=control)
    dumper = np.where((winner != NOBODY) & (holder != NOBODY) & (winner != holder), winner, NOBODY)
    none = np.zeros((rows, len(COLORS)), dtype=np.int64)
    unanswered = np.full(rows, OPEN)
    newly = won & (winners != before)
    swappers = [
        (newly & (winners == seat))[:, list(character.swaps_on)].any(axis=1) for seat, character in enumerate(cast)
    ]
    all_false = np.zeros(rows, dtype=bool)
    exchanger, staker = _repeat_winners(winners, before, SPEAKEASY), _repeat_winners(winners, before, STREETS)
    may_swap, locked = np.stack(swappers, axis=1), np.zeros_like(positions.stashes)
    answers = (all_false, none, none, unanswered, all_false, none, unanswered)
    return Round(positions, exchanger, staker, dumper, *answers, may_swap, locked, unanswered)


def _repeat_winners(winners: Array, before: Array, token: int) -> Array:
    """Return the winner of a token if it also had the token before (G15)."""
    winner = winners[:, token]
    return np.where((winner != NOBODY) & (winner == before[token]), winner, NOBODY)


class Settled(NamedTuple):
    """Rounds that have been played out up to the draw of favors."""

    positions: Positions  # after the Investigator's die was taken
    over: Array  # by row, whether the game is over
    discarded: Array  # by row, whether the Investigator's holder discards a favor instead of taking a die
    scores: Floats  # by row and seat, the final scores of finished games
    strengths: Strengths  # for other games, the net's output without the cost of a discarded favor
    values: Floats  # by row and seat, the mean score with average hands

    def rows(self, which: Array) -> Settled:
        """Return some of the rows."""
        return Settled(
            self.positions.rows(which),
            self.over[which],
            self.discarded[which],
            self.scores[which],
            self.strengths.rows(which),
            self.values[which],
        )

    def values_with(self, situation: Situation, worths: Floats) -> Floats:
        """Return the mean score by row and seat; `worths` has the worths of each hand, by seat (and row)."""
        return np.where(self.over[:, None], self.scores, scores_with(situation, self.strengths, worths))


class Settler:
    """Plays rounds out; a net estimates the values of the resulting positions."""

    def __init__(self, nets: Nets, situation: Situation) -> None:
        self._nets = nets
        self._situation = situation
        self._average = np.array([nets.worths.of_size(limit) for limit in situation.hand_limits])

    def settle(self, rounds: Round) -> Settled:
        """Play rounds out: the reference's answers, the Investigator's die, and the win check."""
        work = _Work(self._situation, rounds)
        _exchange(work)
        _stake(work)
        _dump(work)
        for seat in range(self._situation.seats):
            _swap(work, seat)
        over = _is_over(work)
        if self._situation.options.win_check == "win_first":
            discarded = _take(work, over)
            over = over[work.branches[-1][0]]
        else:
            discarded = _take(work, np.zeros_like(over))
            over = _is_over(work)
        positions = Positions(
            work.stashes, rounds.positions.control[work.rows], work.speakeasy, work.streets, work.investigator
        )
        return self._best_leaves(self.judged(positions, over, discarded), work.branches)

    def judged(self, positions: Positions, over: Array, discarded: Array) -> Settled:
        """Return the values of positions after a round; equal rows are evaluated once."""
        first, inverse = _equal_rows(positions, over, discarded)
        distinct, over, discarded = positions.rows(first), over[first], discarded[first]
        strengths = self._strengths(distinct, discarded)
        scores = final_scores(distinct.stashes.sum(axis=2), self._situation.out)
        settled = Settled(distinct, over, discarded, scores, strengths, scores)
        values = settled.values_with(self._situation, self._average)
        return settled._replace(values=values).rows(inverse)

    def _strengths(self, positions: Positions, discarded: Array) -> Strengths:
        net = self._nets.between
        strengths = strengths_of(net, self._situation, positions)
        holders = positions.control[:, INVESTIGATOR]
        for seat in np.unique(holders[discarded]).tolist():
            rows = np.flatnonzero(discarded & (holders == seat))
            base, weights = strengths_of(net, with_fewer(self._situation, seat), positions.rows(rows))
            base[:, seat] += weights[:, seat] @ self._nets.worths.of_discard(self._situation.hand_limits[seat])
            strengths.base[rows], strengths.weights[rows] = base, weights
        return strengths

    @staticmethod
    def _best_leaves(leaves: Settled, branches: list[tuple[Array, Array]]) -> Settled:
        """Return for each round the leaf of the best answers; they are chosen from the last stage to the first."""
        best = np.arange(len(leaves.over))
        for parents, owners in reversed(branches):
            dice = leaves.positions.stashes[best, owners].sum(axis=1)
            keys = leaves.values[best, owners] - PER_DIE * dice
            starts = np.flatnonzero(np.diff(parents, prepend=-1))
            highest = np.maximum.reduceat(keys, starts)
            best_rows = np.flatnonzero((keys == highest[parents]) | (owners == NOBODY))
            _, first = np.unique(parents[best_rows], return_index=True)
            best = best[best_rows[first]]
        return leaves.rows(best)


# The stages of a round, in the order in which they are played.


class _Work:
    """Rounds that are being played out; each stage replaces a row with one row per allowed answer.

    Attributes:
        rows: by row, the index of its round.
        branches: by stage, for each row its row before the stage, and the deciding seat (-1 if there is one answer).
    """

    def __init__(self, situation: Situation, rounds: Round) -> None:
        self.situation = situation
        self.rounds = rounds
        positions = rounds.positions
        self.rows = np.arange(len(positions))
        self.stashes = positions.stashes.copy()
        self.locked = rounds.locked.copy()
        self.speakeasy = positions.speakeasy
        self.streets = positions.streets
        self.investigator = positions.investigator
        self.branches: list[tuple[Array, Array]] = []

    def branch(self, owners: Array, allowed: Array) -> Array:
        """Replace each row with one row per allowed candidate, and return each new row's candidate."""
        parents, candidates = np.nonzero(allowed)
        self.branches.append((parents, np.where(allowed.sum(axis=1) > 1, owners, NOBODY)[parents]))
        self.rows = self.rows[parents]
        for name in ("stashes", "locked", "speakeasy", "streets", "investigator"):
            setattr(self, name, getattr(self, name)[parents])
        return candidates

    def spare(self, owners: Array) -> Array:
        here = np.arange(len(owners))
        return self.stashes[here, owners] - self.locked[here, owners]

    def give(self, owners: Array, dice: Array) -> None:
        """Remove dice from the owners' stashes; a row without an owner must have no dice."""
        self.stashes[np.arange(len(owners)), owners] -= dice


def _exchange(work: _Work) -> None:
    owners, known = work.rounds.exchanger, work.rounds.exchanged
    if (owners == NOBODY).all():
        return
    has = owners != NOBODY
    stash = work.stashes[np.arange(len(owners)), owners]
    allowed = (stash[:, None] >= GIVEN).all(axis=2) & (work.speakeasy[:, None] >= TAKEN).all(axis=2)
    allowed[known | ~has, 1:] = False
    candidates = work.branch(owners, allowed)
    owners, known, has = owners[work.rows], known[work.rows, None], has[work.rows, None]
    given = np.where(known, work.rounds.given[work.rows], GIVEN[candidates]) * has
    taken = np.where(known, work.rounds.taken[work.rows], TAKEN[candidates]) * has
    work.give(owners, given - taken)
    work.locked[np.arange(len(owners)), owners] += taken
    work.speakeasy = work.speakeasy + given - taken


def _stake(work: _Work) -> None:
    if (work.rounds.staker == NOBODY).all():
        return
    owners, known = work.rounds.staker[work.rows], work.rounds.staked[work.rows]
    allowed = np.ones((len(owners), len(_DICE)), dtype=bool)
    allowed[:, :NONE] = (work.spare(owners) > 0) & ((known == OPEN) & (owners != NOBODY))[:, None]
    candidates = work.branch(owners, allowed)
    owners, known = work.rounds.staker[work.rows], work.rounds.staked[work.rows]
    dice = _DICE[np.where(known == OPEN, candidates, known)] * (owners != NOBODY)[:, None]
    work.give(owners, dice)
    work.streets = work.streets + dice.sum(axis=1)


def _dump(work: _Work) -> None:
    rounds, situation = work.rounds, work.situation
    if (rounds.dumper == NOBODY).all():
        return
    owners = rounds.dumper[work.rows]
    known = (rounds.placed | (rounds.dumped_color != OPEN))[work.rows]
    spare = work.spare(owners)
    allowed = np.zeros((len(owners), len(_DICE)), dtype=bool)
    allowed[:, :NONE] = spare > 0
    lacks = (spare == 0).any(axis=1) if situation.options.investigator_colour == "any" else (spare == 0).all(axis=1)
    allowed[:, NONE] = lacks
    closed = known | (owners == NOBODY)
    counts = np.array([character.places for character in situation.cast])[owners]
    max_placed = int(counts.max())
    placements = _placements(max_placed)
    if max_placed:
        several = (placements <= spare[:, None]).all(axis=2) & (counts > 0)[:, None]
        allowed = np.concatenate([allowed, several], axis=1)
    allowed[closed] = False
    allowed[closed, len(_DICE) - 1] = True
    candidates = work.branch(owners, allowed)
    owners = rounds.dumper[work.rows]
    spare = work.spare(owners)
    colour = np.where((rounds.dumped_color != OPEN)[work.rows], rounds.dumped_color[work.rows], candidates)
    dice = spare * _DICE[np.minimum(colour, len(_DICE) - 1)]
    if max_placed:
        dice = np.where((colour >= len(_DICE))[:, None], placements[np.maximum(colour - len(_DICE), 0)], dice)
    dice = np.where(rounds.placed[work.rows, None], rounds.dumped[work.rows], dice) * (owners != NOBODY)[:, None]
    work.give(owners, dice)
    work.investigator = work.investigator + dice


def _swap(work: _Work, seat: int) -> None:
    may = work.rounds.swappers[work.rows, seat]
    if not may.any():
        return
    owners = np.where(may, seat, NOBODY)
    allowed = (work.spare(owners)[:, None] >= _SWAPS[0]).all(axis=2) & (work.speakeasy[:, None] >= _SWAPS[1]).all(
        axis=2
    )
    allowed[~may, 1:] = False
    candidates = work.branch(owners, allowed)
    given, taken = _SWAPS[0][candidates], _SWAPS[1][candidates]
    work.give(np.full(len(candidates), seat), given - taken)
    work.speakeasy = work.speakeasy + given - taken


def _is_over(work: _Work) -> Array:
    over: Array = (work.stashes.sum(axis=2) == 0).any(axis=1)
    return over if work.situation.rounds_left > 0 else np.ones_like(over)


def _take(work: _Work, over: Array) -> Array:
    """Let the Investigator's holder take a die (G24 to G26) unless the game is over.

    Returns:
        For each row, whether the holder discards a favor instead.
    """
    control, known = work.rounds.positions.control[work.rows], work.rounds.take[work.rows]
    owners = np.where(over | (work.investigator == 0).all(axis=1), NOBODY, control[:, INVESTIGATOR])
    takes = owners != NOBODY
    opened = takes & ((known == OPEN) | (known == DIE))
    allowed = np.zeros((len(owners), len(_DICE) + 1), dtype=bool)  # the last candidate means discarding
    allowed[:, : len(COLORS)] = (work.investigator > 0) & opened[:, None]
    allowed[:, len(COLORS)] = ~opened | (control[:, LAWYER] == owners)
    allowed[:, len(_DICE)] = takes & (known == OPEN) & _may_discard(work.situation)[owners]
    candidates = work.branch(owners, allowed)
    known, takes, opened = work.rounds.take[work.rows], takes[work.branches[-1][0]], opened[work.branches[-1][0]]
    discarded = takes & ((known == DISCARD) | (opened & (candidates == len(_DICE))))
    dice = _DICE[np.where(discarded, NONE, np.where(opened, candidates, known))] * takes[:, None]
    owners = np.where(takes, work.rounds.positions.control[work.rows, INVESTIGATOR], 0)
    work.give(owners, -dice)
    work.investigator = work.investigator - dice
    return discarded


def _may_discard(situation: Situation) -> Array:
    return np.array(
        [
            character.discards_above is not None and limit > character.discards_above
            for character, limit in zip(situation.cast, situation.hand_limits, strict=True)
        ]
    )


def with_fewer(situation: Situation, seat: int) -> Situation:
    """Return a situation after a seat has discarded a favor instead of taking a die."""
    limits = tuple(limit - (other == seat) for other, limit in enumerate(situation.hand_limits))
    return situation._replace(hand_limits=limits)


_HASH_FACTORS: Final = np.random.default_rng(42).integers(1, 2**62, 32, dtype=np.int64) * 2 + 1


def _equal_rows(positions: Positions, *flags: Array) -> tuple[Array, Array]:
    """Return the index of the first row of each set of equal rows, and for each row the number of its set."""
    parts = [positions.stashes.reshape(len(positions), -1), positions.control, positions.speakeasy]
    parts += [positions.investigator, positions.streets[:, None], *[flag[:, None] for flag in flags]]
    key = np.zeros(len(positions), dtype=np.int64)
    for column, factor in zip(np.concatenate(parts, axis=1).T, _HASH_FACTORS, strict=False):
        key += (column + 2) * factor  # wraps around; two different rows collide once in 10^13 pairs
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    return first, inverse
