"""Play games between house bots in this process, and count the wins of a bot."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from random import Random

from gangland.blocks import seating
from gangland.bot import BaseBot, DecisionRequest, remember
from gangland.games import game_named
from gangland.match import FinishedGame, play
from gangland.view import View


class InProcess:
    def __init__(self, bot: BaseBot, seed: str) -> None:
        self.bot = bot
        self.bot.rng = Random(seed)

    def decide(self, kind: str, view: View, number: int) -> object:
        remember(self.bot, view)
        return self.bot.encode(kind, self.bot.act(DecisionRequest(kind, view)))


@dataclass(frozen=True)
class House:
    """The house bots of a game; `package` is also the name of the game's package."""

    package: str

    def bot_classes(self, name: str) -> list[type[BaseBot]]:
        base = import_module(f"gangland.{self.package}").Bot
        module = import_module(f"gangland_bots.{self.package}.{name}")
        members = [value for value in vars(module).values() if isinstance(value, type) and issubclass(value, base)]
        return [member for member in members if member is not base]

    def play(self, names: Sequence[str], seed: int, **options: object) -> FinishedGame:
        players = []
        for seat, name in enumerate(names):
            (bot_class,) = self.bot_classes(name)
            players.append(InProcess(bot_class(), f"{seed} {seat}"))
        return play(game_named(self.package.replace("_", "-")), players, Random(seed).randbytes(32), options=options)

    def share_of_wins(self, name: str, others: Sequence[str], blocks: int) -> float:
        names, won = [name, *others], 0.0
        for block in range(blocks):
            for rotation in range(len(names)):
                order = seating(block, rotation, len(names))
                winners = self.play([names[bot] for bot in order], block).outcome.winners
                won += (order.index(0) in winners) / len(winners)
        return won / (blocks * len(names))


GANG_OF_DICE, GANGSTER_DICE = House("gang_of_dice"), House("gangster_dice")
