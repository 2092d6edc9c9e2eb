"""Measurements of Gangster Dice, and its columns in the decision table."""

from fractions import Fraction
from typing import Final

from gangland.gangster_dice.views import View
from gangland_ladder.analysis.games import Measurements, Row, columns_of

COLUMNS: Final = columns_of("stash:ints symbols:ints hand:ints others:ints controls:ints investigator:ints")
AMOUNTS: Final[frozenset[str]] = frozenset()

# fmt: off
MEASURED: Final = {
    2: Measurements(
        places_per_unit=Fraction("1.07"),
        match_s=0.046, game_s=0.0052, record_s=0.0014,
        draws=(
            0.4, 0.239, 0.17, 0.132, 0.108, 0.0915, 0.0789, 0.069, 0.061,
            0.0545, 0.049, 0.0444, 0.0313, 0.0184, 0.0123, 0.00705, 0.00484, 0.00303,
        ),
    ),
    3: Measurements(
        places_per_unit=Fraction("1.10"),
        match_s=0.062, game_s=0.0098, record_s=0.0016,
        draws=(
            0.187, 0.129, 0.0677, 0.0628, 0.0408, 0.0398, 0.0287, 0.0283, 0.0219,
            0.0216, 0.0175, 0.0172, 0.0118, 0.00683, 0.00448, 0.00226, 0.00128, 0.000476,
        ),
    ),
    4: Measurements(
        places_per_unit=Fraction("1.30"),
        match_s=0.133, game_s=0.0124, record_s=0.0021,
        draws=(
            0.235, 0.123, 0.0807, 0.0588, 0.0456, 0.0369, 0.0307, 0.0262, 0.0228,
            0.0202, 0.018, 0.0163, 0.0118, 0.00765, 0.00566, 0.00366, 0.00264, 0.00164,
        ),
    ),
}
# fmt: on


def row(view: View) -> Row:
    """Return a seat's view as a row: a value for each column."""
    return {
        "stash": list(view.dice),
        "symbols": list(view.symbols),
        "hand": list(view.hand),
        "others": [sum(player.dice) for player in view.opponents],
        "controls": [int(token.token) for token in view.tokens if token.holder == view.seat],
        "investigator": list(view.investigator.dice),
    }
