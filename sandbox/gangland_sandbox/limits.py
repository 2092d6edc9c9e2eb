"""What a bot may use, as one value that travels with a match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from math import isfinite
from typing import Any, Final

KIB: Final = 1024
MIB: Final = 1024 * 1024

LARGEST: Final = 1e9
"""No limit of a match may be larger: a guard against a slip, not a policy."""


CORE_WAIT_S: Final = 60.0
NEIGHBOURS: Final = 10.0
"""A process is forgiven so much waiting for a core, and besides so many times its CPU: what it loses that uses up its
bank, never waits by itself, and has so many busy neighbours on its core."""
RESTARTS: Final = 2
"""A bot at fault is started again so many times in a match; each start may take its time to import."""


TABLE_SIZES: Final = 3
"""At 2, 3 and 4 seats a check plays as many games as a match does."""


class Profile(StrEnum):
    """What a bot may import besides the standard library and `gangland`: nothing, or numpy."""

    PLAIN = "plain"
    NUMERIC = "numeric"


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
    profile: Profile = Profile.PLAIN

    def __post_init__(self) -> None:
        for name, kind in _KINDS.items():
            value = getattr(self, name)
            whole = kind == "int"
            if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
                raise ValueError(f"{name} is a {'whole ' if whole else ''}number, not {value!r}")
            if not isfinite(value) or not 0 < value <= LARGEST:
                raise ValueError(f"{name} lies above 0 and at most at {LARGEST:.0f}, not {value!r}")

    @classmethod
    def plain(cls, blocks: int) -> Limits:
        """Return the default limits for a match of this many blocks."""
        return cls(bank_cpu_s=1.0 * _blocks(blocks), bank_wall_s=3.0 * blocks + 5.0)

    @classmethod
    def numeric(cls, blocks: int) -> Limits:
        """Return the default limits of the numeric profile for a match of this many blocks."""
        return cls(
            bank_cpu_s=2.0 * _blocks(blocks),
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
        """Return the same limits with the banks of the profile for a match of this many blocks."""
        usual = Limits.of(self.profile, blocks)
        return replace(self, bank_cpu_s=usual.bank_cpu_s, bank_wall_s=usual.bank_wall_s)

    @property
    def memory_bytes(self) -> int:
        """The address space of the jail, in bytes."""
        return self.memory_mib * MIB

    @property
    def core_wait_s(self) -> float:
        """The waiting for a core that all decisions in one jail are forgiven; more counts as the bot's own time."""
        return CORE_WAIT_S + NEIGHBOURS * self.bank_cpu_s

    @property
    def import_core_wait_s(self) -> float:
        """The waiting for a core that loading a bot is forgiven."""
        return CORE_WAIT_S + NEIGHBOURS * self.import_cpu_s

    def match_lasts_s(self, seats: int) -> float:
        """Return what no match can exceed by its bots on a busy machine: its limit, and all that is forgiven."""
        loads = seats * (seats + RESTARTS)
        return self.match_wall_s(seats) + seats * seats * self.core_wait_s + loads * self.import_core_wait_s

    def match_wall_s(self, seats: int) -> float:
        """Return the limit of a whole match: a bot loaded for each seat and rotation, its restarts, and 30 s."""
        return seats * (seats * (self.bank_wall_s + self.import_wall_s) + RESTARTS * self.import_wall_s) + 30.0

    @property
    def check_wall_s(self) -> float:
        """The hard limit of a check: a bank for its first games and one a table size, each load, waits, and 30 s."""
        loads = 1 + RESTARTS + TABLE_SIZES
        return (1 + TABLE_SIZES) * self.bank_wall_s + loads * self.import_wall_s + self.core_wait_s + 30.0

    def to_dict(self) -> dict[str, float | int | str]:
        """Return the limits as plain JSON values."""
        return asdict(self) | {"profile": self.profile.value}

    @classmethod
    def from_dict(cls, given: Mapping[str, object]) -> Limits:
        """Return the limits that `to_dict` made.  Raises ValueError: a wrong name or value, or no such profile."""
        known = {field.name for field in fields(cls)}
        if unknown := sorted(set(given) - known):
            raise ValueError(f"unknown limits {unknown}; there are {sorted(known)}")
        if missing := sorted({"bank_cpu_s", "bank_wall_s"} - set(given)):
            raise ValueError(f"limits lack {missing}")
        numbers: dict[str, Any] = dict(given)
        named = numbers.pop("profile", Profile.PLAIN)
        if named not in set(Profile):
            raise ValueError(f"no profile {named!r}; there are {', '.join(Profile)}")
        return cls(**numbers, profile=Profile(named))


_KINDS: Final = {field.name: field.type for field in fields(Limits) if field.name != "profile"}


def _blocks(blocks: int) -> int:
    if blocks < 1:
        raise ValueError(f"a match has one block or more, not {blocks!r}")
    return blocks
