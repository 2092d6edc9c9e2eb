"""Trials: what a new version goes through before it plays on the ladders."""

from __future__ import annotations

from hashlib import sha256

import msgspec
import pytest
from sqlmodel import select
from tests.kits.core_kit import GAME, KINDS, Platform, a_platform, failed_check, play_order, void

from gangland.faults import BotFault, FaultKind
from gangland_ladder.matches.orders import CheckReport, Order, Result, encode
from gangland_sandbox.errors import UploadRejected
from gangland_web.broker.names import LOCAL, QUEUE_CHECKS, QUEUE_TRIALS
from gangland_web.league.dispatch.dispatch import quarter_of
from gangland_web.league.hosts import revoke_host
from gangland_web.league.versions.forms import read_upload
from gangland_web.league.versions.submit import submit_version
from gangland_web.store.lifecycles.versions import PATH, ForbiddenMove, VersionState, move
from gangland_web.store.models.bots import Bot, Code, Version

platform = pytest.fixture(a_platform, params=KINDS)


def test_an_upload_waits_for_its_check_and_then_for_a_trial_at_each_table_size(platform: Platform) -> None:
    version = platform.upload("ann")
    platform.recorder.schedule()
    assert platform.version(version).state == "scanned"
    assert [match.purpose for match in platform.matches(trial_version_id=version)] == ["check"]
    platform.recorder.schedule()
    platform.pass_check()
    assert platform.version(version).state == "timed"
    purposes = [match.purpose for match in platform.matches(trial_version_id=version)]
    assert purposes == ["check", "trial", "trial", "trial"]


def test_a_check_is_sent_before_all_else_through_a_queue_of_its_own(platform: Platform) -> None:
    platform.recorder.schedule()
    platform.upload("ann")
    platform.upload("bob", "other", b"# other\n")
    platform.post.sent.clear()
    platform.recorder.dispatch_checks()
    assert [queue for queue, _ in platform.post.sent] == [QUEUE_CHECKS]
    order = platform.take()
    assert [seat.code for seat in order.seats] == [sha256(b"print('hello')\n").hexdigest()]
    platform.finish(order)
    assert QUEUE_CHECKS in [queue for queue, _ in platform.post.sent]


def test_checkers_take_checks_while_no_match_can_be_played(platform: Platform) -> None:
    platform.post.slot_count, platform.post.checker_count = 0, 1
    for owner in ("ann", "bob", "cyd"):
        platform.upload(owner, f"bot_of_{owner}", f"# {owner}\n".encode())
    platform.recorder.dispatch_checks()
    assert [queue for queue, _ in platform.post.sent] == [QUEUE_CHECKS] * 2


def test_a_check_waits_where_whoever_announced_slots_may_not_play_any_more(platform: Platform) -> None:
    version = platform.upload("ann")
    with platform.database.write() as session:
        revoke_host(session, LOCAL)
    platform.recorder.dispatch_checks()
    assert [match.state for match in platform.matches(trial_version_id=version)] == ["scheduled"]


def test_one_owner_has_one_check_under_way(platform: Platform) -> None:
    platform.post.slot_count, platform.post.checker_count = 40, 1
    for number in range(5):
        platform.upload("ann", source=b"# %d\n" % number)
    platform.upload("bob", "other", b"# other\n")
    platform.recorder.dispatch_checks()
    assert sum(queue == QUEUE_CHECKS for queue, _ in platform.post.sent) == 2


def test_a_check_that_was_broken_off_goes_on_in_the_trial(platform: Platform) -> None:
    version = platform.upload("ann")
    platform.recorder.sweep()
    order = platform.take()
    report = CheckReport("Bot", ["imported"], [], 0.0, 0.0, 0)
    platform.finish(order, Result(order.id, order.token, [], check=report))
    assert platform.version(version).state == "imported"
    assert platform.take().check is not None


@pytest.mark.parametrize("answer", ["no report", "nothing passed", "games too"])
def test_what_answers_a_check_without_being_one_does_not_count(platform: Platform, answer: str) -> None:
    version = platform.upload("ann")
    platform.recorder.sweep()
    order = platform.take()
    result = play_order(order)
    if answer == "no report":
        result = msgspec.structs.replace(result, check=None)
    elif answer == "nothing passed":
        result = msgspec.structs.replace(result, check=CheckReport("Bot", [], [], 0.0, 0.0, 0))
    else:
        played = play_order(msgspec.structs.replace(order, seats=order.seats * 2, check_only=False))
        result = msgspec.structs.replace(result, games=played.games)
    platform.finish(order, result)
    assert platform.version(version).state == "scanned"
    assert {match.purpose for match in platform.matches(trial_version_id=version)} == {"check"}


def test_a_version_that_passes_all_trials_is_active_and_enters_every_ladder(platform: Platform) -> None:
    version = platform.upload("ann")
    platform.play_all()
    assert [state for state, _, _ in platform.steps(version)] == [state.value for state in PATH]
    for seats in (2, 3, 4):
        assert version in {entry.version_id for entry in platform.entries(seats)}


def test_trials_go_through_a_queue_of_their_own(platform: Platform) -> None:
    platform.recorder.schedule()
    platform.upload("ann")
    platform.pass_check()
    queues = [queue for queue, order in platform.post.sent if platform.match(order.id).purpose == "trial"]
    assert queues == [QUEUE_TRIALS]


def test_the_smallest_trial_comes_first_and_has_the_bot_checked(platform: Platform) -> None:
    version = platform.upload("ann")
    platform.pass_check()
    order = platform.take()
    assert len(order.seats) == 2
    assert order.check is not None
    assert order.seats[order.check].code == platform.version(version).code_sha256
    platform.finish(order)
    assert platform.take().check is None


def test_one_owner_has_one_trial_under_way_and_all_trials_a_quarter_of_the_slots(platform: Platform) -> None:
    platform.post.slot_count = 12
    for owner in ("ann", "bob", "cyd", "dan"):
        platform.upload(owner, name=f"bot_of_{owner}", source=f"# {owner}\n".encode())
    platform.recorder.sweep()
    while platform.matches(purpose="check", state="leased"):
        platform.pass_check()
    assert len(platform.post.sent) == 3
    assert len({platform.match(order.id).trial_version_id for _, order in platform.post.sent}) == 3


@pytest.mark.parametrize(("slots", "most"), [(1, 1), (2, 1), (4, 1), (8, 2), (32, 8)])
def test_a_quarter_of_the_slots_but_one_at_least_is_for_trials(slots: int, most: int) -> None:
    assert quarter_of(slots) == most


def test_a_version_that_fails_its_check_is_rejected_with_the_reason_and_plays_nothing(platform: Platform) -> None:
    version = platform.upload("ann")
    platform.recorder.sweep()
    order = platform.take()
    platform.finish(order, failed_check(order))
    assert platform.steps(version)[-1] == (
        "rejected",
        False,
        "E203 illegal decision: line 17: choose_dice() returned 99",
    )
    assert {match.state for match in platform.matches(trial_version_id=version)} == {"void"}
    assert platform.play_all() == 0


@pytest.mark.parametrize("stages", [None, [], ["imported", "legal"]])
def test_a_trial_without_the_whole_check_that_was_ordered_does_not_count(
    platform: Platform, stages: list[str] | None
) -> None:
    version = platform.upload("ann")
    platform.recorder.sweep()
    check = platform.take()
    platform.finish(check, Result(check.id, check.token, [], check=CheckReport("Bot", ["imported"], [], 0.0, 0.0, 0)))
    order = platform.take()
    report = None if stages is None else CheckReport("Bot", stages, [], 0.0, 0.0, 0)
    platform.finish(order, msgspec.structs.replace(play_order(order), check=report))
    assert platform.match(order.id).state in ("scheduled", "leased")
    assert platform.version(version).state == "imported"


def test_any_fault_of_the_new_bot_rejects_it_by_name(platform: Platform) -> None:
    version = platform.upload("ann")
    platform.play_all(failing=platform.seat_of(version))
    state, ok, message = platform.steps(version)[-1]
    assert (state, ok) == ("rejected", False)
    assert message.startswith("E204 raised an exception: it broke")


def test_a_fault_of_a_house_bot_is_not_the_new_bots(platform: Platform) -> None:
    version = platform.upload("ann")
    code = platform.version(version).code_sha256

    def others_fail(order: Order, index: int) -> BotFault | None:
        return None if order.seats[index].code == code else BotFault(FaultKind.CRASHED, "the house fell")

    platform.play_all(failing=others_fail)
    assert platform.version(version).state == "active"


def test_a_void_trial_is_tried_again(platform: Platform) -> None:
    version = platform.upload("ann")
    platform.recorder.sweep()
    for _ in range(3):
        order = platform.take()
        platform.finish(order, void(order))
    assert platform.version(version).state == "scanned"
    platform.play_all()
    assert platform.version(version).state == "active"


def test_a_trial_that_can_never_be_played_is_told_as_the_platforms_fault(platform: Platform) -> None:
    version = platform.upload("ann")
    platform.recorder.sweep()
    while platform.post.sent:
        order = platform.take()
        platform.finish(order, void(order))
    state, ok, message = platform.steps(version)[-1]
    assert (state, ok) == ("rejected", False)
    assert message.startswith("platform fault")


def test_progress_shows_stages_but_cannot_make_a_version_active(platform: Platform) -> None:
    version = platform.upload("ann")
    platform.recorder.sweep()
    order = platform.take()
    for stage in ("imported", "legal", "active", "nonsense"):
        platform.recorder.progress(order.id, order.token, stage)
    platform.recorder.progress(order.id, "stale", "timed")
    assert platform.version(version).state == "legal"


def test_the_old_version_plays_on_until_the_new_one_has_passed(platform: Platform) -> None:
    old = platform.upload("ann")
    platform.play_all()
    new = platform.upload("ann", source=b"print('better')\n")
    assert platform.version(old).state == "active"
    platform.play_all()
    assert (platform.version(old).state, platform.version(new).state) == ("retired", "active")
    active = {entry.version_id for entry in platform.entries() if entry.active}
    assert new in active
    assert old not in active


def test_a_rejected_version_leaves_the_old_one_playing(platform: Platform) -> None:
    old = platform.upload("ann")
    platform.play_all()
    new = platform.upload("ann", source=b"print('worse')\n")
    platform.play_all(failing=platform.seat_of(new))
    assert (platform.version(old).state, platform.version(new).state) == ("active", "rejected")


def test_an_owner_has_one_active_bot_a_game(platform: Platform) -> None:
    first = platform.upload("ann", name="first")
    platform.play_all()
    second = platform.upload("ann", name="second", source=b"# second\n")
    platform.play_all()
    assert (platform.version(first).state, platform.version(second).state) == ("retired", "active")


def test_rubbish_withdraws_nothing_that_waits(platform: Platform) -> None:
    first = platform.upload("ann")
    platform.pass_check()
    rubbish = platform.upload("ann", source=b"# rubbish\n")
    platform.recorder.dispatch_checks()
    order = next(order for queue, order in platform.post.sent if queue == QUEUE_CHECKS)
    platform.finish(order, failed_check(order))
    assert (platform.version(first).state, platform.version(rubbish).state) == ("timed", "rejected")
    platform.play_all()
    assert platform.version(first).state == "active"


def test_a_newer_upload_takes_the_place_of_one_on_trial_once_its_check_passed(platform: Platform) -> None:
    first = platform.upload("ann")
    platform.pass_check()
    second = platform.upload("ann", source=b"# second\n")
    assert platform.version(first).state == "timed"
    platform.pass_check()
    assert platform.version(first).state == "retired"
    assert {match.state for match in platform.matches(trial_version_id=first)} == {"done", "leased", "void"}
    platform.play_all()
    assert platform.version(second).state == "active"


def test_the_result_of_a_trial_that_nobody_needs_any_more_changes_no_version(platform: Platform) -> None:
    first = platform.upload("ann")
    platform.pass_check()
    order = platform.take()
    platform.upload("ann", source=b"# second\n")
    platform.pass_check()
    platform.finish(order, play_order(order, failing=platform.seat_of(first)))
    assert platform.version(first).state == "retired"


def test_waiting_ladder_matches_of_a_retired_version_are_void(platform: Platform) -> None:
    old = platform.upload("ann")
    platform.play_all()
    platform.post.slot_count = 0
    platform.recorder.schedule()
    platform.upload("ann", source=b"# new\n")
    platform.post.slot_count = 1
    while platform.version(old).state == "active":
        platform.recorder.dispatch()
        order = platform.take()
        platform.finish(order)
    reasons = {match.void_reason for match in platform.matches(state="void")}
    assert reasons == {"replaced by newcomer v2"}
    platform.play_all()
    with platform.database.read() as session:
        ladders = [match for match in platform.matches() if match.purpose == "ladder"]
        assert session.exec(select(Version).where(Version.state == "active")).all()
    assert {match.state for match in ladders} <= {"done", "void"}


def test_a_name_that_another_bot_has_is_refused_and_nothing_is_kept(platform: Platform) -> None:
    with pytest.raises(UploadRejected) as refused:
        platform.upload("ann", name="HOUSE1", source=b"# mine\n")
    assert refused.value.code == "name_taken"
    with platform.database.read() as session:
        assert session.exec(select(Code).where(Code.source == b"# mine\n")).first() is None


def test_a_file_that_cannot_be_a_bot_is_refused_before_it_is_kept(platform: Platform) -> None:
    with pytest.raises(UploadRejected):
        platform.upload("ann", source=b"\x00")
    with platform.database.read() as session:
        assert session.exec(select(Bot).where(Bot.name == "newcomer")).first() is None


def test_a_name_too_long_to_be_kept_once_its_case_is_folded_is_refused(platform: Platform) -> None:
    for name in ("ß" * 33, "\ufb03" * 22, "x" * 65, ""):
        with pytest.raises(UploadRejected) as refused, platform.database.write() as session:
            submit_version(session, None, GAME, name, "vito.py", b"# mine\n")
        assert refused.value.code == "bot_name"
    with platform.database.write() as session:
        submit_version(session, None, GAME, "ß" * 32, "v" * 64 + ".py", b"# mine\n")


def test_a_form_says_of_a_name_that_it_is_too_long_once_its_case_is_folded() -> None:
    form = {"game": GAME, "name": "ß" * 40, "source": "# mine"}
    assert "1 to 64 characters" in read_upload(form, None).errors["name"]
    assert "name" not in read_upload({**form, "name": "ß" * 32}, None).errors


def test_the_findings_of_a_check_that_hold_a_nul_do_not_stop_the_record_worker(platform: Platform) -> None:
    version = platform.upload("ann")
    platform.recorder.sweep()
    order = platform.take()
    forged = encode(failed_check(order, "bad thing")).decode().replace("bad thing", "bad \\u0000 thing")
    platform.recorder.result(forged)
    assert platform.version(version).state == "scanned"
    platform.play_all()
    assert platform.version(version).state == "active"


def test_the_same_name_may_be_used_in_the_other_game(platform: Platform) -> None:
    platform.upload("ann", game=GAME)
    assert platform.upload("bob", game="gangster-dice") > 0


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("rejected", "active"),
        ("retired", "active"),
        ("received", "active"),
        ("active", "rejected"),
        ("legal", "scanned"),
    ],
)
def test_a_version_takes_no_way_that_its_lifecycle_does_not_have(before: str, after: str) -> None:
    with pytest.raises(ForbiddenMove, match=before):
        move(VersionState(before), VersionState(after))


def test_the_version_on_the_ladder_sent_again_unchanged_is_refused_and_plays_on(platform: Platform) -> None:
    version = platform.upload("ann", name="vito", source=b"# one\n")
    platform.play_all()
    with pytest.raises(UploadRejected, match="identical to version 1"):
        platform.upload("ann", name="vito", source=b"# one\n")
    assert platform.version(version).state == "active"
    assert platform.upload("ann", name="vito", source=b"# two\n") > version
