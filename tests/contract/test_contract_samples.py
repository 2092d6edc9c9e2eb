"""Positions drawn from a view: they show the seat just what it sees, and nothing hidden has a say in them."""

import marshal
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import pytest
from hypothesis import strategies as st
from tests.contract.games import adapter_of, any_game, any_table, games
from tests.contract.run import played, seed_of
from tests.contract.variants import shown_to_its_twin

from gangland.chance import RandomChance, SeededChance
from gangland.game import Game

FEW = 50


@any_game(40)
def test_a_sample_shows_and_asks_its_seat_the_same_and_plays_on(name: str, data: st.DataObject, number: int) -> None:
    run = played(data.draw(any_table(name)), number)
    game, rng = run.game, Random(number)
    asking = [(state, question) for state in run.states for question in game.pending(state)]
    rare = [each for each in asking if each[1].kind not in ("bids", "dice")]
    for state, question in [*rng.sample(asking, min(6, len(asking))), *rng.sample(rare, min(6, len(rare)))]:
        shown: Any = game.observe(state, question.seat)
        choices = game.choices(state, question.seat)
        sample = shown.sample(Random(number))
        assert game.observe(sample, question.seat).wire == shown.wire
        assert question in game.pending(sample)
        for found in (game.choices(sample, question.seat), shown.legal()):
            assert (len(found), *found[:FEW]) == (len(choices), *choices[:FEW])
        # In the jail a view is made of its wire and of the question.
        piped: Any = game.view_class(marshal.loads(marshal.dumps(shown.wire)), question=question.kind)
        assert piped.sample(Random(number)) == sample
        assert (len(piped.legal()), *piped.legal()[:FEW]) == (len(choices), *choices[:FEW])
        last, _ = game.rollout(sample, [lambda _, count: rng.randrange(count)] * shown.seats, RandomChance(rng))
        assert game.outcome(last) is not None


@any_game(30)
def test_states_that_differ_in_hidden_things_give_the_same_samples(name: str, data: st.DataObject, number: int) -> None:
    adapter = adapter_of(name)
    run = played(data.draw(any_table(name)), number)
    rng = Random(number)
    half = [ply for ply, state in enumerate(run.states) if run.game.half_answered(state)]
    for ply in {*rng.sample(range(len(run.decisions)), min(2, len(run.decisions))), *half[:2]}:
        seat = rng.choice(sorted(run.decisions[ply]))
        shown = run.game.observe(run.states[ply], seat)
        twin = shown_to_its_twin(adapter, run, ply, seat, rng)
        for seed in range(3):
            assert twin.sample(Random(seed)) == shown.sample(Random(seed))


@games
def test_samples_differ_where_anything_is_hidden(name: str) -> None:
    run = played(adapter_of(name).table(3, 0), 0)
    view = run.game.observe(run.states[0], run.game.pending(run.states[0])[0].seat)
    assert len({view.sample(Random(seed)) for seed in range(20)}) > 15


@games
def test_a_view_that_asks_nothing_has_no_answers_and_no_sample(name: str) -> None:
    run = played(adapter_of(name).table(2, 0), 0)
    for view in (run.game.observe(run.state, 0), run.game.view_class(run.game.observe(run.state, 0).wire)):
        assert view.question is None
        for read in (view.legal, lambda view=view: view.sample(Random(0))):
            with pytest.raises(ValueError, match="is not asked"):
                read()


@any_game(40)
def test_a_rollout_stops_at_the_first_question_after_its_round(name: str, data: st.DataObject, number: int) -> None:
    run = played(data.draw(any_table(name)), number)
    state = data.draw(st.sampled_from(run.states))
    last = run.game.round(state) + data.draw(st.integers(-1, 3))

    def rolled_out(rollout: Callable[..., tuple[Any, int]]) -> tuple[Any, int]:
        rng = Random(number)
        policies = [lambda _, count: rng.randrange(count)] * len(run.seats)
        return rollout(state, policies, SeededChance(seed_of(number)), last)

    after, decisions = rolled_out(run.game.rollout)

    assert (after, decisions) == rolled_out(partial(Game.rollout, run.game))
    assert run.game.outcome(after) is not None or run.game.round(after) > last
    for question in run.game.pending(after):
        assert len(run.game.choices(after, question.seat)) > 1, "what has one answer is not asked (G41)"
