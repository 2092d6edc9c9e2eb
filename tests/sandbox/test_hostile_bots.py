"""Every folder of tests/hostile in a match: contained, blamed by the right name, felt by nobody else, and gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from tests.kits.hostile_kit import LONG, check
from tests.sandbox.hostile_run import (
    Expected,
    folders,
)
from tests.sandbox.ordinary import ordinary_user

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
