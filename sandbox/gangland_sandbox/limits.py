"""What a bot may use, as one value that travels with a match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from math import isfinite
from typing import Final

KIB: Final = 1024
MIB: Final = 1024 * 1024

LARGEST: Final = 1e9
"""No limit of a match may be larger: a guard against a slip, not a policy."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one jail; each name ends with its unit.

    Attributes:
        decision_cpu_s: CPU for one decision, for the start of a game and for its end.
        import_cpu_s: CPU to load the file and make the bot; `import_wall_s` the same in wall time.
        bank_cpu_s: CPU of all decisions in the jail; `bank_wall_s` the same in wall time,
            waiting for a core excluded.  Restarts after a fault draw on the same banks.
        log_game_bytes: what is kept of a game's log; what comes after it is cut.
        log_match_bytes: more log than this in a jail is a fault.
        stderr_bytes: more than this printed in a jail is a fault.
    """

    bank_cpu_s: float
    bank_wall_s: float
    decision_cpu_s: float = 0.5
    import_cpu_s: float = 2.0
    import_wall_s: float = 5.0
    memory_mib: int = 256
    open_files: int = 16
    stack_mib: int = 8
    answer_bytes: int = 4 * KIB
    log_game_bytes: int = 16 * KIB
    log_match_bytes: int = 256 * KIB
    stderr_bytes: int = 64 * KIB
    source_bytes: int = 256 * KIB

    def __post_init__(self) -> None:
        for field in fields(self):
            _check(field.name, getattr(self, field.name), whole=field.type == "int")

    @classmethod
    def plain(cls, blocks: int) -> Limits:
        """Return the default limits for a match of this many blocks."""
        if blocks < 1:
            raise ValueError(f"a match has one block or more, not {blocks!r}")
        return cls(bank_cpu_s=1.0 * blocks, bank_wall_s=3.0 * blocks + 5.0)

    @property
    def memory_bytes(self) -> int:
        """The address space of the jail, in bytes."""
        return self.memory_mib * MIB

    def match_wall_s(self, seats: int) -> float:
        """Return the hard limit of a whole match: one jail for each bot and rotation, and 30 s."""
        return seats * seats * (self.bank_wall_s + self.import_wall_s) + 30.0

    def to_dict(self) -> dict[str, float | int]:
        """Return the limits as plain JSON values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, given: Mapping[str, object]) -> Limits:
        """Return the limits that `to_dict` made.

        Raises:
            ValueError: an unknown or missing name, or a value that is not a positive number.
        """
        known = {field.name: field.type for field in fields(cls)}
        if unknown := sorted(set(given) - set(known)):
            raise ValueError(f"unknown limits {unknown}; there are {sorted(known)}")
        if missing := sorted({"bank_cpu_s", "bank_wall_s"} - set(given)):
            raise ValueError(f"limits lack {missing}")
        values = {name: _check(name, value, whole=known[name] == "int") for name, value in given.items()}
        return cls(**values)  # type: ignore[arg-type]


def _check(name: str, value: object, *, whole: bool) -> float | int:
    """Return the value if it is a positive number of the right sort."""
    kinds: tuple[type, ...] = (int,) if whole else (int, float)
    if isinstance(value, bool) or not isinstance(value, kinds):
        raise ValueError(f"{name} is a {'whole ' if whole else ''}number, not {value!r}")
    assert isinstance(value, int | float)
    if not isfinite(value) or not 0 < value <= LARGEST:
        raise ValueError(f"{name} lies above 0 and at most at {LARGEST:.0f}, not {value!r}")
    return value
