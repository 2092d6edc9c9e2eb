"""A lesson: the first rounds of a game with a fixed seed, a person in seat 1 and Fox in seat 2.

Fox decides by a fixed plan in the process that shows the lesson; no bot is run.  Nothing is kept: a lesson is where its
person's decisions lead, so an address can have them all.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Final

from gangland.game import ROUND_BEGAN, Decision, Event
from gangland.view import View
from gangland_ladder.common.runtime import module_of
from gangland_ladder.playing.questions import NoSuchPart, Part, Spelling
from gangland_ladder.playing.table_state import Row, Setup, Standing, TableSeat
from gangland_ladder.viewer.scenes import Scene

PERSON: Final = 0
FOX: Final = 1
NAMES: Final = ("You", "Fox")
MOST_DECISIONS: Final = 40
"""More decisions than any way through a lesson has."""
MOST_CHARS: Final = 40
"""More characters than any decision of a lesson is typed with."""


class AnswerForm(StrEnum):
    """How a decision is given without a script.

    LIST: one of all decisions.  NUMBER: a number.  DICE: any of the dice that lie there, none too.
    PAIRS: for each part of one kind, such as a token, none or one of another, such as a favor.
    """

    LIST = "list"
    NUMBER = "number"
    DICE = "dice"
    PAIRS = "pairs"


@dataclass(frozen=True, slots=True)
class Words:
    """What a lesson says of a question, each as paragraphs.

    Attributes:
        question: in one line.
        see: what lies on the table; matters: what to think of now; choices: what can be chosen and what it means.
    """

    question: str
    see: tuple[str, ...]
    matters: tuple[str, ...]
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Thing:
    """A part that can be chosen."""

    id: str
    count: int
    words: str
    note: str = ""


class WrongDecision(ValueError):
    """A decision that is not possible where it stands."""

    def __init__(self, number: int, message: str) -> None:
        super().__init__(message)
        self.number = number


class Lesson(ABC):
    """What a game brings to its lesson.

    Attributes:
        seed: of the dice and cards, in hexadecimal; rounds: so many are played.
        forms: by kind of question; titles: of parts, by their kind, above those to choose from.
        about: how the lesson goes; plan: how Fox decides.
    """

    game: ClassVar[str]
    seed: ClassVar[str]
    rounds: ClassVar[int]
    forms: ClassVar[Mapping[str, AnswerForm]]
    titles: ClassVar[Mapping[str, str]]
    about: ClassVar[tuple[str, ...]]
    plan: ClassVar[str]

    @abstractmethod
    def fox(self, view: View, kind: str) -> Decision:
        """Return what Fox decides by its plan."""

    @abstractmethod
    def words(self, view: View, kind: str) -> Words:
        """Return what is said of the person's question."""

    @abstractmethod
    def thing(self, view: View, kind: str, part: Part) -> tuple[str, str]:
        """Return what a part is called in this question, and what choosing it does ("" for nothing to say)."""

    @abstractmethod
    def choice(self, view: View, kind: str, decision: Any) -> str:
        """Return a decision as the person reads it in a list."""

    def unfinished(self, view: View, kind: str, parts: Sequence[str]) -> str:
        """Return in a sentence why some parts make no decision; `parts` are ids, as they were chosen."""
        return "This is not a whole decision yet."

    @abstractmethod
    def happened(self, events: Sequence[Event], view: View, number: int) -> list[str]:
        """Return in sentences what came of a decision and why."""

    @abstractmethod
    def summary(self, view: View) -> list[str]:
        """Return in sentences how the lesson ended, and what of the game it has not shown."""


def lesson_of(game: str) -> Lesson | None:
    """Return the lesson of a game, None if it has none or there is no such game."""
    module = module_of("gangland_ladder.playing.lessons", game)
    lesson: Lesson | None = None if module is None else module.LESSON
    return lesson


@dataclass(frozen=True, slots=True)
class Answer:
    """A decision that can be picked from a list: what it is called, and how it is typed."""

    words: str
    typed: str


class LessonState:
    """Where a person is in a lesson."""

    def __init__(self, lesson: Lesson, decisions: Sequence[str] = ()) -> None:
        """Follow a lesson.  Raises WrongDecision: a decision is not possible where it stands, or is one too many."""
        self.lesson = lesson
        self.decisions: tuple[str, ...] = ()
        self._begun, self._decided_in = 0, 1
        seats = (TableSeat(NAMES[PERSON]), TableSeat(NAMES[FOX], "0" * 64))
        self.standing = Standing(Setup(lesson.game, {}, lesson.seed, lesson.seed, seats))
        self._go_on()
        for number, text in enumerate(decisions, 1):
            self._decide(number, text)

    def _decide(self, number: int, text: str) -> None:
        if self.kind is None:
            raise WrongDecision(number, "the lesson is over before it")
        if len(text) > MOST_CHARS or number > MOST_DECISIONS:
            raise WrongDecision(number, "it is too long")
        spelling = self.standing.spelling(PERSON)
        try:
            decision = spelling.read(text)
        except NoSuchPart as refused:
            raise WrongDecision(number, str(refused)) from refused
        self._begun, self._decided_in = len(self.standing.table.events), self.round
        self.decisions = (*self.decisions, spelling.typed(decision))
        self.standing.take(Row(PERSON, decision))
        self._go_on()

    def _go_on(self) -> None:
        standing = self.standing
        while not self._is_over() and standing.find_question(FOX):
            standing.take(Row(FOX, self.lesson.fox(standing.view(FOX), standing.open_question(FOX).kind)))
        question = None if self._is_over() else standing.open_question(PERSON)
        self.kind = None if question is None else question.kind
        self.view = standing.view(PERSON)
        self.round = min(standing.round, self.lesson.rounds)

    def _is_over(self) -> bool:
        return self.standing.outcome is not None or self.standing.round > self.lesson.rounds

    @property
    def form(self) -> AnswerForm | None:
        """How the open question is answered."""
        return None if self.kind is None else self.lesson.forms[self.kind]

    def words(self) -> Words | None:
        """Return what is said of the open question."""
        return None if self.kind is None else self.lesson.words(self.view, self.kind)

    def happened(self) -> list[str]:
        """Return in sentences what has happened since the person's last decision, as far as the lesson goes."""
        return self.lesson.happened(self.events(), self.view, self._decided_in)

    def events(self) -> list[Event]:
        """Return what has happened since the person's last decision, as far as the person may know and it is shown."""
        known = []
        for event in self.standing.table.events[self._begun :]:
            if event[0] == ROUND_BEGAN and event[1] > self.lesson.rounds:
                break
            shown = self.standing.game.known(event, PERSON)
            known += [] if shown is None else [shown]
        return known

    def scene(self) -> Scene:
        """Return what the person may know now as the viewer draws it."""
        return self.standing.scene(PERSON)

    def summary(self) -> list[str]:
        """Return in sentences how the lesson ended."""
        return self.lesson.summary(self.view)

    def answers(self) -> list[Answer]:
        """Return the decisions that can be picked from a list; none where the form is another one."""
        if self.kind is None or self.form is not AnswerForm.LIST:
            return []
        choice, typed = self.lesson.choice, self.standing.spelling(PERSON).typed
        return [Answer(choice(self.view, self.kind, each), typed(each)) for each in self.view.legal()]

    def groups(self) -> list[tuple[str, list[Thing]]]:
        """Return the parts of which the decision can be put together, those of a kind together under their title."""
        if self.kind is None:
            return []
        spelling, things_by_kind = self.standing.spelling(PERSON), dict[str, list[Thing]]()
        for part in spelling.parts.values():
            thing = Thing(part.id, _count(spelling, part.id), *self.lesson.thing(self.view, self.kind, part))
            things_by_kind.setdefault(part.kind, []).append(thing)
        return [(self.lesson.titles[kind], things) for kind, things in things_by_kind.items()]

    def typed(self, parts: Sequence[str]) -> str:
        """Return how the decision of these parts is typed.  Raises NoSuchPart: they make none; why, in a sentence."""
        if self.kind is None:
            raise NoSuchPart("The lesson is over.")
        spelling = self.standing.spelling(PERSON)
        made = spelling.made(parts)
        if made is None:
            raise NoSuchPart(self.lesson.unfinished(self.view, self.kind, parts))
        return spelling.typed(made.decision)


def _count(spelling: Spelling, part: str) -> int:
    chosen = [part]
    while part in spelling.more(chosen):
        chosen.append(part)
    return len(chosen)
