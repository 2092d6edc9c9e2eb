"""Names that look alike, by Unicode's list of confusable characters (UTS #39, "skeletons").

The list comes with `confusable_homoglyphs`, as pairs; which of a pair is the prototype follows from their counts.
"""

from __future__ import annotations

import json
import re
import unicodedata
from functools import cache
from importlib.resources import files
from typing import Final

from gangland_web.core.text import name_key, normal_name

_CAPITAL_I: Final = re.compile(r"(?<=[^\W\d_A-Z])I(?![A-Z])")
"""A capital I after a small letter, which is read as a small l."""


@cache
def _prototypes(least: int = 0) -> dict[int, str]:
    """Return what each confusable character from `least` on looks like: a character or several that are in no pair
    as the first one.
    """
    pairs: dict[str, set[str]] = {}
    for char, others in json.loads(files("confusable_homoglyphs").joinpath("confusables.json").read_bytes()).items():
        pairs.setdefault(_bare(char), set()).update(_bare(other["c"]) for other in others)
    found = {}
    for char, alike in pairs.items():
        several = [each for each in alike if len(each) > 1]
        if len(char) == 1 and ord(char) >= least and (several or len(alike) == 1):
            (like,) = several[:1] or alike
            if several or (len(pairs[like]), char) > (1, like):
                found[ord(char)] = like
    return found


def _bare(text: str) -> str:
    """Return a character of the list without the marks of direction that keep the list readable."""
    return text.replace("\u200e", "")


def look_key(name: str) -> str:
    """Return the key under which names meet that look alike, whatever their case; `name_key` tells others apart."""
    foreign = unicodedata.normalize("NFD", normal_name(name)).translate(_prototypes(0x80))
    plain = name_key(_CAPITAL_I.sub("l", foreign))
    return unicodedata.normalize("NFD", plain).translate(_prototypes()).casefold()
