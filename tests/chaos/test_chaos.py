"""Whatever dies, is wiped, locked or delivered twice: every match counts once, and as if nothing had happened."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.chaos import __main__, attack, outcome, report
from tests.chaos.runs import LONG_ATTACK, SHORT, SHORT_ATTACK, Run, attacked, problems, undisturbed


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return undisturbed(tmp_path_factory.mktemp("calm"), SHORT)


@pytest.mark.long("a campaign of minutes")
@pytest.mark.flow
@pytest.mark.slow
@pytest.mark.parametrize("database", __main__.WORKERS)
def test_an_attacked_platform_records_each_match_once_as_in_peace(tmp_path: Path, calm: Run, database: str) -> None:
    run = attacked(tmp_path, SHORT, database, seed=1, workers=__main__.WORKERS[database], plan=SHORT_ATTACK, long=False)
    assert calm.told.committed == calm.told.scheduled > 0
    assert not problems(run, calm.told), problems(run, calm.told)
    assert run.turned_away["stale"] > 0
    assert replace(run.told, played=calm.told.played) == calm.told
    assert run.done["wipe"] == len(SHORT_ATTACK["wipe"])
    assert report.lines(calm, [run])[-1] == "Everything counts once and as undisturbed."


def test_a_match_that_is_lost_counted_twice_or_other_than_in_peace_is_reported() -> None:
    peace = outcome.Told(10, 10, 10, 0, 0, 0, results="r", ratings="m", standings="s")
    calm = Run("sqlite", 1, 0, peace, 1.0)
    bad = {"committed": 9, "lost": 1}, {"doubled": 1}, {"results": "x"}, {"ratings": "x"}, {"standings": "x"}
    for changed in bad:
        run = Run("sqlite", 2, 1, replace(peace, **changed), 1.0)
        assert len(problems(run, peace)) == 1
        assert report.lines(calm, [run])[-1].startswith("sqlite, seed 1: ")
    assert problems(Run("sqlite", 2, 1, peace, 1.0, left=["wipe"]), peace)


def test_a_plan_is_the_same_for_a_seed_and_holds_what_was_asked_for() -> None:
    plan = attack.make_plan(3, LONG_ATTACK)
    assert plan == attack.make_plan(3, LONG_ATTACK) != attack.make_plan(4, LONG_ATTACK)
    assert sorted((step.kind, step.seconds) for step in plan) == sorted(
        (kind, seconds) for kind, each in LONG_ATTACK.items() for seconds in each
    )
    assert [step.share for step in plan] == sorted(step.share for step in plan)
