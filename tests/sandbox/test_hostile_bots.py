"""Every folder of tests/hostile in a match: contained, blamed by the right name, felt by nobody else, and gone."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest
from tests.sandbox import hostile_run
from tests.sandbox.hostile_run import (
    SEATS,
    Expected,
    Run,
    control,
    folders,
    run,
    seats_in,
    stage_of,
    upload_of,
)
from tests.sandbox.ordinary import ordinary_user

from gangland.replay import load

FOLDERS = folders()
CATEGORIES = (
    "files",
    "secrets",
    "introspection",
    "network",
    "processes",
    "kernel surface",
    "resources",
    "protocol",
    "fairness",
    "uploads",
)
LONG = os.environ.get("GANGLAND_HOSTILE") == "long"
"""Set by `make hostile`: every bot is played the second way too."""

SPREAD = 2.0
SLACK_CPU_S = 0.1
SLACK_WALL_S = 2.0
"""What a busy machine may add to an honest bot's clocks; the attackers use up far more than that."""


def chosen() -> list[str]:
    """Return the folders that are played as an ordinary user: the first of each category, or all."""
    if LONG:
        return FOLDERS
    return list({Expected.of(name).category: name for name in reversed(FOLDERS)}.values())


def test_there_are_hostile_bots_of_every_category() -> None:
    counted = Counter(Expected.of(name).category for name in FOLDERS)
    assert set(counted) == set(CATEGORIES)
    assert min(counted.values()) >= 5, counted
    assert len(FOLDERS) >= 100


@pytest.mark.parametrize("name", FOLDERS)
def test_a_hostile_bot_is_contained_and_blamed_and_harms_nobody_and_leaves_nothing_behind(name: str) -> None:
    check(Expected.of(name))


@pytest.fixture(scope="module")
def as_an_ordinary_user() -> Iterator[None]:
    """Play what follows as a user who never was root."""
    with ordinary_user():
        yield


@pytest.mark.parametrize("name", chosen())
def test_a_hostile_bot_fares_no_better_against_a_referee_that_never_was_root(
    name: str, as_an_ordinary_user: None
) -> None:
    check(Expected.of(name))


def check(expected: Expected) -> None:
    """Play a hostile bot and its control, and hold one to the other."""
    limits = replace(hostile_run.LIMITS, **expected.limits)
    attacked = run(expected.game, upload_of(expected.name), expected.place, limits)
    assert attacked.result.void is None
    assert_contained(attacked)
    assert_blamed(attacked, expected)
    assert_unharmed(attacked, control(attacked))
    assert attacked.left == []


def assert_contained(attacked: Run) -> None:
    """No attack tells of a success, and no text of the bot can drive a terminal."""
    for record, seat in seats_in(attacked):
        assert "ESCAPED" not in record.logs[seat], record.logs[seat]
        for text in (*record.logs, *(fault.message for fault in record.faults)):
            assert all(char.isprintable() or char == "\n" for char in text)


def assert_blamed(attacked: Run, expected: Expected) -> None:
    """Only the attacker is at fault, by an expected kind, first at the expected stage."""
    faults = [(fault, record, seat) for record, seat in seats_in(attacked) for fault in record.faults]
    for fault, _, seat in faults:
        assert fault.seat == seat, fault
    kinds = [fault.kind for fault, _, _ in faults]
    if not kinds:
        assert "none" in expected.kinds, "played on without a fault"
        return
    assert kinds[0] in expected.kinds, faults[0][0]
    assert set(kinds) <= {*expected.kinds, *expected.later}, kinds
    stage = "start" if expected.stage == "import" else expected.stage
    assert stage_of(faults[0][1], faults[0][2]) == stage, faults[0][0]
    for _, record, seat in faults:
        if stage_of(record, seat) != "end":
            assert load(record.replay).places[seat] == SEATS, record.replay


def assert_unharmed(attacked: Run, quiet: Run) -> None:
    """The honest bots saw, drew, decided and logged the same, and did not pay for the attacker's time."""
    assert quiet.result.void is None
    for record, same in zip(attacked.result.games, quiet.result.games, strict=True):
        attacker = record.seating.index(attacked.place)
        assert record.replay == same.replay
        assert [log for seat, log in enumerate(record.logs) if seat != attacker] == [
            log for seat, log in enumerate(same.logs) if seat != attacker
        ]
    for index, (cpu_s, wall_s) in enumerate(zip(attacked.result.cpu_s, attacked.result.wall_s, strict=True)):
        if index != attacked.place:
            assert cpu_s <= SPREAD * quiet.result.cpu_s[index] + SLACK_CPU_S
            assert wall_s <= SPREAD * quiet.result.wall_s[index] + SLACK_WALL_S
