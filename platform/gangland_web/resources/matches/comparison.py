"""Two games of the same dice in two orders of the seats, beside each other round by round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gangland.games import game_named
from gangland_ladder.viewer.film import Film, Mark, Stop
from gangland_ladder.viewer.turning import result
from gangland_web.models.matches import PlayedGame
from gangland_web.resources.matches.queries import MatchPage

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
class Column:
    """One game as a whole; `seats` are by position in the match, from 0, `lines` the chart's, by position.

    `ends` is where each line's letter stands: near its end, and off the other letters.
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

    columns: tuple[Column, ...]
    rounds: tuple[tuple[Side, ...], ...]
    aim: str
    most: int


def comparison_of(page: MatchPage, games: Sequence[tuple[Film, PlayedGame]]) -> Comparison:
    """Return games beside each other, in the order given."""
    longest = max(film.rounds for film, _ in games)
    most = max(count for film, _ in games for _, held in film.dice for count in held) or 1
    columns = tuple(_column(page, film, played, longest, most) for film, played in games)
    rounds = tuple(
        tuple(_side(page, film, played, number) for film, played in games) for number in range(1, longest + 1)
    )
    return Comparison(columns, rounds, game_named(games[0][0].game).unit.aim, most)


def _by_position(page: MatchPage, played: PlayedGame) -> tuple[int, ...]:
    return tuple(played.seating.index(position) for position in range(len(page.seats)))


def _column(page: MatchPage, film: Film, played: PlayedGame, longest: int, most: int) -> Column:
    seats = _by_position(page, played)
    lines = tuple(
        " ".join(f"{WIDE * (at - 1) / longest:.1f},{TALL - TALL * held[seat] / most:.1f}" for at, held in film.dice)
        for seat in seats
    )
    ends = _spread([tuple(map(float, line.rpartition(" ")[2].split(","))) for line in lines])
    places = tuple(film.places[seat] for seat in seats)
    return Column(played.rotation, result(film), film.rounds, seats, places, lines, ends)


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
