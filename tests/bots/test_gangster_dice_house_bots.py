"""The house bots of Gangster Dice: legal, repeatable, and in the order of their names."""

from __future__ import annotations

from importlib import import_module
from itertools import combinations
from pathlib import Path

import pytest
from tests.kits.house_bots_kit import GANGSTER_DICE as HOUSE

NAMES = ("random_gang", "cautious_gang", "bold_gang", "hoarding_gang", "sensible_gang", "boss_gang")
ALLOWED_IMPORTS = {"gangland", "collections", "functools", "itertools", "math", "operator"}


@pytest.mark.parametrize("name", [*NAMES, "searching_gang"])
def test_each_house_bot_is_one_file_with_one_documented_class(name: str, root: Path) -> None:
    (bot_class,) = HOUSE.bot_classes(name)
    module = import_module(f"gangland_bots.gangster_dice.{name}")
    assert bot_class.__doc__
    assert "Teaches:" in (module.__doc__ or "")
    source = (root / "bots/gangland_bots/gangster_dice" / f"{name}.py").read_text()
    imported = {line.split()[1].split(".")[0] for line in source.splitlines() if line.startswith(("import ", "from "))}
    assert imported <= ALLOWED_IMPORTS


def test_every_house_bot_is_tested_here(root: Path) -> None:
    folder = root / "bots/gangland_bots/gangster_dice"
    assert {path.stem for path in folder.glob("*.py")} - {"__init__"} == {*NAMES, "searching_gang"}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_house_bots_are_never_at_fault_and_play_the_same_game_again(seats: int) -> None:
    for number, names in enumerate(combinations(NAMES, seats)):
        others = {"investigator_colour": "held", "win_check": "win_first", "spent_favor": "out"}
        options = ({}, others, {"spent_favor": "discards"})[number % 3]
        played = HOUSE.play(names, number, **options)
        assert played.faults == ()
        assert HOUSE.play(names, number, **options).replay == played.replay


@pytest.mark.parametrize(("seats", "blocks"), [(2, 60), (3, 25), (4, 20)])
def test_sensible_beats_random_beyond_doubt(seats: int, blocks: int) -> None:
    assert HOUSE.share_of_wins("sensible_gang", ["random_gang"] * (seats - 1), blocks) > 0.75


@pytest.mark.parametrize("other", ["cautious_gang", "bold_gang", "hoarding_gang"])
def test_sensible_beats_the_simpler_ones(other: str) -> None:
    assert HOUSE.share_of_wins("sensible_gang", [other], 120) > 0.52


@pytest.mark.parametrize("name", ["cautious_gang", "bold_gang", "hoarding_gang"])
def test_every_bot_beats_random(name: str) -> None:
    assert HOUSE.share_of_wins(name, ["random_gang"], 40) > 0.7


@pytest.mark.parametrize(
    ("other", "blocks"),
    [
        ("cautious_gang", 6),
        pytest.param("sensible_gang", 20, marks=pytest.mark.long("searches in forty games")),
    ],
)
def test_searching_beats_the_others(other: str, blocks: int) -> None:
    assert HOUSE.share_of_wins("searching_gang", [other], blocks) > 0.5


def test_searching_is_never_at_fault_and_plays_the_same_game_again() -> None:
    played = HOUSE.play(["searching_gang"] * 2, 7)
    assert played.faults == ()
    assert HOUSE.play(["searching_gang"] * 2, 7).replay == played.replay
