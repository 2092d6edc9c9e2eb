"""The questions of real games, and bots that answer at once, so that asking is what is measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from msgspec import json

from benchmarks.playing import seed
from gangland.chance import SeededChance
from gangland.game import Decision, Game
from gangland.games import game_named

KEPT: Final = 2000
"""How many questions of how many games are asked again and again."""

ECHO_BOTS: Final = {
    "gang-of-dice": b"""
from gangland import gang_of_dice

class Echo(gang_of_dice.Bot):
    def choose_dice(self, view):
        return 1
    def choose_reroll(self, view):
        return ()
""",
    "gangster-dice": b"""
from gangland import gangster_dice

class Echo(gangster_dice.Bot):
    def choose_bids(self, view):
        return ((0, 0), (1, 0))
    def choose_exchange(self, view):
        return None
    def choose_stake(self, view):
        return 0
    choose_dump = choose_take = choose_stake
""",
}
"""Bots that look at nothing; their answers are not judged."""
QUICK_BOTS: Final = {
    "gang-of-dice": b"""
from gangland import gang_of_dice

class Quick(gang_of_dice.Bot):
    def choose_dice(self, view):
        return min(3, view.pool)
    def choose_reroll(self, view):
        return []
""",
    "gangster-dice": b"""
from gangland import gangster_dice

class Quick(gangster_dice.Bot):
    def choose_bids(self, view):
        return list(zip(view.legal_tokens, view.hand))[: view.bids_required]
""",
}
"""Bots whose answers are legal and hardly thought about."""


@dataclass(frozen=True)
class Asked:
    """One question of a game: who is asked what, in which position, and an answer to it as it comes over the wire."""

    seat: int
    kind: str
    wire: object
    state: Any
    answer: object


def bot_of(source: bytes) -> Any:
    """Return a bot in this process."""
    space: dict[str, Any] = {"__name__": "bot"}
    exec(source, space)  # noqa: S102 (the bots stand above)
    return space["Quick" if b"Quick" in source else "Echo"]()


def questions(name: str, seats: int) -> list[Asked]:
    """Return the questions of games between quick bots."""
    game, bot = game_named(name), bot_of(QUICK_BOTS[name])
    kept: list[Asked] = []
    number = 0
    while len(kept) < KEPT:
        kept += _of_one_game(game, bot, seats, number)
        number += 1
    return kept[:KEPT]


def _of_one_game(game: Game[Any], bot: Any, seats: int, number: int) -> list[Asked]:
    kept = []
    chance = SeededChance(seed(number))
    state, _ = game.start(seats, game.options({}), chance)
    while pending := game.pending(state):
        answers: dict[int, Decision] = {}
        for question in pending:
            view = game.observe(state, question.seat)
            said = bot.encode(question.kind, getattr(bot, f"choose_{question.kind}")(view))
            answer = json.decode(json.encode(said))
            answers[question.seat] = game.check(state, question.seat, answer)
            kept.append(Asked(question.seat, question.kind, view.wire, state, answer))
        state, _ = game.resolve(state, answers, chance)
    return kept
