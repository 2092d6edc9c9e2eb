"""What a game is to everything that plays it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from operator import index
from random import Random
from typing import Any, ClassVar, Generic, SupportsIndex, TypeVar

from gangland.bot import BaseBot
from gangland.chance import Chance
from gangland.view import View

StateT = TypeVar("StateT")

Decision = None | int | tuple[Any, ...]
"""A decision in canonical form: None, a number, or (nested) tuples of those, at most three deep."""

Event = tuple[Any, ...]
"""Something that happened: its kind as a word, then plain values, as the game's `events` module lists."""

Policy = Callable[[View, int], SupportsIndex]
"""Who decides in a rollout: given what the seat sees and how many answers are legal, returns the index of one.

What it returns is made a plain number: those of libraries add up in their own way.
"""

ROUND_BEGAN = "round"
"""The kind of event, in every game, with which a round begins; the round's number follows it."""


@dataclass(frozen=True, slots=True)
class Question:
    """A decision that a seat has to make now.  `kind` names the bot's method: `choose_<kind>`."""

    seat: int
    kind: str


class EndReason(StrEnum):
    """Why a game ended."""

    COMPLETED = "completed"  # the rules' own end
    ROUND_LIMIT = "round_limit"  # G33
    LAST_FAULTLESS = "last_faultless"  # one faultless seat is left in play (G38, D31)
    FAULTLESS_OUT = "faultless_out"  # the last faultless seats are eliminated (D31)
    DEFAULT_EMPTY = "default_empty"  # a defaulting seat reached zero dice (G38)
    ALL_AT_FAULT = "all_at_fault"  # no faultless seat is left (G38)


AT_ONCE = frozenset({EndReason.LAST_FAULTLESS, EndReason.FAULTLESS_OUT, EndReason.ALL_AT_FAULT})
"""Ends that a fault brings about, in mid-round: no further round is begun (G38, D31)."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended.

    Attributes:
        places: one a seat, in seat order: 1 + the seats strictly better (G37).
        winners: the seats that won, upward; empty when nobody did.
    """

    places: tuple[int, ...]
    winners: tuple[int, ...]
    reason: EndReason

    def mean_places(self) -> tuple[Fraction, ...]:
        """Return each seat's place with ties counted as the average of the places covered (G37)."""
        return tuple(place + Fraction(self.places.count(place) - 1, 2) for place in self.places)


@dataclass(frozen=True, slots=True)
class Unit:
    """What seats gather or shed, one and many of it, and whether more is better."""

    one: str
    many: str
    more: bool = True

    @property
    def aim(self) -> str:
        """What is better, in words: "more dice are better"."""
        return f"{'more' if self.more else 'fewer'} {self.many} are better"

    def counted(self, count: int) -> str:
        """Return "1 die" or "5 dice"."""
        return f"{count} {self.one if count == 1 else self.many}"


@dataclass(frozen=True, slots=True)
class Choice:
    """An option of a game: a value out of several, else a number or a list.

    Attributes:
        words: what each value means, for people; none if the values say so themselves.
        hint: what may be typed.
    """

    name: str
    label: str
    values: tuple[str, ...] = ()
    default: str = ""
    words: tuple[str, ...] = ()
    is_list: bool = False
    hint: str = ""

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Each value with its words, as a field to pick one from wants them; none if it is typed."""
        return list(zip(self.values, self.words or self.values, strict=True))

    def of_text(self, text: str) -> object:
        """Return the value that a text stands for; one that stands for none is left to be refused by the options."""
        if self.is_list:
            return [part.strip() for part in text.split(",") if part.strip()]
        is_number = not self.values and text.isascii() and text.isdecimal() and len(text) < 10
        return int(text) if is_number else text


@dataclass(frozen=True, slots=True)
class Variant:
    """Options other than the defaults, at one table size, in which a bot sits in so many seats, one a game."""

    options: Mapping[str, object]
    seats: int
    games: int


def no_choice(number: int, choices: int) -> IndexError:
    """Return what is raised where a policy answers with no index of its choices."""
    return IndexError(f"a policy returned {number}; it has {choices} choices, numbered from 0")


class Game(ABC, Generic[StateT]):
    """One game's rules.  States are frozen; a transition returns the new state and its events.

    Simultaneous means: `pending` names all seats asked now, every one is answered from the
    same state, and `resolve` applies all answers at once.

    Attributes:
        name: with hyphens; its package and all folders of it have underscores for them.
        unit: what `held` counts.
        goal, course: how one wins, and what happens in a round, each in a sentence for people who see the game for the
            first time.
        last_round: the number of the round after which a game is over in any case, if all options have the same.
        asks: whom a round asks, in words that follow "asks".
        choices_of_options: the options in the order of a form.
        variants: a few games with other options, every word of each option once, in which a bot is checked.
        none_example: where a bot meets None, as words that follow "None at that moment, "; "" if nowhere.
        luck_unit: what `luck_course` counts in; "" if luck is not measured.
        api: the classes that an author meets, and which members: all (*), or those named.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    rules_version: ClassVar[int] = 1
    table_sizes: ClassVar[tuple[int, ...]] = (2, 3, 4)
    bot_class: ClassVar[type[BaseBot]]
    view_class: ClassVar[type[View]]
    unit: ClassVar[Unit] = Unit("point", "points")
    goal: ClassVar[str] = ""
    course: ClassVar[str] = ""
    last_round: ClassVar[int | None] = None
    asks: ClassVar[str] = "all seats at once"
    choices_of_options: ClassVar[tuple[Choice, ...]] = ()
    variants: ClassVar[tuple[Variant, ...]] = ()
    none_example: ClassVar[str] = ""
    luck_unit: ClassVar[str] = ""
    api: ClassVar[tuple[tuple[type, str], ...]] = ()

    @abstractmethod
    def options(self, given: Mapping[str, object]) -> Any:
        """Return typed options, defaults filled in.  Raises ValueError: an unknown option or value."""

    @abstractmethod
    def options_dict(self, options: Any) -> dict[str, object]:
        """Return the options that differ from their defaults, as recorded in replays."""

    @abstractmethod
    def start(self, seats: int, options: Any, chance: Chance) -> tuple[StateT, tuple[Event, ...]]:
        """Return the first state that asks something (or is over), and what happened until then.

        `options` are what the method of that name returned.

        Raises ValueError: a table size that the game does not have.
        """

    @abstractmethod
    def pending(self, state: StateT) -> tuple[Question, ...]:
        """Return the decisions to make now, in seat order; empty once the game is over by its rules.

        A decision with one legal answer is not asked (G41), so it is not listed.
        """

    @abstractmethod
    def observe(self, state: StateT, seat: int, defaulting: frozenset[int] = frozenset()) -> View:
        """Return all that the seat may know (G42, D33), and nothing else."""

    @abstractmethod
    def legal(self, state: StateT, seat: int) -> str:
        """Return in words which answers the pending decision of the seat allows."""

    @abstractmethod
    def check(self, state: StateT, seat: int, answer: object) -> Decision:
        """Return the answer to the seat's pending decision in canonical form.

        Raises IllegalDecision: not a legal answer; the message says what came and what is legal.
        """

    @abstractmethod
    def choices(self, state: StateT, seat: int) -> Sequence[Decision]:
        """Return every legal answer to the seat's pending decision, in canonical form and order."""

    def choices_of(self, view: View) -> Sequence[Decision]:
        """Return what `choices` returns for the state of a view.  Raises ValueError: its seat is not asked."""
        raise NotImplementedError(f"{self.title} reads no choices off a view")

    def sampler(self, view: View) -> Callable[[Random], StateT]:
        """Return what draws states that agree with a view, each with a generator that it is given.

        For every state drawn, `observe` returns this view and `choices` what `choices_of` does.  Views of states that
        differ in hidden things alone draw the same ones.

        Raises ValueError: its seat is not asked, or no state agrees with it.
        """
        raise NotImplementedError(f"{self.title} has no samples")

    @abstractmethod
    def default(self, state: StateT, seat: int) -> Decision:
        """Return the decision that is played for a seat at fault (G38, D31)."""

    @abstractmethod
    def resolve(
        self, state: StateT, decisions: Mapping[int, Decision], chance: Chance
    ) -> tuple[StateT, tuple[Event, ...]]:
        """Apply one decision for each pending seat, as `check` returned it, and go on to the next that asks.

        Nothing is checked again.  Seats with one legal answer are not asked (G41), so a whole
        round may pass unasked.

        Raises ValueError: a pending seat is missing, or a seat that is not pending is given.
        """

    def rollout(
        self, state: StateT, policies: Sequence[Policy], chance: Chance, last_round: int | None = None
    ) -> tuple[StateT, int]:
        """Play on by one policy a seat, to the end of the game or a last round; return state and number of decisions.

        For play of which nothing is recorded: a game may do it without events.  It stops at the first question after
        the last round, so what is not asked there (G41) is played.

        Raises IndexError: a policy returned no index of a legal answer.
        """
        decided = 0
        while (questions := self.pending(state)) and (last_round is None or self.round(state) <= last_round):
            decisions: dict[int, Decision] = {}
            for question in questions:
                seat = question.seat
                choices = self.choices(state, seat)
                place = index(policies[seat](self.observe(state, seat), len(choices)))
                if not 0 <= place < len(choices):
                    raise no_choice(place, len(choices))
                decisions[seat] = choices[place]
            decided += len(decisions)
            state, _ = self.resolve(state, decisions, chance)
        return state, decided

    @abstractmethod
    def outcome(self, state: StateT, defaulting: frozenset[int] = frozenset()) -> Outcome | None:
        """Return how the game ended, None while it goes on.

        `defaulting` are the seats at fault; while a simultaneous stage is half answered
        their faults do not end the game yet (G38: they count together).
        """

    def half_answered(self, state: StateT) -> bool:
        """Return whether more is asked in a simultaneous stage of which answers are in: nobody sees them yet (G16)."""
        return False

    @abstractmethod
    def round(self, state: StateT) -> int:
        """Return the number of the round that is being played, from 1."""

    @abstractmethod
    def sentence(self, event: Event, names: tuple[str, ...]) -> str | None:
        """Return the event as an English sentence, None when it is not worth one."""

    def known(self, event: Event, seat: int) -> Event | None:
        """Return an event as a seat may know it, None where it may not; all events are public unless a game says no."""
        return event

    @abstractmethod
    def held(self, state: StateT) -> tuple[int, ...]:
        """Return how many of its `unit` each seat has, in seat order, as everybody at the table knows it."""

    def luck_course(self, seats: int, events: Iterable[Event]) -> Iterator[tuple[float, ...]]:
        """Yield each seat's luck as it stands after every event; see `gangland.luck`."""
        for _ in events:
            yield (0.0,) * seats

    def sight(self, view: View, kind: str) -> str:
        """Return what the words of `legal` leave out of a view, as a sentence; "" for nothing."""
        return ""

    def wrong_parts(self, view: View, kind: str, answer: Sequence[object]) -> list[str]:
        """Return which parts of an illegal answer are wrong; none where it can only be told as a whole."""
        return []
