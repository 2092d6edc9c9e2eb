"""Which name was probably meant, where the names to choose among come from a bot."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from itertools import islice
from typing import Final

NAME_CHARS: Final = 40
"""Comparing two names takes the product of their lengths, so longer ones are nobody's misspelling."""
NAMES: Final = 100
"""So many names are looked at, the first ones."""


def nearest(name: str, known: Iterable[str], likeness: float = 0.6) -> str | None:
    """Return the known name that is most like this one; None if none is like it.

    Works on at most `NAMES` names of at most `NAME_CHARS` characters, whatever it is given.

    Args:
        likeness: how like each other two names are that may be meant for one another, from 0 to 1.
    """
    if len(name) > NAME_CHARS:
        return None
    near = get_close_matches(
        name, list(islice((each for each in known if len(each) <= NAME_CHARS), NAMES)), 1, likeness
    )
    return near[0] if near else None
