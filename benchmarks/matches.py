"""Matches for benchmarks: bots of a few lines, house bots, and jobs with their codes."""

from importlib.resources import files
from random import Random
from typing import Any

from gangland.game import Game
from gangland.view import View
from gangland_ladder.local.bots import LocalBot
from gangland_ladder.local.matches import LocalRun
from gangland_ladder.matches.referee import play_match
from gangland_sandbox.pool import Pool

BLOCKS = 12

RANDOM_BOTS = {
    "gang-of-dice": b"""
from gangland import gang_of_dice

class RandomBot(gang_of_dice.Bot):
    def choose_dice(self, view):
        return self.rng.randint(1, view.pool)
""",
    "gangster-dice": b"""
from gangland import gangster_dice

class RandomBot(gangster_dice.Bot):
    def choose_bids(self, view):
        count = view.bids_required
        return list(zip(self.rng.sample(view.legal_tokens, count), self.rng.sample(view.hand, count)))
""",
}


def bot_of(source: bytes) -> Any:
    """Load a bot's source in this process, and return a bot of its last class."""
    space: dict[str, Any] = {"__name__": "bot"}
    exec(source, space)  # noqa: S102 (the benchmarks' own bots)
    return [value for value in space.values() if isinstance(value, type)][-1]()


class BotInProcess:
    """A player for the engine's own loop: a bot in this process."""

    def __init__(self, game: Game[Any], number: int, source: bytes | None = None) -> None:
        self.bot = bot_of(source or RANDOM_BOTS[game.name])
        self.bot.rng = Random(number)

    def decide(self, kind: str, view: View, number: int) -> object:
        """Answer as the harness in the jail would."""
        return self.bot.encode(kind, getattr(self.bot, f"choose_{kind}")(view))


def house_bots(game: str) -> list[LocalBot]:
    """Return the house bots of a game, sorted by name."""
    folder = files("gangland_bots") / game.replace("-", "_")
    names = sorted(file.name for file in folder.iterdir() if file.name.endswith("_gang.py"))
    return [LocalBot(name.removesuffix(".py"), name, (folder / name).read_bytes()) for name in names]


def one_match(name: str, sources: list[bytes], *, number: int = 1, seed: int = 7, blocks: int = 0) -> tuple[Any, Any]:
    """Return the job of a match of these bots, and their codes.

    Args:
        blocks: the number of blocks; 0 for the default number.
    """
    bots = [LocalBot(f"bot_{seat}", f"bot_{seat}.py", source) for seat, source in enumerate(sources)]
    job = LocalRun(name, bots, len(bots), seed, b"").job(range(len(bots)), number=number, blocks=blocks or BLOCKS)
    return job, {bot.sha256: bot.source for bot in bots}


def play_match_in(pool: Pool, job: Any, codes: dict[str, bytes]) -> Any:
    """Play a match in a table's process."""
    return play_match(job, codes, pool=pool)
