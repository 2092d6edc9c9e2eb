"""Which release this is, by what decides how a match comes out: rules, jail, referee, check, and the Python of bots."""

import sys
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final

from gangland import __version__

PACKAGES: Final = ("gangland", "gangland_sandbox", "gangland_ladder")
"""All that a match worker plays with; `gangland_web` only carries orders and results."""
DIGITS: Final = 12
_PYTHON: Final = ".py"


@cache
def this_release() -> str:
    """Return the version with a digest of the code that plays matches and the Python, as `0.1.0+5f0c2a9b81d3.py3.11`.

    A site and its match workers have to agree on it: another one may play the same match to another end.
    """
    digest = sha256()
    for name in PACKAGES:
        _add(digest, files(name), name)
    return f"{__version__}+{digest.hexdigest()[:DIGITS]}{_PYTHON}{this_python()}"


def this_python() -> str:
    """Return the minor version of the Python that bots run on here, such as `3.11`: a jail has a copy of our own.

    The same bot may decide differently on another one: since 3.12, for instance, `sum` rounds floats less.
    """
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def other_python(recorded: str | None, where: str = "here") -> str:
    """Return what to consider where a match is played again; empty where it was recorded on the same Python."""
    if recorded is None:
        return f"on which Python it was played is not recorded; {where} bots run on Python {this_python()}"
    if recorded == this_python():
        return ""
    return (
        f"it was played on Python {recorded}, and {where} bots run on Python {this_python()}, "
        "where they may decide differently"
    )


def refusal(theirs: str) -> str:
    """Return why a worker plays nothing for a site of another release, and what to do about it."""
    code, _, python = theirs.partition(_PYTHON)
    if python and this_release().partition(_PYTHON)[0] == code:
        return (
            f"bots run on Python {this_python()} here and on Python {python} at the site, and may decide differently: "
            f"start this worker on Python {python}"
        )
    return (
        f"this worker is {this_release()}, and the site is {theirs or 'one that does not say'}: "
        "start it again on the site's"
    )


def _add(digest: Any, folder: Traversable, path: str) -> None:
    for each in sorted(folder.iterdir(), key=lambda one: one.name):
        if each.is_dir() and each.name != "__pycache__":
            _add(digest, each, f"{path}/{each.name}")
        elif each.name.endswith(".py"):
            digest.update(f"{path}/{each.name}\0".encode() + sha256(each.read_bytes()).digest())
