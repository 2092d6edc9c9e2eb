"""What an agent is shown and what it may do, as numbers of a fixed size."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gangland.game import Decision
from gangland.view import View

PASS = 0
"""The one action of an agent that is asked nothing now."""

Choices = Sequence[Decision]
"""The legal answers to a question, as the engine lists them."""


@dataclass(frozen=True)
class AgentState:
    """What an observation is made of: a seat's own view, what it is asked, and the actions of its answer so far.

    Attributes:
        kind: empty when it is asked nothing.
        choices: empty when it is asked nothing.
    """

    view: Any
    kind: str = ""
    choices: Choices = ()
    parts: tuple[int, ...] = ()

    @cached_property
    def around(self) -> list[int]:
        """The seats from the agent's own on, clockwise: an observation always begins with oneself."""
        seats = self.view.seats
        return [(self.view.seat + step) % seats for step in range(seats)]

    @cached_property
    def _read(self) -> dict[str, Any]:
        return {}

    def once(self, name: str) -> Any:
        """Return a property of the view that takes long to make, made once."""
        if name not in self._read:
            self._read[name] = getattr(self.view, name)
        return self._read[name]


@dataclass(frozen=True, slots=True)
class Field:
    """Some columns of an observation, all with the same bounds.

    Attributes:
        read: gives the values, one a column.
    """

    columns: tuple[str, ...]
    low: int
    high: int
    read: Callable[[AgentState], Iterable[int]]


def one(name: str, high: int, read: Callable[[AgentState], int], low: int = 0) -> Field:
    """Return a field of one column."""
    return Field((name,), low, high, lambda agent: (read(agent),))


def columns(name: str, labels: Iterable[object]) -> tuple[str, ...]:
    """Return the names of columns: `name[label]`, one a label."""
    return tuple(f"{name}[{label}]" for label in labels)


def seat_labels(seats: int) -> tuple[str, ...]:
    """Return what the seats are called from an agent's own on: me, left1, left2 ..."""
    return ("me", *(f"left{step}" for step in range(1, seats)))


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of an observation.

    Attributes:
        names: of the columns, in their order.
        low, high: their bounds.
    """

    fields: tuple[Field, ...]
    names: tuple[str, ...] = field(init=False)
    low: NDArray[np.float32] = field(init=False)
    high: NDArray[np.float32] = field(init=False)

    def __post_init__(self) -> None:
        set_ = object.__setattr__
        set_(self, "names", tuple(name for each in self.fields for name in each.columns))
        set_(self, "low", self._bounds(lambda each: each.low))
        set_(self, "high", self._bounds(lambda each: each.high))

    def _bounds(self, bound: Callable[[Field], int]) -> NDArray[np.float32]:
        return np.array([bound(each) for each in self.fields for _ in each.columns], dtype=np.float32)

    def observation(self, agent: AgentState) -> NDArray[np.float32]:
        """Return the values, one a column, as whole numbers."""
        return np.array([value for each in self.fields for value in each.read(agent)], dtype=np.float32)


class Encoding(ABC):
    """How one game at one table size is put in numbers.

    Attributes:
        actions: how many there are; 0 is `PASS`.
        layout: of the observations.
    """

    actions: int
    layout: Layout

    def mask(self, agent: AgentState) -> NDArray[np.int8]:
        """Return a one for every action that is legal now, a zero for the others."""
        allowed = np.zeros(self.actions, dtype=np.int8)
        allowed[self.legal(agent) if agent.kind else [PASS]] = 1
        return allowed

    @abstractmethod
    def legal(self, agent: AgentState) -> list[int]:
        """Return the actions that are legal now for an agent that is asked something."""

    @abstractmethod
    def is_whole(self, agent: AgentState) -> bool:
        """Return whether the actions so far make a whole decision."""

    @abstractmethod
    def decision(self, agent: AgentState) -> Decision:
        """Return the decision that the actions make."""

    @abstractmethod
    def actions_for(self, agent: AgentState, decision: Decision) -> tuple[int, ...]:
        """Return the actions that make a decision, which is a legal one."""


def kind_field(kinds: Sequence[str]) -> Field:
    """Return the field that says what the agent is asked; all zero when it is nothing."""
    return Field(columns("asked", kinds), 0, 1, lambda agent: _one_of(kinds, agent.kind))


def per_seat(name: str, seats: int, high: int, read: Callable[[AgentState, int], int]) -> Field:
    """Return a field of one column a seat, the agent's own first."""
    return Field(columns(name, seat_labels(seats)), 0, high, lambda agent: [read(agent, seat) for seat in agent.around])


def per_seat_and(
    name: str, seats: int, labels: Sequence[object], high: int, read: Callable[[AgentState, int], Iterable[int]]
) -> Field:
    """Return a field of some columns a seat, the agent's own first."""
    names = [f"{name}[{seat},{label}]" for seat in seat_labels(seats) for label in labels]
    return Field(tuple(names), 0, high, lambda agent: [value for seat in agent.around for value in read(agent, seat)])


def of_seat(name: str, seats: int, read: Callable[[AgentState], int | None]) -> Field:
    """Return a field that names a seat by a one in its column, the agent's own first."""
    return Field(columns(name, seat_labels(seats)), 0, 1, lambda agent: _one_of(agent.around, read(agent)))


def flags(options: Mapping[str, Sequence[str]], of: Callable[[View], Any]) -> tuple[Field, ...]:
    """Return a field for each option that is a word: a one in the column of the word chosen."""

    def flag(name: str, words: Sequence[str]) -> Field:
        return Field(columns(name, words), 0, 1, lambda agent: _one_of(words, getattr(of(agent.view), name)))

    return tuple(flag(name, words) for name, words in options.items())


def _one_of(values: Iterable[object], chosen: object) -> list[int]:
    return [int(each == chosen) for each in values]
