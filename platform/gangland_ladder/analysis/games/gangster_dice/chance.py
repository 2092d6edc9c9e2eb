"""Chance in Gangster Dice: the probabilities of all seats' rolls, and the value of drawn favors."""

from functools import lru_cache

import numpy as np

from gangland.gangster_dice.cards import DIE_FACES, SPECIAL, TOKENS, Dice
from gangland.gangster_dice.state import State
from gangland_ladder.analysis.games.gangster_dice.positions import FAVOR_VALUES, Array, Floats

# Rolls: their probabilities, and evenly spread samples of them.

_FACES = 6


@lru_cache(maxsize=20_000)
def roll_distribution(dice: Dice) -> tuple[Array, Floats]:
    """Return every roll of a stash, as ascending counts of symbols by token, and the probability of each."""
    chance_by_symbols: dict[tuple[int, ...], float] = {(0,) * len(TOKENS): 1.0}
    for colour, count in enumerate(dice):
        for _ in range(count):
            after: dict[tuple[int, ...], float] = {}
            for symbols, chance in chance_by_symbols.items():
                for token in TOKENS:
                    faces = DIE_FACES[colour].count(token)
                    increased = (*symbols[:token], symbols[token] + 1, *symbols[token + 1 :])
                    after[increased] = after.get(increased, 0.0) + chance * faces / _FACES
            chance_by_symbols = after
    counts = sorted(chance_by_symbols)
    return np.array(counts), np.array([chance_by_symbols[each] for each in counts])


def sample_rolls(stashes: Array, rows: int, rng: np.random.Generator) -> Array:
    """Return an unbiased sample of rolls, by row, seat and token.

    Each seat's rolls are spread evenly over all its possible rolls, and shuffled.
    """
    rolls = np.empty((rows, len(stashes), len(TOKENS)), dtype=np.int64)
    for seat, stash in enumerate(stashes):
        white, red, blue = map(int, stash)
        counts, chances = roll_distribution((white, red, blue))
        points = (np.arange(rows) + rng.random()) / rows
        indexes = np.searchsorted(np.cumsum(chances), points, side="right")
        rolls[:, seat] = counts[rng.permutation(np.minimum(indexes, len(counts) - 1))]
    return rolls


# Favors that are drawn at the end of a round: their mean value if the deck is known.


def deck_worth(state: State, favors: Floats) -> float:
    """Return the mean value of a favor in the deck; if the deck is nearly empty, the discards are included."""
    cards = np.bincount(state.deck, minlength=FAVOR_VALUES)
    if len(state.deck) < 2 * len(state.hands):
        cards[: len(state.public.discards)] += np.array(state.public.discards)
    return float(cards @ favors / max(1, cards.sum()))


def after_draws(
    state: State, left: Array, special: Array, held: Floats, favors: Floats, *, reveals: bool, bids: State
) -> tuple[Floats, Floats]:
    """Return the possible values of the hands after all draws, by row and seat, and the probability of each row.

    Args:
        state: the state before the draws.
        left, special: by seat, the number of favors drawn from the deck and from the stack of +4s.
        held: by seat, the value of the hand before the draws.
        favors: the value of a favor, by its printed value.
        reveals: whether the bids are played in the same step, so that `state` does not have them as discards yet.
        bids: the state after the last bids were played.
    """
    deck = np.bincount(state.deck, minlength=FAVOR_VALUES)[None]
    discards = np.zeros(FAVOR_VALUES, dtype=np.int64)
    discards[: len(state.public.discards)] += np.array(state.public.discards)
    bids_by_seat = _last_bids(bids, state.opening.round) if reveals else state.public.bids
    for seat_bids in bids_by_seat:
        for _, favor, _ in seat_bids:
            if favor != SPECIAL or len(state.public.discards) > SPECIAL:
                discards[favor] += 1
    hand_values = (held + special * favors[SPECIAL])[None]
    chances = np.ones(1)
    for seat, count in enumerate(left):
        for _ in range(int(count)):
            if not deck[0].sum():
                deck, discards = deck + discards, np.zeros_like(discards)
            rows, values = np.nonzero(deck)
            chances = chances[rows] * deck[rows, values] / deck[rows].sum(axis=1)
            hand_values = hand_values[rows]
            hand_values[:, seat] += favors[values]
            deck = deck[rows]
            deck[np.arange(len(rows)), values] -= 1
    return hand_values, chances


def _last_bids(state: State, number: int) -> tuple[tuple[tuple[int, int, int], ...], ...]:
    if state.opening.round == number:
        return state.public.bids
    return state.public.history[0].bids
