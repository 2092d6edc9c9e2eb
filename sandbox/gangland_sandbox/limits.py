"""A bot's limits, as one value that is sent with each match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from math import isfinite
from typing import Any, Final

KIB: Final = 1024
MIB: Final = 1024 * 1024

MAX_LIMIT: Final = 1e9
"""The maximum of every limit: a guard against mistakes, not a policy."""

CORE_WAIT_S: Final = 60.0
NEIGHBORS: Final = 10.0
"""How long a process may wait for a core without being charged: `CORE_WAIT_S`, plus `NEIGHBORS` times its CPU limit,
which covers the wait of a process that shares its core with this number of busy processes."""
RESTARTS: Final = 2
"""The maximum number of restarts of a bot at fault in a match; each start has the full time to import."""

TABLE_SIZES: Final = 3
"""The number of table sizes, 2 to 4 seats; a check plays as many games at each size as a match has."""


class Profile(StrEnum):
    """The modules that a bot may import in addition to the standard library and `gangland`: none, or numpy."""

    PLAIN = "plain"
    NUMERIC = "numeric"


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one jail; each name ends with its unit.

    Attributes:
        decision_cpu_s: CPU for one decision, for the start of a game and for its end.
        import_cpu_s: CPU to load the file and create the bot; `import_wall_s` is the same in wall time.
        bank_cpu_s: CPU of all decisions in the jail; `bank_wall_s` is their wall time, excluding waits for a core.
            Restarts after a fault use the same banks.
        log_game_bytes: the stored size of a game's log; longer logs are truncated.
        log_match_bytes, stderr_bytes: the maximum log and printed output of a jail; exceeding either is a fault.
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
    profile: Profile = Profile.PLAIN

    def __post_init__(self) -> None:
        for name, kind in _TYPES.items():
            value = getattr(self, name)
            is_whole = kind == "int"
            if isinstance(value, bool) or not isinstance(value, int if is_whole else int | float):
                raise ValueError(f"{name} must be a {'whole ' if is_whole else ''}number, not {value!r}")
            if not isfinite(value) or not 0 < value <= MAX_LIMIT:
                raise ValueError(f"{name} must be above 0 and at most {MAX_LIMIT:.0f}, not {value!r}")

    @classmethod
    def plain(cls, blocks: int) -> Limits:
        """Return the default limits for a match of this many blocks."""
        return cls(bank_cpu_s=1.0 * _checked_blocks(blocks), bank_wall_s=3.0 * blocks + 5.0)

    @classmethod
    def numeric(cls, blocks: int) -> Limits:
        """Return the default limits of the numeric profile for a match of this many blocks."""
        return cls(
            bank_cpu_s=2.0 * _checked_blocks(blocks),
            bank_wall_s=6.0 * blocks + 5.0,
            decision_cpu_s=1.0,
            import_cpu_s=5.0,
            import_wall_s=10.0,
            memory_mib=1024,
            open_files=64,
            profile=Profile.NUMERIC,
        )

    @classmethod
    def of(cls, profile: Profile, blocks: int) -> Limits:
        """Return the default limits of a profile for a match of this many blocks."""
        return cls.numeric(blocks) if profile is Profile.NUMERIC else cls.plain(blocks)

    def for_blocks(self, blocks: int) -> Limits:
        """Return these limits with the banks of the profile for a match of this many blocks."""
        defaults = Limits.of(self.profile, blocks)
        return replace(self, bank_cpu_s=defaults.bank_cpu_s, bank_wall_s=defaults.bank_wall_s)

    @property
    def memory_bytes(self) -> int:
        """The address space of the jail, in bytes."""
        return self.memory_mib * MIB

    @property
    def core_wait_s(self) -> float:
        """How long all decisions in one jail may wait for a core without being charged; the bot pays for more."""
        return CORE_WAIT_S + NEIGHBORS * self.bank_cpu_s

    @property
    def import_core_wait_s(self) -> float:
        """How long loading a bot may wait for a core without being charged."""
        return CORE_WAIT_S + NEIGHBORS * self.import_cpu_s

    def max_match_s(self, seats: int) -> float:
        """Return the maximum duration of a match on a busy machine: its limit, plus all waits that are not charged."""
        loads = seats * (seats + RESTARTS)
        return self.match_wall_s(seats) + seats * seats * self.core_wait_s + loads * self.import_core_wait_s

    def match_wall_s(self, seats: int) -> float:
        """Return the limit of a whole match: loading a bot for each seat and rotation, restarts, and 30 s."""
        return seats * (seats * (self.bank_wall_s + self.import_wall_s) + RESTARTS * self.import_wall_s) + 30.0

    @property
    def check_wall_s(self) -> float:
        """The hard limit of a check: banks for its first games and for each table size, loading, waits, and 30 s."""
        loads = 1 + RESTARTS + TABLE_SIZES
        return (1 + TABLE_SIZES) * self.bank_wall_s + loads * self.import_wall_s + self.core_wait_s + 30.0

    def to_dict(self) -> dict[str, float | int | str]:
        """Return the limits as plain JSON values."""
        return asdict(self) | {"profile": self.profile.value}

    @classmethod
    def from_dict(cls, values: Mapping[str, object]) -> Limits:
        """Return limits from the result of `to_dict`.  Raises ValueError: a wrong name or value, or unknown profile."""
        known = {field.name for field in fields(cls)}
        if unknown := sorted(set(values) - known):
            raise ValueError(f"unknown limits {unknown}; the limits are {sorted(known)}")
        if missing := sorted({"bank_cpu_s", "bank_wall_s"} - set(values)):
            raise ValueError(f"missing limits {missing}")
        numbers: dict[str, Any] = dict(values)
        profile = numbers.pop("profile", Profile.PLAIN)
        if profile not in set(Profile):
            raise ValueError(f"unknown profile {profile!r}; the profiles are {', '.join(Profile)}")
        return cls(**numbers, profile=Profile(profile))


_TYPES: Final = {field.name: field.type for field in fields(Limits) if field.name != "profile"}


def _checked_blocks(blocks: int) -> int:
    if blocks < 1:
        raise ValueError(f"expected at least one block, not {blocks!r}")
    return blocks
