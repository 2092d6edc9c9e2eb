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

Script = dict[tuple[int, int, str], list[Decision]]  # (round, seat, kind of question) -> decisions in order

NOTHING: Final[Any] = object()  # in place of a decision that a script does not have


class Adapter(ABC):
    """A game's inside, for its contract; `option_values` has the default first, `unordered` kinds answer multisets."""

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
        """Return the options for characters: first none, then dealt; nothing for a game without characters."""
        return [{}]

    def cast(self, run: Run) -> Sequence[str]:
        return ()

    def option_sets(self) -> list[dict[str, object]]:
        names = list(self.option_values)
        return [dict(zip(names, values, strict=True)) for values in product(*self.option_values.values())]

    def table(self, seats: int, number: int) -> Table:
        """Return table `number`: options mixed, and every cast with all of them."""
        casts = self.casts(seats)
        usual, chosen = casts[:2], casts[2:] or casts
        cast = usual[number % len(usual)] if number % 4 < 2 else chosen[(number // 4 * 2 + number % 2) % len(chosen)]
        return Table(self.name, seats, Random(f"options {number}").choice(self.option_sets()) | cast)

    @abstractmethod
    def last_round(self, table: Table) -> int:
        """Return the last round that a game at this table can have."""

    @abstractmethod
    def check_conserved(self, run: Run) -> None:
        """Count all dice and cards where a run stands now.  Raises AssertionError: one is missing, or too many."""

    # The same game in other seats

    @abstractmethod
    def turned(self, run: Run, by: int) -> tuple[Table, chance.Chance]:
        """Return table and chance of the same game with every seat moved."""

    @abstractmethod
    def relative(self, view: View) -> dict[str, Any]:
        """Return all that a view shows, with seats counted from its own."""

    # The same game with other things hidden

    @abstractmethod
    def otherwise_hidden(self, run: Run, ply: int, seat: int, rng: Random) -> chance.Chance:
        """Return a chance with the same results for the seat up to a ply, and other hidden cards."""

    def script(self, run: Run, ply: int) -> Script:
        output: Script = {}
        for state, decisions in zip(run.states[:ply], run.decisions[:ply], strict=True):
            for question in run.game.pending(state):
                key = (run.game.round(state), question.seat, question.kind)
                output.setdefault(key, []).append(decisions[question.seat])
        return output

    def from_script(self, run: Run, question: Question, script: Script) -> Any:
        """Take the seat's next decision from the script; `NOTHING` if it has none."""
        output = script.get((run.game.round(run.state), question.seat, question.kind))
        return output.pop(0) if output else NOTHING


Reader = Callable[[View, Any], Any]  # reads one property of a view, from its seat


def read_relative(view: View, readers: dict[str, Reader | None]) -> dict[str, Any]:
    """Read every property of a view by its reader; None ignores one."""
    unknown, gone = set(view.fields()) - set(readers), set(readers) - set(view.fields())
    assert not unknown, f"say in the adapter how {sorted(unknown)} look from another seat"
    assert not gone, f"the adapter reads {sorted(gone)}, which no view has"
    return {name: reader(view, getattr(view, name)) for name, reader in readers.items() if reader is not None}


def same(view: View, value: Any) -> Any:
    return value


def seat_off(view: Any, seat: int | None) -> int | None:
    return None if seat is None else (seat - view.seat) % view.seats


def seats_off(view: Any, seats: Sequence[int]) -> tuple[int | None, ...]:
    return tuple(seat_off(view, seat) for seat in seats)


def seat_set_off(view: Any, seats: Sequence[int]) -> frozenset[int | None]:
    return frozenset(seats_off(view, seats))


def by_seat(view: Any, values: Sequence[Any]) -> tuple[Any, ...]:
    """Read one value per seat, the own seat first; empty before there are any."""
    return (*values[view.seat :], *values[: view.seat])
