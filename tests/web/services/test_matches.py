"""The truth about matches: dispatch, record and sweep, whatever gets lost, comes twice or comes late."""

from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from fractions import Fraction
from hashlib import sha256
from typing import Any

import msgspec
import pytest
import time_machine
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError
from sqlalchemy import event, update
from sqlalchemy.exc import OperationalError as DatabaseAway
from sqlmodel import col, select
from tests.kits.core_kit import ON_POSTGRESQL, FakeBroker, Platform, Sent, play_job, void

from gangland.luck import luck_of
from gangland.replay import load
from gangland_ladder.matches.match_jobs import encode
from gangland_web.broker.gate import Message, encode_message
from gangland_web.models.jobs import Verdict
from gangland_web.models.matches import Match, MatchSeat, PlayedGame
from gangland_web.services import jobs, matches, results
from gangland_web.services.dispatch import MATCHES_PER_SLOT, dispatch
from gangland_web.services.match_jobs import MAX_JOBS, SentMatchJobs
from gangland_web.workers import records as recorder


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(1_800_000_000, tick=False) as traveller:
        yield traveller


def scheduled(platform: Platform) -> list[Sent]:
    platform.recorder.schedule()
    return [match_job for _, match_job in platform.post.sent]


def test_a_few_matches_a_slot_are_sent_ahead_with_their_code_and_a_lease(platform: Platform) -> None:
    platform.post.slot_count = 0
    assert scheduled(platform) == []
    assert {match.state for match in platform.matches()} == {"scheduled"}
    platform.post.slot_count = 2
    for _ in range(2):
        dispatch(platform.database, platform.post)
        assert len(platform.post.sent) == 2 * MATCHES_PER_SLOT
    for _, match_job in platform.post.sent:
        match, job = platform.match(match_job.id), platform.job(match_job)
        assert (job.state, job.token, job.lease_until) == ("leased", match_job.token, match_job.message.until)
        assert (match.state, match.sent_at) == ("leased", job.leased_at)
        assert match_job.message.until - (job.leased_at or 0.0) >= 120
        assert [seat.entry for seat in match_job.seats] == sorted(seat.entry for seat in match_job.seats)
        for seat in match_job.seats:
            assert sha256(platform.post.codes[seat.code]).hexdigest() == seat.code


def test_a_dispatch_asks_for_nothing_of_a_purpose_of_which_no_match_is_scheduled(platform: Platform) -> None:
    statements: list[str] = []

    def note(_: object, __: object, statement: str, *___: object) -> None:
        statements.append(statement)

    def asked(table: str) -> bool:
        return any(table in text for text in statements)

    scheduled(platform)
    platform.post.slot_count += 1
    event.listen(platform.database.engine, "before_cursor_execute", note)
    assert dispatch(platform.database, platform.post)
    assert (asked("GROUP BY matches.challenger_id"), asked("FROM ladder_turns")) == (False, True)
    platform.write(matches.void_waiting, "nobody needs them")
    statements.clear()
    assert dispatch(platform.database, platform.post) == 0
    assert not asked("FROM ladder_turns")
    event.remove(platform.database.engine, "before_cursor_execute", note)


@ON_POSTGRESQL
def test_a_result_counts_also_with_a_record_worker_that_never_sent_its_job(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_job = scheduled(platform)[0]
    platform.begin(match_job)
    monkeypatch.setattr(results, "_SENT", SentMatchJobs())
    platform.result(match_job)
    match = platform.match(match_job.id)
    assert (match.state, match.attempt, platform.job(match_job).token) == ("done", 1, None)
    games = platform.rows(select(PlayedGame).where(PlayedGame.match_id == match_job.id))
    seats = platform.rows(select(MatchSeat).where(MatchSeat.match_id == match_job.id))
    assert len(games) == len(match_job.blocks) * len(match_job.seats)
    assert all(seat.mean_place_num and seat.mu_after is not None for seat in seats)
    assert all(tuple(game.luck) == luck_of(load(game.replay)) for game in games)
    assert any(seat.luck for seat in seats)
    assert sum(Fraction(seat.mean_place_num or 0, seat.mean_place_den or 1) for seat in seats) == 3
    assert sum(seat.adjusted or 0.0 for seat in seats) == pytest.approx(3)
    played = {entry.id: entry.games for entry in platform.entries() if entry.games}
    assert played == {seat.entry: len(games) for seat in match_job.seats}


def test_workers_always_have_matches_waiting_until_all_is_played(platform: Platform) -> None:
    left = len(scheduled(platform)) + len(platform.matches(state="scheduled"))
    for over in range(left):
        assert len(platform.post.sent) >= min(left - over, 2)
        if over == 4:  # more than one of each size, so that it is known what each takes
            assert len(platform.post.sent) == 2 * MATCHES_PER_SLOT
        platform.finish(platform.take())


def test_a_result_is_dropped_whose_lease_ended_though_its_job_is_still_known(
    platform: Platform, clock: time_machine.Traveller
) -> None:
    late = scheduled(platform)[0]
    platform.post.sent.clear()
    clock.shift(timedelta(seconds=16))
    platform.recorder.sweep()
    (again,) = (match_job for _, match_job in platform.post.sent if match_job.id == late.id)
    platform.result(late)
    assert platform.job(late).token == again.token
    assert not any(entry.games for entry in platform.entries())
    platform.result(again)
    platform.result(again)
    assert {entry.games for entry in platform.entries() if entry.games} == {len(again.blocks) * len(again.seats)}


def test_jobs_that_never_had_an_answer_do_not_pile_up(platform: Platform) -> None:
    kept, match_job = SentMatchJobs(), scheduled(platform)[0]
    for number in range(1, MAX_JOBS + 3):
        kept.add(f"token {number}", match_job)
    assert [kept.pop(f"token {number}") is None for number in (1, 2)] == [True, True]
    assert [kept.pop(f"token {number}") is not None for number in (3, MAX_JOBS + 2)] == [True, True]
    assert kept.pop("token 3") is None


NO_RESULTS: list[object] = ["", "[]", {}, None, {"games": [], "and": 1}, {"games": None}, 7]
NO_MESSAGES: list[object] = [
    None, 7, "", "[]", "{}", "null", '{"kind": "ladder", "job": 1}',
    '{"kind": "ladder", "job": 99999999999999999999, "token": "x"}', '{"kind": "ladder", "job": 0, "token": ""}',
    '{"kind": "ladder", "job": 1, "token": "\\u0000"}', '{"kind": "no kind", "job": 1, "token": "x"}',
    '{"kind": "other", "job": 1, "token": "x"}', '{"kind": "ladder", "job": "1", "token": "x"}',
    '{"kind": "ladder", "job": true, "token": "x"}', '{"kind": "ladder", "job": -1, "token": "x"}',
    '{"kind": "ladder", "job": 1, "token": null}', '{"kind": "ladder", "job": 1, "token": "' + 65 * "t" + '"}',
]  # fmt: skip


@ON_POSTGRESQL
def test_what_is_no_message_changes_nothing_and_what_is_no_result_ends_its_own_lease(platform: Platform) -> None:
    match_jobs = scheduled(platform)
    before = platform.matches()
    for text in NO_MESSAGES:
        for say in jobs.Report:
            assert platform.recorder.record_message(say, "local", text).verdict is Verdict.REFUSED, text
    other_kind = msgspec.structs.replace(match_jobs[0].message.answer(), kind="trial")
    assert (
        platform.recorder.record_message(jobs.Report.RETURNED, "local", encode_message(other_kind)).verdict
        is Verdict.STALE
    )
    assert platform.matches() == before
    platform.post.slot_count = 0
    for body in NO_RESULTS:
        platform.post.slot_count = 2
        platform.recorder.dispatch()
        platform.post.slot_count = 0
        match_job = platform.post.sent[-1][1]
        assert platform.say(jobs.Report.RESULT, match_job, body).verdict is Verdict.REFUSED, body
        assert platform.match(match_job.id).state != "leased"


def turn_places_round(result: dict[str, Any]) -> None:
    replay = msgspec.json.decode(result["games"][0]["replay"])
    replay["places"] = [1, 2] if replay["places"] != [1, 2] else [2, 1]
    result["games"][0]["replay"] = msgspec.json.encode(replay).decode()


def think(times: list[dict[str, int]]) -> Callable[[dict[str, Any]], object]:
    return lambda result: result.update(think=times)


FORGED: dict[str, Callable[[dict[str, Any]], object]] = {
    "other places": turn_places_round,
    "a log that is too long to be read": lambda result: result["games"][0].update(logs=["x" * 80_000, ""]),
    "a game missing": lambda result: result["games"].pop(),
    "a text that no database can keep": lambda result: result.update(games=[], void="the jail\0broke"),
    "problems of a check that was not requested": lambda result: result.update(
        check={"stages": [], "problems": ["no class"]}
    ),
    "thinking beyond the last class": think([{"41": 1}]),
    "thinking before the first class": think([{"-1": 1}]),
    "fewer than no thoughts": think([{"3": -1}]),
    "more thoughts than decisions": think([{"3": 10**9}]),
    "more thinkers than seats": think([{}] * 5),
    "thinking in no class": think([{"x": 1}]),
}


@pytest.mark.parametrize("what", FORGED)
@ON_POSTGRESQL
def test_a_forged_result_does_not_count_and_ends_its_own_lease_and_no_other(platform: Platform, what: str) -> None:
    match_job, other = scheduled(platform)[:2]
    platform.begin(match_job)
    result = msgspec.json.decode(encode(play_job(match_job)))
    FORGED[what](result)
    platform.post.slot_count = 0
    taken = platform.say(jobs.Report.RESULT, match_job, result)
    assert taken.verdict is Verdict.REFUSED
    assert "places" in taken.reason or what != "other places"
    assert (platform.match(match_job.id).state, platform.match(other.id).state) == ("scheduled", "leased")
    assert not any(entry.games for entry in platform.entries())


def test_how_long_bots_thought_is_kept_as_the_worker_said_it_and_changes_nothing_else(platform: Platform) -> None:
    match_jobs = scheduled(platform)[:2]
    for match_job, think in zip(match_jobs, [[{3: 5, 11: 1}, {7: 2}], [{3: 5}]], strict=True):
        platform.begin(match_job)
        result = msgspec.structs.replace(play_job(match_job), think=think)
        assert platform.result(match_job, result).verdict is Verdict.DONE
    kept = [platform.get(MatchSeat, (match_job.id, position)).think for match_job in match_jobs for position in (0, 1)]
    assert kept == [{"3": 5, "11": 1}, {"7": 2}, None, None]


def test_a_match_that_failed_on_our_side_is_played_again_and_void_after_three_times(platform: Platform) -> None:
    once, thrice = (match_job.id for match_job in scheduled(platform)[:2])

    def fail(match_id: int) -> None:
        match_job = next(match_job for _, match_job in platform.post.sent if match_job.id == match_id)
        platform.post.sent = [(queue, other) for queue, other in platform.post.sent if other.id != match_id]
        platform.finish(match_job, void(match_job, "the jail broke"))

    fail(once)
    assert platform.match(once).state in ("scheduled", "leased")
    platform.finish(next(match_job for _, match_job in platform.post.sent if match_job.id == once))
    assert platform.match(once).state == "done"
    assert sum(entry.faults for entry in platform.entries()) == 0
    for _ in range(3):
        fail(thrice)
    match = platform.match(thrice)
    assert match.state == "void"
    assert match.void_reason is not None
    assert "3 times" in match.void_reason
    assert "the jail broke" in match.void_reason


@ON_POSTGRESQL
def test_a_match_that_is_void_leaves_no_job_that_waits(platform: Platform, clock: time_machine.Traveller) -> None:
    waiting, leased = scheduled(platform)[:2]
    platform.post.slot_count = 0
    platform.finish(waiting, void(waiting, "the jail broke"))
    assert platform.job(waiting).state == "waiting"
    platform.begin(leased)
    with platform.database.write() as session:
        matches.void_waiting(session, "nobody needs it", col(Match.id) == waiting.id)
        gone = {"state": "void", "void_reason": "corrected", "done_at": 1.0, "sent_at": None}
        session.exec(update(Match).where(col(Match.id) == leased.id).values(gone))
    clock.shift(jobs.SILENCE_S + 1)
    platform.recorder.sweep()
    assert [platform.job_of(platform.match(match_job.id)) for match_job in (waiting, leased)] == [None, None]


def test_a_begun_match_keeps_its_lease_until_it_falls_silent(platform: Platform, clock: time_machine.Traveller) -> None:
    match_job = scheduled(platform)[0]
    platform.take()
    platform.begin(match_job)
    for seconds in (5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 14):
        clock.shift(timedelta(seconds=seconds))
        if seconds == 5:
            platform.begin(match_job)
        platform.recorder.sweep()
        assert platform.job(match_job).token == match_job.token
    clock.shift(timedelta(seconds=2))
    platform.recorder.sweep()
    again = platform.job(match_job)
    assert (again.state, again.attempt) == ("leased", 1)
    assert again.token != match_job.token
    assert platform.result(match_job).verdict is Verdict.STALE
    platform.play_all()
    assert platform.match(match_job.id).state == "done"


def test_jobs_that_wait_in_a_queue_keep_their_leases(platform: Platform, clock: time_machine.Traveller) -> None:
    match_jobs = scheduled(platform)
    clock.shift(timedelta(seconds=1))
    platform.upload("ann")
    platform.recorder.dispatch()
    trial = platform.post.sent.pop()[1]
    for _ in range(2):
        clock.shift(timedelta(seconds=50))
        platform.recorder.sweep()
        assert [platform.job(each).token for each in match_jobs] == [each.token for each in match_jobs]
        platform.finish(trial)


@pytest.mark.parametrize("is_played", [True, False])
def test_a_job_lost_while_others_wait_is_sent_again_once_a_later_one_is_begun_or_played(
    platform: Platform, clock: time_machine.Traveller, is_played: bool
) -> None:
    platform.recorder.schedule()
    lost = platform.take()
    clock.shift(timedelta(seconds=1))
    platform.post.slot_count = 3
    platform.recorder.dispatch()
    later = platform.post.sent[-1][1]
    platform.post.slot_count = 0
    platform.begin(later)
    if is_played:
        platform.result(later)
    for seconds, keeps_its_lease in ((14, True), (2, False)):
        clock.shift(timedelta(seconds=seconds))
        platform.begin(later)
        platform.recorder.sweep()
        assert (platform.job(lost).token == lost.token) is keeps_its_lease
    assert (platform.match(lost.id).state, platform.match(lost.id).attempt) == ("scheduled", 0)
    assert is_played or platform.job(later).token == later.token


def test_a_clock_set_back_holds_no_match_and_a_lease_ends(platform: Platform, clock: time_machine.Traveller) -> None:
    begun, *waiting = scheduled(platform)
    platform.begin(begun)
    slots, platform.post.slot_count = platform.post.slot_count, 0
    clock.shift(timedelta(hours=-1))
    platform.recorder.sweep()
    assert {platform.match(match_job.id).state for match_job in (begun, *waiting)} == {"scheduled"}
    platform.post.slot_count = slots
    platform.recorder.dispatch()
    match_job = platform.post.sent[-1][1]
    clock.move_to(match_job.message.until + 1)
    platform.post.slot_count = 0
    platform.recorder.sweep()  # though the queue is not empty
    assert platform.match(match_job.id).state == "scheduled"


def test_after_a_clock_was_set_back_jobs_that_wait_keep_their_leases(
    platform: Platform, clock: time_machine.Traveller
) -> None:
    scheduled(platform)
    platform.post.slot_count = 3
    first = platform.take()
    clock.shift(timedelta(hours=-1))
    platform.finish(first)
    platform.post.sent.clear()
    platform.recorder.sweep()
    again = [match_job for _, match_job in platform.post.sent]
    assert again
    clock.shift(timedelta(seconds=60))
    platform.recorder.sweep()
    assert [platform.job(match_job).token for match_job in again] == [match_job.token for match_job in again]


class AwayBroker(FakeBroker):
    def send(self, queue: str, message: Message) -> None:
        raise OperationalError("connection refused")

    def waiting(self, queues: Iterable[str]) -> dict[str, int]:
        raise RedisError("connection refused")


def test_a_broker_that_is_away_when_jobs_are_sent_costs_nothing_but_time(
    platform: Platform, clock: time_machine.Traveller
) -> None:
    match_job = scheduled(platform)[0]
    there, platform.recorder.broker = platform.recorder.broker, AwayBroker()
    platform.begin(match_job)
    platform.result(match_job)
    platform.recorder.sweep()
    assert platform.match(match_job.id).state == "done"
    platform.recorder.broker = there
    platform.post.sent.clear()
    clock.shift(timedelta(seconds=16))
    platform.recorder.sweep()
    sent = [match_job.id for _, match_job in platform.post.sent]
    assert sent
    assert {platform.match(number).attempt for number in sent} == {0}


def test_what_is_to_be_recorded_waits_for_a_database_that_restarts_slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorder, "DATABASE_PAUSE_S", 0.0)
    down = iter(range(100))

    def act() -> str:
        if next(down) < 60:
            raise DatabaseAway("select 1", {}, Exception("the database system is starting up"))
        return "recorded"

    assert recorder._with_retries(act) == "recorded"
