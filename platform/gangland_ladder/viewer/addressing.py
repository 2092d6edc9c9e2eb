"""Sentences as they are said to a person: "You roll 4 dice", where the game says "Ace rolls 4 dice"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

YOU: Final = "You"
"""What the person is called where a seat's name stands alone."""
_PERSON: Final = "\x00"
"""Stands for the person in sentences of the game: no name has it."""
_VERB: Final = rf"(?P<begin>^|[.!?:] ){_PERSON} (?P<verb>[a-z]+)"
_MORE: Final = r"(?<=\band )(is|has|gets|takes|pins|wins|names)\b|(?<=, )(is|has|gets|takes|pins|wins|names)\b"
_IRREGULAR: Final = {"is": "are", "has": "have", "does": "do", "passes": "pass", "was": "were"}


def names_for(names: Sequence[str], seat: int) -> list[str]:
    """Return names to make sentences with that `in_second_person` then turns to the person in this seat."""
    return [_PERSON if each == seat else name for each, name in enumerate(names)]


def in_second_person(sentence: str) -> str:
    """Return a sentence of the game, made with `names_for`, as it is said to the person."""
    text = re.sub(_VERB, lambda found: f"{found['begin']}{YOU} {_second(found['verb'])}", sentence)
    if sentence.startswith(f"{_PERSON} ") and not sentence.startswith(f"{_PERSON} and "):
        text = re.sub(_MORE, lambda found: _second(found[0]), text)
    text = re.sub(rf"^{_PERSON}'s", "Your", text).replace(f"{_PERSON}'s", "your")
    text = re.sub(rf"(^|[.!?:] ){_PERSON}", rf"\1{YOU}", text).replace(_PERSON, "you")
    if sentence.startswith(_PERSON):
        text = text.replace(": it ", ": you ")
    return text.replace(" its ", " your ") if _PERSON in sentence else sentence


def as_order(words: str) -> str:
    """Return what a seat does ("rolls 4 dice") as what one does oneself ("Roll 4 dice")."""
    text = as_second_person(words)
    return text[:1].upper() + text[1:]


def as_second_person(words: str) -> str:
    """Return what a seat does ("rolls 4 dice") as it is said to its person, after "You": "roll 4 dice"."""
    return in_second_person(f"{_PERSON} {words}").removeprefix(f"{YOU} ")


def _second(verb: str) -> str:
    return _IRREGULAR.get(verb, verb.removesuffix("s"))
