"""The base of what a bot sees: a frozen window on a tuple of plain values.

A view is built once a decision and read lazily: the engine puts a tuple together out of parts
that the state already holds, plain values are made of it for the jail's pipe, and a property makes
a typed value of its part only when a bot reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import FrozenInstanceError
from random import Random
from typing import Any, ClassVar, NamedTuple, NoReturn, TypeVar

ViewT = TypeVar("ViewT", bound="View")
PartT = TypeVar("PartT", bound=type)


def unchangeable(part: PartT) -> PartT:
    """Return a frozen dataclass with slots that says so when any of its attributes is set or deleted.

    What Python 3.11 makes of such a class raises a TypeError about `super` where the class has no such attribute.
    """
    type.__setattr__(part, "__setattr__", _refuse)
    type.__setattr__(part, "__delattr__", _refuse)
    return part


def _refuse(self: object, name: str, _value: object = None) -> NoReturn:
    raise FrozenInstanceError(f"a {type(self).__name__} cannot be changed: {name!r}")


class Clock(NamedTuple):
    """What is left of a seat's time when it is asked; not part of the game, so not recorded.

    Attributes:
        decision_s: CPU seconds for this decision.
        cpu_left_s: CPU seconds left in the bank of this jail.
        wall_left_s: wall seconds left in the bank of this jail, waiting for a core excluded.
    """

    decision_s: float
    cpu_left_s: float
    wall_left_s: float


NO_CLOCK = Clock(float("inf"), float("inf"), float("inf"))


class View:
    """What one seat may know at one decision.  Equal views show equal things; clock and question do not count.

    Attributes:
        game: the rules, whose transitions play a `sample` on.
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
        """Return a view without a clock, as the rules make one for every decision.

        Args:
            parts: what cannot be changed and shows nothing hidden; `_wire_of` makes the wire of it once it is read.
        """
        view = _new(cls)
        _set_parts(view, parts)
        _set_wire(view, None)
        return view

    @staticmethod
    def _wire_of(parts: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the plain values of parts; parts are plain values unless a game says otherwise."""
        return parts

    @property
    def wire(self) -> tuple[Any, ...]:
        """All that the view shows, as plain values: what crosses the jail's pipe."""
        wire = self._wire
        if wire is None:
            wire = self._wire_of(self._parts)
            _set_wire(self, wire)
        return wire

    @property
    def clock(self) -> Clock:
        """What is left of the seat's time."""
        try:
            return self._clock
        except AttributeError:
            return NO_CLOCK

    @property
    def question(self) -> str | None:
        """The kind of decision that you are asked for (`choose_<kind>`); None if you are not asked."""
        try:
            return self._question
        except AttributeError:
            return self._question_of(self._parts)

    @staticmethod
    def _question_of(parts: tuple[Any, ...]) -> str | None:  # noqa: ARG004 (each game's views read it)
        return None

    def legal(self) -> Sequence[Any]:
        """Return every legal answer to this question, as tuples and numbers; each may be returned as it is.

        Raises:
            ValueError: you are not asked.
        """
        answers: Sequence[Any] = self.game.choices_of(self)
        return answers

    def sample(self, rng: Random) -> Any:
        """Return a full position that agrees with this view, for `self.game` to play on.

        What is hidden is drawn with `rng`: each way in which the unseen cards may lie is as likely as any other; what
        others have chosen unseen, among their legal answers.

        Raises:
            ValueError: you are not asked, or no position agrees with a view made by hand.
        """
        try:
            draw = self._sampler
        except AttributeError:
            draw = self.game.sampler(self)
            _set_sampler(self, draw)
        return draw(rng)

    @property
    def _rounds(self) -> Mapping[int, Any]:
        """What the view shows of rounds, by their numbers; what a bot's `history` is made of."""
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
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.fields())
        return f"{type(self).__name__}({shown})"

    @classmethod
    def fields(cls) -> list[str]:
        """Return the names of everything that can be read off this view, the clock left out."""
        return [
            name
            for owner in reversed(cls.__mro__[: cls.__mro__.index(View)])
            for name, value in vars(owner).items()
            if isinstance(value, property) and not name.startswith("_")
        ]


# The slots' own setters: the class refuses to be changed, and `object.__setattr__` takes twice as long.
_new = object.__new__
_set_parts = View.__dict__["_parts"].__set__
_set_wire = View.__dict__["_wire"].__set__
_set_clock = View.__dict__["_clock"].__set__
_set_question = View.__dict__["_question"].__set__
_set_sampler = View.__dict__["_sampler"].__set__
