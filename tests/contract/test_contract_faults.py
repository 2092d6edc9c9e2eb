"""Seats at fault are played by default, and the game comes to an end without them (G38, D31)."""

from itertools import combinations
from random import Random

from hypothesis import strategies as st
from tests.contract import checks, games
from tests.contract.run import AtRandom, Run, played, seed_of

from gangland import chance, game


def subsets(seats: range) -> list[frozenset[int]]:
    return [frozenset(some) for count in range(len(seats) + 1) for some in combinations(seats, count)]


@games.any_game(12, after=st.integers(0, 60))
def test_g38_d31_whoever_fails_whenever_the_game_ends(name: str, data: st.DataObject, number: int, after: int) -> None:
    adapter = games.adapter_of(name)
    table = data.draw(games.any_table(name))
    for defaulting in subsets(range(table.seats)):
        run = Run(table, chance.SeededChance(seed_of(number)))
        decide = AtRandom(run, number)
        while run.outcome() is None and len(run.decisions) < after:
            run.step(decide)
        while run.outcome(defaulting) is None:
            run.step(decide, defaulting)
            adapter.check_conserved(run)
        outcome = run.outcome(defaulting)
        assert outcome is not None
        checks.check_outcome(outcome, table.seats, defaulting)
        if table.seats - len(defaulting) < 2 and run.pending:
            assert outcome.reason in game.IMMEDIATE_ENDS


@games.any_game(15)
def test_g38_a_stage_that_is_half_answered_ends_no_game(name: str, data: st.DataObject, number: int) -> None:
    run = played(data.draw(games.any_table(name)), number)
    for state in run.states:
        if run.game.half_answered(state):
            assert run.game.pending(state)
            assert [run.game.outcome(state, defaulting) for defaulting in subsets(run.seats)] == [None] * 2 ** len(
                run.seats
            )


@games.any_game(10)
def test_g38_d31_one_faultless_seat_wins_and_with_none_nobody_does(name: str, data: st.DataObject, number: int) -> None:
    run = played(data.draw(games.any_table(name)), number)
    everybody = frozenset(run.seats)
    state = Random(number).choice(run.states)
    if run.game.half_answered(state):
        return
    nobody = run.game.outcome(state, everybody)
    assert nobody is not None
    assert (nobody.places, nobody.winners) == ((1,) * len(run.seats), ())
    for seat in run.seats:
        alone = run.game.outcome(state, everybody - {seat})
        if alone is not None:
            assert alone.winners == (seat,)
        else:
            assert name == "gang-of-dice", "an eliminated seat goes on waiting for the end of the others (D31)"


@games.any_game(10)
def test_a_view_names_the_seats_at_fault_and_hides_no_more_for_it(name: str, data: st.DataObject, number: int) -> None:
    run = played(data.draw(games.any_table(name)), number)
    for state in (run.states[0], run.state):
        for seat in run.seats:
            views = {run.game.observe(state, seat, defaulting).wire for defaulting in subsets(run.seats)}
            assert len(views) == 2 ** len(run.seats)
            assert {len(wire) for wire in views} == {len(run.game.observe(state, seat).wire)}
