"""The games that have a contract: one adapter for each that is registered."""

from collections.abc import Callable
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given
from tests.contract import gang_of_dice, gangster_dice, profile, run
from tests.contract.adapter import Adapter

from gangland.games import GAME_NAMES

games = pytest.mark.parametrize("name", GAME_NAMES)
any_number = st.integers(0, 2**32)  # a game's number: its seed and its decisions

ADAPTERS: dict[str, Adapter] = {
    adapter.name: adapter for adapter in (gangster_dice.GangsterDice(), gang_of_dice.GangOfDice())
}


def adapter_of(name: str) -> Adapter:
    assert name in ADAPTERS, f"{name} has no adapter: write one beside the others and list it in ADAPTERS"
    return ADAPTERS[name]


@st.composite
def any_table(draw: st.DrawFn, name: str) -> run.Table:
    adapter = adapter_of(name)
    seats = draw(st.sampled_from(adapter.game.table_sizes))
    options = {option: draw(st.sampled_from(values)) for option, values in adapter.option_values.items()}
    casts = adapter.casts(seats)
    return run.Table(name, seats, options | draw(st.sampled_from(casts[:2]) | st.sampled_from(casts)))


def any_game(count: int, **more: st.SearchStrategy[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    drawn = given(data=st.data(), number=any_number, **more)
    return lambda test: games(profile.examples(count)(drawn(test)))
