"""A match that cannot be played costs the others nothing."""

from collections.abc import Mapping

import pytest

from gangland_ladder.local import matches as local_matches
from gangland_ladder.local.bots import LocalBot
from gangland_ladder.local.matches import ATTEMPTS, Void, local_order, play_order
from gangland_ladder.matches.match_orders import Order
from gangland_ladder.matches.referee import LocalMatch
from gangland_sandbox.errors import SandboxError
from gangland_sandbox.pool import Pool

BOT = LocalBot("one", "one.py", b"")


def order() -> Order:
    return local_order("gang-of-dice", [BOT, BOT], [0, 1], seed=1, salt=b"", number=1, blocks=1)


def test_a_match_that_stays_void_is_given_up_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[int] = []

    def void(wanted: Order, codes: Mapping[str, bytes], pool: Pool, over: object, keep: bool) -> LocalMatch:
        played.append(wanted.id)
        raise SandboxError("no jail")

    monkeypatch.setattr(local_matches, "played_here", void)
    assert play_order(Pool(), order(), {}, False) == Void("no jail")
    assert len(played) == ATTEMPTS


def test_a_small_seed_cannot_be_tried_out_within_a_bots_time() -> None:
    from gangland_ladder.matches.seeds import LOCAL_ITERATIONS, local_secret

    assert LOCAL_ITERATIONS >= 100_000
    assert local_secret(1, b"") != local_secret(2, b"")
    assert local_secret(1, b"") == local_secret(1, b"")
