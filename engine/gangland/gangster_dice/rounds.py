"""A round as everybody sees it: how it began, and what has happened in it.

Step by step the rules make events as they go.  In a rollout, whose events hardly anybody reads, they keep what they
need anyway and a short log of the rest; `events_of` makes the same events of both if a policy reads them after all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from gangland.game import ROUND_BEGAN, Event
from gangland.gangster_dice.cards import INVESTIGATOR, LAWYER, SPEAKEASY, STREETS, TOKENS

Faces = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""By colour, the token whose symbol each die shows."""
RawFaces = tuple[bytes, bytes, bytes]
"""The same as bytes, which are quicker to make and to count."""
Holders = tuple[int | None, ...]
"""By token, the seat that controls it (of the Investigator: that holds it), None for nobody."""
Bids = tuple[tuple[int, int, int], ...]
"""A seat's bids: token, favor and score of each."""


class Opening(NamedTuple):
    """A round as it began.

    Attributes:
        round: its number, from 1; faces: by seat, its roll.
        symbols: by seat, how many of each token's symbols the roll shows; control: who controlled each token.
        bonus: dice on the Streets (G13); rolled: the faces before any die was rolled again.
        seated: in the first round, who plays which character, as events.
        rerolled: which dice were rolled again, as events.
    """

    round: int
    faces: tuple[RawFaces, ...]
    symbols: tuple[tuple[int, ...], ...]
    control: Holders
    bonus: int
    rolled: tuple[RawFaces, ...]
    seated: tuple[Event, ...]
    rerolled: tuple[Event, ...]


class Kept:
    """What was worked out once, for whoever reads it next.  All are alike: states compare by what they hold.

    Attributes:
        events: what has happened in public in the round so far; of play step by step it is there from the beginning.
        shown: what all seats see, in the order of `wire`, perhaps without events; wire: the same with them.
    """

    __slots__ = ("events", "shown", "wire")

    events: tuple[Event, ...]
    shown: tuple[Any, ...]
    wire: tuple[Any, ...]

    def __reduce__(self) -> tuple[Any, ...]:
        return (_kept, (getattr(self, "events", None),))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Kept)

    def __hash__(self) -> int:
        return 0


def _kept(events: tuple[Event, ...] | None) -> Kept:
    kept = Kept()
    if events is not None:
        kept.events = events
    return kept


class Course(NamedTuple):
    """What has happened in a round so far.

    Attributes:
        bids: by seat, its bids with their scores; empty before the reveal.
        winners: by token, who influences it; control: who controls each token now.
        log: what happened after the reveal, as events.
    """

    opening: Opening
    bids: tuple[Bids, ...]
    winners: Holders
    control: Holders
    log: tuple[Event, ...]
    kept: Kept


def events_of(course: Course) -> tuple[Event, ...]:
    """Return what has happened in public, the first event first."""
    kept = course.kept
    try:
        return kept.events
    except AttributeError:
        opening, bids, winners, control, log, _ = course
        shown = revealed(bids, *best_bids(bids), winners, opening.control, control) if bids else ()
        kept.events = (*began(opening), *opening.rerolled, *shown, *log)
        return kept.events


def began(opening: Opening) -> list[Event]:
    """Return the beginning of a round as events, before any die is rolled again."""
    number, _, _, _, _, rolled, seated, _ = opening
    events: list[Event] = [("rolled", seat, faces) for seat, faces in enumerate(shown_faces(rolled))]
    return [*seated, (ROUND_BEGAN, number), *events]


@lru_cache(maxsize=64)
def shown_faces(faces: tuple[RawFaces, ...]) -> tuple[Faces, ...]:
    """Return faces as views and events have them."""
    return tuple([(tuple(white), tuple(red), tuple(blue)) for white, red, blue in faces])


Tied = Mapping[int, tuple[int, ...]]
"""By token, the seats whose bids on it are the best, where these are more than one."""


def best_bids(bids: tuple[Bids, ...]) -> tuple[list[int], Tied]:
    """Return by token the best score, 0 without a bid, and who ties for it."""
    scores = [0] * len(TOKENS)
    best: dict[int, tuple[int, ...]] = {}
    for seat, made in enumerate(bids):
        for token, _, score in made:
            if score > scores[token]:
                scores[token], best[token] = score, (seat,)
            elif score == scores[token]:
                best[token] += (seat,)
    return scores, {token: seats for token, seats in best.items() if len(seats) > 1}


def revealed(
    bids: tuple[Bids, ...], scores: Sequence[int], tied: Tied, winners: Holders, before: Holders, after: Holders
) -> list[Event]:
    """Return all bids as events, then who wins each token, then which tokens change hands.

    Args:
        scores, tied: as `best_bids` gives them; winners: by token, who influences it.
        before, after: who controls each token.
    """
    events: list[Event] = [("revealed", seat, made) for seat, made in enumerate(bids)]
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


NOT_BEGUN: Final = Opening(0, (), (), (None,) * len(TOKENS), 0, (), (), ())
"""In place of a round's opening, before the first one."""
