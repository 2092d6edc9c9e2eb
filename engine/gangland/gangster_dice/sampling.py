"""Rebuild the position that a view shows, with an empty deck and empty hands for the other seats (G5, G42)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from gangland.game import Event
from gangland.gangster_dice import wire as at
from gangland.gangster_dice.cards import TOKENS, Dice, of_color, plus
from gangland.gangster_dice.rounds import NO_OPENING, Cache, Course, Opening, RawFaces
from gangland.gangster_dice.state import Answers, Setting, State
from gangland.view import View

_BEFORE_BIDS: Final = ("reroll", "bids")
_IN_OPENING: Final = frozenset({"seated", "round", "rolled", "rerolled", "revealed", "won", "tied", "took", "moved"})
"""The kinds of events that follow from a round's opening and bids; its log does not contain them."""


def known_part(view: View, empty_state: State, step: int) -> State:
    """Return the state that the view shows, without questions, deck and other hands.

    The view does not show when other seats were last asked; the result assumes that they were asked for the last bids.

    Args:
        bare: any state with the setting of the game.
        step: the step of the round to which the view's question belongs.
    """
    seat, table, _, hand, _, _, pair, history = view.wire
    setting, question = empty_state.setting, view.question
    seats = range(len(setting.cast))
    number = table[at.ROUND]
    round_events: Sequence[Event] = table[at.EVENTS]
    log = tuple([event for event in round_events if event[0] not in _IN_OPENING])
    opening = Opening(
        round=number,
        faces=tuple(map(_raw_faces, table[at.FACES])),
        symbols=table[at.SYMBOLS],
        control=table[at.OPENING],
        bonus=table[at.BONUS],
        rolled=tuple([_raw_faces(event[2]) for event in round_events if event[0] == "rolled"]),
        seated=tuple([event for event in round_events if event[0] == "seated"]),
        rerolled=tuple([event for event in round_events if event[0] == "rerolled"]),
    )
    asked = number - 1 if question in _BEFORE_BIDS else number
    own_last = number - len(history) if len(history) > 1 else asked
    passed = tuple([event[2] for event in log if event[0] == "passed"]) if question == "keep" else ()
    return empty_state._replace(
        step=step,
        public=empty_state.public._replace(
            opening=opening,
            stashes=table[at.STASHES],
            hand_limits=table[at.HAND_LIMITS],
            control=table[at.CONTROL],
            dice=table[at.DICE],
            discards=table[at.DISCARDS],
            specials=table[at.SPECIALS],
            bids=table[at.BIDS],
            winners=table[at.WINNERS],
            log=log,
            history=tuple(map(_finished_round, history)),
            cache=Cache(),
        ),
        locked=_locked_dice(setting, log),
        hands=tuple([hand if other == seat else () for other in seats]),
        answers=_answers(setting, log),
        last_asked=tuple([own_last if other == seat else asked for other in seats]),
        rare=empty_state.rare._replace(
            shuffles=1 + sum(event[0] == "reshuffled" for events in (*history, round_events) for event in events),
            pair=pair,
            passed=passed,
        ),
    )


def _raw_faces(faces: Sequence[Sequence[int]]) -> RawFaces:
    white, red, blue = faces
    return bytes(white), bytes(red), bytes(blue)


def _finished_round(events: tuple[Event, ...]) -> Course:
    cache = Cache()
    cache.events = events
    no_seats = (None,) * len(TOKENS)
    return Course(NO_OPENING, (), no_seats, no_seats, (), cache)


def _locked_dice(setting: Setting, log: Sequence[Event]) -> tuple[Dice, ...]:
    """Return, by seat, the dice received in this round (G17)."""
    locked = list(setting.no_dice)
    for kind, seat, *rest in log:
        if kind == "exchanged":
            dice = rest[1]
        elif kind == "swapped" and rest[1] is not None:
            dice = of_color(rest[1])
        elif kind == "received":
            dice = of_color(rest[0])
        else:
            continue
        locked[seat] = plus(locked[seat], dice)
    return tuple(locked)


def _answers(setting: Setting, log: Sequence[Event]) -> tuple[Answers, ...]:
    """Return, by seat, the answers in this round's effects and swaps, if they were carried out."""
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


def count_draws(view: View) -> int:
    """Return the number of favors that the seat has drawn in this round before its current pair."""
    round_events = view.wire[at.TABLE][at.EVENTS]
    return sum(event[0] in ("special", "passed") and event[1] == view.wire[at.SEAT] for event in round_events)
