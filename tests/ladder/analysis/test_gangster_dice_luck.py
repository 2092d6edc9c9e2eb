"""Luck of rolls and draws has the mean that it is measured from."""

from itertools import combinations

import numpy as np
import pytest
from tests.kits.gangster_dice_kit import GAME, asking

from gangland.chance import SeededChance
from gangland.gangster_dice.cards import DECK, DIE_FACES
from gangland_ladder.analysis.games.gangster_dice.chance import (
    REROLLS,
    after_draws,
    deck_of,
    rerolls_of,
    roll_distribution,
    sample_rolls,
)
from gangland_ladder.analysis.games.gangster_dice.positions import nets


def test_g3_rolls_are_as_likely_as_the_faces_make_them() -> None:
    rolls, chances = roll_distribution((1, 0, 2))
    assert chances.sum() == pytest.approx(1)
    assert rolls.sum(axis=1).tolist() == [3] * len(rolls)
    wanted = [(DIE_FACES[0].count(token) + 2 * DIE_FACES[2].count(token)) / 6 for token in range(4)]
    assert chances @ rolls == pytest.approx(wanted)
    (no_gavels,) = [chances[rolls[:, 0] == 0].sum()]
    assert no_gavels == pytest.approx(4 / 6 * (5 / 6) ** 2)


def test_sampled_rolls_are_fair_row_by_row_and_even_together() -> None:
    stashes = np.array([[2, 0, 1], [0, 3, 0]])
    rng = np.random.default_rng(5)
    many = np.stack([sample_rolls(stashes, 4, rng) for _ in range(4_000)])
    for seat, stash in enumerate(stashes):
        rolls, chances = roll_distribution(tuple(stash.tolist()))
        mean, spread = chances @ rolls, np.sqrt(chances @ rolls**2 - (chances @ rolls) ** 2)
        for row in range(4):
            off = np.abs(many[:, row, seat].mean(axis=0) - mean)
            assert (off < 4 * spread / np.sqrt(len(many))).all()
        assert np.abs(sample_rolls(stashes, 2_000, rng)[:, seat].mean(axis=0) - mean).max() < 0.02


def test_g34_a_reroll_leads_to_the_rolls_that_the_rules_allow() -> None:
    options = {"characters": "chosen", "cast": ["franky", "don"], "round_limit": 3}
    state = next(state for state, _ in asking(2, options, 1) if state.questions[0].kind == "reroll")
    dice = [[list(faces).count(token) for token in range(4)] for faces in state.opening.faces[0]]
    rerolls = rerolls_of(np.array([state.opening.symbols]), np.array([dice]), 0)
    assert {REROLLS[option] for option in np.flatnonzero(rerolls.allowed[0])} == set(GAME.choices(state, 0))
    assert rerolls.chances.sum(axis=1) == pytest.approx(1)
    assert rerolls.chances[REROLLS.index((2, 1))].tolist() == [DIE_FACES[2].count(token) / 6 for token in range(4)]
    for option in np.flatnonzero(rerolls.allowed[0]):
        for seed in range(8):
            after, _ = GAME.resolve(state, {0: REROLLS[option]}, SeededChance(bytes([seed] * 32)))
            assert np.array(after.opening.symbols).tolist() in rerolls.symbols[0, option].tolist()


def test_favors_are_drawn_as_the_deck_has_them() -> None:
    for state, _ in asking(4, {}, 0):
        if state.questions[0].kind != "dump":
            continue
        left = np.array([len(bids) for bids in state.public.bids])
        none, held = np.zeros(4, dtype=np.int64), np.eye(4, 5, dtype=np.int64)
        hands, chances = after_draws(state, left, none, held, reveals=False, bids=state)
        assert chances.sum() == pytest.approx(1)
        if len(state.deck) >= 8:
            deck = deck_of(state)
            mean = np.einsum("r,rsv->sv", chances, hands)
            assert mean == pytest.approx(held + left[:, None] * deck / deck.sum())
        return
    pytest.fail("no dump was asked")


def test_a_hand_that_will_draw_is_worth_the_mean_of_what_it_can_become() -> None:
    worths, deck = nets(2).worths, [0, 1, 1, 3, 4]
    pool, hand = np.bincount(deck, minlength=5), np.array([1, 0, 1, 0, 0])
    ends = [worths.of(hand + np.bincount(drawn, minlength=5)) for drawn in combinations(deck, 2)]
    assert worths.drawing(pool, 2).of(hand) == pytest.approx(np.mean(ends, axis=0))
    assert worths.drawing(0 * pool, 2).of(hand) == pytest.approx(worths.of(hand))  # there is no favor to draw


def test_a_discard_costs_the_lowest_favor_of_a_random_hand() -> None:
    worths = nets(2).worths
    hands = [np.bincount(hand, minlength=5) for hand in combinations(DECK, 2)]
    lost = [worths.of(hand - np.eye(5, dtype=int)[np.flatnonzero(hand)[0]]) - worths.of(hand) for hand in hands]
    assert worths.of_discard(2) == pytest.approx(np.mean(lost, axis=0))
