"""Questions as people are asked them, and how their decisions are put together: clicked, picked, or typed."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from math import prod
from typing import Any, Final

from gangland.game import Decision, Game
from gangland.view import View
from gangland.words import listed_or
from gangland_ladder.common.documents import Count, Number
from gangland_ladder.common.documents import Part as Model
from gangland_ladder.common.runtime import module_of
from gangland_ladder.viewer.presentation import decision_in_words, presentation_of

# A question: its words, what is legal, and of what decisions are put together.


LISTED: Final = 200
"""Of a question with more decisions than these none is listed: they are put together of parts."""


class Choice(Model):
    """A legal decision.

    Attributes:
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
        sections: kinds of parts, where a decision gives some for others; see `Spelling`.
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
        count: how many decisions have them all.
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


def narrow(game: Game[Any], kind: str, spelling: Spelling, chosen: Sequence[str]) -> Narrowed:
    """Return where somebody stands who has chosen these parts.  Raises NoSuchPart: they belong to no legal decision."""
    more = spelling.more(chosen)
    made = spelling.made(chosen)
    return Narrowed(
        chosen=tuple(chosen),
        count=spelling.left(chosen),
        more=tuple(spelling.parts[each] for each in more),
        made=None if made is None else choice_of(game, kind, spelling, made.decision),
    )


# Finding how a game's decisions are put together.


def legal_of(game: Game[Any], view: View, state: Any) -> Sequence[Decision]:
    """Return every legal decision of a view's question; off its state where a game reads none off a view."""
    try:
        return game.choices_of(view)
    except NotImplementedError:
        return game.choices(state, view.seat)  # type: ignore[attr-defined]


def spelling_of(game: Game[Any], view: View, kind: str, state: Any) -> Spelling:
    """Return how the legal decisions of a view's question are put together; the view was made from the state."""
    module = module_of("gangland_ladder.playing.games", game.name)
    if module is None:
        return plain(game, kind, legal_of(game, view, state))
    spelling: Spelling = module.spelling(view, kind)
    return spelling


def plain(game: Game[Any], kind: str, decisions: Sequence[Decision]) -> Spelling:
    """Return decisions as parts of their own, typed as #1 and so on."""
    parts = [
        Part(f"choice:{number}", decision_in_words(game.name, kind, decision), (f"#{number}",))
        for number, decision in enumerate(decisions, 1)
    ]
    return Enumerated(decisions, lambda decision: (parts[decisions.index(decision)].id,), parts)


# How decisions are put together of things on the table.
#
# A decision is a collection of *parts*: a favor of the hand, a token, a die, a number. Parts are chosen one after the
# other, in any order, and each narrows down which decisions are left; no part at all is a decision too where nothing
# may be done. A game says what its decisions consist of; see `games`.


NOTHING: Final = ("none", "stop", "-")
FOR: Final = "for"
"""What is typed between the parts of one section and those of the next: `2xw for r b`."""
_SHOWN: Final = 8
"""Of more parts than these, only the first and the last are named."""
_TIMES: Final = re.compile(r"(\d{1,3})x(.+)")


class Part(Model):
    """A thing that a decision may consist of.

    Attributes:
        id: names it on the table: its kind, and what it is, such as "token:1".
        keys: what is typed for it, the shortest first; of a name, its beginning is enough.
    """

    id: str
    words: str
    keys: tuple[str, ...]

    @property
    def kind(self) -> str:
        """What of the table it is, such as "token"."""
        return self.id.partition(":")[0]


class Made(Model):
    """A decision that is put together; a class of its own, for a decision may be None."""

    decision: Any


class NoSuchPart(ValueError):
    """What was chosen or typed is no part of a legal decision; the message says what may follow."""


class Spelling(ABC):
    """How the legal decisions of one question are put together.

    Attributes:
        sections: kinds of parts that are typed one after the other, with `FOR` between; none where kinds mix freely.
    """

    parts: Mapping[str, Part]
    sections: tuple[str, ...] = ()

    @abstractmethod
    def spelled(self, decision: Decision) -> tuple[str, ...]:
        """Return the ids of the parts that a legal decision consists of."""

    @abstractmethod
    def more(self, chosen: Sequence[str]) -> list[str]:
        """Return the ids of all parts that may follow those chosen, in the order of `parts`; none if no more can.

        Raises NoSuchPart: those chosen belong to no legal decision.
        """

    @abstractmethod
    def made(self, chosen: Sequence[str]) -> Made | None:
        """Return the decision that just the chosen parts make, None if they make none."""

    @abstractmethod
    def left(self, chosen: Sequence[str]) -> int:
        """Return how many decisions have all the chosen parts."""

    def fits(self, chosen: Sequence[str], decision: Decision) -> bool:
        """Return whether a legal decision has all the chosen parts."""
        return Counter(chosen) <= Counter(self.spelled(decision))

    def typed(self, decision: Decision) -> str:
        """Return what is typed for a legal decision: the key of each part, with equal ones counted."""
        chosen = self.spelled(decision)
        if not chosen:
            return NOTHING[0]
        words: list[str] = []
        for index, kind in enumerate(self.sections or ("",)):
            words += [FOR] if index else []
            ids = [each for each in chosen if not kind or self.parts[each].kind == kind]
            words += _counted([self.parts[each].keys[0] for each in ids])
        return " ".join(words)

    def read(self, text: str) -> Decision:
        """Return the decision that a text stands for, as `typed` writes it.  Raises NoSuchPart: it stands for none."""
        words = text.lower().replace(",", " ").replace(">", f" {FOR} ").split()
        chosen: list[str] = []
        section = 0
        if words not in ([each] for each in NOTHING):
            for word in words:
                if word == FOR and section + 1 < len(self.sections):
                    section += 1
                    continue
                times, key = (int(found[1]), found[2]) if (found := _TIMES.fullmatch(word)) else (1, word)
                for _ in range(min(times, 1000)):
                    more = [self.parts[each] for each in self.more(chosen)]
                    kinds = self.sections[section:]
                    kind = next((each for each in kinds if any(part.kind == each for part in more)), "")
                    chosen.append(_meant(key, [part for part in more if not kind or part.kind == kind]))
        made = self.made(chosen)
        if made is None or not words:
            following = parts_in_words([self.parts[each] for each in self.more(chosen)])
            raise NoSuchPart(f"{text!r:.80} is not all of it, what may follow: {following}")
        decision: Decision = made.decision
        return decision


class Enumerated(Spelling):
    """Decisions that are few enough to look through.

    A decision's parts are cut into groups of a size, such as a token and the favor on it; within a group, and among
    groups, order means nothing.
    """

    def __init__(
        self,
        decisions: Iterable[Decision],
        spell: Callable[[Any], Sequence[str]],
        parts: Iterable[Part],
        *,
        size: int | None = None,
        sections: tuple[str, ...] = (),
    ) -> None:
        self.size = size
        self.sections = sections
        self._spelled = {decision: tuple(spell(decision)) for decision in decisions}
        self._groups = {decision: self._cut(ids) for decision, ids in self._spelled.items()}
        used = {each for ids in self._spelled.values() for each in ids}
        self.parts = {part.id: part for part in parts if part.id in used}

    def spelled(self, decision: Decision) -> tuple[str, ...]:
        """Return the ids of a decision's parts."""
        return self._spelled[decision]

    def more(self, chosen: Sequence[str]) -> list[str]:
        """Return what may follow."""
        rests = [rest for _, rest in self._fitting(chosen)]
        if not rests:
            raise NoSuchPart(f"no legal decision has {', '.join(map(repr, chosen))!s:.200}")
        following = set().union(*rests)
        return [each for each in self.parts if each in following]

    def made(self, chosen: Sequence[str]) -> Made | None:
        """Return the decision that they make."""
        whole = (decision for decision, rest in self._fitting(chosen) if not rest)
        return next((Made(decision) for decision in whole), None)

    def left(self, chosen: Sequence[str]) -> int:
        """Return how many decisions have them all."""
        return sum(1 for _ in self._fitting(chosen))

    def fits(self, chosen: Sequence[str], decision: Decision) -> bool:
        """Return whether a decision has them all, in groups as they were chosen."""
        return any(each == decision for each, _ in self._fitting(chosen))

    def _fitting(self, chosen: Sequence[str]) -> Iterator[tuple[Decision, set[str]]]:
        cut = self._cut(chosen)
        is_open = bool(cut) and (self.size is None or len(chosen) % self.size > 0)
        whole, begun = (cut[:-1], cut[-1]) if is_open else (cut, Counter[str]())
        for decision, groups in self._groups.items():
            rests = list(groups)
            for each in whole:
                if each not in rests:
                    break
                rests.remove(each)
            else:
                fitting = [group - begun for group in rests if begun <= group]
                if fitting or not (begun or rests):
                    yield decision, set().union(*fitting)

    def _cut(self, ids: Sequence[str]) -> list[Counter[str]]:
        size = self.size or max(1, len(ids))
        return [Counter(ids[begin : begin + size]) for begin in range(0, len(ids), size)]


class AnyOf(Spelling):
    """Any of some things, each as often as it is there, none at all too: there may be millions of ways."""

    def __init__(
        self,
        parts: Iterable[Part],
        counts: Mapping[str, int],
        spell: Callable[[Any], Sequence[str]],
        decision: Callable[[Sequence[str]], Decision],
    ) -> None:
        self.parts = {part.id: part for part in parts if counts.get(part.id)}
        self._counts = Counter({each: counts[each] for each in self.parts})
        self._spell = spell
        self._decision = decision

    def spelled(self, decision: Decision) -> tuple[str, ...]:
        """Return the ids of a decision's parts."""
        return tuple(self._spell(decision))

    def more(self, chosen: Sequence[str]) -> list[str]:
        """Return what is left to choose."""
        left = self._left(chosen)
        return [each for each in self.parts if left[each]]

    def made(self, chosen: Sequence[str]) -> Made | None:
        """Return the decision that they make: any number of things makes one."""
        self._left(chosen)
        order = list(self.parts)
        return Made(self._decision(sorted(chosen, key=order.index)))

    def left(self, chosen: Sequence[str]) -> int:
        """Return how many decisions have them all."""
        return prod(count + 1 for count in self._left(chosen).values())

    def _left(self, chosen: Sequence[str]) -> Counter[str]:
        taken = Counter(chosen)
        if not taken <= self._counts:
            raise NoSuchPart(f"not so many are there: {', '.join(map(repr, chosen))!s:.200}")
        return self._counts - taken


def _counted(keys: Sequence[str]) -> list[str]:
    runs = [(key, len(list(equal))) for key, equal in groupby(keys)]
    return [key if count == 1 else f"{count}x{key}" for key, count in runs]


def _meant(word: str, parts: Sequence[Part]) -> str:
    """Return the id of the one part that a word means: by a whole key, else by the beginning of a name."""
    whole = [part for part in parts if word in part.keys]
    fitting = whole or [part for part in parts if word.isalpha() and any(key.startswith(word) for key in part.keys)]
    if len(fitting) == 1:
        return fitting[0].id
    if fitting:
        raise NoSuchPart(f"{word!r:.40} may be {parts_in_words(fitting)}")
    raise NoSuchPart(f"{word!r:.40} does not fit here: {parts_in_words(parts) if parts else 'nothing more is needed'}")


def parts_in_words(parts: Sequence[Part]) -> str:
    """Return parts in words, with what is typed for each."""
    words = [f"{part.words} ({part.keys[0]})" for part in parts]
    return listed_or(words) if len(words) <= _SHOWN else f"{words[0]}, {words[1]} and so on to {words[-1]}"
