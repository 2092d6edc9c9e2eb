"""Tables of persons while what plays, serves and carries them is killed."""

from pathlib import Path

import pytest
from tests.chaos.tables import FICKLE, KINDS, Played, lines, make_plans, run

KILLS = 5


@pytest.mark.long("a campaign of minutes")
@pytest.mark.flow
@pytest.mark.slow
def test_every_table_goes_on_to_its_end_as_if_nobody_had_killed_anything(tmp_path: Path) -> None:
    played = run(tmp_path, seed=1, kills=KILLS)
    assert [problem for each in played for problem in each.problems] == []
    assert {(each.game, each.seats) for each in played[:2]} == {("gangster-dice", 2), ("gang-of-dice", 4)}
    assert sum(sum(each.kills.values()) for each in played) == KILLS
    assert [bool(each.differing) for each in played[:2]] == [False, True]
    assert lines(played)[-1] == "Each game is that of a table that nobody killed."


def test_a_plan_kills_everything_at_every_size_of_table_and_is_the_same_for_a_seed() -> None:
    plans = make_plans(3, 20)
    assert plans == make_plans(3, 20) != make_plans(4, 20)
    assert {(plan.game, len(plan.bots) + 1) for plan in plans} == {
        (game, seats) for game in ("gangster-dice", "gang-of-dice") for seats in (2, 3, 4)
    }
    kills = [kill for plan in plans for kill in plan.kills]
    assert len(kills) == 20
    assert {kill.kind for kill in kills} == set(KINDS)
    assert plans[-1].bots[-1] == FICKLE
    assert plans[-1].kills[0].kind == "worker"


def test_a_table_with_a_problem_is_reported() -> None:
    report = lines([Played("gang-of-dice", 2, 3, {"web": 1}, (), 0, 1.0, ["the table ended: idle"])])
    assert report[-1] == "gang-of-dice at 2: the table ended: idle"
