"""What a game's folder of analysis offers: a reference player, what positions are worth under it, and the account."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Generic, TypeVar

from gangland.game import Decision
from gangland.replay import Step
from gangland_ladder.analysis.account import Moment, Option, Values

StateT = TypeVar("StateT")


@cache
def version_of(methods: int, tables: Path) -> str:
    """Return the version of a reference: a number for its methods, and which tables it has."""
    return f"{methods}-{sha256(tables.read_bytes()).hexdigest()[:12]}"


class Reference(ABC, Generic[StateT]):
    """A reference player at every seat of one table, and what positions are worth if it plays on.

    One stands for one game that is followed step by step.  What it says hangs on the steps (and the seed) alone, so
    two runs agree to the last bit.

    Attributes:
        version: of its methods, and the digest of its tables: what it says of a game changes with nothing else.
        start: the values before anything has happened.
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
