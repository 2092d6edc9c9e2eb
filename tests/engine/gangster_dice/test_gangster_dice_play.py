"""What holds in every game, by random play: conservation, legality, replays."""

from itertools import product
from random import Random
from typing import Any

import pytest
from tests.contract.run import Remembering
from tests.engine.gangster_dice.table import states

from gangland.chance import Faces, SeededChance
from gangland.faults import BotFault, FaultKind, IllegalDecision
from gangland.game import EndReason
from gangland.gangster_dice import legality
from gangland.gangster_dice.rules import GAME
from gangland.gangster_dice.state import State
from gangland.gangster_dice.views import View
from gangland.match import play
from gangland.replay import load, verify

OPTIONS: list[dict[str, Any]] = [
    {},
    {"investigator_colour": "held"},
    {"spent_favor": "out"},
    {"win_check": "win_first"},
    {"round_limit": 9},
    {"investigator_colour": "held", "spent_favor": "out", "win_check": "win_first", "round_limit": 40},
    {"characters": "dealt"},
    {"characters": "dealt", "investigator_colour": "held", "win_check": "win_first"},
]
TABLES = [(seats, options) for seats in (2, 3, 4) for options in OPTIONS]


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_what_is_asked_has_choices_that_are_accepted_and_nothing_else_is(seats: int, options: dict[str, Any]) -> None:
    universe: dict[str, list[Any]] = {
        "stake": [None, *range(-1, 5)],
        "dump": [None, *range(-1, 5), *product(range(4), repeat=3)],
        "take": [None, *range(-1, 5)],
        "reroll": [None, *product(range(-1, 5), repeat=2), 0],
        "swap": [None, *product(range(-1, 5), repeat=2), 0],
        "keep": [None, *range(-1, 6)],
        "discard": [None, *range(-1, 6)],
        "exchange": [(a, b) for a in product(range(4), repeat=3) for b in product(range(3), repeat=3)],
        "bids": [(bid,) for bid in product(range(5), repeat=2)]
        + [pair for pair in product(product(range(5), repeat=2), repeat=2) if pair[0] <= pair[1]],
    }
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
    except IllegalDecision:
        return False


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_g41_a_seat_is_asked_to_bid_exactly_when_it_has_a_choice(seats: int) -> None:
    for state in states(seats, games=20):
        if state.questions and state.questions[0].kind == "bids":
            requested = {question.seat for question in state.questions}
            for seat in range(seats):
                assert (len(legality.choices(state, seat, "bids")) > 1) == (seat in requested)


class RandomPlayer:
    """Plays a random legal answer; fails at its `fails_at`-th question."""

    def __init__(self, seed: int, fails_at: int | None = None) -> None:
        self.rng = Random(seed)
        self.fails_at = fails_at
        self.states: list[View] = []

    def decide(self, kind: str, view: Any, number: int) -> object:
        self.states.append(view)
        if self.fails_at is not None and len(self.states) > self.fails_at:
            raise BotFault(FaultKind.CRASHED, "out of luck")
        return answer_at_random(view, kind, self.rng)


def answer_at_random(view: View, kind: str, rng: Random) -> object:
    if kind == "bids":
        tokens = rng.sample(view.legal_tokens, view.bids_required)
        return list(zip(map(int, tokens), rng.sample(view.hand, view.bids_required), strict=True))
    if kind == "exchange":
        return ((0, 0, 0), (0, 0, 0))
    if kind == "dump":
        return int(rng.choice(view.dump_colours))
    if kind == "stake":
        return rng.choice([None, *(colour for colour in range(3) if view.spare[colour])])
    if kind == "take":
        return int(rng.choice(view.take_colours))
    if kind == "keep":
        return rng.choice(view.pair)
    return None


def test_g34_a_replay_records_the_chosen_cast_and_plays_again() -> None:
    options = {"characters": "chosen", "cast": ["timmy", "roberts", "nancy"]}
    played = play(GAME, [RandomPlayer(seat) for seat in range(3)], bytes(32), options=options)
    again = load(played.replay.to_json())
    assert again.options == options
    assert verify(again) == played.outcome


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_g38_a_seat_that_fails_is_played_by_default_and_the_replay_names_it(seats: int) -> None:
    for at in (0, 1, 5, 9):
        players = [RandomPlayer(seat, fails_at=at if seat == 1 else None) for seat in range(seats)]
        played = play(GAME, players, Random(at).randbytes(32))
        assert [fault.seat for fault in played.faults] == [1]
        assert len(players[1].states) == at + 1
        assert played.outcome.places[1] == seats
        assert verify(played.replay) == played.outcome
        if seats == 2:
            assert played.outcome.reason is EndReason.LAST_FAULTLESS


def test_g38_seats_that_fail_before_the_game_are_never_asked() -> None:
    players = [RandomPlayer(seat) for seat in range(4)]
    failed = {2: BotFault(FaultKind.IMPORT_ERROR, "no such module")}
    played = play(GAME, players, bytes(32), failed=failed)
    assert players[2].states == []
    assert played.outcome.places[2] == 4
    assert verify(played.replay) == played.outcome
    assert players[0].states[0].players[2].defaulting


def test_a_changed_die_shows_in_the_events() -> None:
    class Tampered(Remembering):
        def faces(self, round: int, seat: int, roll: int, count: int) -> Faces:
            first, *rest = super().faces(round, seat, roll, count)
            return bytes(((first + 2) % 6, *rest))

    options, chance = GAME.options({}), SeededChance(bytes(32))
    assert GAME.start(3, options, chance)[1] != GAME.start(3, options, Tampered(chance))[1]
