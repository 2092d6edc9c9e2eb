"""Small bots as input for commands, and the documents that the commands print."""

from pathlib import Path
from typing import Any

from tests.kits.command_kit import Ran, parsed

from gangland import games, match, replay
from gangland.view import View

GOOD = """
from gangland import gang_of_dice

class Steady(gang_of_dice.Bot):
    def choose_dice(self, view):
        return min(2, view.pool)
"""

CHANCY = """
from gangland import gang_of_dice

class Chancy(gang_of_dice.Bot):
    def choose_dice(self, view):
        self.log("round", view.round, "card", view.card.id)
        return self.rng.randint(1, min(6, view.pool))

    def choose_reroll(self, view):
        return [face for face in view.dice if self.rng.random() < 0.5]
"""

GREEDY = GOOD.replace("Steady", "Greedy").replace("min(2, view.pool)", "view.pool + 1")


def bots_in(folder: Path, **sources: str | bytes) -> Path:
    bots = folder / "bots"
    bots.mkdir()
    for name, source in sources.items():
        (bots / f"{name}.py").write_bytes(source.encode() if isinstance(source, str) else source)
    return bots


def document(run: Ran, code: int = 0) -> dict[str, Any]:
    assert run.code == code, run.err
    return parsed(run.out)


# Recorded games of Gang of Dice between players who roll a given number of dice and never reroll.


class Rolls:
    def __init__(self, dice: int) -> None:
        self.dice = dice

    def decide(self, kind: str, view: View, number: int) -> object:
        return min(self.dice, view.pool) if kind == "dice" else []  # type: ignore[attr-defined]


def recorded(*dice: int, seed: int = 0) -> replay.Replay:
    return match.play(games.game_named("gang-of-dice"), [Rolls(each) for each in dice], bytes([seed] * 32)).replay
