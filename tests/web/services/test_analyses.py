"""Analyses: who may ask, what is sent, and what is believed of what comes back."""

from collections.abc import Callable
from dataclasses import replace
from multiprocessing import active_children
from typing import Any

import msgspec
import pytest
from sqlmodel import select
from tests.kits.analyses_kit import Change, analysis_of, answer, ask_for, seats_of, with_analyses
from tests.kits.core_kit import KINDS, ON_POSTGRESQL, Platform, SentJob, a_platform_after, play_a_round

from gangland_ladder.analysis import account, analyzer, transfer
from gangland_web.broker import gate, names
from gangland_web.models.jobs import GameAnalysis, Requester, Verdict
from gangland_web.models.matches import MatchState
from gangland_web.queries.analyses import analyzed_games
from gangland_web.services import analyses, jobs
from gangland_web.workers.analysis import Worker
from gangland_web.workers.records import AnalysisSettings

platform = pytest.fixture(a_platform_after(play_a_round), params=KINDS)


def ladder_match(platform: Platform) -> Any:
    return platform.matches(state=MatchState.DONE.value, purpose="ladder")[0]


def sent(platform: Platform, number: int = 0) -> SentJob:
    post = with_analyses(platform)
    assert ask_for(platform, ladder_match(platform), number) is None
    platform.recorder.dispatch()
    return post.games.pop()


@ON_POSTGRESQL
def test_a_game_is_analyzed_once_and_what_it_came_to_is_kept(platform: Platform) -> None:
    sent_job = sent(platform)
    assert ask_for(platform, ladder_match(platform)) is None, "asking again changes nothing"
    game = platform.job(sent_job).subject
    platform.analyzed(sent_job, None, is_result=False)
    platform.analyzed(sent_job, answer(sent_job, steps=4), is_result=False)
    part = analysis_of(platform, game)
    assert part.course is not None
    assert (part.state, part.complete, platform.job(sent_job).attempt) == ("open", False, 1)
    assert platform.analyzed(sent_job, answer(sent_job)).verdict is Verdict.DONE
    assert platform.analyzed(sent_job, answer(sent_job)).verdict is Verdict.STALE
    done = analysis_of(platform, game)
    assert done.course is not None
    assert done.figures is not None
    assert (done.state, done.complete, platform.job(sent_job).attempt) == ("done", True, 1)
    course, figures = transfer.unpack(done.course, account.Analysis), transfer.unpack(done.figures, account.GameFigures)
    assert len(course.moments) > len(transfer.unpack(part.course, account.Analysis).moments)
    for seat in seats_of(platform, game):
        own = [each for each in figures.decisions if each.seat == seat.seat]
        assert seat.decisions == len(own) == sum(each["decisions"] for each in seat.costs or ())
        assert seat.cost == pytest.approx(sum(each.cost for each in own), abs=1e-3)
        assert seat.cost == pytest.approx(course.costs(seat.seat or 0), abs=1e-3)
    assert platform.post.games == []
    with platform.database.read() as session:
        for seat in seats_of(platform, game):
            (one,) = analyzed_games(session, seat.entry_id)
            assert (one.seat, one.reference, one.was_opened) == (seat.seat, done.version, True)
            assert one.figures == figures


def moments(change: Callable[[Any], Any]) -> Change:

    def changed(result: transfer.AnalysisResult) -> transfer.AnalysisResult:
        assert result.known is not None
        *first, last = result.known.moments
        return msgspec.structs.replace(result, known=replace(result.known, moments=(*first, change(last))))

    return changed


def judged(change: Callable[[Any], Any]) -> Change:

    def changed(result: transfer.AnalysisResult) -> transfer.AnalysisResult:
        assert result.known is not None
        at = next(at for at, moment in enumerate(result.known.moments) if moment.judged)
        all_of_them = list(result.known.moments)
        first, *others = all_of_them[at].judged
        all_of_them[at] = replace(all_of_them[at], judged=(change(first), *others))
        return msgspec.structs.replace(result, known=replace(result.known, moments=tuple(all_of_them)))

    return changed


def said(**values: Any) -> Change:
    return lambda result: msgspec.structs.replace(result, **values)


def known(**values: Any) -> Change:
    def changed(result: transfer.AnalysisResult) -> transfer.AnalysisResult:
        assert result.known is not None
        return msgspec.structs.replace(result, known=replace(result.known, **values))

    return changed


LIES: dict[str, Change] = {
    "another score": moments(lambda last: replace(last, values=last.values[::-1] if last.values[0] != 0.5 else (1, 0))),
    "a value for a seat that is not there": moments(lambda last: replace(last, values=(*last.values, 0.0))),
    "values that add up to more": moments(lambda last: replace(last, values=tuple(each + 0.2 for each in last.values))),
    "a step too few": lambda result: known(moments=result.known.moments[:-1])(result) if result.known else result,
    "a step too many": lambda result: (
        known(moments=(*result.known.moments, result.known.moments[-1]))(result) if result.known else result
    ),
    "another version": known(version="9-000000000000"),
    "a decision that was not made": judged(lambda first: replace(first, chosen=replace(first.chosen, decision=99))),
    "an option that was not legal": judged(lambda first: replace(first, best=replace(first.best, decision=99))),
    "options without end": judged(lambda first: replace(first, options=first.options * 50)),
    "a theme without end": judged(lambda first: replace(first, theme="x" * 10_000)),
    "a theme that moves the cursor": judged(lambda first: replace(first, theme="\x1b[2J")),
    "another seat's decision": judged(lambda first: replace(first, seat=1 - first.seat)),
    "odds without end": judged(
        lambda first: replace(first, chosen=replace(first.chosen, odds={f"odds {n}": 0.5 for n in range(99)}))
    ),
    "a game played on from a decision that nobody judged": said(continued=[analyzer.StoredContinuation(9999, [1])]),
    "a game played on with another decision than the best": said(continued=[analyzer.StoredContinuation(0, [99])]),
}


@pytest.mark.parametrize("lie", LIES)
def test_what_cannot_be_right_is_not_stored(platform: Platform, lie: str) -> None:
    sent_job = sent(platform)
    game = platform.job(sent_job).subject
    platform.analyzed(sent_job, answer(sent_job, LIES[lie]))
    analysis = analysis_of(platform, game)
    assert (analysis.course, analysis.figures) == (None, None)
    assert analysis.state != "done"
    assert all(seat.cost is None for seat in seats_of(platform, game))


def test_a_worker_of_another_release_is_named_as_the_reason(platform: Platform) -> None:
    sent_job = sent(platform)
    for _ in range(jobs.ATTEMPTS):
        platform.analyzed(sent_job, answer(sent_job, LIES["another version"]))
        platform.recorder.dispatch()
        sent_job = platform.post.games.pop() if platform.post.games else sent_job
    failed = analysis_of(platform, platform.job(sent_job).subject)
    assert (failed.state, failed.failed_for) == ("failed", analyses.OTHER_REFERENCE)


@pytest.mark.parametrize("body", ["", {}, {"id": 1}, [[[]]], "x" * 5_000_000, 7])
def test_what_is_no_result_at_all_stores_nothing_and_costs_an_attempt(platform: Platform, body: object) -> None:
    sent_job = sent(platform)
    assert platform.analyzed(sent_job, body).verdict is Verdict.REFUSED
    assert analysis_of(platform, platform.job(sent_job).subject).course is None
    assert platform.job(sent_job).attempt == 1


@ON_POSTGRESQL
def test_what_people_opened_goes_before_the_sample_and_no_worker_gets_two(platform: Platform) -> None:
    post = with_analyses(platform)
    match, *_ = matches = platform.matches(state=MatchState.DONE.value, purpose="ladder")
    assert ask_for(platform, match, 0, Requester.SAMPLE) is None
    assert ask_for(platform, match, 1) is None
    platform.recorder.dispatch()
    platform.recorder.dispatch()
    (sent_job,) = post.games
    assert analysis_of(platform, platform.job(sent_job).subject).requested_by == "opened"
    post.games.clear()
    platform.analyzed(sent_job, answer(sent_job))
    assert len(post.games) == 1, "the game of the sample"
    assert ask_for(platform, match, 0) is None
    assert ask_for(platform, matches[1], 0) is None
    platform.recorder.dispatch()
    assert len(post.games) == 1


def test_a_sample_gives_way_to_what_people_open_and_that_was_no_attempt(platform: Platform) -> None:
    post = with_analyses(platform)
    match = ladder_match(platform)
    assert ask_for(platform, match, 0, Requester.SAMPLE) is None
    platform.recorder.dispatch()
    sample = post.games.pop()
    output: list[tuple[str, gate.Message]] = []
    # Somebody waits as soon as it is begun, and its process is not given the time to come to a next step.
    worker = Worker(lambda task, message: output.append((task, message)), lambda: True, 30.0)
    worker.run(gate.encode_message(sample.message))
    assert active_children() == []
    assert [task for task, _ in output] == [names.TASK_ALIVE, names.TASK_RETURNED]
    platform.begin(sample, names.ANALYSIS_SENDER)
    assert ask_for(platform, match, 1) is None
    platform.recorder.dispatch()
    opened = post.games.pop()
    assert (sample.gives_way, opened.gives_way) == (True, False)
    platform.give_back(sample, names.ANALYSIS_SENDER)
    job, analysis = platform.job(sample), analysis_of(platform, platform.job(sample).subject)
    assert (job.state, job.attempt, analysis.state, analysis.course) == ("waiting", 0, "open", None)
    assert post.games == [], "the one worker has the game that was opened"
    platform.analyzed(opened, answer(opened))
    assert platform.job(post.games.pop()).subject == job.subject
    output.clear()
    worker.run(gate.encode_message(opened.message))
    assert output[-1][0] == names.TASK_RESULT, "what somebody waits for gives way to nothing"


def test_a_sample_of_each_active_version_is_spread_and_ends(platform: Platform) -> None:
    post = with_analyses(platform, AnalysisSettings(workers=1, sample=1, budget_s=1000.0))
    for _ in range(40):
        platform.recorder.schedule()
        if not post.games:
            break
        while post.games:
            sent_job = post.games.pop(0)
            platform.analyzed(sent_job, answer(sent_job, steps=1))
    by_entry: dict[int, list[int]] = {}
    for analysis in platform.rows(select(GameAnalysis)):
        assert analysis.state == "done"
        for seat in seats_of(platform, analysis.game_id or 0):
            by_entry.setdefault(seat.entry_id, []).append(analysis.game_id or 0)
    for seats in (2, 3, 4):
        for entry in platform.entries(seats):
            assert len(by_entry.get(entry.id or 0, [])) >= min(1, entry.games)


@pytest.mark.parametrize("how", [AnalysisSettings(workers=1, sample=2, budget_s=0.0), AnalysisSettings(workers=0)])
@ON_POSTGRESQL
def test_a_sample_stops_at_its_budget_and_with_no_workers_nothing_is_sent(
    platform: Platform, how: AnalysisSettings
) -> None:
    post = with_analyses(platform, how)
    assert how.workers or ask_for(platform, ladder_match(platform)) is None
    platform.recorder.schedule()
    assert post.games == []


@ON_POSTGRESQL
def test_another_version_of_the_reference_has_games_analyzed_anew(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent_job = sent(platform)
    platform.analyzed(sent_job, answer(sent_job))
    monkeypatch.setattr("gangland_web.services.analyses.reference_version", lambda _: "2-abc")
    platform.recorder.schedule()
    analysis = analysis_of(platform, platform.job(sent_job).subject)
    assert (analysis.state, platform.job(sent_job).state) == ("open", "leased")
    assert analysis.course is not None, "what is known is shown until it is known anew"
    assert analysis.requested_by == "sample", "nobody waits for it, so what is opened goes before it"


def test_a_trial_is_nobodys_business_but_its_owners(platform: Platform) -> None:
    platform.upload("ann")
    platform.play_all()
    trial = platform.matches(state=MatchState.DONE.value, purpose="trial")[0]
    assert ask_for(platform, trial) is analyses.NotAnalyzedReason.NOT_PUBLIC
