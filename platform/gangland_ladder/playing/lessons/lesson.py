"""Lessons that teach a game through its first rounds, with the player in seat 1 and Fox in seat 2.

The seed is fixed, and Fox follows a fixed plan, so no bot runs.  Nothing is stored: the state of a lesson follows from
the player's decisions, which are in the page's URL.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from gangland.game import ROUND_BEGAN, Decision, Event
from gangland.view import View
from gangland_ladder.common.game_modules import module_of
from gangland_ladder.playing.questions import NoSuchPart
from gangland_ladder.playing.table_state import LiveTable, Row, Setup, TableSeat

PLAYER: Final = 0
FOX: Final = 1
NAMES: Final = ("You", "Fox")
MAX_DECISIONS: Final = 40  # More decisions than any lesson has.
MAX_CHARS: Final = 40  # More characters than any decision's text has.


@dataclass(frozen=True, slots=True)
class LessonText:
    """A lesson's text for a question, as paragraphs."""

    facts: tuple[str, ...]  # facts that the table does not show
    considerations: tuple[str, ...]  # points to consider
    choices: tuple[str, ...]  # the choices and their effects
    notes: tuple[str, ...] = ()  # a sentence for each of several items on the table
    suggestion: str = ""  # one sentence


class WrongDecision(ValueError):
    """A decision is not possible at this point of the lesson."""

    def __init__(self, number: int, message: str) -> None:
        super().__init__(message)
        self.number = number


class Lesson(ABC):
    """The lesson of a game."""

    game: ClassVar[str]
    seed: ClassVar[str]  # for the dice and cards, in hexadecimal
    rounds: ClassVar[int]  # the number of rounds
    about: ClassVar[tuple[str, ...]]  # the introduction
    plan: ClassVar[str]  # a description of Fox's plan

    @abstractmethod
    def fox_decision(self, view: View, kind: str) -> Decision:
        """Return Fox's decision."""

    @abstractmethod
    def text(self, view: View, kind: str) -> LessonText:
        """Return the text for the player's question."""

    @abstractmethod
    def describe(self, events: Sequence[Event], view: View, number: int) -> list[str]:
        """Return sentences about the results, and their reasons, of a decision in round `number`."""

    @abstractmethod
    def summary(self, view: View) -> list[str]:
        """Return sentences about the result of the lesson, and about rules that the lesson did not show."""


def lesson_of(game: str) -> Lesson | None:
    """Return the lesson of a game; None if the game has no lesson or does not exist."""
    module = module_of("gangland_ladder.playing.lessons", game)
    lesson: Lesson | None = None if module is None else module.LESSON
    return lesson


class LessonState:
    """The state of a lesson after a player's decisions."""

    def __init__(self, lesson: Lesson, decisions: Sequence[str] = ()) -> None:
        """Play a lesson up to these decisions.  Raises WrongDecision: one is not possible, or comes after the end."""
        self.lesson = lesson
        self.decisions: tuple[str, ...] = ()
        self._first_event, self._decision_round = 0, 1
        seats = (TableSeat(NAMES[PLAYER]), TableSeat(NAMES[FOX], "0" * 64))
        self.live_table = LiveTable(Setup(lesson.game, {}, lesson.seed, lesson.seed, seats))
        self._advance()
        for number, text in enumerate(decisions, 1):
            self._decide(number, text)

    def _decide(self, number: int, text: str) -> None:
        if self.kind is None:
            raise WrongDecision(number, "the lesson was already over")
        if number > MAX_DECISIONS:
            raise WrongDecision(number, "there are too many decisions")
        if len(text) > MAX_CHARS:
            raise WrongDecision(number, "it is too long")
        spelling = self.live_table.spelling(PLAYER)
        try:
            decision = spelling.read(text)
        except NoSuchPart as error:
            raise WrongDecision(number, str(error)) from error
        self._first_event, self._decision_round = len(self.live_table.table.events), self.round
        self.decisions = (*self.decisions, spelling.text_of(decision))
        self.live_table.apply(Row(PLAYER, decision))
        self._advance()

    def _advance(self) -> None:
        live_table = self.live_table
        while not self._is_over() and live_table.find_question(FOX):
            live_table.apply(
                Row(FOX, self.lesson.fox_decision(live_table.view(FOX), live_table.open_question(FOX).kind))
            )
        question = None if self._is_over() else live_table.open_question(PLAYER)
        self.kind = None if question is None else question.kind
        self.view = live_table.view(PLAYER)
        self.round = min(live_table.round, self.lesson.rounds)

    def _is_over(self) -> bool:
        return self.live_table.outcome is not None or self.live_table.round > self.lesson.rounds

    def text(self) -> LessonText | None:
        """Return the text for the open question, or None at the end."""
        return None if self.kind is None else self.lesson.text(self.view, self.kind)

    def describe(self) -> list[str]:
        """Return sentences about the events since the player's last decision."""
        return self.lesson.describe(self.events(), self.view, self._decision_round)

    def events(self) -> list[Event]:
        """Return the events known to the player since the player's last decision, up to the lesson's last round."""
        known = []
        for event in self.live_table.table.events[self._first_event :]:
            if event[0] == ROUND_BEGAN and event[1] > self.lesson.rounds:
                break
            known.append(self.live_table.game.known(event, PLAYER))
        return [event for event in known if event is not None]

    def summary(self) -> list[str]:
        """Return sentences about the result of the lesson."""
        return self.lesson.summary(self.view)
