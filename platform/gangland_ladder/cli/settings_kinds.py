"""What a setting may be: read from a file's TOML, or from a text of the environment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


class Refused(ValueError):
    """A value is not of its kind; the message says what was expected."""


@dataclass(frozen=True, slots=True)
class Kind:
    """How to check a value; each raises Refused.

    Attributes:
        of_toml: of a value as TOML has it.
        of_text: of a text.
    """

    of_toml: Callable[[Any], Any]
    of_text: Callable[[str], Any]


def whole(least: int, most: int | None = None) -> Kind:
    """Return the kind of whole numbers in a range, bounds included."""
    wanted = f"a whole number from {least} to {most}" if most is not None else f"a whole number, {least} or more"

    def check(value: Any) -> int:
        if type(value) is not int or value < least or (most is not None and value > most):
            raise Refused(wanted)
        return int(value)

    def of_text(text: str) -> int:
        digits = text.strip()
        return check(int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= 40 else None)

    return Kind(check, of_text)


def choice(allowed: Callable[[], tuple[str, ...]]) -> Kind:
    """Return the kind of one of these words, which are asked for when a value is checked."""

    def check(value: Any) -> str:
        if value not in (words := allowed()):
            raise Refused(" or ".join(map(repr, words)))
        return str(value)

    return Kind(check, lambda text: check(text.strip()))


def flag() -> Kind:
    """Return the kind of what is on or off."""
    words = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}

    def check(value: Any) -> bool:
        if type(value) is not bool:
            raise Refused("true or false")
        return value

    return Kind(check, lambda text: check(words.get(text.strip().lower())))


def pairs() -> Kind:
    """Return the kind of lists of NAME=VALUE; in a text, one a space."""

    def check(value: Any) -> list[str]:
        if not isinstance(value, list) or not all(isinstance(each, str) and "=" in each for each in value):
            raise Refused('a list of NAME=VALUE, such as ["deck=box18"]')
        return value

    return Kind(check, lambda text: check(text.split()))


def site() -> Kind:
    """Return the kind of addresses of sites."""

    def check(value: Any) -> str:
        if not isinstance(value, str) or not value.startswith(("http://", "https://")):
            raise Refused("an address that begins with https:// (or http://)")
        return value

    return Kind(check, lambda text: check(text.strip()))
