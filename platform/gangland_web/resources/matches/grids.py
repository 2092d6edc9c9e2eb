"""All games of a match at a glance: a row for each block, a cell for each order of the seats."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import NamedTuple

from gangland.game import EndReason
from gangland_web.base.formats import fault_words
from gangland_web.models.matches import PlayedGame
from gangland_web.resources.matches.faults import decision_address
from gangland_web.resources.matches.queries import MatchPage

LETTERS = "ABCD"
"""What the bots of a match are called in its grid, by position."""

BLOCKS_NEAR = 24
"""So many blocks have room beside a game; the match's page has all of them."""

REASONS = {
    EndReason.COMPLETED.value: "played to the end",
    EndReason.ROUND_LIMIT.value: "ended by the limit of rounds",
    EndReason.LAST_FAULTLESS.value: "ended when one seat without a fault was left",
    EndReason.FAULTLESS_OUT.value: "ended when the last seats without a fault were out",
    EndReason.DEFAULT_EMPTY.value: "ended when a seat at fault got rid of all its dice",
    EndReason.ALL_AT_FAULT.value: "ended when every seat was at fault",
}
"""Why a game ended, in words."""


@dataclass(frozen=True, slots=True)
class GameCell:
    """One game.

    Attributes:
        sitting: for each seat, the position in the match of the bot in it.
        places, luck: of each bot, by position.
        winners: positions of those who won; nobody does where all are at fault.
        faults: by position, the words for what each failed at.
        reason: why the game ended, in words.
    """

    block: int
    rotation: int
    sitting: tuple[int, ...]
    places: tuple[int, ...]
    luck: tuple[float, ...]
    winners: tuple[int, ...]
    faults: tuple[tuple[str, ...], ...]
    rounds: int
    rules: int
    reason: str

    @property
    def label(self) -> str:
        """The winners' letters, a dash for nobody."""
        return "".join(LETTERS[position] for position in self.winners) or "–"

    @property
    def faulty(self) -> tuple[int, ...]:
        """Positions of those who failed."""
        return tuple(position for position, words in enumerate(self.faults) if words)

    def sentence(self, names: Sequence[str]) -> str:
        """Return the game in one sentence; `names` are by position."""
        won = " and ".join(
            f"{names[position]} from seat {self.sitting.index(position) + 1}" for position in self.winners
        )
        parts = [f"won by {won}" if won else "no winner"]
        parts += [f"{', '.join(self.faults[position])} of {names[position]}" for position in self.faulty]
        return "; ".join(parts)


@dataclass(frozen=True, slots=True)
class BlockRow:
    """The games of one block, by rotation, and each bot's mean place over them, by position."""

    block: int
    games: tuple[GameCell, ...]
    means: tuple[float, ...]


class FaultOf(NamedTuple):
    """A fault in a match: the game, the position of the bot, the word for it, and the address of its decision.

    `message` is for the bot's owner alone.  `at` is None for a fault before the first decision or after the game, and
    where the replay is not kept any more.
    """

    block: int
    rotation: int
    position: int
    word: str
    at: str | None
    message: str


def faults_of(games: Sequence[PlayedGame]) -> list[FaultOf]:
    """Return all faults of a match, game by game."""
    return [
        FaultOf(
            *(game.block, game.rotation, game.seating[fault["seat"]], fault_words(fault["kind"])),
            decision_address(game.replay, fault["decision"]),
            fault["message"],
        )
        for game in games
        for fault in game.faults
    ]


def reasons_of(grid: Sequence[BlockRow]) -> list[tuple[str, int]]:
    """Return why games ended, in words, and how many of them, the most frequent first."""
    return Counter(cell.reason for row in grid for cell in row.games).most_common()


def grid_of(page: MatchPage, games: Sequence[PlayedGame]) -> tuple[BlockRow, ...]:
    """Return a match's games by block; `games` are in canonical order."""
    size = len(page.seats)
    cells = [_cell(game, size) for game in games]
    rows = []
    for block in sorted({cell.block for cell in cells}):
        row = tuple(cell for cell in cells if cell.block == block)
        means = tuple(fsum(_mean_place(cell, position) for cell in row) / len(row) for position in range(size))
        rows.append(BlockRow(block, row, means))
    return tuple(rows)


def near(grid: Sequence[BlockRow], block: int, most: int = BLOCKS_NEAR) -> Sequence[BlockRow]:
    """Return the blocks around one, `most` of them if there are so many."""
    first = max(0, min(block - most // 2, len(grid) - most))
    return grid[first : first + most]


def _mean_place(cell: GameCell, position: int) -> float:
    place = cell.places[position]
    return place + (cell.places.count(place) - 1) / 2


def _cell(game: PlayedGame, size: int) -> GameCell:
    replay = json.loads(game.replay)
    faults: list[list[str]] = [[] for _ in range(size)]
    for fault in game.faults:
        faults[game.seating[fault["seat"]]].append(fault_words(fault["kind"]))
    seats = tuple(game.seating.index(position) for position in range(size))
    places = tuple(game.places[seat] for seat in seats)
    nobody = replay["reason"] == EndReason.ALL_AT_FAULT
    return GameCell(
        block=game.block,
        rotation=game.rotation,
        sitting=tuple(game.seating),
        places=places,
        luck=tuple(game.luck[seat] for seat in seats),
        winners=() if nobody else tuple(position for position, place in enumerate(places) if place == 1),
        faults=tuple(map(tuple, faults)),
        rounds=replay["rounds"],
        rules=replay["rules"],
        reason=REASONS.get(replay["reason"], "ended"),
    )
