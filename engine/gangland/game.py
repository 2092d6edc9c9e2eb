"""The interface of a game: its questions, decisions, events and outcome."""

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
"""A decision in canonical form: None, a number, or tuples of these, nested up to three deep."""

Event = tuple[Any, ...]
"""An event of a game: its kind as a word, then plain values, as in the game's `events` module."""

Policy = Callable[[View, int], SupportsIndex]
"""Decides for a seat in a rollout: takes the seat's view and the number of legal answers, returns an answer's index.

The index is converted to a plain `int`, because libraries' integer types may overflow.
"""

ROUND_BEGAN = "round"
"""The kind of a round's first event in every game; the round's number follows it."""


@dataclass(frozen=True, slots=True)
class Question:
    """A pending decision of a seat.  `kind` names the bot's method: `choose_<kind>`."""

    seat: int
    kind: str


class EndReason(StrEnum):
    """The reason for the end of a game."""

    COMPLETED = "completed"  # the game ended by its rules
    ROUND_LIMIT = "round_limit"  # G33
    LAST_FAULTLESS = "last_faultless"  # one faultless seat is left in play (G38, D31)
    FAULTLESS_OUT = "faultless_out"  # the last faultless seats are eliminated (D31)
    DEFAULT_EMPTY = "default_empty"  # a defaulting seat reached zero dice (G38)
    ALL_AT_FAULT = "all_at_fault"  # no faultless seat is left (G38)


IMMEDIATE_ENDS = frozenset({EndReason.LAST_FAULTLESS, EndReason.FAULTLESS_OUT, EndReason.ALL_AT_FAULT})
"""The reasons why a fault ends a game in the middle of a round, so that no further round begins (G38, D31)."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The places of a finished game, and the seats that won (perhaps none), both in seat order.

    A seat's place is 1 + the number of seats strictly better (G37).
    """

    places: tuple[int, ...]
    winners: tuple[int, ...]
    reason: EndReason

    def mean_places(self) -> tuple[Fraction, ...]:
        """Return each seat's place; tied seats get the mean of the places that they share (G37)."""
        return tuple(place + Fraction(self.places.count(place) - 1, 2) for place in self.places)


@dataclass(frozen=True, slots=True)
class Unit:
    """The name of the things that seats collect or get rid of, singular and plural, and whether more are better."""

    singular: str
    plural: str
    more_is_better: bool = True

    @property
    def aim(self) -> str:
        """The aim, such as "more dice are better"."""
        return f"{'more' if self.more_is_better else 'fewer'} {self.plural} are better"

    def counted(self, count: int) -> str:
        """Return "1 die" or "5 dice"."""
        return f"{count} {self.singular if count == 1 else self.plural}"


@dataclass(frozen=True, slots=True)
class Choice:
    """An option in a form: a choice of several values, or else a typed number or list, which `hint` describes.

    Each value has its label in `labels`; if `labels` is empty, the values are their own labels.
    """

    name: str
    label: str
    values: tuple[str, ...] = ()
    default: str = ""
    labels: tuple[str, ...] = ()
    is_list: bool = False
    hint: str = ""

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Each value with its label, for a select field; empty if the value is typed."""
        return list(zip(self.values, self.labels or self.values, strict=True))

    def of_text(self, text: str) -> object:
        """Convert a text to a value without checking it; `Game.options` rejects wrong values."""
        if self.is_list:
            return [part.strip() for part in text.split(",") if part.strip()]
        is_number = not self.values and text.isascii() and text.isdecimal() and len(text) < 10
        return int(text) if is_number else text


@dataclass(frozen=True, slots=True)
class Variant:
    """Non-default options to check a bot with, in `games` games at a table of this size, each in a different seat."""

    options: Mapping[str, object]
    seats: int
    games: int


def wrong_index(number: int, choices: int) -> IndexError:
    """Return the error for a policy that returned an index out of range."""
    return IndexError(f"a policy returned {number}, but the {choices} choices are numbered from 0")


class Game(ABC, Generic[StateT]):
    """One game's rules.  States are frozen; a transition returns the new state and its events.

    Decisions can be simultaneous: all seats in `pending` answer from the same state, and `resolve` applies their
    answers at once.
    """

    name: ClassVar[str]  # with hyphens; the game's package and folders have underscores instead
    title: ClassVar[str]
    rules_version: ClassVar[int] = 1
    table_sizes: ClassVar[tuple[int, ...]] = (2, 3, 4)
    bot_class: ClassVar[type[BaseBot]]
    view_class: ClassVar[type[View]]
    unit: ClassVar[Unit] = Unit("point", "points")  # the unit of the counts that `held` returns
    goal: ClassVar[str] = ""  # how to win, for newcomers
    course: ClassVar[str] = ""  # what happens in a round, in a few sentences for newcomers
    last_round: ClassVar[int | None] = None  # the number of the last possible round, if it is the same for all options
    asks: ClassVar[str] = "all seats at once"  # the seats that a round asks, as words that follow "asks"
    choices_of_options: ClassVar[tuple[Choice, ...]] = ()  # in the order of a form
    # Additional games for checking a bot; together they use every value of each option once.
    variants: ClassVar[tuple[Variant, ...]] = ()
    none_example: ClassVar[str] = ""  # an example of None for a bot, as words that follow "None at this point, "
    luck_unit: ClassVar[str] = ""  # the unit of `luck_course`; "" if luck is not measured
    # The classes of the bot API, each with its documented members: "*" for all, or a list of names.
    api: ClassVar[tuple[tuple[type, str], ...]] = ()

    @abstractmethod
    def options(self, values: Mapping[str, object]) -> Any:
        """Return typed options, with defaults filled in.  Raises ValueError: an unknown option or value."""

    @abstractmethod
    def options_dict(self, options: Any) -> dict[str, object]:
        """Return the options that differ from their defaults, as recorded in replays."""

    @abstractmethod
    def start(self, seats: int, options: Any, chance: Chance) -> tuple[StateT, tuple[Event, ...]]:
        """Return the first state that asks a question (or is over), and the events until then.

        Raises ValueError: the game has no such table size.
        """

    @abstractmethod
    def pending(self, state: StateT) -> tuple[Question, ...]:
        """Return the decisions to make now, in seat order; empty once the game is over by its rules.

        A decision with only one legal answer is not asked (G41).
        """

    @abstractmethod
    def observe(self, state: StateT, seat: int, defaulting: frozenset[int] = frozenset()) -> View:
        """Return everything that the seat may know (G42, D33), and nothing else."""

    @abstractmethod
    def legal(self, state: StateT, seat: int) -> str:
        """Return a description of the legal answers to the seat's pending decision."""

    @abstractmethod
    def check(self, state: StateT, seat: int, answer: object) -> Decision:
        """Return the answer to the seat's pending decision in canonical form.

        Raises IllegalDecision: the answer is not legal; the message shows it and the legal ones.
        """

    @abstractmethod
    def choices(self, state: StateT, seat: int) -> Sequence[Decision]:
        """Return every legal answer to the seat's pending decision, in canonical form and order."""

    def choices_of(self, view: View) -> Sequence[Decision]:
        """Return what `choices` returns for the view's state.  Raises ValueError: the view's seat is not asked."""
        raise NotImplementedError(f"{self.title} cannot list the choices of a view")

    def sampler(self, view: View) -> Callable[[Random], StateT]:
        """Return a function that draws a random state consistent with the view.

        For every such state `observe` returns this view, and `choices` the same as `choices_of`.  Views of states that
        differ only in hidden parts draw the same states.

        Raises ValueError: the seat is not asked, or no state is consistent with the view.
        """
        raise NotImplementedError(f"{self.title} cannot draw states")

    @abstractmethod
    def default(self, state: StateT, seat: int) -> Decision:
        """Return the decision played for a seat at fault (G38, D31)."""

    @abstractmethod
    def resolve(
        self, state: StateT, decisions: Mapping[int, Decision], chance: Chance
    ) -> tuple[StateT, tuple[Event, ...]]:
        """Apply one decision for each pending seat, as returned by `check`, and play on to the next question.

        Decisions are not checked.  A whole round may pass without a question (G41).

        Raises ValueError: the seats of the decisions are not the pending ones.
        """

    def rollout(
        self, state: StateT, policies: Sequence[Policy], chance: Chance, last_round: int | None = None
    ) -> tuple[StateT, int]:
        """Play on with one policy per seat, and return the last state and the number of decisions.

        Args:
            last_round: stop at the first question after this round, or at the end of the game if None; decisions that
                are not asked (G41) are still played.

        Raises IndexError: a policy returned an index out of range.
        """
        decided = 0
        while (questions := self.pending(state)) and (last_round is None or self.round(state) <= last_round):
            decisions: dict[int, Decision] = {}
            for question in questions:
                seat = question.seat
                choices = self.choices(state, seat)
                place = index(policies[seat](self.observe(state, seat), len(choices)))
                if not 0 <= place < len(choices):
                    raise wrong_index(place, len(choices))
                decisions[seat] = choices[place]
            decided += len(decisions)
            state, _ = self.resolve(state, decisions, chance)
        return state, decided

    @abstractmethod
    def outcome(self, state: StateT, defaulting: frozenset[int] = frozenset()) -> Outcome | None:
        """Return the outcome, or None while the game is in progress.

        The faults of a simultaneous stage count together (G38), so `defaulting` seats do not end a stage that is only
        half answered.
        """

    def half_answered(self, state: StateT) -> bool:
        """Return whether a simultaneous stage has some answers, still hidden from all seats, and asks more (G16)."""
        return False

    @abstractmethod
    def round(self, state: StateT) -> int:
        """Return the number of the current round, from 1."""

    @abstractmethod
    def sentence(self, event: Event, names: tuple[str, ...]) -> str | None:
        """Return the event as an English sentence, or None if it needs no sentence."""

    def known(self, event: Event, seat: int) -> Event | None:
        """Return the part of the event that the seat may know, or None; by default all events are public."""
        return event

    @abstractmethod
    def held(self, state: StateT) -> tuple[int, ...]:
        """Return each seat's public count of the game's `unit`, in seat order."""

    def luck_course(self, seats: int, events: Iterable[Event]) -> Iterator[tuple[float, ...]]:
        """Yield all seats' luck after each event; see `gangland.luck`."""
        for _ in events:
            yield (0.0,) * seats

    def situation(self, view: View, kind: str) -> str:
        """Return a sentence about the parts of the view that `legal` does not mention, or ""."""
        return ""

    def wrong_parts(self, view: View, kind: str, answer: Sequence[object]) -> list[str]:
        """Return a message for each wrong part of an illegal answer; empty if no single part is wrong."""
        return []
