"""Results of a ladder, with the ratings that the record worker would compute, and the games of the newest matches."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cache
from random import Random

from benchmarks.fill.writing import Row
from benchmarks.matches import BotInProcess
from benchmarks.ways import seed
from gangland.blocks import seating
from gangland.faults import BotFault, FaultKind
from gangland.games import game_named
from gangland.luck import luck_of
from gangland.match import play
from gangland_ladder.matches.judging import views_digest
from gangland_ladder.rating.trueskill import MU, SIGMA
from gangland_ladder.rating.updater import FinishedMatch, RatingChange, RatingUpdater

DRAWS = 0.02
VOIDS = 0.001
FAULTS = 0.01
"""The shares of matches that are drawn, void, or have a bot at fault."""
NEAR = 0.03
"""The maximum distance in rank between opponents, as a share of all entries."""
LUCK = 0.3
"""The spread of a mean place around its expectation by strength."""


@dataclass(slots=True)
class Tally:
    """The sums of an entry's matches; the last rating is its current one."""

    games: int = 0
    wins: int = 0
    faults: int = 0
    appearances: int = 0
    last_number: int = 0
    mu: float = MU
    sigma: float = SIGMA


@dataclass(frozen=True, slots=True)
class Played:
    """A match as in its rows; `moves` is empty if it is void."""

    result: FinishedMatch
    wins: tuple[int, ...]
    faults: tuple[int, ...]
    moves: tuple[RatingChange, ...]


class Results:
    """Draws results between the entries of a ladder by their strength, and adds them up.

    Args:
        settled: matches up to this number are played; the others have only their tables.
        retired: the number of entries, the first ones, that play only in the first half of the matches.
    """

    def __init__(
        self, updater: RatingUpdater, entries: range, *, retired: int, games: int, settled: int, seed: int = 1
    ) -> None:
        self.tallies = {entry: Tally() for entry in entries}
        self._updater, self._games, self._settled = updater, games, settled
        self._chance = Random(seed)
        self._by_strength = list(entries)
        self._chance.shuffle(self._by_strength)
        self._strength = {entry: at / len(entries) for at, entry in enumerate(self._by_strength)}
        self._playing = [entry for entry in self._by_strength if entry - entries.start >= retired]

    def played(self, numbers: range) -> Iterator[Played]:
        """Yield the matches of these numbers, in order and without a gap from the first on."""
        for number in numbers:
            table = self._table(self._by_strength if number <= self._settled // 2 else self._playing)
            for entry in table:
                self.tallies[entry].appearances += 1
                self.tallies[entry].last_number = number
            if number > self._settled:
                yield Played(FinishedMatch(number, table, ()), (0,) * len(table), (0,) * len(table), ())
                continue
            places = () if self._chance.random() < VOIDS else self._places(table)
            ((result, moves),) = self._updater.apply([FinishedMatch(number, table, places)])
            yield self._counted(result, moves)

    def _table(self, pool: list[int]) -> tuple[int, ...]:
        """Return entries with similar ranks, in ascending order."""
        seats, size = self._updater.seats, len(pool)
        spread = max(2.0, NEAR * size)
        middle = self._chance.randrange(size)
        neighbors = {pool[middle]}
        while len(neighbors) < seats:
            neighbors.add(pool[min(size - 1, max(0, middle + round(self._chance.gauss(0, spread))))])
            spread += 0.5
        return tuple(sorted(neighbors))

    def _places(self, table: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
        """Return mean places over all games, with the right sum and sometimes equal ones."""
        seats, games = len(table), self._games
        middle = Fraction(1 + seats, 2)
        if self._chance.random() < DRAWS:
            return (middle.as_integer_ratio(),) * seats
        raw = [self._chance.gauss(float(middle) + (self._strength[entry] - 0.5) * 2, LUCK) for entry in table]
        shift = float(middle) - sum(raw) / seats
        counts = [min(games * seats, max(games, round(games * (place + shift)))) for place in raw]
        return tuple(Fraction(count, games).as_integer_ratio() for count in counts)

    def _counted(self, result: FinishedMatch, moves: tuple[RatingChange, ...]) -> Played:
        faulty = self._chance.randrange(len(result.entries)) if self._chance.random() < FAULTS and moves else -1
        faults = tuple(int(at == faulty) for at in range(len(result.entries)))
        wins = tuple(self._wins(*place) for place in result.places) or (0,) * len(result.entries)
        for at, (entry, move) in enumerate(zip(result.entries, moves, strict=False)):
            tally = self.tallies[int(entry)]
            tally.games += self._games
            tally.wins += wins[at]
            tally.faults += faults[at]
            tally.mu, tally.sigma = move[2:]
        return Played(result, wins, faults, moves)

    def _wins(self, count: int, limit: int) -> int:
        seats = self._updater.seats
        return round(self._games * (seats - count / limit) / (seats - 1))


GAME_COLUMNS = ("match_id", "block", "rotation", "replay", "views", "seating", "places", "luck", "faults")


def games_of_match(game: str, seats: int, blocks: int, match_id: int, faults: Sequence[int]) -> Iterator[Row]:
    """Yield a match's games, real ones of random bots; a seat with a fault in the match fails in the first game."""
    faulty = next((position for position, count in enumerate(faults) if count), None)
    for block in range(blocks):
        for rotation in range(seats):
            fails = faulty if block == rotation == 0 else None
            yield (match_id, block, rotation, *_game(game, seats, block, rotation, fails))


@cache
def _game(name: str, seats: int, block: int, rotation: int, fails: int | None) -> Row:
    game, sitting = game_named(name), seating(block, rotation, seats)
    players = [BotInProcess(game, position) for position in sitting]
    failed = {sitting.index(fails): BotFault(FaultKind.CRASHED, "line 7: KeyError(3)")} if fails is not None else {}
    played = play(game, players, seed(block), early_faults=failed)
    faults = [{**asdict(fault), "kind": fault.kind.value} for fault in played.faults]
    lists = (list(sitting), list(played.outcome.places), list(luck_of(played.replay)), faults)
    return played.replay.to_json(), views_digest(played.replay), *map(json.dumps, lists)
