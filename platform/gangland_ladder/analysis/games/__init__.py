"""Each game's measurements and its reference player, in a folder with the name of the game's package.

The folder's `__init__` has `MEASURED`, `COLUMNS`, `AMOUNTS` and `row`; its module `reference` has
`reference(seats, options, seed)` and `version()`. A game without a folder has no measurements and no columns of its
own, and it cannot be analyzed.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
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
from typing import Any, Final, Generic, Literal, NamedTuple, TypeVar, get_args

from gangland.game import Decision
from gangland.games import GAME_NAMES, game_named, package_of
from gangland.replay import Step
from gangland_ladder.analysis.account import Moment, Option, Values
from gangland_ladder.common.game_modules import module_of

# Measurements with house bots, for each game and table size, and the values for games without measurements.

# At three seats, ties are less frequent with an odd number of blocks than with the next even number. So each of the
# first twelve numbers is measured.
MEASURED_BLOCKS: Final = (*range(1, 13), 16, 24, 32, 48, 64, 96)


@dataclass(frozen=True, slots=True)
class Measurements:
    """The measurements of one game at one table size."""

    places_per_unit: Fraction  # places gained per unit of net luck; from `python -m benchmarks.measured luck`
    # match_s, game_s, record_s: CPU seconds for matches of 12 blocks (`pairing.costs`); from `python -m
    # benchmarks.measured costs`
    match_s: float
    game_s: float
    record_s: float
    # the probability of a draw for each of `MEASURED_BLOCKS`, above 0; at 12 blocks the standard errors are 5 to 13 %.
    # From `python -m benchmarks.measured draws 300`.
    draws: tuple[float, ...]


# The values for a game without measurements. Places are not adjusted for luck, and the game costs as much as the most
# expensive measured table. The probability of a tie is between those of the measured tables: a tenth for one block,
# falling with the square root of the number of blocks.
UNMEASURED: Final = Measurements(
    places_per_unit=Fraction(0),
    match_s=0.15,
    game_s=0.015,
    record_s=0.0025,
    draws=tuple(0.1 / sqrt(blocks) for blocks in MEASURED_BLOCKS),
)


# Columns of the decision table.

# The type of a column; "ints" is a list of whole numbers. Every column may be empty in a row.
Kind = Literal["int", "float", "bool", "text", "ints"]
Row = dict[str, Any]
_KINDS: Final[Mapping[str, Kind]] = {kind: kind for kind in get_args(Kind)}


class Column(NamedTuple):
    """The name and type of a column."""

    name: str
    kind: Kind


def columns_of(text: str) -> tuple[Column, ...]:
    """Return the columns in a text of "name:kind" items separated by spaces. Raises KeyError: an unknown kind."""
    pairs = [each.partition(":") for each in text.split()]
    return tuple(Column(name, _KINDS[kind]) for name, _, kind in pairs)


# A reference: a model player that judges decisions, and estimates the value of a position if it plays every seat.

StateT = TypeVar("StateT")


@cache
def version_of(methods: int, tables: Path) -> str:
    """Return the version of a reference: a number for its methods, and the digest of its tables."""
    return f"{methods}-{sha256(tables.read_bytes()).hexdigest()[:12]}"


class Reference(ABC, Generic[StateT]):
    """A reference player that plays every seat of one table, and the values of the positions.

    An instance follows one game step by step. Equal steps and seeds give the same results, to the last bit.
    """

    version: str  # a number for its methods, and the digest of its tables; equal versions give equal results
    start: Values

    @abstractmethod
    def follow(self, step: Step) -> Moment:
        """Follow the next step of the game, beginning with the setup, and return its changes and judged decisions.

        The values after the previous step (for the setup: `start`) plus the changes are the values after this step.
        After the last step, they are the scores (`account.scores_of`). An implementation must handle steps without
        questions, seats at fault (`StepAnswer.by_default`), and all options of the game.
        """

    @abstractmethod
    def options(self, state: StateT, seat: int, defaulting: frozenset[int] = frozenset()) -> Sequence[Option]:
        """Return every legal decision of a seat, best first; equal views (`Game.observe`) give equal options."""

    @abstractmethod
    def decide(self, state: StateT, seat: int, rng: Random, defaulting: frozenset[int] = frozenset()) -> Decision:
        """Return the reference player's decision; `rng` draws from a mixed strategy."""

    @abstractmethod
    def worth(self, state: StateT) -> Values:
        """Return each seat's value in a state with open decisions and no fault; `follow` uses the same values."""

    @abstractmethod
    def before_round(self, state: StateT) -> Values:
        """Return each seat's value in a round's first state, before the round's dice and cards are known."""


# Finding a game's folder and its parts by the name of the game.


def analysis_of(game: str) -> ModuleType | None:
    """Return the package of a game in this folder, or None."""
    return module_of(__name__, game)


def measurements_of(game: str, seats: int) -> Measurements | None:
    """Return the measurements of a game's table, or `UNMEASURED`; None if the game has no such table."""
    if game not in GAME_NAMES or seats not in game_named(game).table_sizes:
        return None
    folder = analysis_of(game)
    tables: dict[int, Measurements] = {} if folder is None else folder.MEASURED
    return tables.get(seats, UNMEASURED)


def reference_of(game: str, seats: int, options: Any, seed: int) -> Reference[Any] | None:
    """Return a reference that follows one game at a table; None if the game has no reference."""
    return _module(game).reference(seats, options, seed) if has_reference(game) else None


def is_amount(game: str, kind: str) -> bool:
    """Return whether decisions of this kind are amounts, whose mean is meaningful."""
    folder = analysis_of(game)
    return folder is not None and kind in folder.AMOUNTS


def has_reference(game: str) -> bool:
    """Return whether this game can be analyzed, without loading the reference."""
    return analysis_of(game) is not None and find_spec(_reference_module(game)) is not None


def reference_version(game: str) -> str | None:
    """Return the version of a game's reference, or None if the game has no reference."""
    return _module(game).version() if has_reference(game) else None


def _module(game: str) -> Any:
    return import_module(_reference_module(game))


def _reference_module(game: str) -> str:
    return f"{__name__}.{package_of(game)}.reference"
