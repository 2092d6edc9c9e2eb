"""A lesson: the first rounds of a game with a fixed seed, a person in seat 1 and Fox in seat 2.

Fox decides by a fixed plan in the process that shows the lesson; no bot is run.  Nothing is kept: a lesson is where its
person's decisions lead, so an address can have them all.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from gangland.game import ROUND_BEGAN, Decision, Event
from gangland.view import View
from gangland_ladder.common.runtime import module_of
from gangland_ladder.playing.questions import NoSuchPart
from gangland_ladder.playing.table_state import LiveTable, Row, Setup, TableSeat

PERSON: Final = 0
FOX: Final = 1
NAMES: Final = ("You", "Fox")
MOST_DECISIONS: Final = 40
"""More decisions than any way through a lesson has."""
MOST_CHARS: Final = 40
"""More characters than any decision of a lesson is typed with."""


@dataclass(frozen=True, slots=True)
class Words:
    """What a lesson says of a question, each as paragraphs.

    Attributes:
        see: what the table does not say; matters: what to think of now; choices: what can be chosen and what it means.
        notes: what each of several things on the table does, in a sentence.
    """

    see: tuple[str, ...]
    matters: tuple[str, ...]
    choices: tuple[str, ...]
    notes: tuple[str, ...] = ()


class WrongDecision(ValueError):
    """A decision that is not possible where it stands."""

    def __init__(self, number: int, message: str) -> None:
        super().__init__(message)
        self.number = number


class Lesson(ABC):
    """What a game brings to its lesson.

    Attributes:
        seed: of the dice and cards, in hexadecimal; rounds: so many are played.
        about: how the lesson goes; plan: how Fox decides.
    """

    game: ClassVar[str]
    seed: ClassVar[str]
    rounds: ClassVar[int]
    about: ClassVar[tuple[str, ...]]
    plan: ClassVar[str]

    @abstractmethod
    def fox(self, view: View, kind: str) -> Decision:
        """Return what Fox decides by its plan."""

    @abstractmethod
    def words(self, view: View, kind: str) -> Words:
        """Return what is said of the person's question."""

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


class LessonState:
    """Where a person is in a lesson."""

    def __init__(self, lesson: Lesson, decisions: Sequence[str] = ()) -> None:
        """Follow a lesson.  Raises WrongDecision: a decision is not possible where it stands, or is one too many."""
        self.lesson = lesson
        self.decisions: tuple[str, ...] = ()
        self._begun, self._decided_in = 0, 1
        seats = (TableSeat(NAMES[PERSON]), TableSeat(NAMES[FOX], "0" * 64))
        self.live_table = LiveTable(Setup(lesson.game, {}, lesson.seed, lesson.seed, seats))
        self._go_on()
        for number, text in enumerate(decisions, 1):
            self._decide(number, text)

    def _decide(self, number: int, text: str) -> None:
        if self.kind is None:
            raise WrongDecision(number, "the lesson is over before it")
        if len(text) > MOST_CHARS or number > MOST_DECISIONS:
            raise WrongDecision(number, "it is too long")
        spelling = self.live_table.spelling(PERSON)
        try:
            decision = spelling.read(text)
        except NoSuchPart as refused:
            raise WrongDecision(number, str(refused)) from refused
        self._begun, self._decided_in = len(self.live_table.table.events), self.round
        self.decisions = (*self.decisions, spelling.typed(decision))
        self.live_table.take(Row(PERSON, decision))
        self._go_on()

    def _go_on(self) -> None:
        live_table = self.live_table
        while not self._is_over() and live_table.find_question(FOX):
            live_table.take(Row(FOX, self.lesson.fox(live_table.view(FOX), live_table.open_question(FOX).kind)))
        question = None if self._is_over() else live_table.open_question(PERSON)
        self.kind = None if question is None else question.kind
        self.view = live_table.view(PERSON)
        self.round = min(live_table.round, self.lesson.rounds)

    def _is_over(self) -> bool:
        return self.live_table.outcome is not None or self.live_table.round > self.lesson.rounds

    def words(self) -> Words | None:
        """Return what is said of the open question."""
        return None if self.kind is None else self.lesson.words(self.view, self.kind)

    def happened(self) -> list[str]:
        """Return in sentences what has happened since the person's last decision, as far as the lesson goes."""
        return self.lesson.happened(self.events(), self.view, self._decided_in)

    def events(self) -> list[Event]:
        """Return what has happened since the person's last decision, as far as the person may know and it is shown."""
        known = []
        for event in self.live_table.table.events[self._begun :]:
            if event[0] == ROUND_BEGAN and event[1] > self.lesson.rounds:
                break
            shown = self.live_table.game.known(event, PERSON)
            known += [] if shown is None else [shown]
        return known

    def summary(self) -> list[str]:
        """Return in sentences how the lesson ended."""
        return self.lesson.summary(self.view)
