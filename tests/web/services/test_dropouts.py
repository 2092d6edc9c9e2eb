"""What becomes of a tournament when a version in it is replaced or taken out while it is played."""

import pytest
from tests.kits.core_kit import KINDS, Platform, Sent, a_platform_after, play_job, void
from tests.kits.tournaments_kit import begin_with_anns_bot, entries_of, ids_of, seen, states_of

from gangland_web.models.tournaments import lock_versions
from gangland_web.services import entries, settling

platform = pytest.fixture(a_platform_after(None, rounds=0), params=KINDS)


def begun(platform: Platform) -> tuple[int, int]:
    number, version = begin_with_anns_bot(platform)
    platform.post.slot_count = 1  # so that some of its matches still wait
    platform.recorder.dispatch()
    return number, version


def entry_of(platform: Platform, number: int, version: int) -> int:
    return next(entry.id for entry in entries_of(platform, number) if entry.version_id == version) or 0


def take_out(platform: Platform, version: int) -> None:
    with platform.database.write() as session:
        lock_versions(session)
        entries.withdraw_version(session, version, "taken out: it was somebody else's bot", everywhere=True)


def hers(platform: Platform, number: int, version: int) -> list[Sent]:
    entry = entry_of(platform, number, version)
    return [match_job for _, match_job in platform.post.sent if entry in {seat.entry for seat in match_job.seats}]


def test_a_version_replaced_in_mid_play_plays_on_and_a_broken_match_again(platform: Platform) -> None:
    number, version = begun(platform)
    match_job = hers(platform, number, version)[0]
    platform.begin(match_job)
    replaced = platform.upload("ann", source=b"# two\n")
    platform.post.sent = [sent for sent in platform.post.sent if sent[1].id != match_job.id]
    platform.play_all()
    assert (platform.version(version).state, platform.version(replaced).state) == ("retired", "active")
    platform.finish(match_job, void(match_job))
    assert platform.match(match_job.id).void_reason is None
    platform.play_all()
    platform.recorder.schedule()
    assert states_of(platform, number) == {"done": 10}
    assert seen(platform, number).state == "finished"


def test_who_is_taken_out_in_mid_play_keeps_what_was_played_and_plays_no_more(platform: Platform) -> None:
    number, version = begun(platform)
    match_job = hers(platform, number, version)[0]
    take_out(platform, version)
    platform.finish(match_job)
    platform.play_all()
    platform.recorder.schedule()
    standings = platform.read(settling.stored_standings, number)
    void_ones = [match.void_reason for match in platform.matches(tournament_id=number, state="void")]
    under_way = 4 - len(void_ones)
    assert set(void_ones) == {"taken out: it was somebody else's bot"}
    assert under_way >= 1
    assert (seen(platform, number).state, seen(platform, number).cursor) == ("finished", 11)
    entry = entry_of(platform, number, version)
    assert standings is not None
    assert {row["entry"]: row["blocks"] for row in standings["rows"]}[entry] == 2 * under_way
    assert not next(each for each in entries_of(platform, number) if each.id == entry).active


def test_a_broken_match_of_who_is_taken_out_is_not_played_again(platform: Platform) -> None:
    number, version = begun(platform)
    match_job = hers(platform, number, version)[0]
    platform.begin(match_job)
    take_out(platform, version)
    platform.finish(match_job, void(match_job))
    assert platform.match(match_job.id).void_reason == "the version was withdrawn"
    platform.post.sent = [sent for sent in platform.post.sent if sent[1].id != match_job.id]
    while platform.post.sent:
        platform.finish(other := platform.take(), play_job(other))
    platform.recorder.schedule()
    assert match_job.id in ids_of(platform, number)
    assert seen(platform, number).state == "finished"
    assert not [match for match in platform.matches(tournament_id=number) if match.state in ("scheduled", "leased")]
