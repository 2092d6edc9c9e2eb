"""Jails lie at the same addresses each time; what starts them does not stay so."""

import ctypes
from typing import Any

from tests.sandbox.trial import GAME, SEED, TIGHT, apart, bot_of

from gangland_sandbox import layout
from gangland_sandbox.asking import BotProcess

WHERE = bot_of("self.log(id(len))\nreturn 1")


def where_jails_lie() -> list[Any]:
    """Return how many different places the same object has in some jails, and this process's own setting."""
    places = set()
    for _ in range(3):
        with BotProcess.open(WHERE, filename="b.py", game=GAME, limits=TIGHT) as bot:
            bot.start_game(seat=0, seats=2, options={}, rng_seed=SEED)
            bot.ask("dice", (0,), 0)
            places.add(bot.take_log())
    return [len(places), ctypes.CDLL(None).personality(0xFFFFFFFF) & 0x40000]


def test_all_jails_have_their_python_at_the_same_place_and_the_referee_keeps_its_own() -> None:
    assert apart(where_jails_lie) == [1, 0]


def test_jails_are_opened_where_addresses_stay_random() -> None:
    def refused() -> list[Any]:
        layout._personality = lambda: lambda _: -1  # type: ignore[assignment]
        return where_jails_lie()

    places, own = apart(refused)
    assert places >= 1
    assert own == 0
