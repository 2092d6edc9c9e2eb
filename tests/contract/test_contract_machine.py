"""A stateful machine of hypothesis plays every registered game."""

from hypothesis.stateful import run_state_machine_as_test
from tests.contract.games import games
from tests.contract.machine import GameMachine
from tests.contract.profile import examples


@games
def test_answers_refusals_and_faults_in_any_order_lead_to_an_end_that_the_match_loop_proves(name: str) -> None:
    machine = type("Machine", (GameMachine,), {"name": name})
    run_state_machine_as_test(machine, settings=examples(25, steps=25))
