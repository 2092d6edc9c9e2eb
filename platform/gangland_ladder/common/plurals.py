"""How many of what, in words: the one place that knows singular from plural."""

from __future__ import annotations


def counted(number: float, what: str, form: str = "") -> str:
    """Return how many there are, such as "1 match" or "2 matches".

    Args:
        form: of the number, such as "," or ".1f"; what reads as 1 is one.
    """
    written = format(number, form)
    return f"{written} {what if written == '1' else several(what)}"


def several(what: str) -> str:
    """Return the plural of a word."""
    if what.endswith("ch"):
        return f"{what}es"
    return f"{what[:-1]}ies" if what.endswith("ry") else f"{what}s"
