"""What a seat sees, and what it does not (rulings G5 and G42)."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.engine.gangster_dice.table import ChosenChance, Table, random_game, states
from tests.engine.gangster_dice.tokens import SPEAKEASY

from gangland.gangster_dice import rules, snapshot, views
from gangland.gangster_dice.events import HIDDEN_KINDS, Round, typed
from gangland.gangster_dice.rounds import shown_faces
from gangland.gangster_dice.state import Table as WorkingCopy


@pytest.mark.parametrize("options", [{}, {"characters": "dealt"}])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_g42_a_view_has_events_since_the_last_decision_and_the_last_round(seats: int, options: dict[str, Any]) -> None:
    for seed in range(6):
        rounds: dict[int, list[Any]] = {1: []}
        last_requested = [1] * seats
        for state, events in random_game(seats, seed, **options):
            number = 1
            for event in events:
                number = event[1] if event[0] == "round" else max(rounds)
                if event[0] not in HIDDEN_KINDS:
                    rounds.setdefault(number, []).append(typed(event))
            for question in state.questions:
                seat = question.seat
                first = max(1, min(last_requested[seat], state.opening.round - 1))
                result = [each for number in range(first, state.opening.round + 1) for each in rounds[number]]
                assert list(rules.GAME.observe(state, seat).events) == result
            for question in state.questions:
                last_requested[question.seat] = state.opening.round


def test_g5_of_cards_that_are_drawn_a_seat_knows_its_own_as_its_hand_has_them() -> None:
    kinds = set()
    for seed in range(6):
        for _, events in random_game(3, seed, characters="chosen", cast=["timmy", "don", "liza"]):
            for event in events:
                kinds.add(event[0])
                for seat in range(3):
                    own = event[0] in HIDDEN_KINDS and event[1] == seat
                    hidden = (event[0], seat, tuple(sorted(event[2]))) if own else None
                    assert rules.GAME.known(event, seat) == (hidden if event[0] in HIDDEN_KINDS else event)
    assert kinds > HIDDEN_KINDS


def test_g42_a_seat_that_is_not_asked_for_rounds_is_told_all_of_them_and_the_others_the_last() -> None:
    table = Table(3, hands=[(1, 1, 1), (0, 1, 2), (0, 1, 2)], deck=[1, 0, 0, 1, 2, 2, 1, 1, 1])
    for number, favor in ((1, 2), (2, 1), (3, 2), (4, None)):
        assert table.asked == [(1, "bids"), (2, "bids")]
        assert rounds_result(table, 0) == list(range(1, number + 1))
        assert rounds_result(table, 1) == list(range(max(1, number - 1), number + 1))
        if favor is not None:
            table.bid("", f"F{favor}", f"F{favor}")


def rounds_result(table: Table, seat: int) -> list[int]:
    return [event.number for event in table.view(seat).events if isinstance(event, Round)]


def test_a_state_keeps_no_more_rounds_than_some_seat_has_to_be_told() -> None:
    for seats in (2, 3):
        for state, _ in random_game(seats, seed=1):
            if state.questions and state.questions[0].kind == "bids":
                assert len(state.public.history) <= max(1, state.opening.round - min(state.last_asked))


def test_g42_bids_and_winners_are_empty_until_the_reveal_of_each_round() -> None:
    table = Table(3, rolls=["GG/UU/CC"] * 3)
    for _ in range(2):
        assert table.view(1).bids == ()
        assert [token.winner for token in table.view(1).tokens] == [None] * 4
        table.roll(*["GG/UU/CC"] * 3)
        table.bid("C1", "G1", "U1")


def test_g42_own_answers_are_those_of_this_round_alone() -> None:
    table = Table(3, rolls=["GG/UU/CC"] * 3, control={SPEAKEASY: 0}).bid("C2", "G0", "U0")
    table.answer({0: ((1, 0, 0), (0, 1, 0))})
    assert table.state.opening.round == 2
    assert table.view(0).exchanged is None
    assert table.view(0).locked == (0, 0, 0)


def test_g42_a_view_tells_all_that_is_public() -> None:
    state = next(state for state in states(3) if state.questions[0].kind == "take")
    seat = state.questions[0].seat
    view = rules.GAME.observe(state, seat, frozenset({(seat + 1) % 3}))
    assert isinstance(view, views.View)
    assert (view.seat, view.seats, view.round, view.round_limit) == (seat, 3, state.opening.round, 100)
    assert [player.dice for player in view.players] == list(state.stashes)
    assert [player.symbols for player in view.players] == list(state.opening.symbols)
    assert [player.hand_size for player in view.players] == [3, 3, 3]
    assert [player.hand_limit for player in view.players] == [3, 3, 3]
    assert [player.defaulting for player in view.opponents] == [True, False]
    assert [player.character for player in view.players] == [None, None, None]
    assert view.me.faces == shown_faces(state.opening.faces)[seat]
    assert [token.dice for token in view.tokens] == list(state.dice)
    assert [token.holder for token in view.tokens] == list(state.control)
    assert [token.holder_before for token in view.tokens] == list(state.opening.control)
    assert [token.winner for token in view.tokens] == list(state.public.winners)
    assert (view.deck, view.discards, view.specials) == (len(state.deck), state.public.discards, state.public.specials)
    assert view.hand == state.hands[seat] == tuple(sorted(view.hand))
    assert view.locked == state.locked[seat]
    assert [[tuple(vars_of(bid)) for bid in bids] for bids in view.bids] == [list(bids) for bids in state.public.bids]
    assert view.options == state.setting.options


def vars_of(bid: Any) -> Iterator[int]:
    return (getattr(bid, name) for name in bid.__slots__)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_table_that_nothing_is_done_to_freezes_to_the_state_that_it_came_from(seats: int) -> None:
    for state, _ in random_game(seats, seed=3, characters="dealt"):
        table = WorkingCopy(state, {}, ChosenChance())
        table.questions = table.asked
        assert snapshot.freeze(table) == state


def test_the_strength_of_a_bid_is_told_for_any_seat_as_it_is_scored() -> None:
    for seed in range(12):
        for state, _ in random_game(2 + seed % 3, seed, characters="dealt" if seed % 2 else "none"):
            for question in state.questions:
                view = rules.GAME.observe(state, question.seat)
                for seat, bids in enumerate(view.bids):
                    assert all(view.strength(bid.token, seat) + bid.favor == bid.score for bid in bids)
                assert [view.strength(token) for token in range(4)] == [
                    view.strength(token, view.seat) for token in range(4)
                ]
