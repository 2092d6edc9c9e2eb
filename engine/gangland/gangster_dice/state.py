"""Where a game stands, and the working copy that a transition uses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from gangland.chance import Chance
from gangland.game import EndReason, Event, Question
from gangland.gangster_dice.cards import Dice, minus, of_colour
from gangland.gangster_dice.characters import Character
from gangland.gangster_dice.options import Options
from gangland.gangster_dice.rounds import Bids, Course, Holders, Kept, Opening, events_of, shown_faces
from gangland.view import unchangeable

Answers = tuple[tuple[str, Any], ...]
"""A seat's answers in this round's effects, and in a swap: (kind, decision) in the order of asking."""
EFFECTS: Final = ("exchange", "stake", "dump")
"""The kinds of effects, in the order in which a seat is asked (G16)."""


Step = Callable[["Table"], bool]
"""A step of a round; it returns true where the game waits: for answers, which the same step takes, or being over."""


@unchangeable
@dataclass(frozen=True, slots=True)
class Setting:
    """What never changes in a game.

    Attributes:
        cast: by seat, its character; `PLAIN` for all without characters.
        steps: the steps of a round in their order (`rules.ROUND`).
        shown: options and characters by seat, as every view carries them.
        heads_up: whether two play (G1).
        draws_pairs: whether any character does.
        none, no_dice, no_answers: nothing, by seat.
    """

    options: Options
    cast: tuple[Character, ...]
    steps: tuple[Step, ...]
    shown: tuple[Any, Any]
    heads_up: bool
    draws_pairs: bool
    none: tuple[int, ...]
    no_dice: tuple[Dice, ...]
    no_answers: tuple[Answers, ...]


class Public(NamedTuple):
    """What all seats see.  Tuples "by seat" are in seat order.

    Attributes:
        shown: options and characters, as in `Setting`.
        opening: how this round began.
        questions: what is asked now, in seat order.
        stashes: by seat, dice by colour.
        hand_limits: by seat.
        hand_sizes: by seat.
        specials_held: by seat, the +4s in its hand that were won in public.
        control: who controls each token now.
        dice: by token, what lies on it now.
        deck: how many favors are in the deck.
        discards: how many favors of each value 0 to 3 are discarded, to 4 where played +4s are.
        specials: how many +4 favors lie in their stack.
        bids: by seat, its bids with their scores; empty before the reveal.
        winners: by token, who influences it this round.
        log: what has happened in this round since the reveal.
        history: the rounds before, the last one first, as far back as a seat needs them.
        kept: what was worked out of all this.
    """

    shown: tuple[Any, Any]
    opening: Opening
    questions: tuple[Question, ...]
    stashes: tuple[Dice, ...]
    hand_limits: tuple[int, ...]
    hand_sizes: tuple[int, ...]
    specials_held: tuple[int, ...]
    control: Holders
    dice: tuple[Dice, ...]
    deck: int
    discards: tuple[int, ...]
    specials: int
    bids: tuple[Bids, ...]
    winners: Holders
    log: tuple[Event, ...]
    history: tuple[Course, ...]
    kept: Kept

    @property
    def course(self) -> Course:
        """What has happened in this round so far."""
        return Course(self.opening, self.bids, self.winners, self.control, self.log, self.kept)

    def table(self) -> tuple[Any, ...]:
        """Return it as plain values in the order of `wire`, one tuple for the views of all seats.

        Events are among them if they were made already.
        """
        kept = self.kept
        try:
            return kept.shown
        except AttributeError:
            kept.shown = self.wire() if hasattr(kept, "events") else self._plain(())
            return kept.shown

    def events(self) -> tuple[Event, ...]:
        """Return what has happened in this round."""
        try:
            return self.kept.events
        except AttributeError:
            return events_of(self.course)

    def wire(self) -> tuple[Any, ...]:
        """Return the table with its events; one tuple for the wires of all seats."""
        kept = self.kept
        try:
            return kept.wire
        except AttributeError:
            kept.wire = self._plain(self.events())
            return kept.wire

    def _plain(self, events: tuple[Event, ...]) -> tuple[Any, ...]:
        """Return the table as plain values with these events, in the order of `wire`."""
        (
            shown,
            opening,
            questions,
            stashes,
            hand_limits,
            hand_sizes,
            specials_held,
            control,
            dice,
            deck,
            discards,
            specials,
            bids,
            winners,
            _,
            _,
            _,
        ) = self
        number, faces, symbols, control_before, bonus, _, _, _ = opening
        options, characters = shown
        return (
            options,
            characters,
            number,
            stashes,
            shown_faces(faces),
            symbols,
            hand_limits,
            hand_sizes,
            specials_held,
            control_before,
            bonus,
            control,
            dice,
            deck,
            discards,
            specials,
            bids,
            winners,
            events,
            bool(questions) and questions[0].kind in EFFECTS,
        )

    def history_since(self, last_asked: int) -> tuple[tuple[Event, ...], ...]:
        """Return what has happened in the rounds before, for a seat whose last decision was in this one (G42)."""
        rounds, history = self.opening.round - last_asked, self.history
        if rounds <= 1 and history:
            return (events_of(history[0]),)
        return tuple(map(events_of, history[: max(1, rounds)]))


class Rare(NamedTuple):
    """What few states have anything of, and few transitions change.

    Attributes:
        half_answered: a simultaneous stage of which one ply is answered and another is asked.
        end: why the game is over by the rules, None while it goes on.
        shuffles: how often the deck was shuffled, the setup included.
        unseen_specials: by seat, +4s in the hand that came from the deck, so that others do not know of them (G28).
        drawing: whose turn it is to draw, and what that seat has drawn so far (it is in the hand).
        pair: the two favors of which that seat keeps one; empty if it is not asked.
        passed: favors that were not kept, face up until all have drawn.
        spared: whether no die is taken from the Investigator this round: a favor was discarded instead.
    """

    half_answered: bool
    end: EndReason | None
    shuffles: int
    unseen_specials: tuple[int, ...]
    drawing: tuple[int, tuple[int, ...]]
    pair: tuple[int, ...]
    passed: tuple[int, ...]
    spared: bool


class State(NamedTuple):
    """Where a game stands while it waits for decisions, or at its end.  Tuples "by seat" are in seat order.

    Attributes:
        step: index of the step of the round that takes the answers.
        locked: by seat, dice that came in this round (G17).
        hands: by seat, favors sorted upward.
        deck: next card first.
        answers: by seat, what it chose in this round's effects and in a swap.
        last_asked: by seat, the round of its last decision.
    """

    setting: Setting
    step: int
    public: Public
    locked: tuple[Dice, ...]
    hands: tuple[tuple[int, ...], ...]
    deck: tuple[int, ...]
    answers: tuple[Answers, ...]
    last_asked: tuple[int, ...]
    rare: Rare

    @property
    def questions(self) -> tuple[Question, ...]:
        """What is asked now, in seat order."""
        return self.public.questions

    @property
    def opening(self) -> Opening:
        """How this round began."""
        return self.public.opening

    @property
    def stashes(self) -> tuple[Dice, ...]:
        """By seat, dice by colour."""
        return self.public.stashes

    @property
    def control(self) -> Holders:
        """Who controls each token now."""
        return self.public.control

    @property
    def dice(self) -> tuple[Dice, ...]:
        """By token, what lies on it now."""
        return self.public.dice


class Table:
    """A state's working copy: the steps of a round change it, and nobody sees it half done.

    Its attributes are those of `State` and `Public`, and what one transition needs besides.

    Attributes:
        chance: this game's dice and cards.
        asked: the questions that the transition began with, until the first step has taken the answers.
        decisions: by seat, these answers.
        events: all that happens in the transition, what is hidden among it; None where nobody watches.
        told: if somebody does, what has happened in public in this round.
    """

    __slots__ = (
        "answers",
        "asked",
        "bids",
        "chance",
        "control",
        "decisions",
        "deck",
        "dice",
        "discards",
        "events",
        "hand_limits",
        "hands",
        "history",
        "last_asked",
        "locked",
        "log",
        "opening",
        "questions",
        "rare",
        "setting",
        "specials",
        "stashes",
        "step",
        "told",
        "winners",
    )

    def __init__(self, state: State, decisions: Mapping[int, Any], chance: Chance) -> None:
        (
            self.setting,
            self.step,
            public,
            self.locked,
            self.hands,
            self.deck,
            self.answers,
            self.last_asked,
            self.rare,
        ) = state
        (
            _,
            self.opening,
            self.asked,
            self.stashes,
            self.hand_limits,
            _,
            _,
            self.control,
            self.dice,
            _,
            self.discards,
            self.specials,
            self.bids,
            self.winners,
            self.log,
            self.history,
            _,
        ) = public
        self.decisions = decisions
        self.chance = chance
        self.questions: tuple[Question, ...] = ()
        self.events: list[Event] | None = []
        self.told: list[Event] = []

    def tell(self, event: Event) -> None:
        """Record what happened in public after the reveal."""
        self.log += (event,)
        if self.events is not None:
            self.events.append(event)
            self.told.append(event)

    def kept(self) -> Kept:
        """Return what goes with the round as it stands, for whoever reads it: its events, if somebody watches."""
        kept = Kept()
        if self.events is not None:
            kept.events = tuple(self.told)
        return kept


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
