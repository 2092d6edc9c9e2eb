"""Many games at tables of equal players: how long they last, who wins from which seat, what the dice show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.evidence.draws import Counts, Draws, Recorder
from benchmarks.evidence.jobs import Job, pieces
from benchmarks.evidence.players import ANY, Finished, Player, play, seed_of
from gangland.chance import SeededChance
from gangland.game import EndReason, Game
from gangland.games import game_named

PIECE = 250
WHOLE_WIN = 12
"""A win in parts, so that any number of joint winners share it in whole numbers."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One kind of table: identical players, each with chance of its own.

    Attributes:
        options: the options that differ from their defaults.
        dice: whether to count what the dice show.
    """

    game: str
    seats: int
    stem: str
    options: tuple[tuple[str, object], ...] = ()
    dice: bool = False

    @property
    def variant(self) -> str:
        """The options in words."""
        return ", ".join(f"{name}: {value}" for name, value in self.options) or "defaults"


@dataclass(frozen=True, slots=True)
class Result:
    """One game's end.

    Attributes:
        first: the seat that began.
        doubled: each seat's mean place, doubled to be whole, in seat order.
        winners: the seats that won.
    """

    first: int
    doubled: tuple[int, ...]
    winners: tuple[int, ...]


@dataclass(slots=True)
class Census:
    """What some games came to.

    Attributes:
        rounds: how many games lasted how many rounds.
        limited: games that the round limit ended (G33).
        dealt: how often each character was in play.
        won: in parts of a win, what each character won.
    """

    rounds: Counter[int] = field(default_factory=Counter)
    limited: int = 0
    results: Counter[Result] = field(default_factory=Counter)
    counts: Counts = field(default_factory=dict)
    dealt: Counter[str] = field(default_factory=Counter)
    won: Counter[str] = field(default_factory=Counter)

    @property
    def games(self) -> int:
        """How many games."""
        return self.rounds.total()

    def add(self, other: Census) -> None:
        """Take in other games."""
        self.rounds.update(other.rounds)
        self.limited += other.limited
        self.results.update(other.results)
        self.dealt.update(other.dealt)
        self.won.update(other.won)
        for name, counts in other.counts.items():
            self.counts.setdefault(name, Counter()).update(counts)


def jobs(cell: Cell, games: int) -> list[Job]:
    """Return the work for so many games of a cell."""
    return [Job(cell, count_games, (cell, numbers)) for numbers in pieces(games, PIECE)]


def together(parts: Sequence[Census]) -> Census:
    """Return all parts as one."""
    total = Census()
    for part in parts:
        total.add(part)
    return total


def count_games(cell: Cell, numbers: range) -> Census:
    """Play the games of these numbers and count."""
    game = game_named(cell.game)
    census, draws = Census(), Draws()
    for number in numbers:
        words = (cell.game, cell.seats, cell.stem, cell.variant, number)
        seated = [Player(cell.stem).sit(game, seed_of("player", *words, seat)) for seat in range(cell.seats)]
        seed = seed_of("dice", *words)
        if cell.dice:
            recorder = Recorder(seed)
            finished = play(game, seated, dict(cell.options), recorder)
            draws.add(recorder.drawn, finished.events)
        else:
            finished = play(game, seated, dict(cell.options), SeededChance(seed))
        _note(census, game, cell, finished)
    census.counts = draws.counts() if cell.dice else {}
    return census


def _note(census: Census, game: Game[Any], cell: Cell, finished: Finished) -> None:
    outcome = finished.outcome
    census.rounds[finished.rounds] += 1
    census.limited += outcome.reason is EndReason.ROUND_LIMIT
    doubled = tuple(int(2 * place) for place in outcome.mean_places())
    census.results[Result(first_seat(finished), doubled, outcome.winners)] += 1
    if "characters" in dict(cell.options):
        players = game.observe(finished.first_state, 0).players  # type: ignore[attr-defined]
        for seat, player in enumerate(players):
            census.dealt[player.character] += 1
            census.won[player.character] += WHOLE_WIN // len(outcome.winners) if seat in outcome.winners else 0


def first_seat(finished: Finished) -> int:
    """Return the seat that began the first round; where all move at once that is seat 0."""
    began = next(event for event in finished.events if event[0] == "round")
    return int(began[3][0]) if len(began) > 3 else 0


def any_play(game: str, seats: int) -> Cell:
    """Return the cell of random play, the one whose dice are counted."""
    return Cell(game, seats, ANY, dice=True)
