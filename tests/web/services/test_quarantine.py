"""Quarantine: who sat in a match that could not be played goes on after one solo trial, or not at all."""

from collections.abc import Callable
from contextlib import nullcontext
from datetime import timedelta

import pytest
import time_machine
from tests.kits.core_kit import KINDS, Platform, Sent, a_platform_after, bot_named, failed_check, play_job, void
from tests.kits.models import Entry, Tournament, select
from tests.kits.tournaments_kit import begin_with_anns_bot

from gangland_web.base.formats import now_s
from gangland_web.services.challenges import Allowance, ChallengeRefused, create_challenge
from gangland_web.services.play import opponents_of

Sick = Callable[[Sent], bool]


def play_until_calm(platform: Platform, sick: Sick = lambda _: False, *, turns: int = 12) -> None:
    """Schedule and play; a `sick` match fails on every attempt."""
    for _ in range(turns):
        platform.recorder.schedule()
        if not platform.post.sent:
            break
        for _ in range(100):
            if not platform.post.sent:
                break
            match_job = platform.take()
            platform.finish(match_job, void(match_job, "the worker died") if sick(match_job) else None)


def with_bot(platform: Platform, version: int) -> Sick:
    code = platform.version(version).code_sha256
    return lambda match_job: any(seat.code == code for seat in match_job.seats)


def an_active_bot(platform: Platform, owner: str) -> int:
    version = platform.upload(owner, name=f"{owner}s", source=f"# {owner}\n".encode())
    platform.play_all()
    assert platform.version(version).state == "active"
    return version


def with_anns_bot(platform: Platform) -> None:
    an_active_bot(platform, "ann")


def without_a_house_bot(platform: Platform) -> None:
    """Leave three house bots on each ladder, enough for one table of four seats."""
    with platform.database.write() as session:
        left = bot_named(session, "house3").active_version_id
        its = select(Entry).join(Tournament).where(Entry.version_id == left, Tournament.kind == "ladder")
        for entry in session.exec(its):
            session.delete(entry)


platform = pytest.fixture(a_platform_after(with_anns_bot), params=KINDS)


def anns_bot(platform: Platform) -> int:
    platform.post.slot_count = 4
    return platform.read(bot_named, "anns").active_version_id or 0


def first_ladder_match(platform: Platform, version: int) -> Sent:
    """Return the version's first ladder match; play the earlier ones."""
    wanted = with_bot(platform, version)
    platform.recorder.schedule()
    while not wanted(match_job := platform.take()):
        platform.finish(match_job)
    return match_job


def fail_thrice(platform: Platform, match_job: Sent) -> None:
    for _ in range(3):
        platform.finish(match_job, void(match_job, "the worker died"))
        again = [sent for _, sent in platform.post.sent if sent.id == match_job.id]
        match_job = again[-1] if again else match_job
    assert platform.match(match_job.id).state == "void"
    platform.post.sent[:] = [sent for sent in platform.post.sent if sent[1].id != match_job.id]


def next_solo(platform: Platform, version: int) -> Sent:
    """Return the solo trial of a version from what is sent; play the earlier ones."""
    platform.recorder.schedule()
    while (match_job := platform.take()).check is None or not with_bot(platform, version)(match_job):
        platform.finish(match_job)
    return match_job


def test_who_sat_in_a_match_that_could_not_be_played_waits_for_a_solo_trial(platform: Platform) -> None:
    version = anns_bot(platform)
    platform.post.slot_count = 1
    match_job = first_ladder_match(platform, version)
    fail_thrice(platform, match_job)
    seated = {seat.entry for seat in match_job.seats}
    assert {entry.id for entry in platform.entries(len(match_job.seats)) if entry.quarantined} == seated
    waiting = [match for match in platform.matches(state="void") if match.void_reason == "a bot in it is in quarantine"]
    assert waiting
    solo = next_solo(platform, version)
    assert len(solo.seats) == 2
    trials = platform.matches(trial_version_id=version, purpose="trial")
    assert [match.state for match in trials[3:]] == ["leased"]
    platform.finish(solo)
    assert not any(entry.quarantined for entry in platform.entries() if entry.version_id == version)
    assert platform.version(version).state == "active"


@pytest.mark.parametrize(
    ("fails", "says"), [("playing", "E204 raised an exception: it broke"), ("check", "E203 illegal decision: line 17")]
)
def test_a_fault_in_the_solo_trial_retires_with_the_reason(platform: Platform, fails: str, says: str) -> None:
    version = anns_bot(platform)
    fail_thrice(platform, first_ladder_match(platform, version))
    solo, fault = next_solo(platform, version), platform.seat_of(version)
    platform.finish(solo, failed_check(solo) if fails == "check" else play_job(solo, failing=fault))
    state, _, message = platform.steps(version)[-1]
    assert state == "retired"
    assert message.startswith("its matches could not be played, and its solo trial failed: " + says)
    assert not any(entry.active for entry in platform.entries() if entry.version_id == version)


def test_a_bot_that_brings_every_match_down_is_retired_and_the_others_play_on(platform: Platform) -> None:
    without_a_house_bot(platform)
    killer, other = anns_bot(platform), an_active_bot(platform, "bob")
    play_until_calm(platform, with_bot(platform, killer))
    state, _, message = platform.steps(killer)[-1]
    assert state == "retired"
    assert "the worker died" in message
    for seats in (2, 3, 4):
        left = [entry for entry in platform.entries(seats) if entry.version_id != killer]
        assert all(entry.active and not entry.quarantined and entry.games > 0 for entry in left)
    assert platform.version(other).state == "active"


def test_a_platform_that_fails_for_everybody_empties_no_ladder(platform: Platform) -> None:
    without_a_house_bot(platform)
    version = anns_bot(platform)
    platform.recorder.rounds = 2
    play_until_calm(platform, lambda _: True, turns=6)
    assert platform.version(version).state == "active"
    play_until_calm(platform)
    for seats in (2, 3, 4):
        assert all(e.active and not e.quarantined and e.games > 0 for e in platform.entries(seats))


def test_everybody_plays_on_after_the_quarantine_and_a_house_bot_in_any_case(platform: Platform) -> None:
    without_a_house_bot(platform)
    version = anns_bot(platform)
    house = platform.entries()[0].version_id
    play_until_calm(platform, with_bot(platform, house), turns=4)
    assert platform.version(house).state == "active"
    assert platform.entries()[0].active
    fail_thrice(platform, first_ladder_match(platform, version))
    play_until_calm(platform)
    for seats in (2, 3, 4):
        assert not any(entry.quarantined for entry in platform.entries(seats))
        assert all(entry.active and entry.games > 0 for entry in platform.entries(seats))
    assert {match.state for match in platform.matches()} == {"done", "void"}


def test_a_match_of_a_quarantined_bot_whose_lease_ends_is_not_played_again(platform: Platform) -> None:
    version = anns_bot(platform)
    match_job, is_in = first_ladder_match(platform, version), with_bot(platform, version)
    sent = [sent for _, sent in platform.post.sent if len(sent.seats) == len(match_job.seats)]
    under_way = next(filter(is_in, sent))
    fail_thrice(platform, match_job)
    platform.finish(under_way, void(under_way))
    assert platform.match(under_way.id).void_reason == "a bot in it is in quarantine"


def test_a_bot_that_kills_its_worker_each_time_is_in_quarantine_after_three_begun_attempts(platform: Platform) -> None:
    killer = anns_bot(platform)
    with time_machine.travel(4_000_000_000, tick=False) as clock:
        match_job = first_ladder_match(platform, killer)
        match_id, seats = match_job.id, len(match_job.seats)
        for begun in (1, 2, 3):
            assert not any(entry.quarantined for entry in platform.entries(seats))
            platform.begin(match_job)
            clock.shift(timedelta(seconds=16))  # the worker says nothing any more
            platform.recorder.sweep()
            again = [sent for sent in platform.post.sent if sent[1].id == match_id]
            assert len(again) == (begun < 3)
            for sent in again:
                platform.post.sent.remove(sent)
                match_job = sent[1]
        assert "begun 3 times without a result" in (platform.match(match_id).void_reason or "")
        assert "fell silent" in (platform.match(match_id).void_reason or "")
        assert any(entry.quarantined for entry in platform.entries(seats) if entry.version_id == killer)
        before = {sent.id for _, sent in platform.post.sent}
        platform.post.slot_count = 100
        platform.recorder.schedule()
        new = [one for _, one in platform.post.sent if with_bot(platform, killer)(one) and one.id not in before]
        assert [one for one in new if one.check is None and len(one.seats) == seats] == []
        assert [len(one.seats) for one in new if one.check is not None] == [2]


def test_a_quarantine_under_an_embargo_shows_neither_at_play_nor_in_challenges(platform: Platform) -> None:
    """It is public once the results are."""
    number, version = begin_with_anns_bot(platform)
    platform.upload("bob", name="bobs", source=b"# bob\n")
    platform.play_all()
    for embargo_s, is_told in ((3600, False), (-1, True)):
        with platform.database.write() as session:
            session.get_one(Tournament, number).embargo_until = now_s() + embargo_s
            its = (Entry.tournament_id == number, Entry.version_id == version)
            session.exec(select(Entry).where(*its)).one().quarantined = True
            session.flush()
            newcomer, bobs = bot_named(session, "newcomer"), bot_named(session, "bobs")
            listed = [bot.id for bot, _ in opponents_of(session, newcomer.game)]
            assert (newcomer.id in listed) is not is_told
            allowed = pytest.raises(ChallengeRefused, match="in quarantine") if is_told else nullcontext()
            with allowed:
                create_challenge(session, bobs.owner_id or 0, bobs.id or 0, ["newcomer"], Allowance(9, 9))
