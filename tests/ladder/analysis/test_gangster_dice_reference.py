"""The account of Gangster Dice: it adds up, nobody is judged by what is hidden, and mistakes are found."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from math import fsum
from random import Random
from typing import Any

import numpy as np
import pytest
from tests.kits.gangster_dice_kit import GAME, analyzed, any_legal, asking, fresh, steps_of

from gangland.chance import SeededChance
from gangland.gangster_dice.state import State
from gangland_ladder.analysis.account import TOLERANCE, Analysis, Cause, Values, scores_of
from gangland_ladder.analysis.games.gangster_dice import reference as under_test
from gangland_ladder.analysis.games.gangster_dice.reference import FAULT, THEMES, reference

OPTIONS: list[dict[str, object]] = [
    {}, {"round_limit": 3}, {"investigator_colour": "held", "spent_favor": "out", "win_check": "win_first"},
    {"characters": "dealt", "spent_favor": "discards"},
    {"characters": "dealt", "win_check": "win_first", "round_limit": 12},
]  # fmt: skip


@pytest.fixture(autouse=True)
def few_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(under_test, "SOLVED_ROLLS", {2: 1, 3: 1, 4: 1})


def see_that_it_adds_up(analysis: Analysis) -> None:
    analysis.check()
    for moment in analysis.moments:
        for change in moment.changes:
            assert abs(fsum(change.amounts)) < TOLERANCE
            if change.cause is Cause.DECISION:
                assert change.seat is not None
                assert change.amounts[change.seat] <= 0
        for seat in range(analysis.seats):
            decided = [-each.amounts[seat] for each in moment.changes if (each.cause, each.seat) == ("decision", seat)]
            assert fsum(decided) == pytest.approx(fsum(each.cost for each in moment.judged if each.seat == seat))
        assert all(judged.theme in THEMES for judged in moment.judged)


QUICK = {(3, 0, 0.05), (4, 1, 0.0), (2, 2, 0.0), (2, 3, 0.05), (2, 4, 0.05)}
"""Seats, options and faults of the quick suite: each of them once."""


@pytest.mark.parametrize(
    ("seats", "options", "faults"),
    [
        pytest.param(
            *(seats, OPTIONS[number], faults),
            marks=[] if (seats, number, faults) in QUICK else pytest.mark.long("all options at all tables"),
            id=f"{seats}-{OPTIONS[number]}-{faults}",
        )
        for seats in (2, 3, 4)
        for number in range(len(OPTIONS))
        for faults in (0.0, 0.05)
    ],
)
def test_the_account_adds_up(seats: int, options: dict[str, object], faults: float) -> None:
    see_that_it_adds_up(analyzed(seats, options, 0 if faults else 1, any_legal, faults))


@pytest.mark.parametrize("rounds", [5, pytest.param(100, marks=pytest.mark.long("whole games"))])
@pytest.mark.parametrize(
    "cast", [["nancy", "franky", "roberts", "timmy"], ["liza", "silvio", "eddie"], ["don", "bobby"]], ids=" ".join
)
def test_the_account_adds_up_with_every_character(cast: list[str], rounds: int) -> None:
    options = {"characters": "chosen", "cast": cast, "round_limit": rounds}
    see_that_it_adds_up(analyzed(len(cast), options, 5, any_legal))


def test_a_fault_is_judged_once_and_later_defaults_cost_nothing() -> None:
    analysis = analyzed(4, {}, 3, any_legal, faults=0.05)
    themes = Counter((judged.theme, judged.seat) for moment in analysis.moments for judged in moment.judged)
    faults = [seat for theme, seat in themes if theme == FAULT]
    assert faults
    for seat in faults:
        assert themes[FAULT, seat] == 1
        judged = [each for moment in analysis.moments for each in moment.judged if each.seat == seat]
        assert judged[-1].theme == FAULT


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (2, OPTIONS[0]),
        *[
            pytest.param(seats, options, marks=pytest.mark.long("more seats, and characters"))
            for seats, options in ((4, OPTIONS[0]), (3, OPTIONS[3]), (4, OPTIONS[3]))
        ],
    ],
)
def test_what_is_hidden_from_a_seat_does_not_judge_its_decision(seats: int, options: dict[str, object]) -> None:
    rng, kinds = Random(1), Counter[str]()
    for number in range(2):
        for state, out in asking(seats, options, number):
            for question in GAME.pending(state):
                if question.kind == "bids" and rng.random() < 0.85:
                    continue
                other = GAME.sampler(GAME.observe(state, question.seat, out))(rng)
                kinds[question.kind] += other.hands != state.hands
                here = fresh(seats, options).options(state, question.seat, out)
                there = fresh(seats, options).options(other, question.seat, out)
                assert [each.decision for each in here] == [each.decision for each in there]
                assert [each.value for each in here] == [each.value for each in there]
    assert kinds["bids"]
    assert kinds["dump"] or kinds["take"]


@pytest.mark.parametrize("options", [{"round_limit": 3}, pytest.param({}, marks=pytest.mark.long("a whole game"))])
def test_two_runs_agree_to_the_last_bit(options: dict[str, object]) -> None:
    assert analyzed(3, options, 4, any_legal) == analyzed(3, options, 4, any_legal)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_all_seats_begin_alike_and_hands_are_luck(seats: int) -> None:
    followed = reference(seats, GAME.options({}), 0)
    first = next(steps_of(seats, {}, 7))
    assert followed.start == (0.5,) * seats
    changes = followed.follow(first).changes
    assert {change.cause for change in changes} <= {Cause.LUCK, Cause.ERROR}


@pytest.mark.parametrize(
    ("stashes", "control", "dice", "hands", "solved"),
    [
        (((3, 0, 0), (0, 4, 2)), (1, 0, 1, 1), ((1, 0, 2), (1, 0, 0), (0, 1, 1)), ((1, 3, 4), (1, 1, 1)), 0.60),
        (((0, 2, 3), (3, 2, 0)), (0, 0, 1, 1), ((0, 1, 2), (2, 0, 0), (0, 0, 0)), ((2, 3, 4), (1, 1, 1)), 0.69),
        (((0, 3, 0), (5, 0, 0)), (0, 1, 0, 0), ((0, 0, 3), (0, 0, 2), (0, 2, 0)), ((1, 1, 2), (2, 3, 3)), 0.42),
    ],
)
def test_a_round_in_which_a_seat_can_win_is_worth_the_mean_of_its_rolls(
    monkeypatch: pytest.MonkeyPatch, stashes: Any, control: Any, dice: Any, hands: Any, solved: float
) -> None:
    monkeypatch.setattr(under_test, "SOLVED_ROLLS", {2: 40})
    state: State = next(steps_of(2, {}, 0)).after
    public = state.public
    state = state._replace(
        hands=hands,
        public=public._replace(
            stashes=stashes,
            control=control,
            dice=((0, 0, 0), *dice),
            specials_held=tuple([hand.count(4) for hand in hands]),
            opening=public.opening._replace(control=control, bonus=sum(dice[1])),
        ),
    )
    assert fresh(2, {}).before_round(state)[0] == pytest.approx(solved, abs=0.1)


def played_out(state: State) -> Values:
    """Return the last round's scores if all later questions get the best answer for the asked seat."""
    outcome = GAME.outcome(state)
    if outcome is not None:
        return scores_of(outcome)
    (question,) = GAME.pending(state)
    return max((end for _, end in ends_of(state)), key=lambda scores: scores[question.seat])


def ends_of(state: State) -> list[tuple[Any, Values]]:
    (question,) = GAME.pending(state)
    return [
        (decision, played_out(GAME.resolve(state, {question.seat: decision}, SeededChance(bytes(32)))[0]))
        for decision in GAME.choices(state, question.seat)
    ]


@pytest.mark.parametrize(
    ("cast", "number", "kind"),
    [
        ("silvio roberts eddie", 36, "discard"), ("roberts don", 18, "dump"), ("don roberts nancy", 50, "stake"),
        ("bobby liza roberts nancy", 52, "discard"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("win_check", ["die_first", "win_first"])
def test_the_last_rounds_end_is_worth_what_brute_force_says(cast: str, number: int, kind: str, win_check: str) -> None:
    options = {"characters": "chosen", "cast": cast.split(), "round_limit": 4, "win_check": win_check}
    kinds = set()
    for state, _ in asking(len(cast.split()), options, number):
        questions = GAME.pending(state)
        if state.opening.round < 4 or len(questions) > 1 or questions[0].kind in ("bids", "reroll"):
            continue
        seat, followed = questions[0].seat, fresh(len(cast.split()), options)
        kinds.add(questions[0].kind)
        scores = {decision: end[seat] for decision, end in ends_of(state)}
        assert {option.decision: option.value for option in followed.options(state, seat)} == pytest.approx(scores)
        assert followed.worth(state)[seat] == pytest.approx(max(scores.values()))
    assert kind in kinds or win_check == "win_first"


def losing(kind: str, wrong: Any, games: Iterable[int]) -> tuple[str, float]:
    """Return the most expensive theme of a seat with one wrong kind of answer, and its share."""
    costs: dict[str, float] = defaultdict(float)
    for number in games:
        followed = fresh(3, {})

        def decides(state: State, seat: int, rng: Random, followed: Any = followed) -> Any:
            question = next(each.kind for each in GAME.pending(state) if each.seat == seat)
            if seat == 0 and question == kind:
                return wrong(GAME.choices(state, seat), followed.options(state, seat))
            return followed.decide(state, seat, rng)

        for moment in analyzed(3, {}, number, decides).moments:
            for judged in moment.judged:
                if judged.seat == 0:
                    costs[judged.theme] += judged.cost
    theme = max(costs, key=lambda each: costs[each])
    return theme, costs[theme] / fsum(costs.values())


def worst_token(choices: Any, _: Any) -> Any:
    return min(choices, key=lambda bids: (bids[0][0], bids[0][1]))


@pytest.mark.parametrize(
    ("kind", "wrong", "theme"),
    [
        ("dump", lambda _, options: options[-1].decision, "dumping the wrong color"),
        ("stake", lambda *_: None, "staking no die where one was worth it"),
        ("bids", worst_token, "bidding on the Lawyer instead of the"),
    ],
    ids=["dump", "stake", "bids"],
)
@pytest.mark.parametrize("games", [(4, 5), pytest.param(range(8), marks=pytest.mark.long("more games"))], ids=str)
def test_a_planted_weakness_is_what_costs_a_seat_most(kind: str, wrong: Any, theme: str, games: Iterable[int]) -> None:
    found, share = losing(kind, wrong, games)
    assert found.startswith(theme)
    assert share > 0.25


@pytest.mark.parametrize("sizes", [(2,), pytest.param((2, 3, 4), marks=pytest.mark.long("larger tables"))], ids=str)
def test_the_reference_makes_no_mistakes_worth_the_name(sizes: tuple[int, ...]) -> None:
    analyses = [analyzed(seats, {}, number) for seats in sizes for number in range(3)]
    costs = [analysis.costs(seat) for analysis in analyses for seat in range(analysis.seats)]
    assert np.mean(costs) < 0.03
