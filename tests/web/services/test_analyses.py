"""Analyses: who may ask, what is sent, and what is believed of what comes back."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from multiprocessing import active_children
from typing import Any

import msgspec
import pytest
from sqlmodel import select
from tests.kits.analyses_kit import Change, analysis_of, answer, ask_for, seats_of, with_analyses
from tests.kits.core_kit import KINDS, ON_POSTGRESQL, Platform, a_platform_after, play_a_round

from gangland_ladder.analysis.account import DIGITS, Analysis, GameFigures
from gangland_ladder.analysis.analyser import Continued
from gangland_ladder.analysis.transfer import AnalysisOrder, AnalysisResult, encode_result, unpack
from gangland_web.base import formats
from gangland_web.models.bots import Version
from gangland_web.models.jobs import ANALYSIS_ATTEMPTS, ANALYSIS_LEASE_S, GameAnalysis, RequestedBy
from gangland_web.models.matches import MatchState
from gangland_web.models.tournaments import Entry, Record, RecordKind
from gangland_web.queries.analyses import analysed_games
from gangland_web.services.analyses import OTHER_REFERENCE, WhyNotAnalyzed
from gangland_web.workers.analysis import analyse_order
from gangland_web.workers.records import Analyses

platform = pytest.fixture(a_platform_after(play_a_round), params=KINDS)


def ladder_match(platform: Platform) -> Any:
    return platform.matches(state=MatchState.DONE.value, purpose="ladder")[0]


def sent(platform: Platform, number: int = 0) -> AnalysisOrder:
    """Ask for a game, have it sent, and take the order."""
    post = with_analyses(platform)
    assert ask_for(platform, ladder_match(platform), number) is None
    platform.recorder.send_analyses()
    return post.games.pop()


@ON_POSTGRESQL
def test_a_game_is_analysed_once_and_what_it_came_to_is_kept(platform: Platform) -> None:
    order = sent(platform)
    assert ask_for(platform, ladder_match(platform)) is None, "asking again changes nothing"
    platform.recorder.analysed(answer(order, said(known=None, done=False)))
    platform.recorder.analysed(answer(order, steps=4).replace('"done":true', '"done":false'))
    part = analysis_of(platform, order.id)
    assert part.course is not None
    assert (part.state, part.complete, part.attempt) == ("leased", False, 1)
    platform.recorder.analysed(answer(order))
    platform.recorder.analysed(answer(order))
    done = analysis_of(platform, order.id)
    assert done.course is not None
    assert done.figures is not None
    assert (done.state, done.complete, done.attempt) == ("done", True, 1)
    course, figures = unpack(done.course, Analysis), unpack(done.figures, GameFigures)
    assert len(course.moments) > len(unpack(part.course, Analysis).moments)
    for seat in seats_of(platform, order.id):
        own = [each for each in figures.decisions if each.seat == seat.seat]
        assert seat.decisions == len(own) == sum(each["decisions"] for each in seat.costs or ())
        assert seat.cost == pytest.approx(sum(each.cost for each in own), abs=1e-3)
        assert seat.cost == pytest.approx(course.costs(seat.seat or 0), abs=1e-3)
    assert platform.post.games == []
    with platform.database.read() as session:
        for seat in seats_of(platform, order.id):
            (game,) = analysed_games(session, seat.entry_id)
            assert (game.seat, game.reference, game.was_opened) == (seat.seat, done.version, True)
            assert game.figures == figures
        luckiest = max(range(figures.seats), key=lambda seat: figures.accounts[seat].luck)
        record = session.exec(select(Record).where(Record.kind == RecordKind.LUCK.value)).one()
        entry = session.get_one(Entry, seats_of(platform, order.id)[luckiest].entry_id)
        assert record.bot_id == session.get_one(Version, entry.version_id).bot_id
        assert record.score == pytest.approx(figures.accounts[luckiest].luck, abs=10**-DIGITS)


def moments(change: Callable[[Any], Any]) -> Change:

    def changed(result: AnalysisResult) -> AnalysisResult:
        assert result.known is not None
        *first, last = result.known.moments
        return msgspec.structs.replace(result, known=replace(result.known, moments=(*first, change(last))))

    return changed


def judged(change: Callable[[Any], Any]) -> Change:

    def changed(result: AnalysisResult) -> AnalysisResult:
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
    def changed(result: AnalysisResult) -> AnalysisResult:
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
    "a game played on from a decision that nobody judged": said(continued=[Continued(9999, [1])]),
    "a game played on with another decision than the best": said(continued=[Continued(0, [99])]),
    "another release": said(release="0.0.0"),
    "another token": said(token="0" * 32),
    "another game": lambda result: msgspec.structs.replace(result, id=result.id + 1),
}


@pytest.mark.parametrize("lie", LIES)
def test_what_cannot_be_right_is_not_stored(platform: Platform, lie: str) -> None:
    order = sent(platform)
    platform.recorder.analysed(answer(order, LIES[lie]))
    analysis = analysis_of(platform, order.id)
    assert (analysis.course, analysis.figures) == (None, None)
    assert analysis.state != "done"
    assert all(seat.cost is None for seat in seats_of(platform, order.id))


def test_a_worker_of_another_release_is_named_as_the_reason(platform: Platform) -> None:
    order = sent(platform)
    for _ in range(ANALYSIS_ATTEMPTS):
        platform.recorder.analysed(answer(order, LIES["another version"]))
        platform.recorder.send_analyses()
        order = platform.post.games.pop() if platform.post.games else order
    failed = analysis_of(platform, order.id)
    assert (failed.state, failed.failed_for) == ("failed", OTHER_REFERENCE)


@pytest.mark.parametrize("text", ["", "{", '{"id": 1}', "[" * 100_000, '"' + "x" * 5_000_000 + '"', 7, None])
def test_what_is_no_result_at_all_changes_nothing(platform: Platform, text: object) -> None:
    order = sent(platform)
    platform.recorder.analysed(text)
    analysis = analysis_of(platform, order.id)
    assert (analysis.state, analysis.attempt) == ("leased", 0)


@ON_POSTGRESQL
def test_only_a_worker_that_dies_costs_an_attempt(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    order = sent(platform)
    now = formats.now_s()
    for attempt in range(ANALYSIS_ATTEMPTS + 1):
        if attempt:
            platform.recorder.analysed(answer(order, said(known=None, done=False)))
        now += ANALYSIS_LEASE_S + 1
        monkeypatch.setattr("gangland_web.services.analyses.now_s", partial(float, now))
        platform.recorder.sweep()
        analysis = analysis_of(platform, order.id)
        assert analysis.attempt == attempt
        if attempt < ANALYSIS_ATTEMPTS:
            assert analysis.state == "waiting"
            platform.recorder.send_analyses()
            order = platform.post.games.pop()
    failed = analysis_of(platform, order.id)
    assert (failed.state, failed.failed_for) == ("failed", "It was begun 3 times and never came to an end.")


@ON_POSTGRESQL
def test_what_people_opened_goes_before_the_sample_and_no_worker_gets_two(platform: Platform) -> None:
    post = with_analyses(platform)
    match, *_ = matches = platform.matches(state=MatchState.DONE.value, purpose="ladder")
    assert ask_for(platform, match, 0, RequestedBy.SAMPLE) is None
    assert ask_for(platform, match, 1) is None
    platform.recorder.send_analyses()
    platform.recorder.send_analyses()
    (order,) = post.games
    assert analysis_of(platform, order.id).requested_by == "opened"
    post.games.clear()
    platform.recorder.analysed(answer(order))
    assert len(post.games) == 1, "the game of the sample"
    assert ask_for(platform, match, 0) is None
    assert ask_for(platform, matches[1], 0) is None
    platform.recorder.send_analyses()
    assert len(post.games) == 1


def test_a_sample_gives_way_to_what_people_open_and_that_was_no_attempt(platform: Platform) -> None:
    post = with_analyses(platform)
    match = ladder_match(platform)
    assert ask_for(platform, match, 0, RequestedBy.SAMPLE) is None
    platform.recorder.send_analyses()
    sample = post.games.pop()
    said: list[str] = []
    # Somebody waits as soon as it is begun, and its process is not given the time to come to a next step.
    analyse_order(
        msgspec.json.encode(sample).decode(), lambda result: said.append(encode_result(result)), lambda: bool(said)
    )
    assert active_children() == []
    platform.recorder.analysed(said[0])
    assert ask_for(platform, match, 1) is None
    platform.recorder.send_analyses()
    opened = post.games.pop()
    assert (sample.gives_way, opened.gives_way) == (True, False)
    platform.recorder.analysed(said[-1])
    analysis = analysis_of(platform, sample.id)
    assert (analysis.state, analysis.attempt, analysis.course) == ("waiting", 0, None)
    assert post.games == [], "the one worker has the game that was opened"
    platform.recorder.analysed(answer(opened))
    assert post.games.pop().id == sample.id
    said.clear()
    analyse_order(msgspec.json.encode(opened).decode(), lambda result: said.append(encode_result(result)), lambda: True)
    assert '"returned":true' not in said[-1], "what somebody waits for gives way to nothing"


def test_a_sample_of_each_active_version_is_spread_and_ends(platform: Platform) -> None:
    post = with_analyses(platform, Analyses(workers=1, sample=1, budget_s=1000.0))
    for _ in range(40):
        platform.recorder.schedule()
        if not post.games:
            break
        while post.games:
            platform.recorder.analysed(answer(post.games.pop(0), steps=1))
    by_entry: dict[int, list[int]] = {}
    with platform.database.read() as session:
        for analysis in session.exec(select(GameAnalysis)).all():
            assert analysis.state == "done"
            for seat in seats_of(platform, analysis.game_id or 0):
                by_entry.setdefault(seat.entry_id, []).append(analysis.game_id or 0)
    for seats in (2, 3, 4):
        for entry in platform.entries(seats):
            assert len(by_entry.get(entry.id or 0, [])) >= min(1, entry.games)


@pytest.mark.parametrize("how", [Analyses(workers=1, sample=2, budget_s=0.0), Analyses(workers=0)])
@ON_POSTGRESQL
def test_a_sample_stops_at_its_budget_and_with_no_workers_nothing_is_sent(platform: Platform, how: Analyses) -> None:
    post = with_analyses(platform, how)
    assert how.workers or ask_for(platform, ladder_match(platform)) is None
    platform.recorder.schedule()
    assert post.games == []


@ON_POSTGRESQL
def test_another_version_of_the_reference_has_games_analysed_anew(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = sent(platform)
    platform.recorder.analysed(answer(order))
    monkeypatch.setattr("gangland_web.services.analyses.reference_version", lambda _: "2-abc")
    platform.recorder.schedule()
    analysis = analysis_of(platform, order.id)
    assert analysis.state == "leased"
    assert analysis.course is not None, "what is known is shown until it is known anew"
    assert analysis.requested_by == "sample", "nobody waits for it, so what is opened goes before it"


def test_a_trial_is_nobodys_business_but_its_owners(platform: Platform) -> None:
    platform.upload("ann")
    platform.play_all()
    trial = platform.matches(state=MatchState.DONE.value, purpose="trial")[0]
    assert ask_for(platform, trial) is WhyNotAnalyzed.NOT_PUBLIC
