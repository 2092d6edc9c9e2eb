"""What holds in every game, by random play: conservation, legality, replays."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contract.run import Remembering
from tests.engine.gangster_dice.table import dice_in_play, favors_in_play, random_game, states

from gangland.chance import Faces, SeededChance
from gangland.faults import BotFault, FaultKind, IllegalDecision
from gangland.game import EndReason
from gangland.gangster_dice import legality
from gangland.gangster_dice.rules import GAME
from gangland.gangster_dice.state import State
from gangland.gangster_dice.views import View
from gangland.match import play
from gangland.replay import ReplayError, load, verify

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
def test_random_games_end_and_lose_no_die_and_no_favor(seats: int, options: dict[str, Any]) -> None:
    for seed in range(10):
        for state, _ in random_game(seats, seed, **options):
            assert dice_in_play(state) == 6 * seats + 3
            assert min(min(dice) for dice in (*state.stashes, *state.dice, *state.locked)) >= 0
            assert favors_in_play(state) <= 42
            if options.get("spent_favor") != "out":
                assert favors_in_play(state) == 42
        outcome = GAME.outcome(state)
        assert outcome is not None
        assert outcome.reason in (EndReason.COMPLETED, EndReason.ROUND_LIMIT)
        assert min(outcome.places) == 1
        assert GAME.pending(state) == ()
        assert state.opening.round <= state.setting.options.round_limit


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


@given(
    answer=st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
        max_leaves=12,
    ),
    seed=st.integers(0, 20),
)
def test_any_answer_is_either_a_choice_or_refused_with_what_is_legal(answer: Any, seed: int) -> None:
    for state, _ in random_game(2, seed):
        for question in GAME.pending(state):
            refusal = ""
            try:
                decision = GAME.check(state, question.seat, answer)
            except IllegalDecision as refused:
                refusal = str(refused)
            else:
                assert decision in GAME.choices(state, question.seat)
            assert not refusal or GAME.legal(state, question.seat) in refusal


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


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_a_replay_plays_again_to_the_same_end(seats: int, options: dict[str, Any]) -> None:
    for number in range(3):
        seed = Random(number).randbytes(32)
        played = play(GAME, [RandomPlayer(seat) for seat in range(seats)], seed, options=options)
        assert played.faults == ()
        again = load(played.replay.to_json())
        assert again.to_dict() == played.replay.to_dict()
        assert verify(again) == played.outcome
        with pytest.raises(ReplayError):
            verify(replace(again, seed=bytes(32).hex()))


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


class TurnedChance:
    """The dice of another seating; all cards of the deck alike, since the deck is dealt in seat order."""

    def __init__(self, seed: bytes, turn: int, seats: int) -> None:
        self.dice, self.turn, self.seats = SeededChance(seed), turn, seats

    def faces(self, round: int, seat: int, roll: int, count: int) -> bytes:
        return self.dice.faces(round, (seat - self.turn) % self.seats, roll, count)

    def shuffle(self, what: str, number: int, cards: Sequence[int]) -> tuple[int, ...]:
        return (1,) * len(cards)

    def below(self, what: str, bound: int) -> int:
        raise AssertionError


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_rotating_the_seats_together_with_their_dice_rotates_the_game(seats: int, options: dict[str, Any]) -> None:
    def game(seed: bytes, turn: int) -> list[tuple[Any, ...]]:
        chance = TurnedChance(seed, turn, seats)
        state, _ = GAME.start(seats, GAME.options(options), chance)
        order = [(own + turn) % seats for own in range(seats)]
        found = []
        while GAME.outcome(state) is None:
            decisions = {}
            for question in GAME.pending(state):
                own = (question.seat - turn) % seats
                rng = Random(f"{state.opening.round} {own} {question.kind}")
                decisions[question.seat] = rng.choice(GAME.choices(state, question.seat))
            state, _ = GAME.resolve(state, decisions, chance)
            holders = [None if seat is None else (seat - turn) % seats for seat in state.control]
            held = [(state.stashes[seat], state.hands[seat]) for seat in order]
            found.append((state.opening.round, held, holders, state.dice))
        outcome = GAME.outcome(state)
        assert outcome is not None
        return [*found, tuple(outcome.places[seat] for seat in order)]

    for number in range(4):
        seed = Random(number).randbytes(32)
        games = [game(seed, turn) for turn in range(seats)]
        assert all(other == games[0] for other in games)


def test_a_changed_die_shows_in_the_events() -> None:
    class Tampered(Remembering):
        def faces(self, round: int, seat: int, roll: int, count: int) -> Faces:
            first, *rest = super().faces(round, seat, roll, count)
            return bytes(((first + 2) % 6, *rest))

    options, chance = GAME.options({}), SeededChance(bytes(32))
    assert GAME.start(3, options, chance)[1] != GAME.start(3, options, Tampered(chance))[1]


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_a_rollout_asks_the_same_questions_and_ends_as_play_step_by_step(seats: int, options: dict[str, Any]) -> None:
    for number in range(3):
        seed = Random(number).randbytes(32)
        stepped = Watched(number)
        chance = SeededChance(seed)
        state, _ = GAME.start(seats, GAME.options(options), chance)
        first, decided = state, 0
        while questions := GAME.pending(state):
            decisions = {}
            for question in questions:
                choices = GAME.choices(state, question.seat)
                decisions[question.seat] = choices[stepped(GAME.observe(state, question.seat), len(choices))]
            decided += len(decisions)
            state, _ = GAME.resolve(state, decisions, chance)
        rolled_out = Watched(number)

        last, count = GAME.rollout(first, [rolled_out] * seats, SeededChance(seed))

        assert (last, count) == (state, decided)
        assert rolled_out.wires == stepped.wires
        assert GAME.rollout(last, [rolled_out] * seats, chance) == (last, 0)


class Watched:
    """Chooses at random, and keeps what it was shown only in the end: views may be kept."""

    def __init__(self, number: int) -> None:
        self.rng = Random(number)
        self.views: list[tuple[Any, int]] = []

    def __call__(self, view: Any, choices: int) -> int:
        self.views.append((view, choices))
        return self.rng.randrange(choices)

    @property
    def wires(self) -> list[tuple[Any, int]]:
        return [(view.wire, choices) for view, choices in self.views]
