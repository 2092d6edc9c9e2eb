"""Counts of many games between equal players: their lengths, the winners' seats, and the dice."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

from benchmarks.evidence.players import ANY, Finished, Player, play
from benchmarks.harness import Job, pieces, seed_of
from gangland.chance import SeededChance
from gangland.game import EndReason, Event, Game
from gangland.games import game_named

PIECE = 250
WHOLE_WIN = 12
"""The number of parts of a win, so that any number of joint winners get a whole number of parts."""

Counts = dict[str, Counter[Any]]
"""By the name of a count, the number of occurrences of each value.

    rounds: lengths of games; limited: with key True, games ended by the round limit (G33)
    result: results of games
    dealt, won: by character, the number of its games, and its wins, in parts of a win
    seat, roll, round, place, die: by (group, face), the dice
    next ...: by (face, face), a die and the one after it"""

Drawn = dict[tuple[int, int, int], bytes]
"""The faces of one game's rolls, by round, seat and roll."""

LAST_ROUND = 40
"""Rounds from this one on are counted together."""
LAST_PLACE = 40
"""Places from this one on are counted together."""

NEIGHBORS = {"next seat": (0, 1, 0), "next roll": (0, 0, 1), "next round": (1, 0, 0)}
"""By name, the distance between two rolls to compare die by die: in rounds, seats and rolls."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One kind of table: identical players, each with its own chance.

    Attributes:
        options: the options that differ from their defaults.
        dice: whether to count the dice.
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
    """The end of one game.

    Attributes:
        first: the seat that began.
        doubled: each seat's mean place, doubled to be whole, in seat order.
        winners: the seats that won.
    """

    first: int
    doubled: tuple[int, ...]
    winners: tuple[int, ...]


def any_play(game: str, seats: int) -> Cell:
    """Return the cell of random play, whose dice are counted."""
    return Cell(game, seats, ANY, dice=True)


def jobs(cell: Cell, games: int) -> list[Job]:
    """Return the work for a number of games of a cell."""
    return [Job(cell, count_games, (cell, numbers)) for numbers in pieces(games, PIECE)]


def together(parts: Iterable[Counts]) -> Counts:
    """Return the sum of all parts."""
    total: Counts = defaultdict(Counter)
    for part in parts:
        for name, counts in part.items():
            total[name].update(counts)
    return total


def count_games(cell: Cell, numbers: range) -> Counts:
    """Play the games of these numbers and count."""
    game, draws = game_named(cell.game), Draws()
    counts: Counts = defaultdict(Counter)
    for number in numbers:
        words = (cell.game, cell.seats, cell.stem, cell.variant, number)
        seated = [Player(cell.stem).sit(game, seed_of("player", *words, seat)) for seat in range(cell.seats)]
        chance = Recorder(seed_of("dice", *words)) if cell.dice else SeededChance(seed_of("dice", *words))
        finished = play(game, seated, dict(cell.options), chance)
        if isinstance(chance, Recorder):
            draws.add(chance.drawn, finished.events)
        _note(counts, game, cell, finished)
    return counts | draws.counts()


def _note(counts: Counts, game: Game[Any], cell: Cell, finished: Finished) -> None:
    outcome = finished.outcome
    counts["rounds"][finished.rounds] += 1
    counts["limited"][outcome.reason is EndReason.ROUND_LIMIT] += 1
    doubled = tuple(int(2 * place) for place in outcome.mean_places())
    counts["result"][Result(first_seat(finished), doubled, outcome.winners)] += 1
    if "characters" in dict(cell.options):
        players = game.observe(finished.first_state, 0).players  # type: ignore[attr-defined]
        for seat, player in enumerate(players):
            counts["dealt"][player.character.key] += 1
            if seat in outcome.winners:
                counts["won"][player.character.key] += WHOLE_WIN // len(outcome.winners)


def first_seat(finished: Finished) -> int:
    """Return the seat that began the first round; seat 0 if all seats move at once."""
    began = next(event for event in finished.events if event[0] == "round")
    return int(began[3][0]) if len(began) > 3 else 0


class Recorder(SeededChance):
    """The chance of a seed, as in games, that records the dice."""

    def __init__(self, seed: bytes) -> None:
        super().__init__(seed)
        self.drawn: Drawn = {}

    def faces(self, round: int, seat: int, roll: int, count: int) -> bytes:
        """Draw faces and record them."""
        faces = super().faces(round, seat, roll, count)
        self.drawn[round, seat, roll] = faces
        return faces


class Draws:
    """Collects the rolls of many games and counts them all at once."""

    def __init__(self) -> None:
        self._groups: dict[tuple[str, int], bytearray] = defaultdict(bytearray)
        self._by_length: dict[int, bytearray] = defaultdict(bytearray)
        self._pairs = {name: (bytearray(), bytearray()) for name in NEIGHBORS}

    def add(self, drawn: Drawn, events: Iterable[Event]) -> None:
        """Add one game: the dice of its chance, and the dice of its events."""
        for (number, seat, roll), faces in drawn.items():
            self._groups["seat", seat] += faces
            self._groups["roll", roll] += faces
            self._groups["round", min(number, LAST_ROUND)] += faces
            self._by_length[len(faces)] += faces
            for name, (rounds, seats, rolls) in NEIGHBORS.items():
                after = drawn.get((number + rounds, seat + seats, roll + rolls))
                if after is not None:
                    both = min(len(faces), len(after))
                    self._pairs[name][0].extend(faces[:both])
                    self._pairs[name][1].extend(after[:both])
        for event in events:
            if event[0] == "rolled":
                for die, up in shown_by_die(event):
                    self._groups["die", die] += bytes(up)

    def counts(self) -> Counts:
        """Return everything counted."""
        counts: Counts = defaultdict(Counter)
        for (name, group), faces in self._groups.items():
            _count(counts[name], group, faces)
        for length, faces in self._by_length.items():
            columns = [faces[place::length] for place in range(length)]
            for place, column in enumerate(columns):
                _count(counts["place"], min(place, LAST_PLACE), column)
            counts["next place"].update(chain.from_iterable(zip(*pair, strict=True) for pair in pairwise(columns)))
        for name, (earlier, later) in self._pairs.items():
            counts[name].update(zip(earlier, later, strict=True))
        return dict(counts)


def shown_by_die(event: Event) -> Sequence[tuple[int, tuple[int, ...]]]:
    """Return the dice of a `rolled` event by kind of die: three colors in Gangster Dice, one kind in Gang of Dice."""
    return list(enumerate(event[2])) if len(event) == 3 else [(0, event[4])]


def _count(into: Counter[Any], group: int, faces: bytearray) -> None:
    for face in set(faces):
        into[group, face] += faces.count(face)
