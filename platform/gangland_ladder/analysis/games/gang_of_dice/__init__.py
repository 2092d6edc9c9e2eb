"""Measurements of Gang of Dice, and its columns in the decision table."""

from fractions import Fraction
from typing import Final

from gangland.gang_of_dice.views import View
from gangland_ladder.analysis.games import Measurements, Row, columns_of

COLUMNS: Final = columns_of(
    "pool:int table:int card:text best_total:int best_stake:int dice:ints total:int triggered:bool rerolls_left:int"
)
AMOUNTS: Final = frozenset({"dice"})

# fmt: off
MEASURED: Final = {
    2: Measurements(
        places_per_unit=Fraction("0.039"),
        match_s=0.035, game_s=0.0070, record_s=0.0008,
        draws=(
            0.234, 0.128, 0.0818, 0.0576, 0.0432, 0.0338, 0.0275, 0.023, 0.0197,
            0.0172, 0.0152, 0.0137, 0.00984, 0.0066, 0.00516, 0.00379, 0.00311, 0.00238,
        ),
    ),
    3: Measurements(
        places_per_unit=Fraction("0.050"),
        match_s=0.110, game_s=0.0081, record_s=0.0012,
        draws=(
            0.0279, 0.052, 0.0145, 0.0213, 0.00813, 0.0121, 0.00556, 0.00809, 0.00427,
            0.00601, 0.00351, 0.00476, 0.00336, 0.00214, 0.00158, 0.00106, 0.000806, 0.000535,
        ),
    ),
    4: Measurements(
        places_per_unit=Fraction("0.058"),
        match_s=0.112, game_s=0.0133, record_s=0.0016,
        draws=(
            0.0479, 0.0222, 0.0134, 0.00929, 0.00694, 0.00548, 0.00451, 0.00383, 0.00332,
            0.00294, 0.00263, 0.00239, 0.00174, 0.00115, 0.000858, 0.000562, 0.000403, 0.000234,
        ),
    ),
}
# fmt: on


def row(view: View) -> Row:
    """Return a seat's view as a row: a value for each column."""
    values = {column.name: getattr(view, column.name) for column in COLUMNS}
    return {**values, "card": view.card.id, "dice": list(view.dice)}
