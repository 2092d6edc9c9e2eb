"""The state of a table with people, rebuilt from its stored data: the setup, and a row for each decision."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from operator import attrgetter
from typing import Any

from msgspec import Struct

from gangland.chance import Chance
from gangland.faults import BotFault, FaultKind, IllegalDecision
from gangland.game import ROUND_BEGAN, Decision, Event, Outcome
from gangland.games import game_named
from gangland.match import FinishedGame, Table
from gangland.replay import FAULT
from gangland.view import View
from gangland_ladder.common.documents import Count, Part
from gangland_ladder.common.texts import address, distinct_names
from gangland_ladder.playing.questions import Narrowed, Question, Spelling, narrow, question_of, spelling_of
from gangland_ladder.viewer.presentation import YOU, in_second_person, names_for, presentation_of
from gangland_ladder.viewer.scenes import Scene

# Setup and rows: the data from which any process can rebuild a table.


class TableSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """The player of a seat: a bot, with the SHA-256 of its code, or a human."""

    name: str
    code: str | None = None


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """The properties of a table that are fixed before the first roll."""

    game: str
    options: dict[str, Any]  # those that differ from the game's defaults
    seed: str  # for the dice, in hexadecimal; secret during the game
    rng_key: str  # for the bots' random generators, in hexadecimal; secret during the game
    seats: tuple[TableSeat, ...]  # in seat order

    @property
    def humans(self) -> tuple[int, ...]:
        """The seats of people, in ascending order."""
        return tuple(seat for seat, player in enumerate(self.seats) if player.code is None)

    @property
    def bots(self) -> tuple[int, ...]:
        """The seats of bots, in ascending order."""
        return tuple(seat for seat, player in enumerate(self.seats) if player.code is not None)

    @property
    def names(self) -> tuple[str, ...]:
        """The names, in seat order; equal names are numbered."""
        return tuple(distinct_names([player.name for player in self.seats]))


class Failure(Struct, frozen=True, forbid_unknown_fields=True):
    """The failure of a bot.  The message can contain the bot's private information, so it is secret during the game."""

    kind: str
    message: str


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    """A decision.  A table's rows are in chronological order, and new ones are only appended.

    Simultaneous decisions can be in any order, and take effect with the last one.
    """

    seat: int
    decision: Any  # in canonical form, or "fault"
    fault: Failure | None = None  # the bot's failure
    opening: bool = False  # whether the bot failed before the game; such rows come first and answer no question
    hint: bool = False  # whether the human saw a hint


# The live table: a pure function of the setup and the rows, without bots or jails.
#
# Any process can use a live table to show a human's view, story and question: a worker with the bots, a terminal, or a
# web process.


class RowError(ValueError):
    """The rows are impossible; the message names the first impossible one."""


class NotOpen(ValueError):
    """The question is not open to this seat."""


class StoryLine(Part):
    """A sentence about an event in the second person, with its round."""

    round: Count
    text: str


@dataclass(frozen=True, slots=True)
class StoryStep:
    """What a seat knows about the results of one moment: the story, and the scene afterward."""

    lines: tuple[StoryLine, ...]
    scene: Scene


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """An open question."""

    seat: int
    kind: str
    number: int  # counts the seat's questions from 1, so it reveals no questions to other seats
    at: str  # the address of the decision
    decision: int  # its number in the replay, secret during the game


class LiveTable:
    """The state of a table after its rows."""

    def __init__(self, setup: Setup, rows: Iterable[Row] = (), *, chance: Chance | None = None) -> None:
        """Set up the table and apply the rows.

        Raises RowError: rows are impossible; ValueError: there is no such game, table size or option.
        """
        self.setup = setup
        self.game = game_named(setup.game)
        self.rows: list[Row] = []
        self.addresses: list[str] = []  # of each row's decision, "" for a fault before the game
        # The number of each row's decision in the replay, None for a fault before the game.
        self.decisions: list[int | None] = []
        self._pending_rows: dict[int, Row] = {}
        rows = list(rows)
        opening = list(takewhile(attrgetter("opening"), rows))
        failed = {row.seat: BotFault(FaultKind(row.fault.kind), row.fault.message) for row in opening if row.fault}
        # The engine's table has all hidden information. Show people only the results of this class's methods.
        self.table = Table(
            self.game,
            [_RowPlayer(seat, self._pending_rows) for seat in range(len(setup.seats))],
            bytes.fromhex(setup.seed),
            options=setup.options,
            chance=chance,
            early_faults=failed,
        )
        self._answered = Counter[int]()
        self._in_round = Counter[tuple[int, int]]()
        self._story_entries: list[tuple[int, Event | int]] = []
        self._moments: list[_Moment] = []
        self._first_entry = [0] * len(setup.seats)
        self._first_moment = [0] * len(setup.seats)
        self._public_faults: frozenset[int] = frozenset()
        for row in opening:
            self._add_row(row, "", None)
        self._record_events(self.table.events, 1)
        self._advance()
        for row in rows[len(opening) :]:
            self.apply(row)

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, or None during the game."""
        return self.table.outcome

    @property
    def round(self) -> int:
        """The number of the round, from 1."""
        return self.table.rounds if self.outcome is not None else self.game.round(self.table.state)

    def open_questions(self) -> tuple[OpenQuestion, ...]:
        """Return the open questions, in seat order."""
        before, number = len(self.table.recorded), self.round
        return tuple(
            OpenQuestion(
                seat=question.seat,
                kind=question.kind,
                number=self._answered[question.seat] + 1,
                at=address(number, question.seat, self._in_round[number, question.seat] + 1),
                decision=before + index,
            )
            for index, question in enumerate(self.table.questions())
            if question.seat not in self._pending_rows
        )

    def find_question(self, seat: int) -> OpenQuestion | None:
        """Return the seat's open question, or None."""
        return next((question for question in self.open_questions() if question.seat == seat), None)

    def apply(self, row: Row) -> None:
        """Apply a decision; continue the game if all asked seats have decided.  Raises RowError: it is impossible."""
        question = None if row.opening else self.find_question(row.seat)
        if question is None:
            raise RowError(f"row {len(self.rows)} is a decision of seat {row.seat + 1}, which has no open question")
        if (row.decision == FAULT) != (row.fault is not None):
            raise RowError(f"row {len(self.rows)} is an incomplete fault: {row.decision!r:.80}")
        if row.fault is None:
            try:
                self.game.check(self.table.state, row.seat, row.decision)
            except IllegalDecision as error:
                raise RowError(f"row {len(self.rows)}, choose_{question.kind}: {error}") from error
        self._add_row(row, question.at, question.decision)
        self._pending_rows[row.seat] = row
        if not self.open_questions():
            self._play_ply()
            self._advance()

    def open_question(self, seat: int) -> OpenQuestion:
        """Return the seat's open question.  Raises NotOpen: no question is open to the seat."""
        question = self.find_question(seat)
        if question is None:
            raise NotOpen(f"no question is open to seat {seat + 1}")
        return question

    def check(self, seat: int, number: int, answer: object) -> Decision:
        """Return the answer to a seat's open question in canonical form, without applying it.

        Raises NotOpen: the question is not open; IllegalDecision: the message has the answer and the legal decisions.
        """
        question = self.open_question(seat)
        if question.number != number:
            raise NotOpen(f"seat {seat + 1} is asked question {question.number}, not question {number!r:.20}")
        return self.game.check(self.table.state, seat, answer)

    def check_human(self, seat: int, number: int, answer: object) -> Decision:
        """Like `check`, but only for a human's seat.  Raises NotOpen for a bot's seat."""
        if seat not in self.setup.humans:
            raise NotOpen(f"no human sits in seat {seat + 1!r:.20}")
        return self.check(seat, number, answer)

    def view(self, seat: int) -> View:
        """Return the seat's view, the same as a bot would receive."""
        return self.table.view(seat)

    def scene(self, seat: int) -> Scene:
        """Return the seat's view as a scene."""
        return self._scene(seat, self.table.state, self.table.shown)

    def question(self, seat: int) -> Question | None:
        """Return the seat's open question for a human, or None."""
        question = self.find_question(seat)
        if question is None:
            return None
        return question_of(
            self.game,
            self.view(seat),
            question.kind,
            self.table.state,
            seat=seat,
            number=question.number,
            at=question.at,
            round=self.round,
        )

    def narrowed(self, seat: int, ids: Sequence[str]) -> Narrowed:
        """Return the partly entered decision with these parts.

        Raises NotOpen: no question is open to the seat; NoSuchPart: no legal decision has these parts.
        """
        return narrow(self.game, self.open_question(seat).kind, self.spelling(seat), ids)

    def spelling(self, seat: int) -> Spelling:
        """Return the spelling of the seat's open question.  Raises NotOpen: no question is open to the seat."""
        return spelling_of(self.game, self.view(seat), self.open_question(seat).kind, self.table.state)

    def names(self, seat: int) -> list[str]:
        """Return the names in seat order, with "You" for this seat."""
        return [YOU if other == seat else name for other, name in enumerate(self.setup.names)]

    def story(self, seat: int) -> list[StoryLine]:
        """Return the events since the seat's last decision that the seat knows about, in the second person."""
        return self._lines(seat, self._first_entry[seat], len(self._story_entries))

    def steps(self, seat: int) -> list[StoryStep]:
        """Return the story moment by moment, without moments in which the seat sees nothing.

        Hidden moments are merged into the previous moment, so that the number of steps does not reveal them.
        """
        steps: list[StoryStep] = []
        since = self._first_entry[seat]
        for moment in self._moments[self._first_moment[seat] :]:
            lines = self._lines(seat, since, moment.entry_count)
            since = moment.entry_count
            if moment.hidden and steps:
                lines = [*steps.pop().lines, *lines]
            if lines:
                steps.append(StoryStep(tuple(lines), self._scene(seat, moment.state, moment.faults)))
        return steps

    def played(self) -> FinishedGame:
        """Return the finished game with its replay.  Raises ValueError: the game is not over."""
        return self.table.finished_game()

    def _scene(self, seat: int, state: Any, faults: frozenset[int]) -> Scene:
        view = self.game.observe(state, seat, faults)
        return presentation_of(self.game.name).view_scene(view, self.game.held(state), faults)

    def _lines(self, seat: int, first: int, last: int) -> list[StoryLine]:
        names = tuple(names_for(self.setup.names, seat))
        lines = []
        for number, entry in self._story_entries[first:last]:
            if isinstance(entry, int):  # the seat of a new fault
                text: str | None = f"{names[entry]} is at fault and plays default decisions from now on."
            else:
                event = self.game.known(entry, seat)
                text = None if event is None else self.game.sentence(event, names)
            if text is not None:
                lines.append(StoryLine(number, in_second_person(text)))
        return lines

    def _add_row(self, row: Row, at: str, decision: int | None) -> None:
        self.rows.append(row)
        self.addresses.append(at)
        self.decisions.append(decision)

    def _play_ply(self) -> None:
        table, number, begun = self.table, self.round, len(self.table.events)
        kinds = {question.kind for question in self.game.pending(table.state)}
        for seat in self._pending_rows:
            self._answered[seat] += 1
            self._in_round[number, seat] += 1
            self._first_entry[seat] = len(self._story_entries)
            self._first_moment[seat] = len(self._moments)
        table.play_ply()
        self._pending_rows.clear()
        self._record_events(table.events[begun:], number, hidden=kinds <= presentation_of(self.game.name).hidden_kinds)

    def _advance(self) -> None:
        while self.outcome is None and not self.table.questions():
            self._play_ply()

    def _record_events(self, events: Sequence[Event], number: int, *, hidden: bool = False) -> None:
        """Record events and newly visible faults for the stories, each with its round."""
        public = self.table.defaulting if self.outcome is not None else self.table.shown
        self._story_entries += [(number, seat) for seat in sorted(public - self._public_faults)]
        self._public_faults = public
        for event in events:
            if event[0] == ROUND_BEGAN:
                number = event[1]
            self._story_entries.append((number, event))
        self._moments.append(_Moment(len(self._story_entries), self.table.state, self.table.shown, hidden))


@dataclass(frozen=True, slots=True)
class _Moment:
    """The table after a moment: the story's length, the state, the visible faults, and whether views hide it."""

    entry_count: int
    state: Any
    faults: frozenset[int]
    hidden: bool


@dataclass(frozen=True, slots=True)
class _RowPlayer:
    """A player of the engine's table who answers with the row that is being applied."""

    seat: int
    rows: dict[int, Row]

    def decide(self, kind: str, view: View, number: int) -> object:
        row = self.rows[self.seat]
        if row.fault is not None:
            raise BotFault(FaultKind(row.fault.kind), row.fault.message)
        return row.decision
