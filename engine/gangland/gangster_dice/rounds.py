"""The public part of a round: its opening and its events.

In normal play the rules build events step by step.  In a rollout, events are seldom read, so the rules keep only values
that they need anyway and a short log.  `events_of` builds the same events from these if a policy reads them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from gangland.game import ROUND_BEGAN, Event
from gangland.gangster_dice.cards import INVESTIGATOR, LAWYER, SPEAKEASY, STREETS, TOKENS

Faces = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""By color, the token whose symbol each die shows."""
RawFaces = tuple[bytes, bytes, bytes]
"""`Faces` as bytes, which are faster to create and to count."""
Holders = tuple[int | None, ...]
"""By token, the seat that controls it (that holds it, for the Investigator), or None."""
Bids = tuple[tuple[int, int, int], ...]
"""A seat's bids: token, favor and score of each."""


class Opening(NamedTuple):
    """The start of a round, after the rolls."""

    round: int  # from 1
    faces: tuple[RawFaces, ...]  # by seat, its roll
    symbols: tuple[tuple[int, ...], ...]  # by seat, the roll's count of each token's symbol
    control: Holders  # the controller of each token at the start of the round
    bonus: int  # dice on the Streets (G13)
    rolled: tuple[RawFaces, ...]  # the faces before any reroll
    seated: tuple[Event, ...]  # the events of the seats' characters, in the first round only
    rerolled: tuple[Event, ...]  # the events of the rerolls


class Cache:
    """Values derived from a state, computed once.  All instances are equal: states compare by their content."""

    __slots__ = ("events", "table", "wire")

    events: tuple[Event, ...]  # the public events of the round; in normal play always set
    table: tuple[Any, ...]  # the public values in the order of `gangster_dice.wire`, possibly without events
    wire: tuple[Any, ...]  # the same with events

    def __reduce__(self) -> tuple[Any, ...]:
        return (_cache_of, (getattr(self, "events", None),))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cache)

    def __hash__(self) -> int:
        return 0


def _cache_of(events: tuple[Event, ...] | None) -> Cache:
    cache = Cache()
    if events is not None:
        cache.events = events
    return cache


class Course(NamedTuple):
    """The course of a round so far."""

    opening: Opening
    bids: tuple[Bids, ...]  # by seat, with their scores; empty before the reveal
    winners: Holders  # by token, the seat that influences it
    control: Holders  # the controller of each token now
    log: tuple[Event, ...]  # the events after the reveal
    cache: Cache


def events_of(course: Course) -> tuple[Event, ...]:
    """Return the public events of the round, oldest first."""
    cache = course.cache
    try:
        return cache.events
    except AttributeError:
        opening, bids, winners, control, log, _ = course
        reveal = reveal_events(bids, *best_bids(bids), winners, opening.control, control) if bids else ()
        cache.events = (*start_events(opening), *opening.rerolled, *reveal, *log)
        return cache.events


def start_events(opening: Opening) -> list[Event]:
    """Return the events of the start of a round, before any reroll."""
    number, _, _, _, _, rolled, seated, _ = opening
    events: list[Event] = [("rolled", seat, faces) for seat, faces in enumerate(shown_faces(rolled))]
    return [*seated, (ROUND_BEGAN, number), *events]


@lru_cache(maxsize=64)
def shown_faces(faces: tuple[RawFaces, ...]) -> tuple[Faces, ...]:
    """Return faces in the form that views and events use."""
    return tuple([(tuple(white), tuple(red), tuple(blue)) for white, red, blue in faces])


Tied = Mapping[int, tuple[int, ...]]
"""By token, the seats that tie for the best bid."""


def best_bids(bids: tuple[Bids, ...]) -> tuple[list[int], Tied]:
    """Return each token's best score (0 without a bid), and the seats that tie for it."""
    scores = [0] * len(TOKENS)
    best: dict[int, tuple[int, ...]] = {}
    for seat, seat_bids in enumerate(bids):
        for token, _, score in seat_bids:
            if score > scores[token]:
                scores[token], best[token] = score, (seat,)
            elif score == scores[token]:
                best[token] += (seat,)
    return scores, {token: seats for token, seats in best.items() if len(seats) > 1}


def reveal_events(
    bids: tuple[Bids, ...], scores: Sequence[int], tied: Tied, winners: Holders, before: Holders, after: Holders
) -> list[Event]:
    """Return the events of all bids, then of the tokens' winners, then of the tokens that change hands.

    Args:
        scores, tied: the results of `best_bids`.
        before, after: the controllers of the tokens.
    """
    events: list[Event] = [("revealed", seat, seat_bids) for seat, seat_bids in enumerate(bids)]
    for token, winner in enumerate(winners):
        seats = tied.get(token, ())
        if winner is not None:
            over = tuple([seat for seat in seats if seat != winner]) if seats else ()
            events.append(("won", token, winner, scores[token], over))
        elif seats:
            events.append(("tied", token, seats, scores[token]))
    if after != before:
        events += [
            ("took", token, after[token], before[token])
            for token in (LAWYER, SPEAKEASY, STREETS)
            if after[token] != before[token]
        ]
        if after[INVESTIGATOR] != before[INVESTIGATOR]:
            events.append(("moved", before[INVESTIGATOR], after[INVESTIGATOR]))
    return events


NO_OPENING: Final = Opening(0, (), (), (None,) * len(TOKENS), 0, (), (), ())
"""Used as the opening before the first round."""
