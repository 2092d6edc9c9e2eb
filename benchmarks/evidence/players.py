"""The players: house bots in this process, weakened house bots, and random players with equally likely answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from random import Random
from typing import Any, Protocol

from gangland.bot import BaseBot, DecisionRequest
from gangland.chance import Chance
from gangland.game import Decision, Event, Game, Outcome

ANY = "any answer"
"""The random player: all legal answers are equally likely."""

THINKING_BOTS = {
    "gangster-dice": ("bold", "cautious", "hoarding", "sensible"),
    "gang-of-dice": ("bold", "cautious", "closing", "sensible"),
}
"""By game, the house bots except the random ones."""


@dataclass(frozen=True, slots=True)
class Player:
    """A kind of player.

    Attributes:
        stem: the stem of a house bot, or `ANY`.
        slips: the probability that a random legal answer replaces the bot's decision.
    """

    stem: str
    slips: float = 0.0

    def __str__(self) -> str:
        return f"{self.stem}, {self.slips:.0%} slips" if self.slips else self.stem

    def sit(self, game: Game[Any], seed: bytes) -> Seated:
        """Return a player of this kind at a table, with its own random generator."""
        if self.stem == ANY:
            return RandomPlayer(game, Random(seed))
        bot = LocalBot(game, self.stem, Random(seed))
        return SlippingBot(bot, RandomPlayer(game, Random(seed + b"slips")), self.slips) if self.slips else bot


class Seated(Protocol):
    """A player at a table."""

    def decide(self, state: Any, seat: int, kind: str) -> Decision:
        """Return a legal decision in canonical form."""


class RandomPlayer:
    """Gives random answers; all legal answers are equally likely."""

    def __init__(self, game: Game[Any], rng: Random) -> None:
        self.game = game
        self.rng = rng

    def decide(self, state: Any, seat: int, kind: str) -> Decision:
        """Return one of the choices."""
        choices = self.game.choices(state, seat)
        return choices[self.rng.randrange(len(choices))]


class LocalBot:
    """A house bot in this process, asked as the harness in the jail asks it."""

    def __init__(self, game: Game[Any], stem: str, rng: Random) -> None:
        self.game = game
        self.bot = bot_class(game.name, stem)()
        self.bot.rng = rng

    def decide(self, state: Any, seat: int, kind: str) -> Decision:
        """Return the bot's decision."""
        answer = self.bot.act(DecisionRequest(kind, self.game.observe(state, seat)))
        return self.game.check(state, seat, self.bot.encode(kind, answer))


class SlippingBot:
    """A bot that sometimes gives a random legal answer instead of its own."""

    def __init__(self, bot: LocalBot, slip: RandomPlayer, slips: float) -> None:
        self.bot = bot
        self.slip = slip
        self.slips = slips

    def decide(self, state: Any, seat: int, kind: str) -> Decision:
        """Return the bot's decision, or a slip; the bot is always asked, so that its random generator advances."""
        decision = self.bot.decide(state, seat, kind)
        return self.slip.decide(state, seat, kind) if self.slip.rng.random() < self.slips else decision


@cache
def bot_class(game: str, stem: str) -> type[BaseBot]:
    """Return the class of a house bot."""
    module = import_module(f"gangland_bots.{game.replace('-', '_')}.{stem}_gang")
    (players,) = [
        each
        for each in vars(module).values()
        if isinstance(each, type) and issubclass(each, BaseBot) and each.__module__ == module.__name__
    ]
    return players


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished game."""

    outcome: Outcome
    rounds: int
    events: list[Event]
    first_state: Any


def play(game: Game[Any], seated: Sequence[Seated], options: Mapping[str, object], chance: Chance) -> Finished:
    """Play one game without faults, recording nothing but its events."""
    state, began = game.start(len(seated), game.options(options), chance)
    first, events = state, list(began)
    while (outcome := game.outcome(state)) is None:
        decisions = {
            questions.seat: seated[questions.seat].decide(state, questions.seat, questions.kind)
            for questions in game.pending(state)
        }
        state, happened = game.resolve(state, decisions, chance)
        events += happened
    return Finished(outcome, game.round(state), events, first)
