"""Play a game with one bot in this process, without a jail, so that its author can test it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple

from gangland.bot import BaseBot, DecisionRequest, GameEnd, GameStart, begin, remember
from gangland.chance import SeededChance
from gangland.game import Decision, Game, Outcome
from gangland.games import GAME_NAMES, game_named
from gangland.view import View


class BotDecision(NamedTuple):
    """One decision of the bot, with its kind (`choose_<kind>`) and the view that it was based on."""

    kind: str
    view: View
    decision: Decision


@dataclass(frozen=True, slots=True)
class Practice:
    """A finished game: the bot's seat, and the bot's decisions in order."""

    seat: int
    outcome: Outcome
    decisions: tuple[BotDecision, ...]


def practise(
    bot_class: type[BaseBot], *, seats: int = 2, seed: int = 0, options: Mapping[str, object] | None = None
) -> Practice:
    """Play a game with a new bot of this class against opponents that choose at random among all legal answers.

    The same arguments give the same dice, cards and opponents.  Views have no clock: the time left is infinite.

    Raises:
        IllegalDecision: an answer against the rules; TypeError: an answer of the wrong form.
        ValueError: the game has no such table size or option, or the class is not a bot.
        Exception: any exception of the bot.
    """
    game = _game_of(bot_class)
    typed_options = game.options(options or {})
    game_seed = sha256(f"practice|{seats}|{seed}".encode()).digest()
    chance, opponents, seat = SeededChance(game_seed), Random(game_seed), seed % seats
    state, _ = game.start(seats, typed_options, chance)
    bot = bot_class()
    begin(bot, GameStart(game.name, seat, seats, game.options_dict(typed_options)), Random(game_seed + b"bot"))
    bot_decisions: list[BotDecision] = []
    while (outcome := game.outcome(state)) is None:
        decisions: dict[int, Decision] = {}
        for question in game.pending(state):
            if question.seat == seat:
                bot_decisions.append(_decide(game, state, seat, question.kind, bot))
                decisions[seat] = bot_decisions[-1].decision
            else:
                decisions[question.seat] = opponents.choice(game.choices(state, question.seat))
        state, _ = game.resolve(state, decisions, chance)
    bot.on_game_end(GameEnd(outcome.places, (), outcome.reason.value))
    return Practice(seat, outcome, tuple(bot_decisions))


def _decide(game: Game[Any], state: Any, seat: int, kind: str, bot: BaseBot) -> BotDecision:
    view = game.observe(state, seat)
    remember(bot, view)
    answer = bot.encode(kind, bot.act(DecisionRequest(kind, view)))
    return BotDecision(kind, view, game.check(state, seat, answer))


def _game_of(bot_class: object) -> Game[Any]:
    for name in GAME_NAMES:
        game = game_named(name)
        if isinstance(bot_class, type) and issubclass(bot_class, game.bot_class):
            return game
    raise ValueError(f"{bot_class!r:.80} is not a subclass of any game's Bot; the games are {', '.join(GAME_NAMES)}")
