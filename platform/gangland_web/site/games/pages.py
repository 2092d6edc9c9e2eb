"""What a game may bring to the pages of the site."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gangland.game import Event
from gangland_ladder.viewer.film import Film

NAMES: Final = ("Fox", "Owl", "Crow")
"""What the bots at the drawn tables are called."""


@dataclass(frozen=True, slots=True)
class Example:
    """A bot that stands on the page for authors, and can be downloaded from it: its file's name, and what it does."""

    filename: str
    about: str


@dataclass(frozen=True, slots=True)
class Pages:
    """What the folder of a game has besides its files.

    Those are `rules.html`, its rules in a minute; `round.json`, the recorded game that is drawn there;
    `write_rules.html` and `write_view.html`, its part of the page for authors; the example as `<filename>.txt`; and
    `table.json`, the recorded game of the style page.

    Attributes:
        drawn_round: which round of the recorded game is drawn; draw: makes of it what the template shows.
    """

    drawn_round: int
    draw: Callable[[Film, int], Any]
    example: Example


def happened_in(film: Film, number: int) -> tuple[Sequence[Event], list[tuple[int, int]]]:
    """Return the events of a round, and of each seat what it held before the round and after it."""
    held = dict(film.dice)
    return film.events[number], list(zip(held[number], held[number + 1], strict=True))
