"""Challenges: unrated matches on demand, within bounds, soon and never at the others' cost."""

from collections.abc import Sequence

import pytest
import time_machine
from sqlalchemy import update
from sqlalchemy.exc import IntegrityError
from tests.kits.core_kit import KINDS, ON_POSTGRESQL, Platform, a_platform_after, bot_named, void
from tests.kits.ladder_kit import a_ladder
from tests.kits.models import Entry, Match, MatchSeat, Tournament, User, Version, col, select

from gangland_ladder.matches.seeds import block_seed, entries_digest
from gangland_web.services.challenges import Allowance, ChallengeRefused, TooManyChallenges, create_challenge
from gangland_web.services.dispatch import quarter_limit

AUTHORS = ("ann", "bob", "cid")


def with_authors(platform: Platform) -> None:
    for name in AUTHORS:
        platform.upload(name, f"{name}s", source=f"# {name}s\n".encode())
        platform.play_all()


platform = pytest.fixture(a_platform_after(with_authors), params=KINDS)

OFTEN = Allowance(hourly=1000, at_once=1000)


def author(platform: Platform, name: str) -> int:
    return platform.row(select(User.id).where(User.name == name)) or 0


def ask(platform: Platform, person: int, bot: str, *opponents: str, allowance: Allowance = OFTEN) -> int:
    with platform.database.write() as session:
        return create_challenge(session, person, bot_named(session, bot).id or 0, opponents, allowance)


def ladder_entries(platform: Platform) -> list[tuple[float, float, int, int, int, int]]:
    chosen = select(Entry).join(Tournament, col(Tournament.id) == Entry.tournament_id)
    found = platform.rows(chosen.where(Tournament.kind == "ladder").order_by(col(Entry.id)))
    return [(e.mu, e.sigma, e.games, e.faults, e.strikes, e.appearances) for e in found]


@pytest.mark.parametrize("opponents", [["house0"], ["house1", "house0"], ["house0", "house2", "bobs"]])
def test_a_challenge_is_played_and_changes_no_rating_or_ladder(platform: Platform, opponents: Sequence[str]) -> None:
    ann = author(platform, "ann")
    before = ladder_entries(platform)
    match_id = ask(platform, ann, "anns", *opponents)
    assert platform.play_all(failing=platform.seat_of(platform.match_versions(match_id)[0])) == 1
    assert platform.match(match_id).state == "done"
    assert ladder_entries(platform) == before
    seats = platform.rows(select(MatchSeat).where(MatchSeat.match_id == match_id))
    tournament = platform.get(Tournament, platform.match(match_id).tournament_id)
    assert [seat.mu_after for seat in seats] == [None] * (len(opponents) + 1)
    assert sum(seat.faults for seat in seats) > 0
    assert (tournament.kind, tournament.cursor) == ("challenges", 1)


def test_every_challenge_has_dice_of_its_own(platform: Platform) -> None:
    ann = author(platform, "ann")
    first, second = ask(platform, ann, "anns", "house0"), ask(platform, ann, "anns", "house0")
    match_jobs = {}
    for _ in range(2):
        platform.recorder.dispatch()
        match_job = platform.take()
        match_jobs[match_job.id] = match_job
        platform.finish(match_job)
    assert not set(match_jobs[first].blocks) & set(match_jobs[second].blocks)
    match = platform.match(first)
    tournament = platform.get(Tournament, match.tournament_id)
    codes = platform.rows(
        select(Version.code_sha256)
        .join(Entry, col(Entry.version_id) == Version.id)
        .join(MatchSeat, col(MatchSeat.entry_id) == Entry.id)
        .where(MatchSeat.match_id == first)
        .order_by(col(MatchSeat.position))
    )
    digest = entries_digest(list(codes))
    assert match_jobs[first].blocks == [block_seed(tournament.secret, digest, match.number, 0).hex()]
    assert tournament.secret != a_ladder(platform, tournament.seats).secret


@pytest.mark.parametrize(
    ("bot", "opponents", "why"),
    [
        ("house0", ["house1"], "one of your own bots"), ("bobs", ["house1"], "one of your own bots"),
        ("anns", [], "1 to 3 opponents, not 0"),
        ("anns", ["house0", "house1", "house2", "house3"], "1 to 3 opponents, not 4"),
        ("anns", ["anns"], "play only once at a table"), ("anns", ["house0", "HOUSE0"], "play only once at a table"),
        ("anns", ["nobody"], "There is no Gang of Dice bot named 'nobody'"),
        ("anns", ["waiting"], "does not have an active version"),
    ],
)  # fmt: skip
def test_an_impossible_table_is_refused(platform: Platform, bot: str, opponents: list[str], why: str) -> None:
    ann = author(platform, "ann")
    platform.upload("dan", "waiting")
    with pytest.raises(ChallengeRefused, match=why):
        ask(platform, ann, bot, *opponents)
    assert platform.matches(purpose="challenge") == []


def test_a_person_has_so_many_an_hour_and_at_once_and_is_told_when_the_next_is_allowed(platform: Platform) -> None:
    ann, bob = author(platform, "ann"), author(platform, "bob")
    few, two = Allowance(hourly=2, at_once=9), Allowance(hourly=9, at_once=2)
    with time_machine.travel(1_000_000, tick=False) as clock:
        ask(platform, ann, "anns", "house0", allowance=few)
        clock.move_to(1_000_600)
        ask(platform, ann, "anns", "house1", allowance=few)
        clock.move_to(1_001_000)
        with pytest.raises(
            TooManyChallenges, match=r"2 matches this hour\. You can start another in 44 minutes\."
        ) as result:
            ask(platform, ann, "anns", "house0", allowance=few)
        assert result.value.wait_s == 2600
        with pytest.raises(TooManyChallenges, match="You have 2 unfinished matches"):
            ask(platform, ann, "anns", "house2", allowance=two)
        ask(platform, bob, "bobs", "anns", allowance=few)
        platform.recorder.dispatch()
        platform.finish(next(o for _, o in platform.post.sent if platform.match(o.id).challenger_id == ann))
        ask(platform, ann, "anns", "house2", allowance=two)
        clock.move_to(1_003_600)
        ask(platform, ann, "anns", "house0", allowance=Allowance(hourly=3, at_once=9))


@ON_POSTGRESQL
def test_challenges_go_before_the_ladder_within_their_share_and_one_a_person(platform: Platform) -> None:
    people = {name: author(platform, name) for name in AUTHORS}
    platform.recorder.schedule()
    platform.post.sent.clear()
    platform.recorder.sweep()
    for name, person in people.items():
        for _ in range(3):
            ask(platform, person, f"{name}s", "house0")
    platform.post.slot_count = 8
    assert quarter_limit(8) == 2
    platform.post.sent.clear()
    platform.recorder.dispatch()
    requested = {match.id for match in platform.matches(purpose="challenge")}
    sent = [match_job.id for _, match_job in platform.post.sent if match_job.id in requested]
    assert [match_job.id for _, match_job in platform.post.sent][:2] == sent
    waiting = platform.matches(purpose="challenge")
    assert sent == [waiting[0].id, waiting[3].id]
    assert {waiting[0].challenger_id, waiting[3].challenger_id} == {people["ann"], people["bob"]}
    assert len(platform.post.sent) > 2


@pytest.mark.parametrize(("slots", "at_once"), [(1, 1), (2, 1), (4, 1), (7, 1), (8, 2), (32, 8), (40, 10)])
def test_at_most_a_quarter_of_the_slots_plays_challenges_or_trials_but_one_at_least(slots: int, at_once: int) -> None:
    assert quarter_limit(slots) == at_once


def test_a_flood_of_challenges_starves_nobody_and_each_has_somebody_who_asked_for_it(platform: Platform) -> None:
    ann = author(platform, "ann")
    for _ in range(20):
        ask(platform, ann, "anns", "house0")
    platform.post.slot_count = 1
    platform.recorder.schedule()
    found, taken = platform.matches(purpose="challenge"), []
    assert {match.challenger_id for match in found} == {ann}
    for _ in range(15):
        match_job = platform.take()
        taken.append(match_job.id in [match.id for match in found])
        platform.finish(match_job)
    assert 4 <= sum(taken) <= 6
    for values in ({"challenger_id": None}, {"purpose": "tournament"}):  # no other match has
        changed = update(Match).where(col(Match.id) == found[0].id).values(**values)
        with platform.database.write() as session, pytest.raises(IntegrityError), session.begin_nested():
            session.execute(changed)


def test_a_version_that_leaves_ends_its_waiting_challenges_with_the_reason(platform: Platform) -> None:
    ann, bob = author(platform, "ann"), author(platform, "bob")
    mine, theirs = ask(platform, ann, "anns", "bobs"), ask(platform, bob, "bobs", "house0")
    platform.upload("bob", "bobs", source=b"# the next\n")
    platform.pass_check()
    platform.recorder.dispatch()
    while any(match.state in ("scheduled", "leased") for match in platform.matches(purpose="trial")):
        trials = [match_job for queue, match_job in platform.post.sent if queue == "trials"]
        platform.post.sent = [sent for sent in platform.post.sent if sent[0] != "trials"]
        for match_job in trials:
            platform.finish(match_job)
    under_way = {match_job.id for _, match_job in platform.post.sent}
    for match_id in {mine, theirs} - under_way:
        assert platform.match(match_id).void_reason == "replaced by bobs v2"
    platform.play_all()
    assert {platform.match(mine).state, platform.match(theirs).state} <= {"done", "void"}


def test_who_cannot_be_played_is_the_challengers_to_answer_for_and_nobody_elses(platform: Platform) -> None:
    ann = author(platform, "ann")
    match_id, other = ask(platform, ann, "anns", "bobs"), ask(platform, ann, "anns", "house0")
    for _ in range(3):
        platform.recorder.dispatch()
        match_job = next(match_job for _, match_job in platform.post.sent if match_job.id == match_id)
        platform.post.sent.clear()
        platform.finish(match_job, void(match_job))
        platform.post.sent = [sent for sent in platform.post.sent if sent[1].id == match_id]
    assert "begun 3 times without a result" in (platform.match(match_id).void_reason or "")
    assert "in quarantine" in (platform.match(other).void_reason or "")
    held = platform.rows(select(Entry.version_id).where(col(Entry.quarantined).is_(True)))
    assert held == [platform.read(bot_named, "anns").active_version_id]
    with pytest.raises(ChallengeRefused, match="anns is in quarantine"):
        ask(platform, ann, "anns", "house0")
    platform.recorder.rounds = 0
    platform.recorder.schedule()
    assert len([m for m in platform.matches(purpose="trial") if m.state != "done"]) == 1
    platform.play_all()
    ask(platform, ann, "anns", "bobs")
