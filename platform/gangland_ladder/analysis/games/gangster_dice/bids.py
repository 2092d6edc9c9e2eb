"""Solve the bids of one round of Gangster Dice, from public information: the seats do not know each other's hands.

A seat's *type* is its hand, and an *action* is a set of bids. The winners of the tokens depend only on the actions, and
the round has been played out for all possible winners (`Outcomes`). Regret matching finds each type's mix of actions.
At two seats, each seat derives the other's possible hands from its own. At larger tables, the solution treats hands as
if they were drawn independently.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from math import comb
from typing import Final, NamedTuple

import numpy as np

from gangland.gangster_dice import legality
from gangland.gangster_dice.cards import LAWYER, SPECIAL, STREETS, TOKENS
from gangland.gangster_dice.state import State
from gangland_ladder.analysis.games.gangster_dice.chance import Rerolls, sample_rerolls, sample_rolls
from gangland_ladder.analysis.games.gangster_dice.effects import Settled, Settler, round_of
from gangland_ladder.analysis.games.gangster_dice.positions import (
    FAVOR_VALUES,
    NOBODY,
    Array,
    Floats,
    HandWorths,
    Nets,
    Positions,
    Situation,
    WayNet,
    position_of,
    possible_ways,
    roll_traits,
    scores_of_chances,
    way_chances,
)

# Outcomes: the rest of a round, played out for all possible winners of its tokens.


@lru_cache(maxsize=4)
def ways(seats: int) -> tuple[Array, Array]:
    """Return all ways in which the tokens can be won, and the row of each way's number.

    The first array has one way per row: for each token the seat that wins it, or -1. At two seats, a seat may win two
    tokens (G9), otherwise only one. A way's number has a digit for each token; 0 means that no seat wins it.
    """
    max_tokens = 2 if seats == 2 else 1
    every = product(range(NOBODY, seats), repeat=len(TOKENS))
    winners_by_way = [way for way in every if all(way.count(seat) <= max_tokens for seat in range(seats))]
    row = np.full((seats + 1) ** len(TOKENS), NOBODY)
    winners = np.array(winners_by_way)
    row[(winners + 1) @ digits(seats)] = np.arange(len(winners_by_way))
    return winners, row


@lru_cache(maxsize=4)
def digits(seats: int) -> Array:
    """Return the weight of each token's digit in a way's number."""
    return (seats + 1) ** np.arange(len(TOKENS))


class Outcomes:
    """The outcomes of a round for each way of winning the tokens (`ways`), from the position before the roll.

    Attributes:
        worths: of hands.
        winners: by way and token.
        row_of: the row of each way's number.
        settled: the position after the round, before favors are drawn.
        special: by way and seat, whether the seat draws a +4 (G27).
        plus, times: by way and seat, the score is `plus` + `times` * the seat's probability of winning the game.
    """

    def __init__(self, nets: Nets, situation: Situation, begun: Positions, specials: int) -> None:
        """Play out all ways; `specials` is the number of +4s that are left in the stack."""
        self.situation = situation
        self.worths = nets.worths
        self.settler = Settler(nets, situation)
        self.winners, self.row_of = ways(situation.seats)
        self.settled: Settled = self.settler.settle(round_of(begun, situation.cast, self.winners))
        self.special = special_draws(situation, begun, self.winners, specials)
        # Scores are linear in the chances: `plus` is the score with chances of 0, `times` the gain from a certain win.
        ends = scores_of_chances(np.zeros((1, situation.seats)), situation.out)[0]
        tops = np.diagonal(scores_of_chances(np.eye(situation.seats), situation.out))
        over = self.settled.over[:, None]
        self.plus = np.where(over, self.settled.scores, ends)
        self.times = np.where(over, 0.0, tops - ends)

    def worths_after(self, hands: Array, deck: Array) -> Floats:
        """Return the worths of hands after the round, by way, seat and worth, if seats bid with their lowest favors.

        Args:
            hands: by seat and value.
            deck: number of favors of each value, from which the seats draw.
        """
        count = 2 if self.situation.seats == 2 else 1
        rest = hands.copy()
        for hand in rest:
            for _ in range(count):
                hand[np.flatnonzero(hand)[:1]] -= 1
        with_special = self.worths.drawing(deck, count - 1).of(rest + (np.arange(FAVOR_VALUES) == SPECIAL))
        return np.where(self.special[:, :, None], with_special, self.worths.drawing(deck, count).of(rest))


def stakes_of(values: Floats) -> Floats:
    """Return the gains of each way compared with winning no token, as input for the net of ways.

    For two seats: by way, the gain of the first seat. For more seats, if only one token is won: by token, winner and
    seat.

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


def special_draws(situation: Situation, begun: Positions, winners: Array, specials: int) -> Array:
    """Return by row and seat whether the seat draws a +4 (G27)."""
    winner = winners[:, LAWYER, None]
    held = begun.control[0, LAWYER]
    seats = np.arange(situation.seats)
    always = np.array([character.always_special for character in situation.cast])
    draws: Array = (winner == seats) & ((held == seats) | always) & (specials > 0)
    return draws


def estimated(
    net: WayNet, outcomes: Outcomes, strengths: Array, streets: int, hands: Array, worths: Floats
) -> tuple[Floats, Floats]:
    """Return the mean scores after rolls, by row and seat, and the probability of each way, by row.

    The net of ways estimates the probabilities.

    Args:
        strengths: by row, seat and token, the scores of bids without their favors (`strengths_of`).
        streets: the seat that controls the Streets; -1 if no seat does.
        hands: by seat and value.
        worths: of the hands after the round, by seat and worth (and by way).
    """
    by_way = outcomes.settled.values_with(outcomes.situation, worths)
    traits = roll_traits(strengths, hands, streets, stakes_of(by_way))
    chances = way_chances(net, traits, possible_ways(strengths, outcomes.winners)).astype(np.float64)
    chances /= chances.sum(axis=1, keepdims=True)
    return chances @ by_way, chances


def known_hands(worths: HandWorths, visible: Visible, seat: int, hand: Array) -> tuple[Floats, Floats]:
    """Return the mean number of favors of each value in each hand, and the mean worths, as a seat knows them."""
    pool = visible.pool - hand
    pool[SPECIAL] += visible.known[seat]
    hidden = visible.sizes - visible.known
    means = hidden[:, None] * pool / max(1, pool.sum())
    means[:, SPECIAL] += visible.known
    means[seat] = hand
    sizes = zip(visible.sizes.tolist(), visible.known.tolist(), strict=True)
    mean_worths = np.array([worths.of_size(size, pool, known) for size, known in sizes])
    mean_worths[seat] = worths.of(hand)
    return means, mean_worths


def rerolled(
    net: WayNet, outcomes: Outcomes, position: Positions, rerolls: Rerolls, visible: Visible, seat: int, hands: Array
) -> tuple[Floats, Floats]:
    """Return the mean scores after all rerolls of a seat, as the net of ways estimates them.

    Args:
        visible: the public information apart from the roll.

    Returns:
        The scores by row, option (`chance.REROLLS`), new token and seat; and based on the rerolling seat's knowledge,
        by row, option and seat, -1 if the option is not allowed.
    """
    symbols, worths = rerolls.symbols.reshape(-1, *rerolls.symbols.shape[3:]), outcomes.worths
    strengths = strengths_of(outcomes.situation, position, symbols)
    values, known = [
        estimated(net, outcomes, strengths, visible.streets, *each)[0].reshape(*rerolls.symbols.shape[:3], -1)
        for each in ((hands, worths.of(hands)), known_hands(worths, visible, seat, hands[seat]))
    ]
    means = (known * rerolls.chances[None, :, :, None]).sum(axis=2)
    return values, np.where(rerolls.allowed[:, :, None], means, -1.0)


class Rolls(NamedTuple):
    """A sample of rolls, after a reroll if a seat may roll a die again."""

    mean: Floats  # by seat, the mean score, as the net of ways estimates it
    ways: Floats  # by way, its mean probability
    # symbols, values: a few of the rolls, by row, seat and token, and the net's scores for them, by row and seat
    symbols: Array
    values: Floats


def sampled(
    net: WayNet, outcomes: Outcomes, position: Positions, visible: Visible, hands: Array, deck: Array,
    rng: np.random.Generator, *, rolls: int, few: int,
) -> Rolls:  # fmt: skip
    """Return a sample of the rolls at the start of a round.

    Args:
        position: before the roll.
        visible: the public information apart from the roll.
        hands: by seat and value.
        deck: number of favors of each value, from which the seats draw.
    """
    situation, stashes = outcomes.situation, position.stashes[0]
    rerolling = [seat for seat, character in enumerate(situation.cast) if character.rerolls]
    if not rerolling or rerolling[0] in situation.out:
        symbols = np.concatenate([sample_rolls(stashes, rolls, rng), sample_rolls(stashes, few, rng)])
        strengths, worths = strengths_of(situation, position, symbols), outcomes.worths_after(hands, deck)
        values, chances = estimated(net, outcomes, strengths, visible.streets, hands, worths)
        return Rolls(values[:rolls].mean(axis=0), chances[:rolls].mean(axis=0), symbols[rolls:], values[rolls:])
    seat, rolls = rerolling[0], rolls // _REROLLED_SHARE + few
    rerolls = sample_rerolls(stashes, seat, rolls, rng)
    values, known = rerolled(net, outcomes, position, rerolls, visible, seat, hands)
    rows, best = np.arange(rolls), known[:, :, seat].argmax(axis=1)
    means = (values[rows, best] * rerolls.chances[best][:, :, None]).sum(axis=1)
    new = (rng.random((rolls, 1)) > np.cumsum(rerolls.chances[best], axis=1)[:, :-1]).sum(axis=1)
    symbols, values = rerolls.symbols[rows, best, new], values[rows, best, new]
    strengths = strengths_of(situation, position, symbols)
    chances = estimated(net, outcomes, strengths, visible.streets, hands, outcomes.worths.of(hands))[1]
    return Rolls(means[few:].mean(axis=0), chances.mean(axis=0), symbols[:few], values[:few])


# Solving the bids.

Bids = tuple[tuple[int, int], ...]  # Pairs of a token and a favor, as in a decision.

ITERATIONS: Final = 50  # Number of iterations of regret matching.
_STEEPEST: Final = 60.0  # Maximum difference between two strengths.
_MAX_CARDS: Final = 43
_REROLLED_SHARE: Final = 16  # Fewer rolls are sampled by this factor if a die may be rolled again.
_BINOMIALS: Final = np.array([[comb(n, k) for k in range(8)] for n in range(_MAX_CARDS)], dtype=np.float64)


class Visible(NamedTuple):
    """The public information when bids are open."""

    strengths: Array  # by seat and token, the score of a bid without its favor; 0 if the seat lacks the symbol
    streets: int  # the seat that controls the Streets; -1 if no seat does
    pool: Array  # number of unseen favors of each value
    known: Array  # by seat, number of +4s in the hand that were won in public
    sizes: Array  # by seat, number of favors in the hand


def visible_of(state: State, situation: Situation) -> Visible:
    """Return the public information in a state in which bids are open or will be open."""
    public, position = state.public, position_of(state, state.public.opening.control)
    return Visible(
        strengths_of(situation, position, np.array(public.opening.symbols)),
        int(position.control[0, STREETS]),
        hidden_favors(state),
        np.array(public.specials_held),
        np.array(public.hand_sizes),
    )


def strengths_of(situation: Situation, position: Positions, symbols: Array) -> Array:
    """Return the scores of bids without their favors; `symbols` has the symbols by seat and token (and by row)."""
    control, bonus = position.control[0], np.zeros(symbols.shape[-2:], dtype=np.int64)
    if control[STREETS] != NOBODY:
        bonus[control[STREETS]] += position.streets[0]
    for seat, character in enumerate(situation.cast):
        for token in TOKENS:
            bonus[seat, token] += character.bonus(token, held=bool(control[token] == seat))
    return np.where(symbols > 0, symbols + bonus, 0)


def hidden_favors(state: State) -> Array:
    """Return the number of unseen favors of each value: those in the deck and in hands, except known +4s."""
    pool = np.bincount(state.deck, minlength=FAVOR_VALUES)
    for hand, known in zip(state.hands, state.public.specials_held, strict=True):
        pool += np.bincount(hand, minlength=FAVOR_VALUES)
        pool[SPECIAL] -= known
    return pool


@lru_cache(maxsize=4_000)
def _hands(pool: tuple[int, ...], known: int, size: int) -> Array:
    hidden = size - known
    values = [range(min(count, hidden) + 1) for count in pool]
    counts_by_hand = [counts for counts in product(*values) if sum(counts) == hidden]
    hands = np.array(counts_by_hand or [(0,) * FAVOR_VALUES])
    hands[:, SPECIAL] += known
    return hands


class Actions(NamedTuple):
    """The possible actions of one seat, one per row."""

    bids: list[Bids]  # the bids in the form of decisions
    scores: Array  # by row and token; 0 without a bid
    spent: Array  # by row and value, number of favors played


@lru_cache(maxsize=4_000)
def _actions(strengths: tuple[int, ...], values: tuple[int, ...], limits: tuple[int, ...], heads_up: bool) -> Actions:
    """Return the possible actions with these favors; `limits` has the maximum number of favors of each value."""
    tokens = [token for token in TOKENS if strengths[token]]
    count = min(2 if heads_up else 1, len(tokens))
    dealt = [
        favors
        for favors in product(values, repeat=count)
        if all(favors.count(value) <= limits[value] for value in favors)
    ]
    bids: list[Bids] = [
        tuple(zip(on_tokens, favors, strict=True)) for on_tokens in combinations(tokens, count) for favors in dealt
    ]
    scores = np.zeros((len(bids), len(TOKENS)), dtype=np.int64)
    spent = np.zeros((len(bids), FAVOR_VALUES), dtype=np.int64)
    for row, pairs in enumerate(bids):
        for token, favor in pairs:
            scores[row, token] = strengths[token] + favor
            spent[row, favor] += 1
    return Actions(bids, scores, spent)


@dataclass(slots=True)
class Side:
    """One seat in the game of bids."""

    hands: Array  # the seat's types: counts by value
    prior: Floats  # by type, its probability given only public information
    actions: Actions  # of the seat
    legal: Array  # by type and action, whether the action is legal
    count: int  # number of favors that each action plays
    mix: Floats  # by type and action, the probability that the reference plays the action
    is_fixed: bool  # whether the seat is at fault and does not choose

    def type_of(self, hand: Sequence[int]) -> int:
        """Return the index of the type with this hand."""
        counts = np.bincount(hand, minlength=FAVOR_VALUES)
        return int(np.flatnonzero((self.hands == counts).all(axis=1))[0])


def _chances(hands: Array, pool: Array, known: int) -> Floats:
    hidden = hands.copy()
    hidden[:, SPECIAL] -= known
    ways: Floats = _BINOMIALS[np.maximum(pool, 0), hidden].prod(axis=1)
    total = ways.sum()
    return ways / total if total else np.full(len(hands), 1 / len(hands))


class Bidding:
    """The solved bids of one round; `sides` is by seat."""

    def __init__(self, visible: Visible, outcomes: Outcomes, iterations: int = ITERATIONS) -> None:
        self._visible = visible
        self._outcomes = outcomes
        self._situation = outcomes.situation
        self.sides = [self._side(seat) for seat in range(self._situation.seats)]
        self._solve(iterations)

    # The game

    def _side(self, seat: int) -> Side:
        visible, situation = self._visible, self._situation
        pool, known, size = visible.pool, int(visible.known[seat]), int(visible.sizes[seat])
        hands = _hands(tuple(map(int, pool)), known, size)
        limits = hands.max(axis=0)
        values = tuple(np.flatnonzero(limits).tolist())
        heads_up = situation.seats == 2
        actions = _actions(tuple(visible.strengths[seat].tolist()), values, tuple(limits.tolist()), heads_up)
        legal = (actions.spent[None] <= hands[:, None]).all(axis=2)
        mix = legal / legal.sum(axis=1, keepdims=True)
        is_fixed = seat in situation.out
        if is_fixed:
            mix = np.zeros(legal.shape)
            for number, counts in enumerate(hands):
                mix[number, self._default(seat, counts, actions)] = 1.0
        prior, count = _chances(hands, pool, known), int(actions.spent[0].sum())
        return Side(hands, prior, actions, legal, count, mix, is_fixed)

    def _worths(self, seat: int, hands: Array, pick: Array, pool: Array | None = None) -> Floats:
        """Return the worths of a seat's hands after its actions and draws.

        Args:
            hands: by type and value, before the favors are played.
            pick: the actions.
            pool: the favors that the seat draws from, by value; None means all unseen favors.

        Returns:
            By whether the seat draws a +4, type, action and worth; impossible actions have any value.
        """
        side, worths = self.sides[seat], self._outcomes.worths
        pool = self._visible.pool if pool is None else pool
        rest = np.maximum(hands[:, None] - side.actions.spent[pick], 0)
        with_special = rest + (np.arange(FAVOR_VALUES) == SPECIAL)
        without = worths.drawing(pool, side.count).of(rest)
        return np.stack([without, worths.drawing(pool, max(0, side.count - 1)).of(with_special)])

    def _default(self, seat: int, counts: Array, actions: Actions) -> int:
        """Return the index of the action that a seat at fault plays (G38)."""
        hand = np.repeat(np.arange(FAVOR_VALUES), counts).tolist()
        tokens = legality.shown_tokens(tuple(self._visible.strengths[seat].tolist()))
        count = min(2 if self._situation.seats == 2 else 1, len(tokens))
        return actions.bids.index(tuple(zip(tokens[:count], hand, strict=False)))

    def way(self, bids: Sequence[Bids]) -> int:
        """Return the way that results from the bids of all seats."""
        picks = [np.array([side.actions.bids.index(own)]) for side, own in zip(self.sides, bids, strict=True)]
        return int(self.ways(picks).reshape(()))

    def ways(self, picks: Sequence[Array]) -> Array:
        """Return the way (`ways`) that results from each combination of one action per seat."""
        seats = len(self.sides)
        number = np.zeros((1,) * seats, dtype=np.int64)
        for token in TOKENS:
            levels, places = zip(
                *[
                    np.unique(side.actions.scores[pick, token], return_inverse=True)
                    for side, pick in zip(self.sides, picks, strict=True)
                ],
                strict=True,
            )
            grid = (self._winner(np.stack(np.meshgrid(*levels, indexing="ij"), axis=-1)) + 1) * digits(seats)[token]
            if grid.any():
                number = number + grid[np.ix_(*places)]
        shape = tuple(map(len, picks))
        return np.broadcast_to(self._outcomes.row_of[number], shape)

    def _winner(self, scores: Array) -> Array:
        """Return the winner of a token (G14) for scores whose last axis is the seat."""
        best = scores.max(axis=-1, keepdims=True)
        tied = (scores == best) & (best > 0)
        count = tied.sum(axis=-1)
        winner = np.where(count == 1, tied.argmax(axis=-1), NOBODY)
        several = count > 1
        favored = [seat for seat, character in enumerate(self._situation.cast) if character.wins_ties]
        if len(favored) == 1:
            winner = np.where(several & tied[..., favored[0]], favored[0], winner)
        if self._visible.streets != NOBODY:
            winner = np.where(several & tied[..., self._visible.streets], self._visible.streets, winner)
        return winner

    def _scores(self, picks: Sequence[Array], worths: Sequence[Floats], ways: Array, kind: type) -> list[Floats]:
        """Return each seat's mean score for every combination of one action per seat.

        Args:
            worths: by seat, the worths of its hand after each of these actions: by whether it draws a +4, action and
                worth.
        """
        outcomes, seats = self._outcomes, len(self.sides)
        strengths = outcomes.settled.strengths
        highest = strengths.base.max(axis=1)
        raised = []
        for seat, (pick, own) in enumerate(zip(picks, worths, strict=True)):
            hand = strengths.weights[:, seat] @ own.transpose(0, 2, 1)
            hand = np.where(outcomes.special[:, seat, None], hand[1], hand[0])
            strength = (strengths.base[:, seat] - highest)[:, None] + hand
            by_way = np.exp(np.clip(strength, -_STEEPEST, _STEEPEST))
            if seat in self._situation.out:
                by_way = np.zeros_like(by_way)
            shape = [1] * seats
            shape[seat] = len(pick)
            places = np.arange(len(pick)).reshape(shape)
            raised.append(by_way.astype(kind)[ways, places])
        total = np.add.reduce(raised)
        plus, times = outcomes.plus.astype(kind), outcomes.times.astype(kind)
        return [plus[ways, seat] + times[ways, seat] * (raised[seat] / total) for seat in range(seats)]

    # The solution

    def _solve(self, iterations: int) -> None:
        """Find the mixes by predictive regret matching, with averages that give later iterations more weight."""
        sides = self.sides
        picks = [np.arange(len(side.actions.bids)) for side in sides]
        worths = [
            self._worths(seat, side.hands, pick) for seat, (side, pick) in enumerate(zip(sides, picks, strict=True))
        ]
        means = [self._means(side, worth) for side, worth in zip(sides, worths, strict=True)]
        ways = self.ways(picks)
        scores = self._scores(picks, means, ways, np.float32)
        free = [seat for seat, side in enumerate(sides) if not side.is_fixed]
        duel = _Duel(self, scores, ways, worths, means) if len(sides) == 2 else None
        payoffs: list[Floats] = []
        if duel is None:
            payoffs = [np.ascontiguousarray(np.moveaxis(score, seat, 0)) for seat, score in enumerate(scores)]
        regrets = [np.zeros(side.legal.shape, dtype=np.float32) for side in sides]
        masks = [side.legal.astype(np.float32) for side in sides]
        mixes = [side.mix.astype(np.float32) for side in sides]
        priors = [side.prior.astype(np.float32) for side in sides]
        sums = [np.zeros(side.legal.shape, dtype=np.float32) for side in sides]
        mean_mixes = [prior @ mix for prior, mix in zip(priors, mixes, strict=True)]
        for number in range(1, iterations + 1):
            for seat in free:
                if duel is not None:
                    gains = duel.gains(seat, mixes[1 - seat])
                else:
                    gains = _mean_over(payoffs[seat], mean_mixes[:seat] + mean_mixes[seat + 1 :])
                    gains = np.broadcast_to(gains, masks[seat].shape)
                mix, mask = mixes[seat], masks[seat]
                regret = (gains - (mix * gains).sum(axis=1, keepdims=True)) * mask
                regrets[seat] = np.maximum(regrets[seat] + regret, 0)
                predicted = np.maximum(regrets[seat] + regret, 0)
                total = predicted.sum(axis=1, keepdims=True)
                mixes[seat] = np.where(
                    total > 0, predicted / np.maximum(total, 1e-20), mask / mask.sum(axis=1, keepdims=True)
                )
                sums[seat] += number * number * mixes[seat]
                mean_mixes[seat] = priors[seat] @ mixes[seat]
        for seat in free:
            mix = sums[seat].astype(np.float64)
            sides[seat].mix = mix / mix.sum(axis=1, keepdims=True)

    def _means(self, side: Side, worths: Floats) -> Floats:
        """Return the worths after each action of a mean hand, by whether a +4 is drawn, action and worth.

        They are the mean of all hands, and the mean change that the action makes in a hand which allows it. So an
        action is not worth more because only strong hands allow it.
        """
        before = self._outcomes.worths.of(side.hands)
        changes = worths - before[:, None]
        return side.prior @ before + _mean_worths(side.prior[:, None] * side.legal, changes)

    def posteriors(self, seat: int) -> Floats:
        """Return, by type of a seat at a table of two, the probabilities of the other seat's types."""
        hands = self.sides[seat].hands
        return np.array(
            [self._posterior(1 - seat, self._other_cards(seat, counts)) for counts in hands], dtype=np.float32
        )

    def hand_weights(self, seat: int) -> tuple[Floats, Floats]:
        """Return the mean weights of a seat's worths, and a factor for them by way; 0 if the game is over."""
        settled = self._outcomes.settled
        weights = np.where(settled.over[:, None], 0.0, settled.strengths.weights[:, seat])
        mean = weights.mean(axis=0)
        return mean, (weights @ mean / max(1e-12, mean @ mean)).astype(np.float32)

    def _other_cards(self, seat: int, counts: Array) -> Array:
        left = self._visible.pool - counts
        left[SPECIAL] += self._visible.known[seat]
        return left

    def _posterior(self, seat: int, pool: Array) -> Floats:
        side = self.sides[seat]
        return _chances(side.hands, pool, int(self._visible.known[seat]))

    # Results

    def judgment(self, seat: int, hand: Sequence[int]) -> Judgment:
        """Return the value of each legal action to a seat with this hand, based on the seat's knowledge."""
        counts = np.bincount(hand, minlength=FAVOR_VALUES)
        left = self._other_cards(seat, counts)
        own, picks, worths, weights = self.sides[seat].type_of(hand), [], [], []
        for other, side in enumerate(self.sides):
            if other == seat:
                pick = np.flatnonzero(side.legal[own])
                picks.append(pick)
                worths.append(self._worths(seat, counts[None], pick)[:, 0])
                continue
            posterior = self._posterior(other, left)
            frequency = posterior @ side.mix
            pick = np.flatnonzero(frequency > 1e-6)
            frequency = frequency[pick]
            mix = posterior[:, None] * side.mix[:, pick]
            worths.append(_mean_worths(mix, self._worths(other, side.hands, pick)))
            weights.append(frequency / frequency.sum())
            picks.append(pick)
        ways = self.ways(picks)
        scores = self._scores(picks, worths, ways, np.float64)
        values = np.stack([_mean_over(np.moveaxis(score, seat, 0), weights) for score in scores], axis=1)
        side = self.sides[seat]
        mix = side.mix[own, picks[seat]]
        return Judgment([side.actions.bids[number] for number in picks[seat]], values, mix, seat, ways, weights, self)

    def played(self, hands: Sequence[Sequence[int]], deck: Array | None = None) -> tuple[Floats, Floats]:
        """Return each seat's mean score with these hands if all play the reference's mixes, and each way's probability.

        `deck` has the number of favors of each value from which the seats draw; None means all unseen favors.
        """
        picks, worths = [], []
        chances = np.ones(1)
        for seat, (side, hand) in enumerate(zip(self.sides, hands, strict=True)):
            own = side.type_of(hand)
            pick = np.flatnonzero(side.mix[own] > 1e-4)
            picks.append(pick)
            worths.append(self._worths(seat, side.hands[own : own + 1], pick, deck)[:, 0])
            frequency = side.mix[own, pick]
            chances = chances[..., None] * (frequency / frequency.sum())
        chances = chances[0]
        ways = self.ways(picks)
        scores = self._scores(picks, worths, ways, np.float64)
        by_way = np.bincount(ways.ravel(), chances.ravel(), len(self._outcomes.winners))
        return np.array([float((score * chances).sum()) for score in scores]), by_way


class Judgment(NamedTuple):
    """The values of a seat's legal actions, one per row."""

    bids: list[Bids]  # the actions
    values: Floats  # by row and seat, the mean score, based on the deciding seat's knowledge
    mix: Floats  # by row, the probability that the reference plays the action
    seat: int
    ways: Array
    weights: list[Floats]
    bidding: Bidding

    def wins(self) -> Floats:
        """Return by row and token the probability of winning the token."""
        winners = self.bidding._outcomes.winners
        mine = [
            _mean_over(
                np.moveaxis((winners[:, token] == self.seat)[self.ways].astype(float), self.seat, 0), self.weights
            )
            for token in TOKENS
        ]
        return np.stack(mine, axis=1)


def _mean_over(table: Floats, others: Sequence[Floats]) -> Floats:
    for weights in reversed(others):
        table = table @ weights
    return table


def _mean_worths(shares: Floats, worths: Floats) -> Floats:
    """Return the mean worths by whether a +4 is drawn, action and worth; `shares` is by type and action."""
    total = shares.sum(axis=0)
    means: Floats = np.einsum("ta,dtaw->daw", shares / np.where(total > 0, total, 1.0), worths)
    return means


class _Duel:
    """The bids of two seats as matrices: scores for pairs of actions with mean hands, and the effect of other hands."""

    def __init__(
        self, bidding: Bidding, scores: Sequence[Floats], ways: Array, worths: Sequence[Floats], means: Sequence[Floats]
    ) -> None:
        steep = scores[0] * scores[1]
        weights = [bidding.hand_weights(seat) for seat in range(2)]
        self._payoffs, self._crossed, self._offsets = [], [], []
        for seat, table in enumerate(scores):
            own, other = steep * weights[seat][1][ways], -steep * weights[1 - seat][1][ways]
            turn = (lambda matrix: matrix) if seat == 0 else np.transpose
            self._payoffs.append(np.concatenate([turn(table), turn(own)]))
            self._crossed.append(np.ascontiguousarray(turn(other)))
            offsets = (worths[seat][0] - means[seat][0]) @ weights[seat][0]  # the +4s that are drawn change them little
            self._offsets.append((offsets * bidding.sides[seat].legal).astype(np.float32))
        self._posteriors = [bidding.posteriors(seat) for seat in range(2)]

    def gains(self, seat: int, mix: Floats) -> Floats:
        posteriors, payoffs = self._posteriors[seat], self._payoffs[seat]
        both = (payoffs @ (posteriors @ mix).T).T
        actions = len(payoffs) // 2
        crossed = (self._crossed[seat] @ (posteriors @ (self._offsets[1 - seat] * mix)).T).T
        gains: Floats = both[:, :actions] + self._offsets[seat] * both[:, actions:] + crossed
        return gains
