"""The state of a game, and the working copy that a transition changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from gangland.chance import Chance
from gangland.game import EndReason, Event, Question
from gangland.gangster_dice.cards import Dice, minus, of_color
from gangland.gangster_dice.characters import Character
from gangland.gangster_dice.options import Options
from gangland.gangster_dice.rounds import Bids, Cache, Course, Holders, Opening, events_of, shown_faces
from gangland.view import unchangeable

Answers = tuple[tuple[str, Any], ...]
"""A seat's answers in this round's effects and swap: (kind, decision), in the order in which they were asked for."""
EFFECTS: Final = ("exchange", "stake", "dump")
"""The kinds of effects, in the order in which they are asked (G16)."""

Step = Callable[["Table"], bool]
"""A step of a round.  It returns true if the game is over or waits for answers, with which the same step runs again."""


@unchangeable
@dataclass(frozen=True, slots=True)
class Setting:
    """The constant part of a game."""

    options: Options
    cast: tuple[Character, ...]  # by seat, its character; `PLAIN` for all without characters
    steps: tuple[Step, ...]  # the steps of a round in their order (`rules.ROUND`)
    header: tuple[Any, Any]  # options and characters by seat, as in views
    heads_up: bool  # whether there are two players (G1)
    draws_pairs: bool  # whether any character draws pairs
    # Empty values for each seat: a 0, no dice, no answers.
    none: tuple[int, ...]
    no_dice: tuple[Dice, ...]
    no_answers: tuple[Answers, ...]


class Public(NamedTuple):
    """The public part of a state.  Tuples "by seat" are in seat order."""

    header: tuple[Any, Any]  # options and characters, as in `Setting`
    opening: Opening  # the start of this round
    questions: tuple[Question, ...]  # the pending questions, in seat order
    stashes: tuple[Dice, ...]  # by seat, dice by color
    hand_limits: tuple[int, ...]  # by seat
    hand_sizes: tuple[int, ...]  # by seat
    specials_held: tuple[int, ...]  # by seat, the +4s in its hand that were won in public
    control: Holders  # the controller of each token now
    dice: tuple[Dice, ...]  # by token, the dice on it now
    deck: int  # the number of favors in the deck
    # The number of discarded favors of each value, 0 to 3, or to 4 if played +4s are discarded.
    discards: tuple[int, ...]
    specials: int  # the number of +4 favors in their stack
    bids: tuple[Bids, ...]  # by seat, with their scores; empty before the reveal
    winners: Holders  # by token, the seat that influences it this round
    log: tuple[Event, ...]  # the events of this round since the reveal
    history: tuple[Course, ...]  # earlier rounds, newest first, as far back as any seat needs them
    cache: Cache  # values derived from these

    @property
    def course(self) -> Course:
        """The course of this round."""
        return Course(self.opening, self.bids, self.winners, self.control, self.log, self.cache)

    def table(self) -> tuple[Any, ...]:
        """Return plain values in the order of `wire`, shared by all views; with events only if they exist."""
        cache = self.cache
        try:
            return cache.table
        except AttributeError:
            cache.table = self.wire() if hasattr(cache, "events") else self._plain(())
            return cache.table

    def events(self) -> tuple[Event, ...]:
        """Return the public events of this round."""
        try:
            return self.cache.events
        except AttributeError:
            return events_of(self.course)

    def wire(self) -> tuple[Any, ...]:
        """Return plain values with the events; one tuple for the wires of all seats."""
        cache = self.cache
        try:
            return cache.wire
        except AttributeError:
            cache.wire = self._plain(self.events())
            return cache.wire

    def _plain(self, events: tuple[Event, ...]) -> tuple[Any, ...]:
        (
            header,
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
        options, characters = header
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
        """Return the events of earlier rounds for a seat whose last decision was in round `last_asked` (G42)."""
        rounds, history = self.opening.round - last_asked, self.history
        if rounds <= 1 and history:
            return (events_of(history[0]),)
        return tuple(map(events_of, history[: max(1, rounds)]))


class Rare(NamedTuple):
    """Values that are empty in most states, and that few transitions change."""

    half_answered: bool  # a simultaneous stage has one answered ply and asks another
    end: EndReason | None  # the reason for the end of the game by its rules; None before it
    shuffles: int  # the number of shuffles of the deck, including the setup's
    # By seat, the number of +4s in the hand that came from the deck, unknown to other seats (G28).
    unseen_specials: tuple[int, ...]
    drawing: tuple[int, tuple[int, ...]]  # the seat whose turn it is to draw, and its draws so far (also in its hand)
    pair: tuple[int, ...]  # two favors; that seat keeps one of them; empty if it is not asked
    passed: tuple[int, ...]  # the other favors of pairs, face up until all have drawn
    spared: bool  # whether no die is taken from the Investigator this round, because a favor was discarded instead


class State(NamedTuple):
    """A game that waits for decisions or is over.  Tuples "by seat" are in seat order."""

    setting: Setting
    step: int  # the index of the round's step that uses the answers
    public: Public
    locked: tuple[Dice, ...]  # by seat, dice received in this round (G17)
    hands: tuple[tuple[int, ...], ...]  # by seat, favors in ascending order
    deck: tuple[int, ...]  # next card first
    answers: tuple[Answers, ...]  # by seat, its answers in this round's effects and swap
    last_asked: tuple[int, ...]  # by seat, the round of its last decision
    rare: Rare

    @property
    def questions(self) -> tuple[Question, ...]:
        """The pending questions, in seat order."""
        return self.public.questions

    @property
    def opening(self) -> Opening:
        """The start of this round."""
        return self.public.opening

    @property
    def stashes(self) -> tuple[Dice, ...]:
        """Each seat's dice by color."""
        return self.public.stashes

    @property
    def control(self) -> Holders:
        """The controller of each token now."""
        return self.public.control

    @property
    def dice(self) -> tuple[Dice, ...]:
        """The dice on each token now."""
        return self.public.dice


class Table:
    """The working copy of a state, which the steps of a round change; other code never sees it half-finished.

    It has the attributes of `State` and `Public`, and those of one transition.
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
        "public_events",
        "questions",
        "rare",
        "setting",
        "specials",
        "stashes",
        "step",
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
            self.asked,  # the questions at the start of the transition, until the first step has used the answers
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
        self.decisions = decisions  # by seat, the answers of this transition
        self.chance = chance
        self.questions: tuple[Question, ...] = ()
        # All events of the transition, including hidden ones; None if they are not recorded.
        self.events: list[Event] | None = []
        self.public_events: list[Event] = []  # of this round, if events are recorded

    def log_event(self, event: Event) -> None:
        """Record a public event after the reveal."""
        self.log += (event,)
        if self.events is not None:
            self.events.append(event)
            self.public_events.append(event)

    def new_cache(self) -> Cache:
        """Return a cache for the round, with its events if they are recorded."""
        cache = Cache()
        if self.events is not None:
            cache.events = tuple(self.public_events)
        return cache


Position = State | Table
"""A state or table, for the checks of legality."""


def givable_dice(position: Position, seat: int) -> Dice:
    """Return the dice that a seat may still give while effects are chosen (G16).

    Dice from the exchange and dice named for an earlier effect are excluded; no die is locked (G17) before the first
    effect is carried out.
    """
    dice = position.stashes[seat]
    for kind, answer in position.answers[seat]:
        if kind == "exchange":
            dice = minus(dice, answer[0])
        elif kind == "stake" and answer is not None:
            dice = minus(dice, of_color(answer))
    return dice
