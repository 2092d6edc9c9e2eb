"""TrueSkill: one update a match, ranks from exact mean places, sound at any distance."""

from fractions import Fraction
from itertools import product
from math import isfinite
from random import Random

import pytest
import trueskill
from hypothesis import given
from hypothesis import strategies as st
from tests.kits import exact_normal

from gangland.games import GAME_NAMES, game_named
from gangland_ladder.analysis.games import MEASURED_BLOCKS, UNMEASURED, measurements_of
from gangland_ladder.rating.trueskill import (
    BETA,
    MU,
    SIGMA,
    Rating,
    after_draw,
    after_win,
    draw_margin,
    draw_probability,
    rate,
    rate_several,
    rate_two,
)

HALF = Fraction(3, 2)
games = st.sampled_from(GAME_NAMES)
ratings = st.builds(Rating, st.floats(-1000, 1000), st.floats(0.01, 20))
aheads = st.sampled_from([1, 0, -1])


def test_skills_and_performances_are_on_the_scale_that_trueskill_is_published_with() -> None:
    assert (MU, SIGMA, BETA) == (trueskill.MU, trueskill.SIGMA, trueskill.BETA)
    assert Rating(20.0, 4.0).shown == 8.0


def test_the_better_mean_place_goes_up_and_the_worse_goes_down() -> None:
    winner, loser = rate("gang-of-dice", [Rating(), Rating()], [Fraction(5, 4), Fraction(7, 4)])
    assert winner.mu > MU > loser.mu
    assert winner.sigma < SIGMA
    assert loser.sigma < SIGMA


def test_equal_mean_places_are_a_draw_however_they_came_about() -> None:
    one, other = rate("gang-of-dice", [Rating(), Rating()], [HALF, Fraction(36, 24)])
    assert one == other
    assert (one.mu, one.sigma < SIGMA) == (MU, True)
    assert all(new.sigma < SIGMA for new in rate("gang-of-dice", [Rating()] * 3, [Fraction(2)] * 3))


def test_matches_of_more_blocks_have_rarer_draws() -> None:
    places = [Fraction(5, 4), Fraction(7, 4)]
    few, many = (rate("gang-of-dice", [Rating(), Rating()], places, blocks=blocks)[0] for blocks in (1, 24))
    assert few.mu > many.mu


@pytest.mark.parametrize("surprise", [-170.0, -40.0, -8.001, -8.0, -7.999, -6.0, -2.5, -0.1, 0.0, 0.1, 3.0, 8.0, 30.0])
def test_what_a_win_says_is_right_to_ten_digits(surprise: float) -> None:
    v, w = after_win(surprise)
    exact_v, exact_w = map(float, exact_normal.after_win(surprise))
    assert v == pytest.approx(exact_v, rel=1e-12)
    assert w == pytest.approx(exact_w, rel=1e-11)


@pytest.mark.parametrize("margin", [1e-5, 0.00099, 0.001, 0.03, 0.3, 1.0])
def test_what_a_draw_says_is_right_to_ten_digits(margin: float) -> None:
    for expected in (-250.0, -20.0, -8.5, -3.0, -0.7, 0.0, 0.1, 1.0, 2.999, 3.001, 3.97, 4.2, 7.9, 8.1, 25.0, 170.0):
        v, w = after_draw(expected, margin)
        exact_v, exact_w = map(float, exact_normal.after_draw(expected, margin))
        assert v == pytest.approx(exact_v, rel=1e-11, abs=1e-11)
        assert w == pytest.approx(exact_w, abs=1e-11)


def cases_of_two() -> list[tuple[tuple[float, float, float, float], int]]:
    gaps, sigmas = (-1000.0, -226.5, -60.0, -8.0, 0.0, 0.3, 25.0, 230.0, 1000.0), (0.05, 2.0, SIGMA)
    grid = [((MU, one, MU + gap, other), ahead) for gap, one, other, ahead in product(gaps, sigmas, sigmas, (1, 0))]
    chance = Random(5)
    drawn = [
        (
            (chance.gauss(25, 8), chance.uniform(0.1, 9), chance.gauss(25, 8), chance.uniform(0.1, 9)),
            chance.choice((1, 0, -1)),
        )
        for _ in range(100)
    ]
    return grid + drawn


def test_two_seats_come_out_as_from_the_package_with_an_exact_backend() -> None:
    probability = draw_probability("gangster-dice", 2, 12)
    package = exact_normal.exact_package(probability, beta=BETA, tau=0.0)
    margin = draw_margin("gangster-dice", 2, 12)
    worst = 0.0
    for (mu, sigma, other_mu, other_sigma), ahead in cases_of_two():
        groups = [(trueskill.Rating(mu, sigma),), (trueskill.Rating(other_mu, other_sigma),)]
        (one,), (other,) = package.rate(groups, ranks=[-ahead, 0])
        expected = [float(one.mu), float(one.sigma), float(other.mu), float(other.sigma)]
        ours = rate_two(mu, sigma, other_mu, other_sigma, ahead, margin)
        worst = max(worst, *(abs(a - b) for a, b in zip(ours, expected, strict=True)))
    assert worst <= 1e-9


@given(ratings, ratings, aheads, games)
def test_two_seats_are_sound_at_any_distance(one: Rating, other: Rating, ahead: int, game: str) -> None:
    first, second = rate(game, [one, other], [HALF - ahead, HALF + ahead])
    assert all(isfinite(value) for new in (first, second) for value in (new.mu, new.sigma))
    assert 0 < first.sigma <= one.sigma
    assert 0 < second.sigma <= other.sigma
    if ahead:
        assert (first.mu - one.mu) * ahead >= 0
        assert (second.mu - other.mu) * ahead <= 0


@given(ratings, ratings, aheads, games)
def test_two_seats_come_out_alike_to_the_bit_in_either_order(one: Rating, other: Rating, ahead: int, game: str) -> None:
    places = [HALF - ahead, HALF + ahead]
    assert rate(game, [one, other], places) == rate(game, [other, one], places[::-1])[::-1]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_an_upset_across_a_thousand_points_moves_both_ends_and_more_than_a_smaller_one(seats: int) -> None:
    places = [Fraction(place) for place in range(1, seats + 1)]
    before = 0.0
    for gap in (10.0, 100.0, 220.0, 230.0, 500.0, 1000.0, 5000.0):
        weak, *strong = [Rating(gap * seat, 1.0) for seat in range(seats)]
        after = rate("gang-of-dice", [weak, *strong], places)
        gained = after[0].mu - weak.mu
        assert gained > before
        assert after[-1].mu < strong[-1].mu
        assert all(new.sigma < old.sigma for new, old in zip(after, [weak, *strong], strict=True))
        before = gained


@given(st.lists(st.tuples(ratings, st.integers(1, 4)), min_size=3, max_size=4), games)
def test_tables_of_three_and_four_are_sound_at_any_distance(table: list[tuple[Rating, int]], game: str) -> None:
    before = [rating for rating, _ in table]
    after = rate(game, before, [Fraction(place) for _, place in table])
    for new, old in zip(after, before, strict=True):
        assert isfinite(new.mu)
        assert 0 < new.sigma <= old.sigma


@given(st.lists(ratings, min_size=3, max_size=4), games)
def test_the_first_of_a_table_never_loses_and_the_last_never_gains(table: list[Rating], game: str) -> None:
    after = rate(game, table, [Fraction(place) for place in range(1, len(table) + 1)])
    assert after[0].mu >= table[0].mu - 1e-9
    assert after[-1].mu <= table[-1].mu + 1e-9


def test_tables_of_three_and_four_come_out_as_from_the_package_with_an_exact_backend() -> None:
    chance = Random(6)
    package = exact_normal.exact_package(0.02, beta=BETA, tau=0.0)
    for _ in range(12):
        skills = [(chance.gauss(25, 8), chance.uniform(0.5, 9)) for _ in range(chance.choice((3, 4)))]
        ranks = chance.sample(range(len(skills)), len(skills))
        expected = package.rate([(trueskill.Rating(*skill),) for skill in skills], ranks=ranks)
        for (mu, sigma), (theirs,) in zip(rate_several(skills, ranks, 0.02), expected, strict=True):
            assert mu == pytest.approx(float(theirs.mu), abs=1e-9)
            assert sigma == pytest.approx(float(theirs.sigma), abs=1e-9)


@given(st.lists(st.tuples(ratings, st.integers(1, 3)), min_size=2, max_size=4), games, st.randoms())
def test_a_rating_hangs_on_no_order_and_is_fair(table: list[tuple[Rating, int]], game: str, chance: Random) -> None:
    table[-1] = table[0]
    order = chance.sample(range(len(table)), len(table))
    after, shuffled = (
        rate(game, [rating for rating, _ in each], [Fraction(place) for _, place in each], blocks=1)
        for each in (table, [table[at] for at in order])
    )
    assert shuffled == [after[at] for at in order]
    assert after[0] == after[-1]


@pytest.mark.parametrize(
    "rating",
    [Rating(float("nan"), 1.0), Rating(float("inf"), 1.0), Rating(25.0, 0.0), Rating(25.0, -1.0), Rating(1e9, 1.0)],
)
def test_what_is_no_rating_is_refused(rating: Rating) -> None:
    with pytest.raises(ValueError, match="expected a mu within 1000000 of 0 and a sigma above 0, not"):
        rate("gang-of-dice", [rating, Rating()], [Fraction(1), Fraction(2)])


def test_a_place_too_few_is_refused() -> None:
    with pytest.raises(ValueError, match="expected 2 mean places, one per rating, not 1"):
        rate("gang-of-dice", [Rating(), Rating()], [Fraction(1)])


def test_every_game_and_table_size_has_draw_probabilities() -> None:
    tables = [measurements_of(game, seats) for game in GAME_NAMES for seats in game_named(game).table_sizes]
    assert UNMEASURED not in tables
    for table in (*tables, UNMEASURED):
        assert table is not None
        chances = table.draws
        assert len(chances) == len(MEASURED_BLOCKS)
        assert all(0 < chance < 0.5 for chance in chances)  # at 0 a draw would raise sigma silently


@pytest.mark.parametrize(("game", "seats"), [(game, seats) for game in GAME_NAMES for seats in (2, 3, 4)])
def test_a_number_of_blocks_that_was_not_measured_lies_between_its_neighbors(game: str, seats: int) -> None:
    table = measurements_of(game, seats)
    assert table is not None
    for low, high in ((12, 16), (32, 48), (64, 96)):
        found = [draw_probability(game, seats, blocks) for blocks in range(low, high + 1)]
        assert found == sorted(found, reverse=True)
        assert (found[0], found[-1]) == tuple(table.draws[MEASURED_BLOCKS.index(at)] for at in (low, high))
    last = draw_probability(game, seats, 96)
    assert draw_probability(game, seats, 97) < last
    assert draw_probability(game, seats, 4 * 96) == pytest.approx(last / 2)


@pytest.mark.parametrize(("seats", "blocks"), [(5, 12), (2, 0), (2, -1)])
def test_no_draw_probability_is_made_up(seats: int, blocks: int) -> None:
    with pytest.raises(ValueError, match=r"no draw probability is known|expected at least 1 block"):
        draw_probability("gang-of-dice", seats, blocks)
