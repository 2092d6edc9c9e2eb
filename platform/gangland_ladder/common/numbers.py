"""Numbers as people read them."""

from __future__ import annotations


def formatted(value: float, form: str) -> str:
    """Return a number in a format such as ".2f" or "+.2f", with a true minus; what rounds to zero has no sign."""
    text = format(value, form)
    if text[0] not in "+-":
        return text
    return text.replace("-", "\N{MINUS SIGN}") if float(text) else text[1:]
