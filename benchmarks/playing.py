"""What all ways of playing share: who decides, from which seed, and how a batch of games is counted."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from random import Random
from typing import Any

from gangland.game import Outcome

Batch = Callable[[range], int]
"""Plays the games with these numbers and returns how many decisions they took."""

Prepare = Callable[[str, int], Batch]
"""Gets the name of a game and the number of seats ready to be played."""


def seed(number: int) -> bytes:
    """Return the seed of a game by its number."""
    return sha256(f"benchmark {number}".encode()).digest()


def random_players(seats: int) -> list[Callable[[Any, int], int]]:
    """Return one player a seat: it is given an observation and how many answers are legal, and picks any."""
    return [_player(Random(seat).random) for seat in range(seats)]


def _player(draw: Callable[[], float]) -> Callable[[Any, int], int]:
    def pick(_observation: Any, choices: int) -> int:
        return int(draw() * choices)

    return pick


def utilities(outcome: Outcome) -> list[float]:
    """Return how far above the middle place each seat ended: a zero-sum reward."""
    middle = (len(outcome.places) + 1) / 2
    return [middle - float(place) for place in outcome.mean_places()]
