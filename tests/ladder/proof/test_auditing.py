"""What speaks against a host: how much it takes, how rarely an honest one is stopped, and what the page says of it."""

from __future__ import annotations

import random
from math import comb
from pathlib import Path

import pytest
from benchmarks.audits import PAGE, false_stops, least_against, results_until_stopped

from gangland_ladder.matches.first_difference import Difference, When
from gangland_ladder.proof.auditing.comparing import ComparedRotation
from gangland_ladder.proof.auditing.evidence import (
    BASE,
    FALSE_STOP,
    OWNERS,
    base_share,
    evidence,
    is_forging,
    is_suspect,
)
from gangland_ladder.proof.auditing.verdicts import Hosts, Verdict, verdict_of


def test_an_honest_host_is_stopped_as_rarely_as_is_said() -> None:
    rng = random.Random(1)
    for owners in (10, 60):
        assert false_stops(rng, owners, 20_000) <= 20_000 * FALSE_STOP


def test_the_evidence_is_fair_to_an_honest_host() -> None:
    """Its mean over what an honest host shows is 1: nobody gains by looking often."""
    for owners in (1, 5, 30):
        shown = [comb(owners, d) * BASE**d * (1 - BASE) ** (owners - d) for d in range(owners + 1)]
        assert sum(p * evidence(owners, d) for d, p in enumerate(shown)) == pytest.approx(1)


def test_each_owner_against_a_host_counts_and_each_other_one_speaks_for_it() -> None:
    for owners in range(1, 40):
        for against in range(owners):
            assert evidence(owners, against) < evidence(owners, against + 1)
            assert evidence(owners + 1, against) <= evidence(owners, against)


def test_no_host_is_stopped_for_the_bots_of_two_owners_however_few_there_are() -> None:
    assert not is_forging(2, 2)
    assert is_suspect(1, 1)
    assert is_forging(OWNERS, OWNERS)
    assert not is_suspect(30, 1)


def test_bots_that_differ_everywhere_raise_what_is_expected_of_an_honest_host() -> None:
    assert base_share(0, 0) == base_share(1000, 0) == BASE
    assert base_share(100, 20) > 0.1
    assert not is_forging(20, 5, base_share(100, 20))


def test_more_than_were_compared_cannot_differ() -> None:
    with pytest.raises(ValueError, match="of 3 owners 0 to 3 can differ, not 4"):
        evidence(3, 4)


def test_a_host_that_forges_all_is_stopped_within_what_the_page_says() -> None:
    rng = random.Random(2)
    counts = sorted(results_until_stopped(rng, 20, 1.0) for _ in range(200))
    assert counts[189] < 250
    text = Path(PAGE).read_text(encoding="utf-8")
    needed = ", ".join(f"{least_against(owners)} of {owners}" for owners in (5, 20, 100))
    assert f"stopped with {needed} owners against it" in text


HERE = Difference(When.DECISION, 1, 0, 0, 7, 1, "dice", 3, 1, 2)
ELSEWHERE = Difference(When.DECISION, 1, 0, 1, 8, 1, "dice", 1, 1, 2)
ALIKE = (ComparedRotation(0, None, 2, 0, None),)
DIFFERS = (ComparedRotation(0, HERE, 1, 0, (1, 3)),)
LEFT = (ComparedRotation(0, ELSEWHERE, 1, 0, (1, 1)),)


@pytest.mark.parametrize(
    ("hosts", "with_recorded", "with_again", "verdict"),
    [
        (Hosts(1, 2, 3), DIFFERS, ALIKE, Verdict.RECORDED),
        (Hosts(1, 2, 3), ALIKE, DIFFERS, Verdict.AGAIN),
        (Hosts(1, 2, 3), DIFFERS, DIFFERS, Verdict.BOT),
        (Hosts(1, 2, 3), LEFT, ALIKE, Verdict.UNCLEAR),
        (Hosts(1, 2, 1), DIFFERS, ALIKE, Verdict.BOT),
        (Hosts(1, 2, 1), ALIKE, DIFFERS, Verdict.AGAIN),
        (Hosts(1, 2, 2), DIFFERS, ALIKE, Verdict.RECORDED),
        (Hosts(1, 1, 1), DIFFERS, ALIKE, Verdict.BOT),
        (Hosts(None, None, None), ALIKE, DIFFERS, Verdict.BOT),
    ],
)
def test_a_play_that_stands_alone_is_held_against_its_host_by_another_host_only(
    hosts: Hosts,
    with_recorded: tuple[ComparedRotation, ...],
    with_again: tuple[ComparedRotation, ...],
    verdict: Verdict,
) -> None:
    assert verdict_of(HERE, hosts, with_recorded, with_again) is verdict
