"""What a picture shows of a film: a decision, how a round begins, or the end, with its caption."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gangland.games import game_named
from gangland_ladder.viewer.film import END, Film, Stop
from gangland_ladder.viewer.games import presentation_of
from gangland_ladder.viewer.scenes import Scene
from gangland_ladder.viewer.turning import result

_HEAD_CHARS: Final = 150
"""So many fit into the lines of a caption's head."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What lies on the table at one time, and the words below it.

    Attributes:
        at: the address of the decision, "end", or "" where a round begins; where: "Round 7", and "of 12" if
            that is how many the game has.
        scene, aside: what lies there; before: what lay there before the decision, None for no comparison.
        turn: the seat that decided, None if nobody did; fault: whether it failed here.
        head: what was decided, or what the moment is; seat names stand in front of it by `turn`.
        lines: what followed, a sentence each; over: whether the places are shown.
        again: of the dice that lay before the seat that decided, those that it rolled again.
    """

    at: str
    where: str
    scene: Scene
    aside: Mapping[str, Any]
    before: Scene | None
    turn: int | None
    head: str
    lines: Sequence[str]
    fault: bool = False
    over: bool = False
    again: Sequence[int] = ()


def moment_at(film: Film, index: int) -> Moment:
    """Return the moment after the decision at an index, or the end."""
    if index == film.last:
        before = film.stops[-1].table if film.stops else None
        lines = [text for number, text in film.opens(index) if index or not number]  # of a game without a decision: why
        return Moment(END, "The end", film.table, film.aside, before, None, result(film), lines, over=True)
    stop = film.stops[index]
    head, followed = _head(film, stop)
    return Moment(
        stop.at,
        _where(film, stop.round),
        stop.table,
        stop.aside,
        stop.before,
        stop.seat,
        head,
        [*([f"{stop.note[0].upper()}{stop.note[1:]}."] if stop.note else []), *followed],
        fault=stop.fault,
        again=() if stop.fault else rolled_again(film, stop),
    )


def _head(film: Film, stop: Stop) -> tuple[str, Sequence[str]]:
    """Return what a seat decided, as words that follow its name, and what else followed.

    A sentence that tells the decision with what came of it is told in its place, if it has room there.
    """
    found, name = film.sentence_of(stop), film.names[stop.seat]
    if found is None or stop.fault:
        return f"{stop.did}.", stop.sentences
    head = stop.sentences[found].removeprefix(f"{name} ")
    if len(head) > _HEAD_CHARS:
        return f"{stop.did}.", stop.sentences
    return head, [*stop.sentences[:found], *stop.sentences[found + 1 :]]


def rolled_again(film: Film, stop: Stop) -> Sequence[int]:
    """Return the faces that a decision rolled again, none if it was about something else."""
    faces: Sequence[int] = presentation_of(film.game).decision_data(stop.kind, stop.decision).get("again", ())
    return faces


def sentence_at(film: Film, at: str) -> str:
    """Return in a sentence what is decided at an address of the film."""
    index = film.index_of(at)
    if index == film.last:
        return result(film)
    stop = film.stops[index]
    return f"{film.names[stop.seat]} {stop.did} in round {stop.round}."


def opening(film: Film, number: int) -> Moment:
    """Return how a round begins: the table before its first decision, and how it came to be."""
    index = film.round_index(number)
    if index == film.last:
        return moment_at(film, index)
    stop = film.stops[index]
    lines = [text for each, text in film.opens(index) if each in (number, 0)]
    return Moment("", _where(film, number), stop.before, {}, None, None, f"Round {number} begins.", lines)


def _where(film: Film, number: int) -> str:
    last = game_named(film.game).last_round
    return f"Round {number} of {last}" if last else f"Round {number}"
