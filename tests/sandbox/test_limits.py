"""The limits of a match: the defaults of the table, and nothing odd let in."""

import json
from typing import Any

import pytest

from gangland_sandbox.caps import CAPS
from gangland_sandbox.limits import MIB, RESTARTS, Limits, Profile


@pytest.mark.parametrize(
    ("limits", "decision_and_import_s", "banks_s", "memory_files_and_stack"),
    [
        (Limits.plain(12), (0.5, 2.0, 5.0), (12.0, 41.0), (256, 16, 8)),
        (Limits.of(Profile.NUMERIC, 12), (1.0, 5.0, 10.0), (24.0, 77.0), (1024, 64, 8)),
    ],
    ids=list(Profile),
)
def test_each_profile_is_the_table_of_the_architecture(
    limits: Limits, decision_and_import_s: object, banks_s: object, memory_files_and_stack: object
) -> None:
    assert (limits.decision_cpu_s, limits.import_cpu_s, limits.import_wall_s) == decision_and_import_s
    assert (limits.bank_cpu_s, limits.bank_wall_s) == banks_s
    assert (limits.memory_mib, limits.open_files, limits.stack_mib) == memory_files_and_stack
    assert limits.memory_bytes == limits.memory_mib * MIB
    assert limits.profile is (Profile.NUMERIC if limits.memory_mib == 1024 else Profile.PLAIN)
    assert Limits.from_dict(json.loads(json.dumps(limits.to_dict()))) == limits
    assert Limits.of(limits.profile, 1).for_blocks(12) == limits


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("limits", [Limits.plain(12), Limits.numeric(12), Limits.plain(1)], ids=repr)
def test_a_match_may_last_as_long_as_all_its_bots_together_can(limits: Limits, seats: int) -> None:
    a_jail_s = limits.bank_wall_s + limits.core_wait_s
    a_load_s = limits.import_wall_s + limits.import_core_wait_s
    rotations = seats
    at_most_s = rotations * seats * (a_jail_s + a_load_s) + RESTARTS * seats * a_load_s
    assert limits.max_match_s(seats) == pytest.approx(at_most_s + 30)


def test_the_hard_limit_of_a_match_and_of_a_check_has_room_for_every_jail_load_and_wait() -> None:
    limits = Limits.plain(12)
    assert limits.match_wall_s(4) == 4 * (4 * (41 + 5) + 2 * 5) + 30
    games_at_three_table_sizes_and_first, loads = 4, 6
    core_wait_s = 60 + 10 * 12
    assert (limits.core_wait_s, limits.import_core_wait_s) == (core_wait_s, 60 + 10 * 2)
    assert limits.check_wall_s == games_at_three_table_sizes_and_first * 41 + loads * 5 + core_wait_s + 30


def test_sizes_are_counted_in_1024() -> None:
    limits = Limits.plain(1)
    assert (limits.answer_bytes, limits.log_game_bytes, limits.log_match_bytes) == (4096, 16384, 262144)
    assert (limits.stderr_bytes, limits.memory_bytes) == (65536, 268435456)
    plain, numeric = CAPS[Profile.PLAIN], CAPS[Profile.NUMERIC]
    assert (plain.source_bytes, plain.zip_bytes, plain.unpacked_bytes, plain.entries) == (262144, 1048576, 4194304, 64)
    assert (numeric.source_bytes, numeric.entries) == (plain.source_bytes, plain.entries)
    assert (numeric.zip_bytes, numeric.unpacked_bytes) == (8 * plain.zip_bytes, 8 * plain.unpacked_bytes)
    for caps in (plain, numeric):
        assert (caps.ratio, caps.ratio_from_bytes, caps.depth, caps.path_chars) == (100, 65536, 8, 128)
        assert caps.largest_bytes == caps.zip_bytes


def test_the_largest_number_is_a_limit_and_no_more_and_banks_and_blocks_must_be_given() -> None:
    assert Limits(bank_cpu_s=1e9, bank_wall_s=1e-9).bank_cpu_s == 1e9
    with pytest.raises(ValueError, match="bank_cpu_s"):
        Limits(bank_cpu_s=1e9 + 1, bank_wall_s=1.0)
    with pytest.raises(ValueError, match="bank_wall_s"):
        Limits.from_dict({"bank_cpu_s": 1})
    with pytest.raises(ValueError, match="0"):
        Limits.plain(0)


@pytest.mark.parametrize(
    "change",
    [
        {"memory_mib": 0}, {"memory_mib": -1}, {"memory_mib": 1.5}, {"memory_mib": True}, {"memory_mib": "256"},
        {"decision_cpu_s": float("nan")}, {"decision_cpu_s": float("inf")}, {"decision_cpu_s": 0}, {"bank_cpu_s": None},
        {"unknown": 1}, {"answer_bytes": 10**12},
    ],
)  # fmt: skip
def test_odd_limits_are_refused_by_name(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(change))):
        Limits.from_dict(Limits.plain(1).to_dict() | change)
