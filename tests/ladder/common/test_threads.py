"""How many threads numpy calculates on."""

import os

import pytest

from gangland_ladder.common.runtime import calculate_on_one_thread


def test_numpy_calculates_on_one_thread_unless_the_environment_says_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "3")

    calculate_on_one_thread()

    assert (os.environ["OMP_NUM_THREADS"], os.environ["OPENBLAS_NUM_THREADS"]) == ("1", "3")
