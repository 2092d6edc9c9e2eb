"""What the optional extras bring, and how to say that one is not there."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from importlib import metadata
from importlib.util import find_spec
from typing import NoReturn


class ExtraMissing(ImportError):
    """A library of an extra, such as `gangland[research]`, is not installed."""


def needed(*modules: str) -> None:
    """See that these modules can be imported.

    Raises:
        ExtraMissing: one cannot; the message says how to install it.
    """
    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        raise ExtraMissing(
            f"{' and '.join(missing)} cannot be imported: install the extra with pip install 'gangland[research]'",
            name=missing[0],
        )


def run_site(module: str, arguments: Sequence[str]) -> NoReturn:
    """Become a program of the site; the ladder knows nothing of the site, so it is started and not imported.

    Raises:
        ExtraMissing: the packages of the extra `site` are not installed.
    """
    missing = [name for name in _required_by("site") if not list(metadata.distributions(name=name))]
    if missing:
        raise ExtraMissing(
            f"this command runs a site, which needs pip install 'gangland[site]' (not installed: {', '.join(missing)})"
        )
    os.execv(sys.executable, [sys.executable, "-m", module, *arguments])


def _required_by(extra: str) -> list[str]:
    """Return the packages that an extra of ours asks for on every machine."""
    requirements = [each.partition(";") for each in metadata.requires("gangland") or ()]
    wanted = re.compile(rf"\s*extra\s*==\s*[\"']{extra}[\"']\s*")
    return [re.split(r"[^\w.-]", name.strip())[0] for name, _, marker in requirements if wanted.fullmatch(marker)]
