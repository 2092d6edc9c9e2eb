"""Tables with people: their setup, the rows of what was decided, and where a table stands after them."""

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
from gangland.match import Played, Table
from gangland.replay import FAULT
from gangland.view import View
from gangland_ladder.common.documents import Count, Part
from gangland_ladder.common.texts import address, distinct
from gangland_ladder.playing.questions import Narrowed, Question, Spelling, narrow, question_of, spelling_of
from gangland_ladder.viewer.presentation import YOU, in_second_person, names_for, presentation_of
from gangland_ladder.viewer.scenes import Scene

# Setup and rows: all that it takes to set a table up again anywhere.


class TableSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """Who sits in a seat: a bot with the SHA-256 of its code, or a person with None."""

    name: str
    code: str | None = None


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """What is fixed before the first die.

    Attributes:
        options: those that differ from the game's defaults.
        seed, rng_key: of the dice, and of the bots' own generators, in hexadecimal; no person may see them in play.
        seats: in seat order.
    """

    game: str
    options: dict[str, Any]
    seed: str
    rng_key: str
    seats: tuple[TableSeat, ...]

    @property
    def persons(self) -> tuple[int, ...]:
        """The seats of persons, upward."""
        return tuple(seat for seat, each in enumerate(self.seats) if each.code is None)

    @property
    def bots(self) -> tuple[int, ...]:
        """The seats of bots, upward."""
        return tuple(seat for seat, each in enumerate(self.seats) if each.code is not None)

    @property
    def names(self) -> tuple[str, ...]:
        """What the seats are called, in seat order; a name that stands there twice has a number."""
        return tuple(distinct([each.name for each in self.seats]))


class Failure(Struct, frozen=True, forbid_unknown_fields=True):
    """How a bot failed.  The message may tell what its seat alone could know: no person may see it in play."""

    kind: str
    message: str


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    """One decision.  A table's rows stand in the order in which they were made, and are only ever added.

    Seats that decide at the same time may do so in any order; nothing of it happens before the last one's row.

    Attributes:
        decision: in canonical form, or "fault"; fault: how the bot failed, if it did.
        opening: whether it failed before the game began; such rows come first, and answer no question.
        hint: whether the person had asked for a hint.
    """

    seat: int
    decision: Any
    fault: Failure | None = None
    opening: bool = False
    hint: bool = False


# Where a table stands: a pure function of its setup and its rows, which needs no bot and no jail.
#
# Any process that has both can show a person its view, its story and its question: the one that holds the bots, a
# terminal, a site's web process.


class RowError(ValueError):
    """Rows that no table can have come to; the message names the first one."""


class NotOpen(ValueError):
    """An answer to a question that is not open to this seat: an old one, one to come, or another seat's."""


class StoryLine(Part):
    """A sentence on what happened, as it is said to a person, with its round."""

    round: Count
    text: str


@dataclass(frozen=True, slots=True)
class StoryStep:
    """What one moment of decisions came to, as far as a seat may know it: its story, and the scene after it."""

    lines: tuple[StoryLine, ...]
    scene: Scene


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """An open question.

    Attributes:
        number: of the seat's questions, from 1.  It says nothing of what other seats were asked, which may be hidden.
        at: the address of the decision to come; decision: its number in the replay, which no person may see in play.
    """

    seat: int
    kind: str
    number: int
    at: str
    decision: int


class LiveTable:
    """A table after some rows.

    Attributes:
        rows: all that were taken; addresses: of each one's decision, "" for an opening fault.
        decisions: of each one, its number in the replay; None for an opening fault.
        table: the engine's; it hides nothing from its holder, so show what this class returns instead.
    """

    def __init__(self, setup: Setup, rows: Iterable[Row] = (), *, chance: Chance | None = None) -> None:
        """Set the table up and take the rows.

        Raises RowError: rows that do not fit; ValueError: a game, a table size or an option that there is not.
        """
        self.setup = setup
        self.game = game_named(setup.game)
        self.rows: list[Row] = []
        self.addresses: list[str] = []
        self.decisions: list[int | None] = []
        self._ready: dict[int, Row] = {}
        rows = list(rows)
        opening = list(takewhile(attrgetter("opening"), rows))
        failed = {row.seat: BotFault(FaultKind(row.fault.kind), row.fault.message) for row in opening if row.fault}
        self.table = Table(
            self.game,
            [_Ready(seat, self._ready) for seat in range(len(setup.seats))],
            bytes.fromhex(setup.seed),
            options=setup.options,
            chance=chance,
            failed=failed,
        )
        self._answered = Counter[int]()
        self._in_round = Counter[tuple[int, int]]()
        self._happened: list[tuple[int, Event | int]] = []
        self._moments: list[_Moment] = []
        self._since = [0] * len(setup.seats)
        self._shown_since = [0] * len(setup.seats)
        self._faults_shown: frozenset[int] = frozenset()
        for row in opening:
            self._note(row, "", None)
        self._tell(self.table.events, 1)
        self._go_on()
        for row in rows[len(opening) :]:
            self.take(row)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return self.table.outcome

    @property
    def round(self) -> int:
        """The number of the round, from 1."""
        return self.table.rounds if self.outcome is not None else self.game.round(self.table.state)

    def open_questions(self) -> tuple[OpenQuestion, ...]:
        """Return the questions that are open, in seat order: those of one moment that were not answered yet."""
        before, number = len(self.table.recorded), self.round
        return tuple(
            OpenQuestion(
                seat=each.seat,
                kind=each.kind,
                number=self._answered[each.seat] + 1,
                at=address(number, each.seat, self._in_round[number, each.seat] + 1),
                decision=before + index,
            )
            for index, each in enumerate(self.table.asked())
            if each.seat not in self._ready
        )

    def find_question(self, seat: int) -> OpenQuestion | None:
        """Return the question that is open to a seat, None for none."""
        return next((each for each in self.open_questions() if each.seat == seat), None)

    def take(self, row: Row) -> None:
        """Take a decision; once all that are asked have decided, it happens.  Raises RowError: the row does not fit."""
        question = None if row.opening else self.find_question(row.seat)
        if question is None:
            raise RowError(f"row {len(self.rows)} is a decision of seat {row.seat + 1}, which is asked nothing")
        if (row.decision == FAULT) != (row.fault is not None):
            raise RowError(f"row {len(self.rows)} is half a fault: {row.decision!r:.80}")
        if row.fault is None:
            try:
                self.game.check(self.table.state, row.seat, row.decision)
            except IllegalDecision as refused:
                raise RowError(f"row {len(self.rows)}, choose_{question.kind}: {refused}") from refused
        self._note(row, question.at, question.decision)
        self._ready[row.seat] = row
        if not self.open_questions():
            self._ply()
            self._go_on()

    def open_question(self, seat: int) -> OpenQuestion:
        """Return the question that is open to a seat.  Raises NotOpen: none is."""
        question = self.find_question(seat)
        if question is None:
            raise NotOpen(f"no question is open to seat {seat + 1}")
        return question

    def check(self, seat: int, number: int, answer: object) -> Decision:
        """Return the answer to a seat's open question in canonical form; nothing is changed.

        Raises NotOpen: another question is open, or none; IllegalDecision: the rules refuse the answer; the message
        says what came and what is legal.
        """
        question = self.open_question(seat)
        if question.number != number:
            raise NotOpen(f"question {number!r:.20} is not open to seat {seat + 1}: question {question.number} is")
        return self.game.check(self.table.state, seat, answer)

    def check_person(self, seat: int, number: int, answer: object) -> Decision:
        """Return what `check` returns, for a person's seat only; NotOpen for a bot's."""
        if seat not in self.setup.persons:
            raise NotOpen(f"no person sits in seat {seat + 1!r:.20}")
        return self.check(seat, number, answer)

    def view(self, seat: int) -> View:
        """Return what the seat may know now: if it is asked, the very view that a bot there would be given."""
        return self.table.view(seat)

    def scene(self, seat: int) -> Scene:
        """Return the seat's view as a scene, to be drawn as the viewer draws it."""
        return self._scene(seat, self.table.state, self.table.shown)

    def question(self, seat: int) -> Question | None:
        """Return the question that is open to a seat as a person is asked it, None for none."""
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

    def narrowed(self, seat: int, chosen: Sequence[str]) -> Narrowed:
        """Return where a person stands who has chosen these parts of a decision, by their ids.

        Raises NotOpen: no question is open to the seat; NoSuchPart: they belong to no legal decision.
        """
        return narrow(self.game, self.open_question(seat).kind, self.spelling(seat), chosen)

    def spelling(self, seat: int) -> Spelling:
        """Return how the decisions of the seat's open question are put together; NotOpen if none is open."""
        return spelling_of(self.game, self.view(seat), self.open_question(seat).kind, self.table.state)

    def names(self, seat: int) -> list[str]:
        """Return what the seats are called at the table of a person in this one, who is "You"."""
        return [YOU if each == seat else name for each, name in enumerate(self.setup.names)]

    def story(self, seat: int) -> list[StoryLine]:
        """Return what has happened since the seat last decided, as far as it may know it, said to its person."""
        return self._lines(seat, self._since[seat], len(self._happened))

    def steps(self, seat: int) -> list[StoryStep]:
        """Return what `story` does moment by moment, without those of which the seat learns nothing.

        A hidden moment is part of the one before it: the number of steps must not tell whether there was one.
        """
        steps: list[StoryStep] = []
        since = self._since[seat]
        for moment in self._moments[self._shown_since[seat] :]:
            lines = self._lines(seat, since, moment.happened)
            since = moment.happened
            if moment.hidden and steps:
                lines = [*steps.pop().lines, *lines]
            if lines:
                steps.append(StoryStep(tuple(lines), self._scene(seat, moment.state, moment.shown)))
        return steps

    def played(self) -> Played:
        """Return the finished game, with its replay.  Raises ValueError: it is not over yet."""
        return self.table.played()

    def _scene(self, seat: int, state: Any, shown: frozenset[int]) -> Scene:
        view = self.game.observe(state, seat, shown)
        return presentation_of(self.game.name).view_scene(view, self.game.held(state), shown)

    def _lines(self, seat: int, first: int, last: int) -> list[StoryLine]:
        names = tuple(names_for(self.setup.names, seat))
        lines = []
        for number, happened in self._happened[first:last]:
            if isinstance(happened, int):
                text: str | None = f"{names[happened]} is at fault: played by default from here."
            else:
                event = self.game.known(happened, seat)
                text = None if event is None else self.game.sentence(event, names)
            if text is not None:
                lines.append(StoryLine(number, in_second_person(text)))
        return lines

    def _note(self, row: Row, at: str, decision: int | None) -> None:
        self.rows.append(row)
        self.addresses.append(at)
        self.decisions.append(decision)

    def _ply(self) -> None:
        table, number, begun = self.table, self.round, len(self.table.events)
        kinds = {question.kind for question in self.game.pending(table.state)}
        for seat in self._ready:
            self._answered[seat] += 1
            self._in_round[number, seat] += 1
            self._since[seat] = len(self._happened)
            self._shown_since[seat] = len(self._moments)
        table.ply()
        self._ready.clear()
        self._tell(table.events[begun:], number, hidden=kinds <= presentation_of(self.game.name).hidden_kinds)

    def _go_on(self) -> None:
        while self.outcome is None and not self.table.asked():
            self._ply()

    def _tell(self, events: Sequence[Event], number: int, *, hidden: bool = False) -> None:
        """Keep what happened for the stories: faults once views show them, then events, each with its round."""
        public = self.table.defaulting if self.outcome is not None else self.table.shown
        self._happened += [(number, seat) for seat in sorted(public - self._faults_shown)]
        self._faults_shown = public
        for event in events:
            if event[0] == ROUND_BEGAN:
                number = event[1]
            self._happened.append((number, event))
        self._moments.append(_Moment(len(self._happened), self.table.state, self.table.shown, hidden))


@dataclass(frozen=True, slots=True)
class _Moment:
    """The table after a moment: events, state, seats at fault, and whether only its seats may know of it."""

    happened: int
    state: Any
    shown: frozenset[int]
    hidden: bool


@dataclass(frozen=True, slots=True)
class _Ready:
    """The player of a seat of the engine's table: it gives what stands in the rows of the moment."""

    seat: int
    rows: dict[int, Row]

    def decide(self, kind: str, view: View, number: int) -> object:
        row = self.rows[self.seat]
        if row.fault is not None:
            raise BotFault(FaultKind(row.fault.kind), row.fault.message)
        return row.decision
