"""TrueSkill: one update a match, ranks from exact mean places."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gangland_ladder.ratings import DRAW_PROBABILITY, MU, SIGMA, Rating, rate

HALF = Fraction(3, 2)
games = st.sampled_from(["gangster-dice", "gang-of-dice"])
ratings = st.builds(Rating, st.floats(0, 50), st.floats(0.5, 9))


def test_the_better_mean_place_goes_up_and_the_worse_goes_down() -> None:
    winner, loser = rate("gang-of-dice", [Rating(), Rating()], [Fraction(5, 4), Fraction(7, 4)])
    assert winner.mu > MU > loser.mu
    assert winner.sigma < SIGMA
    assert loser.sigma < SIGMA


def test_equal_mean_places_are_a_draw_however_they_came_about() -> None:
    one, other = rate("gang-of-dice", [Rating(), Rating()], [HALF, Fraction(36, 24)])
    assert one == other


@given(games, ratings, ratings, ratings)
def test_three_seats_in_order_move_apart_in_order(game: str, a: Rating, b: Rating, c: Rating) -> None:
    after = rate(game, [a, b, c], [Fraction(1), Fraction(2), Fraction(3)])
    assert after[0].mu >= a.mu - 1e-9
    assert after[2].mu <= c.mu + 1e-9
    assert all(new.sigma <= old.sigma + 1e-9 for new, old in zip(after, [a, b, c], strict=True))


def test_ratings_too_far_apart_for_the_package_are_refused_not_guessed() -> None:
    with pytest.raises(ValueError, match="too far apart"):
        rate("gang-of-dice", [Rating(0.0, 1.0), Rating(250.0, 1.0)], [Fraction(1), Fraction(2)])


def test_every_game_and_table_size_has_a_draw_probability() -> None:
    assert set(DRAW_PROBABILITY) == {(g, k) for g in ("gangster-dice", "gang-of-dice") for k in (2, 3, 4)}
    assert all(0 < chance < 1 for chance in DRAW_PROBABILITY.values())  # at 0 a draw would raise sigma silently


def test_a_place_too_few_is_refused() -> None:
    with pytest.raises(ValueError, match="2 ratings, but 1 places"):
        rate("gang-of-dice", [Rating(), Rating()], [Fraction(1)])
