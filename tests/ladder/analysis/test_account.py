"""The account of a game: its marks by their limits, and that it adds up or fails."""

from dataclasses import replace

import pytest

from gangland_ladder.analysis.account import Analysis, Cause, Change, Judged, Mark, Moment, Option

EVEN = (0.5, 0.5)


def judged(cost: float, error: float = 0.0) -> Judged:
    best = Option(1, 0.5)
    return Judged(1, 0, 0, "dice", Option(2, 0.5 - cost, error), best, (best,), 2, "staking too many dice")


@pytest.mark.parametrize(
    ("cost", "mark"),
    [
        (-0.1, Mark.BEST),
        (0.0009, Mark.BEST),
        (0.0011, Mark.GOOD),
        (0.0099, Mark.GOOD),
        (0.0101, Mark.INACCURACY),
        (0.0299, Mark.INACCURACY),
        (0.0301, Mark.MISTAKE),
        (0.0799, Mark.MISTAKE),
        (0.0801, Mark.BLUNDER),
        (0.5, Mark.BLUNDER),
    ],
)
def test_a_mark_follows_from_the_cost_by_the_stated_limits(cost: float, mark: Mark) -> None:
    assert judged(cost).mark is mark
    assert judged(cost).cost >= 0


def test_a_cost_below_two_of_its_standard_errors_gets_no_mark() -> None:
    assert judged(0.09, error=0.046).mark is Mark.BEST
    assert judged(0.09, error=0.044).mark is Mark.BLUNDER


def an_analysis() -> Analysis:
    """Return one of two steps: luck takes a tenth from seat 1, then its decision the rest."""
    moments = (
        Moment((0.4, 0.6), (Change(Cause.LUCK, None, (-0.1, 0.1)),)),
        Moment((0.0, 1.0), (Change(Cause.DECISION, 0, (-0.5, 0.5)), Change(Cause.ERROR, None, (0.1, -0.1)))),
    )
    return Analysis("gang-of-dice", 2, EVEN, moments, (0.0, 1.0), True, "1", 12, ())


def test_an_account_that_adds_up_passes_and_says_what_each_cause_brought() -> None:
    analysis = an_analysis()

    analysis.check()

    assert [analysis.of_cause(cause, 0) for cause in Cause] == [-0.1, -0.5, 0, 0.1]


def test_a_change_that_does_not_lead_to_the_next_value_fails() -> None:
    analysis = an_analysis()
    first = replace(analysis.moments[0], changes=(Change(Cause.LUCK, None, (-0.1 + 1e-8, 0.1 - 1e-8)),))

    with pytest.raises(ArithmeticError, match="step 0: seat 0 had 0"):
        replace(analysis, moments=(first, analysis.moments[1])).check()


def test_an_end_that_is_not_the_score_fails_unless_there_was_no_time_for_it() -> None:
    analysis = replace(an_analysis(), scores=(0.5, 0.5))

    with pytest.raises(ArithmeticError, match="the values end at"):
        analysis.check()
    replace(analysis, complete=False).check()
