"""Report whether this engine runs as Python source, or compiled for one Python version and platform."""

from __future__ import annotations

from gangland import chance


def engine_kind() -> str:
    """Return "pure Python" or "compiled"."""
    return "pure Python" if (chance.__file__ or ".py").endswith(".py") else "compiled"
