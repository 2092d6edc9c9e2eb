"""Which release this is, by what decides how a match comes out: rules, jail, referee and check, to the last line."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final

from gangland import __version__

PACKAGES: Final = ("gangland", "gangland_sandbox", "gangland_ladder")
"""All that a match worker plays with; what lies in `gangland_web` carries orders and results alone."""
DIGITS: Final = 12


@cache
def this_release() -> str:
    """Return the version with a digest of the code that plays matches, such as `0.1.0+5f0c2a9b81d3`.

    A site and its match workers have to agree on it: another one may play the same match to another end.
    """
    digest = sha256()
    for name in PACKAGES:
        _add(digest, files(name), name)
    return f"{__version__}+{digest.hexdigest()[:DIGITS]}"


def _add(digest: Any, folder: Traversable, path: str) -> None:
    for each in sorted(folder.iterdir(), key=lambda one: one.name):
        if each.is_dir() and each.name != "__pycache__":
            _add(digest, each, f"{path}/{each.name}")
        elif each.name.endswith(".py"):
            digest.update(f"{path}/{each.name}\0".encode() + sha256(each.read_bytes()).digest())
