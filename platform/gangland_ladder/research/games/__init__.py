"""Each game in numbers: a module a game, named as its package is, with `ENCODING`."""

from __future__ import annotations

from collections.abc import Callable

from gangland_ladder.common.game_modules import module_of
from gangland_ladder.research.encoding import Encoding


def encoding_of(game: str) -> Callable[[int], Encoding]:
    """Return the encoding of a game, to be made for a number of seats.

    Raises:
        ValueError: nobody has put the game into numbers.
    """
    module = module_of(__name__, game)
    if module is None:
        raise ValueError(f"{game} has no encoding in numbers, so there is no environment of it")
    found: Callable[[int], Encoding] = module.ENCODING
    return found
