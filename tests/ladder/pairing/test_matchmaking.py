"""Rounds of the ladder: who plays how often, and whom."""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gangland_ladder.pairing import demand
from gangland_ladder.pairing.matchmaking import ladder_round

Tables = tuple[tuple[int, ...], ...]


def bot(entry: int, **given: object) -> demand.ActiveEntry:
    settled = demand.ActiveEntry(entry=entry, owner=entry, mu=float(entry), sigma=1.0, appearances=100, last_round=9)
    return replace(settled, **given)  # type: ignore[arg-type]


def new(entry: int, **given: object) -> demand.ActiveEntry:
    return bot(entry, **{"mu": 25.0, "sigma": 25 / 3, "appearances": 0, "last_round": None, **given})


def loads(tables: Tables) -> Counter[int]:
    return Counter(entry for table in tables for entry in table)


@st.composite
def rosters(draw: st.DrawFn, least: int = 0, most: int = 60) -> list[demand.ActiveEntry]:
    number = draw(st.integers(least, most))
    chance = random.Random(draw(st.integers(0, 10**6)))
    owners, fresh, bad = draw(st.integers(1, max(1, number))), draw(st.floats(0, 1)), draw(st.floats(0, 0.5))
    return [
        demand.ActiveEntry(
            entry=entry,
            owner=None if chance.random() < 0.2 else chance.randrange(owners),
            mu=chance.gauss(25, 8),
            sigma=chance.uniform(0.5, 9),
            appearances=chance.randrange(12) if chance.random() < fresh else 40,
            last_round=chance.choice([None, *range(10)]),
            probation=chance.random() < bad,
        )
        for entry in chance.sample(range(1, 10 * number + 1), number)
    ]


@given(rosters(), st.integers(2, 4), st.integers(0, 50))
@settings(max_examples=40)
def test_a_round_seats_other_owners_and_who_is_due(roster: list[demand.ActiveEntry], seats: int, times: int) -> None:
    met = {pair: hash(pair) % (times + 1) for pair in combinations(sorted(one.entry for one in roster), 2)}
    found = ladder_round(roster, seats=seats, number=10, seed="s", meetings=met)
    whose = {one.entry: one.owner_key for one in roster}
    for table in found.tables:
        assert len({whose[entry] for entry in table}) == len(table) == seats
        assert list(table) == sorted(table)
    if len(set(whose.values())) < seats:
        assert not found.tables
        assert f"bots of at least {seats} owners" in found.reason
        return
    assert found.reason == ""
    turns = loads(found.tables)
    for one in roster:
        if one.last_round is None or 10 - one.last_round >= demand.IDLE_ROUNDS:
            assert turns[one.entry] >= 1, "somebody starves"
    assert ladder_round(roster[::-1], seats=seats, number=10, seed="s", meetings=met) == found


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("number", [2, 3, 4, 5, 8, 13, 30, 49, 50, 120, 500])
@pytest.mark.parametrize("fresh", [0, 1, 10**9])
def test_on_rosters_of_any_size_nobody_has_more_than_its_share(seats: int, number: int, fresh: int) -> None:
    if number < seats:
        return
    chance = random.Random(number)
    roster = [
        new(entry) if entry < fresh else bot(entry, mu=chance.gauss(25, 8), sigma=chance.uniform(0.7, 3))
        for entry in range(number)
    ]
    tables = ladder_round(roster, seats=seats, number=10, seed="s").tables
    turns = loads(tables)
    for one in roster:
        if number >= demand.SMALL_ROSTER:
            assert turns[one.entry] <= demand.SHARE * len(tables)
        if one.appearances == 0:
            assert turns[one.entry] >= (demand.PLACEMENT if number < demand.SMALL_ROSTER else 0.9 * demand.PLACEMENT)
    newcomers = sum(one.appearances == 0 for one in roster)
    planned = (newcomers * demand.PLACEMENT + (number - newcomers) * demand.APPEARANCES) / seats
    assert len(tables) <= 2 * planned + demand.PLACEMENT, "a round costs far more than its pace"


@given(rosters(least=demand.SMALL_ROSTER, most=90), st.integers(2, 4))
@settings(max_examples=30)
def test_a_large_roster_bounds_every_share_of_several_owners(roster: list[demand.ActiveEntry], seats: int) -> None:
    apart = [replace(one, owner=one.entry) for one in roster]
    tables = ladder_round(apart, seats=seats, number=10, seed="s").tables
    assert all(turns == 1 or turns <= demand.SHARE * len(tables) for turns in loads(tables).values())


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_new_version_plays_at_once_against_opponents_from_all_over_the_range(seats: int) -> None:
    tables = ladder_round([bot(entry) for entry in range(60)] + [new(99)], seats=seats, number=10, seed="s").tables
    its = [table for table in tables if 99 in table]
    assert tables[: len(its)] == tuple(its), "a newcomer's tables come first"
    assert len(its) == demand.PLACEMENT
    opponents = sorted(entry for table in its for entry in table if entry != 99)
    thirds = Counter(entry // 20 for entry in opponents)
    assert all(abs(thirds[third] - len(opponents) / 3) <= 2 for third in range(3))
    assert len(set(opponents)) >= 0.8 * len(opponents)
    if seats > 2:
        assert all(max(set(table) - {99}) - min(set(table) - {99}) > 10 for table in its), "a table is spread too"


def test_a_version_that_has_begun_its_placement_plays_the_rest_of_it() -> None:
    roster = [bot(entry) for entry in range(60)] + [new(99, appearances=7, last_round=9)]
    assert loads(ladder_round(roster, seats=2, number=10, seed="s").tables)[99] == demand.PLACEMENT - 7


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_opponents_are_close_half_of_them_above_and_half_below(seats: int) -> None:
    roster = [bot(entry) for entry in range(60)]
    above: Counter[int] = Counter()
    distance = []
    for number in range(10, 20):
        for table in ladder_round(roster, seats=seats, number=number, seed="s").tables:
            for low, high in combinations(table, 2):
                above.update({low: 1, high: -1})
                distance.append(high - low)
    middle = [above[entry] for entry in range(15, 45)]
    assert sum(distance) / len(distance) < 10, "by lot it would be 20"
    assert abs(sum(middle)) <= 0.1 * 10 * demand.APPEARANCES * (seats - 1) * len(middle)
    assert max(abs(difference) for difference in middle) <= 0.25 * 10 * demand.APPEARANCES * (seats - 1)
    if seats == 2:
        assert max(abs(difference) for difference in middle) <= 3, "by turns it comes out nearly even for everybody"


def test_of_those_about_as_good_the_least_met_come_first() -> None:
    roster = [bot(entry, mu=25.0 + entry / 100) for entry in range(8)]
    often = {pair: 5 for pair in combinations(range(8), 2) if sum(pair) % 2}
    tables = ladder_round(roster, seats=2, number=10, seed="s", meetings=often).tables
    assert sum(sum(table) % 2 for table in tables) <= len(tables) / 4, "by lot more than half would be"


def test_the_uncertain_play_more_often() -> None:
    roster = [bot(entry, sigma=3.0 if entry % 4 == 0 else 1.0) for entry in range(60)]
    turns = loads(ladder_round(roster, seats=2, number=10, seed="s").tables)
    uncertain = sum(turns[entry] for entry in range(0, 60, 4)) / 15
    settled = sum(turns[entry] for entry in range(60) if entry % 4) / 45
    assert uncertain > 2 * settled


@pytest.mark.parametrize("newcomers", [1, 5])
def test_newcomers_whose_placement_is_not_over_take_nobodys_tables(newcomers: int) -> None:
    roster = [bot(entry) for entry in range(60)] + [bot(60 + i, mu=25.0, sigma=25 / 3) for i in range(newcomers)]
    tables = ladder_round(roster, seats=2, number=10, seed="s").tables
    turns = loads(tables)
    assert len(tables) >= 0.9 * len(roster) * demand.APPEARANCES / 2
    assert all(turns[entry] >= demand.APPEARANCES - 1 for entry in range(60))
    assert all(turns[60 + i] == 3 * demand.APPEARANCES for i in range(newcomers))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_over_many_rounds_nobody_waits_longer_than_promised(seats: int) -> None:
    roster = [bot(entry, owner=entry // 3, sigma=0.01 if entry < 5 else 3.0, probation=entry % 9 == 8)
              for entry in range(30)]  # fmt: skip
    last = dict.fromkeys(range(30), 9)
    for number in range(10, 40):
        turns = loads(ladder_round(roster, seats=seats, number=number, seed="s").tables)
        last |= dict.fromkeys(turns, number)
        assert all(number - observed < demand.IDLE_ROUNDS for observed in last.values())
        roster = [replace(one, last_round=last[one.entry]) for one in roster]


def test_who_is_on_probation_plays_once_in_some_rounds_and_is_nobodys_opponent_in_between() -> None:
    roster = [bot(entry, probation=entry == 7) for entry in range(40)]
    turns = []
    for number in range(10, 22):
        tables = ladder_round(roster, seats=3, number=number, seed="s").tables
        turns.append(loads(tables)[7])
        roster = [replace(one, last_round=number) if loads(tables)[one.entry] else one for one in roster]
    assert sum(turns) == 3
    assert max(turns) == 1


def test_whoever_has_much_to_play_is_not_given_its_neighbors_on_probation() -> None:
    roster = [bot(entry, sigma=6.0 if entry == 5 else 0.5, probation=entry in {4, 6}) for entry in range(12)]
    turns = loads(ladder_round(roster, seats=2, number=10, seed="s").tables)
    assert turns[5] == 3 * demand.APPEARANCES
    assert turns[4] == turns[6] == 0


def test_a_ladder_where_all_are_on_probation_still_plays() -> None:
    roster = [bot(entry, probation=True, last_round=1) for entry in range(8)]
    assert set(loads(ladder_round(roster, seats=4, number=10, seed="s").tables)) == set(range(8))


def test_two_owners_with_all_bots_but_two_let_everybody_play_in_the_promised_time() -> None:
    roster = [bot(entry, owner=0 if entry < 58 else entry, last_round=1 if entry % 2 else 9) for entry in range(60)]
    tables = ladder_round(roster, seats=2, number=10, seed="s").tables
    turns = loads(tables)
    assert all(turns[entry] for entry in range(1, 60, 2))


def test_the_few_whom_a_large_owner_can_meet_are_not_worn_out() -> None:
    roster = [bot(entry, owner=0 if entry < 57 else entry) for entry in range(60)]
    planned = 60 * demand.APPEARANCES / 2
    turns = loads(ladder_round(roster, seats=2, number=10, seed="s").tables)
    assert max(turns.values()) <= demand.SHARE * planned


def test_the_most_uncertain_has_no_more_than_its_share_where_most_play_once() -> None:
    roster = [
        bot(entry, sigma=9.0 if entry == 3 else 1.0, probation=entry >= 10, last_round=1 if entry >= 10 else 9)
        for entry in range(60)
    ]
    tables = ladder_round(roster, seats=4, number=10, seed="s").tables
    assert all(turns <= demand.SHARE * len(tables) for turns in loads(tables).values())


def test_conduct_puts_repeated_faulters_on_probation_and_clean_matches_bring_them_back() -> None:
    now = demand.Conduct()
    for _ in range(3):
        assert not now.probation
        now = now.after_match(had_fault=True)
    assert now.probation
    for _ in range(5):
        now = now.after_match(had_fault=False)
        assert now.probation
    assert now.after_match(had_fault=True).after_match(had_fault=False).probation
    assert now.after_match(had_fault=False) == demand.Conduct()


def test_a_fault_now_and_then_is_no_reason_for_probation() -> None:
    now = demand.Conduct()
    for match in range(60):
        now = now.after_match(had_fault=match % 3 == 0)
        assert not now.probation


@given(st.lists(st.booleans(), max_size=40))
@example([True] * 40)
def test_conduct_stays_within_what_a_table_can_hold(faults: list[bool]) -> None:
    now = demand.Conduct()
    for faulted in faults:
        now = now.after_match(faulted)
        assert 0 <= now.strikes <= 6
        assert not now.probation or now.strikes > 0


@pytest.mark.parametrize(
    ("call", "output"),
    [
        (lambda: ladder_round([bot(1), bot(1)], seats=2, number=1, seed=""), "duplicate entries"),
        (lambda: ladder_round([bot(1), bot(2)], seats=1, number=1, seed=""), "two or more seats"),
        (lambda: ladder_round([bot(1), bot(2)], seats=2, number=0, seed=""), "round number from 1"),
        (lambda: bot(1, sigma=0.0), "has no rating"),
        (lambda: bot(1, mu=float("nan")), "has no rating"),
    ],
)
def test_what_is_no_roster_is_refused(call: Callable[[], object], output: str) -> None:
    with pytest.raises(ValueError, match=output):
        call()
