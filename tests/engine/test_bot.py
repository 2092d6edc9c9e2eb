"""What every bot can do by itself, outside a jail as in an author's own test."""

import doctest
import sys
from collections.abc import Iterator
from dataclasses import FrozenInstanceError
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from gangland import bot, chance
from gangland.gang_of_dice.warnings import WARNINGS

SOURCE = """
from gangland import gang_of_dice

class Mine(gang_of_dice.Bot):
    def choose_dice(self, view):
        return len(self.data("tables/stakes.bin"))
"""


@pytest.fixture
def mine(tmp_path: Path) -> Iterator[bot.BaseBot]:
    folder = tmp_path / "mine"
    (folder / "tables").mkdir(parents=True)
    (folder / "tables" / "stakes.bin").write_bytes(b"\0\xff")
    (folder / "bot_with_data.py").write_text(SOURCE)
    (tmp_path / "secret.txt").write_text("secret")
    spec = spec_from_file_location("bot_with_data", folder / "bot_with_data.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["bot_with_data"] = module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module.Mine()
    del sys.modules["bot_with_data"]


def test_data_lies_beside_the_bots_module_where_there_is_no_jail(mine: bot.BaseBot) -> None:
    assert mine.data("tables/stakes.bin") == b"\0\xff"


@pytest.mark.parametrize("name", ["../secret.txt", "tables/../../secret.txt", "/etc/hostname", "nothing.txt"])
def test_data_reads_nothing_that_a_jail_would_not(mine: bot.BaseBot, name: str) -> None:
    with pytest.raises(FileNotFoundError):
        mine.data(name)


def test_a_bot_typed_at_a_prompt_has_no_data() -> None:
    prompted = type("Prompted", (bot.BaseBot,), {"__module__": "builtins"})
    with pytest.raises(FileNotFoundError, match="next to builtins"):
        prompted().data("a.txt")


def test_data_comes_from_where_the_harness_says(mine: bot.BaseBot) -> None:
    type(mine)._gangland_data = staticmethod(lambda name: name.encode())
    assert mine.data("tables/stakes.bin") == b"tables/stakes.bin"


@pytest.mark.parametrize("name", ["id", "nothing_that_it_has"])
def test_no_part_of_a_view_can_be_changed_and_each_says_so(name: str) -> None:
    for part in (WARNINGS[0], bot.GameStart("gang-of-dice", 0, 2, {}), bot.GameEnd((1, 2), (), "limit")):
        with pytest.raises(FrozenInstanceError, match=f"a {type(part).__name__} cannot be changed: '{name}'"):
            setattr(part, name, 99)
        with pytest.raises(FrozenInstanceError, match="cannot be changed"):
            delattr(part, name)


def test_a_game_is_driven_as_the_docstring_of_chance_shows(root: Path) -> None:
    source = (root / "engine/gangland/chance.py").read_text()  # a compiled class has no docstring
    text = next(part for part in source.split('"""') if ">>> " in part)
    shown = doctest.DocTestParser().get_doctest(text, dict(vars(chance)), "chance", None, None)
    tried = doctest.DocTestRunner().run(shown)
    assert tried.attempted > 4
    assert tried.failed == 0
