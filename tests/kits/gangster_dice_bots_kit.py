"""Games between house bots of Gangster Dice, and how often one wins."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from random import Random

from gangland.blocks import seating
from gangland.bot import BaseBot, DecisionRequest
from gangland.gangster_dice import Bot
from gangland.gangster_dice.rules import GAME
from gangland.match import Played, play
from gangland.view import View


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
