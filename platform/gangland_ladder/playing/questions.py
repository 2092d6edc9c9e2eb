"""A question as a person is asked it: its words, what is legal, and of what decisions are put together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from gangland.game import Decision, Game
from gangland.view import View
from gangland_ladder.common.documents import Count, Number
from gangland_ladder.common.documents import Part as Model
from gangland_ladder.playing.games import legal_of, spelling_of
from gangland_ladder.playing.parts import Part, Spelling
from gangland_ladder.viewer.games import decision_in_words, presentation_of

LISTED: Final = 200
"""Of a question with more decisions than these none is listed: they are put together of parts."""


class Choice(Model):
    """A legal decision.

    Attributes:
        decision: in canonical form, as the engine takes it.
        words: what the seat does; typed: what is typed for it; parts: the ids of the parts that it consists of.
    """

    decision: Any
    words: str
    typed: str
    parts: tuple[str, ...]


class Question(Model):
    """A question to a person.  It says nothing that the person's view does not show.

    Attributes:
        seat: from 0; number: of the seat's questions, from 1, which the answer has to name.
        at: the address of the decision to come, such as r7.s2.d1.
        kind: as in `choose_<kind>`.
        words: the question itself.
        count: how many decisions are legal.
        parts: what they consist of.
        sections: kinds of parts, where a decision gives some for others; see `parts.Spelling`.
        choices: all of them, in the order of the game; none if there are too many to list.
    """

    seat: Count
    number: Number
    at: str
    round: Number
    kind: str
    words: str
    count: Number
    parts: tuple[Part, ...]
    sections: tuple[str, ...]
    choices: tuple[Choice, ...]


class Narrowed(Model):
    """Where somebody stands who puts a decision together.

    Attributes:
        chosen: the ids of the parts so far.
        count: how many decisions have them all.
        more: the parts that may follow.
        made: the decision that they make as they are; None if more is needed.
    """

    chosen: tuple[str, ...]
    count: Number
    more: tuple[Part, ...]
    made: Choice | None


def question_of(
    game: Game[Any], view: View, kind: str, state: Any, *, seat: int, number: int, at: str, round: int
) -> Question:
    """Return the question of a view; `state` is the one that it was made from."""
    spelling = spelling_of(game, view, kind, state)
    legal = legal_of(game, view, state)
    return Question(
        seat=seat,
        number=number,
        at=at,
        round=round,
        kind=kind,
        words=presentation_of(game.name).question(view, kind, state),
        count=len(legal),
        parts=tuple(spelling.parts.values()),
        sections=spelling.sections,
        choices=tuple(choice_of(game, kind, spelling, each) for each in legal) if len(legal) <= LISTED else (),
    )


def choice_of(game: Game[Any], kind: str, spelling: Spelling, decision: Decision) -> Choice:
    """Return a legal decision in words, as it is typed, and in parts."""
    return Choice(
        decision, decision_in_words(game.name, kind, decision), spelling.typed(decision), spelling.spelled(decision)
    )


def narrowed(game: Game[Any], kind: str, spelling: Spelling, chosen: Sequence[str]) -> Narrowed:
    """Return where somebody stands who has chosen these parts.

    Raises:
        NoSuchPart: they belong to no legal decision.
    """
    more = spelling.more(chosen)
    made = spelling.made(chosen)
    return Narrowed(
        chosen=tuple(chosen),
        count=spelling.left(chosen),
        more=tuple(spelling.parts[each] for each in more),
        made=None if made is None else choice_of(game, kind, spelling, made.decision),
    )
