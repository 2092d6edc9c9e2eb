"""Whatever dies, is wiped, locked or delivered twice: every match counts once, and as if nothing had happened."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.chaos.__main__ import WORKERS
from tests.chaos.attack import make_plan
from tests.chaos.runs import LONG_ATTACK, SHORT, SHORT_ATTACK, Run, attacked, problems, undisturbed


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The schedule as one match worker plays it in peace."""
    return undisturbed(tmp_path_factory.mktemp("calm"), SHORT)


@pytest.mark.flow
@pytest.mark.slow
@pytest.mark.parametrize("database", WORKERS)
def test_an_attacked_platform_records_every_match_once_and_as_in_peace(
    tmp_path: Path, calm: Run, database: str
) -> None:
    """With one, two and four match workers, on both databases."""
    run = attacked(tmp_path, SHORT, database, seed=1, workers=WORKERS[database], plan=SHORT_ATTACK, long=False)
    assert calm.told.committed == calm.told.scheduled > 0
    assert problems(run, calm.told) == []
    assert run.turned_away["stale"] > 0


def test_a_plan_is_the_same_for_a_seed_and_holds_what_was_asked_for() -> None:
    plan = make_plan(3, LONG_ATTACK)
    assert plan == make_plan(3, LONG_ATTACK) != make_plan(4, LONG_ATTACK)
    assert sorted((step.kind, step.seconds) for step in plan) == sorted(
        (kind, seconds) for kind, each in LONG_ATTACK.items() for seconds in each
    )
    assert [step.share for step in plan] == sorted(step.share for step in plan)
