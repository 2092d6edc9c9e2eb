"""Rounds played out as arrays end where the rules end them."""

import numpy as np
import pytest
from tests.kits.gangster_dice_kit import GAME, asking, fresh, steps_of

from gangland.gangster_dice.cards import INVESTIGATOR, SPEAKEASY, STREETS
from gangland.gangster_dice.state import EFFECTS
from gangland_ladder.analysis.games.gangster_dice.effects import Settler
from gangland_ladder.analysis.games.gangster_dice.positions import NOBODY, final_scores, nets, situation_of

LIZA = {"characters": "chosen", "cast": ["liza", "bobby", "don"]}


@pytest.mark.parametrize(
    ("seats", "options"),
    [(2, {}), (3, {}), (4, {}), (3, {"win_check": "win_first", "investigator_colour": "held"}), (3, LIZA)],
    ids=str,
)
def test_answers_lead_where_the_rules_lead_them(seats: int, options: dict[str, object]) -> None:
    found_kinds = set()
    for number in range(12):
        reference = fresh(seats, options)
        for step in steps_of(seats, options, number):
            before, after = step.before, step.after
            kinds = {answer.kind for answer in step.answers}
            if before is None or not kinds <= {*EFFECTS, "take"} or not kinds:
                continue
            if after.questions and after.questions[0].kind != "bids":
                continue
            if after.opening.round > before.opening.round + 1:
                continue
            found_kinds |= kinds
            round_ = reference._round(before, {answer.seat: (answer.kind, answer.decision) for answer in step.answers})

            settled = Settler(nets(seats), situation_of(before, frozenset())).settle(round_)

            found = settled.positions
            assert found.stashes[0].tolist() == [list(stash) for stash in after.stashes]
            assert found.speakeasy[0].tolist() == list(after.dice[SPEAKEASY])
            assert found.investigator[0].tolist() == list(after.dice[INVESTIGATOR])
            assert found.streets[0] == sum(after.dice[STREETS])
            assert [None if seat == NOBODY else seat for seat in found.control[0]] == list(after.control)
            assert settled.over[0] == (not after.questions)
    assert {"exchange", "stake", "dump", "take"} <= found_kinds


def test_a_swap_that_is_still_to_come_is_worth_its_best_answer() -> None:
    options = {"characters": "chosen", "cast": ["nancy", "don", "bobby"], "round_limit": 12}
    gained = []
    for number in range(4):
        reference = fresh(3, options)
        for state, _ in asking(3, options, number):
            if state.questions[0].kind != "swap":
                continue
            settler, (question,) = Settler(nets(3), situation_of(state, frozenset())), state.questions
            answered = {
                decision: settler.settle(reference._round(state, {question.seat: ("swap", decision)})).values[0]
                for decision in GAME.choices(state, question.seat)
            }
            best = max(answered.values(), key=lambda values: values[question.seat])

            opened = settler.settle(reference._round(state, {})).values[0]

            assert opened == pytest.approx(best)
            gained.append(best[question.seat] - answered[None][question.seat])
    assert max(gained) > 0.05


@pytest.mark.parametrize(
    ("totals", "out", "scores"),
    [
        ([0, 3], (), [1.0, 0.0]), ([0, 0, 3], (), [0.75, 0.75, 0.0]), ([2, 0, 3, 4], (), [1 / 3, 1.0, 1 / 3, 1 / 3]),
        ([0, 2, 3], (0,), [0.0, 1.0, 0.5]), ([0, 2, 2, 5], (0, 3), [1 / 6, 5 / 6, 5 / 6, 1 / 6]),
    ],
)  # fmt: skip
def test_g32_g37_g38_ends_are_scored_by_places(totals: list[int], out: tuple[int, ...], scores: list[float]) -> None:
    assert final_scores(np.array([totals]), frozenset(out))[0] == pytest.approx(scores)
