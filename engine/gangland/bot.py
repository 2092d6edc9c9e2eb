"""The base class of every bot, with its log, files and history."""

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
        "rng": "this game's random generator, seeded at each start",
        "history": "this game's rounds so far",
        "log": "writes a line to the bot's log",
        "data": "reads a file of the bot's zip",
        "act": "answers each question, a DecisionRequest, by calling choose_<kind>",
        "encode": "writes an answer for the referee",
        "kinds": "the game's kinds of decisions",
        "on_game_start": "is called before a game",
        "on_game_end": "is called after a game",
    }
)
"""The attributes of every bot, with their purpose.  A bot that assigns to one of them loses it."""


class DecisionRequest(NamedTuple):
    """One question to a bot: `kind` names the method, `view` is its argument."""

    kind: str
    view: View


@unchangeable
@dataclass(frozen=True, slots=True)
class GameStart:
    """The argument of `on_game_start`."""

    game: str
    seat: int
    seats: int
    options: dict[str, object]


@unchangeable
@dataclass(frozen=True, slots=True)
class GameEnd:
    """The argument of `on_game_end`: each seat's place (1 is best), the seats at fault, and why the game ended."""

    places: tuple[int, ...]
    faulted: tuple[int, ...]
    reason: str


class BaseBot:
    """The base class of bots.  One instance plays all games of a jail, each with a different seed.

    Attributes:
        rng: this bot's own `random.Random`, seeded for each game; use it for all chance, so games can be replayed.
    """

    kinds: ClassVar[tuple[str, ...]] = ()
    rng: Random
    _gangland_views: list[View] | None = None
    _gangland_history: dict[int, Any] | None = None
    _gangland_log: LogSink | None = None
    _gangland_data: DataSource | None = None

    def log(self, *values: object) -> None:
        """Write a line to this bot's log, which only its owner can read."""
        if self._gangland_log is not None:
            self._gangland_log(" ".join(str(value) for value in values))

    @property
    def history(self) -> Mapping[int, Any]:
        """The rounds of this game so far, by number.

        In Gangster Dice these are the events, as in `view.events`.  In Gang of Dice it is the `RoundResult` of each
        finished round; a round is missing if you were not asked anything in the round after it.
        """
        if self._gangland_history is None:
            self._gangland_history = {}
        for view in self._gangland_views or ():
            self._gangland_history.update(view._rounds)
        self._gangland_views = []
        return MappingProxyType(self._gangland_history)

    @history.setter
    def history(self, _value: object) -> None:
        raise AttributeError(own_name_error("history"))

    def data(self, name: str) -> bytes:
        """Return the content of a file in the bot's zip, by its path, such as `"tables/openings.json"`.

        Outside a jail, as in your own tests, the path is relative to the folder of the bot's module.

        Raises:
            FileNotFoundError: there is no such file.
        """
        if self._gangland_data is not None:
            return self._gangland_data(name)
        return _read_near(sys.modules[type(self).__module__], name)

    def on_game_start(self, start: GameStart) -> None:
        """Prepare for a game; called before its first decision.  Optional."""

    def on_game_end(self, end: GameEnd) -> None:
        """Learn how a game ended; called after it.  Optional."""

    def act(self, decision: DecisionRequest) -> Any:
        """Answer one question by calling `choose_<kind>`; override it to see every question."""
        return getattr(self, f"choose_{decision.kind}")(decision.view)

    @classmethod
    def encode(cls, kind: str, answer: Any) -> Any:  # noqa: ARG003 (each game's base class reads it)
        """Return the answer as None, an int, or lists of these.  Raises TypeError: it has another form."""
        raise TypeError(f"{cls.__name__} has no decision of kind {kind!r}")


def own_name_error(name: str) -> str:
    """Return the error message for a bot that assigns to one of `OWN_NAMES`."""
    use = OWN_NAMES.get(name, "answers a question")
    return f"`{name}` is a name that every bot has ({use}); choose a different name for your own attribute"


def begin(bot: BaseBot, start: GameStart, rng: Random) -> None:
    """Begin a game: set the bot's random generator, clear its history and call its `on_game_start`."""
    bot.rng = rng
    bot._gangland_views, bot._gangland_history = [], None
    bot.on_game_start(start)


def remember(bot: BaseBot, view: View) -> None:
    """Add a view to the bot's history.  Call it before the bot is asked."""
    if bot._gangland_views is None:
        bot._gangland_views = []
    bot._gangland_views.append(view)


def _read_near(module: Any, name: str) -> bytes:
    file = getattr(module, "__file__", None)
    if file is None or name.startswith("/") or ".." in name.split("/"):
        raise FileNotFoundError(f"no file {name!r} next to {module.__name__}")
    folder = file.replace("\\", "/").rpartition("/")[0] or "."
    content: bytes = module.__loader__.get_data(f"{folder}/{name}")
    return content
