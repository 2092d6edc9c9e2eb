"""A table that is kept up event by event is the table of the rules, and shows a round's end before the next begins."""

import pytest
from tests.golden.store import stored

from gangland.games import game_named
from gangland.replay import expand
from gangland_ladder.viewer.presentation import presentation_of

GAMES = ("gang-of-dice", "gangster-dice")


@pytest.mark.parametrize("game", GAMES)
def test_the_table_after_every_ply_is_the_one_of_the_rules(game: str) -> None:
    checked = 0
    for replay in stored(game)[::4]:
        rules, shown = game_named(game), presentation_of(game)
        running = shown.table(replay)
        for step in expand(replay):
            if not step.answers:
                running.begin(step)
            for answer in step.answers:
                running.decide(answer, "")
            running.carry_out(half=False)
            running.settle(step)
            for event in step.events:
                running.lay(event)
            at_fault = step.defaulting | {answer.seat for answer in step.answers if answer.by_default}
            if rules.outcome(step.after, at_fault) is None:
                assert running.shown() == shown.table_scene(step.after, replay.seats, at_fault)
                checked += 1
    assert checked > 250
