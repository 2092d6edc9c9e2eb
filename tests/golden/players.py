"""Who plays the golden games: random legal answers, house bots, and seats with one idea in their head."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from random import Random
from typing import Any

from gangland import bot, games, match
from gangland.faults import BotFault, FaultKind
from gangland.game import Decision
from gangland.view import View

LAWYER, INVESTIGATOR = 0, 3
AT_START = "start"  # in place of a moment: the seat fails before the game


class Watched:
    """A game whose state before each question is visible."""

    def __init__(self, name: str) -> None:
        self._game = games.game_named(name)
        self.state: Any = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def observe(self, state: Any, seat: int, defaulting: frozenset[int] = frozenset()) -> View:
        self.state = state
        return self._game.observe(state, seat, defaulting)


class House:
    def __init__(self, game: str, name: str, rng: Random) -> None:
        base = games.game_named(game).bot_class
        module = import_module(f"gangland_bots.{game.replace('-', '_')}.{name}")
        members = [value for value in vars(module).values() if isinstance(value, type) and issubclass(value, base)]
        (bot_class,) = [member for member in members if member is not base]
        self.bot: bot.BaseBot = bot_class()
        self.bot.rng = rng

    def decide(self, kind: str, view: View, number: int) -> object:
        return self.bot.encode(kind, self.bot.act(bot.DecisionRequest(kind, view)))


class Idea:
    def __init__(self, game: Watched, name: str, seat: int, rng: Random) -> None:
        self.game, self.seat, self.rng = game, seat, rng
        self.idea = IDEAS[name]

    def decide(self, kind: str, view: View, number: int) -> object:
        choices = self.game.choices(self.game.state, self.seat)
        return self.idea(kind, choices, self.game.default(self.game.state, self.seat), self.rng)


def _random(kind: str, choices: Sequence[Decision], default: Decision, rng: Random) -> Decision:
    return rng.choice(choices)


def _stalling(kind: str, choices: Sequence[Any], default: Decision, rng: Random) -> Decision:
    """Keep all dice in place: no bid on the Investigator, and no optional action."""
    if kind != "bids":
        return default
    idle = [bids for bids in choices if all(token != INVESTIGATOR for token, _ in bids)]
    chosen: Decision = rng.choice(idle or choices)
    return chosen


def _lawyer(kind: str, choices: Sequence[Any], default: Decision, rng: Random) -> Decision:
    """Win the Lawyer with the lowest favors, to gather +4s; else stall."""
    if kind != "bids":
        return default
    idle = [bids for bids in choices if all(token != INVESTIGATOR for token, _ in bids)]
    lawyer = [bids for bids in choices if any(token == LAWYER for token, _ in bids)]
    chosen: Decision = min(lawyer or idle or choices, key=_favors)
    return chosen


def _favors(bids: Any) -> int:
    return sum(favor for _, favor in bids)


def _all_in(kind: str, choices: Sequence[Decision], default: Decision, rng: Random) -> Decision:
    return choices[-1] if kind == "dice" else default


def _half(kind: str, choices: Sequence[Decision], default: Decision, rng: Random) -> Decision:
    """Stake half of the dice: nearly always a bust."""
    return choices[len(choices) // 2] if kind == "dice" else default


def _one(kind: str, choices: Sequence[Decision], default: Decision, rng: Random) -> Decision:
    return default


def _few(kind: str, choices: Sequence[Decision], default: Decision, rng: Random) -> Decision:
    return choices[rng.randrange(min(4, len(choices)))] if kind == "dice" else rng.choice(choices)


IDEAS = {
    "random": _random, "stalling": _stalling, "lawyer": _lawyer, "all-in": _all_in, "half": _half, "one": _one,
    "few": _few,
}  # fmt: skip


class Failing:
    """Fails at the nth question of a kind: "bids 3", or "any 3"."""

    def __init__(self, player: Any, moment: str) -> None:
        self.player = player
        kind, number = moment.split()
        self.kind, self.left = kind, int(number)

    def decide(self, kind: str, view: View, number: int) -> object:
        self.left -= self.kind in (kind, "any")
        if not self.left:
            raise BotFault(FaultKind.CRASHED, "told to")
        return self.player.decide(kind, view, number)


def play_game(
    game: str, names: Sequence[str], seed: bytes, options: Mapping[str, object], fails: Mapping[int, str]
) -> match.FinishedGame:
    """Play one game, always the same for the same arguments; names are ideas or modules of house bots."""
    watched = Watched(game)
    players: list[Any] = []
    for seat, name in enumerate(names):
        rng = Random(f"{seed.hex()} {seat}")
        player: Any = Idea(watched, name, seat, rng) if name in IDEAS else House(game, name, rng)
        players.append(Failing(player, fails[seat]) if fails.get(seat, AT_START) != AT_START else player)
    failed = {seat: BotFault(FaultKind.IMPORT_ERROR, "told to") for seat, when in fails.items() if when == AT_START}
    as_game: Any = watched
    return match.play(as_game, players, seed, options=options, early_faults=failed)
