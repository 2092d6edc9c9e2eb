"""What holds in every game of every registered kind, whatever is decided."""

import pickle
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import strategies as st
from tests.contract.checks import check_outcome, everything_shown
from tests.contract.games import adapter_of, any_game, any_table, games
from tests.contract.run import begun, played, seed_of

from gangland.chance import SeededChance
from gangland.game import ROUND_BEGAN, Decision, Policy
from gangland.games import game_named
from gangland.match import play
from gangland.view import View

NO_OPTION: list[Any] = [None, True, "", "no such value", -1, 10**6, 1.5, [], ["w24"], {}]

REMADE: tuple[Callable[[Any], Any], ...] = (lambda each: pickle.loads(pickle.dumps(each)), deepcopy)


@any_game(30)
def test_no_die_and_no_card_is_lost_or_comes_from_nowhere(name: str, data: st.DataObject, number: int) -> None:
    adapter = adapter_of(name)
    run, decide = begun(data.draw(any_table(name)), number)
    adapter.check_conserved(run)
    while run.outcome() is None:
        run.step(decide)
        adapter.check_conserved(run)


@any_game(15)
def test_a_rollout_plays_the_game_that_its_decisions_give(name: str, data: st.DataObject, number: int) -> None:
    table, game = data.draw(any_table(name)), game_named(name)
    options = game.options(table.options)
    asked: list[list[tuple[View, int]]] = [[] for _ in range(table.seats)]

    def policy(seat: int) -> Policy:
        rng = Random(f"{number} {seat}")

        def pick(view: View, choices: int) -> int:
            asked[seat].append((view, choices))
            return rng.randrange(choices)

        return pick

    seed = seed_of(number)
    chance = SeededChance(seed)
    first, _ = game.start(table.seats, options, chance)
    last, decisions = game.rollout(first, [policy(seat) for seat in range(table.seats)], chance)
    assert decisions == sum(map(len, asked))

    state, chance = first, SeededChance(seed)
    assert game.start(table.seats, options, chance)[0] == first
    rngs = [Random(f"{number} {seat}") for seat in range(table.seats)]
    while questions := game.pending(state):
        decided: dict[int, Decision] = {}
        for seat in [question.seat for question in questions]:
            choices = game.choices(state, seat)
            assert asked[seat].pop(0) == (game.observe(state, seat), len(choices))
            decided[seat] = choices[rngs[seat].randrange(len(choices))]
        state, _ = game.resolve(state, decided, chance)
    assert last == state
    assert game.outcome(last) is not None
    assert asked == [[] for _ in range(table.seats)]
    assert game.rollout(last, [policy(0)] * table.seats, chance) == (last, 0)


class Picked:
    """A number of a library: it counts as one, and adds in its own way."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __index__(self) -> int:
        return self.number

    def __add__(self, other: object) -> bool:
        return True


@any_game(10)
def test_a_policy_answers_with_any_number_and_no_other_choice(name: str, data: st.DataObject, number: int) -> None:
    table, game = data.draw(any_table(name)), game_named(name)
    chance = SeededChance(seed_of(number))
    first, _ = game.start(table.seats, game.options(table.options), chance)

    def last(kind: type[int] | type[Picked]) -> Any:
        rng = Random(number)
        return game.rollout(first, [lambda _view, choices: kind(rng.randrange(choices))] * table.seats, chance)

    assert last(Picked) == last(int)
    for wrong in (lambda choices: choices, lambda _choices: -1):
        with pytest.raises(IndexError, match="choices are numbered from 0"):
            game.rollout(first, [lambda _view, choices: wrong(choices)] * table.seats, chance)  # noqa: B023


@any_game(40)
def test_g33_g37_every_game_ends_in_time_with_places_that_add_up(name: str, data: st.DataObject, number: int) -> None:
    table = data.draw(any_table(name))
    run = played(table, number)
    begun_rounds = [event[1] for event in run.told if event[0] == ROUND_BEGAN]
    assert begun_rounds == list(range(1, run.game.round(run.state) + 1))
    assert len(begun_rounds) <= adapter_of(name).last_round(table)
    for state in run.states[:-1]:
        assert run.game.pending(state)
        assert run.game.outcome(state) is None
    assert run.pending == ()
    assert not run.game.half_answered(run.state)
    outcome = run.outcome()
    assert outcome is not None
    check_outcome(outcome, table.seats, frozenset())


@any_game(15)
def test_to_resolve_changes_no_state_and_gives_the_same_again(name: str, data: st.DataObject, number: int) -> None:
    run = played(data.draw(any_table(name)), number)
    before = [everything_shown(run.game, state, run.seats) for state in run.states]
    for ply in range(len(run.decisions)):
        state, events = run.game.resolve(run.states[ply], run.decisions[ply], run.chance)
        assert events == run.happened[ply + 1]
        assert state == run.states[ply + 1]
        assert hash(state) == hash(run.states[ply + 1])
    assert [everything_shown(run.game, state, run.seats) for state in run.states] == before


@any_game(15)
def test_decisions_of_seats_that_are_not_asked_are_refused(name: str, data: st.DataObject, number: int) -> None:
    run = played(data.draw(any_table(name)), number)
    rng = Random(number)
    for ply in rng.sample(range(len(run.decisions)), min(8, len(run.decisions))):
        state, right = run.states[ply], run.decisions[ply]
        some = next(iter(right.values()))
        idle = [seat for seat in (-1, *run.seats, len(run.seats)) if seat not in right]
        wrong: list[dict[int, Decision]] = [
            {},
            *({seat: one for seat, one in right.items() if seat != left_out} for left_out in right),
        ]
        wrong += [right | {seat: some} for seat in idle]
        for decisions in wrong:
            with pytest.raises(ValueError, match=r"\d"):
                run.game.resolve(state, decisions, run.chance)
        for seat in idle:
            for ask in (run.game.choices, run.game.default, run.game.legal):
                with pytest.raises(ValueError, match=str(seat)):
                    ask(state, seat)
            with pytest.raises(ValueError, match=str(seat)):
                run.game.check(state, seat, some)
    with pytest.raises(ValueError):
        run.game.resolve(run.state, {0: None}, run.chance)


@games
def test_a_table_that_the_game_does_not_have_is_a_value_error(name: str) -> None:
    game = game_named(name)
    chance = SeededChance(seed_of(0))
    for seats in {-1, 0, 1, 5, 100} - set(game.table_sizes):
        with pytest.raises(ValueError, match=str(seats)):
            game.start(seats, game.options({}), chance)


@games
def test_an_option_is_one_of_those_listed_and_is_recorded_only_if_it_is_not_the_default(name: str) -> None:
    adapter = adapter_of(name)
    game = adapter.game
    assert game.options_dict(game.options({})) == {}
    for option, values in adapter.option_values.items():
        assert game.options({option: values[0]}) == game.options({})
        for value in values[1:]:
            assert game.options_dict(game.options({option: value})) == {option: value}
        for value in NO_OPTION:
            with pytest.raises(ValueError, match=option):
                game.options({option: value})
    with pytest.raises(ValueError, match=next(iter(adapter.option_values))):
        game.options({"no such option": 1})
    for seats in game.table_sizes:
        for cast in adapter.casts(seats):
            assert game.options_dict(game.options(cast)) == cast


@any_game(10)
def test_a_state_and_a_replay_outlive_being_written_and_copied(name: str, data: st.DataObject, number: int) -> None:
    table, game = data.draw(any_table(name)), game_named(name)
    chance = SeededChance(seed_of(number))
    state, _ = game.start(table.seats, game.options(table.options), chance)
    rng = Random(number)
    for remade in REMADE:
        for _ in range(rng.randrange(20)):
            if questions := game.pending(state):
                answers = {each.seat: rng.choice(game.choices(state, each.seat)) for each in questions}
                state, _ = game.resolve(state, answers, chance)
        again = remade(state)
        assert again == state
        for seat in range(table.seats):
            assert remade(game.observe(again, seat)) == game.observe(state, seat)
        state = again
    played_game = play(game, [Defaulting()] * table.seats, seed_of(number), options=table.options)
    assert pickle.loads(pickle.dumps(played_game)) == deepcopy(played_game) == played_game


class Defaulting:
    def decide(self, kind: str, view: View, number: int) -> object:
        return "nothing that is legal"
