"""Numeric limits that keep the tests quick, and whatever has to be ready before root privileges are dropped."""

from dataclasses import replace
from typing import Any

from tests.sandbox.trial import Told, play

from gangland_sandbox import runtime
from gangland_sandbox.limits import Limits, Profile

TIGHT = Limits(
    bank_cpu_s=1.5, bank_wall_s=4.0, decision_cpu_s=0.5, import_cpu_s=2.0, import_wall_s=6.0,
    memory_mib=1024, open_files=64, profile=Profile.NUMERIC,
)  # fmt: skip


def numeric(limits: Limits) -> Limits:
    """Return tight limits for numeric jails; numpy takes some 100 MiB of address space."""
    return replace(
        limits, memory_mib=limits.memory_mib + 128, decision_cpu_s=limits.decision_cpu_s + 0.3, profile=Profile.NUMERIC
    )


def play_numeric(source: bytes, **how: Any) -> Told:
    runtime.prepare_numeric()
    return play(source, **{"limits": TIGHT, **how})
