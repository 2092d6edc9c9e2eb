"""Whether this engine is the Python source or compiled from it for one Python and platform."""

from __future__ import annotations

from gangland import chance


def engine_kind() -> str:
    """Return "pure Python" or "compiled"."""
    return "pure Python" if (chance.__file__ or ".py").endswith(".py") else "compiled"
