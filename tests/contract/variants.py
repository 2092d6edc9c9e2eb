"""The same game once more: in other seats, or with other things hidden."""

from random import Random
from typing import Any

from tests.contract.adapter import NOTHING, Adapter
from tests.contract.run import Run, a_choice

from gangland.game import Decision


def turned(adapter: Adapter, run: Run, by: int) -> Run:
    table, chance = adapter.turned(run, by)
    again = Run(table, chance)
    for decisions in run.decisions:
        again.resolve({(seat + by) % table.seats: decision for seat, decision in decisions.items()})
    return again


def shown_to_its_twin(adapter: Adapter, run: Run, ply: int, seat: int, rng: Random) -> Any:
    twin = hidden_otherwise(adapter, run, ply, seat, rng)
    return twin.game.observe(twin.state, seat)


def hidden_otherwise(adapter: Adapter, run: Run, ply: int, seat: int, rng: Random) -> Run:
    """Play up to a question of the seat, which sees the same, with everything else hidden different."""
    again = Run(run.table, adapter.otherwise_hidden(run, ply, seat, rng))
    script = adapter.script(run, ply)
    covered = _covered(run, ply, seat)
    for key in covered:
        script.pop(key, None)
    to_come = sum(seat in decisions for decisions in run.decisions[:ply])
    while True:
        requested = {question.seat for question in again.pending}
        if seat in requested and not to_come:
            return again
        to_come -= seat in requested
        decisions: dict[int, Decision] = {}
        for question in again.pending:
            decision = adapter.from_script(again, question, script)
            if decision is NOTHING:
                in_cover = any(key[:2] == (again.game.round(again.state), question.seat) for key in covered)
                assert in_cover, f"{question} is asked with other things hidden alone"
                decision = a_choice(again.game.choices(again.state, question.seat), rng, False)
            decisions[question.seat] = decision
        again.resolve(decisions)


def _covered(run: Run, ply: int, seat: int) -> set[tuple[int, int, str]]:
    """Return other seats' answers in a half-answered stage, which nobody has seen yet (G16)."""
    began = ply
    while run.game.half_answered(run.states[began]):
        began -= 1
    return {
        (run.game.round(state), question.seat, question.kind)
        for state in run.states[began:ply]
        for question in run.game.pending(state)
        if question.seat != seat
    }
