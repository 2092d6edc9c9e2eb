"""Questions for people, and the ways to enter decisions: by clicking, picking from a list, or typing."""

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
from gangland.words import join_or
from gangland_ladder.common import documents
from gangland_ladder.common.game_modules import module_of
from gangland_ladder.viewer.presentation import decision_text, presentation_of

MAX_LISTED: Final = 200  # A question with more decisions than this does not list them.


class Choice(documents.Part):
    """A legal decision, with its description, the text to type, and the ids of its parts."""

    decision: Any
    words: str
    typed: str
    parts: tuple[str, ...]


class Question(documents.Part):
    """A question for a human; it contains only information that the human's view shows."""

    seat: documents.Count  # from 0
    number: documents.Number  # counts the seat's questions from 1; the answer repeats it
    at: str
    round: documents.Number
    kind: str
    words: str
    count: documents.Number
    parts: tuple[Part, ...]
    sections: tuple[str, ...]  # see `Spelling`
    choices: tuple[Choice, ...]


class Narrowed(documents.Part):
    """A partly entered decision."""

    chosen: tuple[str, ...]  # the ids of its parts
    count: documents.Number  # the number of decisions that have all of them
    next_parts: tuple[Part, ...]  # the parts that can follow
    complete: Choice | None  # the decision with exactly these parts, or None


def question_of(
    game: Game[Any], view: View, kind: str, state: Any, *, seat: int, number: int, at: str, round: int
) -> Question:
    """Return the question that a view's seat must answer; `state` is the state that the view shows."""
    spelling = spelling_of(game, view, kind, state)
    legal = legal_decisions(game, view, state)
    listed = legal if len(legal) <= MAX_LISTED else ()
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
        choices=tuple(choice_of(game, kind, spelling, decision) for decision in listed),
    )


def choice_of(game: Game[Any], kind: str, spelling: Spelling, decision: Decision) -> Choice:
    """Return a legal decision as a choice."""
    return Choice(
        decision, decision_text(game.name, kind, decision), spelling.text_of(decision), spelling.part_ids(decision)
    )


def narrow(game: Game[Any], kind: str, spelling: Spelling, ids: Sequence[str]) -> Narrowed:
    """Return the partly entered decision with these parts.  Raises NoSuchPart: no legal decision has them."""
    next_ids, complete = spelling.next_ids(ids), spelling.find_decision(ids)
    return Narrowed(
        chosen=tuple(ids),
        count=spelling.decision_count(ids),
        next_parts=tuple(spelling.parts[part] for part in next_ids),
        complete=None if complete is None else choice_of(game, kind, spelling, complete.decision),
    )


def legal_decisions(game: Game[Any], view: View, state: Any) -> Sequence[Decision]:
    """Return all legal decisions for a view's question, using the state if the game cannot list them from a view."""
    try:
        return game.choices_of(view)
    except NotImplementedError:
        return game.choices(state, view.seat)  # type: ignore[attr-defined]


def spelling_of(game: Game[Any], view: View, kind: str, state: Any) -> Spelling:
    """Return the spelling of a view's question; `state` is the state that the view shows."""
    module = module_of("gangland_ladder.playing.games", game.name)
    if module is None:
        return plain_spelling(game, kind, legal_decisions(game, view, state))
    spelling: Spelling = module.spelling(view, kind)
    return spelling


def plain_spelling(game: Game[Any], kind: str, decisions: Sequence[Decision]) -> Spelling:
    """Return a spelling in which each decision is a single part, typed as #1, #2 and so on."""
    parts = [
        Part(f"choice:{number}", decision_text(game.name, kind, decision), (f"#{number}",))
        for number, decision in enumerate(decisions, 1)
    ]
    return Enumerated(decisions, lambda decision: (parts[decisions.index(decision)].id,), parts)


# Decisions as parts.
#
# A decision is a collection of *parts*: a favor card in the hand, a token, a die, or a number. People choose parts in
# any order, and each part narrows down the possible decisions. A decision to do nothing has no parts. A *spelling*
# defines the parts of the decisions of one question, as letters spell words; `games` has the spellings of each game.

NOTHING: Final = ("none", "stop", "-")
FOR: Final = "for"  # The word typed between two sections: `2xw for r b`.
_MAX_NAMED: Final = 8  # If there are more parts, messages name only the first and the last.
_TIMES: Final = re.compile(r"(\d{1,3})x(.+)")


class Part(documents.Part):
    """A part of a decision."""

    id: str  # the kind and the value, such as "token:1"
    words: str
    keys: tuple[str, ...]  # the texts that can be typed for it, shortest first; the beginning of a name is enough

    @property
    def kind(self) -> str:
        """The kind, such as "token"."""
        return self.id.partition(":")[0]


class CompleteDecision(documents.Part):
    """A complete decision, wrapped because a decision can be None."""

    decision: Any


class NoSuchPart(ValueError):
    """No legal decision has these parts or this text."""


class Spelling(ABC):
    """How a human enters the decisions of one question: the parts of each legal decision, and the texts to type."""

    parts: Mapping[str, Part]  # by id
    # The kinds of parts in the order in which they are typed, with `FOR` between them; empty for any order.
    sections: tuple[str, ...] = ()

    @abstractmethod
    def part_ids(self, decision: Decision) -> tuple[str, ...]:
        """Return the ids of a decision's parts."""

    @abstractmethod
    def next_ids(self, ids: Sequence[str]) -> list[str]:
        """Return the ids of the parts that can follow these, in the order of `parts`.

        Raises NoSuchPart: no legal decision has these parts.
        """

    @abstractmethod
    def find_decision(self, ids: Sequence[str]) -> CompleteDecision | None:
        """Return the decision with exactly these parts, or None; may also raise NoSuchPart, as `next_ids` does."""

    @abstractmethod
    def decision_count(self, ids: Sequence[str]) -> int:
        """Return the number of decisions that have all of these parts; may raise NoSuchPart."""

    def fits(self, ids: Sequence[str], decision: Decision) -> bool:
        """Return whether a legal decision has all of these parts."""
        return Counter(ids) <= Counter(self.part_ids(decision))

    def text_of(self, decision: Decision) -> str:
        """Return the text to type for a legal decision: the keys of the parts, with counts."""
        ids = self.part_ids(decision)
        if not ids:
            return NOTHING[0]
        keys: list[str] = []
        for index, kind in enumerate(self.sections or ("",)):
            keys += [FOR] if index else []
            parts = [self.parts[part] for part in ids if not kind or self.parts[part].kind == kind]
            keys += _with_counts([part.keys[0] for part in parts])
        return " ".join(keys)

    def read(self, text: str) -> Decision:
        """Return the decision that a text stands for; see `text_of`.  Raises NoSuchPart: it is not a legal decision."""
        words = text.lower().replace(",", " ").replace(">", f" {FOR} ").split()
        ids: list[str] = []
        section = 0
        if words not in ([nothing] for nothing in NOTHING):
            for word in words:
                if word == FOR and section + 1 < len(self.sections):
                    section += 1
                    continue
                times, key = (int(match[1]), match[2]) if (match := _TIMES.fullmatch(word)) else (1, word)
                for _ in range(min(times, 1000)):
                    next_parts = [self.parts[part] for part in self.next_ids(ids)]
                    kinds = {part.kind for part in next_parts}
                    kind = next((kind for kind in self.sections[section:] if kind in kinds), "")
                    ids.append(_id_of(key, [part for part in next_parts if not kind or part.kind == kind]))
        complete = self.find_decision(ids)
        if complete is None or not words:
            following = parts_text([self.parts[part] for part in self.next_ids(ids)])
            raise NoSuchPart(f"{text!r:.80} is incomplete; it can be followed by: {following}")
        decision: Decision = complete.decision
        return decision


class Enumerated(Spelling):
    """A spelling for a list of decisions.

    Every `size` parts form a group, such as a token and its favor.  The order of groups, and of parts within a group,
    does not matter.
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
        self._ids = {decision: tuple(spell(decision)) for decision in decisions}
        self._groups = {decision: self._grouped(ids) for decision, ids in self._ids.items()}
        used = {part for ids in self._ids.values() for part in ids}
        self.parts = {part.id: part for part in parts if part.id in used}

    def part_ids(self, decision: Decision) -> tuple[str, ...]:
        """Return the ids of a decision's parts."""
        return self._ids[decision]

    def next_ids(self, ids: Sequence[str]) -> list[str]:
        """Return the ids of the parts that can follow."""
        rests = [rest for _, rest in self._candidates(ids)]
        if not rests:
            raise NoSuchPart(f"no legal decision has {', '.join(map(repr, ids))!s:.200}")
        next_ids = set().union(*rests)
        return [part for part in self.parts if part in next_ids]

    def find_decision(self, ids: Sequence[str]) -> CompleteDecision | None:
        """Return the decision with exactly these parts."""
        complete = (decision for decision, rest in self._candidates(ids) if not rest)
        return next((CompleteDecision(decision) for decision in complete), None)

    def decision_count(self, ids: Sequence[str]) -> int:
        """Return the number of decisions that have these parts."""
        return sum(1 for _ in self._candidates(ids))

    def fits(self, ids: Sequence[str], decision: Decision) -> bool:
        """Return whether a decision has all of these parts, grouped in the same way."""
        return any(candidate == decision for candidate, _ in self._candidates(ids))

    def _candidates(self, ids: Sequence[str]) -> Iterator[tuple[Decision, set[str]]]:
        """Yield the decisions with these parts, each with the parts that can follow."""
        groups = self._grouped(ids)
        is_open = bool(groups) and (self.size is None or len(ids) % self.size > 0)
        complete, open_group = (groups[:-1], groups[-1]) if is_open else (groups, Counter[str]())
        for decision, decision_groups in self._groups.items():
            rests = list(decision_groups)
            for group in complete:
                if group not in rests:
                    break
                rests.remove(group)
            else:
                missing = [rest - open_group for rest in rests if open_group <= rest]
                if missing or not (open_group or rests):
                    yield decision, set().union(*missing)

    def _grouped(self, ids: Sequence[str]) -> list[Counter[str]]:
        size = self.size or max(1, len(ids))
        return [Counter(ids[begin : begin + size]) for begin in range(0, len(ids), size)]


class AnyOf(Spelling):
    """A spelling in which each part can be chosen up to its count of times, or not at all.

    It does not list the decisions, because there can be millions.
    """

    def __init__(
        self,
        parts: Iterable[Part],
        counts: Mapping[str, int],
        spell: Callable[[Any], Sequence[str]],
        decision: Callable[[Sequence[str]], Decision],
    ) -> None:
        self.parts = {part.id: part for part in parts if counts.get(part.id)}
        self._counts = Counter({part: counts[part] for part in self.parts})
        self._spell = spell
        self._decision = decision

    def part_ids(self, decision: Decision) -> tuple[str, ...]:
        """Return the ids of a decision's parts."""
        return tuple(self._spell(decision))

    def next_ids(self, ids: Sequence[str]) -> list[str]:
        """Return the ids of the parts that can follow."""
        rest = self._rest(ids)
        return [part for part in self.parts if rest[part]]

    def find_decision(self, ids: Sequence[str]) -> CompleteDecision | None:
        """Return the decision with exactly these parts."""
        self._rest(ids)
        order = list(self.parts)
        return CompleteDecision(self._decision(sorted(ids, key=order.index)))

    def decision_count(self, ids: Sequence[str]) -> int:
        """Return the number of decisions that have these parts."""
        return prod(count + 1 for count in self._rest(ids).values())

    def _rest(self, ids: Sequence[str]) -> Counter[str]:
        counts = Counter(ids)
        if not counts <= self._counts:
            raise NoSuchPart(f"too many of one part: {', '.join(map(repr, ids))!s:.200}")
        return self._counts - counts


def _with_counts(keys: Sequence[str]) -> list[str]:
    runs = [(key, len(list(equal))) for key, equal in groupby(keys)]
    return [key if count == 1 else f"{count}x{key}" for key, count in runs]


def _id_of(word: str, parts: Sequence[Part]) -> str:
    """Return the id of the part with this key, or of the only part whose name begins with this word."""
    matches = [part for part in parts if word in part.keys] or [
        part for part in parts if word.isalpha() and any(key.startswith(word) for key in part.keys)
    ]
    if len(matches) == 1:
        return matches[0].id
    if matches:
        raise NoSuchPart(f"{word!r:.40} is ambiguous: {parts_text(matches)}")
    raise NoSuchPart(f"{word!r:.40} does not fit here: {parts_text(parts) if parts else 'nothing more is needed'}")


def parts_text(parts: Sequence[Part]) -> str:
    """Return a list of the parts and their keys, as text."""
    texts = [f"{part.words} ({part.keys[0]})" for part in parts]
    return join_or(texts) if len(texts) <= _MAX_NAMED else f"{texts[0]}, {texts[1]} and so on to {texts[-1]}"
