"""Ways to play random games: those of the engine, and the hand-tuned loop."""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from benchmarks.hand_tuned import Player, gang_of_dice, gangster_dice
from benchmarks.ways import Batch, random_players, seed
from gangland.chance import SeededChance
from gangland.game import Decision, Game
from gangland.games import game_named
from gangland.match import play
from gangland.replay import Replay, verify
from gangland.view import View

KEPT_GAMES = 48
"""The number of recorded games for the ways that replay known decisions."""

HAND_TUNED: dict[str, Callable[..., Any]] = {"gangster-dice": gangster_dice.play, "gang-of-dice": gang_of_dice.play}


def hand_tuned(name: str, seats: int) -> Batch:
    """Random players, dice and cards from `random`, an observation for every decision."""
    loop, players, dice, cards = HAND_TUNED[name], random_players(seats), Random("dice"), Random("cards")
    return lambda numbers: sum([loop(seats, players, dice, cards).decisions for _ in numbers])


def rollout(name: str, seats: int) -> Batch:
    """Whole games by `Game.rollout`: an observation for every decision; dice and cards from the game's seed."""
    game, players = game_named(name), random_players(seats)
    options = game.options({})

    def run(numbers: range) -> int:
        decisions = 0
        for number in numbers:
            chance = SeededChance(seed(number))
            state, _ = game.start(seats, options, chance)
            decisions += game.rollout(state, players, chance)[1]
        return decisions

    return run


def stepped(name: str, seats: int) -> Batch:
    """Step by step: pending, observe, choices, resolve, which makes events."""
    game, players = game_named(name), random_players(seats)
    return lambda numbers: sum([play_stepped(game, players, number, check=False) for number in numbers])


def checked(name: str, seats: int) -> Batch:
    """Step by step, with a check of every answer, as for the answers of bots."""
    game, players = game_named(name), random_players(seats)
    return lambda numbers: sum([play_stepped(game, players, number, check=True) for number in numbers])


def play_stepped(game: Game[Any], players: Sequence[Player], number: int, *, check: bool) -> int:
    """Play one game at random and return its number of decisions."""
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


class KnownPlayer:
    """A player of `gangland.match` that gives known answers, and so takes no time itself."""

    def __init__(self, answers: Sequence[Decision]) -> None:
        self.answers = iter(answers)

    def decide(self, kind: str, view: View, number: int) -> object:
        """Return the next answer."""
        return next(self.answers)


def known_games(game: Game[Any], seats: int) -> list[list[list[Decision]]]:
    """Play games at random; return the answers of each by seat, in the order in which they are asked for."""
    players = random_players(seats)
    return [_answers(game, players, number) for number in range(KEPT_GAMES)]


def _answers(game: Game[Any], players: Sequence[Player], number: int) -> list[list[Decision]]:
    decisions: list[list[Decision]] = [[] for _ in players]
    chance = SeededChance(seed(number))
    state, _ = game.start(len(players), game.options({}), chance)
    while questions := game.pending(state):
        for question in questions:
            choices = game.choices(state, question.seat)
            decisions[question.seat].append(choices[players[question.seat](None, len(choices))])
        state, _ = game.resolve(state, {question.seat: decisions[question.seat][-1] for question in questions}, chance)
    return decisions


def _replayed(game: Game[Any], number: int, answers: Sequence[Sequence[Decision]]) -> Replay:
    return play(game, [KnownPlayer(own) for own in answers], seed(number)).replay


def match_play(name: str, seats: int) -> Batch:
    """Whole games by `gangland.match.play`: checked, recorded, with replays; the answers are known beforehand."""
    game = game_named(name)
    known = list(enumerate(known_games(game, seats)))
    return lambda numbers: sum([len(_replayed(game, *each).decisions) for each in _in_turn(known, numbers)])


def replay_verified(name: str, seats: int) -> Batch:
    """Replay and compare recorded games, as the platform does with every result before it counts."""
    game = game_named(name)
    replays = [_replayed(game, *each) for each in enumerate(known_games(game, seats))]

    def run(numbers: range) -> int:
        decisions = 0
        for replay in _in_turn(replays, numbers):
            verify(replay)
            decisions += len(replay.decisions)
        return decisions

    return run


def _in_turn(games: Sequence[Any], numbers: range) -> Iterator[Any]:
    """Yield a recorded game for each number, in turn."""
    return (games[number % len(games)] for number in numbers)
