"""The rulings that an organizer can choose, as typed options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass, fields
from typing import Any, Final, Literal

from gangland.gangster_dice.characters import BY_KEY
from gangland.view import unchangeable

ROUND_LIMITS: Final = range(1, 10_001)
SHOWN_CHARACTERS: Final = 80

_VALUES: Final[dict[str, tuple[str, ...]]] = {
    "investigator_colour": ("any", "held"),
    "spent_favor": ("stack", "out", "discards"),
    "win_check": ("die_first", "win_first"),
    "characters": ("none", "dealt", "chosen"),
}


@unchangeable
@dataclass(frozen=True, slots=True)
class Options:
    """The options of one game; the defaults are the rulings (G23, G28, G30, G33, G34)."""

    # The colors that the Investigator's winner may name (G23): "any", or only those of its unlocked dice ("held").
    investigator_colour: Literal["any", "held"] = "any"
    # The place of a played +4 (G28): back to its "stack", "out" of the game, or to the "discards" and so into the
    # deck, which is the rulebook's literal text.
    spent_favor: Literal["stack", "out", "discards"] = "stack"
    # The first step at the end of a round (G30): the Investigator's die ("die_first") or the win check ("win_first").
    win_check: Literal["die_first", "win_first"] = "die_first"
    round_limit: int = 100  # the game ends after this round's win check (G33)
    characters: Literal["none", "dealt", "chosen"] = "none"  # "dealt" by the seed, or "chosen" by the organizer (G34)
    cast: tuple[str, ...] = ()  # with "chosen", the keys of the characters, one per seat, in seat order

    def to_wire(self) -> tuple[Any, ...]:
        """Return the values in the order of the attributes."""
        return astuple(self)

    def to_dict(self) -> dict[str, object]:
        """Return the options that differ from their defaults, as plain JSON values."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        changed = {field.name: values[field.name] for field in fields(self) if values[field.name] != field.default}
        return changed | {"cast": list(self.cast)} if self.cast else changed


def parse(values: Mapping[str, object]) -> Options:
    """Return the options with defaults.  Raises ValueError: an unknown option or value; the message lists all."""
    parsed: dict[str, Any] = dict(values)
    for name, value in values.items():
        if name == "round_limit":
            if type(value) is not int or value not in ROUND_LIMITS:
                raise ValueError(
                    f"round_limit must be a whole number from {ROUND_LIMITS.start} to {ROUND_LIMITS.stop - 1}, "
                    f"not {_short_repr(value)}"
                )
        elif name == "cast":
            parsed[name] = _cast(value)
        elif name not in _VALUES:
            known = ", ".join(field.name for field in fields(Options))
            raise ValueError(f"Gangster Dice has no option {_short_repr(name)}; it has {known}")
        elif value not in _VALUES[name]:
            raise ValueError(f"{name} must be one of {', '.join(map(repr, _VALUES[name]))}, not {_short_repr(value)}")
    options = Options(**parsed)
    if (options.characters == "chosen") != bool(options.cast):
        raise ValueError(
            "characters='chosen' needs cast, the characters in seat order, and cast needs characters='chosen'; "
            f"got characters={options.characters!r} and cast={list(options.cast)!r}; for two seats {_example()}"
        )
    return options


def _cast(keys: object) -> tuple[str, ...]:
    """Return the characters' keys in seat order.  Raises ValueError: a key is unknown, or appears twice (G34)."""
    allowed = f"cast is a list of characters, a different one for each seat, from {', '.join(BY_KEY)}, {_example()}"
    if not isinstance(keys, (list, tuple)):
        raise ValueError(f"not a list: {_short_repr(keys)}; {allowed}")
    for key in keys:
        if not isinstance(key, str) or key not in BY_KEY:
            raise ValueError(f"unknown character {_short_repr(key)}; {allowed}")
    if len(set(keys)) != len(keys):
        raise ValueError(f"a character appears twice: {_short_repr(keys)}; {allowed}")
    return tuple(keys)


def _example() -> str:
    return f"such as cast={','.join(list(BY_KEY)[:2])}"


def _short_repr(value: object) -> str:
    try:
        text = repr(value)
    except (RecursionError, ValueError):  # a list inside itself, or a number with thousands of digits
        return f"this {type(value).__name__}"
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]}..."
