"""Which engine this is: the Python source, or what was compiled from it for one Python and platform."""

from __future__ import annotations

from gangland import chance


def is_compiled() -> bool:
    """Return whether the rules run compiled."""
    return not (chance.__file__ or ".py").endswith(".py")


def engine_kind() -> str:
    """Return which engine this is, in words."""
    return "compiled" if is_compiled() else "pure Python"
