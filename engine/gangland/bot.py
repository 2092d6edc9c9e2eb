"""The base of every bot: what it is given, and how a question finds its method."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from gangland.view import View, unchangeable

LogSink = Callable[[str], None]
DataSource = Callable[[str], bytes]
OWN_NAMES = MappingProxyType(
    {
        "rng": "the chance of this game, set anew at each start",
        "history": "this game's rounds so far",
        "log": "writes a line to the bot's log",
        "data": "reads a file of the bot's zip",
        "act": "is asked each question, a DecisionRequest, and calls choose_<kind>",
        "encode": "writes an answer for the referee",
        "kinds": "the kinds of decision of the game",
        "on_game_start": "is called before a game",
        "on_game_end": "is called after a game",
    }
)
"""What every bot has, by name: a bot that gives one of these names to something of its own loses that."""


class DecisionRequest(NamedTuple):
    """One question to a bot: the kind names the method, the view is its argument."""

    kind: str
    view: View


@unchangeable
@dataclass(frozen=True, slots=True)
class GameStart:
    """What `on_game_start` is told."""

    game: str
    seat: int
    seats: int
    options: dict[str, object]


@unchangeable
@dataclass(frozen=True, slots=True)
class GameEnd:
    """What `on_game_end` is told: each seat's place (1 is best), the seats at fault, and why the game ended."""

    places: tuple[int, ...]
    faulted: tuple[int, ...]
    reason: str


class BaseBot:
    """One instance lives through all the games of a jail, and never meets a seed twice.

    Attributes:
        rng: a `random.Random` of this bot's own, seeded anew each game; use it for all chance,
            so that a game can be played again.
    """

    kinds: ClassVar[tuple[str, ...]] = ()
    rng: Random
    _gangland_views: list[View] | None = None
    _gangland_history: dict[int, Any] | None = None
    _gangland_log: LogSink | None = None
    _gangland_data: DataSource | None = None

    def log(self, *values: object) -> None:
        """Write a line to this bot's own log; only its owner reads it."""
        if self._gangland_log is not None:
            self._gangland_log(" ".join(str(value) for value in values))

    @property
    def history(self) -> Mapping[int, Any]:
        """What this game's views have shown of its rounds so far, by round: of Gangster Dice the events of each,
        as `view.events` has them, of Gang of Dice the `RoundResult` of each that is over.

        It is put together when it is read.  Of rounds after which you were not asked before the next, Gang of Dice
        shows nothing.
        """
        if self._gangland_history is None:
            self._gangland_history = {}
        for view in self._gangland_views or ():
            self._gangland_history.update(view._rounds)
        self._gangland_views = []
        return MappingProxyType(self._gangland_history)

    @history.setter
    def history(self, _value: object) -> None:
        raise AttributeError(own_name("history"))

    def data(self, name: str) -> bytes:
        """Return a file that lies in the bot's zip, by its path there, such as `"tables/openings.json"`.

        Where there is no jail, as in a test of your own, it is the file at that path beside the bot's module.

        Raises:
            FileNotFoundError: there is no such file.
        """
        if self._gangland_data is not None:
            return self._gangland_data(name)
        return _beside(sys.modules[type(self).__module__], name)

    def on_game_start(self, start: GameStart) -> None:
        """Is called before the first decision of a game.  Optional."""

    def on_game_end(self, end: GameEnd) -> None:
        """Is called after a game has ended.  Optional."""

    def act(self, decision: DecisionRequest) -> Any:
        """Answer one question by calling `choose_<kind>`; may be overridden to see every question."""
        return getattr(self, f"choose_{decision.kind}")(decision.view)

    @classmethod
    def encode(cls, kind: str, answer: Any) -> Any:  # noqa: ARG003 (each game's base class reads it)
        """Return the answer to a question of this kind as plain values: None, int, lists of those.

        Raises:
            TypeError: the answer cannot be understood; the message says what was expected.
        """
        raise TypeError(f"{cls.__name__} has no decision of kind {kind!r}")


def own_name(name: str) -> str:
    """Return what to tell the author of a bot that gives one of `OWN_NAMES` to something else."""
    use = OWN_NAMES.get(name, "answers a question")
    return f"`{name}` is a name that every bot has ({use}); choose another one for your own"


def begin(bot: BaseBot, start: GameStart, rng: Random) -> None:
    """Begin a game: chance and history anew, then the bot's own `on_game_start`."""
    bot.rng = rng
    bot._gangland_views, bot._gangland_history = [], None
    bot.on_game_start(start)


def remember(bot: BaseBot, view: View) -> None:
    """Keep a view for the bot's history, before the bot is asked."""
    if bot._gangland_views is None:
        bot._gangland_views = []
    bot._gangland_views.append(view)


def _beside(module: Any, name: str) -> bytes:
    file = getattr(module, "__file__", None)
    if file is None or name.startswith("/") or ".." in name.split("/"):
        raise FileNotFoundError(f"no file {name!r} beside {module.__name__}")
    folder = file.replace("\\", "/").rpartition("/")[0] or "."
    content: bytes = module.__loader__.get_data(f"{folder}/{name}")
    return content
