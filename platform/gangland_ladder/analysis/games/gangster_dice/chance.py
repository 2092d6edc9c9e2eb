"""Chance in Gangster Dice: the probabilities of all seats' rolls, and of the hands after draws."""

from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

import numpy as np

from gangland.gangster_dice.cards import COLORS, DIE_FACES, SPECIAL, TOKENS, Dice
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


# One die may be rolled again (G34): an option is to keep all dice, or a color and the token that the die shows.

REROLLS: Final = (None, *product(COLORS, TOKENS))
_CHANCES: Final = np.array([[DIE_FACES[color].count(token) / _FACES for token in TOKENS] for color in COLORS])


class Rerolls(NamedTuple):
    """Rolls after which one seat may roll a die again."""

    symbols: Array  # by row, option (`REROLLS`), new token, seat and token; all new tokens are alike if dice are kept
    chances: Floats  # by option and new token
    allowed: Array  # by row and option


def sample_rerolls(stashes: Array, seat: int, rows: int, rng: np.random.Generator) -> Rerolls:
    """Return a sample of rolls, and the rolls that the seat can make of each."""
    symbols = sample_rolls(stashes, rows, rng)
    dice = np.stack([rng.multinomial(stashes[seat, color], _CHANCES[color], rows) for color in COLORS], axis=1)
    symbols[:, seat] = dice.sum(axis=1)
    return rerolls_of(symbols, dice, seat)


def rerolls_of(symbols: Array, dice: Array, seat: int) -> Rerolls:
    """Return the rolls that a seat can make of others; `dice` has its number of dice by row, color and token."""
    rows, count = len(symbols), len(TOKENS)
    after = np.repeat(symbols[:, None], len(REROLLS), axis=1)[:, :, None].repeat(count, axis=2)
    chances, allowed = np.full((len(REROLLS), count), 1 / count), np.ones((rows, len(REROLLS)), dtype=bool)
    for option, (color, token) in enumerate(product(COLORS, TOKENS), 1):
        allowed[:, option] = dice[:, color, token] > 0
        chances[option] = _CHANCES[color]
        after[:, option, :, seat, token] -= 1
        after[:, option, TOKENS, seat, TOKENS] += 1
    return Rerolls(np.maximum(after, 0), chances, allowed)


# Favors that are drawn at the end of a round.


def deck_of(state: State) -> Array:
    """Return the number of favors of each value in the deck; if it is nearly empty, the discards are included."""
    cards = np.bincount(state.deck, minlength=FAVOR_VALUES)
    if len(state.deck) < 2 * len(state.hands):
        cards[: len(state.public.discards)] += np.array(state.public.discards)
    return cards


def after_draws(
    state: State, left: Array, special: Array, held: Array, *, reveals: bool, bids: State
) -> tuple[Array, Floats]:
    """Return the possible hands after all draws, by row, seat and value, and the probability of each row.

    Args:
        state: the state before the draws.
        left, special: by seat, the number of favors drawn from the deck and from the stack of +4s.
        held: by seat and value, the number of favors in the hand before the draws.
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
    hands = held[None].copy()
    hands[0, :, SPECIAL] += special
    chances = np.ones(1)
    for seat, count in enumerate(left):
        for _ in range(int(count)):
            if not deck[0].sum():
                deck, discards = deck + discards, np.zeros_like(discards)
            rows, values = np.nonzero(deck)
            chances = chances[rows] * deck[rows, values] / deck[rows].sum(axis=1)
            hands, deck = hands[rows], deck[rows]
            hands[np.arange(len(rows)), seat, values] += 1
            deck[np.arange(len(rows)), values] -= 1
    return hands, chances


def _last_bids(state: State, number: int) -> tuple[tuple[tuple[int, int, int], ...], ...]:
    if state.opening.round == number:
        return state.public.bids
    return state.public.history[0].bids
