"""Where a game stands, and the working copy that a transition uses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from gangland.chance import Chance
from gangland.game import EndReason, Event, Question
from gangland.gangster_dice.cards import Dice, minus, of_colour
from gangland.gangster_dice.characters import Character
from gangland.gangster_dice.events import HIDDEN_KINDS
from gangland.gangster_dice.options import Options

Faces = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""By colour, the token whose symbol each die shows."""
Holders = tuple[int | None, ...]
"""By token, the seat that controls it (of the Investigator: that holds it), None for nobody."""
Bids = tuple[tuple[int, int, int], ...]
"""A seat's bids: token, favor and score of each."""
Answers = tuple[tuple[str, Any], ...]
"""A seat's answers in this round's effects, and in a swap: (kind, decision) in the order of asking."""
EFFECTS: Final = ("exchange", "stake", "dump")
"""The kinds of effects, in the order in which a seat is asked (G16)."""


Step = Callable[["Table"], bool | None]
"""A step of a round; it returns true if it comes again once what it asked is answered."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What never changes in a game.

    Attributes:
        cast: by seat, its character; `PLAIN` for all without characters.
        steps: the steps of a round in their order (`rules.ROUND`).
        wire: options and characters by seat, as every view carries them.
    """

    options: Options
    cast: tuple[Character, ...]
    steps: tuple[Step, ...]
    wire: tuple[Any, ...]


class State(NamedTuple):
    """Where a game stands while it waits for decisions, or at its end.  Tuples "by seat" are in seat order.

    Attributes:
        step: index of the step of the round that takes the answers.
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
        discards: how many favors of each value 0 to 3 are discarded, to 4 where played +4s are.
        specials: how many +4 favors lie in their stack.
        unseen_specials: by seat, +4s in the hand that came from the deck, so that others do not know of them (G28).
        opening: who controlled each token at the start of the round.
        bonus: dice on the Streets at the start of the round (G13).
        control: who controls each token now.
        dice: by token, what lies on it now.
        bids: by seat, its bids with their scores; empty before the reveal.
        winners: by token, who influences it this round.
        answers: by seat, what it chose in this round's effects and in a swap.
        drawing: whose turn it is to draw, and what that seat has drawn so far (it is in the hand).
        pair: the two favors of which that seat keeps one; empty if it is not asked.
        passed: favors that were not kept, face up until all have drawn.
        spared: whether no die is taken from the Investigator this round: a favor was discarded instead.
        told: this round's public events.
        history: the public events of the rounds before, the last one first, as far back as a seat needs them.
        last_asked: by seat, the round of its last decision.
        shown: what all seats see, put together once for their views.
    """

    setting: Setting
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
    unseen_specials: tuple[int, ...]
    opening: Holders
    bonus: int
    control: Holders
    dice: tuple[Dice, ...]
    bids: tuple[Bids, ...]
    winners: Holders
    answers: tuple[Answers, ...]
    drawing: tuple[int, tuple[int, ...]]
    pair: tuple[int, ...]
    passed: tuple[int, ...]
    spared: bool
    told: tuple[Event, ...]
    history: tuple[tuple[Event, ...], ...]
    last_asked: tuple[int, ...]
    shown: tuple[Any, ...]


class Table:
    """A state's working copy: the steps of a round change it, and nobody sees it half done.

    Its attributes are those of `State`, lists for tuples where single values change, and what
    one transition needs besides.

    Attributes:
        chance: this game's dice and cards.
        decisions: by seat, (kind, decision) for each question of the state that it began from.
        events: everything that has happened in this transition.
        round_began: how many of these events are from rounds before.
        whispered: whether any of them is hidden.
        tell: records what happened in public.
    """

    __slots__ = (*State._fields, "chance", "decisions", "events", "round_began", "tell", "whispered")

    setting: Setting
    round: int
    step: int
    questions: tuple[Question, ...]
    half_answered: bool
    end: EndReason | None
    hand_limits: tuple[int, ...]
    stashes: list[Dice]
    faces: tuple[Faces, ...]
    symbols: tuple[tuple[int, ...], ...]
    locked: list[Dice]
    hands: list[tuple[int, ...]]
    deck: tuple[int, ...]
    shuffles: int
    discards: list[int]
    specials: int
    unseen_specials: tuple[int, ...]
    opening: Holders
    bonus: int
    control: list[int | None]
    dice: list[Dice]
    bids: tuple[Bids, ...]
    winners: Holders
    answers: list[Answers]
    drawing: tuple[int, tuple[int, ...]]
    pair: tuple[int, ...]
    passed: tuple[int, ...]
    spared: bool
    told: tuple[Event, ...]
    history: tuple[tuple[Event, ...], ...]
    last_asked: list[int]
    shown: tuple[Any, ...]
    chance: Chance
    decisions: dict[int, tuple[str, Any]]
    events: list[Event]
    round_began: int
    whispered: bool
    tell: Callable[[Event], None]

    def __init__(self, state: State, chance: Chance) -> None:
        (
            self.setting,
            self.round,
            self.step,
            self.questions,
            self.half_answered,
            self.end,
            self.hand_limits,
            stashes,
            self.faces,
            self.symbols,
            locked,
            hands,
            self.deck,
            self.shuffles,
            discards,
            self.specials,
            self.unseen_specials,
            self.opening,
            self.bonus,
            control,
            dice,
            self.bids,
            self.winners,
            answers,
            self.drawing,
            self.pair,
            self.passed,
            self.spared,
            self.told,
            self.history,
            last_asked,
            self.shown,
        ) = state
        self.stashes = list(stashes)
        self.locked = list(locked)
        self.hands = list(hands)
        self.discards = list(discards)
        self.control = list(control)
        self.dice = list(dice)
        self.answers = list(answers)
        self.last_asked = list(last_asked)
        self.chance = chance
        self.decisions = {}
        self.events = []
        self.round_began = 0
        self.whispered = False
        self.tell = self.events.append

    def whisper(self, event: Event) -> None:
        """Record what happened in secret: spectators see it, no seat does."""
        self.whispered = True
        self.events.append(event)

    def public_events(self) -> tuple[Event, ...]:
        """Return this round's public events so far."""
        new = self.events[self.round_began :]
        if self.whispered:
            new = [event for event in new if event[0] not in HIDDEN_KINDS]
        return (*self.told, *new)


Position = State | Table
"""What legality is read from."""


def to_give(position: Position, seat: int) -> Dice:
    """Return the dice that a seat may still give while effects are chosen (G16).

    Neither dice from the exchange nor any named for an earlier effect are among them.  No die
    is locked (G17) before the first effect is carried out.
    """
    dice = position.stashes[seat]
    for kind, answer in position.answers[seat]:
        if kind == "exchange":
            dice = minus(dice, answer[0])
        elif kind == "stake" and answer is not None:
            dice = minus(dice, of_colour(answer))
    return dice
