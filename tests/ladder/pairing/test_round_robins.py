"""Round robins and samples of them: who meets whom, how evenly, for any owners."""

from collections import Counter
from itertools import combinations, combinations_with_replacement

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gangland_ladder.matches.seeds import block_seed, commitment, entries_digest, local_secret, rng_key, rng_seed
from gangland_ladder.pairing.permitted_tables import MAX_TABLES, Entrant, TablesError, count_tables, permitted_tables
from gangland_ladder.pairing.round_robin import Sample, appearances, even_out, possible_lows, round_robin

SEATS = st.integers(2, 4)


def everybody(number: int) -> list[Entrant]:
    return [Entrant(entry, owner=entry) for entry in range(number)]


def owning(*sizes: int) -> list[Entrant]:
    owners = [owner for owner, size in enumerate(sizes) for _ in range(size)]
    return [Entrant(entry, owner) for entry, owner in enumerate(owners)]


def balance_of(entrants: list[Entrant], chosen: tuple[tuple[int, ...], ...]) -> tuple[int, int, int, int]:
    """Return fewest and most appearances, and fewest and most meetings of permitted pairs."""
    owner = {one.entry: (one.owner is None, one.entry if one.owner is None else one.owner) for one in entrants}
    turns = Counter(entry for table in chosen for entry in table)
    met = Counter(pair for table in chosen for pair in combinations(table, 2))
    assert all(owner[one] != owner[other] for one, other in met), "two bots of one owner met"
    assert all(list(table) == sorted(table) for table in chosen)
    pairs = [met[pair] for pair in combinations(sorted(owner), 2) if owner[pair[0]] != owner[pair[1]]]
    each = [turns[entry] for entry in owner]
    return min(each), max(each), min(pairs), max(pairs)


def is_even(entrants: list[Entrant], tables: tuple[tuple[int, ...], ...]) -> bool:
    """Return whether appearances differ by at most one, and meetings of permitted pairs by two."""
    fewest, most, seldom, often = balance_of(entrants, tables)
    return most - fewest <= 1 and often - seldom <= 2


@st.composite
def rosters(draw: st.DrawFn) -> tuple[list[Entrant], int]:
    seats = draw(SEATS)
    sizes = draw(st.lists(st.integers(1, 9), min_size=seats, max_size=14))
    ids = draw(st.permutations(range(1, sum(sizes) + 1)))
    house = draw(st.integers(0, 3))
    owned = [owner for owner, size in enumerate(sizes) for _ in range(size)]
    entrants = [Entrant(entry, owner) for entry, owner in zip(ids, owned, strict=True)]
    return entrants + [Entrant(1000 + extra) for extra in range(house)], seats


@given(rosters())
@settings(max_examples=40)
def test_a_complete_round_robin_has_every_permitted_table_once(roster: tuple[list[Entrant], int]) -> None:
    entrants, seats = roster
    if count_tables(entrants, seats) > 3000:
        entrants = entrants[:6] + [Entrant(2000 + extra) for extra in range(seats)]
    owner = {one.entry: one.entry if one.owner is None else -1 - one.owner for one in entrants}
    wanted = [table for table in combinations(sorted(owner), seats) if len({owner[entry] for entry in table}) == seats]
    assert permitted_tables(entrants, seats) == wanted
    assert count_tables(entrants, seats) == len(wanted)
    assert sorted(round_robin(entrants, seats, seed="s")) == wanted


@given(rosters(), st.integers(1, 250), st.text(max_size=5))
@settings(max_examples=25)
@example((owning(12, 1, 1), 3), 100, "one of many")
@example((owning(8, 1), 2), 30, "two owners")
@example((everybody(3), 3), 7, "one table")
@example((owning(2, 2, 1, 1), 3), 134, "two who never meet")
def test_a_sample_is_even_or_owners_do_not_allow_it(roster: tuple[list[Entrant], int], count: int, seed: str) -> None:
    entrants, seats = roster
    found = round_robin(entrants, seats, seed=seed, sample=count)
    fewest, most, seldom, often = balance_of(entrants, found)
    assert len(found) == count
    if most - fewest <= 1 and possible_lows(
        [1000 + one.entry if one.owner is None else one.owner for one in entrants], seats, count
    ):
        assert often - seldom <= 3, "beyond what was ever seen of rosters not ruled out"


@pytest.mark.parametrize("seed", ["a", "b", "c"])
@pytest.mark.parametrize(("sizes", "count"), [([1] * 29, 153), ([4, 3, 3, *[2] * 7], 378)])
def test_exchanges_even_out_meetings_and_leave_appearances_alone(sizes: list[int], count: int, seed: str) -> None:
    owners = [owner for owner, size in enumerate(sizes) for _ in range(size)]
    sample = Sample(owners, 4, count, seed)
    turns = sample.table_counts().tolist()
    assert sample.meetings().max() - sample.meetings().min() > 2, "nothing is left to exchange"
    even_out(sample, possible_lows(owners, 4, count)[-1], 1000)
    assert sample.meetings().max() - sample.meetings().min() <= 2
    assert sample.table_counts().tolist() == turns
    chosen = tuple(tuple(table) for table in sample.tables.tolist())
    fewest, most, seldom, often = balance_of(owning(*sizes), chosen)
    assert (seldom, often) == (sample.meetings().min(), sample.meetings().max())
    assert (fewest, most) == (min(turns), max(turns))


@given(SEATS, st.integers(2, 40), st.integers(1, 4), st.integers(1, 600))
@settings(max_examples=25)
@example(4, 200, 1, 3000)
@example(3, 300, 1, 2000)
@example(2, 300, 1, 7000)
@example(4, 9, 1, 118)
def test_where_owners_have_equally_many_a_sample_is_even(seats: int, owners: int, each: int, count: int) -> None:
    entrants = owning(*[each] * max(owners, seats))
    found = round_robin(entrants, seats, seed="x", sample=count)
    fewest, most, seldom, often = balance_of(entrants, found)
    assert most - fewest <= 1
    assert often - seldom <= 2


@given(rosters(), st.integers(1, 60))
@settings(max_examples=30)
def test_tables_hang_on_entries_owners_and_seed_and_no_order(roster: tuple[list[Entrant], int], count: int) -> None:
    entrants, seats = roster
    found = round_robin(entrants, seats, seed="s", sample=count)
    renamed = [Entrant(one.entry, None if one.owner is None else 77 - one.owner) for one in reversed(entrants)]
    assert round_robin(renamed, seats, seed="s", sample=count) == found


def test_another_seed_gives_other_tables_as_even_as_these() -> None:
    one, other = (round_robin(everybody(30), 4, seed=seed, sample=100) for seed in ("one", "other"))
    assert set(one) != set(other)
    assert is_even(everybody(30), one)
    assert is_even(everybody(30), other)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_sample_as_large_as_all_tables_is_all_of_them_and_a_larger_one_goes_round_again(seats: int) -> None:
    count = count_tables(everybody(7), seats)
    whole = round_robin(everybody(7), seats, seed="s", sample=count)
    assert sorted(whole) == permitted_tables(everybody(7), seats)
    more = round_robin(everybody(7), seats, seed="s", sample=3 * count + 2)
    assert set(Counter(more).values()) == {3, 4}


def test_stopped_early_a_round_robin_has_let_everybody_play_about_as_often() -> None:
    begun = Counter(entry for table in round_robin(everybody(20), 3, seed="s")[:300] for entry in table)
    assert min(begun.values()) > 25
    assert max(begun.values()) < 65


@given(st.lists(st.integers(1, 6), min_size=2, max_size=6), SEATS, st.integers(1, 60))
def test_an_owner_never_has_more_seats_than_tables(sizes: list[int], seats: int, count: int) -> None:
    owners = [owner for owner, size in enumerate(sizes) for _ in range(size)]
    if len(sizes) < seats:
        seats = len(sizes)
    turns = appearances(owners, seats, count)
    taken = Counter(
        {owner: sum(t for t, whose in zip(turns, owners, strict=True) if whose == owner) for owner in owners}
    )
    assert sum(turns) == seats * count
    assert max(taken.values()) <= count
    for owner in taken:
        mine = [turn for turn, whose in zip(turns, owners, strict=True) if whose == owner]
        assert max(mine) - min(mine) <= 1
    # Whoever plays less than another by two or more is kept back by its own owner's seats alone.
    for turn, owner in zip(turns, owners, strict=True):
        assert turn >= max(turns) - 1 or taken[owner] == count


def test_bots_of_an_owner_of_most_share_its_one_seat_at_each_table() -> None:
    tables = round_robin(owning(8, 1, 1), 3, seed="s", sample=40)
    assert balance_of(owning(8, 1, 1), tables)[:2] == (5, 40)


def test_with_equal_appearances_bots_of_a_large_owner_meet_the_others_more_often() -> None:
    entrants = owning(3, 1, 1, 1, 1, 1, 1, 1)
    fewest, most, seldom, often = balance_of(entrants, round_robin(entrants, 3, seed="s", sample=400))
    assert possible_lows([0, 0, 0, 1, 2, 3, 4, 5, 6, 7], 3, 400) == []
    assert (fewest, most) == (120, 120)
    assert often - seldom > 2


def test_a_roster_is_ruled_out_only_if_no_sample_is_even() -> None:
    for sizes in ((2, 1, 1), (3, 1, 1), (2, 2, 1), (1, 1, 1, 1), (3, 1)):
        entrants, owners = owning(*sizes), [o for o, size in enumerate(sizes) for _ in range(size)]
        every = permitted_tables(entrants, 2)
        for count in range(1, 6):
            could = any(is_even(entrants, tables) for tables in combinations_with_replacement(every, count))
            assert could <= bool(possible_lows(owners, 2, count))
            assert is_even(entrants, round_robin(entrants, 2, seed="s", sample=count)) == could


@pytest.mark.parametrize(
    ("entrants", "seats", "sample", "output"),
    [
        ([], 2, None, "at least 2 different owners, but the 0 entries"), (owning(5), 2, None, "have only 1"),
        (owning(5, 4), 3, 10, "9 entries have only 2"), ([Entrant(1, 1), Entrant(1, 2)], 2, None, "duplicate entries"),
        (everybody(3), 1, None, "two or more seats, not 1"), (everybody(3), 2, 0, "1 to 1,000,000 tables, not 0"),
        (everybody(3), 2, MAX_TABLES + 1, "not 1000001"), (everybody(300), 4, None, "330,791,175 tables are too many"),
    ],
)  # fmt: skip
def test_what_cannot_be_paired_is_refused(entrants: list[Entrant], seats: int, sample: int | None, output: str) -> None:
    with pytest.raises(TablesError, match=output):
        round_robin(entrants, seats, seed="s", sample=sample)


def test_house_bots_meet_each_other_and_everybody_else() -> None:
    entrants = [Entrant(1), Entrant(2), Entrant(3, 1), Entrant(4, 1)]
    assert round_robin(entrants, 3, seed="s") == ((1, 2, 4), (1, 2, 3))


def test_too_few_entries_or_one_twice_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 3 different owners, but the 2"):
        permitted_tables([Entrant(1), Entrant(2)], 3)
    with pytest.raises(ValueError, match="duplicate"):
        permitted_tables([Entrant(1), Entrant(1), Entrant(2)], 2)


# Every table of a round robin, and where the dice come from.


SECRET = local_secret(7, b"")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_round_robin_has_every_table_once_whatever_order_the_entries_came_in(seats: int) -> None:
    found = permitted_tables([Entrant(bot) for bot in (5, 3, 9, 1, 7)], seats)
    assert found == permitted_tables([Entrant(bot) for bot in (1, 3, 5, 7, 9)], seats)
    assert set(found) == set(combinations([1, 3, 5, 7, 9], seats))
    assert len(found) == len(set(found))


def test_whoever_knows_the_secret_early_cannot_know_the_dice_before_the_entries_are_frozen() -> None:
    one, other = entries_digest(["a" * 64]), entries_digest(["b" * 64])
    assert block_seed(SECRET, one, 1, 0) != block_seed(SECRET, other, 1, 0)


def test_every_block_match_and_bot_has_chance_of_its_own() -> None:
    digest = entries_digest([])
    drawn = {block_seed(SECRET, digest, match, block) for match in range(20) for block in range(20)}
    key = rng_key(SECRET, 1)
    drawn |= {rng_seed(key, b, r, s) for b in range(12) for r in range(4) for s in range(4)}
    assert len(drawn) == 400 + 192
    assert all(len(seed) == 32 for seed in drawn)


def test_the_commitment_is_the_sha_256_of_the_secret() -> None:
    assert commitment(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
