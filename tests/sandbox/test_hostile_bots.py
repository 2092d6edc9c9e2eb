"""Every folder of tests/hostile in a match: contained, blamed by the right name, felt by nobody else, and gone."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest
from _pytest.mark import ParameterSet
from tests.kits.hostile_kit import check
from tests.sandbox import hostile_run, ordinary

ALL = {name: hostile_run.Expected.of(name) for name in hostile_run.folders()}
GAMES = 2  # in a long run: a second game shows that a failed attack fares no better


FIRST = {expected.category: name for name, expected in reversed(ALL.items())}  # the first folder of each category


@cache
def attacks_of(category: str, long: bool) -> hostile_run.Attacks:
    in_category = [expected for expected in ALL.values() if expected.category == category]
    return hostile_run.play_attacks([expected for expected in in_category if long or not expected.caught_as])


def _cases() -> Iterator[ParameterSet]:
    for name, expected in ALL.items():
        marks = [pytest.mark.long(f"is caught as {expected.caught_as} is")] if expected.caught_as else []
        yield pytest.param(name, marks=marks)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(_cases()))
def test_a_hostile_bot_is_contained_and_blamed_and_harms_nobody(name: str, request: pytest.FixtureRequest) -> None:
    check(ALL[name], attacks_of(ALL[name].category, request.config.getoption("long")))


@pytest.mark.parametrize("category", FIRST)
def test_hostile_bots_leave_nothing_behind(category: str, request: pytest.FixtureRequest) -> None:
    assert attacks_of(category, request.config.getoption("long")).left == []


def test_a_hostile_bot_that_is_caught_as_another_has_its_game_kind_stage_limits_and_message() -> None:
    for expected in filter(lambda each: each.caught_as, ALL.values()):
        alike = replace(expected, name=expected.caught_as, category="", caught_as="", games=1)
        assert alike == replace(ALL[expected.caught_as], category="", games=1), expected.name


@pytest.mark.long("each attack once more, alone and in two games")
@pytest.mark.parametrize("name", ALL)
def test_a_hostile_bot_alone_fares_no_better_in_its_second_game(name: str) -> None:
    attacks = hostile_run.play_attacks([ALL[name]], games=GAMES)
    check(ALL[name], attacks)
    assert attacks.left == []


@pytest.fixture(scope="module")
def as_an_ordinary_user() -> Iterator[None]:
    with ordinary.ordinary_user():
        yield


@pytest.mark.usefixtures("as_an_ordinary_user")
def test_hostile_bots_fare_no_better_against_a_referee_that_never_was_root() -> None:
    attacks = hostile_run.play_attacks([ALL[name] for name in FIRST.values()])
    for name in FIRST.values():
        check(ALL[name], attacks)
    assert attacks.left == []


@pytest.mark.long("each attack once more, alone and in two games, against the other referee")
@pytest.mark.usefixtures("as_an_ordinary_user")
@pytest.mark.parametrize("name", ALL)
def test_a_hostile_bot_alone_fares_no_better_against_a_referee_that_never_was_root(name: str) -> None:
    attacks = hostile_run.play_attacks([ALL[name]], games=GAMES)
    check(ALL[name], attacks)
    assert attacks.left == []
