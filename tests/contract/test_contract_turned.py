"""A game played in other seats, together with its chance, is the same game."""

from random import Random

from hypothesis import strategies as st
from tests.contract.games import adapter_of, any_game, any_table
from tests.contract.run import played
from tests.contract.variants import turned


@any_game(40)
def test_rotating_the_seats_together_with_their_chance_rotates_the_game(
    name: str, data: st.DataObject, number: int
) -> None:
    """Every question, every view and all places are the same from where a seat sits now.

    What rotates with the seats: dice, first hands, characters, who begins.  In Gangster Dice seats
    draw in seat order, which does not rotate (G40); so the deck is put in the order in which every
    seat draws the favors that it drew before.  Then nothing else differs, but for the order of
    events among seats and, where a seat is asked in the middle of the drawing which favor to keep,
    how far the others have drawn: of that view the own favors and dice are compared.
    """
    adapter = adapter_of(name)
    run = played(data.draw(any_table(name)), number)
    seats, rng = len(run.seats), Random(number)
    for by in range(1, seats):
        again = turned(adapter, run, by)
        for ply, (state, moved) in enumerate(zip(run.states, again.states, strict=True)):
            requested = sorted(((question.seat + by) % seats, question.kind) for question in run.game.pending(state))
            assert [(question.seat, question.kind) for question in run.game.pending(moved)] == requested
            assert run.game.round(moved) == run.game.round(state)
            assert run.game.half_answered(moved) == run.game.half_answered(state)
            for seat in run.decisions[ply] if ply < len(run.decisions) and rng.random() < 0.3 else ():
                there, failed = (seat + by) % seats, rng.randrange(seats)
                shown = adapter.relative(run.game.observe(state, seat, frozenset({failed})))
                moved_view = run.game.observe(moved, there, frozenset({(failed + by) % seats}))
                assert adapter.relative(moved_view) == shown
                assert run.game.default(moved, there) == run.game.default(state, seat)
                assert run.game.legal(moved, there) == run.game.legal(state, seat)
                assert len(run.game.choices(moved, there)) == len(run.game.choices(state, seat))
        for defaulting in (frozenset[int](), frozenset([rng.randrange(seats)])):
            turned_too = frozenset((seat + by) % seats for seat in defaulting)
            outcome, other = run.outcome(defaulting), again.outcome(turned_too)
            assert outcome is not None
            assert other is not None
            assert other.places == outcome.places[-by:] + outcome.places[:-by]
            assert other.reason == outcome.reason
            assert set(other.winners) == {(seat + by) % seats for seat in outcome.winners}
