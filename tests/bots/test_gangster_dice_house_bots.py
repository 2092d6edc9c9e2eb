"""The house bots of Gangster Dice: legal, repeatable, and in the order of their names."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from gangland.blocks import seating
from gangland.bot import BaseBot, DecisionRequest
from gangland.gangster_dice import Bot
from gangland.gangster_dice.rules import GAME
from gangland.match import Played, play
from gangland.view import View

NAMES = ("random_gang", "cautious_gang", "bold_gang", "hoarding_gang", "sensible_gang", "boss_gang")
ALLOWED_IMPORTS = {"gangland", "collections", "functools", "itertools", "math", "operator"}


def bot_classes(name: str) -> list[type[BaseBot]]:
    module = import_module(f"gangland_bots.gangster_dice.{name}")
    members = [value for value in vars(module).values() if isinstance(value, type) and issubclass(value, Bot)]
    return [member for member in members if member is not Bot]


class InProcess:
    """A bot asked as the harness asks it, without a jail."""

    def __init__(self, name: str, seed: str) -> None:
        (bot_class,) = bot_classes(name)
        self.bot = bot_class()
        self.bot.rng = Random(seed)

    def decide(self, kind: str, view: View, number: int) -> object:
        return self.bot.encode(kind, self.bot.act(DecisionRequest(kind, view)))


def game(names: Sequence[str], seed: int, **options: object) -> Played:
    players = [InProcess(name, f"{seed} {seat}") for seat, name in enumerate(names)]
    return play(GAME, players, Random(seed).randbytes(32), options=options)


def share_of_wins(name: str, others: Sequence[str], blocks: int) -> float:
    """Return in which share of games a bot wins, over blocks of every seat rotation."""
    names, won = [name, *others], 0.0
    for block in range(blocks):
        for rotation in range(len(names)):
            order = seating(block, rotation, len(names))
            winners = game([names[bot] for bot in order], block).outcome.winners
            won += (order.index(0) in winners) / len(winners)
    return won / (blocks * len(names))


@pytest.mark.parametrize("name", NAMES)
def test_each_house_bot_is_one_file_with_one_documented_class(name: str, root: Path) -> None:
    (bot_class,) = bot_classes(name)
    module = import_module(f"gangland_bots.gangster_dice.{name}")
    assert bot_class.__doc__
    assert "Teaches:" in (module.__doc__ or "")
    source = (root / "bots/gangland_bots/gangster_dice" / f"{name}.py").read_text()
    imported = {line.split()[1].split(".")[0] for line in source.splitlines() if line.startswith(("import ", "from "))}
    assert imported <= ALLOWED_IMPORTS


def test_every_house_bot_is_tested_here(root: Path) -> None:
    folder = root / "bots/gangland_bots/gangster_dice"
    assert {path.stem for path in folder.glob("*.py")} - {"__init__"} == set(NAMES)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_house_bots_are_never_at_fault_and_play_the_same_game_again(seats: int) -> None:
    for number, names in enumerate(combinations(NAMES, seats)):
        others = {"investigator_colour": "held", "win_check": "win_first", "spent_favor": "out"}
        for options in ({}, others if number % 2 else {"spent_favor": "discards"}):
            played = game(names, number, **options)
            assert played.faults == ()
            assert game(names, number, **options).replay == played.replay


@pytest.mark.parametrize(("seats", "blocks"), [(2, 60), (3, 25), (4, 20)])
def test_sensible_beats_random_beyond_doubt(seats: int, blocks: int) -> None:
    assert share_of_wins("sensible_gang", ["random_gang"] * (seats - 1), blocks) > 0.75


@pytest.mark.parametrize("other", ["cautious_gang", "bold_gang", "hoarding_gang"])
def test_sensible_beats_the_simpler_ones(other: str) -> None:
    assert share_of_wins("sensible_gang", [other], 120) > 0.52


@pytest.mark.parametrize("name", ["cautious_gang", "bold_gang", "hoarding_gang"])
def test_every_bot_beats_random(name: str) -> None:
    assert share_of_wins(name, ["random_gang"], 40) > 0.7
