"""The base class of views, the frozen objects that show bots a game.

A view is created for each decision and read lazily.  The engine builds a tuple from parts that the state already has.
It is converted to plain values only for the jail's pipe, and to a typed value only when a bot reads its property.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import FrozenInstanceError
from random import Random
from typing import Any, ClassVar, NamedTuple, NoReturn, TypeVar

ViewT = TypeVar("ViewT", bound="View")
PartT = TypeVar("PartT", bound=type)


def unchangeable(part: PartT) -> PartT:
    """Make a frozen dataclass with slots raise FrozenInstanceError for every change of an attribute."""
    # Python 3.11's own methods raise a TypeError about `super` for attributes that the class does not have.
    type.__setattr__(part, "__setattr__", _refuse)
    type.__setattr__(part, "__delattr__", _refuse)
    return part


def _refuse(self: object, name: str, _value: object = None) -> NoReturn:
    raise FrozenInstanceError(f"a {type(self).__name__} cannot be changed: {name!r}")


class Clock(NamedTuple):
    """The time that a seat has left when it is asked.  It is not part of the game, so it is not recorded.

    Attributes:
        decision_s: CPU seconds for this decision.
        cpu_left_s: CPU seconds left in this jail's bank.
        wall_left_s: wall seconds left in this jail's bank; waiting for a core does not count.
    """

    decision_s: float
    cpu_left_s: float
    wall_left_s: float


NO_CLOCK = Clock(float("inf"), float("inf"), float("inf"))


class View:
    """All that one seat may know at one decision.  Views are equal if they show the same game; the clock and the
    question do not count.

    Attributes:
        game: the rules, which can play on from a `sample`.
    """

    __slots__ = ("_clock", "_parts", "_question", "_sampler", "_wire")

    game: ClassVar[Any]
    _clock: Clock
    _parts: tuple[Any, ...]
    _question: str | None
    _sampler: Callable[[Random], Any]
    _wire: tuple[Any, ...] | None

    def __init__(self, wire: tuple[Any, ...], clock: Clock = NO_CLOCK, question: str | None = None) -> None:
        _set_parts(self, wire)
        _set_wire(self, wire)
        _set_clock(self, clock)
        _set_question(self, question)

    @classmethod
    def of(cls: type[ViewT], parts: tuple[Any, ...]) -> ViewT:
        """Return a view without a clock, for the rules.

        Args:
            parts: immutable values without hidden information; `_wire_of` turns them into the wire when it is read.
        """
        view = _new(cls)
        _set_parts(view, parts)
        _set_wire(view, None)
        return view

    @staticmethod
    def _wire_of(parts: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the plain values of parts; a game overrides this if its parts are not plain values."""
        return parts

    @property
    def wire(self) -> tuple[Any, ...]:
        """The view as plain values, as sent through the jail's pipe."""
        wire = self._wire
        if wire is None:
            wire = self._wire_of(self._parts)
            _set_wire(self, wire)
        return wire

    @property
    def clock(self) -> Clock:
        """The time that the seat has left."""
        try:
            return self._clock
        except AttributeError:
            return NO_CLOCK

    @property
    def question(self) -> str | None:
        """The kind of decision that you have to make (`choose_<kind>`); None if you are not asked."""
        try:
            return self._question
        except AttributeError:
            return self._question_of(self._parts)

    @staticmethod
    def _question_of(parts: tuple[Any, ...]) -> str | None:  # noqa: ARG004 (each game's views read it)
        return None

    def legal(self) -> Sequence[Any]:
        """Return every legal answer to this question, as tuples and numbers; a bot may return any of them.

        Raises:
            ValueError: you are not asked.
        """
        answers: Sequence[Any] = self.game.choices_of(self)
        return answers

    def sample(self, rng: Random) -> Any:
        """Return a full position consistent with this view, for `self.game` to play on.

        Hidden parts are drawn with `rng`: all orders of the unseen cards are equally likely, and hidden decisions of
        other seats are any legal ones.

        Raises:
            ValueError: you are not asked, or no position is consistent with a view built by hand.
        """
        try:
            draw = self._sampler
        except AttributeError:
            draw = self.game.sampler(self)
            _set_sampler(self, draw)
        return draw(rng)

    @property
    def _rounds(self) -> Mapping[int, Any]:
        """The rounds that the view shows, by number, for a bot's `history`."""
        return {}

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.wire, self.clock, self.question))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a view cannot be changed: {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a view cannot be changed: {name!r}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and type(other) is type(self) and other.wire == self.wire

    def __hash__(self) -> int:
        return hash(self.wire)

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.fields())
        return f"{type(self).__name__}({values})"

    @classmethod
    def fields(cls) -> list[str]:
        """Return the names of this view's public properties, without those of this base class."""
        return [
            name
            for owner in reversed(cls.__mro__[: cls.__mro__.index(View)])
            for name, value in vars(owner).items()
            if isinstance(value, property) and not name.startswith("_")
        ]


# The slots' own setters: the class blocks changes, and `object.__setattr__` takes twice as long.
_new = object.__new__
_set_parts = View.__dict__["_parts"].__set__
_set_wire = View.__dict__["_wire"].__set__
_set_clock = View.__dict__["_clock"].__set__
_set_question = View.__dict__["_question"].__set__
_set_sampler = View.__dict__["_sampler"].__set__
