"""Runs of drafts, from the row to the jail and back; jobs and results are carried by hand, without a broker."""

import json
from pathlib import Path

import msgspec
import pytest
import time_machine
from sqlmodel import col, select
from tests.kits.core_kit import GAME, NOON, Platform, Sent, a_platform, bot_named, play_job, void
from tests.kits.worker_kit import Said
from tests.sandbox.trial import apart
from zstandard import decompress

import gangland_bots
from gangland_ladder.matches.match_jobs import CheckReport, Result, decode_result, encode
from gangland_web.broker.names import QUEUE_CHECKS, QUEUE_DRAFT_CHECKS, QUEUE_MATCHES, QUEUE_TRIALS, play_queues
from gangland_web.models import accounts, matches
from gangland_web.models.bots import BotDraft
from gangland_web.models.columns import row_id
from gangland_web.models.jobs import RUN_RETENTION_S, DraftRun, Job, RunKind, RunState, Verdict
from gangland_web.services import dispatch, drafts, jobs, leaving, uploads
from gangland_web.workers.match import queues_and_keys
from gangland_web.workers.players import CodeStore, Player

platform = pytest.fixture(a_platform, params=["sqlite"])
WRONG = """from gangland import gang_of_dice


class Wrong(gang_of_dice.Bot):
    def choose_dice(self, view):
        self.log("round", view.round)
        return 99
"""
RIGHT = WRONG.replace("99", "1")
RANDOM = (Path(gangland_bots.__file__).parent / "gang_of_dice/random_gang.py").read_bytes()


def draft(platform: Platform, owner: str = "ann", text: str = RIGHT, name: str = "fox") -> int:
    with platform.database.write() as session:
        user = session.exec(select(accounts.User).where(accounts.User.name == owner)).first()
        if user is None:
            user = accounts.User(name=owner, name_key=owner, password_hash="-", created_at=0.0)
            session.add(user)
            session.flush()
        return row_id(drafts.save_draft(session, row_id(user.id), GAME, name, text, opened=None).id)


def start(
    platform: Platform, draft_id: int, kind: RunKind = RunKind.CHECK, *bots: str, address: str = "192.0.2.1"
) -> int:
    with platform.database.write() as session:
        ids = [row_id(bot_named(session, name).id) for name in bots]
        return row_id(drafts.start_run(session, session.get_one(BotDraft, draft_id), kind, ids, address=address).id)


def run_of(platform: Platform, run_id: int) -> DraftRun:
    return platform.get(DraftRun, run_id)


def taken(platform: Platform) -> tuple[str, Sent]:
    platform.recorder.dispatch_soon()
    (sent,) = platform.post.sent
    platform.post.sent.clear()
    return sent


def in_jail(platform: Platform, match_job: Sent) -> None:
    def played() -> str:
        said = Said()
        Player(said, CodeStore(platform.post.codes.get), lambda: None, lambda: None).play(match_job.message)
        return encode(said.results[0]).decode()

    platform.finish(match_job, decode_result(apart(played)))


def job_of(platform: Platform, run_id: int) -> Job:
    with platform.database.read() as session:
        job = jobs.find_job(session, drafts.kind_of(session.get_one(DraftRun, run_id)), run_id)
        assert job is not None
        return job


def came(platform: Platform, run_id: int) -> CheckReport:
    found = drafts.check_of(run_of(platform, run_id))
    assert found is not None
    return found


def test_a_check_in_the_jail_says_what_is_wrong_in_which_line_and_what_the_bot_saw(platform: Platform) -> None:
    run_id = start(platform, draft(platform, text=WRONG))
    queue, match_job = taken(platform)
    assert queue == QUEUE_DRAFT_CHECKS
    in_jail(platform, match_job)
    found = came(platform, run_id)
    (problem,) = found.problems
    assert (problem.code, problem.method, problem.line) == ("E203", "dice", 5)
    assert platform.row(select(BotDraft)).passed_at is None
    (view,) = found.failing
    assert view.number == problem.view
    assert dict(view.fields)["pool"].isdigit()
    assert platform.rows(select(matches.Match)) == []  # it never was a version, nor a match


def test_a_match_in_the_jail_is_played_in_every_seat_and_leaves_no_trace_but_its_games(platform: Platform) -> None:
    platform.write(uploads.submit_version, None, GAME, "dicey", "random_gang.py", RANDOM)
    run_id = start(platform, draft(platform), RunKind.PLAY, "dicey", "dicey")
    platform.post.sent.clear()
    platform.recorder.dispatch()
    queue, match_job = platform.post.sent.pop()
    assert queue == QUEUE_TRIALS
    before = platform.entries()
    in_jail(platform, match_job)
    match_id = platform.get(DraftRun, run_id).match_id
    games = platform.rows(select(matches.PlayedGame).where(matches.PlayedGame.match_id == match_id))
    assert platform.row(select(BotDraft)).passed_at is not None
    assert sorted(game.seating.index(0) for game in games) == [0, 0, 1, 1, 2, 2]
    own, *others = json.loads(decompress(games[0].logs or b""))
    assert any("round" in text for _, text in own)
    assert others == [[], []], "only their authors may read them"
    assert platform.entries() == before


def test_a_duel_is_against_the_author_s_own_active_version_of_that_name(platform: Platform) -> None:
    own = draft(platform)
    with pytest.raises(drafts.RunRefused, match="Upload fox first: it has no active version"):
        start(platform, own, RunKind.DUEL)
    version = platform.upload("ann", "fox")
    platform.play_all()
    start(platform, own, RunKind.DUEL)
    platform.recorder.dispatch()
    _, match_job = platform.post.sent.pop()
    assert [seat.code for seat in match_job.seats][1] == platform.version(version).code_sha256
    assert platform.post.codes[match_job.seats[0].code].decode() == RIGHT
    assert len(match_job.blocks) * 2 == 12
    other = draft(platform, "bob")
    with pytest.raises(drafts.RunRefused):  # ann's is not bob's
        start(platform, other, RunKind.DUEL)


def test_a_run_goes_before_matches_of_ladders_and_behind_those_of_tournaments(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    platform.upload("cid", "crow")
    platform.play_all()
    start(platform, draft(platform))
    platform.recorder.schedule()  # what a ladder wants is planned, and the run sent before
    queue, match_job = platform.post.sent[0]
    assert (queue, match_job.check_only) == (QUEUE_DRAFT_CHECKS, True)
    platform.finish(match_job)
    assert platform.matches(purpose="ladder", state="leased")

    scheduled = dispatch.waiting_matches(matches.Purpose.LADDER)  # as if these were a tournament's
    monkeypatch.setattr("gangland_web.services.dispatch.waiting_matches", lambda _: scheduled)
    run_id = start(platform, draft(platform, "bob"))
    platform.recorder.dispatch()
    assert job_of(platform, run_id).state == "waiting"  # ladders have the quarter that is left
    platform.write(jobs.requeue_all)
    platform.post.sent.clear()
    platform.recorder.dispatch()
    assert [queue for queue, job in platform.post.sent if job.message.kind == "draft-check"] == [QUEUE_MATCHES]


@pytest.mark.parametrize("waiting", [matches.Purpose.LADDER, matches.Purpose.TRIAL])
def test_runs_take_half_of_the_slots_while_others_wait_and_an_address_half_of_these(
    platform: Platform, waiting: matches.Purpose
) -> None:
    """Checks of drafts come after those of uploads, also at workers for checks only."""
    platform.post.slot_count = 8
    platform.upload("cid", "crow")
    if waiting is matches.Purpose.LADDER:
        platform.play_all()
        platform.recorder.schedule()
    else:
        platform.finish(taken(platform)[1])
        platform.recorder.dispatch()
    assert platform.matches(purpose=waiting.value, state="leased")
    runs = [
        start(platform, draft(platform, f"here{n}"), RunKind.PLAY, "house0", address="2001:db8::/64") for n in range(4)
    ]
    runs += [
        start(platform, draft(platform, f"away{n}"), RunKind.PLAY, "house0", address=f"192.0.2.{n}") for n in range(4)
    ]
    platform.recorder.dispatch()
    leased = [number for number in runs if job_of(platform, number).state == "leased"]
    assert leased == [runs[0], runs[1], runs[4], runs[5]]
    platform.recorder.dispatch()
    assert [job_of(platform, number).state for number in runs].count("leased") == 4
    platform.post.checker_count = 2
    checks = [start(platform, draft(platform, f"check{n}"), address="2001:db8::/64") for n in range(4)]
    platform.recorder.dispatch()
    assert [job_of(platform, check).state for check in checks] == ["leased", "leased", "waiting", "waiting"]
    first_checks, then_drafts, *_ = play_queues("birch")
    assert [each.partition(":")[0] for each in (first_checks, then_drafts)] == [QUEUE_CHECKS, QUEUE_DRAFT_CHECKS]
    assert queues_and_keys("checks", "birch")[0] == [first_checks, then_drafts]


def test_of_a_person_one_run_is_under_way_at_the_host_that_was_given_it(platform: Platform) -> None:
    own = draft(platform)
    first = start(platform, own)
    _, match_job = taken(platform)
    assert platform.begin(match_job, "birch").verdict is Verdict.EXCLUDED
    assert drafts.code_of(run_of(platform, first))[0] == match_job.seats[0].code
    start(platform, own, RunKind.PLAY, "house0")
    third = start(platform, own)
    other = start(platform, draft(platform, "bob"), address="192.0.2.2")
    platform.recorder.dispatch_soon()
    assert [job_of(platform, each).state for each in (first, third, other)] == ["leased", "waiting", "leased"]
    assert [run.kind for run in platform.rows(select(DraftRun))] == ["check"] * 3
    platform.finish(match_job, play_job(match_job))
    assert [job_of(platform, each).state for each in (first, third)] == ["done", "leased"]


def test_what_cannot_be_true_does_not_count(platform: Platform) -> None:
    run_id = start(platform, draft(platform))
    _, match_job = taken(platform)
    told = play_job(match_job)
    assert told.check is not None
    unchecked: list[Result] = [
        msgspec.structs.replace(told, check=None),
        msgspec.structs.replace(told, check=msgspec.structs.replace(told.check, stages=[])),
        msgspec.structs.replace(void(match_job), void="the jail failed"),
    ]
    for attempt, result in enumerate(unchecked, 1):
        platform.finish(match_job, result)
        found = run_of(platform, run_id)
        assert (job_of(platform, run_id).attempt, found.result) == (attempt, None)
        if attempt < 3:
            ((_, match_job),) = platform.post.sent
            platform.post.sent.clear()
    assert run_of(platform, run_id).state == RunState.FAILED


@pytest.mark.parametrize("is_sent", [False, True])
@pytest.mark.parametrize("gone", ["draft", "account"])
def test_with_a_draft_or_its_author_go_the_jobs_of_its_runs_and_no_other_run_has_their_results(
    platform: Platform, gone: str, is_sent: bool
) -> None:
    own = draft(platform)
    run_id = start(platform, own)
    match_job = taken(platform)[1] if is_sent else None
    with platform.database.write() as session:
        author = session.get_one(BotDraft, own).user_id
        if gone == "draft":
            assert drafts.delete_draft(session, author, GAME, own)
    if gone == "account":
        leaving.delete_account(platform.database, author)
    assert not dispatch.is_user_waiting(platform.database)
    assert platform.rows(select(Job).where(col(Job.kind).in_(["draft", "draft-check"]))) == []
    other = start(platform, draft(platform, "bob"))
    assert other == run_id, "SQLite uses the number again"
    if match_job is not None:
        assert platform.finish(match_job, play_job(match_job)).verdict is Verdict.STALE
    _, second = taken(platform)
    assert run_of(platform, other).result is None
    assert platform.finish(second, play_job(second)).verdict is Verdict.DONE


def test_runs_go_with_their_draft_and_after_a_day_and_of_a_person_the_latest_are_kept(platform: Platform) -> None:
    gone, own, other = draft(platform), draft(platform, name="owl"), draft(platform, "bob")
    with time_machine.travel(NOON) as clock:
        start(platform, gone)
        _, match_job = taken(platform)
        with platform.database.write() as session:
            assert drafts.delete_draft(session, session.get_one(BotDraft, gone).user_id, GAME, gone)
        platform.finish(match_job, play_job(match_job))  # it comes to nobody
        bobs, started = start(platform, other), []
        with platform.database.write() as session:
            for _ in range(drafts.MAX_RUNS + 5):
                run = drafts.start_run(session, session.get_one(BotDraft, own), RunKind.CHECK)
                run.state, run.failed_for = RunState.FAILED.value, "for a test"
                session.add(run)
                session.flush()
                started.append(row_id(run.id))
        platform.recorder.sweep()
        found = platform.rows(select(DraftRun).order_by(col(DraftRun.id)))
        assert [(each.draft_id, each.id) for each in found] == [
            (other, bobs),
            *[(own, run) for run in started[-drafts.MAX_RUNS :]],
        ]
        clock.shift(RUN_RETENTION_S + 1)
        platform.recorder.drop_old()
        assert platform.rows(select(DraftRun)) == []
