"""What holds in every game, by random play: conservation, legality, replays."""

from itertools import product
from typing import Any

import pytest
from tests.engine.gangster_dice.table import states

from gangland import faults, gangster_dice
from gangland.gangster_dice.rules import GAME
from gangland.gangster_dice.state import State

OPTIONS: list[dict[str, Any]] = [
    {}, {"investigator_colour": "held"}, {"spent_favor": "out"}, {"win_check": "win_first"}, {"round_limit": 9},
    {"investigator_colour": "held", "spent_favor": "out", "win_check": "win_first", "round_limit": 40},
    {"characters": "dealt"}, {"characters": "dealt", "investigator_colour": "held", "win_check": "win_first"},
]  # fmt: skip
TABLES = [(seats, options) for seats in (2, 3, 4) for options in OPTIONS]


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_what_is_asked_has_choices_that_are_accepted_and_nothing_else_is(seats: int, options: dict[str, Any]) -> None:
    universe: dict[str, list[Any]] = {
        "stake": [None, *range(-1, 5)], "dump": [None, *range(-1, 5), *product(range(4), repeat=3)],
        "take": [None, *range(-1, 5)], "reroll": [None, *product(range(-1, 5), repeat=2), 0],
        "swap": [None, *product(range(-1, 5), repeat=2), 0], "keep": [None, *range(-1, 6)],
        "discard": [None, *range(-1, 6)],
        "exchange": [(a, b) for a in product(range(4), repeat=3) for b in product(range(3), repeat=3)],
        "bids": [(bid,) for bid in product(range(5), repeat=2)]
        + [pair for pair in product(product(range(5), repeat=2), repeat=2) if pair[0] <= pair[1]],
    }  # fmt: skip
    found = set()
    for state in states(seats, 2, **options):
        for question in GAME.pending(state):
            choices = GAME.choices(state, question.seat)
            assert len(choices) == len(set(choices)) > 1
            assert GAME.default(state, question.seat) in choices
            if question.kind in found and question.kind in ("bids", "exchange"):
                continue
            found.add(question.kind)
            accepted = [answer for answer in universe[question.kind] if accepts(state, question.seat, answer)]
            assert sorted(accepted, key=repr) == sorted(choices, key=repr)
    assert found >= {"bids", "exchange", "stake", "dump", "take"} or options


def accepts(state: State, seat: int, answer: Any) -> bool:
    try:
        return bool(GAME.check(state, seat, answer) == answer)
    except faults.IllegalDecision:
        return False


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_g41_a_seat_is_asked_to_bid_exactly_when_it_has_a_choice(seats: int) -> None:
    for state in states(seats, games=20):
        if state.questions and state.questions[0].kind == "bids":
            requested = {question.seat for question in state.questions}
            for seat in range(seats):
                assert (len(gangster_dice.legality.choices(state, seat, "bids")) > 1) == (seat in requested)
