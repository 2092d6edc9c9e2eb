"""Why a rating moved, as a match page says it: what the figures say, and never the opposite."""

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

from gangland_ladder.rating.trueskill import Rating, rate
from gangland_web.models.matches import MatchSeat
from gangland_web.queries.matches import SeatRow, rating_moves


def moved(before: list[Rating], places: list[int]) -> tuple[list[Rating], dict[int, Any]]:
    """Return the ratings after a match, and what its page says of each seat."""
    after = rate("gang-of-dice", before, [Fraction(place) for place in places], blocks=12)
    seats = []
    for position, (was, now, place) in enumerate(zip(before, after, places, strict=True)):
        seat = MatchSeat(match_id=1, position=position, entry_id=position)
        seat.mu_before, seat.sigma_before, seat.mu_after, seat.sigma_after = was.mu, was.sigma, now.mu, now.sigma
        seats.append(SeatRow(position, position, f"bot{position}", 1, None, None, None, place, seat))
    page: Any = SimpleNamespace(seats=tuple(seats))
    return list(after), rating_moves(page)


def test_a_bot_that_only_loses_and_gains_is_told_that_its_uncertainty_fell_more() -> None:
    ratings, says = [Rating(), Rating()], dict[int, Any]()
    for _ in range(20):
        before = ratings
        ratings, says = moved(before, [1, 2])
        change, mu = says[1].after - says[1].before, ratings[1].mu - before[1].mu
        assert mu < 0
        assert f"its estimate fell by {-mu:.2f}" in says[1].why
        assert ("That weighs more, so the rating rose" in says[1].why) == (change > 0)
        assert ("so the rating" in says[0].why) is False
        assert "far" not in says[1].why
    assert says[1].why == (
        "Behind bot0 v1, which was rated higher before: its estimate fell by 0.06. Its uncertainty fell by 0.04, which "
        "counts three times: +0.11. That weighs more, so the rating rose."
    )


def test_a_settled_bot_that_wins_as_expected_is_told_what_moved() -> None:
    _, says = moved([Rating(40.0, 0.9), Rating(10.0, 0.9), Rating(10.0, 0.9)], [1, 2, 3])
    assert "its estimate hardly moved" in says[0].why or "rose by" in says[0].why
    assert ("so the rating fell" in says[0].why) == (says[0].after < says[0].before and "rose by" in says[0].why)
