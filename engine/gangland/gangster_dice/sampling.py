"""The position that a view shows, with nothing in other hands and in the deck (G5, G42)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from gangland.game import Event
from gangland.gangster_dice import wire as at
from gangland.gangster_dice.cards import NO_DICE, TOKENS, Dice, of_colour, plus
from gangland.gangster_dice.rounds import NOT_BEGUN, Course, Kept, Opening, RawFaces
from gangland.gangster_dice.state import Answers, Setting, State
from gangland.view import View

_BEFORE_BIDS: Final = ("reroll", "bids")
_IN_OPENING: Final = frozenset({"seated", "round", "rolled", "rerolled", "revealed", "won", "tied", "took", "moved"})
"""Events that follow from how the round began and from the bids: no log keeps them."""


def known_part(view: View, bare: State, step: int) -> State:
    """Return the state that the view shows: without questions, deck and other hands.

    Who else was asked, and in which round last, is hidden: it is taken for the last time that bids were.

    Args:
        bare: a state of this game's setting; step: the step of the round that takes the answer.
    """
    seat, shown, _, hand, _, _, pair, history = view.wire
    setting, question = bare.setting, view.question
    seats = range(len(setting.cast))
    number = shown[at.ROUND]
    told: Sequence[Event] = shown[at.TOLD]
    log = tuple([event for event in told if event[0] not in _IN_OPENING])
    opening = Opening(
        round=number,
        faces=tuple(map(_raw, shown[at.FACES])),
        symbols=shown[at.SYMBOLS],
        control=shown[at.OPENING],
        bonus=shown[at.BONUS],
        rolled=tuple([_raw(event[2]) for event in told if event[0] == "rolled"]),
        seated=tuple([event for event in told if event[0] == "seated"]),
        rerolled=tuple([event for event in told if event[0] == "rerolled"]),
    )
    asked = number - 1 if question in _BEFORE_BIDS else number
    own = number - len(history) if len(history) > 1 else asked
    passed = tuple([event[2] for event in log if event[0] == "passed"]) if question == "keep" else ()
    return bare._replace(
        step=step,
        public=bare.public._replace(
            opening=opening,
            stashes=shown[at.STASHES],
            hand_limits=shown[at.HAND_LIMITS],
            control=shown[at.CONTROL],
            dice=shown[at.DICE],
            discards=shown[at.DISCARDS],
            specials=shown[at.SPECIALS],
            bids=shown[at.BIDS],
            winners=shown[at.WINNERS],
            log=log,
            history=tuple(map(_past, history)),
            kept=Kept(),
        ),
        locked=_locked(setting, log),
        hands=tuple([hand if each == seat else () for each in seats]),
        answers=_answers(setting, log),
        last_asked=tuple([own if each == seat else asked for each in seats]),
        rare=bare.rare._replace(
            shuffles=1 + sum(event[0] == "reshuffled" for events in (*history, told) for event in events),
            pair=pair,
            passed=passed,
        ),
    )


def _raw(faces: Sequence[Sequence[int]]) -> RawFaces:
    white, red, blue = faces
    return bytes(white), bytes(red), bytes(blue)


def _past(events: tuple[Event, ...]) -> Course:
    kept = Kept()
    kept.events = events
    nobody = (None,) * len(TOKENS)
    return Course(NOT_BEGUN, (), nobody, nobody, (), kept)


def _locked(setting: Setting, log: Sequence[Event]) -> tuple[Dice, ...]:
    """Return by seat the dice that came in this round (G17)."""
    locked = list(setting.no_dice)
    for kind, seat, *rest in log:
        taken = NO_DICE
        if kind == "exchanged":
            taken = rest[1]
        elif kind == "swapped" and rest[1] is not None:
            taken = of_colour(rest[1])
        elif kind == "received":
            taken = of_colour(rest[0])
        else:
            continue
        locked[seat] = plus(locked[seat], taken)
    return tuple(locked)


def _answers(setting: Setting, log: Sequence[Event]) -> tuple[Answers, ...]:
    """Return by seat what it chose in this round's effects and in a swap, as far as that was carried out."""
    answers: list[Answers] = list(setting.no_answers)
    for kind, seat, *rest in log:
        answer: tuple[str, Any]
        if kind == "exchanged":
            answer = ("exchange", (rest[0], rest[1]))
        elif kind == "staked":
            answer = ("stake", rest[0])
        elif kind in ("dumped", "placed"):
            answer = ("dump", rest[0])
        elif kind == "swapped":
            answer = ("swap", None if rest[0] is None else (rest[0], rest[1]))
        else:
            continue
        answers[seat] = (*answers[seat], answer)
    return tuple(answers)


def drawn_so_far(view: View) -> int:
    """Return how many favors a seat that keeps one of a pair has drawn in this round before."""
    told = view.wire[at.SHOWN][at.TOLD]
    return sum(event[0] in ("special", "passed") and event[1] == view.wire[at.SEAT] for event in told)
