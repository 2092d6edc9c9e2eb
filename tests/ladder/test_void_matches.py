"""A match that cannot be played costs the others nothing."""

from collections.abc import Mapping
from typing import Any

import pytest

from gangland_ladder.cli import ladder
from gangland_ladder.cli.ladder import ATTEMPTS, Void, _play_and_judge
from gangland_ladder.cli.matches import local_order
from gangland_ladder.local_bots import LocalBot
from gangland_ladder.orders import Order, Result
from gangland_sandbox.pool import Pool

BOT = LocalBot("one", "one.py", b"")


def order() -> Order:
    return local_order("gang-of-dice", [BOT, BOT], [0, 1], seed=1, number=1, blocks=1)


def test_a_match_that_stays_void_is_given_up_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[int] = []

    def void(wanted: Order, codes: Mapping[str, bytes], **options: Any) -> Result:
        played.append(wanted.id)
        return Result(id=wanted.id, token=wanted.token, games=[], void="no jail")

    monkeypatch.setattr(ladder, "play_match", void)
    assert _play_and_judge(Pool(), order(), {}, False) == Void("no jail")
    assert len(played) == ATTEMPTS


def test_a_small_seed_cannot_be_tried_out_within_a_bots_time() -> None:
    from gangland_ladder.seeds import LOCAL_ITERATIONS, local_secret

    assert LOCAL_ITERATIONS >= 100_000
    assert local_secret(1) != local_secret(2)
    assert local_secret(1) == local_secret(1)
