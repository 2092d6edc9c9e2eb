"""What holds of the analysis of every game that has one: the account adds up, and nobody pays for what is hidden."""

from dataclasses import replace
from itertools import product
from math import fsum

import pytest
from tests.contract import players, run

from gangland.games import GAME_NAMES, game_named
from gangland.replay import FAULT, Replay, expand
from gangland_ladder.analysis.account import TOLERANCE, Analysis, Cause, Change, Judged, Mark, Moment, Option
from gangland_ladder.analysis.analyzer import analyze
from gangland_ladder.analysis.games import reference_of

ANALYZED = sorted(name for name in GAME_NAMES if reference_of(name, 2, game_named(name).options({}), 0) is not None)
TABLES = [run.Table(name, seats, {}) for name in ANALYZED for seats in game_named(name).table_sizes] + [
    run.Table(name, variant.seats, variant.options) for name in ANALYZED for variant in game_named(name).variants
]

QUICK = {("gang-of-dice", 4), ("gangster-dice", 2), ("gangster-dice", 3)}


def is_quick(table: run.Table, fails: float) -> bool:
    """Return whether the quick suite analyzes this game: with faults, some sizes and one variant."""
    return fails > 0 and ("deck" in table.options or (not table.options and (table.game, table.seats) in QUICK))


def replay_of(table: run.Table, number: int, fails: float = 0.0) -> Replay:
    return players.play_watched(table, number, [fails] * table.seats)[0].replay


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(
            (table, fails),
            marks=[] if is_quick(table, fails) else pytest.mark.long("games of every table, without faults too"),
            id=f"{table}-{fails}",
        )
        for table in TABLES
        for fails in (0.0, 0.03)
    ],
)
def analyzed(request: pytest.FixtureRequest) -> tuple[Replay, Analysis]:
    table, fails = request.param
    replay = replay_of(table, 3 if fails else 0, fails)
    return replay, analyze(replay)


def test_start_and_changes_add_up_to_the_score(analyzed: tuple[Replay, Analysis]) -> None:
    replay, analysis = analyzed
    analysis.check()
    assert analysis.complete
    assert len(analysis.moments) == len(list(expand(replay)))
    assert fsum(analysis.start) == pytest.approx(replay.seats / 2)
    changes = [change for moment in analysis.moments for change in moment.changes]
    for change in changes:
        assert fsum(change.amounts) == pytest.approx(0, abs=TOLERANCE)
        if change.cause is Cause.DECISION:
            assert change.seat is not None
            assert change.amounts[change.seat] <= TOLERANCE, "a decision costs its seat something, or nothing"
    costs_are_what_decisions_changed(analysis)


def costs_are_what_decisions_changed(analysis: Analysis) -> None:
    """Check that decisions' costs contain no luck."""
    for moment, seat in product(analysis.moments[1:], range(analysis.seats)):
        decided = [each for each in moment.changes if each.cause is Cause.DECISION and each.seat == seat]
        costs = fsum(judged.cost for judged in moment.judged if judged.seat == seat)
        assert fsum(change.amounts[seat] for change in decided) == pytest.approx(-costs, abs=TOLERANCE)


@pytest.mark.parametrize(
    ("number", "seats", "fails"),
    [
        pytest.param(356, 4, 0.03, id="a stake that leads to an elimination and so to the end"),
        pytest.param(61, 3, 0.05, id="a reroll of more dice than are solved, just before the end"),
        pytest.param(351, 3, 0.05, id="a fault at such a reroll"),
    ],
)
def test_an_elimination_that_ends_a_game_is_charged_to_the_dice(number: int, seats: int, fails: float) -> None:
    replay = replay_of(run.Table("gang-of-dice", seats, {}), number, fails)
    analysis = analyze(replay)
    analysis.check()
    costs_are_what_decisions_changed(analysis)
    judged = {(each.seat, each.number) for moment in analysis.moments for each in moment.judged}
    assert {(seat, number) for seat, number in replay.faults if number is not None} <= judged


def test_every_decision_is_judged_once_and_a_fault_costs_what_it_costs(analyzed: tuple[Replay, Analysis]) -> None:
    replay, analysis = analyzed
    judged = [each for moment in analysis.moments for each in moment.judged]
    numbers = [each.number for each in judged]
    assert len(set(numbers)) == len(numbers)
    for each in judged:
        assert each.cost >= 0
        assert each.best.value >= max(option.value for option in each.options) - TOLERANCE
        if each.number is not None and replay.decisions[each.number] != FAULT:
            assert each.chosen.decision == replay.decisions[each.number]
    failed = {(seat, number) for seat, number in replay.faults if number is not None}
    assert failed <= {(each.seat, each.number) for each in judged}


@pytest.mark.parametrize("name", ANALYZED)
def test_if_there_is_no_time_what_is_known_is_shown_as_such(name: str) -> None:
    replay, asked = replay_of(run.Table(name, 2, {}), 1), iter([True] * 5)
    analysis = analyze(replay, has_time=lambda: next(asked, False))
    assert not analysis.complete
    assert len(analysis.moments) == 5
    analysis.check()


@pytest.mark.parametrize("steps", [8, pytest.param(10_000, marks=pytest.mark.long("whole games"))])
@pytest.mark.parametrize("name", ANALYZED)
def test_each_seat_that_fails_before_the_game_pays_for_itself(name: str, steps: int) -> None:
    replay, asked = players.play_watched(run.Table(name, 4, {}), 5, [2.0, 0.0, 2.0, 0.0])[0].replay, iter(range(steps))
    analysis = analyze(replay, has_time=lambda: next(asked, None) is not None)
    analysis.check()
    changes = [change for change in analysis.moments[0].changes if change.cause is Cause.DECISION]
    assert [change.seat for change in changes] == [0, 2]
    for change in changes:
        assert change.seat is not None
        assert change.amounts[change.seat] < 0


@pytest.mark.parametrize("name", ANALYZED)
def test_a_position_is_worth_what_following_the_game_makes_of_it(name: str) -> None:
    table = run.Table(name, 2, {"round_limit": 5} if name == "gangster-dice" else {})
    replay = replay_of(table, 6)
    rules = table.rules
    reference = reference_of(table.game, table.seats, rules.options(table.options), 0)
    assert reference is not None
    values, number = list(reference.start), 0
    for step in expand(replay):
        passed = [tuple(values)]
        for change in reference.follow(step).changes:
            values = [had + gained for had, gained in zip(values, change.amounts, strict=True)]
            passed.append(tuple(values))
        if rules.outcome(step.after) is None:
            assert passed[-1] == pytest.approx(reference.worth(step.after), abs=1e-6)
            if rules.round(step.after) > number > 0:
                before = reference.before_round(step.after)
                assert any(before == pytest.approx(each, abs=1e-6) for each in passed)
        number = rules.round(step.after)


# The account of a game: its marks by their limits, and that it adds up or fails.


EVEN = (0.5, 0.5)


def judged(cost: float, error: float = 0.0) -> Judged:
    best = Option(1, 0.5)
    return Judged(1, 0, 0, "dice", Option(2, 0.5 - cost, error), best, (best,), 2, "staking too many dice")


@pytest.mark.parametrize(
    ("cost", "mark"),
    [
        (-0.1, Mark.BEST), (0.0009, Mark.BEST), (0.0011, Mark.GOOD), (0.0099, Mark.GOOD), (0.0101, Mark.INACCURACY),
        (0.0299, Mark.INACCURACY), (0.0301, Mark.MISTAKE), (0.0799, Mark.MISTAKE), (0.0801, Mark.BLUNDER),
        (0.5, Mark.BLUNDER),
    ],
)  # fmt: skip
def test_a_mark_follows_from_the_cost_by_the_stated_limits(cost: float, mark: Mark) -> None:
    assert judged(cost).mark is mark
    assert judged(cost).cost >= 0


def test_a_cost_below_two_of_its_standard_errors_gets_no_mark() -> None:
    assert judged(0.09, error=0.046).mark is Mark.BEST
    assert judged(0.09, error=0.044).mark is Mark.BLUNDER


def an_analysis() -> Analysis:
    moments = (
        Moment((0.4, 0.6), (Change(Cause.LUCK, None, (-0.1, 0.1)),)),
        Moment((0.0, 1.0), (Change(Cause.DECISION, 0, (-0.5, 0.5)), Change(Cause.ERROR, None, (0.1, -0.1)))),
    )
    return Analysis("gang-of-dice", 2, EVEN, moments, (0.0, 1.0), True, "1", 12, ())


def test_an_account_that_adds_up_passes_and_says_what_each_cause_brought() -> None:
    analysis = an_analysis()
    analysis.check()
    assert [analysis.effect_of(cause, 0) for cause in Cause] == [-0.1, -0.5, 0, 0.1]


def test_a_change_that_does_not_lead_to_the_next_value_fails() -> None:
    analysis = an_analysis()
    first = replace(analysis.moments[0], changes=(Change(Cause.LUCK, None, (-0.1 + 1e-8, 0.1 - 1e-8)),))
    with pytest.raises(ArithmeticError, match="step 0: seat 0 had 0"):
        replace(analysis, moments=(first, analysis.moments[1])).check()


def test_an_end_that_is_not_the_score_fails_unless_there_was_no_time_for_it() -> None:
    analysis = replace(an_analysis(), scores=(0.5, 0.5))
    with pytest.raises(ArithmeticError, match="the values end at"):
        analysis.check()
    replace(analysis, complete=False).check()
