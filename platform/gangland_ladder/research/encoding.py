"""Encode observations and actions as arrays of a fixed size; each module in `games` does this for one game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from gangland.game import Decision
from gangland_ladder.common.game_modules import module_of

# The encoding of a game, and the state of the agents that it encodes.


T = TypeVar("T")
Choices = Sequence[Decision]
PASS = 0  # The only action of an agent without a question.


def encoding_of(game: str) -> Callable[[int], Encoding]:
    """Return a function that creates a game's encoding for a number of seats.

    Raises ValueError: the game has no encoding.
    """
    module = module_of("gangland_ladder.research.games", game)
    if module is None:
        raise ValueError(f"{game} has no numeric encoding, so there is no environment for it")
    encoding: Callable[[int], Encoding] = module.ENCODING
    return encoding


class Encoding(ABC):
    """The encoding of one game at one table size."""

    actions: int
    layout: Layout

    def mask(self, agent: AgentState) -> NDArray[np.int8]:
        """Return an array with 1 for every legal action and 0 for all others."""
        mask = bytearray(self.actions)
        for action in agent.allowed_actions(self):
            mask[action] = 1
        return np.frombuffer(mask, dtype=np.int8)

    @abstractmethod
    def legal_actions(self, agent: AgentState) -> list[int]:
        """Return the legal actions of an agent with a question."""

    @abstractmethod
    def is_complete(self, agent: AgentState) -> bool:
        """Return whether the actions so far form a complete decision."""

    @abstractmethod
    def decision(self, agent: AgentState) -> Decision:
        """Return the decision that the actions form."""

    @abstractmethod
    def actions_for(self, agent: AgentState, decision: Decision) -> tuple[int, ...]:
        """Return the actions that form a given legal decision."""


class AgentState:
    """The source of an observation: a seat's view, its question, and the actions of its answer so far."""

    __slots__ = ("_allowed_actions", "_cache", "choices", "kind", "parts", "seat_order", "view", "wire")

    def __init__(self, view: Any, kind: str = "", choices: Choices = (), parts: tuple[int, ...] = ()) -> None:
        self.view = view
        self.kind = kind  # empty without a question
        self.choices = choices
        self.parts = parts
        self.wire = view.wire
        # The seats clockwise, beginning with the agent's own; observations use this order.
        self.seat_order = _SEAT_ORDERS[view.seats][view.seat]
        self._cache: dict[Callable[[AgentState], Any], Any] = {}
        self._allowed_actions: list[int] | None = None

    def act(self, action: int) -> None:
        """Add an action to the answer."""
        self.parts = (*self.parts, action)
        self._allowed_actions = None

    def memo(self, function: Callable[[AgentState], T]) -> T:
        """Return the result of a function of the agent's view, cached for all fields."""
        try:
            return cast(T, self._cache[function])
        except KeyError:
            value = self._cache[function] = function(self)
            return value

    def allowed_actions(self, encoding: Encoding) -> list[int]:
        """Return the legal actions; without a question, only the action to pass."""
        if self._allowed_actions is None:
            self._allowed_actions = encoding.legal_actions(self) if self.kind else [PASS]
        return self._allowed_actions


_SEAT_ORDERS = {seats: [(*range(own, seats), *range(own)) for own in range(seats)] for seats in range(1, 9)}


# The columns of observations, by field.


@dataclass(frozen=True, slots=True)
class Field:
    """Columns of an observation that have the same bounds."""

    columns: tuple[str, ...]
    low: int
    high: int
    read: Callable[[AgentState], Iterable[int]]


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of an observation."""

    fields: tuple[Field, ...]
    names: tuple[str, ...] = field(init=False)
    low: NDArray[np.float32] = field(init=False)
    high: NDArray[np.float32] = field(init=False)

    def __post_init__(self) -> None:
        set_ = object.__setattr__
        set_(self, "names", tuple(name for group in self.fields for name in group.columns))
        set_(self, "low", self._bounds(lambda group: group.low))
        set_(self, "high", self._bounds(lambda group: group.high))

    def _bounds(self, bound: Callable[[Field], int]) -> NDArray[np.float32]:
        return np.array([bound(group) for group in self.fields for _ in group.columns], dtype=np.float32)

    def observation(self, agent: AgentState) -> NDArray[np.float32]:
        """Return the values, one whole number per column."""
        values: list[int] = []
        for group in self.fields:
            values += group.read(agent)
        return np.frombuffer(array("f", values), dtype=np.float32)  # takes half the time of `np.array`


def single(name: str, high: int, read: Callable[[AgentState], int], low: int = 0) -> Field:
    """Return a field with one column."""
    return Field((name,), low, high, lambda agent: (read(agent),))


def columns(name: str, labels: Iterable[object]) -> tuple[str, ...]:
    """Return the names of columns: `name[label]`, one per label."""
    return tuple(f"{name}[{label}]" for label in labels)


def seat_labels(seats: int) -> tuple[str, ...]:
    """Return the labels of the seats, beginning with the agent's own: me, left1, left2 and so on."""
    return ("me", *(f"left{step}" for step in range(1, seats)))


def kind_field(kinds: Sequence[str]) -> Field:
    """Return the field for the kind of the agent's question; all columns are 0 without a question."""
    rows = one_hot(kinds)
    return Field(columns("asked", kinds), 0, 1, lambda agent: rows[agent.kind])


def per_seat(name: str, seats: int, high: int, read: Callable[[AgentState], Sequence[int]]) -> Field:
    """Return a field with one column per seat, the agent's own first; `read` returns the values in seat order."""

    def rotated(agent: AgentState) -> list[int]:
        values = read(agent)
        return [values[seat] for seat in agent.seat_order]

    return Field(columns(name, seat_labels(seats)), 0, high, rotated)


def per_seat_and(
    name: str, seats: int, labels: Sequence[object], high: int, read: Callable[[AgentState], Sequence[Iterable[int]]]
) -> Field:
    """Return a field with several columns per seat, the agent's own first; `read` returns the rows in seat order."""

    def rotated(agent: AgentState) -> list[int]:
        rows = read(agent)
        return [value for seat in agent.seat_order for value in rows[seat]]

    return Field(tuple(f"{name}[{seat},{label}]" for seat in seat_labels(seats) for label in labels), 0, high, rotated)


def seat_flag(name: str, seats: int, read: Callable[[AgentState], int | None]) -> Field:
    """Return a field that marks a seat with a 1 in its column, the agent's own first."""
    rows = [one_hot(seat_order) for seat_order in _SEAT_ORDERS[seats]]
    return Field(columns(name, seat_labels(seats)), 0, 1, lambda agent: rows[agent.seat_order[0]][read(agent)])


def flags(options: Mapping[str, Sequence[str]], read: Callable[[AgentState], Any]) -> tuple[Field, ...]:
    """Return a field for each option whose values are texts, with a 1 in the column of the chosen value."""

    def flag(name: str, values: Sequence[str]) -> Field:
        rows = one_hot(values)
        return Field(columns(name, values), 0, 1, lambda agent: rows[getattr(read(agent), name)])

    return tuple(flag(name, values) for name, values in options.items())


def one_hot(values: Sequence[object]) -> Mapping[object, tuple[int, ...]]:
    """Return for each value a row with a 1 in its place; any other value has a row of zeros."""
    zeros = (0,) * len(values)
    return defaultdict(lambda: zeros, {value: tuple([int(each == value) for each in values]) for value in values})
