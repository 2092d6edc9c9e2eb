"""Numbers as people read them."""

import pytest

from gangland_ladder.common.texts import formatted


@pytest.mark.parametrize(
    ("value", "form", "result"),
    [
        (-0.04, ".1f", "0.0"),
        (-0.04, ".2f", "\N{MINUS SIGN}0.04"),
        (-0.004, "+.2f", "0.00"),
        (0.004, "+.2f", "0.00"),
        (2.5, "+.2f", "+2.50"),
        (-0.4, ".0f", "0"),
        (12, ".0f", "12"),
    ],
)
def test_a_number_has_a_true_minus_and_zero_none(value: float, form: str, result: str) -> None:
    assert formatted(value, form) == result
