"""Jobs of all kinds: one lifecycle, also for a kind that is added, and none that waits behind ladders for ever."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec
import pytest
import time_machine
from sqlmodel import col, select, update
from tests.kits.core_kit import BOTH, GAME, NOON, FakeBroker, Platform, a_platform, bot_named

from gangland_web.broker.gate import Message, encode_message
from gangland_web.broker.names import ANALYSIS_SENDER, QUEUE_MATCHES, QUEUE_SOON, queue_of
from gangland_web.models import accounts, columns, matches
from gangland_web.models.jobs import Job, RunKind, Verdict
from gangland_web.services import challenges, dispatch, drafts, jobs, play, worker_hosts
from gangland_web.services.analyses import ANALYSIS, SAMPLE_PRIORITY
from gangland_web.workers.records import AnalysisSettings, Recorder

platform = pytest.fixture(a_platform, params=BOTH)


@dataclass
class JobsBroker(FakeBroker):
    messages: list[Message] = field(default_factory=list)

    def send(self, queue: str, message: Message) -> None:
        self.messages.append(message)
        if message.kind in set(matches.Purpose):
            super().send(queue, message)


@pytest.fixture
def post(platform: Platform) -> JobsBroker:
    platform.post = post = JobsBroker()
    platform.recorder = Recorder(platform.database, post, analyses=AnalysisSettings(sample=0))
    return post


# A kind that is invented here: what a worker says is stored, unless it says that it is wrong.

ERRORS = {error.__name__: error for error in (jobs.ResultRefused, jobs.JobFailed, jobs.FatalError, jobs.JobGone)}
SUBJECT = 7


@dataclass
class Echo:
    platform: Platform
    post: JobsBroker
    kind: jobs.Kind
    output: list[str]
    gone: list[int]

    def add(self) -> None:
        self.platform.write(jobs.add_job, self.kind, SUBJECT)

    def sent(self) -> Message:
        self.platform.recorder.dispatch_soon()
        return self.post.messages.pop()

    def say(
        self, say: jobs.Report, message: Message, body: object = None, sender: str = ANALYSIS_SENDER, **other: Any
    ) -> str:
        text = encode_message(msgspec.structs.replace(message.answer(body), **other))
        return self.platform.recorder.record_message(say, sender, text).verdict

    def job(self) -> Job | None:
        return self.platform.read(jobs.find_job, self.kind, SUBJECT)

    def state(self) -> tuple[str, int] | None:
        job = self.job()
        return None if job is None else (job.state, job.attempt)


@pytest.fixture
def echo(platform: Platform, post: JobsBroker) -> Iterator[Echo]:
    output: list[str] = []
    gone: list[int] = []

    def payload(_: object, job: Job) -> list[int]:
        if job.subject in gone:
            raise jobs.JobGone
        return [job.subject]

    def check(session: object, job: Job, body: msgspec.Raw, is_result: bool) -> str:
        payload(session, job)
        word = msgspec.json.decode(body, type=str)
        if word in ERRORS:
            raise ERRORS[word]("the bell is cracked")
        return word if is_result else f"{word} ..."

    kind = jobs.register(
        jobs.Kind(
            name="echo",
            queue=QUEUE_SOON,
            payload=payload,
            check=check,
            store=lambda _, __, word: output.append(word),
            give_up=lambda _, __, reason: output.append(f"given up: {reason}"),
            delete_subject=lambda _, __: output.append("forgotten"),
            lease_s=lambda _, __: 100.0,
            has_parts=True,
        )
    )
    yield Echo(platform, post, kind, output, gone)
    del jobs.KINDS[kind.name]


def test_a_job_of_a_new_kind_is_sent_begun_once_goes_on_and_has_one_result(echo: Echo) -> None:
    echo.add()
    echo.add()
    assert echo.state() == ("waiting", 0)
    earlier, message = echo.job(), echo.sent()
    assert (message.kind, msgspec.json.decode(message.body), echo.state()) == ("echo", [SUBJECT], ("leased", 0))
    echo.platform.recorder.dispatch()
    with echo.platform.database.write() as session:
        assert earlier is not None
        assert jobs.lease(session, earlier, QUEUE_SOON) is None, "of two dispatchers one sends"
    assert echo.post.messages == []
    assert [echo.say(jobs.Report.ALIVE, message) for _ in range(2)] == [Verdict.ALIVE] * 2
    assert echo.say(jobs.Report.ALIVE, message, "ding") == Verdict.PART
    assert echo.state() == ("leased", 1)
    assert [echo.say(jobs.Report.RESULT, message, word) for word in ("dong", "dang")] == [Verdict.DONE, Verdict.STALE]
    assert (echo.state(), echo.output) == (("done", 1), ["ding ...", "dong"])
    echo.add()
    again = echo.sent()
    assert (again.job, again.token != message.token, echo.state()) == (message.job, True, ("leased", 0))
    assert {echo.say(say, message, "late") for say in jobs.Report} == {Verdict.STALE}
    assert echo.say(jobs.Report.RESULT, again, "bim") == Verdict.DONE
    assert (echo.state(), echo.output[2:]) == (("done", 1), ["bim"])


@pytest.mark.parametrize("release", ["", "0.0.0"])
def test_a_job_that_is_given_back_waits_without_an_attempt_and_not_for_a_worker_of_another_release(
    echo: Echo, release: str
) -> None:
    echo.add()
    for begins in (False, True):
        message = echo.sent()
        if begins:
            assert echo.say(jobs.Report.ALIVE, message) == Verdict.ALIVE
        if release:
            assert echo.say(jobs.Report.RESULT, message, "dong", release=release) == Verdict.OTHER_RELEASE
            assert (echo.state(), echo.post.messages) == (("waiting", 0), [])
        else:
            assert echo.say(jobs.Report.RETURNED, message) == Verdict.RETURNED
            assert (echo.state(), len(echo.post.messages)) == (("leased", 0), 1)
        assert echo.say(jobs.Report.RESULT, message, "dong") == Verdict.STALE
    assert echo.output == []


def test_a_job_whose_workers_fall_silent_three_times_is_given_up_and_a_lost_message_is_no_attempt(echo: Echo) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        echo.add()
        message = echo.sent()
        for attempt in range(jobs.ATTEMPTS):
            clock.shift(jobs.SILENCE_S + 1)
            echo.platform.recorder.sweep()
            assert echo.state() == ("leased", attempt)
            message = echo.sent()
            for _ in range(3):
                clock.shift(jobs.SILENCE_S - 1)
                assert echo.say(jobs.Report.ALIVE, message) == Verdict.ALIVE
                echo.platform.recorder.sweep()
            assert echo.state() == ("leased", attempt + 1)
        clock.shift(jobs.SILENCE_S + 1)
        echo.platform.recorder.sweep()
        assert {echo.say(say, message, "late") for say in jobs.Report} == {Verdict.STALE}
    reason = "It was started 3 times and never finished."
    assert (echo.state(), echo.output, echo.post.messages) == (("failed", jobs.ATTEMPTS), [f"given up: {reason}"], [])
    job = echo.job()
    assert job is not None
    assert job.failed_for == reason
    echo.add()
    assert echo.state() == ("waiting", 0)


@pytest.mark.parametrize(
    ("word", "verdict", "attempts"),
    [
        ("ResultRefused", Verdict.REFUSED, jobs.ATTEMPTS),
        ("JobFailed", Verdict.FAILED, jobs.ATTEMPTS),
        ("FatalError", "failed", 1),
    ],
)
def test_what_is_no_result_ends_its_lease_and_the_last_one_says_why_the_job_failed(
    echo: Echo, word: str, verdict: str, attempts: int
) -> None:
    echo.add()
    for attempt in range(1, attempts + 1):
        assert echo.say(jobs.Report.RESULT, echo.sent(), word) == verdict
        assert echo.state() == ("leased" if attempt < attempts else "failed", attempt)
    assert echo.output == ["given up: the bell is cracked"]


def test_a_job_that_nobody_wants_any_more_is_dropped(echo: Echo) -> None:
    echo.add()
    echo.gone.append(SUBJECT)
    echo.platform.recorder.dispatch_soon()
    assert (echo.state(), echo.post.messages, echo.output) == (None, [], ["forgotten"])
    echo.gone.clear()
    echo.add()
    message = echo.sent()
    echo.gone.append(SUBJECT)
    assert [echo.say(say, message, "dong") for say in (jobs.Report.ALIVE, jobs.Report.RESULT)] == [Verdict.STALE] * 2
    assert (echo.state(), echo.post.messages, echo.output) == (None, [], ["forgotten"] * 2)


def test_a_job_is_heard_from_the_worker_that_has_it_alone(echo: Echo) -> None:
    echo.add()
    with echo.platform.database.write() as session:
        alder, _ = worker_hosts.create_host(session, "alder", "a"), worker_hosts.create_host(session, "birch", "b")
        job = jobs.find_job(session, echo.kind, SUBJECT)
        assert job is not None
        run = jobs.lease(session, job, queue_of(QUEUE_MATCHES, "alder"), alder)
    assert run is not None
    for sender, other, verdict in (
        ("birch", {}, Verdict.FORGED),
        (ANALYSIS_SENDER, {}, Verdict.FORGED),
        ("cedar", {}, Verdict.EXCLUDED),
        ("alder", {"token": "0" * 48}, Verdict.FORGED),
        ("alder", {"job": run.message.job + 1}, Verdict.FORGED),
        ("alder", {"kind": "hint"}, Verdict.STALE),
        ("alder", {"kind": "nothing"}, Verdict.REFUSED),
    ):
        assert {echo.say(say, run.message, "dong", sender, **other) for say in jobs.Report} == {verdict}, (
            sender,
            other,
        )
    assert echo.say(jobs.Report.ALIVE, run.message, None, "alder") == Verdict.ALIVE
    echo.platform.write(worker_hosts.revoke_host, "alder")
    assert echo.say(jobs.Report.RESULT, run.message, "dong", "alder") == Verdict.EXCLUDED
    assert (echo.state(), echo.output) == (("leased", 1), [])
    echo.platform.recorder.sweep()
    assert echo.state() == ("leased", 0), "taken back, and sent to the others"


@pytest.mark.parametrize("name", sorted(jobs.KINDS))
def test_a_job_whose_subject_is_gone_ends_with_its_last_silent_worker_and_keeps_no_other_waiting(
    echo: Echo, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        with echo.platform.database.write() as session:
            job = Job(
                kind=name, subject=10**6, state="leased", token="t", queue="q", attempt=jobs.ATTEMPTS, created_at=NOON
            )
            job.leased_at = job.begun_at = job.beat_at = NOON
            job.lease_until = NOON + 9000
            session.add(job)
        echo.add()
        message = echo.sent()
        assert echo.say(jobs.Report.ALIVE, message) == Verdict.ALIVE
        clock.shift(3600)
        echo.platform.recorder.sweep()
        assert echo.state() == ("leased", 1), "taken back and sent again"
        assert echo.sent().token != message.token
    assert [job.state for job in echo.platform.rows(select(Job).where(Job.kind == name))] in ([], ["failed"])
    assert "was left unchanged" not in caplog.text


def test_a_job_that_breaks_its_kind_is_logged_and_keeps_no_other_waiting(
    echo: Echo, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_: object, job: Job, *__: object) -> str | None:
        if job.subject == SUBJECT:
            raise RuntimeError("a bug")
        return None

    def states() -> list[str]:
        return [job.state for job in echo.platform.rows(select(Job).where(Job.kind == "echo").order_by(col(Job.id)))]

    echo.add()
    echo.platform.write(jobs.add_job, echo.kind, SUBJECT + 1)
    with time_machine.travel(NOON, tick=False) as clock:
        monkeypatch.setitem(jobs.KINDS, "echo", replace(echo.kind, payload=broken))
        echo.platform.recorder.dispatch_soon()
        assert (states(), "RuntimeError: a bug" in caplog.text) == (["waiting", "leased"], True)
        monkeypatch.setitem(jobs.KINDS, "echo", replace(echo.kind, retry_obstacle=broken))
        echo.platform.recorder.dispatch_soon()
        caplog.clear()
        clock.shift(jobs.SILENCE_S + 1)
        assert [job.subject for job in echo.platform.write(jobs.requeue_all)] == [SUBJECT + 1]
        assert (states(), "RuntimeError: a bug" in caplog.text) == (["leased", "waiting"], True)
        echo.platform.recorder.dispatch_soon()
        clock.shift(jobs.SILENCE_S + 1)
        echo.post.messages.clear()
        echo.platform.recorder.sweep()
        assert [msgspec.json.decode(message.body) for message in echo.post.messages] == [[SUBJECT + 1]]


def test_a_part_of_what_is_only_sent_whole_is_refused(echo: Echo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(jobs.KINDS, "echo", replace(echo.kind, has_parts=False))
    echo.add()
    assert echo.say(jobs.Report.ALIVE, echo.sent(), "ding") == Verdict.REFUSED
    assert (echo.state(), echo.output) == (("waiting", 1), [])


@pytest.mark.parametrize("kind", [play.TABLE, drafts.DRAFT_CHECK], ids=["table", "draft-check"])
def test_a_table_or_a_run_that_its_host_could_not_do_goes_to_another_and_back_to_none_that_has_no_worker(
    platform: Platform, post: JobsBroker, monkeypatch: pytest.MonkeyPatch, kind: jobs.Kind
) -> None:
    short: Any = {"payload": lambda _, job: [job.subject], "lease_s": lambda _, __: 1e6, "codes": None}

    def check(*_: object) -> None:
        raise jobs.JobFailed("the machine is broken")

    monkeypatch.setitem(jobs.KINDS, kind.name, replace(kind, check=check, **short))
    workers = {"alder": 1, "birch": 1}
    monkeypatch.setattr(post, "slots", lambda: workers)
    monkeypatch.setattr(post, "table_workers", lambda: workers)
    with platform.database.write() as session:
        for name in workers:
            worker_hosts.create_host(session, name, name)
    ask_for(platform, kind)

    def sent() -> tuple[str, Message]:
        platform.recorder.dispatch()
        (message,) = [each for each in post.messages if each.kind == kind.name]
        post.messages.clear()
        return (platform.get(Job, message.job).queue or "").partition(":")[2], message

    with time_machine.travel(NOON, tick=False) as clock:
        first, message = sent()
        text = encode_message(message.answer({}))
        assert platform.recorder.record_message(jobs.Report.RESULT, first, text).verdict == Verdict.FAILED
        job = platform.get(Job, message.job)
        second = (job.queue or "").partition(":")[2]
        assert (job.state, job.attempt, {first, second}) == ("leased", 1, set(workers))
        # The other host is gone with the job still in its queue.
        post.messages.clear()
        workers[second] = 0
        monkeypatch.setattr(post, "waiting", lambda queues: {queue: int(queue.endswith(second)) for queue in queues})
        taken: list[str] = []
        monkeypatch.setattr(post, "withdraw", taken.extend)
        clock.shift(jobs.SILENCE_S + 1)
        platform.recorder.sweep()
        assert (platform.get(Job, message.job).queue or "").endswith(first)
        assert job.queue in taken


# What a person waits for, while the ladders have more matches than the workers take.

FILLING = {matches.Purpose.LADDER, matches.Purpose.TOURNAMENT, matches.Purpose.AUDIT}


def ask_for(platform: Platform, kind: jobs.Kind) -> None:
    if kind.name in (matches.Purpose.CHECK, matches.Purpose.TRIAL):
        platform.upload("ann")
        return
    with platform.database.write() as session:
        if kind.name == matches.Purpose.CHALLENGE:
            bot = bot_named(session, "anns")
            challenges.create_challenge(
                session, bot.owner_id or 0, columns.row_id(bot.id), ["house0"], challenges.Allowance(9, 9)
            )
        elif kind in (drafts.DRAFT, drafts.DRAFT_CHECK):
            user = accounts.User(name="ann", name_key="ann", password_hash="-", created_at=0.0)
            session.add(user)
            session.flush()
            draft = drafts.save_draft(session, columns.row_id(user.id), GAME, "fox", "", opened=None)
            drafts.start_run(session, draft, RunKind.CHECK)
            session.exec(update(Job).where(col(Job.kind) == drafts.DRAFT_CHECK.name).values(kind=kind.name))
        else:
            jobs.add_job(session, kind, SUBJECT)


@pytest.mark.parametrize("name", sorted(set(jobs.KINDS) - FILLING))
def test_no_job_that_a_person_waits_for_starves_behind_ladders(
    platform: Platform, post: JobsBroker, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    kind = jobs.KINDS[name]
    if name not in set(matches.Purpose):  # its subject is not there
        short: Any = {"payload": lambda _, job: [job.subject], "lease_s": lambda _, __: 100.0, "codes": None}
        monkeypatch.setitem(jobs.KINDS, name, replace(kind, **short))
    if name == matches.Purpose.CHALLENGE:
        platform.upload("ann", "anns")
        platform.play_all()
    platform.write(jobs.add_job, ANALYSIS, 1000, priority=SAMPLE_PRIORITY)
    assert not dispatch.is_user_waiting(platform.database)
    monkeypatch.setitem(
        jobs.KINDS, ANALYSIS.name, replace(jobs.KINDS[ANALYSIS.name], payload=lambda _, job: [job.subject])
    )
    platform.recorder.schedule()
    ask_for(platform, kind)
    assert dispatch.is_user_waiting(platform.database) or name == matches.Purpose.CHALLENGE
    post.messages.clear()
    if name == matches.Purpose.TRIAL:
        platform.pass_check()
    elif name == matches.Purpose.CHALLENGE:  # challenges have a share of what is free
        for _ in range(post.slot_count):
            platform.finish(platform.take())
    else:
        platform.recorder.dispatch()
    assert name in [message.kind for message in post.messages]
    assert len(platform.matches(state="leased", purpose="ladder")) >= post.slot_count
    assert platform.matches(state="scheduled", purpose="ladder")
