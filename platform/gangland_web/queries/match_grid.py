"""The games of a match: in a grid, or two of them side by side."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import NamedTuple

from gangland.game import EndReason
from gangland.games import game_named
from gangland_ladder.viewer.commentary import result
from gangland_ladder.viewer.film import Film, Mark, Stop
from gangland_web.base.formats import fault_words
from gangland_web.models.matches import PlayedGame
from gangland_web.queries.matches import MatchPage, decision_address

# The grid of a match's games: a row for each block, a cell for each order of the seats.


LETTERS = "ABCD"
"""What the bots of a match are called in its grid, by position."""

BLOCKS_NEAR = 24
"""How many blocks fit next to a game; the match's page has all of them."""

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
        winners: positions of those who won; none if all are at fault.
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
        """The winners' letters, a dash without any."""
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

    `message` is only for the bot's owner.  `at` is None for a fault before the first decision or after the game, and
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
    """Return the blocks around one, at most `most` of them."""
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


# Two games side by side, round by round: the same dice in two orders of the seats.


WIDE, TALL = 600, 150
"""The chart's own units."""
_LETTER = 17
"""How tall a letter in it is."""


@dataclass(frozen=True, slots=True)
class DecisionLine:
    """What happened at one decision: its address, who decided, in which seat from 0, and what else followed."""

    at: str
    seat: int
    name: str
    did: str
    fault: bool
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Side:
    """One game in one round.

    Attributes:
        opens: sentences on what began the round.
        dice: each bot's at its beginning, by position in the match; empty at a round that the game did not have.
        marks: what of faults and changes of the lead is in it.
    """

    opens: tuple[str, ...]
    decisions: tuple[DecisionLine, ...]
    dice: tuple[int, ...]
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class ComparedGame:
    """One game as a whole; `seats` are by position in the match, from 0, `lines` the chart's, by position.

    `ends` has the place of each line's letter: near its end, and off the other letters.
    """

    rotation: int
    ending: str
    rounds: int
    seats: tuple[int, ...]
    places: tuple[int, ...]
    lines: tuple[str, ...]
    ends: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two games; `rounds` has for each round both sides.  `most` is the highest number of dice in either chart."""

    columns: tuple[ComparedGame, ...]
    rounds: tuple[tuple[Side, ...], ...]
    aim: str
    most: int


def comparison_of(page: MatchPage, games: Sequence[tuple[Film, PlayedGame]]) -> Comparison:
    """Return games side by side, in the order given."""
    longest = max(film.rounds for film, _ in games)
    most = max(count for film, _ in games for _, held in film.dice for count in held) or 1
    columns = tuple(_column(page, film, played, longest, most) for film, played in games)
    rounds = tuple(
        tuple(_side(page, film, played, number) for film, played in games) for number in range(1, longest + 1)
    )
    return Comparison(columns, rounds, game_named(games[0][0].game).unit.aim, most)


def _by_position(page: MatchPage, played: PlayedGame) -> tuple[int, ...]:
    return tuple(played.seating.index(position) for position in range(len(page.seats)))


def _column(page: MatchPage, film: Film, played: PlayedGame, longest: int, most: int) -> ComparedGame:
    seats = _by_position(page, played)
    lines = tuple(
        " ".join(f"{WIDE * (at - 1) / longest:.1f},{TALL - TALL * held[seat] / most:.1f}" for at, held in film.dice)
        for seat in seats
    )
    ends = _spread([tuple(map(float, line.rpartition(" ")[2].split(","))) for line in lines])
    places = tuple(film.places[seat] for seat in seats)
    return ComparedGame(played.rotation, result(film), film.rounds, seats, places, lines, ends)


def _spread(ends: Sequence[tuple[float, ...]]) -> tuple[tuple[float, float], ...]:
    """Return the points moved apart, up or down, so that letters at them do not cover each other."""
    placed: dict[int, float] = {}
    at = float("-inf")
    for index, (_, y) in sorted(enumerate(ends), key=lambda each: (each[1][1], each[0])):
        placed[index] = at = max(y, at + _LETTER)
    over = max(0.0, at - TALL)
    return tuple((x, placed[index] - over) for index, (x, _) in enumerate(ends))


def _line(film: Film, stop: Stop) -> DecisionLine:
    """Return a decision told once: by a sentence on what followed, if one tells it too."""
    name, found, others = film.names[stop.seat], film.sentence_of(stop), list(stop.sentences)
    did = f"{stop.did}." if found is None else others.pop(found).removeprefix(f"{name} ")
    return DecisionLine(stop.at, stop.seat, name, did, stop.fault, tuple(others))


def _side(page: MatchPage, film: Film, played: PlayedGame, number: int) -> Side:
    held = dict(film.dice).get(number) if number <= film.rounds else None
    before = [*film.opening, *(line for stop in film.stops for line in stop.opens)]
    return Side(
        opens=tuple(text for at, text in before if at == number or (at == 0 and number == 1)),
        decisions=tuple(_line(film, stop) for stop in film.stops if stop.round == number),
        dice=() if held is None else tuple(held[seat] for seat in _by_position(page, played)),
        marks=tuple(mark for index, mark in sorted(film.marks.items()) if film.stops[index].round == number),
    )
