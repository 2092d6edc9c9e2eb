"""The engine's own ways of playing, and the loop by hand beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from benchmarks.hand_tuned import Player, gang_of_dice, gangster_dice
from benchmarks.playing import Batch, random_players, seed
from gangland.chance import SeededChance
from gangland.game import Decision, Game
from gangland.games import game_named
from gangland.match import play
from gangland.replay import Replay, verify
from gangland.view import View

KEPT_GAMES = 48
"""How many games are recorded for the ways that play known decisions."""

HAND_TUNED: dict[str, Callable[..., Any]] = {"gangster-dice": gangster_dice.play, "gang-of-dice": gang_of_dice.play}


def hand_tuned(name: str, seats: int) -> Batch:
    """Random players, dice and cards from `random`, an observation for every decision."""
    loop, players, dice, cards = HAND_TUNED[name], random_players(seats), Random("dice"), Random("cards")
    return lambda numbers: sum([loop(seats, players, dice, cards).decisions for _ in numbers])


def bare(name: str, seats: int) -> Batch:
    """The engine's bare loop: pending, observe, choices, resolve; dice and cards from the game's seed."""
    game, players = game_named(name), random_players(seats)
    return lambda numbers: sum([play_bare(game, players, number, check=False) for number in numbers])


def checked(name: str, seats: int) -> Batch:
    """The bare loop with every answer checked, as the answers of bots are."""
    game, players = game_named(name), random_players(seats)
    return lambda numbers: sum([play_bare(game, players, number, check=True) for number in numbers])


def play_bare(game: Game[Any], players: Sequence[Player], number: int, *, check: bool) -> int:
    """Play one game at random and return how many decisions it took."""
    chance, decisions = SeededChance(seed(number)), 0
    state, _ = game.start(len(players), game.options({}), chance)
    while questions := game.pending(state):
        answers: dict[int, Decision] = {}
        for question in questions:
            seat = question.seat
            choices = game.choices(state, seat)
            answer = choices[players[seat](game.observe(state, seat), len(choices))]
            answers[seat] = game.check(state, seat, answer) if check else answer
        decisions += len(answers)
        state, _ = game.resolve(state, answers, chance)
    return decisions


@dataclass(frozen=True)
class Known:
    """A game that was played: by seat, its answers in the order of asking."""

    number: int
    answers: tuple[tuple[Decision, ...], ...]
    decisions: int

    def replay(self, game: Game[Any]) -> Replay:
        """Play it by `gangland.match.play` and return the replay."""
        return play(game, [KnownPlayer(answers) for answers in self.answers], seed(self.number)).replay


class KnownPlayer:
    """A player of `gangland.match` that gives known answers: none of the time is the player's."""

    def __init__(self, answers: Sequence[Decision]) -> None:
        self.answers = iter(answers)

    def decide(self, kind: str, view: View, number: int) -> object:
        """Return the next answer."""
        return next(self.answers)


def known_games(game: Game[Any], seats: int) -> list[Known]:
    """Play games at random and keep their answers."""
    players = random_players(seats)
    return [_known(game, players, number) for number in range(KEPT_GAMES)]


def _known(game: Game[Any], players: Sequence[Player], number: int) -> Known:
    kept: list[list[Decision]] = [[] for _ in players]
    chance = SeededChance(seed(number))
    state, _ = game.start(len(players), game.options({}), chance)
    while questions := game.pending(state):
        for question in questions:
            choices = game.choices(state, question.seat)
            kept[question.seat].append(choices[players[question.seat](None, len(choices))])
        state, _ = game.resolve(state, {question.seat: kept[question.seat][-1] for question in questions}, chance)
    return Known(number, tuple(map(tuple, kept)), sum(map(len, kept)))


def match_play(name: str, seats: int) -> Batch:
    """Whole games by `gangland.match.play`: checked, recorded, with replays; the answers are known beforehand."""
    game = game_named(name)
    known = known_games(game, seats)

    def run(numbers: range) -> int:
        decisions = 0
        for each in _in_turn(known, numbers):
            each.replay(game)
            decisions += each.decisions
        return decisions

    return run


def replay_verified(name: str, seats: int) -> Batch:
    """Replays played again and compared, as is done with every result before it counts."""
    game = game_named(name)
    replays = [(each.replay(game), each.decisions) for each in known_games(game, seats)]

    def run(numbers: range) -> int:
        total = 0
        for replay, decisions in _in_turn(replays, numbers):
            verify(replay)
            total += decisions
        return total

    return run


def _in_turn(kept: Sequence[Any], numbers: range) -> Iterator[Any]:
    """Yield a kept game for each number, from the first one again when there are no more."""
    return (kept[number % len(kept)] for number in numbers)
