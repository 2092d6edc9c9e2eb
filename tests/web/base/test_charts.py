"""Charts: round axes, shapes inside the picture, and nothing said that the figures do not say."""

import re
from datetime import UTC, datetime
from itertools import pairwise
from math import inf, nan

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gangland_ladder.matches.match_jobs import octave, octaves, quantile_limit_s
from gangland_web.base import charts
from gangland_web.queries.tables import Certainty, lead, share_of, wilson

finite = st.floats(-1e6, 1e6)


@given(st.lists(finite, min_size=1, max_size=20), st.integers(2, 8))
@example([201.0, -1.0], 2)
def test_a_round_scale_holds_every_value_and_names_few_values_in_order(values: list[float], count: int) -> None:
    scale = charts.round_scale(values, 0, 100, count)
    slack = 1e-6 * max(1.0, *(abs(value) for value in values))
    assert scale.low <= min(values) + slack
    assert max(values) <= scale.high + slack
    ticks = scale.ticks(count)
    assert 2 <= len(ticks) <= 2 * count + 3
    assert [tick.at for tick in ticks] == sorted(tick.at for tick in ticks)
    assert len({tick.label for tick in ticks}) == len(ticks)


@pytest.mark.parametrize("values", [[], [nan], [1.0, inf]])
def test_a_scale_of_nothing_or_of_no_numbers_is_refused(values: list[float]) -> None:
    with pytest.raises(ValueError, match="finite"):
        charts.round_scale(values, 0, 1)


@pytest.mark.parametrize(
    ("low", "high", "labels"),
    [(0, 4, ["0", "1", "2", "3", "4"]), (-1, 1, ["−1.0", "−0.5", "0.0", "0.5", "1.0"]), (7, 7, ["7"])],
)
def test_axes_name_round_numbers_with_a_true_minus(low: float, high: float, labels: list[str]) -> None:
    assert [tick.label for tick in charts.Scale(low, high, 0, 100).ticks(4)] == labels


@pytest.mark.parametrize(
    ("span_s", "first"),
    [(40, "10:00:00"), (7200, "10:00"), (5 * 86_400, "02 Jul"), (200 * 86_400, "Sep 2026"), (9 * 365 * 86_400, "2028")],
)
def test_times_are_named_as_their_span_asks_for(span_s: float, first: str) -> None:
    begin = datetime(2026, 7, 1, 10, tzinfo=UTC).timestamp()
    ticks = charts.Scale(begin, begin + span_s, 0, 500).times(5)
    assert ticks[0].label == first
    assert 2 <= len(ticks) <= 6
    assert all(0 <= tick.at <= 500 for tick in ticks)


def test_words_of_hours_are_short_enough_for_a_phone_and_midnight_is_its_day() -> None:
    begin = datetime(2026, 7, 1, 10, tzinfo=UTC).timestamp()
    labels = [tick.label for tick in charts.Scale(begin, begin + 2 * 86_400, 0, 500).times(5)]
    assert labels == ["12:00", "02 Jul", "12:00", "03 Jul"]


def test_lines_are_written_short_and_a_negative_zero_is_none() -> None:
    assert (charts.coordinate(-0.04), charts.coordinate(12.0), charts.coordinate(1.25)) == ("0", "12", "1.2")
    assert charts.line([(0, 1), (2.5, 3)]) == "M0 1L2.5 3"
    odd = (-0.04, 10.04, -0.5, 100.0, -20.0, 0.0, 3.05)
    points = list(pairwise(odd))
    assert charts.line(points) == "M" + "L".join(" ".join(map(charts.coordinate, point)) for point in points)
    assert charts.band([(0, 1), (2, 1)], [(0, 5), (2, 5)]) == "M0 1L2 1L2 5L0 5Z"
    assert charts.line([]) == charts.band([], []) == ""
    assert charts.Scale(-1e-9, -1e-9, 0, 1).ticks()[0].label == "0"


def numbers_of(picture: charts.Picture) -> list[tuple[float, float]]:
    found = []
    for shape in picture.shapes:
        at = shape.attributes
        for x, y in (("x", "y"), ("x1", "y1"), ("x2", "y2"), ("cx", "cy")):
            if x in at:
                found.append((float(at[x]), float(at[y])))
        for x, y in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", at.get("d", "")):
            found.append((float(x), float(y)))
    return found


def rated(*result: tuple[int, float, float]) -> list[charts.RatingPoint]:
    return [
        charts.RatingPoint(1e9 + 60 * number, version, number, mu, sigma)
        for number, (version, mu, sigma) in enumerate(result)
    ]


ratings = st.lists(st.tuples(st.integers(1, 3), st.floats(-90, 90), st.floats(0.2, 8.4)), min_size=2, max_size=12)


@given(ratings, st.lists(st.tuples(st.floats(-9, 9), st.floats(1, 4), st.booleans()), min_size=2, max_size=9))
def test_no_chart_lies_outside(result: list[tuple[int, float, float]], dealt: list[tuple[float, float, bool]]) -> None:
    points = [charts.LuckPoint(number, *each) for number, each in enumerate(dealt)]
    drawn = [
        charts.rating_chart("h", "Bot", rated(*sorted(result))),
        charts.luck_against_place("l", "Luck", points, 4, "dice"),
        charts.bar_chart(
            "c", "Faults", "", [charts.Bar(f"v{v}", abs(mu), "1", "") for v, mu, _ in result], "version", "share"
        ),
        charts.place_chart("p", "Places", "", [("Seat 1", [version, 0, 3]) for version, *_ in result]),
    ]  # fmt: skip
    for picture in drawn:
        assert picture is not None
        for x, y in numbers_of(picture):
            assert 0 <= x <= picture.width, picture.name
            assert 0 <= y <= picture.height, picture.name


def test_each_version_has_a_line_and_a_mark_of_its_own() -> None:
    picture = charts.rating_chart("h", "Bot", rated((1, 25, 8), (1, 27, 6), (2, 25, 8), (2, 22, 5), (2, 21, 4)))
    assert picture is not None
    assert [shape.css for shape in picture.shapes if shape.css.startswith("mu")] == ["mu dash0", "mu dash1"]
    assert [shape.text for shape in picture.shapes if shape.css == "mark"] == ["v2", "v1"]
    assert "v1 ended at 27.00" in picture.summary


def test_what_is_too_little_for_a_chart_is_none() -> None:
    assert charts.rating_chart("h", "Bot", rated((1, 25, 8))) is None
    assert charts.luck_against_place("l", "Luck", [charts.LuckPoint(1, 0.5, 1.0, False)], 2, "dice") is None
    assert charts.bar_chart("c", "", "", [], "", "") is None
    assert charts.place_chart("p", "", "", [("Seat 1", [0, 0])]) is None


def test_a_place_that_never_came_has_no_segment_and_a_narrow_one_no_words() -> None:
    picture = charts.place_chart("p", "Places", "", [("Seat 1", [97, 0, 3])])
    assert picture is not None
    assert [shape.css for shape in picture.shapes if shape.tag == "rect"] == ["place1", "place3"]
    assert [shape.text for shape in picture.shapes if shape.css.startswith("on")] == ["97%"]


def test_luck_counts_who_was_ahead_with_bad_luck() -> None:
    matches = (1, -1, 1.2, False), (2, 1, 1.9, True), (3, 1, 1.1, False)
    points = [charts.LuckPoint(*match) for match in matches]
    picture = charts.luck_against_place("l", "Luck", points, 2, "dice")
    assert picture is not None
    assert "1 went well despite bad luck and 1 badly despite good luck" in picture.summary
    assert sum(shape.css == "cross" for shape in picture.shapes) == 1


def test_a_share_at_two_seats_is_that_of_games_won_and_at_any_size_both_sides_make_one() -> None:
    assert share_of(1.25, 1.75, 2) == 0.75
    assert share_of(1.0, 4.0, 4) == 1.0
    for seats in (2, 3, 4):
        assert share_of(1.5, 2.0, seats) + share_of(2.0, 1.5, seats) == pytest.approx(1)


@pytest.mark.parametrize(
    ("share", "blocks", "sure", "side"),
    [
        (0.5, 500, Certainty.OPEN, "level"), (0.75, 12, Certainty.LIKELY, "ahead"),
        (0.25, 12, Certainty.LIKELY, "behind"), (0.9, 12, Certainty.CLEAR, "ahead"),
        (1.0, 1, Certainty.OPEN, "ahead"), (0.55, 2000, Certainty.CLEAR, "ahead"),
    ],
)  # fmt: skip
def test_a_lead_is_as_sure_as_its_blocks_make_it(share: float, blocks: int, sure: Certainty, side: str) -> None:
    found = lead(share, blocks)
    assert (found.certainty, found.side) == (sure, side)
    assert found.low <= share <= found.high


def test_wilsons_interval_is_that_of_the_books() -> None:
    low, high = wilson(0.1, 50, 0.95)  # 5 of 50: Brown, Cai and DasGupta (2001)
    assert (round(low, 4), round(high, 4)) == (0.0435, 0.2136)


@pytest.mark.parametrize(("share", "blocks"), [(0.5, 0), (1.2, 3), (nan, 3)])
def test_a_lead_of_nothing_is_refused(share: float, blocks: int) -> None:
    with pytest.raises(ValueError, match="block"):
        lead(share, blocks)


def test_decisions_are_counted_by_the_power_of_two_within_which_they_came() -> None:
    assert [octave(each) for each in (0.0, 1e-6, 1.1e-6, 2e-6, 0.001, 0.5, 1e9)] == [0, 0, 1, 1, 10, 19, 40]
    counts = octaves([1e-6, 3e-6, 4e-6, 0.001])
    assert counts == {0: 1, 2: 2, 10: 1}
    assert quantile_limit_s(counts, 0.5) == 4e-6
    assert quantile_limit_s(counts, 0.99) == 0.001024
    assert quantile_limit_s({}, 0.5) is None
