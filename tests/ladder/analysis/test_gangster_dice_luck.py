"""Luck of rolls and draws has the mean that it is measured from."""

import numpy as np
import pytest
from tests.kits.gangster_dice_kit import asking

from gangland.gangster_dice.cards import DIE_FACES
from gangland_ladder.analysis.games.gangster_dice.chance import after_draws, deck_worth, roll_distribution, sample_rolls

FAVORS = np.array([0.0, 0.1, 0.25, 0.45, 0.8])


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


def test_favors_are_drawn_as_the_deck_has_them() -> None:
    for state, _ in asking(4, {}, 0):
        if state.questions[0].kind != "dump":
            continue
        left = np.array([len(bids) for bids in state.public.bids])
        none, held = np.zeros(4, dtype=np.int64), np.arange(4.0)
        worths, chances = after_draws(state, left, none, held, FAVORS, reveals=False, bids=state)
        assert chances.sum() == pytest.approx(1)
        if len(state.deck) >= 8:
            assert chances @ worths == pytest.approx(held + deck_worth(state, FAVORS))
        return
    pytest.fail("no dump was asked")
