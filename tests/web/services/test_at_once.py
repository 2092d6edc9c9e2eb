"""Two who write at the same moment: people who upload, and the record worker."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

import pytest
from tests.kits.core_kit import BOTH, Platform, Sent, a_platform
from tests.kits.models import Actor, BadTransition, Bot, User, Version, row_id, select

from gangland_ladder.matches.match_jobs import CheckReport, Result
from gangland_web.services import accounts, matches, recovery, trials

platform = pytest.fixture(a_platform, params=BOTH)

PAUSE_S = 0.3  # the time to wait for the other half-way; a refused one cannot come sooner


NEVER_S = 240.0


class Meeting:
    """Stops one writer half-way, lets the other try, and continues once that is through or refused."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> None:
        self._there, self._over, self._act = threading.Event(), threading.Event(), getattr(module, name)
        monkeypatch.setattr(module, name, self._half_way)

    def _half_way(self, *args: Any, **named: Any) -> Any:
        if not self._there.is_set():
            self._there.set()
            self._over.wait(PAUSE_S)
        return self._act(*args, **named)

    def hold(self, first: Callable[[], object], second: Callable[[], object]) -> None:
        """Do `first` until half-way, then `second`, then the rest; pass on what either raises."""
        with ThreadPoolExecutor(max_workers=2) as writers:
            one = writers.submit(first)
            assert self._there.wait(NEVER_S), f"{self._act.__name__} was never called"
            two = writers.submit(second)
            wait([two], timeout=PAUSE_S)
            self._over.set()
            one.result()
            two.result()


def sound(platform: Platform) -> bool:
    active = set(platform.rows(select(Version.id).where(Version.state == "active")))
    playing = set(platform.rows(select(Bot.active_version_id).where(Bot.active_version_id != None)))  # noqa: E711
    return active == playing


def before_the_last_trial(platform: Platform) -> Any:
    platform.recorder.sweep()
    while len((match_job := platform.take()).seats) < 4:
        platform.finish(match_job)
    return match_job


def sent_check(platform: Platform) -> Sent:
    platform.upload("ann", source=b"# second\n")
    platform.recorder.dispatch_soon()
    return next(match_job for _, match_job in platform.post.sent if match_job.check_only)


def test_a_version_that_passes_beside_the_next_is_in_one(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    first = platform.upload("ann")
    match_job = before_the_last_trial(platform)
    check = sent_check(platform)
    meeting = Meeting(monkeypatch, trials, "retire")
    meeting.hold(lambda: platform.finish(check), lambda: platform.finish(match_job))
    assert sound(platform)
    assert platform.version(first).state == "retired"
    platform.play_all()
    assert sound(platform)
    assert platform.version(first + 1).state == "active"


def test_a_version_withdrawn_as_it_passes_is_in_one_state(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    first = platform.upload("ann")
    match_job = before_the_last_trial(platform)
    meeting = Meeting(monkeypatch, trials, "activate")
    meeting.hold(lambda: platform.finish(match_job), lambda: platform.upload("ann", source=b"# second\n"))
    assert sound(platform)
    assert platform.version(first).state == "active"
    platform.play_all()
    assert sound(platform)
    assert (platform.version(first).state, platform.version(first + 1).state) == ("retired", "active")


def test_a_version_withdrawn_then_shows_no_progress(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    first = platform.upload("ann")
    platform.recorder.sweep()
    check = platform.take()
    platform.finish(check, Result([], check=CheckReport("Bot", ["imported"], [], 0.0, 0.0, 0)))
    match_job = platform.take()
    check = sent_check(platform)
    meeting = Meeting(monkeypatch, trials, "retire")
    meeting.hold(lambda: platform.finish(check), lambda: platform.progress(match_job, "legal"))
    assert platform.version(first).state == "retired"
    assert [state for state, _, _ in platform.steps(first)] == ["received", "scanned", "imported", "retired"]


def test_a_version_is_not_moved_by_whoever_read_it_before_another_did(platform: Platform) -> None:
    version = platform.upload("ann")
    stale = platform.version(version)
    platform.play_all()
    with platform.database.write() as session:
        session.add(stale)
        with pytest.raises(BadTransition, match="no longer 'scanned'"):
            trials.retire(session, stale, "too late")
    assert platform.version(version).state == "active"
    assert platform.steps(version)[-1][0] == "active"


def test_two_people_who_upload_at_once_get_their_checks(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    meeting = Meeting(monkeypatch, matches, "plan_check")
    meeting.hold(lambda: platform.upload("ann", name="anns"), lambda: platform.upload("bob", name="bobs"))
    assert len(platform.matches(purpose="check")) == 2


def test_an_upload_and_planned_trials_do_not_collide(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as none:
        none.setattr(trials, "_house_versions", lambda *_, **__: [])
        platform.upload("ann")
        platform.pass_check()
    meeting = Meeting(monkeypatch, matches, "plan_tables")
    meeting.hold(lambda: platform.recorder.schedule(), lambda: platform.upload("bob", name="bobs", source=b"# bob\n"))
    assert (len(platform.matches(purpose="trial")), len(platform.matches(purpose="check"))) == (3, 2)


def test_a_name_taken_as_a_class_gets_accounts_is_no_harm(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    boss = row_id(accounts.sign_up(platform.database, "Boss", "correct horse battery").id)
    document: dict[str, Any] = {}

    def a_class() -> None:
        made = recovery.create_aliases(platform.database, Actor(boss, "here"), ["Red Fox", "Blue Hen"])
        document["slips"], document["problems"] = made.slips, made.problems

    def somebody() -> None:
        try:
            accounts.sign_up(platform.database, "red fox", "correct horse battery")
        except ValueError as taken:
            document["late"] = str(taken)

    Meeting(monkeypatch, recovery, "_add_alias").hold(a_class, somebody)
    made = [slip.name for slip in document["slips"]]
    if "late" in document:  # the class came first
        assert (made, document["problems"]) == (["Red Fox", "Blue Hen"], ())
    else:
        assert (made, document["problems"]) == (["Blue Hen"], (("Red Fox", accounts.NAME_TAKEN),))
    for slip in document["slips"]:
        assert recovery.use_password_code(platform.database, slip.name, slip.code, "foxes like grapes").made_by == boss
    assert len(platform.rows(select(User))) == 3
    assert ("late" in document) is (platform.database.engine.dialect.name == "sqlite")
