"""Answers as they come from outside: read without asking the answer itself, for its class may lie or fail."""

from __future__ import annotations

from typing import Final

SHOWN_CHARACTERS: Final = 120


def items(value: object) -> tuple[object, ...] | list[object] | None:
    """Return what a list or tuple holds, whatever its class says of it; None for anything else."""
    kind = type(value)
    if kind is tuple or kind is list:
        return value  # type: ignore[return-value]
    if issubclass(kind, tuple):
        return tuple(tuple.__iter__(value))  # type: ignore[arg-type]
    return list(list.__iter__(value)) if issubclass(kind, list) else None  # type: ignore[arg-type]


def shown(answer: object) -> str:
    """Return what came in one short piece; of what cannot be shown its type."""
    try:
        text = str.__str__(repr(answer))
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001  (the answer's own code, lists without end, numbers too long)
        return f"an answer of type {_name(answer)} that cannot be shown"
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[: SHOWN_CHARACTERS - 3]}..."


def _name(answer: object) -> str:
    name: str = type.__dict__["__name__"].__get__(type(answer))
    return name[:SHOWN_CHARACTERS]
