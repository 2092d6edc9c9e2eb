"""On which cores the tables of a command are played."""

import os
from typing import Any

import pytest

from gangland_ladder.local.processes import Tables
from gangland_sandbox.jail import Mode


def test_a_few_tables_take_any_cores_and_no_two_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {2, 5, 7})

    assert {Tables(workers=1).cores[0] for _ in range(64)} == {2, 5, 7}
    assert all(len(set(Tables(workers=2).cores)) == 2 for _ in range(64))
    assert sorted(Tables().cores) == [2, 5, 7]
    assert sorted(Tables(workers=6).cores) == [2, 2, 5, 5, 7, 7]


def cores_of_this_process(_: Any) -> set[int]:
    return os.sched_getaffinity(0)


def test_a_table_stays_on_its_core() -> None:
    with Tables(mode=Mode.TRUSTED, workers=1) as tables:
        assert list(tables.run(cores_of_this_process, [()])) == [set(tables.cores)]
