"""Where the site's code lies, and whether processes without root can read it."""

import os
import stat
import sys
from pathlib import Path
from typing import Final

import gangland
import gangland_bots
import gangland_ladder
import gangland_sandbox
import gangland_web
from gangland_sandbox.reach import python_folders

PACKAGES: Final = (gangland, gangland_bots, gangland_ladder, gangland_sandbox, gangland_web)


def code_folders() -> list[Path]:
    """Return where Python, libraries and our code lie."""
    return [*python_folders(), *(package.parent for package in _packages())]


def unreadable() -> Path | None:
    """Return a file of our code or of Python that others may not read, None if there is no such."""
    files = [Path(os.__file__), Path(sys.executable).resolve(), *(package / "__init__.py" for package in _packages())]
    for file in files:
        if not file.parent.stat().st_mode & stat.S_IXOTH:
            return file.parent
        if not file.stat().st_mode & stat.S_IROTH:
            return file
    return None


def _packages() -> list[Path]:
    return [Path(place) for package in PACKAGES for place in package.__path__]
