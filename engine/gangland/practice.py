"""A game of one bot in this very process, with no jail around it: for the tests that its author writes."""

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


class Decided(NamedTuple):
    """One decision of the bot: its kind (`choose_<kind>`), the view that it was made from, and what it was."""

    kind: str
    view: View
    decision: Decision


@dataclass(frozen=True, slots=True)
class Practice:
    """A finished game; `seat` is the bot's, `decisions` are those of the bot, in order."""

    seat: int
    outcome: Outcome
    decisions: tuple[Decided, ...]


def practise(
    bot_class: type[BaseBot], *, seats: int = 2, seed: int = 0, options: Mapping[str, object] | None = None
) -> Practice:
    """Play a game of a new bot of this class against opponents that choose at random among all legal answers.

    The same arguments give the same dice, cards and opponents.  Views have no clock: what is left is without end.

    Raises:
        IllegalDecision: an answer that the rules refuse; TypeError: one that is no answer at all.
        ValueError: a table size or an option that the game does not have, or a class that is no bot.
        Exception: whatever the bot raises.
    """
    game = _game_of(bot_class)
    chosen = game.options(options or {})
    drawn = sha256(f"practice|{seats}|{seed}".encode()).digest()
    chance, chooser, seat = SeededChance(drawn), Random(drawn), seed % seats
    state, _ = game.start(seats, chosen, chance)
    bot = bot_class()
    begin(bot, GameStart(game.name, seat, seats, game.options_dict(chosen)), Random(drawn + b"bot"))
    made: list[Decided] = []
    while (outcome := game.outcome(state)) is None:
        decisions: dict[int, Decision] = {}
        for question in game.pending(state):
            if question.seat == seat:
                made.append(_decided(game, state, seat, question.kind, bot))
                decisions[seat] = made[-1].decision
            else:
                decisions[question.seat] = chooser.choice(game.choices(state, question.seat))
        state, _ = game.resolve(state, decisions, chance)
    bot.on_game_end(GameEnd(outcome.places, (), outcome.reason.value))
    return Practice(seat, outcome, tuple(made))


def _decided(game: Game[Any], state: Any, seat: int, kind: str, bot: BaseBot) -> Decided:
    view = game.observe(state, seat)
    remember(bot, view)
    answer = bot.encode(kind, bot.act(DecisionRequest(kind, view)))
    return Decided(kind, view, game.check(state, seat, answer))


def _game_of(bot_class: object) -> Game[Any]:
    for name in GAME_NAMES:
        game = game_named(name)
        if isinstance(bot_class, type) and issubclass(bot_class, game.bot_class):
            return game
    raise ValueError(f"{bot_class!r:.80} extends the Bot of none of the games: {', '.join(GAME_NAMES)}")
