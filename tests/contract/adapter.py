"""What the contract has to know of a game beyond the Game interface."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from itertools import product
from random import Random
from types import ModuleType
from typing import Any, ClassVar, Final

from tests.contract.run import Run, Table

from gangland import chance, games
from gangland.game import Decision, Game, Question
from gangland.view import View

Script = dict[tuple[int, int, str], list[Decision]]
"""What seats decide: (round, seat, kind of question) -> the decisions in the order of asking."""

NOTHING: Final[Any] = object()
"""In place of a decision that a script does not have."""


class Adapter(ABC):
    """One game's inside, as far as its contract needs it.

    Attributes:
        events: the module of the game's events: `typed`, `HIDDEN_KINDS`.
        event_kinds: every kind of event that there is.
        option_values: every value of every option that games are played with, the default first.
        unordered: kinds of questions whose answers are multisets, so that order means nothing.
        characters: the keys of all characters, for games that have any.
    """

    name: ClassVar[str]
    events: ClassVar[ModuleType]
    event_kinds: ClassVar[frozenset[str]]
    option_values: ClassVar[dict[str, tuple[object, ...]]]
    unordered: ClassVar[frozenset[str]]
    characters: ClassVar[tuple[str, ...]] = ()

    @property
    def game(self) -> Game[Any]:
        return games.game_named(self.name)

    def casts(self, seats: int) -> Sequence[dict[str, object]]:
        """Return the options that say who plays whom, for games that have characters: first none, then dealt."""
        return [{}]

    def cast(self, run: Run) -> Sequence[str]:
        """Return the characters of a game, in seat order; none if it is played without."""
        return ()

    def option_sets(self) -> list[dict[str, object]]:
        """Return every combination of option values, casts left out."""
        names = list(self.option_values)
        return [dict(zip(names, values, strict=True)) for values in product(*self.option_values.values())]

    def table(self, seats: int, number: int) -> Table:
        """Return one table after the other: every second with no cast or a dealt one, the rest with the casts in turn.

        Options are mixed by the number, so that every cast meets all of them.
        """
        casts = self.casts(seats)
        usual, chosen = casts[:2], casts[2:] or casts
        cast = usual[number % len(usual)] if number % 4 < 2 else chosen[(number // 4 * 2 + number % 2) % len(chosen)]
        return Table(self.name, seats, Random(f"options {number}").choice(self.option_sets()) | cast)

    @abstractmethod
    def last_round(self, table: Table) -> int:
        """Return the number of the round after which every game at this table is over."""

    @abstractmethod
    def check_conserved(self, run: Run) -> None:
        """Count all dice and cards where a run stands now.  Raises AssertionError: one is missing, or too many."""

    # The same game in other seats

    @abstractmethod
    def turned(self, run: Run, by: int) -> tuple[Table, chance.Chance]:
        """Return table and chance of the same game with every seat moved on by some places."""

    @abstractmethod
    def relative(self, view: View) -> dict[str, Any]:
        """Return all that a view shows, with seats counted from the one that looks."""

    # The same game with other things hidden

    @abstractmethod
    def otherwise_hidden(self, run: Run, ply: int, seat: int, rng: Random) -> chance.Chance:
        """Return a chance that shows the seat the same up to a ply, and has other cards where it does not see them."""

    def script(self, run: Run, ply: int) -> Script:
        """Return what every seat has decided before this ply."""
        output: Script = {}
        for state, decisions in zip(run.states[:ply], run.decisions[:ply], strict=True):
            for question in run.game.pending(state):
                key = (run.game.round(state), question.seat, question.kind)
                output.setdefault(key, []).append(decisions[question.seat])
        return output

    def from_script(self, run: Run, question: Question, script: Script) -> Any:
        """Return what the script has the seat decide now, and take it off; `NOTHING` if it does not say."""
        output = script.get((run.game.round(run.state), question.seat, question.kind))
        return output.pop(0) if output else NOTHING


Reader = Callable[[View, Any], Any]
"""Tells what one property of a view shows, from where its seat sits."""


def read_relative(view: View, readers: dict[str, Reader | None]) -> dict[str, Any]:
    """Read every property of a view by its reader; None is for what says where one sits."""
    unknown, gone = set(view.fields()) - set(readers), set(readers) - set(view.fields())
    assert not unknown, f"say in the adapter how {sorted(unknown)} look from another seat"
    assert not gone, f"the adapter reads {sorted(gone)}, which no view has"
    return {name: reader(view, getattr(view, name)) for name, reader in readers.items() if reader is not None}


def same(view: View, value: Any) -> Any:
    """Read what names no seat."""
    return value


def seat_off(view: Any, seat: int | None) -> int | None:
    """Read a seat: how many places it sits to the left of the one that looks."""
    return None if seat is None else (seat - view.seat) % view.seats


def seats_off(view: Any, seats: Sequence[int]) -> tuple[int | None, ...]:
    """Read seats whose order counts."""
    return tuple(seat_off(view, seat) for seat in seats)


def seat_set_off(view: Any, seats: Sequence[int]) -> frozenset[int | None]:
    """Read seats that are listed upward."""
    return frozenset(seats_off(view, seats))


def by_seat(view: Any, values: Sequence[Any]) -> tuple[Any, ...]:
    """Read one value a seat, beginning with one's own; before there are any it is empty."""
    return (*values[view.seat :], *values[: view.seat])
