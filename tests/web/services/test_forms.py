"""What an organizer types: times in the past, and local times that the clocks skip or repeat."""

import pytest
import time_machine

from gangland_web.models.tournaments import Tournament
from gangland_web.services.rules import DEADLINES, RULES, form_of, read_moment, read_rules, rule_lines
from gangland_web.services.tournaments import columns_of

DRAFT = {"name": "Cup", "game": "gang-of-dice", "seats": "2", "blocks": "1", "profile": "plain", "expected": "8"}

CLOCKS = [
    ("2027-03-28T02:30", "Europe/Berlin", "The clocks go forward.*2027-03-28T01:30 or 2027-03-28T03:30"),
    ("2027-10-31T02:30", "Europe/Berlin", "twice. Choose UTC, and 2027-10-31T00:30 or 2027-10-31T01:30"),
    ("2027-11-07T01:00", "America/New_York", "twice. Choose UTC, and 2027-11-07T05:00 or 2027-11-07T06:00"),
    ("2027-10-03T02:15", "Australia/Lord_Howe", "The clocks go forward.*2027-10-03T01:45 or 2027-10-03T02:45"),
]


@pytest.mark.parametrize(("typed", "zone", "says"), CLOCKS)
def test_a_local_time_that_is_none_or_two_is_refused_with_both_readings(typed: str, zone: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        read_moment(typed, zone)
    assert read_moment(f"{typed}+01:00", zone) == read_moment(f"{typed}+01:00", "UTC")
    assert read_moment("2027-10-31T03:00", "Europe/Berlin") == read_moment("2027-10-31T02:00", "UTC")


@pytest.mark.parametrize("name", DEADLINES)
def test_a_time_of_a_draft_lies_ahead(name: str) -> None:
    with time_machine.travel(read_moment("2027-06-01T12:00", "UTC"), tick=False):
        for typed, error in (("2027-06-01T12:00", "This time is in the past."), ("2027-06-01T12:01", None)):
            assert read_rules(DRAFT | {name: typed, "zone": "UTC"}).errors.get(name) == error


def test_a_final_table_has_three_blocks_unless_the_organizer_says_otherwise() -> None:
    terms = [
        read_rules(DRAFT | {"zone": "UTC", "final_seats": "3", "final_blocks": typed}).rules for typed in ("", "1")
    ]
    assert [rules and rules.final_table and rules.final_table.blocks for rules in terms] == [3, 1]


def drafted(**typed: str) -> Tournament:
    read = read_rules({**DRAFT, "zone": "UTC", "house_bots": "on", **typed})
    assert read.rules is not None, read.errors
    return Tournament(kind="tournament", **columns_of(read.rules, bytes(32)))


SETTLED, AT_THE_END = {"settle_first": "2", "settle_blocks": "8"}, {"final_seats": "2", "final_blocks": "3"}
CHANGED = [
    *[("blocks", "7", {}), ("tables", "9", {"seats": "3"}), ("seats", "3", {}), ("profile", "numeric", {})],
    *[("house_bots", "", {}), ("house_ranked", "on", {}), ("browser_only", "on", {}), ("final", "on", {})],
    *[("settle_first", "3", SETTLED), ("settle_blocks", "9", SETTLED), ("settle_percent", "9", SETTLED)],
    *[("final_seats", "3", AT_THE_END), ("final_blocks", "4", AT_THE_END), ("has_premiere", "on", AT_THE_END)],
    *[("decision_ms", "250", {}), ("memory_mib", "128", {})],
]


@pytest.mark.parametrize(("name", "typed", "beside"), CHANGED)
def test_a_rule_is_in_the_form_of_its_draft_and_on_its_page(name: str, typed: str, beside: dict[str, str]) -> None:
    tournament = drafted(**{**beside, name: typed})
    assert form_of(tournament).fields[name] == typed
    assert rule_lines(tournament) != rule_lines(drafted(**beside))


def test_every_rule_but_names_times_and_the_public_value_is_on_the_page() -> None:
    elsewhere = {"name", "game", "join_code", "expected", *DEADLINES}
    named = {name for name in RULES if not name.startswith("randomness_")}
    assert {name for name, _, _ in CHANGED} == named - elsewhere
