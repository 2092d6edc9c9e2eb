"""What an organiser may choose, at a few tables: each option's every word, and each character once for the bot."""

from __future__ import annotations

from typing import NamedTuple


class Variant(NamedTuple):
    """Options other than the defaults, at one table size, in which the bot sits in so many seats, one a game."""

    options: dict[str, object]
    seats: int
    games: int


VARIANTS: dict[str, tuple[Variant, ...]] = {
    "gang-of-dice": (Variant({"deck": "box18", "first_player": "winner"}, 3, 3),),
    "gangster-dice": (
        Variant(
            {"characters": "chosen", "cast": ["nancy", "franky", "roberts", "timmy"], "win_check": "win_first"}, 4, 4
        ),
        Variant({"characters": "chosen", "cast": ["liza", "silvio", "eddie"], "investigator_colour": "held"}, 3, 3),
        Variant({"characters": "chosen", "cast": ["don", "bobby"], "spent_favor": "out"}, 2, 2),
        Variant({"characters": "dealt", "spent_favor": "discards"}, 3, 1),
    ),
}
