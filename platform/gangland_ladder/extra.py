"""What the optional extra brings, and how to say that it is not there."""

from __future__ import annotations

from importlib.util import find_spec


class ExtraMissing(ImportError):
    """A library of the extra `gangland[research]` is not installed."""


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
