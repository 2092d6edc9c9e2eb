"""Read bots' answers without relying on the answers' own methods, which may lie or raise."""

from __future__ import annotations

from typing import Final

SHOWN_CHARACTERS: Final = 120


def items(value: object) -> tuple[object, ...] | list[object] | None:
    """Return the items of a list or tuple without calling overridden methods; None for any other value."""
    kind = type(value)
    if kind is tuple or kind is list:
        return value  # type: ignore[return-value]
    if issubclass(kind, tuple):
        return tuple(tuple.__iter__(value))  # type: ignore[arg-type]
    return list(list.__iter__(value)) if issubclass(kind, list) else None  # type: ignore[arg-type]


def short_repr(answer: object) -> str:
    """Return the repr of an answer, truncated to `SHOWN_CHARACTERS`, or its type if the repr fails."""
    try:
        text = str.__str__(repr(answer))
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001  (the answer's own code, endless lists, numbers that are too long)
        return f"an answer of type {_name(answer)} that cannot be shown"
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[: SHOWN_CHARACTERS - 3]}..."


def _name(answer: object) -> str:
    name: str = type.__dict__["__name__"].__get__(type(answer))
    return name[:SHOWN_CHARACTERS]
