"""Answers that are nearly right."""

from math import nan
from random import Random
from typing import Any


def thawed(value: Any) -> Any:
    """Return a decision as a bot sends it: lists for tuples."""
    return [thawed(item) for item in value] if isinstance(value, tuple) else value


def spoiled(value: Any, rng: Random) -> Any:
    """Return a value with one random change inside."""
    if isinstance(value, list) and value and rng.random() < 0.7:
        place = rng.randrange(len(value))
        return [*value[:place], spoiled(value[place], rng), *value[place + 1 :]]
    ways = [[value], (value, value), [], None, str(value), {0: value}]
    if isinstance(value, list):
        longer: list[Any] = [[*value, 0], [*value, *value], value[1:], value[:-1], [None, *value], set(map(str, value))]
        return rng.choice(ways + longer)
    number = value or 0
    return rng.choice([*ways, number + 1, number - 1, -number, bool(number), float(number), number + 2**64, nan, "1"])
