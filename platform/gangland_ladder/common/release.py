"""The release: the version of all code that affects the results of a match.

It covers the rules, the jail, the referee, the check, and the Python version that bots run on. A site and its match
workers must have the same release.
"""

import sys
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final

from gangland import __version__

# All packages that take part in playing a match; `gangland_web` only transports jobs and results.
PACKAGES: Final = ("gangland", "gangland_sandbox", "gangland_ladder")
DIGITS: Final = 12
_PYTHON: Final = ".py"


@cache
def this_release() -> str:
    """Return the version, a digest of the match code, and the Python version, such as `0.1.0+5f0c2a9b81d3.py3.11`."""
    # A site and its match workers must have the same release, because different releases may play the same match
    # differently.
    digest = sha256()
    for name in PACKAGES:
        _add(digest, files(name), name)
    return f"{__version__}+{digest.hexdigest()[:DIGITS]}{_PYTHON}{this_python()}"


def this_python() -> str:
    """Return the minor version of Python that bots run on here, such as `3.11`; a jail has the same Python."""
    # A bot may decide differently on another version: for example, `sum` has smaller rounding errors since 3.12.
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def other_python(recorded: str | None, place: str = "here") -> str:
    """Return a warning for a match recorded on another version of Python; "" if the version is the same."""
    if recorded is None:
        return f"the record does not say which Python it was made on; {place} bots run on Python {this_python()}"
    if recorded == this_python():
        return ""
    return (
        f"it was recorded on Python {recorded}, and {place} bots run on Python {this_python()} "
        "and may decide differently"
    )


def release_mismatch(site_release: str) -> str:
    """Return a message that explains why a worker rejects a site on a different release, and how to fix it."""
    code, _, python = site_release.partition(_PYTHON)
    if python and this_release().partition(_PYTHON)[0] == code:
        return (
            f"bots run on Python {this_python()} here and on Python {python} at the site, and may decide differently: "
            f"start this worker on Python {python}"
        )
    return (
        f"this worker is {this_release()}, and the site is {site_release or 'on an unknown release'}: "
        "install the site's release and restart the worker"
    )


def _add(digest: Any, folder: Traversable, path: str) -> None:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir() and entry.name != "__pycache__":
            _add(digest, entry, f"{path}/{entry.name}")
        elif entry.name.endswith(".py"):
            digest.update(f"{path}/{entry.name}\0".encode() + sha256(entry.read_bytes()).digest())
