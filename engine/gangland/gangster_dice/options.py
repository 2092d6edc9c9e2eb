"""The rulings that an organiser may choose, typed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, Literal

ROUND_LIMITS: Final = range(1, 10_001)

_WORDS: Final[dict[str, tuple[str, ...]]] = {
    "investigator_colour": ("any", "held"),
    "spent_favor": ("stack", "out"),
    "win_check": ("die_first", "win_first"),
    "characters": ("none",),
}
_LATER: Final = {"characters": ("dealt", "chosen")}


@dataclass(frozen=True, slots=True)
class Options:
    """The options of one game; the defaults are the rulings as printed.

    Attributes:
        investigator_colour: which colours the Investigator's winner may name (G23): "any", or
            "held", one of which an unlocked die is left.
        spent_favor: where a played +4 goes (G28): back to its "stack", or "out" of the game.
        win_check: what comes first at the end of a round (G30): "die_first", the Investigator's
            die, or "win_first", the win check.
        round_limit: the round after whose win check the game ends (G33).
        characters: "none".
    """

    investigator_colour: Literal["any", "held"] = "any"
    spent_favor: Literal["stack", "out"] = "stack"
    win_check: Literal["die_first", "win_first"] = "die_first"
    round_limit: int = 100
    characters: Literal["none"] = "none"

    def to_wire(self) -> tuple[Any, ...]:
        """Return the values in the order of the attributes."""
        return tuple([getattr(self, field.name) for field in fields(self)])

    def to_dict(self) -> dict[str, object]:
        """Return the options that differ from their defaults."""
        return {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if getattr(self, field.name) != field.default
        }


def parse(given: Mapping[str, object]) -> Options:
    """Return the options with defaults filled in.

    Raises:
        ValueError: an unknown option or value; the message lists what is allowed.
    """
    for name, value in given.items():
        if name == "round_limit":
            if type(value) is not int or value not in ROUND_LIMITS:
                raise ValueError(
                    f"round_limit is a whole number of {ROUND_LIMITS.start} to {ROUND_LIMITS.stop - 1}, not {value!r}"
                )
        elif name not in _WORDS:
            known = ", ".join(field.name for field in fields(Options))
            raise ValueError(f"Gangster Dice has no option {name!r}; it has {known}")
        elif value in _LATER.get(name, ()):
            raise ValueError(f"{name}={value!r}: characters are not there yet, only 'none' can be chosen")
        elif value not in _WORDS[name]:
            raise ValueError(f"{name} is one of {', '.join(map(repr, _WORDS[name]))}, not {value!r}")
    return Options(**dict(given))  # type: ignore[arg-type]
