"""What a bot makes of its views in the jail is what its author makes of them on a laptop."""

from typing import Any

import pytest
from tests.kits.local_match import order_of
from tests.sandbox.trial import apart

from gangland.games import game_named, package_of
from gangland.replay import Step, load, verify_events
from gangland_ladder.matches.match_orders import decode_result, encode
from gangland_ladder.matches.referee import play_match
from gangland_sandbox.jail import Mode
from gangland_sandbox.limits import Limits

SAMPLING = """
from random import Random
from zlib import crc32

from gangland import GAME


class Sampling(GAME.Bot):
    def act(self, decision):
        return chosen(decision.view)

    def choose_dice(self, view):
        raise NotImplementedError("act answers")


def chosen(view):
    rng, told = Random(view.round), b""
    for _ in range(3):
        position = view.sample(rng)
        told += repr([view.game.observe(position, seat).wire for seat in range(view.seats)]).encode()
    legal = view.legal()
    return legal[crc32(told) % len(legal)]
"""


@pytest.mark.parametrize("seats", [2, pytest.param(3, marks=pytest.mark.long("larger tables"))])
@pytest.mark.parametrize("name", ["gang-of-dice", "gangster-dice"])
def test_samples_and_legal_answers_in_the_jail_are_those_of_the_laptop(name: str, seats: int) -> None:
    source = SAMPLING.replace("GAME", package_of(name))
    order, laptop = order_of(name, seats, 1, Limits.plain(1), seed=4), dict[str, Any]()
    exec(source, laptop)
    game = game_named(name)

    codes = {seat.code: source.encode() for seat in order.seats}

    result = decode_result(apart(lambda: encode(play_match(order, codes, mode=Mode.JAIL)).decode()))

    assert result.void is None
    decided: list[tuple[object, object]] = []

    def compare(step: Step) -> None:
        for seat, _, number, decision, _ in step.answers:
            assert number is not None
            decided.append((decision, laptop["chosen"](game.observe(step.before, seat, step.defaulting))))

    for record in result.games:
        verify_events(load(record.replay), compare)
    assert len(decided) > 50
    assert [pair for pair in decided if pair[0] != pair[1]] == []
