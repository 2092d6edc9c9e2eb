"""Which engine this is: the Python source, or what was compiled from it for one Python and platform."""

from __future__ import annotations

from gangland import chance


def engine_kind() -> str:
    """Return which engine this is, in words."""
    return "pure Python" if (chance.__file__ or ".py").endswith(".py") else "compiled"
