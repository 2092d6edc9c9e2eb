"""What is known of each game beyond its rules: a folder a game, named as its package is.

A folder has `MEASURED`, `COLUMNS`, `AMOUNTS` and `row` in its `__init__`, and `reference`, a module with
`reference(seats, options, seed)` and `version()`.  A game without one counts as unmeasured, its decisions have no
columns of their own, and it is not analysed.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from math import sqrt
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, Final, Generic, Literal, NamedTuple, TypeVar, cast

from gangland.game import Decision
from gangland.games import GAME_NAMES, game_named, package_of
from gangland.replay import Step
from gangland_ladder.analysis.account import Moment, Option, Values
from gangland_ladder.common.runtime import module_of

# Measurements of a game at one table size, on house bots, and what stands in where there is none.


MEASURED_BLOCKS: Final = (*range(1, 13), 16, 24, 32, 48, 64, 96)


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured at a table.

    Attributes:
        places_per_unit: by how many places a seat ends better for each unit of its net luck; `python -m
            benchmarks.measured luck` prints it.
        match_s, game_s, record_s: CPU seconds (`pairing.costs`) of matches of 12 blocks, as `python -m
            benchmarks.measured costs` prints them.
        draws: one chance of a draw for each of `MEASURED_BLOCKS`; at 12 blocks their standard errors are between 5
            and 13 %.  At three seats an odd number of blocks ties less often than the even one after it, which is why
            each of the first twelve stands here.  Never 0: a draw that cannot be would raise sigma in the package.
            `python -m benchmarks.measured draws 300` prints them.
    """

    places_per_unit: Fraction
    match_s: float
    game_s: float
    record_s: float
    draws: tuple[float, ...]


UNMEASURED: Final = Measured(
    places_per_unit=Fraction(0),
    match_s=0.15,
    game_s=0.015,
    record_s=0.0025,
    draws=tuple(0.1 / sqrt(blocks) for blocks in MEASURED_BLOCKS),
)
"""Of a game that nobody measured: places are not adjusted by luck, it costs what the dearest measured table does, and
two bots tie in one block out of ten, which falls with the root of the blocks: between what the measured tables have."""


# Columns of tables.


Kind = Literal["int", "float", "bool", "text", "ints"]
"""What a column holds; "ints" is a list of whole numbers.  Every column may be empty in a row."""
Row = dict[str, Any]


class Column(NamedTuple):
    """A column: its name and what it holds."""

    name: str
    kind: Kind


def columns_of(text: str) -> tuple[Column, ...]:
    """Return the columns of a text of "name:kind", spaces between."""
    kinds = {"int", "float", "bool", "text", "ints"}
    pairs = [each.partition(":") for each in text.split()]
    assert all(kind in kinds for _, _, kind in pairs)
    return tuple(Column(name, cast(Kind, kind)) for name, _, kind in pairs)


# A reference: a player, what positions are worth under it, and the account.


StateT = TypeVar("StateT")


@cache
def version_of(methods: int, tables: Path) -> str:
    """Return the version of a reference: a number for its methods, and which tables it has."""
    return f"{methods}-{sha256(tables.read_bytes()).hexdigest()[:12]}"


class Reference(ABC, Generic[StateT]):
    """A reference player at every seat of one table, and what positions are worth if it plays on.

    One stands for one game that is followed step by step.  What it says depends only on the steps (and the seed), so
    two runs agree to the last bit.

    Attributes:
        version: of its methods, and the digest of its tables: what it says of a game changes with nothing else.
    """

    version: str
    start: Values

    @abstractmethod
    def follow(self, step: Step) -> Moment:
        """Take the next step of the game, the setup first, and return what it changed and which decisions it judges.

        The changes lead from the values after the step before (for the setup: `start`) to those after this one.  After
        the last step these are the scores (`account.scores_of`).  Steps without questions come too; seats at fault
        (`Answered.by_default`) and all options of the game included.
        """

    @abstractmethod
    def options(self, state: StateT, seat: int, defaulting: frozenset[int] = frozenset()) -> Sequence[Option]:
        """Return every legal decision of a seat that is asked, best first, from what the seat may know.

        States of which the seat sees the same (`Game.observe`) give the same options.
        """

    @abstractmethod
    def decide(self, state: StateT, seat: int, rng: Random, defaulting: frozenset[int] = frozenset()) -> Decision:
        """Return what the reference player plays there: where it mixes, drawn with the generator."""

    @abstractmethod
    def worth(self, state: StateT) -> Values:
        """Return by seat what a state of this game is worth in which decisions are asked; no seat is at fault.

        It says what `follow` does before they are made, but judges nothing.
        """

    @abstractmethod
    def before_round(self, state: StateT) -> Values:
        """Return by seat what the first state of a round was worth before the round's dice and cards."""


# What a game's folder has, by the game's name.


def analysis_of(game: str) -> ModuleType | None:
    """Return the folder of a game, None if it has none."""
    return module_of(__name__, game)


def measured(game: str, seats: int) -> Measured | None:
    """Return what was measured at a game's table of so many seats, `UNMEASURED` if nothing was; None for no table."""
    if game not in GAME_NAMES or seats not in game_named(game).table_sizes:
        return None
    folder = analysis_of(game)
    tables: dict[int, Measured] = {} if folder is None else folder.MEASURED
    return tables.get(seats, UNMEASURED)


def reference_of(game: str, seats: int, options: Any, seed: int) -> Reference[Any] | None:
    """Return a game's reference for one game at a table, None if it has none."""
    return _module(game).reference(seats, options, seed) if has_reference(game) else None


def is_amount(game: str, kind: str) -> bool:
    """Return whether decisions of a kind are an amount of something, so that a mean of them says something."""
    folder = analysis_of(game)
    return folder is not None and kind in folder.AMOUNTS


def has_reference(game: str) -> bool:
    """Return whether games of this name can be analysed; nothing is loaded for the answer."""
    return analysis_of(game) is not None and find_spec(_name(game)) is not None


def reference_version(game: str) -> str | None:
    """Return the version of a game's reference, None if it has none."""
    return _module(game).version() if has_reference(game) else None


def _module(game: str) -> Any:
    return import_module(_name(game))


def _name(game: str) -> str:
    return f"{__name__}.{package_of(game)}.reference"
