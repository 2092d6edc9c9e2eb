"""What a view shows, as names and texts that people read."""

from __future__ import annotations

from dataclasses import is_dataclass
from enum import Enum

from gangland.view import View


def fields_shown(view: View) -> list[tuple[str, str]]:
    """Return everything that can be read off a view as name and text, in the order of its documentation."""
    return [(name, in_words(getattr(view, name))) for name in view.fields()]


def in_words(value: object) -> str:
    """Return a part of a view as a person reads it."""
    if isinstance(value, Enum):
        return f"{value.value} ({value.name.lower()})"
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return "(" + ", ".join(map(in_words, value)) + ("," if len(value) == 1 else "") + ")"
    if is_dataclass(value) and "__str__" in vars(type(value)):
        return str(value)
    if names := getattr(value, "_fields", None) or getattr(value, "__dataclass_fields__", None):
        return f"{type(value).__name__}({', '.join(f'{name}={in_words(getattr(value, name))}' for name in names)})"
    return repr(value)
