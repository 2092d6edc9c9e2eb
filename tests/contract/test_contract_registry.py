"""A game that is registered keeps the contract, and is proven by golden replays."""

from dataclasses import fields
from pathlib import Path

import pytest
from tests.contract.adapter import Adapter
from tests.contract.games import ADAPTERS, adapter_of, games

from gangland.game import Game
from gangland.games import GAME_NAMES, game_named


def test_every_registered_game_has_an_adapter_and_no_other_has() -> None:
    assert set(ADAPTERS) == set(GAME_NAMES)
    with pytest.raises(AssertionError, match="chess has no adapter: write one"):
        adapter_of("chess")


@games
def test_a_registered_game_is_a_game_by_its_own_name_with_a_method_for_every_question(name: str) -> None:
    game = game_named(name)
    assert isinstance(game, Game)
    assert isinstance(adapter_of(name), Adapter)
    assert game.name == adapter_of(name).name == name
    assert len(set(game.table_sizes)) == len(game.table_sizes) > 0
    assert game.rules_version >= 1
    for kind in game.bot_class.kinds:
        assert callable(getattr(game.bot_class, f"choose_{kind}"))


@games
def test_every_option_of_a_game_is_played_by_the_contract(name: str) -> None:
    game, adapter = game_named(name), adapter_of(name)
    played = {*adapter.option_values, *(option for cast in adapter.casts(game.table_sizes[0]) for option in cast)}

    assert played == {field.name for field in fields(game.options({}))}


@games
def test_every_registered_game_has_golden_replays(root: Path, name: str) -> None:
    golden = sorted((root / "tests" / "golden").rglob("*json"))
    assert [path for path in golden if name in path.relative_to(root).as_posix()], f"{name} has no golden replays"
