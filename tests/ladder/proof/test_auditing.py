"""What speaks against a host: how much it takes, how rarely an honest one is stopped, and what the page says of it."""

import random
from math import comb

import pytest

from gangland_ladder.matches.first_difference import Difference, Stage
from gangland_ladder.proof import auditing

AUDITED, SUSPECTS, LIMIT = 0.02, 0.5, 100_000


def results_until_stopped(rng: random.Random, owners: int, forged: float) -> int:
    """Return the number of results that a host sends until it is stopped, `LIMIT` if it is not."""
    found: set[int] = set()
    against: set[int] = set()
    unaudited: list[tuple[tuple[int, ...], bool]] = []
    suspected = False

    def take(table: tuple[int, ...], is_forged: bool) -> None:
        found.update(table)
        if is_forged:
            against.add(table[0])

    for count in range(1, LIMIT + 1):
        result = tuple(rng.sample(range(owners), 2)), rng.random() < forged
        share = SUSPECTS if suspected else AUDITED
        if rng.random() < share:
            take(*result)
        else:
            unaudited.append(result)
            continue
        if not suspected and auditing.is_suspect(len(found), len(against)):
            suspected = True
            for earlier in unaudited[-400:]:
                if rng.random() < SUSPECTS:
                    take(*earlier)
        if auditing.is_forging(len(found), len(against)):
            return count
    return LIMIT


def is_falsely_stopped(rng: random.Random, owners: int) -> bool:
    """Return whether an honest host is ever stopped in the worst order: its opponents are compared first."""
    against = 0
    for found in range(1, owners + 1):
        against += rng.random() < auditing.BASE
        if auditing.is_forging(found, against):
            return True
    return False


def false_stops(rng: random.Random, owners: int, runs: int) -> int:
    return sum(is_falsely_stopped(rng, owners) for _ in range(runs))


def test_an_honest_host_is_stopped_as_rarely_as_is_said() -> None:
    rng = random.Random(1)
    for owners in (10, 60):
        assert false_stops(rng, owners, 20_000) <= 20_000 * auditing.FALSE_STOP


def test_the_evidence_is_fair_to_an_honest_host() -> None:
    """Its mean is 1 for an honest host, so looking often gains nothing."""
    for owners in (1, 5, 30):
        shown = [comb(owners, d) * auditing.BASE**d * (1 - auditing.BASE) ** (owners - d) for d in range(owners + 1)]
        assert sum(p * auditing.evidence(owners, d) for d, p in enumerate(shown)) == pytest.approx(1)


def test_each_owner_against_a_host_counts_and_each_other_one_speaks_for_it() -> None:
    for owners in range(1, 40):
        for against in range(owners):
            assert auditing.evidence(owners, against) < auditing.evidence(owners, against + 1)
            assert auditing.evidence(owners + 1, against) <= auditing.evidence(owners, against)


def test_no_host_is_stopped_for_the_bots_of_two_owners_however_few_there_are() -> None:
    assert not auditing.is_forging(2, 2)
    assert auditing.is_suspect(1, 1)
    assert auditing.is_forging(auditing.MIN_OWNERS, auditing.MIN_OWNERS)
    assert not auditing.is_suspect(30, 1)


def test_bots_that_differ_everywhere_raise_what_is_expected_of_an_honest_host() -> None:
    assert auditing.base_share(0, 0) == auditing.base_share(1000, 0) == auditing.BASE
    assert auditing.base_share(100, 20) > 0.1
    assert not auditing.is_forging(20, 5, auditing.base_share(100, 20))


def test_more_than_were_compared_cannot_differ() -> None:
    with pytest.raises(ValueError, match="expected 0 to 3 differing owners, not 4"):
        auditing.evidence(3, 4)


def test_a_host_that_forges_all_is_stopped_within_what_the_page_says() -> None:
    rng = random.Random(2)
    assert sorted(results_until_stopped(rng, 20, 1.0) for _ in range(200))[189] < 250
    assert [next(count for count in range(n) if auditing.is_forging(n, count)) for n in (5, 20, 100)] == [3, 5, 10]


HERE = Difference(Stage.DECISION, 1, 0, 0, 7, 1, "dice", 3, 1, 2)
ELSEWHERE = Difference(Stage.DECISION, 1, 0, 1, 8, 1, "dice", 1, 1, 2)
ALIKE = (auditing.ComparedRotation(0, None, 2, 0, None),)
DIFFERS = (auditing.ComparedRotation(0, HERE, 1, 0, (1, 3)),)
LEFT = (auditing.ComparedRotation(0, ELSEWHERE, 1, 0, (1, 1)),)


@pytest.mark.parametrize(
    ("hosts", "with_recorded", "with_again", "verdict"),
    [
        (auditing.Hosts(1, 2, 3), DIFFERS, ALIKE, auditing.Verdict.RECORDED),
        (auditing.Hosts(1, 2, 3), ALIKE, DIFFERS, auditing.Verdict.AGAIN),
        (auditing.Hosts(1, 2, 3), DIFFERS, DIFFERS, auditing.Verdict.BOT),
        (auditing.Hosts(1, 2, 3), LEFT, ALIKE, auditing.Verdict.UNCLEAR),
        (auditing.Hosts(1, 2, 1), DIFFERS, ALIKE, auditing.Verdict.BOT),
        (auditing.Hosts(1, 2, 1), ALIKE, DIFFERS, auditing.Verdict.AGAIN),
        (auditing.Hosts(1, 2, 2), DIFFERS, ALIKE, auditing.Verdict.RECORDED),
        (auditing.Hosts(1, 1, 1), DIFFERS, ALIKE, auditing.Verdict.BOT),
        (auditing.Hosts(None, None, None), ALIKE, DIFFERS, auditing.Verdict.BOT),
    ],
)
def test_a_play_that_stands_alone_is_held_against_its_host_by_another_host_only(
    hosts: auditing.Hosts,
    with_recorded: tuple[auditing.ComparedRotation, ...],
    with_again: tuple[auditing.ComparedRotation, ...],
    verdict: auditing.Verdict,
) -> None:
    assert auditing.verdict_of(HERE, hosts, with_recorded, with_again) is verdict
