"""Where a game stands, and the working copy that a transition uses."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final, TypeVar

from gangland.chance import Chance
from gangland.game import Decision, EndReason, Event, Question
from gangland.gangster_dice.cards import INVESTIGATOR, SPEAKEASY, STREETS, Dice, minus, of_colour
from gangland.gangster_dice.events import HIDDEN_KINDS
from gangland.gangster_dice.options import Options

T = TypeVar("T")

Faces = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""By colour, the token whose symbol each die shows."""
Holders = tuple[int | None, ...]
"""By token, the seat that controls it (of the Investigator: that holds it), None for nobody."""
TokenDice = tuple[Dice, ...]
"""By token, the dice that lie on it."""
Answers = tuple[tuple[str, Any], ...]
"""A seat's answers in this round's effects: (kind, decision) in the order of asking."""
EFFECTS: Final = (("exchange", SPEAKEASY), ("stake", STREETS), ("dump", INVESTIGATOR))
"""Kinds of effects with their tokens, in the order in which a seat is asked (G16)."""


@dataclass(frozen=True, slots=True)
class State:
    """Where a game stands while it waits for decisions, or at its end.  Tuples "by seat" are in seat order.

    Attributes:
        fixed: what never changes in a game, as every view carries it: options, characters by seat.
        step: index of the step of the round that comes next.
        questions: what is asked now, in seat order.
        half_answered: a simultaneous stage of which one ply is answered and another is asked.
        end: why the game is over by the rules, None while it goes on.
        hand_limits: by seat.
        stashes: by seat, dice by colour.
        faces: by seat, this round's roll.
        symbols: by seat, how many of each token's symbols the roll shows.
        locked: by seat, dice that came in this round (G17).
        hands: by seat, favors sorted upward.
        deck: next card first.
        shuffles: how often the deck was shuffled, the setup included.
        discards: how many favors of each value 0 to 3 are discarded.
        specials: how many +4 favors lie in their stack.
        opening: who controlled each token at the start of the round.
        bonus: dice on the Streets at the start of the round (G13).
        control: who controls each token now.
        dice: what lies on each token now.
        bids: by seat, (token, favor, score) of each bid; empty before the reveal.
        winners: by token, who influences it this round.
        answers: by seat, what it chose in this round's effects.
        told: this round's public events.
        history: the public events of the rounds before, the last one first, as far back as a seat needs them.
        last_asked: by seat, the round of its last decision.
        shown: what all seats see, put together once for their views.
    """

    options: Options
    fixed: tuple[Any, ...]
    round: int
    step: int
    questions: tuple[Question, ...]
    half_answered: bool
    end: EndReason | None
    hand_limits: tuple[int, ...]
    stashes: tuple[Dice, ...]
    faces: tuple[Faces, ...]
    symbols: tuple[tuple[int, ...], ...]
    locked: tuple[Dice, ...]
    hands: tuple[tuple[int, ...], ...]
    deck: tuple[int, ...]
    shuffles: int
    discards: tuple[int, ...]
    specials: int
    opening: Holders
    bonus: int
    control: Holders
    dice: TokenDice
    bids: tuple[tuple[tuple[int, int, int], ...], ...]
    winners: Holders
    answers: tuple[Answers, ...]
    told: tuple[Event, ...]
    history: tuple[tuple[Event, ...], ...]
    last_asked: tuple[int, ...]
    shown: tuple[Any, ...]


_values_of = attrgetter(*State.__slots__)


@dataclass(slots=True)
class Table:
    """A state's working copy: the steps of a round change it, and nobody sees it half done.

    Its fields are those of `State`, and what one transition needs besides.

    Attributes:
        chance: this game's dice and cards.
        events: everything that has happened in this transition.
        decisions: by seat, (kind, decision) for each question of the state that it began from.
    """

    options: Options
    fixed: tuple[Any, ...]
    round: int
    step: int
    questions: tuple[Question, ...]
    half_answered: bool
    end: EndReason | None
    hand_limits: tuple[int, ...]
    stashes: tuple[Dice, ...]
    faces: tuple[Faces, ...]
    symbols: tuple[tuple[int, ...], ...]
    locked: tuple[Dice, ...]
    hands: tuple[tuple[int, ...], ...]
    deck: tuple[int, ...]
    shuffles: int
    discards: tuple[int, ...]
    specials: int
    opening: Holders
    bonus: int
    control: Holders
    dice: TokenDice
    bids: tuple[tuple[tuple[int, int, int], ...], ...]
    winners: Holders
    answers: tuple[Answers, ...]
    told: tuple[Event, ...]
    history: tuple[tuple[Event, ...], ...]
    last_asked: tuple[int, ...]
    shown: tuple[Any, ...]
    chance: Chance
    events: list[Event]
    decisions: dict[int, tuple[str, Decision]]

    @property
    def seats(self) -> range:
        """The seats, in seat order."""
        return range(len(self.stashes))

    def tell(self, *event: Any) -> None:
        """Record what happened."""
        self.events.append(event)
        if event[0] not in HIDDEN_KINDS:
            self.told += (event,)

    def freeze(self) -> State:
        """Return the table as it stands."""
        return State(*_values_of(self))


Position = State | Table
"""What legality is read from."""


def thaw(state: State, decisions: dict[int, tuple[str, Decision]], chance: Chance) -> Table:
    """Return a working copy of the state."""
    return Table(*(*_values_of(state), chance, [], decisions))


def put(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """Return the tuple with one value replaced."""
    return (*values[:index], value, *values[index + 1 :])


def left(position: Position, seat: int) -> Dice:
    """Return the dice that a seat may still give in this round's effects (G16, G17).

    Neither dice from the exchange nor any named for an earlier effect are among them.
    """
    dice = position.stashes[seat]
    for kind, answer in position.answers[seat]:
        if kind == "exchange":
            dice = minus(dice, answer[0])
        elif kind == "stake" and answer is not None:
            dice = minus(dice, of_colour(answer))
    return dice
