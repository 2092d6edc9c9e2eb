"""Shared parts of all adapters: the engine's position, observations in numbers, actions, and a check."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from benchmarks.ways import Batch, seed, utilities
from gangland.chance import Chance, SeededChance
from gangland.game import Decision, Game
from gangland.games import game_named
from gangland.gang_of_dice import FACES, WARNINGS

BIDS = 2
"""The maximum number of bids of a seat."""
MAX_EXCHANGES = 146
"""The maximum number of legal answers to one Gangster Dice decision: exchanges of 0 to 3 dice on each side."""
MAX_DICE = 162
"""The maximum number of dice of a Gang of Dice player: those of four players and the bonus dice."""
LENGTH = {"gangster-dice": lambda seats: 41 + (9 + 3 * BIDS) * seats, "gang-of-dice": lambda seats: 42 + 7 * seats}
"""The length of an observation, by the number of seats."""


class Sitting:
    """One game as a framework plays it.

    Gangster Dice is answered with the index of a legal answer.  Gang of Dice is answered with six numbers of dice,
    because there would be hundreds of thousands of indices of rerolls.

    Attributes:
        questions: the kind of question for each seat that is asked now.
        counted: the number of decisions.
    """

    def __init__(self, game: Game[Any], seats: int, seed: bytes) -> None:
        self.game = game
        self.by_index = game.name == "gangster-dice"
        self.chance = SeededChance(seed)
        self.state, _ = game.start(seats, game.options({}), self.chance)
        self.counted = 0
        self._ask()

    def go_on(self, decisions: Mapping[int, Decision]) -> None:
        """Let the engine resolve the decisions."""
        self.state, _ = self.game.resolve(self.state, decisions, self.chance)
        self._ask()

    def _ask(self) -> None:
        self.questions = {question.seat: question.kind for question in self.game.pending(self.state)}
        self.counted += len(self.questions)
        self.choices = {seat: self.game.choices(self.state, seat) for seat in self.questions} if self.by_index else {}
        self.outcome = None if self.questions else self.game.outcome(self.state)

    def view(self, seat: int) -> Any:
        """Return a seat's view."""
        return self.game.observe(self.state, seat)

    def legal(self, seat: int, view: Any) -> Any:
        """Return the legal actions of an asked seat: the number of indices, or the maximum of each number of dice."""
        return len(self.choices[seat]) if self.by_index else limits(view)

    def decision(self, seat: int, action: Any) -> Decision:
        """Return the decision of an action."""
        if self.by_index:
            decision: Decision = self.choices[seat][action]
            return decision
        return dice_decision(action, rerolls=self.questions[seat] == "reroll")

    def utilities(self) -> list[float]:
        """Return each seat's payoff at the end."""
        assert self.outcome is not None
        return utilities(self.outcome)


PlayOne = Callable[[Game[Any], int, int], tuple[int, list[float]]]
"""A function that plays the game with this number in a framework, and returns the decisions and each seat's payoff."""


class Witness:
    """A game that records every decision that the framework passes to the engine."""

    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        self.decided: list[dict[int, Decision]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def resolve(self, state: Any, decisions: Mapping[int, Decision], chance: Chance) -> Any:
        """Record the decisions and let the engine resolve them."""
        self.decided.append(dict(decisions))
        return self._game.resolve(state, decisions, chance)


def proven(play_one: PlayOne, name: str, seats: int) -> Batch:
    """Check that a framework plays one whole game like the engine, and return that game's batch function.

    Raises:
        RuntimeError: the games differ.
    """
    game = game_named(name)
    witness: Any = Witness(game)
    counted, reported = play_one(witness, seats, 0)
    chance = SeededChance(seed(0))
    state, _ = game.start(seats, game.options({}), chance)
    for decisions in witness.decided:
        for question in game.pending(state):
            game.check(state, question.seat, decisions[question.seat])
        state, _ = game.resolve(state, decisions, chance)
    outcome = game.outcome(state)
    if outcome is None or reported != utilities(outcome) or counted != sum(map(len, witness.decided)):
        raise RuntimeError(f"{play_one.__module__} does not play {name} as the engine does: {reported!r}, {outcome!r}")
    return lambda numbers: sum([play_one(game, seats, number)[0] for number in numbers])


def vector(name: str, view: Any) -> list[int]:
    """Return a view as numbers; their count depends only on the game and its seats; absent seats are 0."""
    return _gangster_dice(view) if name == "gangster-dice" else _gang_of_dice(view)


def _gangster_dice(view: Any) -> list[int]:
    numbers = [view.seat, view.round, view.bids_required, view.deck, view.specials]
    numbers += view.discards
    numbers += [view.hand.count(favor) for favor in range(5)]
    numbers += view.locked
    for player in view.players:
        numbers += player.dice
        numbers += player.symbols
        numbers += (player.hand_size, player.specials)
    for token in view.tokens:
        numbers += token.dice
        numbers += (_seat(token.holder), _seat(token.holder_before), _seat(token.winner))
    for seat_bids in view.bids or ((),) * view.seats:
        for bid in seat_bids:
            numbers += (1 + bid.token, bid.favor, bid.score)
        numbers += [0] * (3 * (BIDS - len(seat_bids)))
    return numbers


def _gang_of_dice(view: Any) -> list[int]:
    numbers = [view.seat, view.round, view.carried, view.bonus, view.rerolls_left, view.best_total, view.best_stake]
    numbers += (_seat(view.best_seat), _seat(view.first_seat), int(view.triggered), view.total)
    numbers += _counts(view.dice, FACES)
    gone = {card.id for card in view.cards_gone}
    numbers += [int(card.id in gone) for card in WARNINGS]
    numbers.append(WARNINGS.index(view.card))
    eliminated, turns = view.eliminated_in, {turn.seat: turn for turn in view.turns}
    for seat, pool in enumerate(view.pools):
        turn = turns.get(seat)
        numbers += (pool, eliminated[seat] or 0)
        numbers += (turn.stake, turn.total, len(turn.rolls), turn.final, turn.bust) if turn else (0, 0, 0, 0, 0)
    return numbers


def _seat(seat: int | None) -> int:
    return 0 if seat is None else seat + 1


def _counts(dice: tuple[int, ...], faces: Iterable[int]) -> list[int]:
    return [dice.count(face) for face in faces]


def limits(view: Any) -> list[int]:
    """Return the maximum of each of the six numbers of a Gang of Dice action.

    To choose dice, the first number is the number of dice minus one, and the others are 0.  To reroll, the numbers
    are the numbers of dice of each face, gangsters first.
    """
    return _counts(view.dice, FACES) if view.dice else [view.pool - 1, 0, 0, 0, 0, 0]


def dice_decision(action: Iterable[int], *, rerolls: bool) -> int | tuple[int, ...]:
    """Return the decision of a Gang of Dice action: dice to reroll, or a number of dice to roll."""
    counts = [int(count) for count in action]
    return tuple([face for face in FACES for _ in range(counts[face])]) if rerolls else 1 + counts[0]
