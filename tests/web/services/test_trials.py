"""Trials: what a new version goes through before it plays on the ladders."""

from hashlib import sha256

import msgspec
import pytest
from tests.kits.core_kit import GAME, Platform, failed_check, play_job, void
from tests.kits.models import PATH, BadTransition, Bot, Code, Verdict, Version, VersionState, select, transition

from gangland.faults import BotFault, FaultKind
from gangland_ladder.matches.match_jobs import CheckReport, MatchJob, Result
from gangland_sandbox.errors import UploadRejected
from gangland_web.broker.names import LOCAL, QUEUE_CHECKS, QUEUE_TRIALS
from gangland_web.services import jobs, uploads, worker_hosts


def test_an_upload_enters_every_ladder_after_a_check_and_a_trial_at_each_table_size(platform: Platform) -> None:
    version = platform.upload("ann")
    platform.recorder.schedule()
    assert platform.version(version).state == "scanned"
    assert [match.purpose for match in platform.matches(trial_version_id=version)] == ["check"]
    platform.recorder.schedule()
    platform.pass_check()
    assert platform.version(version).state == "timed"
    purposes = [match.purpose for match in platform.matches(trial_version_id=version)]
    assert purposes == ["check", "trial", "trial", "trial"]
    platform.play_all()
    assert [state for state, _, _ in platform.steps(version)] == [state.value for state in PATH]
    for seats in (2, 3, 4):
        assert version in {entry.version_id for entry in platform.entries(seats)}


def test_a_check_is_sent_before_all_else_through_a_queue_of_its_own(platform: Platform) -> None:
    platform.recorder.schedule()
    platform.upload("ann")
    platform.upload("bob", "other", b"# other\n")
    platform.post.sent.clear()
    platform.recorder.dispatch_soon()
    assert [queue for queue, _ in platform.post.sent] == [QUEUE_CHECKS]
    match_job = platform.take()
    assert [seat.code for seat in match_job.seats] == [sha256(b"print('hello')\n").hexdigest()]
    platform.finish(match_job)
    assert QUEUE_CHECKS in [queue for queue, _ in platform.post.sent]


def test_checkers_take_checks_while_no_match_can_be_played(platform: Platform) -> None:
    platform.post.slot_count, platform.post.checker_count = 0, 1
    for owner in ("ann", "bob", "cyd"):
        platform.upload(owner, f"bot_of_{owner}", f"# {owner}\n".encode())
    platform.recorder.dispatch_soon()
    assert [queue for queue, _ in platform.post.sent] == [QUEUE_CHECKS] * 2


def test_a_check_waits_where_whoever_announced_slots_may_not_play_any_more(platform: Platform) -> None:
    version = platform.upload("ann")
    platform.write(worker_hosts.revoke_host, LOCAL)
    platform.recorder.dispatch_soon()
    assert [match.state for match in platform.matches(trial_version_id=version)] == ["scheduled"]


def test_one_owner_has_one_check_under_way(platform: Platform) -> None:
    platform.post.slot_count, platform.post.checker_count = 40, 1
    for number in range(5):
        platform.upload("ann", source=b"# %d\n" % number)
    platform.upload("bob", "other", b"# other\n")
    platform.recorder.dispatch_soon()
    assert sum(queue == QUEUE_CHECKS for queue, _ in platform.post.sent) == 2


@pytest.mark.parametrize("stages", [None, [], ["imported", "legal"]])
def test_a_check_that_was_broken_off_goes_on_in_a_whole_trial(platform: Platform, stages: list[str] | None) -> None:
    version = platform.upload("ann")
    platform.recorder.sweep()
    check = platform.take()
    platform.finish(check, Result([], check=CheckReport("Bot", ["imported"], [], 0.0, 0.0, 0)))
    assert platform.version(version).state == "imported"
    match_job = platform.take()
    assert match_job.check is not None
    report = None if stages is None else CheckReport("Bot", stages, [], 0.0, 0.0, 0)
    platform.finish(match_job, msgspec.structs.replace(play_job(match_job), check=report))
    assert platform.match(match_job.id).state in ("scheduled", "leased")
    assert platform.version(version).state == "imported"


@pytest.mark.parametrize("answer", ["no report", "nothing passed", "games too"])
def test_what_answers_a_check_without_being_one_does_not_count(platform: Platform, answer: str) -> None:
    version = platform.upload("ann")
    platform.recorder.sweep()
    match_job = platform.take()
    result = play_job(match_job)
    if answer == "no report":
        result = msgspec.structs.replace(result, check=None)
    elif answer == "nothing passed":
        result = msgspec.structs.replace(result, check=CheckReport("Bot", [], [], 0.0, 0.0, 0))
    else:
        played = play_job(msgspec.structs.replace(match_job, seats=match_job.seats * 2, check_only=False))
        result = msgspec.structs.replace(result, games=played.games)
    platform.finish(match_job, result)
    assert platform.version(version).state == "scanned"
    assert {match.purpose for match in platform.matches(trial_version_id=version)} == {"check"}


def test_trials_have_a_queue_of_their_own_and_the_smallest_comes_first_with_the_bots_check(platform: Platform) -> None:
    platform.recorder.schedule()
    version = platform.upload("ann")
    platform.pass_check()
    sizes, checks = [], []
    while trials := [sent for sent in platform.post.sent if platform.match(sent[1].id).purpose == "trial"]:
        [(queue, match_job)] = trials
        assert queue == QUEUE_TRIALS
        sizes.append(len(match_job.seats))
        checks.append(None if match_job.check is None else match_job.seats[match_job.check].code)
        platform.post.sent.clear()
        platform.finish(match_job)  # the next one is sent as soon as this is recorded
    assert sizes == [2, 3, 4]
    assert checks == [platform.version(version).code_sha256, None, None]


def test_one_owner_has_one_trial_under_way_and_all_trials_a_quarter_of_the_slots(platform: Platform) -> None:
    platform.post.slot_count = 12
    for owner in ("ann", "bob", "cyd", "dan"):
        platform.upload(owner, name=f"bot_of_{owner}", source=f"# {owner}\n".encode())
    platform.recorder.sweep()
    while platform.matches(purpose="check", state="leased"):
        platform.pass_check()
    assert len(platform.post.sent) == 3
    assert len({platform.match(match_job.id).trial_version_id for _, match_job in platform.post.sent}) == 3


def test_a_version_that_fails_its_check_is_rejected_with_the_reason_and_plays_nothing(platform: Platform) -> None:
    version = platform.upload("ann")
    platform.recorder.sweep()
    match_job = platform.take()
    report = msgspec.to_builtins(failed_check(match_job))
    report["check"]["problems"][0]["message"] = "bad \0 thing"  # no database can keep it
    platform.begin(match_job)
    assert platform.say(jobs.Report.RESULT, match_job, report).verdict is Verdict.REFUSED
    assert platform.version(version).state == "scanned"
    match_job = platform.take()
    platform.finish(match_job, failed_check(match_job))
    why = "E203 illegal decision: line 17: choose_dice() returned 99"
    assert platform.steps(version)[-1] == ("rejected", False, why)
    assert {match.state for match in platform.matches(trial_version_id=version)} == {"void"}
    assert platform.play_all() == 0


def test_a_version_is_rejected_by_name_for_a_fault_of_its_own_and_the_old_one_plays(platform: Platform) -> None:
    old = platform.upload("ann")
    code = platform.version(old).code_sha256

    def others_fail(match_job: MatchJob, index: int) -> BotFault | None:
        return None if match_job.seats[index].code == code else BotFault(FaultKind.CRASHED, "the house fell")

    platform.play_all(failing=others_fail)
    new = platform.upload("ann", source=b"print('worse')\n")
    platform.play_all(failing=platform.seat_of(new))
    state, ok, message = platform.steps(new)[-1]
    assert (state, ok) == ("rejected", False)
    assert message.startswith("E204 raised an exception: it broke")
    assert platform.version(old).state == "active"


def test_a_void_trial_is_tried_again_and_at_last_told_as_the_platforms_fault(platform: Platform) -> None:
    first = platform.upload("ann")
    platform.recorder.sweep()
    for _ in range(3):
        match_job = platform.take()
        platform.finish(match_job, void(match_job))
    assert platform.version(first).state == "scanned"
    platform.play_all()
    assert platform.version(first).state == "active"
    second = platform.upload("ann", source=b"# second\n")
    platform.recorder.sweep()
    while platform.post.sent:
        match_job = platform.take()
        platform.finish(match_job, void(match_job))
    state, ok, message = platform.steps(second)[-1]
    assert (state, ok) == ("rejected", False)
    assert message.startswith("platform fault")


def test_progress_shows_stages_but_cannot_make_a_version_active(platform: Platform) -> None:
    version = platform.upload("ann")
    platform.recorder.sweep()
    match_job = platform.take()
    for stage in ("imported", "legal", "active", "nonsense"):
        platform.progress(match_job, stage)
    stale = msgspec.structs.replace(match_job, message=msgspec.structs.replace(match_job.message, token="stale"))
    assert platform.progress(stale, "timed").verdict is Verdict.FORGED
    assert platform.version(version).state == "legal"


def test_a_version_plays_on_until_another_of_its_owner_has_passed_though_it_is_sent_again(platform: Platform) -> None:
    old = platform.upload("ann", name="vito", source=b"# one\n")
    platform.play_all()
    with pytest.raises(UploadRejected, match="identical to version 1"):
        platform.upload("ann", name="vito", source=b"# one\n")
    new = platform.upload("ann", name="vito", source=b"# two\n")
    assert platform.version(old).state == "active"
    platform.play_all()
    assert (platform.version(old).state, platform.version(new).state) == ("retired", "active")
    active = {entry.version_id for entry in platform.entries() if entry.active}
    assert new in active
    assert old not in active
    other = platform.upload("ann", name="second", source=b"# second\n")
    platform.play_all()
    assert (platform.version(new).state, platform.version(other).state) == ("retired", "active")


def test_a_file_that_is_sent_again_while_it_is_on_its_way_is_the_same_version(platform: Platform) -> None:
    first = platform.upload("ann", source=b"# one\n")
    assert [platform.upload("ann", source=b"# one\n") for _ in range(3)] == [first] * 3
    platform.recorder.schedule()
    platform.pass_check()
    assert platform.upload("ann", source=b"# one\n") == first
    second = platform.upload("ann", source=b"# two\n")
    third = platform.upload("ann", source=b"# one\n")
    assert [platform.version(each).number for each in (first, second, third)] == [1, 2, 3]
    assert platform.upload("bob", "other", b"# one\n") not in (first, third)


def test_a_newer_upload_takes_the_place_of_one_on_trial_once_its_check_passed(platform: Platform) -> None:
    first = platform.upload("ann")
    platform.pass_check()
    rubbish = platform.upload("ann", source=b"# rubbish\n")
    platform.recorder.dispatch_soon()
    match_job = next(match_job for queue, match_job in platform.post.sent if queue == QUEUE_CHECKS)
    platform.finish(match_job, failed_check(match_job))
    assert (platform.version(first).state, platform.version(rubbish).state) == ("timed", "rejected")
    assert {match.state for match in platform.matches(trial_version_id=first)} == {"done", "leased", "scheduled"}
    trial = next(match_job for queue, match_job in platform.post.sent if queue == QUEUE_TRIALS)
    platform.post.sent.clear()
    second = platform.upload("ann", source=b"# second\n")
    assert platform.version(first).state == "timed"
    platform.pass_check()
    assert platform.version(first).state == "retired"
    assert {match.state for match in platform.matches(trial_version_id=first)} == {"done", "leased", "void"}
    platform.finish(trial, play_job(trial, failing=platform.seat_of(first)))  # which nobody needs any more
    assert platform.version(first).state == "retired"
    platform.play_all()
    assert platform.version(second).state == "active"


def test_waiting_ladder_matches_of_a_retired_version_are_void(platform: Platform) -> None:
    old = platform.upload("ann")
    platform.play_all()
    platform.post.slot_count = 0
    platform.recorder.schedule()
    platform.upload("ann", source=b"# new\n")
    platform.post.slot_count = 1
    while platform.version(old).state == "active":
        platform.recorder.dispatch()
        platform.finish(platform.take())
    reasons = {match.void_reason for match in platform.matches(state="void")}
    assert reasons == {"replaced by newcomer v2"}
    platform.play_all()
    ladders = [match for match in platform.matches() if match.purpose == "ladder"]
    assert platform.rows(select(Version).where(Version.state == "active"))
    assert {match.state for match in ladders} <= {"done", "void"}


def test_a_name_that_is_taken_or_too_long_and_what_is_no_bot_are_not_kept(platform: Platform) -> None:
    with pytest.raises(UploadRejected) as refused:
        platform.upload("ann", name="HOUSE1", source=b"# mine\n")
    assert refused.value.code == "name_taken"
    for name in ("ß" * 33, "\ufb03" * 22, "x" * 65, ""):
        with pytest.raises(UploadRejected) as refused, platform.database.write() as session:
            uploads.submit_version(session, None, GAME, name, "vito.py", b"# mine\n")
        assert refused.value.code == "bot_name"
    with pytest.raises(UploadRejected):
        platform.upload("ann", source=b"\x00")
    with platform.database.read() as session:
        assert session.exec(select(Code).where(Code.source == b"# mine\n")).first() is None
        assert session.exec(select(Bot).where(Bot.name == "newcomer")).first() is None
    platform.write(uploads.submit_version, None, GAME, "ß" * 32, "v" * 64 + ".py", b"# mine\n")
    platform.upload("ann", game=GAME)
    assert platform.upload("bob", game="gangster-dice") > 0  # of the same name
    form = {"game": GAME, "name": "ß" * 40, "source": "# mine"}
    assert "1 to 64 characters" in uploads.read_upload(form, None).errors["name"]
    assert "name" not in uploads.read_upload({**form, "name": "ß" * 32}, None).errors


@pytest.mark.parametrize(
    "way", ["rejected to active", "retired to active", "received to active", "active to rejected", "legal to scanned"]
)
def test_a_version_takes_no_way_that_its_lifecycle_does_not_have(way: str) -> None:
    before, after = way.split(" to ")
    with pytest.raises(BadTransition, match=before):
        transition(VersionState(before), VersionState(after))
