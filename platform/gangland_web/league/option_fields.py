"""The options of a game in a form: a field each, as `templates/macros.html` draws them."""

from __future__ import annotations

from collections.abc import Mapping

from gangland.games import game_named
from gangland_ladder.local.orders import options_of


def read_options(game: str, seats: int, given: Mapping[str, str]) -> dict[str, object]:
    """Return the options of a form that differ from their defaults.

    Args:
        given: the fields as they were typed; an empty one is the default.

    Raises:
        ValueError: a value that the game does not allow at so many seats.
    """
    chosen: dict[str, object] = {}
    for option in game_named(game).choices_of_options:
        typed = given.get(f"option_{option.name}", "").strip()
        if typed and typed != option.default:
            chosen[option.name] = option.of_text(typed)
    return options_of(game, seats, chosen)


def sentence(mistake: ValueError) -> str:
    """Return what is wrong as a sentence for a page."""
    text = str(mistake)
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
